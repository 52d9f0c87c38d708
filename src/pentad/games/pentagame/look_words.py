"""The words of Pentagame's looks as expressions: of positions, of steps and of turns.

Those of steps are made of the words of `wording` for one step of each case, with fields in place of all names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from pentad.drawing.colours import hue
from pentad.drawing.looks import At, Each, Expression, Number, Pick, Place
from pentad.game import GAME_OVER, bit_numbers
from pentad.games.parts import Told, Words
from pentad.games.pentagame import look_constants as k
from pentad.games.pentagame import wording
from pentad.games.pentagame.board import FIELDS, MAINS, OFF_BOARD, goal
from pentad.games.pentagame.denomination import BLACKS, GRAYS, PIECES
from pentad.games.pentagame.layout import BoardLayout
from pentad.games.pentagame.letters import BLACK, GRAY, HOME, SWAP, letters, names_of
from pentad.games.pentagame.notation import (
    ACTIONS,
    SHAPES,
    BlockStep,
    FigureTable,
    LeaveStep,
    PieceStep,
    Setup,
    TurnStep,
    place_in,
)
from pentad.games.pentagame.rules import TURN_LIMIT, PentagamePosition, ended, piece_target
from pentad.system.words import listed, phrase

# ── names ─────────────────────────────────────────────────────────────────────────────────────────

Colours: TypeAlias = tuple[str, ...]  # the names of the five colours of figures and fields
DIGITS = 6  # of coordinates, far more than those that are drawn
GAP = "\0"  # the place of an expression in a text


def with_parts(text: str, *parts: Expression) -> Expression:
    """A text with an expression at each gap."""
    before, *texts = text.split(GAP)
    return (before, *(each for pair in zip(parts, texts, strict=True) for each in pair))


@lru_cache(maxsize=32)
def field_places(flip: bool, colours: Colours) -> tuple[Place, ...]:
    """What is drawn and told of each field; the first one is off the board."""
    return ({}, *(_field_place(BoardLayout(flip), colours, field) for field in range(len(FIELDS))))


def _field_place(layout: BoardLayout, colours: Colours, field: int) -> Place:
    x, y = layout.field(field)
    place: dict[str, float | str] = {
        "x": round(x, DIGITS),
        "y": round(y, DIGITS),
        "field": str(FIELDS[field]).strip("[]"),
        "brief": place_in(colours, field, short=True),
        "name": place_in(colours, field),
        "short": names_of(colours).fields[field],
        "thumb": layout.touch_area(field),
    }
    if field in MAINS:
        colour = field % 5
        place |= {"colour": colours[colour], "hue": hue(colours[colour]), "letter": letters(colours)[colour]}
    return place


@lru_cache(maxsize=32)
def _lettered(colours: Colours) -> tuple[str, ...]:
    """Each field in words and in letters; the first one is off the board."""
    return ("", *(f"{place['name']} ({place['short']})" for place in field_places(False, colours)[1:]))


@lru_cache(maxsize=32)
def piece_places(players: int, colours: Colours) -> tuple[Place, ...]:
    """What is drawn and told of each piece, by seat and colour."""
    names = names_of(colours)
    return tuple(
        {
            "who": SHAPES[seat],
            "capital": SHAPES[seat].capitalize(),
            "seat": str(seat),
            "mark": names.seats[seat],
            "colour": colours[piece],
            "letter": names.colours[piece],
            "piece": piece_target(seat, piece),
            "mine": f"{seat},{piece}",
        }
        for seat in range(players)
        for piece in PIECES
    )


# ── positions ─────────────────────────────────────────────────────────────────────────────────────────

BLOCKS_IN_HAND = {"black": "the black block", "gray": "a gray block"}


@lru_cache(maxsize=8)
def status(players: int) -> Expression:
    """The player and the action expected, or the result."""
    names = SHAPES[:players]
    asked = [
        phrase("{player} to {action}.", player=name.capitalize(), action=action) for name in names for action in ACTIONS
    ]
    return Pick(k.STATUS, (*asked, *(_result(names, winners) for winners in range(1 << players))))


def _result(names: Sequence[str], winners: int) -> Expression:
    """The result of a game, with the winners as bits."""
    won = [name for seat, name in enumerate(names) if winners >> seat & 1]
    if not won:
        return with_parts(phrase("Draw: the turn limit of {ply} is reached.", ply=GAP), Number(k.PLIES))
    if len(won) == len(names):
        return phrase("Draw between {names}: {how}.", names=listed(won), how=EACH_HOME)
    if len(won) > 1:
        return phrase("{names} share the win, each {how}.", names=listed(won).capitalize(), how=ALL_HOME)
    return phrase("{names} wins {how}.", names=won[0].capitalize(), how=ALL_HOME)


ALL_HOME, EACH_HOME = "with three pieces home", "each has three pieces home"


def ending(reason: str, is_draw: bool) -> str:
    """How a game ended, in words that follow its result."""
    if reason == TURN_LIMIT:
        return "the turn limit is reached"
    return EACH_HOME if is_draw else ALL_HOME


@lru_cache(maxsize=32)
def listing(players: int, colours: Colours) -> tuple[Expression, ...]:
    """Lines for every seat, for the blocks, for those due and for the previous moves; the last two may be empty.

    All lines but the first begin with a space.
    """
    places = _lettered(colours)
    lines: list[Expression] = [_seat(colours, seat) for seat in range(players)]
    lines.append((" Black blocks: ", Each(k.BLACK_FIELDS, 5, places, ", ", " and ", "none on the board"), "."))
    pool = ("none in the pool", *(phrase("{pool} in the pool", pool=pool) for pool in range(1, 6)))
    grays: Expression = (Each(k.GRAY_FIELDS, 5, places, ", ", " and "), Pick(k.GRAY_FIELDS, ("", *("; ",) * 5)))
    lines.append((" Gray blocks: ", grays, Pick(k.POOL, pool), "."))
    lines.append(Pick(k.DUE, tuple(_still_due(*divmod(due, 3)) for due in range(6))))
    previous = Each(k.PREVIOUS, players, tuple(_previous(players, colours, seat) for seat in range(players)), "; ")
    told = f" {phrase('Previous moves, not to be repeated: {previous}.', previous=GAP)}".split(GAP)
    some, end = (Pick(k.PREVIOUS, ("", *(text,) * players)) for text in told)
    return (*lines, (some, previous, end))


def _still_due(black: int, grays: int) -> str:
    due = [*("black",) * black, *("gray",) * grays]
    words = " and then ".join(BLOCKS_IN_HAND[kind] for kind in due)
    return f" {phrase('Still to be put: {due}.', due=words)}" if due else ""


def _seat(colours: Colours, seat: int) -> Expression:
    """A seat's pieces and where they are."""
    before = ("home", *("on the ",) * 4)
    after = ("", *("", ", waiting at its goal") * 2)
    parts: list[Expression] = [f"{' ' if seat else ''}{SHAPES[seat].capitalize()}: "]
    for piece in PIECES:
        place = k.PIECES + k.PIECE_SIZE * (len(PIECES) * seat + piece)
        flags = place + k.FLAGS
        where = Pick(flags, before), Pick(place + k.FIELD, _lettered(colours)), Pick(flags, after)
        parts += [f"{colours[piece]} ", *where, "; " if piece == PIECES[-1] else ", "]
    return (*parts, Number(k.DISHES + k.DISH_SIZE * seat + 1), " home.")


def _previous(players: int, colours: Colours, seat: int) -> Expression:
    """The last move of a seat's piece."""
    place, fields = k.LASTS + k.LAST_SIZE * seat, field_places(False, colours)
    partners = ("", *(f", swapped with {piece_name(each)}" for each in piece_places(players, colours)))
    return (
        f"{SHAPES[seat]} ",
        Pick(place, colours),
        At(fields, " from the {name}", place + 1),
        At(fields, " to the {name}", place + 2),
        Pick(place + 3, partners),
    )


def piece_name(piece: Place) -> str:
    return f"{piece['who']}'s {piece['colour']} piece"


# ── steps ─────────────────────────────────────────────────────────────────────────────────────────

_MOVER, _OTHER = 3, 2  # the colours of the pieces
_TO, _START, _STARTS = 20, 30, (30, goal(2))  # the fields; a piece that is home has come from or to its goal


class _Sample(FigureTable):
    """A table whose names are fields of texts: those of the moving piece, of its partner, and of both places."""

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple("{colour}" if colour == _MOVER else "{othercolour}" for colour in PIECES)

    def piece_name(self, seat: int, colour: int) -> str:
        return "{who}'s {colour} piece" if colour == _MOVER else "{otherwho}'s {othercolour} piece"

    def place_name(self, field: int) -> str:
        return "{startname}" if field in _STARTS else "{name}"

    def short_place_name(self, field: int) -> str:
        return "{startbrief}" if field in _STARTS else "{brief}"


def _sample(case: int) -> tuple[_Sample, TurnStep]:
    """A step of a case, with the position before it."""
    here, to = _Sample(Setup(), ((), ())), FIELDS[_TO]
    if case == k.LEAVES:
        return here, LeaveStep(0, _MOVER)
    if case == k.PUTS_BLACK:
        return here, BlockStep(0, BLACKS[0], to)
    if case in (k.PUTS_GRAY, k.MOVES_GRAY):
        grays = here.grays if case == k.PUTS_GRAY else (_START,) * len(GRAYS)
        return replace(here, grays=grays), BlockStep(0, GRAYS[0], to)
    if case >= k.SWAPS:
        swap = case - k.SWAPS
        end = goal(_MOVER) if swap & k.MOVER_HOME else _TO
        start = goal(_OTHER) if swap & k.OTHER_HOME else _START
        partner = (0 if swap & k.OWN else 1, _OTHER)
        return here, PieceStep(0, _MOVER, FIELDS[start], FIELDS[end], partner)
    end = goal(_MOVER) if case % 2 else _TO
    takes, off = case - case % 2, (OFF_BOARD,) * 4
    blacks = (end if takes == k.TAKES_BLACK else OFF_BOARD, *off)
    grays = (end if takes == k.TAKES_GRAY else OFF_BOARD, *off)
    return replace(here, blacks=blacks, grays=grays), PieceStep(0, _MOVER, FIELDS[_START], FIELDS[end])


Cases: TypeAlias = Sequence[Expression]


def _of_cases(write: Callable[[FigureTable, TurnStep], str]) -> list[str]:
    """The texts of all cases, with fields."""
    return [write(*_sample(case)) for case in range(k.CASES)]


def _described(here: FigureTable, step: TurnStep) -> str:
    text = wording.description(here, step)
    return f"{{capital}}{text.removeprefix('{who}')}" if text.startswith("{who}") else text


def _instruction(here: FigureTable, step: TurnStep) -> str:
    return wording.turn_instruction([(here, step)])


def _later(here: FigureTable, step: TurnStep) -> str:
    """An instruction that follows one for a block."""
    before = _sample(k.PUTS_BLACK)
    return wording.turn_instruction([before, (here, step)]).removeprefix(_instruction(*before))


def _label(here: FigureTable, step: TurnStep) -> str:
    return wording.instruction(here, step, is_near=True)


def _by_kind(
    move: Expression, leave: Expression, blocks: Sequence[Expression], swap: Expression, own: Expression
) -> Cases:
    """A text for each case, which are the same wherever a piece goes; the last two are for partners by their owner."""
    return [*(move,) * k.LEAVES, leave, *blocks, *(swap, own) * 4]


class _Steps:
    """Words of steps by their cases."""

    def __init__(self, players: int, colours: Colours) -> None:
        self.fields, self.pieces = field_places(False, colours), piece_places(players, colours)

    def told(self, texts: Cases) -> Expression:
        """A text for each case, with fields of the piece that moves and of the place where it goes."""
        case = Pick(k.CASE, tuple(map(self._placed, texts)))
        return At(self.fields, At(self.pieces, case, k.MOVER), k.TO)

    def _placed(self, text: Expression) -> Expression:
        """A text with the fields of the partner and of the start at their own places."""
        if isinstance(text, tuple):
            return tuple(map(self._placed, text))
        if isinstance(text, Pick):
            return Pick(text.index, tuple(map(self._placed, text.table)))
        if not isinstance(text, str):
            return text
        first, *rest = re.split(r"\{(other|start)([a-z]+)\}", text)
        parts: list[Expression] = [first]
        for kind, name, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
            places, index = (self.pieces, k.OTHER) if kind == "other" else (self.fields, k.START)
            parts += [At(places, f"{{{name}}}", index), after]
        return tuple(parts) if rest else first

    @property
    def step(self) -> Expression:
        """The text of a step."""
        block = ("[{seat},", Number(k.BLOCK), ",{field}]")
        move, swap = "[{mine},{field}]", "[{mine},{field}] [{othermine},{startfield}]"
        return self.told(_by_kind(move, "[{mine},-1,-1,-1]", (block,) * 3, swap, swap))

    @property
    def ways(self) -> Expression:
        """The ways to touch a step; both pieces of a swap may be touched by their fields if they are alone there."""
        move, to, swap, back = "{piece};[{field}]", "[{field}]", "{piece};{otherpiece}", "|{otherpiece};{piece}"
        there, here = f"|{move}", "|{otherpiece};[{startfield}]"
        swaps = (swap, Pick(k.ALONE, ("", there) * 2))
        own = (swap, Pick(k.ALONE, (back, f"{there}{back}", f"{back}{here}", f"{there}{back}{here}")))
        return self.told(_by_kind(move, "{piece}", (to, to, "[{startfield}];[{field}]"), swaps, own))

    @property
    def notation(self) -> Expression:
        """A step in letters."""
        move, swap = "{letter}>{short}", f"{{letter}}>{{short}}{SWAP}"
        blocks = (f"{BLACK}{{short}}", f"{GRAY}{{short}}", f"{GRAY}{{startshort}}>{{short}}")
        own, others = f"{swap}{{otherletter}}", f"{swap}{{othermark}}{{otherletter}}"
        return self.told(_by_kind(move, f"{{letter}}>{HOME}", blocks, others, own))


def words(here: PentagamePosition) -> Words:
    """What a page says of positions and steps with these options."""
    return _words(here.players, here.colours)


@lru_cache(maxsize=8)
def _words(players: int, colours: Colours) -> Words:
    steps, over = _Steps(players, colours), range(1 << players)
    step, notation = steps.step, steps.notation
    described, instruction = (steps.told(_of_cases(write)) for write in (_described, _instruction))
    prompts = [f"{action.capitalize()}." for action in ACTIONS]
    won = (ended(bit_numbers(winners), players) for winners in over)
    return Words(
        status=status(players),
        prompt=Pick(k.STATUS, (*prompts * players, *(GAME_OVER for _ in over))),
        outcome=k.STATUS,
        outcomes=(*[None] * (k.ACTIONS * players), *won),
        step=step,
        label=steps.told(_of_cases(_label)),
        ways=steps.ways,
        text=Told(step, (" ", step)),
        described=Told((described, "."), (" ", described, ".")),
        instruction=Told(instruction, instruction, later=steps.told(_of_cases(_later))),
        notation=Told(notation, (" ", notation)),
    )
