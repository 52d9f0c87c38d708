"""Passes of retrograde analysis: the values of all boards below a root, and what they need of memory.

A pass goes from full boards, or from a search horizon, back to the root, without repetitions. It computes the value of
each first marble of the mover for all rotations at once. A pass over all plies is exact. A pass over fewer plies proves
the wins and losses that can be forced within them, and nothing else.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import comb
from pathlib import Path

from pentad.games.pentago.board import CLOCKWISE, Board, Twist, spaces_of
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.constants import (
    LINES,
    PART,
    TURNINGS,
    LevelArrays,
    LineTables,
    Numbers,
    RowRoom,
    Small,
    Words,
)
from pentad.kernels.buffers import ARENA, Buffer, array, typed, zeros
from pentad.kernels.program import ADVICE, Program, is_fast, program
from pentad.search import interrupts
from pentad.search.exact import Unsolved
from pentad.system.memory import free_memory
from pentad.system.words import count, phrase

# ── the root of a pass ────────────────────────────────────────────────────────────────────────────

MOST_SUB_BOARDS = 4
MOST_SPACES = 39  # empty spaces that the kernels support
LINES_PER_WORD = 64
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
class PassRoot:
    """A position before a placement; in the middle of a turn, that of the next player before the rotation."""

    board: Board
    mover: int  # the marbles of the player who places next
    other: int
    kind: int  # 0: the state is START; 1: it is one of the states after a twist
    wins_at_once: bool

    @classmethod
    def of(cls, position: PentagoPosition) -> PassRoot:
        """The root of a position; raises `CannotSolve` if the solver does not support it."""
        board = position.board
        if position.players != 2:
            raise CannotSolve(
                phrase("Only Pentago for two players can be solved, not for {players}.", players=position.players)
            )
        if board.rows * board.cols > MOST_SUB_BOARDS:
            raise CannotSolve(
                phrase(
                    "Only boards of up to {most_sub_boards} sub-boards can be solved, not {rows}.",
                    most_sub_boards=MOST_SUB_BOARDS,
                    rows=board.rows * board.cols,
                )
            )
        if (spaces := position.empty.bit_count()) > MOST_SPACES:
            raise CannotSolve(
                phrase(
                    "Only boards of up to {most_spaces} empty spaces can be solved, not {spaces}.",
                    most_spaces=MOST_SPACES,
                    spaces=spaces,
                )
            )
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


KERNELS = "pentad.games.pentago.solver.pass_kernels"
WORD_BYTES = 8
WHOLE, HALF = 4, 2  # a board has words for the mover's wins and losses, or for one of the two
WINS, LOSSES = 0, 1  # these questions, in the order of the words
SETS_PER_CALL = 100_000  # sets between two checks of time and progress
BOARDS_PER_CALL = 200_000  # boards of a thread between two checks of time and progress
WORD = (1 << LINES_PER_WORD) - 1
SCRATCH = 80  # numbers of scratch space for a row
BLOCK_TABLES = 192  # the length of the kernels' tables for blocks
ROUGH = 1.2  # safety factor on the bytes of `bytes_of`
DEFAULT_SHARE = 0.85  # share of the free memory that is used by default

# Called with the number of boards made and the total; may raise to stop.
Progress = Callable[[int, int], None]


class CannotSolve(Unsolved):
    """The memory or time limit is too low, or the board is of another kind; the message says what is needed."""


def solver_kernels() -> Program:
    """The kernels; as Python they would take days, so that nothing can be solved without machine code."""
    if not is_fast(KERNELS):
        raise CannotSolve(phrase("Exact values need machine code or numba. {advice}", advice=ADVICE))
    return program(KERNELS)


def boards(spaces: int, plies: int) -> int:
    """The number of boards within some plies of a root with some empty spaces, without rotations."""
    return sum(comb(spaces, ply) * comb(ply, ply // 2) for ply in range(1, plies + 1))


def most_boards_at_once(spaces: int, plies: int) -> int:
    """The least number of boards that must be stored at some time."""
    return max(comb(spaces, ply) * comb(ply, ply // 2) for ply in range(1, plies + 1, 2))


def out_of_memory(memory: int, marbles: int, allowed: int) -> str:
    """The message that the memory is not enough."""
    needs, limit = format_bytes(memory), format_bytes(allowed)
    return phrase(
        "A board with {marbles} needs {needs} of memory, but the limit is {limit}.",
        marbles=count(marbles, "marble"),
        needs=needs,
        limit=limit,
    )


@dataclass
class PassLimits:
    """Limits of a pass: bytes, the time of its end, threads."""

    memory: int
    until: float | None = None
    threads: int = 1
    progress: Progress | None = None
    scratch: Path | None = None  # the folder for the files of passes that need more memory


@dataclass
class PassShape:
    """The levels of a pass: the plies whose boards are stored.

    `more` is the number of marbles that the mover has added since the root, minus one. A board has `words`.
    """

    spaces: int
    plies: int
    threads: int
    words: int = WHOLE

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
    def at_once(self) -> int:
        """The number of calls that are begun before the first of them has ended, so that no thread waits."""
        return 1 if self.threads == 1 else 2 * self.threads

    @property
    def widest(self) -> int:
        return max(max(self.width(more), self.width_between(more)) for more in self.levels)

    @cached_property
    def sets(self) -> tuple[int, int]:
        """The number of sets that the mover may get, and the other player."""
        mine, theirs = (self.plies + 1) // 2, self.plies // 2
        return tuple(sum(comb(self.spaces, n) for n in range(most + 1)) for most in (mine, theirs))  # type: ignore[return-value]

    @property
    def fixed(self) -> int:
        """The bytes that the pass needs beside the stored boards."""
        tables = 4 * max(self.width(more) * (self.spaces - 2 * more - 1) for more in self.levels)
        scratch = self.threads * self.widest * (2 * WORD_BYTES * self.words + 3 * 4)
        return WORD_BYTES * LINES * sum(self.sets) + tables + scratch


@dataclass
class MemoryPlan(PassShape):
    """The memory layout of the stored plies, so that each ply overwrites the one before."""

    starts: dict[int, int] = field(init=False)
    shares: dict[int, int] = field(init=False)  # the number of rows of a call
    total: int = field(init=False)

    def __post_init__(self) -> None:
        kernels = solver_kernels()
        self.shares = {more: max(1, BOARDS_PER_CALL // self.boards_of_row(more)) for more in self.levels}
        self.starts = {}
        place = 0
        for more in self.levels:
            if self.starts:
                place -= kernels("offset_below", self.spaces, more, self.shares[more], self.at_once)
            self.starts[more] = place
        lowest = min(self.starts.values())
        self.starts = {more: start - lowest for more, start in self.starts.items()}
        self.total = max(start + self.rows(more) * self.width(more) for more, start in self.starts.items())

    @property
    def memory(self) -> int:
        """The bytes that the pass needs."""
        return WORD_BYTES * self.words * self.total + self.fixed


@lru_cache(maxsize=256)
def plan_within(memory: int, spaces: int, plies: int, threads: int, one_question: bool = False) -> MemoryPlan:
    """The plan for a pass within the memory: one sweep for both questions or for one, or two sweeps."""
    whole = MemoryPlan(spaces, plies, threads)
    return whole if whole.memory <= memory and not one_question else MemoryPlan(spaces, plies, threads, HALF)


def needed(memory: int, spaces: int, plies: int, threads: int) -> int:
    """The bytes that a pass needs; if `memory` is not enough, a lower bound above it."""
    if not plies:
        return 0
    least = WORD_BYTES * HALF * most_boards_at_once(spaces, plies)  # above the limit, no plan is made
    return least if least > memory else plan_within(memory, spaces, plies, threads).memory


def bytes_of(spaces: int, plies: int, most: int) -> int:
    """Estimated bytes to search so many plies, without a plan: in one sweep, or in two where one exceeds `most`."""
    if plies == 0:
        return 0
    sets = sum(comb(spaces, n) for side in (plies + 1, plies) for n in range(side // 2 + 1))
    stored = most_boards_at_once(spaces, plies)
    sizes = [int(ROUGH * WORD_BYTES * (words * stored + LINES * sets)) for words in (WHOLE, HALF)]
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

    out_of_time = "Exact values were not found within the time limit."

    def __init__(self, root: PassRoot, plies: int, limits: PassLimits, question: int | None = None) -> None:
        self.root = root
        self.limits = limits
        self.spaces = root.spaces
        self.plies = plies
        shape = self._planned(question is not None)
        questions = range(WHOLE // shape.words) if question is None else (question,)
        self.total = len(questions) * boards(len(self.spaces), plies)
        self.made = 0
        self.kernels = solver_kernels()
        # For a first marble on each empty space, the states after a rotation that win, and that do not lose.
        self.first_marbles: list[tuple[int, int]] = []
        with ThreadPoolExecutor(limits.threads) as self.threads:
            self._report_progress()
            run = self.threads.map if limits.threads > 1 else map
            self.mover_lines, self.other_lines = run(self._lines, (root.other, root.mover), shape.sets)
            answers = self._answers(questions)
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
            at_once = self._line_states(self.mover_lines, 1 + number) if self.root.wins_at_once else 0
            wins |= at_once | spread(won, self.root.turnable)
            holds |= at_once | spread(held, self.root.turnable)
        mine, theirs = self._line_states(self.mover_lines, 0), self._line_states(self.other_lines, 0)
        return (wins | mine) & ~theirs, mine | holds & ~theirs

    def _line_states(self, lines: Words, number: int) -> int:
        """The states of the root's kind in which a set of marbles, by its number, has a line."""
        place = LINES * number + 2 * self.root.kind
        return int(lines[place] | lines[place + 1] << LINES_PER_WORD)

    # ── computation ───────────────────────────────────────────────────────────────────────────────

    def _lines(self, opponent: int, sets: int) -> Words:
        """The lines of all sets of marbles that a player may get; the opponent's marbles at the root break some."""
        spaces = len(self.spaces)
        found = zeros(LINES * sets, Words)
        corner, turned = zeros(spaces, Numbers), zeros(4 * spaces, Words)
        work = zeros(TURNINGS * ((-(-spaces // PART) << PART) + 2), "uint64")
        check = (
            self.check_limits if self.limits.threads == 1 else self._check_end
        )  # progress is for the caller's thread
        fixed = zeros(TURNINGS, Words)
        broken = self.root.broken(opponent)
        table = through(self.root.board)
        lines_in_all = len(self.root.board.lines)
        for first in range(0, lines_in_all, LINES_PER_WORD):  # each word has the bits of a group of lines
            mask = (1 << min(LINES_PER_WORD, lines_in_all - first)) - 1
            for turning, lines in enumerate(broken):
                fixed[turning] = lines >> first & mask
            for number, space in enumerate(self.spaces):
                corner[number] = table[space][0]
                for turns, lines in enumerate(table[space][1]):
                    turned[4 * number + turns] = lines >> first & mask
            of_word = LineTables(mask, fixed, corner, turned)
            place, size = 0, 0
            while place < LINES * sets:
                count = comb(spaces, size)
                for start in range(0, count, SETS_PER_CALL):
                    check()
                    end = min(count, start + SETS_PER_CALL)
                    self.kernels("lines_of_sets", spaces, size, start, end, of_word, work, found[place:])
                place += LINES * count
                size += 1
        return found

    def _planned(self, one_question: bool) -> PassShape:
        """Plans the pass; raises `CannotSolve` if the memory is not enough."""
        self.plan = plan_within(self.limits.memory, len(self.spaces), self.plies, self.limits.threads, one_question)
        if self.plan.memory > self.limits.memory:
            marbles = self.root.board.size - len(self.spaces)
            raise CannotSolve(out_of_memory(self.plan.memory, marbles, self.limits.memory))
        return self.plan

    def _answers(self, questions: Iterable[int]) -> dict[int, list[Buffer]]:
        """For each question the words with the mover's results for each first marble."""
        with ARENA.words(self.plan.words * self.plan.total) as stored:
            return {each: self._run(Sweep(self, self.plan, stored, each)) for each in questions}

    def _run(self, sweep: Sweep) -> list[Buffer]:
        plan = self.plan
        for more in plan.levels:
            sweep.begin(more)
            below = array([plan.words * plan.starts.get(more + 1, 0)], Numbers)
            new, rows = plan.words * plan.starts[more], plan.rows(more)
            sweep.make(below, plan.rows(more + 1), new, range(0, rows, plan.shares[more]), rows)
            self._finish_level(more, sweep.stored[new : new + plan.words * rows * plan.width(more)])
        return sweep.results

    def _finish_level(self, more: int, rows: Buffer) -> None:
        """Does nothing; a subclass may read the finished rows, which the next ones overwrite."""

    def check_limits(self) -> None:
        """Reports progress, and checks the time limit and interrupts."""
        self._report_progress()
        self._check_end()

    def _check_end(self) -> None:
        interrupts.check()
        if self.limits.until is not None and time.monotonic() > self.limits.until:
            raise CannotSolve(self.out_of_time)

    def _report_progress(self) -> None:
        if self.limits.progress:
            self.limits.progress(self.made, self.total)


class Sweep:
    """Makes rows with the kernels, in threads: of all words, or of those of one question."""

    def __init__(self, of: Pass, shape: PassShape, stored: Buffer, question: int) -> None:
        self.of, self.shape, self.stored = of, shape, stored
        spaces, words = shape.spaces, shape.words
        self.top = zeros(words * spaces, "uint64")
        turnable = of.root.turnable
        self._turn = zeros(len(turnable), Words)
        for number, there in enumerate(turnable):
            self._turn[number] = WORD if there else 0
        self._rooms = deque(  # these rooms are not in use
            RowRoom(
                zeros(2 * words * shape.widest, Words), zeros(3 * shape.widest, Small), zeros(SCRATCH, Numbers),
                zeros(SCRATCH, Words),
            )
            for _ in range(shape.threads)
        )  # fmt: skip
        self._kernel = "rows" if words == WHOLE else "rows_of_halves"
        self._wins: tuple[int, ...] = () if words == WHOLE else (0 if question else WORD,)
        self._at_once = WORD if of.root.wins_at_once else 0

    def begin(self, more: int) -> None:
        """Makes the tables of a level."""
        shape, self._more = self.shape, more
        free = shape.spaces - more - 1
        self._larger = zeros(shape.width(more) * (free - more), Small)
        self._without = zeros(BLOCK_TABLES, Small)
        self.of.kernels("tables", shape.spaces, more, shape.words, self._larger, self._without)

    def make(self, places: Numbers, page: int, new: int, starts: range, end: int) -> None:
        """Makes rows from those of the level before, which are in pages of so many rows; a call makes those of a start.

        Threads make the rows of `shape.at_once` calls in any order, and those of all calls before them are made.
        """
        of, shape = self.of, self.shape
        level = LevelArrays(
            typed(self.stored, Words), places, max(page, 1), new, of.mover_lines, of.other_lines, shape.spaces,
            self._more, shape.plies, of.root.kind, self._at_once, self._turn, self._larger, self._without,
        )  # fmt: skip
        kernel = of.kernels.bind(self._kernel, *self._wins, level)

        def make(start: int) -> None:
            room = self._rooms.pop()
            kernel(room, self.top, start, min(end, start + starts.step))
            self._rooms.append(room)

        begun: deque[Future[None]] = deque()
        try:
            for start in starts:
                if len(begun) == shape.at_once:
                    begun.popleft().result()
                of.check_limits()
                if shape.threads > 1:
                    begun.append(of.threads.submit(make, start))
                else:
                    make(start)
                of.made += (min(end, start + starts.step) - start) * shape.boards_of_row(self._more)
            while begun:
                begun.popleft().result()  # an error of a thread is raised here
        finally:
            for each in begun:
                each.cancel()
            wait(begun)  # otherwise they write later to memory that is not theirs

    @property
    def results(self) -> list[Buffer]:
        """The words of the boards after each first marble."""
        words = self.shape.words
        return [self.top[words * number : words * (number + 1)] for number in range(self.shape.spaces)]


# ── halves of rotation states ────────────────────────────────────────────────────────────────────

FIRST_UNTURNED = int("1" * 16, 16)  # the bits of states in which the first sub-board is not turned
SECOND_UNTURNED = int("000F" * 4, 16)  # the same for the second
THIRD = int("FFFF", 16)


def spread(states: int, turnable: list[bool]) -> int:
    """All states that one twist leads into these."""
    words = (states & WORD, states >> LINES_PER_WORD)
    found = [words[0] | words[1] if turnable[3] else 0] * 2
    for number, x in enumerate(words):
        for there, unit, step in zip(turnable, (FIRST_UNTURNED, SECOND_UNTURNED, THIRD), (1, 4, 16), strict=False):
            rotated = [x >> step * turns & unit for turns in range(4)]
            even, odd = rotated[0] | rotated[2], rotated[1] | rotated[3]
            if there:
                found[number] |= odd | even << step | odd << 2 * step | even << 3 * step
    return found[0] | found[1] << LINES_PER_WORD
