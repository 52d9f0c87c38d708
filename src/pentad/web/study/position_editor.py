"""Position editor: which pieces fit where in each game, and what a draft lacks.

A draft is a board that need not be a legal position. It is kept as the text that such a position would have.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field

from pentad.game import Game, GameError, Position, game, load, shorten, whole
from pentad.pentagame.board import FIELDS, NUMBER, OFF_BOARD
from pentad.pentagame.denomination import BLACKS, GRAYS, field
from pentad.pentagame.notation import read_fields
from pentad.pentagame.rules import PentagamePosition
from pentad.pentago import notation as pentago_notation
from pentad.pentago.notation import read_place
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.rules import Setup as PentagoSetup
from pentad.pente.notation import COLOURS as STONES
from pentad.pente.notation import read_board, read_point, read_taken
from pentad.pente.rules import OVER, THREE, PentePosition
from pentad.pente.rulesets import SWAP2
from pentad.pente.rulesets import Setup as PenteSetup
from pentad.web import view
from pentad.web.api import LONGEST_POSITION, ChoiceInfo, Model
from pentad.web.study.study_text import read_start

EMPTY = "empty"
MOST_TAKEN = 600
Word = Annotated[str, Field(max_length=20)]


class PieceInfo(Model):
    """A piece to place; `off` is whether it can be off the board too, and `where` is its current place."""

    name: str
    label: str
    group: str
    colour: str
    off: bool
    where: str


class CounterInfo(Model):
    """A number of a position; `words` are the names of its values, if they have names."""

    name: str
    label: str
    value: int
    least: int
    most: int
    words: list[str]


class Draft(Model):
    """A board being edited. `position` is set once it is legal; else `trouble` says what it lacks."""

    game: str
    draft: str
    svg: str
    pieces: list[PieceInfo]
    counters: list[CounterInfo]
    choices: list[ChoiceInfo]
    position: str
    status: str
    trouble: str


class Edit(Model):
    """A request to place a piece (without a target: off the board), or to set a counter."""

    draft: Annotated[str, Field(max_length=LONGEST_POSITION)]
    piece: Word = ""
    target: Word = ""
    counter: Word = ""
    value: Annotated[int, Field(ge=0, le=MOST_TAKEN)] = 0
    flip: bool = False


def draft(text: str, flip: bool = False) -> Draft:
    """What can be edited on a board."""
    return _draft_of(read(text), flip)


def edit(request: Edit) -> Draft:
    """The board after an edit."""
    here = read(request.draft)
    editor = EDITORS[here.game]
    if request.counter:
        known = {each.name: each for each in editor.counters(here)}
        if request.counter not in known:
            raise GameError(f"Unknown counter {shorten(repr(request.counter), 30)}.")
        counter = known[request.counter]
        if not counter.least <= request.value <= counter.most:
            allowed = f"Expected a number from {counter.least} to {counter.most}, got {request.value}."
            raise GameError(f"{counter.label.capitalize()}: {allowed}")
        return _draft_of(editor.set(here, request.counter, request.value), request.flip)
    if request.piece not in {each.name for each in editor.pieces(here)}:
        raise GameError(f"Unknown piece {shorten(repr(request.piece), 30)}.")
    return _draft_of(editor.put(here, request.piece, request.target), request.flip)


def read(text: str) -> Position:
    """The board in a text, whether or not it is legal."""
    name, *words = text.split() or [""]
    kind = game(name)
    if all("=" in word for word in words):
        here = read_start(text)
    else:
        own = next(i for i, word in enumerate(words) if "=" not in word)
        here = EDITORS[name].read(kind, words[:own], words[own:])
    view.check_size(here)
    return here


def _draft_of(here: Position, flip: bool) -> Draft:
    """A board with all that can be edited on it."""
    editor = EDITORS[here.game]
    try:
        position = load(here.text)
    except GameError as error:
        text, status, trouble = "", "", str(error)
    else:
        text, status, trouble = position.text, position.status, ""
    return Draft(
        game=here.game,
        draft=here.text,
        svg=here.svg(flip=flip, style=False),
        pieces=list(editor.pieces(here)),
        counters=list(editor.counters(here)),
        choices=[ChoiceInfo(step=place, targets=(target,), label=place) for target, place in editor.places(here)],
        position=text,
        status=status,
        trouble=trouble,
    )


class BoardEditor(ABC):
    """How to edit the boards of one game."""

    game: ClassVar[str]

    @abstractmethod
    def read(self, kind: Game, options: list[str], words: list[str]) -> Any:
        """The board in a text's words."""

    @abstractmethod
    def pieces(self, here: Any) -> Iterator[PieceInfo]:
        """The pieces to place."""

    @abstractmethod
    def places(self, here: Any) -> Iterator[tuple[str, str]]:
        """The targets of the drawing, each with its place."""

    @abstractmethod
    def put(self, here: Any, piece: str, target: str) -> Position:
        """The board after placing a piece."""

    def counters(self, here: Any) -> Iterator[CounterInfo]:
        """The counters to set."""
        yield from ()

    def set(self, here: Any, counter: str, value: int) -> Position:
        """The board after setting a counter."""
        raise NotImplementedError  # never called for games without counters


def _marbles(colours: tuple[str, ...], what: str) -> Iterator[PieceInfo]:
    """A piece of each colour, and one that empties a place."""
    for colour in colours:
        yield PieceInfo(name=colour, label=f"{colour} {what}", group="", colour=colour, off=False, where="")
    yield PieceInfo(name=EMPTY, label="empty", group="", colour="", off=False, where="")


class PentagoEditor(BoardEditor):
    """Marbles on spaces; their number determines whose turn it is."""

    game = "pentago"

    def read(self, kind: Game, options: list[str], words: list[str]) -> PentagoPosition:
        setup = PentagoSetup.of(kind.read_options(options))
        return PentagoPosition(setup, pentago_notation.read_board(setup.board, words[0], setup.players))

    def pieces(self, here: PentagoPosition) -> Iterator[PieceInfo]:
        return _marbles(pentago_notation.COLOURS[: here.players], "marble")

    def places(self, here: PentagoPosition) -> Iterator[tuple[str, str]]:
        return ((str(place), str(place)) for place in here.board.places)

    def put(self, here: PentagoPosition, piece: str, target: str) -> PentagoPosition:
        bit = 1 << here.board.space(*read_place(here.board, target))
        marbles = (
            mine | bit if here.colour_of(seat) == piece else mine & ~bit for seat, mine in enumerate(here.marbles)
        )
        return PentagoPosition(here.setup, tuple(marbles))


class PenteEditor(BoardEditor):
    """Stones on points, and captured stones; their number determines whose turn it is."""

    game = "pente"

    def read(self, kind: Game, options: list[str], words: list[str]) -> PentePosition:
        setup = PenteSetup.of(kind.read_options(options))
        taken = read_taken(words[1]) if setup.rules.captures and len(words) > 1 else (0, 0)
        return self._settled(PentePosition(setup, read_board(setup.board, words[0]), taken))

    def pieces(self, here: PentePosition) -> Iterator[PieceInfo]:
        return _marbles(STONES, "stone")

    def places(self, here: PentePosition) -> Iterator[tuple[str, str]]:
        return ((str(stone), str(stone)) for stone in here.board.stones)

    def put(self, here: PentePosition, piece: str, target: str) -> PentePosition:
        bit = 1 << here.board.point(*read_point(here.board, target))
        white, black = (
            mine | bit if colour == piece else mine & ~bit for colour, mine in zip(STONES, here.stones, strict=True)
        )
        return self._settled(replace(here, stones=(white, black), last=None, touched=None))

    def counters(self, here: PentePosition) -> Iterator[CounterInfo]:
        if not here.rules.captures:
            return
        for colour, taken in zip(STONES, here.taken, strict=True):
            label = f"stones captured by {colour}"
            yield CounterInfo(name=colour, label=label, value=taken, least=0, most=MOST_TAKEN, words=[])

    def set(self, here: PentePosition, counter: str, value: int) -> PentePosition:
        white, black = (value if colour == counter else taken for colour, taken in zip(STONES, here.taken, strict=True))
        return self._settled(replace(here, taken=(white, black)))

    def _settled(self, here: PentePosition) -> PentePosition:
        """Sets the number of plies; from three stones on, the opening swap2 is over."""
        if here.rules.opening != SWAP2:
            return replace(here, ply=here.placed)
        over = here.placed >= 3
        return replace(here, ply=here.placed - 1 if over else 0, stage=OVER if over else THREE, swapped=False)


class PentagameEditor(BoardEditor):
    """Five pieces for each seat, each on a field or home, the blocks, and the turn. The draft has no move to repeat."""

    game = "pentagame"

    def read(self, kind: Game, options: list[str], words: list[str]) -> PentagamePosition:
        first = cast(PentagamePosition, kind.new(**kind.read_options(options)))
        seat, plies = (whole(word) for word in words[:2]) if len(words) >= 5 else (None, None)
        if seat is None or plies is None or len(words[2].split("/")) != first.players:
            raise GameError("Expected a Pentagame board: seat, plies, pieces, black blocks and gray blocks.")
        if seat >= first.players or plies > first.setup.max_ply:
            raise GameError(
                f"Expected a seat from 0 to {first.players - 1} and at most {first.setup.max_ply:,} plies, "
                f"got seat {words[0][:9]} and {words[1][:9]} plies."
            )
        return replace(
            first,
            seat=seat,
            plies=plies,
            pieces=tuple(read_fields(mine, "a seat's pieces") for mine in words[2].split("/")),
            blacks=read_fields(words[3], "black blocks"),
            grays=read_fields(words[4], "gray blocks"),
        )

    def pieces(self, here: PentagamePosition) -> Iterator[PieceInfo]:
        for seat, mine in enumerate(here.pieces):
            for piece, where in enumerate(mine):
                colour, who = here.colours[piece], here.colour_of(seat)
                yield self._piece(f"{seat}.{piece}", f"{who}'s {colour} piece", who, colour, where)
        for kind, figures, places in (("black", BLACKS, here.blacks), ("gray", GRAYS, here.grays)):
            for number, where in enumerate(places):
                yield self._piece(f"{figures[number]}", f"{kind} block {number + 1}", "blocks", kind, where)

    def _piece(self, name: str, label: str, group: str, colour: str, where: int) -> PieceInfo:
        at = "" if where == OFF_BOARD else str(FIELDS[where])
        return PieceInfo(name=name, label=label, group=group, colour=colour, off=True, where=at)

    def places(self, here: PentagamePosition) -> Iterator[tuple[str, str]]:
        yield from ((str(name), str(name)) for name in FIELDS)
        for seat, mine in enumerate(here.pieces):
            for piece, where in enumerate(mine):
                if where != OFF_BOARD:
                    yield f"piece {seat}.{piece}", str(FIELDS[where])

    def put(self, here: PentagamePosition, piece: str, target: str) -> PentagamePosition:
        to = NUMBER[field(target)] if target else OFF_BOARD
        if "." in piece:
            seat, which = map(int, piece.split("."))
            mine = _with(here.pieces[seat], which, to)
            return replace(here, pieces=(*here.pieces[:seat], mine, *here.pieces[seat + 1 :]))
        number = int(piece)
        if number in BLACKS:
            return replace(here, blacks=_with(here.blacks, number - BLACKS[0], to))
        return replace(here, grays=_with(here.grays, number - GRAYS[0], to))

    def counters(self, here: PentagamePosition) -> Iterator[CounterInfo]:
        words = [here.colour_of(seat) for seat in range(here.players)]
        yield CounterInfo(name="turn", label="to move", value=here.seat, least=0, most=here.players - 1, words=words)

    def set(self, here: PentagamePosition, counter: str, value: int) -> PentagamePosition:
        return replace(here, seat=value)


def _with(places: tuple[int, ...], which: int, to: int) -> tuple[int, ...]:
    return (*places[:which], to, *places[which + 1 :])


EDITORS: dict[str, BoardEditor] = {
    editor.game: editor for editor in (PentagoEditor(), PenteEditor(), PentagameEditor())
}
