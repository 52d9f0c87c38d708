"""Board editor: a draft, which need not be a legal position, with what can be placed and set on it.

A draft is kept as the text that such a position would have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from pentad.game import Game, GameError, Position, game, game_of, load, read_start, shorten
from pentad.games.parts import BoardSetup, Counter, Piece
from pentad.system.words import phrase
from pentad.web import view
from pentad.web.api_types import ChoiceInfo, PositionText
from pentad.web.typed_json import Length, Range

LARGEST = 1000  # value of a counter
Word = Annotated[str, Length(20)]


@dataclass(frozen=True, kw_only=True)
class CounterInfo:
    """A number of a position; `words` are the names of its values, if they have names."""

    name: str
    label: str
    value: int
    least: int
    most: int
    words: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A board being edited. `position` is set once it is legal; else `trouble` says what it lacks."""

    game: str
    draft: str
    svg: str
    pieces: list[Piece]
    counters: list[CounterInfo]
    choices: list[ChoiceInfo]
    position: str
    status: str
    trouble: str


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A request to place a piece (without a target: off the board), or to set a counter."""

    draft: PositionText
    piece: Word = ""
    target: Word = ""
    counter: Word = ""
    value: Annotated[int, Range(0, LARGEST)] = 0
    flip: bool = False


def draft(text: str, flip: bool = False) -> Draft:
    """What can be edited on a board."""
    return _draft_of(read(text), flip)


def edit(request: Edit) -> Draft:
    """The board after an edit."""
    here = read(request.draft)
    setup = setup_of(game_of(here))
    if request.counter:
        counter = next((each for each in setup.counters(here) if each.name == request.counter), None)
        if counter is None:
            raise GameError("Unknown counter {counter}.", counter=shorten(repr(request.counter), 30))
        if not counter.least <= request.value <= counter.most:
            allowed = phrase(
                "Expected a number from {least} to {most}, got {value}.",
                least=counter.least,
                most=counter.most,
                value=request.value,
            )
            raise GameError(f"{counter.label.capitalize()}: {allowed}")
        return _draft_of(counter.set(request.value), request.flip)
    if request.piece not in {each.name for each in setup.pieces(here)}:
        raise GameError("Unknown piece {piece}.", piece=shorten(repr(request.piece), 30))
    return _draft_of(setup.put(here, request.piece, request.target), request.flip)


def setup_of(kind: Game) -> BoardSetup:
    """What a game offers to the editor."""
    if not kind.has("setup"):
        raise GameError("Positions of {title} cannot be set up.", title=kind.title)
    return cast(BoardSetup, kind.module("setup"))


def read(text: str) -> Position:
    """The board in a text, whether or not it is legal."""
    name, *words = text.split() or [""]
    kind = game(name)
    setup = setup_of(kind)
    if all("=" in word for word in words):
        here = read_start(text)
    else:
        own = next(i for i, word in enumerate(words) if "=" not in word)
        here = setup.read(kind.read_options(words[:own]), words[own:])
    view.check_size(here)
    return here


def _draft_of(here: Position, flip: bool) -> Draft:
    """A board with all that can be edited on it."""
    setup = setup_of(game_of(here))
    legal, trouble = None, ""
    try:
        legal = load(here.text)
    except GameError as error:
        trouble = str(error)
    return Draft(
        game=here.game,
        draft=here.text,
        svg=here.svg(flip=flip, style=False),
        pieces=list(setup.pieces(here)),
        counters=list(map(_counter, setup.counters(here))),
        choices=[ChoiceInfo(step=place, targets=(target,), label=place) for target, place in setup.places(here)],
        position=legal.text if legal else "",
        status=legal.status if legal else "",
        trouble=trouble,
    )


def _counter(each: Counter) -> CounterInfo:
    return CounterInfo(
        name=each.name, label=each.label, value=each.value, least=each.least, most=each.most, words=each.words
    )
