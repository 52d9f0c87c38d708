"""Exact values of a position and its moves, for the player to move.

Search by increasing depth proves quick wins and losses. If all plies are in reach, a complete pass settles the rest.
What cannot be settled within the memory and time limits raises an error; it is never guessed.

A pass is a retrograde analysis, from full boards or from a search horizon back to the root, without repetitions. It
computes the value of each first marble of the mover for all rotations at once. A pass over all plies is exact. A pass
over fewer plies proves the wins and losses that can be forced within them, and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import repeat
from math import comb
from typing import cast

from pentad.game import GameError, Move, shown
from pentad.jit.buffers import ARENA, Buffer, array, zeros
from pentad.jit.program import program
from pentad.pentago.board import CLOCKWISE, Board, Place, Twist, spaces_of
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import MissingSlice, configured
from pentad.system_memory import free_memory
from pentad.wording import count

WIN, DRAW, LOSS = 1, 0, -1

FIRST_DEPTHS = (5, 7, 8)  # the first search depths, in plies
FEW_BOARDS = 3_000_000  # up to this many, all plies are searched immediately
SHARE = 8  # a partial search may cost this fraction of the complete one
SHARE_OF_ALL = 50  # the same if all moves' values are requested, which a partial search seldom settles
ONE_QUESTION = 0.7  # the share of the time if only the mover's wins, or only the losses, are searched
BOARDS_PER_SECOND = 60_000_000  # the least number of boards that a thread makes in a second
# Boards of a partial search if a complete one is impossible and there is no time limit: some seconds of a thread. Each
# further ply takes several times as long.
MOST_PARTIAL = 500_000_000


@dataclass(frozen=True)
class Solution:
    """The value of a position for the player to move: 1 a win, 0 a draw, -1 a loss; and of its moves, if requested.

    `turns` is the distance to the end in turns of both players, if one forces it as early and the other delays it as
    long as possible: 0 if a player has already won, None if it cannot be forced. `distances` has the same for moves,
    counted from before the move, as far as needed. Both are set if depth is requested.
    """

    position: PentagoPosition
    value: int
    moves: Mapping[Move, int] = field(default_factory=dict)
    turns: int | None = None
    distances: Mapping[Move, int] = field(default_factory=dict)
    how: str = "rules"  # or: database, search (some plies), retrograde (all plies)
    nodes: int = 0
    seconds: float = 0.0

    @property
    def best(self) -> list[Move]:
        """The moves that keep the value: the fastest wins or the slowest losses, if distances are known."""
        keep = [move for move, value in self.moves.items() if value == self.value]
        known = [self.distances[move] for move in keep if move in self.distances]
        if not known or self.value == DRAW:
            return keep
        wanted = min(known) if self.value == WIN else max(known)
        return [move for move in keep if self.distances.get(move) == wanted]


def in_moves(turns: int) -> int:
    """Converts turns of both players to moves of one of them.

    >>> in_moves(1), in_moves(2), in_moves(7)
    (1, 1, 4)
    """
    return (turns + 1) // 2


def solve(
    position: PentagoPosition,
    *,
    moves: bool = True,
    depth: bool = False,
    seconds: float | None = None,
    memory: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Solution:
    """The exact value of a position for the player to move, and of each move; with `depth` also distances to the end.

    `memory` in bytes and `seconds` are limits. `CannotSolve` says what was not enough, and has the values that are
    proved nevertheless. `progress` is called from time to time with the number of boards searched and the total; it may
    raise an exception to stop.

    >>> from pentad.pentago import from_number
    >>> solve(from_number(4312211864716913874), moves=False).value
    1
    """
    if not isinstance(position, PentagoPosition):
        raise GameError(f"Only positions of Pentago can be solved, not {shown(position)}.")
    _check(seconds, memory, threads, progress)
    program(KERNELS)  # compiled, if necessary, before the time limit starts
    began = time.monotonic()
    found = _by_rules(position) or (None if depth else by_database(position, moves))
    if found is None:
        limits = Limits(
            memory=default_memory() if memory is None else memory,
            until=None if seconds is None else began + seconds,
            threads=threads,
            progress=progress,
        )
        found = Search(position, moves, depth, limits).found()
    found = replace(found, seconds=time.monotonic() - began)
    found = found if moves else replace(found, moves={})
    return found if depth else replace(found, turns=None, distances={})


def _check(seconds: float | None, memory: int | None, threads: int, progress: Progress | None) -> None:
    if seconds is not None and (type(seconds) not in (int, float) or not seconds > 0):
        raise GameError(f"Argument seconds must be a number above 0, not {shown(seconds)}.")
    if memory is not None and (type(memory) is not int or memory <= 0):
        raise GameError(f"Argument memory must be a number of bytes above 0, not {shown(memory)}.")
    if type(threads) is not int or not 1 <= threads <= 64:
        raise GameError(f"Argument threads must be a number from 1 to 64, not {shown(threads)}.")
    if progress is not None and not callable(progress):
        raise GameError(f"Argument progress must be a function of two numbers, not {shown(progress)}.")


def _by_rules(position: PentagoPosition) -> Solution | None:
    """The solution of a finished game, or of the last rotation of a full board."""
    if position.outcome:
        worth = _sign(position.outcome.returns[position.turn])
        return Solution(position, worth, turns=0 if worth else None)
    if position.empty or not position.placed:
        return None
    moves = _final_rotations(position)
    value = max(moves.values())
    distances = {move: 1 for move, worth in moves.items() if worth}
    return Solution(position, value, moves, turns=1 if value else None, distances=distances)


def _final_rotations(position: PentagoPosition) -> dict[Move, int]:
    """The values of the rotations that end the game, in the middle of a turn."""
    ends = ((move, position.play(move).outcome) for move in position.legal_moves)
    return {move: _sign(outcome.returns[position.turn]) for move, outcome in ends if outcome}


def _sign(worth: float) -> int:
    return (worth > 0) - (worth < 0)


def by_database(position: PentagoPosition, moves: bool) -> Solution | None:
    """The solution from the configured slices, if they have this board."""
    slices = configured()
    if slices is None or position.options != PENTAGO_OF_SLICES:
        return None
    try:
        if not moves:
            return Solution(position, slices.value(position), how="database")
        values = slices.values(position)
        return Solution(position, max(values.values()), values, how="database")
    except MissingSlice:
        return None


PENTAGO_OF_SLICES = {"rows": 2, "cols": 2, "block": 3, "players": 2, "line": 5, "win_on_placement": True}


class Search:
    """Iterative deepening that collects proved values."""

    def __init__(self, position: PentagoPosition, all_moves: bool, depth: bool, limits: Limits) -> None:
        self.position = position
        self.root = Root.of(position)
        self.all_moves = all_moves
        self.depth = depth
        self.limits = limits
        self.moves = list(position.legal_moves)
        self.values: dict[Move, int] = {}
        self.distances: dict[Move, int] = {}
        self.nodes = 0
        self.how = "search"
        self.farthest = len(self.root.spaces)
        self.searched = 0  # all depths up to this are searched, if distances are requested
        self.one_question = False
        self.rate = BOARDS_PER_SECOND * limits.threads

    def found(self) -> Solution:
        """The solution; if it cannot be found, the error has the proved values."""
        try:
            return self._found()
        except CannotSolve as error:
            error.values = self._proved
            error.distances = self.distances if self.depth else {}
            raise

    def _found(self) -> Solution:
        if self.position.placed:
            self.values = _final_rotations(self.position)
            self.distances = {move: 1 for move, worth in self.values.items() if worth}
        for plies in self._plies_ahead():
            if self._enough:
                break
            self._search_depth(plies)
        if not self._enough:
            if reason := self._why_infeasible(self.farthest):
                raise CannotSolve(reason)
            self._search_depth(self.farthest)
        value = self._value
        assert value is not None
        while self.depth and value != DRAW and not self._near_end_known(value):
            self._search_depth(self.searched + 1)
        turns = None
        if self.depth and value != DRAW:
            turns = (min if value == WIN else max)(
                distance for move, distance in self.distances.items() if self.values[move] == value
            )
        return Solution(self.position, value, self._proved, turns, self.distances, self.how, self.nodes)

    @property
    def _proved(self) -> dict[Move, int]:
        """The proved values, in the order of the moves."""
        return {move: self.values[move] for move in self.moves if move in self.values}

    @property
    def _value(self) -> int | None:
        """The value of the root, if it is proved."""
        if WIN in self.values.values():
            return WIN
        return max(self.values.values()) if len(self.values) == len(self.moves) else None

    @property
    def _enough(self) -> bool:
        return len(self.values) == len(self.moves) if self.all_moves else self._value is not None

    def _near_end_known(self, value: int) -> bool:
        """Whether the distance of the fastest win, or of every loss, is known."""
        if value == WIN:
            return any(self.values[move] == WIN for move in self.distances)
        return len(self.distances) == len(self.moves)

    # ── search depth ──────────────────────────────────────────────────────────────────────────

    def _plies_ahead(self) -> Iterator[int]:
        """The depths of partial searches: while they are cheap, or if the complete search is infeasible.

        For the root's value alone a cheap one asks one question.
        """
        if not self.farthest:
            return
        everything = boards(self.farthest, self.farthest)
        too_much = self._why_infeasible(self.farthest) is not None
        self.one_question = not (self.depth or self.all_moves or too_much)
        share = SHARE_OF_ALL if self.all_moves else SHARE
        for plies in range(1, self.farthest):
            if not self.depth and plies < max(FIRST_DEPTHS) and plies not in FIRST_DEPTHS:
                continue
            if too_much:
                takes_long = self.limits.until is None and self.nodes + self._to_make(plies) > MOST_PARTIAL
                if takes_long or self._why_infeasible(plies):
                    return
            else:
                cost = boards(self.farthest, plies) * (ONE_QUESTION if self.one_question else 1)
                if (not self.depth and everything <= FEW_BOARDS) or cost * share > everything:
                    return
            yield plies

    def _to_make(self, plies: int) -> int:
        """The number of boards of a search, in one sweep or two."""
        plan = plan_within(self.limits.memory, self.farthest, plies, self.limits.threads)
        return boards(self.farthest, plies) * (WHOLE // plan.words)

    def _why_infeasible(self, plies: int) -> str | None:
        """Why a search of so many plies is infeasible, or None."""
        marbles = self.root.board.size - self.farthest
        memory = needed(self.limits.memory, self.farthest, plies, self.limits.threads)
        if memory > self.limits.memory:
            return out_of_memory(memory, marbles, self.limits.memory)
        if self.limits.until is not None:
            seconds = self._to_make(plies) / self.rate
            left = max(0.0, self.limits.until - time.monotonic())
            if seconds > left:
                board = count(marbles, "marble")
                return f"A board with {board} needs about {seconds:.2g} s, but only {left:.2g} s remain."
        return None

    # ── results ────────────────────────────────────────────────────────────────────────────

    def _search_depth(self, plies: int) -> None:
        """Searches to a depth and stores the proved values."""
        began = time.monotonic()
        exact = plies == self.farthest
        # the last marble is the mover's, who may win with it, or the other's
        question = (WINS if plies % 2 else LOSSES) if self.one_question and not exact else None
        found = Pass(self.root, plies, self.limits, question)
        self.nodes += found.total
        if found.total > FEW_BOARDS:
            share = 1 if question is None else ONE_QUESTION
            self.rate = int(share * found.total / (time.monotonic() - began))
        if exact:
            self.how = "retrograde"
        for move, (wins, holds) in self._states(found):
            if move not in self.values and (exact or wins or not holds):
                self.values[move] = WIN if wins else DRAW if holds else LOSS
            if move not in self.distances and plies == self.searched + 1 and (wins or not holds):
                self.distances[move] = plies + self.position.placed
        if plies == self.searched + 1:
            self.searched = plies

    def _states(self, found: Pass) -> Iterator[tuple[Move, tuple[bool, bool]]]:
        """For each move, whether it wins and whether it does not lose."""
        numbers = {space: number for number, space in enumerate(found.spaces)}
        opponent = found.values if self.position.placed else (0, 0)
        for move in self.moves:
            twist = move[-1]
            if self.position.placed:
                bit = 1 << state_after(cast(Twist, twist))
                yield move, (not opponent[1] & bit, not opponent[0] & bit)
            elif len(move) == 1:
                yield move, (True, True)
            else:
                bit = 1 << state_after(cast(Twist, twist))
                won, held = found.first_marbles[numbers[self.position.board.space(*cast(Place, move[0]))]]
                yield move, (bool(won & bit), bool(held & bit))


# ── the root of a pass ────────────────────────────────────────────────────────────────────────────

MOST_SUB_BOARDS = 4
MOST_SPACES = 39  # empty spaces that the kernels support
TURNINGS = 16  # four sub-boards, each with four rotations
LINES_PER_WORD = 64  # lines in a word
START = 0  # the bit of the state without turns, among the states with an even sum of turns


@lru_cache(maxsize=8)
def through(board: Board) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """For each space its sub-board, from 0, and the lines through a marble there after 0 to 3 turns."""
    found, lines = [], [0] * board.size  # the lines through each space, as a set of their numbers
    for number, line in enumerate(board.lines):
        for space in spaces_of(line):
            lines[space] |= 1 << number
    for space in range(board.size):
        sub_board = board.sub_board_of(*divmod(space, board.width))
        marble, turned = 1 << space, []
        for _ in range(4):
            (stands,) = spaces_of(marble)
            turned.append(lines[stands])
            marble = board.twist(marble, Twist(sub_board, CLOCKWISE))
        found.append((sub_board - 1, tuple(turned)))
    return tuple(found)


def state_after(twist: Twist) -> int:
    """The bit of the state after one twist, among the states with an odd sum of turns."""
    turns = 1 if twist.direction == CLOCKWISE else 3
    return turns << 2 * (twist.sub_board - 1) if twist.sub_board < MOST_SUB_BOARDS else turns // 2 * LINES_PER_WORD


@dataclass(frozen=True)
class Root:
    """A position before a placement; in the middle of a turn, that of the next player before the rotation."""

    board: Board
    mover: int  # the marbles of the player who places next
    other: int
    kind: int  # 0: the state is START; 1: it is one of the states after a twist
    wins_at_once: bool

    @classmethod
    def of(cls, position: PentagoPosition) -> Root:
        """The root of a position; raises `GameError` if the solver does not support it."""
        board = position.board
        if position.players != 2:
            raise GameError(f"Only Pentago for two players can be solved, not for {position.players}.")
        if board.rows * board.cols > MOST_SUB_BOARDS:
            raise GameError(
                f"Only boards of up to {MOST_SUB_BOARDS} sub-boards can be solved, not {board.rows * board.cols}."
            )
        if (spaces := position.empty.bit_count()) > MOST_SPACES:
            raise GameError(f"Only boards of up to {MOST_SPACES} empty spaces can be solved, not {spaces}.")
        mover = 1 - position.turn if position.placed else position.turn
        return cls(
            board,
            position.marbles[mover],
            position.marbles[1 - mover],
            int(position.placed),
            position.setup.win_on_placement,
        )

    @property
    def spaces(self) -> list[int]:
        """The empty spaces, in reading order."""
        return list(spaces_of(self.board.all_spaces & ~(self.mover | self.other)))

    def broken(self, marbles: int) -> list[int]:
        """The lines that these marbles break for the opponent, for each sub-board and its rotations."""
        lines = [0] * TURNINGS
        for space in spaces_of(marbles):
            corner, turned = through(self.board)[space]
            for turns, these in enumerate(turned):
                lines[4 * corner + turns] |= these
        return lines

    @property
    def turnable(self) -> list[bool]:
        """Which of four sub-boards exist."""
        return [number < self.board.rows * self.board.cols for number in range(MOST_SUB_BOARDS)]


KERNELS = "pentad.pentago.solver.pass_kernels"
LINES = 4  # words of a set's lines
BYTES = 8  # in a word
WHOLE, HALF = 4, 2  # words of a board: the mover's wins and losses, or one of the two
WINS, LOSSES = 0, 1  # these questions, in the order of the words
SETS_PER_CALL = 100_000  # sets between two checks of time and progress
BOARDS_PER_CALL = 200_000  # boards of a thread between two checks of time and progress
WORD = (1 << LINES_PER_WORD) - 1
PART = 9  # spaces per table of sets in the kernels
SCRATCH_NUMBERS = 80  # numbers of scratch space for a row
ROUGH = 1.2  # safety factor on the bytes of `bytes_of`
DEFAULT_SHARE = 0.85  # share of the free memory that is used by default

# Called with the number of boards made and the total; may raise to stop.
Progress = Callable[[int, int], None]


class CannotSolve(GameError):
    """The memory or time limit is too low; the message says what is needed.

    `values` has the moves that are proved nevertheless, `distances` their distances to the end, if requested.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.values: dict[Move, int] = {}
        self.distances: dict[Move, int] = {}


def boards(spaces: int, plies: int) -> int:
    """The number of boards within some plies of a root with some empty spaces, without rotations."""
    return sum(comb(spaces, ply) * comb(ply, ply // 2) for ply in range(1, plies + 1))


def most_boards_at_once(spaces: int, plies: int) -> int:
    """The least number of boards that must be stored at some time."""
    return max(comb(spaces, ply) * comb(ply, ply // 2) for ply in range(1, plies + 1, 2))


def out_of_memory(memory: int, marbles: int, allowed: int) -> str:
    """The message that the memory is not enough."""
    needs, limit = format_bytes(memory), format_bytes(allowed)
    return f"A board with {count(marbles, 'marble')} needs {needs} of memory, but the limit is {limit}."


@dataclass
class Limits:
    """Limits of a pass: bytes, the time of its end, threads."""

    memory: int
    until: float | None = None
    threads: int = 1
    progress: Progress | None = None


@dataclass
class Plan:
    """The memory layout of the stored plies, so that each ply overwrites the one before.

    `more` is the number of marbles that the mover has added since the root, minus one.
    """

    spaces: int
    plies: int
    threads: int
    words: int = WHOLE  # per board
    starts: dict[int, int] = field(init=False)  # in boards
    batches: dict[int, int] = field(init=False)  # the number of rows that all threads make together
    total: int = field(init=False)  # boards to allocate

    def __post_init__(self) -> None:
        kernels = program(KERNELS)
        row = self.threads * BOARDS_PER_CALL
        self.batches = {more: max(1, row // self.boards_of_row(more)) for more in self.levels}
        self.starts = {}
        place = 0
        for more in self.levels:
            if self.starts:
                place -= kernels("offset_below", self.spaces, more, self.batches[more])
            self.starts[more] = place
        lowest = min(self.starts.values())
        self.starts = {more: start - lowest for more, start in self.starts.items()}
        self.total = max(start + self.rows(more) * self.width(more) for more, start in self.starts.items())

    @property
    def levels(self) -> range:
        """The values of `more`, from the last stored ply to the first."""
        return range((self.plies - 1) // 2, -1, -1)

    def rows(self, more: int) -> int:
        """The number of the mover's sets."""
        return comb(self.spaces, more + 1)

    def width(self, more: int) -> int:
        """The number of boards in a row."""
        return comb(self.spaces - more - 1, more)

    def width_between(self, more: int) -> int:
        """The number of boards in a row one ply later."""
        return comb(self.spaces - more - 1, more + 1)

    def boards_of_row(self, more: int) -> int:
        """The number of boards made for a row: its own, and those a ply later if that is searched."""
        return self.width(more) + (self.width_between(more) if 2 * more + 2 <= self.plies else 0)

    @property
    def widest(self) -> int:
        return max(max(self.width(more), self.width_between(more)) for more in self.levels)

    @cached_property
    def sets(self) -> tuple[int, int]:
        """The number of sets that the mover may get, and the other player."""
        mine, theirs = (self.plies + 1) // 2, self.plies // 2
        return tuple(sum(comb(self.spaces, n) for n in range(most + 1)) for most in (mine, theirs))  # type: ignore[return-value]

    @property
    def memory(self) -> int:
        """The bytes that the pass needs."""
        tables = 4 * max(
            comb(free, more) * (free - more) + free * comb(max(free - 1, 0), more + 1)
            for more in self.levels
            for free in (self.spaces - more - 1,)
        )
        scratch = self.threads * self.widest * (2 * BYTES * self.words + 2 * 4)
        return BYTES * (self.words * self.total + LINES * sum(self.sets)) + tables + scratch


@lru_cache(maxsize=256)
def plan_within(memory: int, spaces: int, plies: int, threads: int, one_question: bool = False) -> Plan:
    """The plan for a pass within the memory: one sweep for both questions or for one, or two sweeps."""
    whole = Plan(spaces, plies, threads)
    return whole if whole.memory <= memory and not one_question else Plan(spaces, plies, threads, HALF)


def needed(memory: int, spaces: int, plies: int, threads: int) -> int:
    """The bytes that a pass needs; if `memory` is not enough, a lower bound above it."""
    if not plies:
        return 0
    least = BYTES * HALF * most_boards_at_once(spaces, plies)  # above the limit, no plan is made
    return least if least > memory else plan_within(memory, spaces, plies, threads).memory


def bytes_of(spaces: int, plies: int, most: int) -> int:
    """Estimated bytes to search so many plies, without a plan: in one sweep, or in two where one exceeds `most`."""
    if plies == 0:
        return 0
    sets = sum(comb(spaces, n) for side in (plies + 1, plies) for n in range(side // 2 + 1))
    stored = most_boards_at_once(spaces, plies)
    sizes = [int(ROUGH * BYTES * (words * stored + LINES * sets)) for words in (WHOLE, HALF)]
    return sizes[0] if sizes[0] <= most else sizes[1]


def default_memory() -> int:
    """The default limit of memory, in bytes."""
    return int(free_memory() * DEFAULT_SHARE)


def format_bytes(size: int) -> str:
    """Formats a number of bytes.

    >>> format_bytes(13_400_000_000), format_bytes(512_000), format_bytes(50 * 10**15)
    ('13 GB', '512 kB', '50 PB')
    """
    units = ((10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"), (1, "B"))
    unit, name = next((each for each in units if size >= each[0]), units[-1])
    return f"{size / unit:.2g} {name}" if size < 10 * unit else f"{size / unit:.0f} {name}"


class Pass:
    """One pass from a root over some plies: the mover's result for each first marble.

    If the memory is not enough for both, it computes wins first and then losses. With a `question` it computes one of
    the two alone, and the other is empty: no wins, or no losses.
    """

    def __init__(self, root: Root, plies: int, limits: Limits, question: int | None = None) -> None:
        self.root = root
        self.limits = limits
        self.spaces = root.spaces
        self.plan = plan_within(limits.memory, len(self.spaces), plies, limits.threads, question is not None)
        if self.plan.memory > limits.memory:
            raise CannotSolve(out_of_memory(self.plan.memory, root.board.size - len(self.spaces), limits.memory))
        questions = range(WHOLE // self.plan.words) if question is None else (question,)
        self.total = len(questions) * boards(len(self.spaces), plies)
        self.made = 0
        self._kernels = program(KERNELS)
        self._corner = zeros(len(self.spaces), "int64")
        self._through = zeros(4 * len(self.spaces), "uint64")
        self._mover_lines = self._lines(root.other, self.plan.sets[0])
        self._other_lines = self._lines(root.mover, self.plan.sets[1])
        # For a first marble on each empty space, the states after a rotation that win, and that do not lose.
        self.first_marbles: list[tuple[int, int]] = []
        with (
            ThreadPoolExecutor(limits.threads) as threads,
            ARENA.words(self.plan.words * self.plan.total) as stored,
        ):
            answers = {each: self._run(threads, stored, each) for each in questions}
        self._report_progress()
        if question is not None:
            nothing = [array([0, 0] if question == LOSSES else [WORD, WORD], "uint64")] * len(self.spaces)
            answers = {WINS: nothing, LOSSES: nothing} | answers
        for number in range(len(self.spaces)):
            words = [word for answer in answers.values() for word in answer[number]]
            self.first_marbles.append((words[0] | words[1] << LINES_PER_WORD, words[2] | words[3] << LINES_PER_WORD))

    # ── results ────────────────────────────────────────────────────────────────────────────

    @property
    def values(self) -> tuple[int, int]:
        """The states of the root in which the mover wins, and in which the mover does not lose."""
        wins, holds = 0, 0
        for number, (won, held) in enumerate(self.first_marbles):
            # a marble that completes a line before any rotation
            at_once = self._line_states(self._mover_lines, 1 + number) if self.root.wins_at_once else 0
            wins |= at_once | spread(won, self.root.turnable)
            holds |= at_once | spread(held, self.root.turnable)
        mine, theirs = self._line_states(self._mover_lines, 0), self._line_states(self._other_lines, 0)
        return (wins | mine) & ~theirs, mine | holds & ~theirs

    def _line_states(self, lines: Buffer, number: int) -> int:
        """The states of the root's kind in which a set of marbles, by its number, has a line."""
        place = LINES * number + 2 * self.root.kind
        return int(lines[place] | lines[place + 1] << LINES_PER_WORD)

    # ── computation ───────────────────────────────────────────────────────────────────────────────

    def _lines(self, opponent: int, sets: int) -> Buffer:
        """The lines of all sets of marbles that a player may get; the opponent's marbles at the root break some."""
        spaces = len(self.spaces)
        found = zeros(LINES * sets, "uint64")
        work = zeros(TURNINGS * ((-(-spaces // PART) << PART) + 2), "uint64")
        fixed = zeros(TURNINGS, "uint64")
        broken = self.root.broken(opponent)
        table = through(self.root.board)
        lines_in_all = len(self.root.board.lines)
        for first in range(0, lines_in_all, LINES_PER_WORD):  # a group of lines that fits a word
            mask = (1 << min(LINES_PER_WORD, lines_in_all - first)) - 1
            for turning, lines in enumerate(broken):
                fixed[turning] = lines >> first & mask
            for number, space in enumerate(self.spaces):
                corner, turned = table[space]
                self._corner[number] = corner
                for turns, lines in enumerate(turned):
                    self._through[4 * number + turns] = lines >> first & mask
            place, size = 0, 0
            while place < LINES * sets:
                count = comb(spaces, size)
                for start in range(0, count, SETS_PER_CALL):
                    self._check_limits()
                    end = min(count, start + SETS_PER_CALL)
                    self._kernels(
                        "lines_of_sets", spaces, size, start, end, mask, fixed, self._corner, self._through, work,
                        found[place:],
                    )  # fmt: skip
                place += LINES * count
                size += 1
        return found

    def _run(self, threads: ThreadPoolExecutor, stored: Buffer, question: int) -> list[Buffer]:
        """The words with the mover's results for each first marble; all words, or those of one question."""
        plan, spaces = self.plan, len(self.spaces)
        top = zeros(plan.words * spaces, "uint64")
        turn = zeros(len(self.root.turnable), "uint64")
        for number, there in enumerate(self.root.turnable):
            turn[number] = WORD if there else 0
        sizes = {"uint64": 2 * plan.words * plan.widest, "uint32": 2 * plan.widest, "int64": SCRATCH_NUMBERS}
        buffers = [[zeros(size, kind) for _ in range(self.limits.threads)] for kind, size in sizes.items()]
        kernel = "rows" if plan.words == WHOLE else "rows_of_halves"
        wins: tuple[int, ...] = () if plan.words == WHOLE else (0 if question else WORD,)
        at_once = WORD if self.root.wins_at_once else 0
        for more in plan.levels:
            free = spaces - more - 1
            last = 2 * more + 2 >= plan.plies
            larger = zeros(plan.width(more) * (free - more), "uint32")
            without = zeros(0 if last else free * comb(free - 1, more + 1), "uint32")
            self._kernels("tables", spaces, more, plan.words, larger, without)
            old, new = plan.words * plan.starts.get(more + 1, 0), plan.words * plan.starts[more]
            arguments: tuple[Buffer | int, ...] = (
                *wins, stored, old, new, self._mover_lines, self._other_lines, spaces, more, plan.plies, self.root.kind,
                at_once, turn, larger, without,
            )  # fmt: skip
            make = partial(self._kernels, kernel, *arguments)
            rows, batch = plan.rows(more), plan.batches[more]
            for start in range(0, rows, batch):
                self._check_limits()
                end = min(rows, start + batch)
                share = -(-(end - start) // self.limits.threads)
                firsts = range(start, end, share)
                ends = (min(end, first + share) for first in firsts)
                for _ in (threads.map if self.limits.threads > 1 else map)(make, *buffers, repeat(top), firsts, ends):
                    pass  # an error of a thread is raised here
                self.made += (end - start) * plan.boards_of_row(more)
            self._finish_level(more, stored[new : new + plan.words * rows * plan.width(more)])
        return [top[plan.words * number : plan.words * (number + 1)] for number in range(spaces)]

    def _finish_level(self, more: int, rows: Buffer) -> None:
        """Does nothing; a subclass may read the finished rows, which the next ones overwrite."""

    def _check_limits(self) -> None:
        """Reports progress and checks the time limit."""
        self._report_progress()
        if self.limits.until is not None and time.monotonic() > self.limits.until:
            raise CannotSolve("The time limit was not enough.")

    def _report_progress(self) -> None:
        if self.limits.progress:
            self.limits.progress(self.made, self.total)


# ── halves of rotation states ────────────────────────────────────────────────────────────────────

FIRST = int("1" * 16, 16)  # states in which the first sub-board is not turned
SECOND = int("000F" * 4, 16)  # states in which the second is not turned
THIRD = int("FFFF", 16)


def spread(states: int, turnable: list[bool]) -> int:
    """All states that one twist leads into these."""
    words = (states & WORD, states >> LINES_PER_WORD)
    found = [words[0] | words[1] if turnable[3] else 0] * 2
    for number, x in enumerate(words):
        for there, unit, step in zip(turnable, (FIRST, SECOND, THIRD), (1, 4, 16), strict=False):
            rotated = [x >> step * turns & unit for turns in range(4)]
            even, odd = rotated[0] | rotated[2], rotated[1] | rotated[3]
            if there:
                found[number] |= odd | even << step | odd << 2 * step | even << 3 * step
    return found[0] | found[1] << LINES_PER_WORD
