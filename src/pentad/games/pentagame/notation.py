"""Notation of Pentagame: steps of a turn and the table, in signs and in words; parses and writes turns and positions.

A turn is either in the denomination's brackets, where consequences (`[0,3,-1,-1,-1]`, a piece that leaves) are
optional, or in short form: `3-522` for `[0,3,5,2,2]`, `3-1x12` to swap with player 1's yellow piece if several
pieces are on 1, then a bare field for each block that is put: `3-8 410 614`.

A position:

    pentagame 0 12 000,100,522,---,400/000,100,200,300,400 500,600,312,800,900 410,---,---,---,--- 2:200>522/- -

The seat to move and the plies played; each seat's five pieces, seats separated by `/`; the black and the gray
blocks; each seat's previous move; the pieces of a swap that may not be undone; and, within a turn, the due blocks.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from pentad.game import GameError, InvalidMove, Move, Option, OptionValue, shown
from pentad.games.pentagame import denomination
from pentad.games.pentagame.board import (
    ALL_FIELDS,
    FIELDS,
    JUNCTIONS,
    NUMBER,
    OFF,
    OFF_BOARD,
    Field,
    fields_of,
    goal,
    name_of,
    set_of,
)
from pentad.games.pentagame.denomination import BLACKS, GRAYS, MAX_PLAYERS, PIECES, Shift
from pentad.system.words import listed, phrase

# ── steps of a turn ───────────────────────────────────────────────────────────────────────────────
#
# PieceStep   [0,3,7,0,0]               player 0's red piece goes to junction 7
#             [0,3,1,0,0] [1,2,3,0,0]   it goes to corner 1, and player 1's yellow piece comes to 3 in exchange
# BlockStep   [0,12,4,1,0]              player 0 puts a block there
# LeaveStep   [0,3,-1,-1,-1]            player 0's red piece, brought to its goal by another, leaves


class PieceStep(NamedTuple):
    """A seat's piece goes from one field to another; in a swap a `partner`, seat and piece, comes back."""

    seat: int
    piece: int
    start: Field
    to: Field
    partner: tuple[int, int] | None = None

    def __str__(self) -> str:
        return " ".join(map(str, self.shifts))

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """The step as moves of the denomination."""
        mover = Shift(self.seat, self.piece, self.to)
        return (mover, Shift(*self.partner, self.start)) if self.partner else (mover,)

    @property
    def leaving(self) -> tuple[tuple[int, int], ...]:
        """The pieces, each with its seat, that reach their goals and leave the board at once.

        Another seat's piece leaves only together with the moving piece; alone it waits for its owner's turn.
        """
        mover_home = NUMBER[self.to] == goal(self.piece)
        gone = [(self.seat, self.piece)] if mover_home else []
        if (
            self.partner
            and NUMBER[self.start] == goal(self.partner[1])
            and (mover_home or self.partner[0] == self.seat)
        ):
            gone.append(self.partner)
        return tuple(gone)


class BlockStep(NamedTuple):
    """A seat puts a block, black or gray, on a field."""

    seat: int
    figure: int
    to: Field

    def __str__(self) -> str:
        return str(Shift(*self))

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """The step as a move of the denomination."""
        return (Shift(*self),)

    @property
    def is_black(self) -> bool:
        return self.figure in BLACKS


class LeaveStep(NamedTuple):
    """A piece that another seat brought to its goal leaves the board."""

    seat: int
    piece: int

    def __str__(self) -> str:
        return str(Shift(*self, OFF))

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """The step as a move of the denomination."""
        return (Shift(*self, OFF),)


TurnStep: TypeAlias = PieceStep | BlockStep | LeaveStep


def is_step(thing: object, players: int) -> bool:
    """Whether it is a step with valid parts; it need not be legal."""
    if isinstance(thing, PieceStep):
        pieces = [thing[:2]] if thing.partner is None else [thing[:2], thing.partner]
        known = all(_is_pair(piece, range(players), PIECES) for piece in pieces)
        return known and _is_field(thing.start) and _is_field(thing.to)
    if isinstance(thing, BlockStep):
        return _is_pair(thing[:2], range(players), (*GRAYS, *BLACKS)) and _is_field(thing.to)
    return isinstance(thing, LeaveStep) and _is_pair(thing[:2], range(players), PIECES)


def _is_field(thing: object) -> bool:
    """Whether it is a field of the board; an equal tuple is not, since its text would differ."""
    return isinstance(thing, Field) and all(type(each) is int for each in thing) and NUMBER.get(thing, -1) >= 0


def _is_pair(thing: object, seats: Container[int], figures: Container[int]) -> bool:
    """Whether it is a seat and a figure; an equal number of another type is not, since its text would differ."""
    if not isinstance(thing, tuple) or [type(each) for each in thing] != [int, int]:
        return False
    return thing[0] in seats and thing[1] in figures


Pair: TypeAlias = tuple[tuple[int, int], tuple[int, int]]  # two pieces that have swapped, each by seat and colour


# ── the table ─────────────────────────────────────────────────────────────────────────────────────

SHAPES = ("circle", "square", "triangle", "diamond", "star")  # each seat has one; a piece's colour is that of its goal
COLOURS = ("white", "green", "yellow", "red", "blue")
PALETTE = (*COLOURS, "orange", "purple", "pink", "brown", "cyan", "lime", "navy")
MAX_PLIES = 100_000
OPTIONS = (
    Option(
        "players",
        2,
        "number of players; five is unofficial",
        2,
        len(SHAPES),
        about="Each has five pieces of one shape.",
    ),
    Option(
        "first_to_three",
        False,
        "the third piece home ends the game immediately, not at the end of the round",
        about="Otherwise all players have the same number of turns, and several can share the win.",
    ),
    Option(
        "no_swap_back",
        False,
        "the next player may not immediately undo a swap",
        about="Otherwise two players can swap the same pieces again and again.",
    ),
    Option(
        "max_ply",
        1000,
        "number of turns after which the game is a draw",
        1,
        MAX_PLIES,
        about="The turns of all players count.",
    ),
    Option(
        "colours",
        ",".join(COLOURS),
        "the five colours",
        allowed=PALETTE,
        several=5,
        about="They are the colours of the pieces and of their goals.",
    ),
)


@dataclass(frozen=True)
class Setup:
    """The options of a game."""

    players: int = 2
    first_to_three: bool = False
    no_swap_back: bool = False
    max_ply: int = 1000
    colours: tuple[str, ...] = COLOURS

    @classmethod
    def of(cls, options: Mapping[str, OptionValue]) -> Setup:
        """Converts options to a setup."""
        given: dict[str, Any] = {**options, "colours": tuple(str(options["colours"]).split(","))}
        return cls(**given)


ACTIONS = (  # what a player is asked to do
    "move a piece",
    "remove a piece from its goal",
    "put the black block on an empty field",
    "put a gray block on an empty field",
    "move a gray block to an empty field",
)


@dataclass(frozen=True, repr=False)
class FigureTable:
    """The field of every figure, by number, and all other state that legal moves depend on.

        `due` are the blocks that the player must still put in the middle of a turn. A black block is off the board only
        in the player's hand; a gray block off the board is in the pool; a piece off the board is home. `last` is each
    seat's previous move, which it may not repeat. `pieces` has the fields by seat and colour.
    """

    setup: Setup
    pieces: tuple[tuple[int, ...], ...]
    blacks: tuple[int, ...] = tuple(JUNCTIONS)
    grays: tuple[int, ...] = (OFF_BOARD,) * 5
    seat: int = 0
    plies: int = 0
    last: tuple[PieceStep | None, ...] = ()
    swapped: Pair | None = None  # two pieces of different seats that have just swapped and may not swap back
    due: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        return self.setup.players

    @property
    def turn(self) -> int:
        return self.seat

    @property
    def ply(self) -> int:
        return self.plies

    @property
    def colours(self) -> tuple[str, ...]:
        """The names of the five colours of figures and fields."""
        return self.setup.colours

    @cached_property
    def taken(self) -> int:
        """The set of fields with a piece or a block on them."""
        return set_of([field for mine in self.pieces for field in mine]) | self.blocked

    @cached_property
    def blocked(self) -> int:
        """The set of fields with a block on them."""
        return set_of(self.blacks) | set_of(self.grays)

    @property
    def empty(self) -> int:
        """The set of empty fields."""
        return ALL_FIELDS & ~self.taken

    @cached_property
    def occupants(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """The pieces on each occupied field, each by seat and colour."""
        occupants: dict[int, list[tuple[int, int]]] = {}
        for seat, mine in enumerate(self.pieces):
            for piece, field in enumerate(mine):
                occupants.setdefault(field, []).append((seat, piece))
        return occupants

    def pieces_on(self, field: int) -> Sequence[tuple[int, int]]:
        """The pieces on a field, each by seat and colour."""
        return self.occupants.get(field, ())

    def home(self, seat: int) -> int:
        """The number of a seat's pieces that are home."""
        return self.pieces[seat].count(OFF_BOARD)

    @cached_property
    def waiting(self) -> tuple[int, ...]:
        """The player's pieces that others brought to their goals; the turn is then that one of them leaves."""
        mine = self.pieces[self.seat]
        return () if self.due else tuple(piece for piece in PIECES if mine[piece] == goal(piece))

    @property
    def blocks(self) -> Iterator[tuple[int, int]]:
        """The blocks, gray ones first, each with its field."""
        return zip((*GRAYS, *BLACKS), (*self.grays, *self.blacks), strict=True)

    @property
    def pool(self) -> int:
        """The number of gray blocks off the board."""
        return self.grays.count(OFF_BOARD)

    def block_steps(self) -> Iterator[BlockStep]:
        """The legal steps for the next due block: to every empty field, with any gray block if the pool is empty."""
        for figure in self.blocks_to_put:
            for field in fields_of(self.empty):
                yield BlockStep(self.seat, figure, FIELDS[field])

    @property
    def blocks_to_put(self) -> tuple[int, ...]:
        """The blocks that may be put next: the black one in hand, the lowest gray one of the pool, or any gray one."""
        if not self.due:
            return ()
        if self.due[0] == "black":
            return (BLACKS[self.blacks.index(OFF_BOARD)],)
        return (GRAYS[self.grays.index(OFF_BOARD)],) if self.pool else tuple(GRAYS)

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    def player_name(self, seat: int) -> str:
        """A seat's name, its shape."""
        return SHAPES[seat] if seat < self.players else f"player {seat}"

    def piece_name(self, seat: int, colour: int) -> str:
        """A piece's name, by its owner's shape and its colour."""
        return f"{self.player_name(seat)}'s {self.colours[colour]} piece"

    def figures_on(self, field: int) -> str:
        """The figures on a field."""
        blocks = [block_kind(block) for block, at in self.blocks if at == field]
        return listed([self.piece_name(*each) for each in self.pieces_on(field)] + blocks)

    def place_name(self, field: int) -> str:
        """A field's name in words, without an article."""
        return place_in(self.colours, field)

    def short_place_name(self, field: int) -> str:
        """A field's name in fewer words, without an article."""
        return place_in(self.colours, field, short=True)

    @property
    def next_action_number(self) -> int:
        """The number of the next action among `ACTIONS`."""
        if not self.due:
            return int(bool(self.waiting))
        return 2 if self.due[0] == "black" else 3 if self.pool else 4

    @property
    def next_action(self) -> str:
        """The next action of the player to move, without a full stop."""
        return ACTIONS[self.next_action_number]

    @property
    def still_due(self) -> str:
        """A sentence about the blocks that are due, with an example."""
        step = next(self.block_steps())
        more = f", then {len(self.due) - 1} more" if len(self.due) > 1 else ""
        return phrase(
            "A {due} block must be put on an empty field, such as {step}{more}.", due=self.due[0], step=step, more=more
        )


def block_kind(number: int) -> str:
    """A block's name without its number, by its figure."""
    return "gray block" if number in GRAYS else "black block"


def figure_name(number: int) -> str:
    """A figure's name, by its number."""
    return f"{'piece' if number in PIECES else block_kind(number)} {number}"


ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")


@lru_cache(maxsize=4096)
def place_in(colours: tuple[str, ...], field: int, *, short: bool = False) -> str:
    """A field's name in a game of these colours, as people say it.

    A short one says once that both ends of its line are corners, or junctions.

    >>> place_in(COLOURS, 5), place_in(COLOURS, NUMBER[Field(5, 2, 2)])
    ('white junction', '2nd stop from the white junction towards the yellow corner')
    >>> place_in(COLOURS, NUMBER[Field(1, 2, 0)], short=True)
    '2nd stop from the green to the white corner'
    """
    start, counter, end = FIELDS[field]
    if not counter:
        return f"{colours[field % 5]} {'junction' if field in JUNCTIONS else 'corner'}"
    nth, first, last = ORDINALS[counter - 1], place_in(colours, start), place_in(colours, end)
    if not short:
        return phrase("{nth} stop from the {start} towards the {end}", nth=nth, start=first, end=last)
    if first.split()[-1] == last.split()[-1]:
        first = colours[start % 5]
    return phrase("{nth} stop from the {first} to the {last}", nth=nth, first=first, last=last)


AnyTable = TypeVar("AnyTable", bound=FigureTable)


# ── a turn as one integer ────────────────────────────────────────────────────────────────────────
#
# Seventeen decimal digits, which fit into a database's 64 bits; fields by their numbers 0-99:
#
#     seat piece to to | owner+1 piece from from | black-10 to to | gray-5 to to | gray-5 to to
#
# Zeros stand for no partner or no block; an owner of 9 means that the piece leaves.

_DIGITS = re.compile("(.)(.)(..)" * 2 + "(.)(..)" * 3)
_LEAVES = 9
_SLOTS = (("black", 10), ("gray", 5), ("gray", 5))  # each kind of block, and the figure before its first


def turn_number(move: Move) -> int:
    """A whole turn as one integer of at most 17 digits."""
    first, *blocks = move or (None,)
    if isinstance(first, PieceStep):
        owner, other = (first.partner[0] + 1, first.partner[1]) if first.partner else (0, 0)
        digits = f"{first.seat}{first.piece}{NUMBER[first.to]:02}{owner}{other}{NUMBER[first.start]:02}"
    elif isinstance(first, LeaveStep):
        digits = f"{first.seat}{first.piece}00{_LEAVES}000"
    else:
        raise InvalidMove("Expected a turn that begins with a piece, got {move}.", move=shown(move, 40))
    for slot, base in _SLOTS:
        if blocks and isinstance(step := blocks[0], BlockStep) and step.is_black == (slot == "black"):
            digits += f"{step.figure - base}{NUMBER[step.to]:02}"
            del blocks[0]
        else:
            digits += "000"
    if blocks:
        raise InvalidMove(
            "Expected a black block and up to two gray ones after the piece, got {block}.", block=shown(blocks[0], 40)
        )
    return int(digits)


def turn_of_number(number: int) -> Move:
    """Parses a turn from its integer.

    >>> step = PieceStep(0, 3, FIELDS[3], FIELDS[1], (1, 2))
    >>> turn_of_number(turn_number(Move((step,)))) == Move((step,))
    True
    """
    if type(number) is not int or not 0 <= number < 10**17:
        raise InvalidMove("Expected a turn's number of at most 17 digits, got {number}.", number=shown(number))
    groups = cast(re.Match[str], _DIGITS.fullmatch(f"{number:017}")).groups()
    seat, piece, to, owner, other, start, *blocks = map(int, groups)
    steps: list[TurnStep] = []
    if owner == _LEAVES:
        steps.append(LeaveStep(seat, piece))
    else:
        steps.append(PieceStep(seat, piece, FIELDS[start], FIELDS[to], (owner - 1, other) if owner else None))
    for (_, base), which, where in zip(_SLOTS, blocks[::2], blocks[1::2], strict=True):
        if which:
            steps.append(BlockStep(seat, base + which, FIELDS[where]))
    move = Move(steps)
    known = all(is_step(step, MAX_PLAYERS) for step in move) and (owner == _LEAVES or start != to)
    if not known or turn_number(move) != number:  # an unused digit must be zero
        raise InvalidMove("Expected a turn's number, got {number}.", number=number)
    return move


# ── turns ────────────────────────────────────────────────────────────────────────────────────────

MAX_SHORT_LENGTH = 200  # a turn that is in brackets may be longer
_SHORT = re.compile(r"([0-9]{1,2}|[A-Za-z]+)[-:>]([0-9.]{1,5})(?:x([0-9])[.]?([0-9]))?")
_BARE = re.compile(r"[0-9.]{1,5}")
_SHORT_FIELD = re.compile(r"([0-9])(?:[.]?([0-9])[.]?([0-9]))?")


def read_steps(here: FigureTable, text: str) -> tuple[TurnStep, ...]:
    """Parses the steps of a whole or partial turn."""
    if not isinstance(text, str):
        raise InvalidMove("Expected a turn as text or as steps, got {text}.", text=shown(text, 40))
    if not text.strip():
        return ()
    if "[" in text:
        return steps_of(here, denomination.turn(text))
    if len(text) > MAX_SHORT_LENGTH:
        raise InvalidMove("Expected a turn, got a text of {count:,} characters.", count=len(text))
    return steps_of(here, _short(here, text.split()))


def _short(here: FigureTable, words: Sequence[str]) -> list[Shift]:
    """Parses the moves of a turn in short form."""
    moves: list[Shift] = []
    held = {block for block, field in here.blocks if field == OFF_BOARD}
    for word in words:
        if found := _SHORT.fullmatch(word):
            player, figure, to = here.turn, _figure(here, found[1]), short_field(found[2])
            moves.append(Shift(player, figure, to))
            if figure in PIECES:
                held |= {block for block, field in here.blocks if field == NUMBER[to]}
            if found[3]:
                owner, piece = int(found[3]), int(found[4])
                start = here.pieces[player][figure] if figure in PIECES else OFF_BOARD
                moves.append(denomination.shift([owner, piece, *name_of(start)]))
        elif _BARE.fullmatch(word) and (moves or here.due):
            if not held:
                raise InvalidMove(
                    "Name the gray block to move: 6-{word}, for example, not {got}.",
                    word=word[:5],
                    got=shown(word, 30),
                )
            block = min(held, key=lambda figure: (figure in GRAYS, figure))  # the black one first
            held.remove(block)
            moves.append(Shift(here.turn, block, short_field(word)))
        else:
            raise InvalidMove(
                "Expected a move, such as [{turn},3,5,2,2], 3-522 or R>w2Y, got {word}.",
                turn=here.turn,
                word=shown(word, 30),
            )
    return moves


def _figure(here: FigureTable, word: str) -> int:
    """A figure by number, or a piece by the beginning of its colour."""
    if word.isdigit():
        return denomination.shift([0, int(word), 0, 0, 0]).figure
    found = [i for i, colour in enumerate(here.colours) if colour.startswith(word.lower())]
    if len(found) != 1:
        raise InvalidMove(
            "Unknown colour {word}. The colours are {colours}.", word=shown(word, 30), colours=", ".join(here.colours)
        )
    return found[0]


def short_field(word: str) -> Field:
    """Parses a field in short form, such as `522`, `5.2.2` or `7`."""
    found = _SHORT_FIELD.fullmatch(word)
    if not found:
        raise InvalidMove("Expected a field, such as 7 or 522, got {word}.", word=shown(word, 30))
    return denomination.field([int(digit or 0) for digit in found.groups()])


def steps_of(here: FigureTable, moves: Sequence[Shift]) -> tuple[TurnStep, ...]:
    """Converts the denomination's moves to steps; automatic consequences are optional."""
    steps: list[TurnStep] = []
    rest = list(moves)
    if rest and not here.due:
        steps.append(_first_step(here, rest))
    gone = consequences(here, steps[0]) if steps else []
    for move in rest:
        if move.to != OFF:
            if move.figure in PIECES:
                raise InvalidMove(
                    "{move} moves a second piece. A turn moves one piece and its swap partner.", move=move
                )
            steps.append(BlockStep(*move))
        elif (move.player, move.figure) in gone:
            gone.remove((move.player, move.figure))
        else:
            raise InvalidMove(
                "{move} is not a consequence of this turn: figure {figure} stays on the board.",
                move=move,
                figure=move.figure,
            )
    return tuple(steps)


def consequences(here: FigureTable, step: TurnStep) -> list[tuple[int, int]]:
    """The figures that leave the board after a piece has moved, by player: a gray block, and pieces at their goals."""
    if not isinstance(step, PieceStep):
        return []
    taken = [(step.seat, block) for block, field in here.blocks if block in GRAYS and field == NUMBER[step.to]]
    return [*taken, *step.leaving]


def _first_step(here: FigureTable, rest: list[Shift]) -> TurnStep:
    """Takes the first step from `rest`: a piece that leaves, or that moves, with its swap partner."""
    player, figure, to = rest.pop(0)
    if figure not in PIECES:
        raise InvalidMove("Figure {figure} is a block. A turn begins with a piece, 0 to 4.", figure=figure)
    _check_seat(player, here.players)
    if to == OFF:
        return LeaveStep(player, figure)
    start = here.pieces[player][figure]
    partner = None
    if rest and rest[0].figure in PIECES and rest[0].to != OFF:
        other = rest.pop(0)
        _check_seat(other.player, here.players)
        if other.to != name_of(start):
            raise InvalidMove(
                "{other} is not a swap: the partner must go to {field}.", other=other, field=name_of(start)
            )
        partner = (other.player, other.figure)
    else:
        standing = here.pieces_on(NUMBER[to])
        if len(standing) == 1 and start not in (OFF_BOARD, NUMBER[to]):
            partner = standing[0]
    return PieceStep(player, figure, name_of(start), to, partner)


def canonical(step: PieceStep) -> PieceStep:
    """Normalizes a swap of two own pieces: the lower figure moves."""
    if step.partner and step.partner[0] == step.seat and step.partner[1] < step.piece:
        return PieceStep(step.seat, step.partner[1], step.to, step.start, (step.seat, step.piece))
    return step


def _check_seat(seat: int, players: int) -> None:
    if seat >= players:
        raise InvalidMove("Unknown player {seat}. Players are 0 to {players}.", seat=seat, players=players - 1)


# ── positions ────────────────────────────────────────────────────────────────────────────────────

NOWHERE = "---"


def write_field(number: int) -> str:
    """A field in three digits."""
    return NOWHERE if number == OFF_BOARD else f"{denomination.field_number(FIELDS[number]):03}"


def write_fields(numbers: Sequence[int]) -> str:
    return ",".join(map(write_field, numbers))


def read_field(text: str) -> int:
    """Parses a field in three digits; returns its number."""
    if text == NOWHERE:
        return OFF_BOARD
    if len(text) != 3 or not (text.isascii() and text.isdigit()):
        raise GameError(
            "Expected a field, such as 522, or {nowhere}, got {text}.", nowhere=NOWHERE, text=shown(text, 20)
        )
    name = denomination.field(int(text))
    if name == OFF:
        raise GameError("Expected {nowhere} for the place off the board, got {text}.", nowhere=NOWHERE, text=text)
    if denomination.field_number(name) != int(text):
        raise GameError(
            "Expected {field_number:03} for this field, got {text}.",
            field_number=denomination.field_number(name),
            text=text,
        )
    return NUMBER[name]


def read_fields(text: str, what: str) -> tuple[int, ...]:
    """Parses five fields."""
    words = text.split(",")
    if len(words) != 5:
        raise GameError(
            "Expected five fields of {what}, joined by commas, got {text}.", what=what, text=shown(text, 40)
        )
    return tuple(map(read_field, words))


# ── position texts ────────────────────────────────────────────────────────────────────────────────

_LAST = re.compile(r"([0-4]):([0-9]{3})>([0-9]{3})(?:x([0-4])([0-4]))?")
_PAIR = re.compile(r"([0-4])([0-4])~([0-4])([0-4])")
DUES = ("black", "gray", "black+gray", "gray+gray", "black+gray+gray")
NOTHING = "-"


def write_position(here: FigureTable) -> Iterator[str]:
    """The words of a position text after the game and its options."""
    yield str(here.turn)
    yield str(here.ply)
    yield "/".join(map(write_fields, here.pieces))
    yield write_fields(here.blacks)
    yield write_fields(here.grays)
    yield "/".join(map(_write_last, here.last))
    yield NOTHING if here.swapped is None else "~".join(f"{seat}{piece}" for seat, piece in here.swapped)
    if here.due:
        yield "+".join(here.due)


def _write_last(last: PieceStep | None) -> str:
    if last is None:
        return NOTHING
    partner = f"x{last.partner[0]}{last.partner[1]}" if last.partner else ""
    return f"{last.piece}:{write_field(NUMBER[last.start])}>{write_field(NUMBER[last.to])}{partner}"


def read_position(kind: type[AnyTable], setup: Setup, words: list[str]) -> AnyTable:
    """Parses the words of a position text and checks their consistency."""
    if len(words) not in (7, 8):
        raise GameError(
            "Expected a Pentagame position: its options, seat, plies, pieces, black blocks, gray blocks, "
            "previous moves, swap and, within a turn, the due blocks."
        )
    players, max_ply = setup.players, setup.max_ply
    seat, plies = _number(words[0], "the seat to move", players - 1), _number(words[1], "the plies", max_ply)
    pieces = tuple(read_fields(word, "a seat's pieces") for word in _split(words[2], players, "pieces"))
    blacks, grays = read_fields(words[3], "the black blocks"), read_fields(words[4], "the gray blocks")
    last = tuple(_read_last(word, mover, players) for mover, word in enumerate(_split(words[5], players, "moves")))
    swapped = _read_pair(words[6], players)
    if words[7:] and words[7] not in DUES:
        raise GameError(
            "The due blocks must be one of {allowed}, not {word}.", allowed=", ".join(DUES), word=shown(words[7], 30)
        )
    due = tuple(words[7].split("+")) if words[7:] else ()
    here = kind(setup, pieces, blacks, grays, seat, plies, last, swapped, due)
    _check(here)
    return here


def _check(here: FigureTable) -> None:
    blocks = [field for _, field in here.blocks if field != OFF_BOARD]
    for field in blocks:
        if blocks.count(field) > 1:
            raise GameError("Two blocks cannot be on the same field, {field}.", field=write_field(field))
    for field in fields_of(here.blocked & set_of([field for mine in here.pieces for field in mine])):
        raise GameError("A block and a piece cannot be on the same field, {field}.", field=write_field(field))
    seat, due = here.seat, here.due
    if here.blacks.count(OFF_BOARD) != due.count("black"):
        raise GameError("A black block must be off the board exactly while it is due.")
    home = sum(map(here.home, range(here.players)))
    if home < due.count("gray"):
        raise GameError("A gray block can be due only for a piece that is home.")
    if len(GRAYS) - here.pool > home - due.count("gray"):
        raise GameError("There cannot be more gray blocks on the board than pieces that are home.")
    if seat and not due and here.home(seat) == len(PIECES):
        raise GameError("It cannot be the turn of seat {seat}, which has no piece on the board.", seat=seat)
    if due and here.plies == here.setup.max_ply:
        raise GameError("No block can be due after {plies} plies, the last turn.", plies=here.plies)
    if here.swapped is None:
        return
    if not here.setup.no_swap_back:
        raise GameError("A swap that may not be undone needs the option no_swap_back=true.")
    if due or [owner for owner, _ in here.swapped].count(seat) != 1:
        raise GameError(
            "A swap that may not be undone must be of a piece of seat {seat}, to move, and another seat's.", seat=seat
        )
    if any(here.pieces[owner][piece] == OFF_BOARD for owner, piece in here.swapped):
        raise GameError("A piece that has left the board cannot be swapped again.")


def _number(text: str, what: str, maximum: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= maximum):
        raise GameError(
            "Expected a whole number from 0 to {maximum} for {what}, got {text}.",
            maximum=maximum,
            what=what,
            text=shown(text, 20),
        )
    return int(text)


def _split(text: str, players: int, what: str) -> list[str]:
    words = text.split("/")
    if len(words) != players:
        raise GameError(
            "Expected the {what} of {players} players, separated by slashes, got {text}.",
            what=what,
            players=players,
            text=shown(text, 40),
        )
    return words


def _read_last(text: str, mover: int, players: int) -> PieceStep | None:
    if text == NOTHING:
        return None
    found = _LAST.fullmatch(text)
    if not found:
        raise GameError(
            "Expected a previous move such as 2:200>522, with x and swap partner, or {nothing}, got {text}.",
            nothing=NOTHING,
            text=shown(text, 30),
        )
    partner = None
    if found[4]:
        _check_seat(int(found[4]), players)
        partner = (int(found[4]), int(found[5]))
    start, to = (FIELDS[read_field(each)] for each in found.group(2, 3))
    last = PieceStep(mover, int(found[1]), start, to, partner)
    if last.start == last.to:
        raise GameError("The start and end of a previous move must differ, unlike in {text}.", text=text)
    if partner and partner[0] == mover and partner[1] <= last.piece:
        raise GameError("The lower piece must come first in a swap of two own pieces, unlike in {text}.", text=text)
    return last


def _read_pair(text: str, players: int) -> Pair | None:
    if text == NOTHING:
        return None
    found = _PAIR.fullmatch(text)
    if not found:
        raise GameError(
            "Expected the pieces of a swap, such as 03~12, or {nothing}, got {text}.",
            nothing=NOTHING,
            text=shown(text, 30),
        )
    one, other = (int(found[1]), int(found[2])), (int(found[3]), int(found[4]))
    _check_seat(max(one[0], other[0]), players)
    if one >= other:
        raise GameError("The pieces of a swap must differ, the lower first, unlike in {text}.", text=text)
    return one, other
