"""Optional parts of a game: what screens use of it beyond its rules, drawing and bots.

A part is a module of the game's folder, found by its name with `Game.has` and `Game.module`. Where a game lacks a
part, screens do not offer what needs it. `docs/contributing/architecture.md` lists all parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from pentad.drawing.looks import Expression, Sheet
from pentad.game import Move, OptionValue, Outcome, Position, Step
from pentad.kernels.buffers import Buffer
from pentad.kernels.types import UInt64s
from pentad.search.exact import Solution

# ── setup: the board editor ──────────────────────────────────────────────────────────────────────

EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece to place; `off` is whether it can be off the board too, and `where` is its current place."""

    name: str
    label: str
    group: str = ""
    colour: str = ""
    off: bool = False
    where: str = ""


@dataclass(frozen=True, slots=True)
class Counter:
    """A number of a position; `words` are the names of its values, if they have names.

    `set` returns the board with another value.
    """

    name: str
    label: str
    value: int
    least: int
    most: int
    set: Callable[[int], Position]
    words: tuple[str, ...] = ()


class BoardSetup(Protocol):
    """What the board editor wants. Its boards need not be legal positions."""

    def read(self, options: Mapping[str, OptionValue], words: list[str]) -> Position:
        """The board in a text's words."""

    def pieces(self, here: Any) -> Iterable[Piece]:
        """The pieces to place."""

    def places(self, here: Any) -> Iterable[tuple[str, str]]:
        """The targets of the drawing, each with its place."""

    def put(self, here: Any, piece: str, target: str) -> Position:
        """The board after placing a piece, or removing it where the target is empty."""

    def counters(self, here: Any) -> Iterable[Counter]:
        """The counters to set."""


def pieces_of_colours(colours: Iterable[str], what: str) -> Iterator[Piece]:
    """A piece of each colour, and one that empties a place."""
    for colour in colours:
        yield Piece(colour, f"{colour} {what}", colour=colour)
    yield Piece(EMPTY, "empty")


# ── looks: drawings and words as data, for pages ─────────────────────────────────────────────────


class Told(NamedTuple):
    """A turn as text: `first` of its first step, `then` of each other one, `end`; of the numbers of each step.

    From the third step on it is `later`, where that differs from `then`.
    """

    first: Expression
    then: Expression
    end: str = ""
    later: Expression | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """What a page says: of the numbers of a position, of those of a step, and of a turn.

    The number at the index `outcome` selects one of `outcomes`. `restriction` is the part of the prompt about
    rules that exclude other steps. `ways` are those to touch a step: targets are joined by `;`, ways by `|`. Without
    `notation` that of a turn is its text.
    """

    status: Expression
    prompt: Expression
    outcome: int
    outcomes: tuple[Outcome | None, ...]
    step: Expression
    label: Expression
    ways: Expression
    text: Told
    described: Told
    instruction: Told
    notation: Told | None = None
    restriction: Expression = ""


class Looks(Protocol):
    """The drawing of a game as expressions over numbers, and its words for its default options."""

    STEPS: int  # of a turn, at most

    def sheet(self, here: Any, flip: bool, labels: bool = True) -> Sheet:
        """The lines of the drawing of all positions with these options; without labels, of the board alone."""

    def numbers(self, here: Any, last: Move | str | None) -> list[int]:
        """What the drawing shows of a position after a move, or after the beginning of one."""

    def offer(self, here: Any, step: Step) -> list[int]:
        """The numbers of a legal step, the action first."""

    def words(self, here: Any) -> Words:
        """What a page says of positions and steps with these options."""


# ── exact, memory: the server's engines ──────────────────────────────────────────────────────────


class Exact(Protocol):
    """Exact values. `stored` is optional: values that need no search, such as those of a database."""

    def solve(self, position: Any, *, moves: bool, depth: bool, seconds: float | None, **limits: Any) -> Solution[Any]:
        """The value and those of the moves, within a time and other limits; `Unsolved` says why there is none.

        `moves` asks for the values of all moves, `depth` for the distance to the end. `memory` is a limit in bytes.
        """

    def reports(self, found: Any, lines: int, memory: int) -> Iterator[Any]:
        """Reports of an analysis with the best lines."""

    def megabytes(self, position: Any, most: int) -> int:
        """The memory for all values by a full search; more than `most` bytes if that does not fit, 0 if it is small."""


class BulkLabels(Protocol):
    """Exact values of many positions at once, as columns of numbers; `MOST` is the largest number of a call."""

    MOST: int

    def bulk(self, start: Any, count: int, seed: int) -> Mapping[str, Any]:
        """The columns of so many random positions, `value` for the seat to move and `exact` among them."""


class Memory(Protocol):
    """The memory that the game's engines need."""

    def megabytes(self, job: str, position: Any, who: str | None, seconds: float) -> int:
        """The megabytes for a job (move, hint, analysis, check, review, attempt) beyond those of any worker process."""


# ── puzzles, prover: puzzles and their proofs ────────────────────────────────────────────────────

WIN, THREATS, DRAW = "win", "threats", "draw"  # the kinds of puzzles
ANY = "*"  # ends a correct move that any steps may follow
MOST = 12  # correct moves; a position with more is no puzzle, so that not all of them need be listed

Kind = tuple[str, int]  # win, threats or draw, and the number of moves


class Right(NamedTuple):
    """The correct moves of a puzzle, and a letter for the result of each legal move.

    `r` is correct, `w` wins later, `d` lets the opponent draw, `l` lets the opponent win; empty if not known.
    """

    moves: tuple[str, ...]
    letters: str = ""


class Prover(Protocol):
    """Finds and proves the puzzles of a game.

    A game without a solver may have `proved(position)`, too: the value for the seat to move, 1 for a win, 0 for a draw
    and -1 for a loss; None if a search of fixed work finds none.
    """

    def found(self, position: Any) -> Kind | None:
        """The kind of a position's puzzle and its length in the solver's own moves; None if it is no puzzle."""

    def right(self, position: Any, kind: str, left: int) -> Right:
        """The moves that achieve the goal within `left` moves; a last move may end with `ANY`."""

    def reply(self, position: Any, kind: str, left: int) -> Move:
        """The longest defence after a correct move with `left` more to find; among equals the hardest to answer."""


@dataclass(frozen=True)
class PuzzleSource:
    """Where a game's puzzles come from; the module `puzzles` has it as `SOURCE`.

    The options and levels of the bots that play, the range of plies, the number of puzzles of each kind, and the
    points from which a puzzle has the difficulty 2, 3, 4 and 5.
    """

    options: tuple[dict[str, OptionValue], ...]
    levels: tuple[int, ...]
    first_ply: int
    last_ply: int
    bounds: tuple[int, int, int, int]
    wanted: dict[Kind, int] = field(default_factory=dict)
    seconds: float | None = None
    first_moves: int = 2  # the most correct first moves


# ── lessons ──────────────────────────────────────────────────────────────────────────────────────

# Whether a legal move meets a goal of a lesson, by the positions before and after it.
Goal = Callable[[Any, Move, Any], bool]


# ── batch: many games at once ────────────────────────────────────────────────────────────────────


class BatchKernels(NamedTuple):
    """A game's kernels for many games with the options of a position: a table of `pentad.search.batch_kernels`.

    `rules` are the numbers that all games share, `start` is the state of the position, and `work` the length of the
    array that the kernels use. Actions and planes are those of the game's encoding.
    """

    module: str
    rules: Buffer
    start: Buffer
    work: int


class RandomGames(NamedTuple):
    """Random games from a position, played by kernels.

    `play(first, games)` plays the games with these numbers; a game depends on the seed and its number alone. It adds
    to `counts`: the whole moves, then the games by their winners, which are bits by seat. `log` has the last game, as
    far as it has room: its actions, or with a game's own `random_games` numbers of its own.
    """

    play: Callable[[int, int], object]
    counts: UInt64s
    log: UInt64s


class Batch(Protocol):
    """Many games at once, by kernels. A game may also have `random_games(position, seed)`, faster random games."""

    def kernels(self, here: Any) -> BatchKernels | None:
        """The kernels for the options of a position that is not over; None if they lack these rules."""


# ── encoding: positions and steps as numbers, for learners ───────────────────────────────────────


class Encoding(Protocol):
    """Numbers for the steps of turns, and planes of a position. The options decide how many there are of each."""

    def actions(self, here: Any) -> int:
        """The number of actions, legal or not."""

    def most_steps(self, here: Any) -> int:
        """A number of steps that no game exceeds."""

    def number(self, here: Any, step: Step) -> int:
        """The number of a legal next step, from 0."""

    def shape(self, here: Any) -> tuple[int, int]:
        """The height and width of a plane."""

    def planes(self, here: Any, seat: int) -> Mapping[str, int]:
        """The planes as a seat sees them, by name: each a set of places, row by row from the lowest bit."""
