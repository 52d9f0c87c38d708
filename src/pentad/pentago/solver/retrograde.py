"""Retrograde analysis: one pass from full boards, or from a search horizon, back to the root, without repetitions.

It computes the value of each first marble of the mover for all rotations at once. A pass over all plies is exact. A
pass over fewer plies proves the wins and losses that can be forced within them, and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from math import comb
from typing import TypeAlias

from pentad.game import GameError, Move
from pentad.jit.buffers import Buffer, zeros
from pentad.jit.program import program
from pentad.pentago.board import CLOCKWISE, Board, Twist, spaces_of
from pentad.pentago.rules import PentagoPosition
from pentad.system_memory import free_memory
from pentad.wording import count

MOST_SUB_BOARDS = 4
MOST_SPACES = 39  # empty spaces that the kernels support
TURNINGS = 16  # four sub-boards, each with four rotations
LINES_PER_WORD = 64  # lines in a word
START = 0  # the bit of the state without turns, among the states with an even sum of turns


@lru_cache(maxsize=8)
def through(board: Board) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """For each space its sub-board, from 0, and the lines through a marble there after 0 to 3 turns."""
    found = []
    for space in range(board.size):
        sub_board = board.sub_board_of(*divmod(space, board.width))
        marble, turned = 1 << space, []
        for _ in range(4):
            (stands,) = spaces_of(marble)
            turned.append(_lines_at(board)[stands])
            marble = board.twist(marble, Twist(sub_board, CLOCKWISE))
        found.append((sub_board - 1, tuple(turned)))
    return tuple(found)


@lru_cache(maxsize=8)
def _lines_at(board: Board) -> tuple[int, ...]:
    """For each space the lines through it, as a set of their numbers."""
    lines = [0] * board.size
    for number, line in enumerate(board.lines):
        for space in spaces_of(line):
            lines[space] |= 1 << number
    return tuple(lines)


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

    @property
    def line_groups(self) -> list[tuple[int, int]]:
        """The lines in groups that fit a word: the first line's number of each group, and a bit mask."""
        count = len(self.board.lines)
        return [(first, (1 << min(LINES_PER_WORD, count - first)) - 1) for first in range(0, count, LINES_PER_WORD)]

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
SETS_PER_CALL = 100_000  # sets between two checks of time and progress
BOARDS_PER_CALL = 200_000  # boards of a thread between two checks of time and progress
WORD = (1 << LINES_PER_WORD) - 1
PART = 9  # spaces per table of sets in the kernels
SCRATCH_NUMBERS = 80  # numbers of scratch space for a row
DEFAULT_SHARE = 0.85  # share of the free memory that is used by default

# Called with the number of boards made and the total; may raise to stop.
Progress = Callable[[int, int], None]
ScratchBuffers: TypeAlias = tuple[Buffer, Buffer, Buffer]  # the buffers of a thread for a row


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
        self.total = max(start + self.size(more) for more, start in self.starts.items())

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

    def size(self, more: int) -> int:
        return self.rows(more) * self.width(more)

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
def plan_within(memory: int, spaces: int, plies: int, threads: int) -> Plan:
    """The plan for a pass within the memory: one sweep, or two sweeps with half the memory each."""
    whole = Plan(spaces, plies, threads)
    return whole if whole.memory <= memory else Plan(spaces, plies, threads, HALF)


def needed(memory: int, spaces: int, plies: int, threads: int) -> int:
    """The bytes that a pass needs; if `memory` is not enough, a lower bound above it."""
    if not plies:
        return 0
    least = BYTES * HALF * most_boards_at_once(spaces, plies)  # above the limit, no plan is made
    return least if least > memory else plan_within(memory, spaces, plies, threads).memory


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

    If the memory is not enough for both, it computes wins first and then losses.
    """

    def __init__(self, root: Root, plies: int, limits: Limits) -> None:
        self.root = root
        self.limits = limits
        self.spaces = root.spaces
        self.plan = plan_within(limits.memory, len(self.spaces), plies, limits.threads)
        if self.plan.memory > limits.memory:
            raise CannotSolve(out_of_memory(self.plan.memory, root.board.size - len(self.spaces), limits.memory))
        self.sweeps = WHOLE // self.plan.words
        self.total = self.sweeps * boards(len(self.spaces), plies)
        self.made = 0
        self._kernels = program(KERNELS)
        self._corner = zeros(len(self.spaces), "int64")
        self._through = zeros(4 * len(self.spaces), "uint64")
        self._mover_lines = self._lines(root.other, self.plan.sets[0])
        self._other_lines = self._lines(root.mover, self.plan.sets[1])
        self._top: list[tuple[int, int]] = []
        with ThreadPoolExecutor(limits.threads) as threads:
            answers = [self._run(threads, question) for question in range(self.sweeps)]
        self._report_progress()
        for number in range(len(self.spaces)):
            words = [word for answer in answers for word in answer[number]]
            self._top.append((words[0] | words[1] << LINES_PER_WORD, words[2] | words[3] << LINES_PER_WORD))

    # ── results ────────────────────────────────────────────────────────────────────────────

    def first_marble(self, number: int) -> tuple[int, int]:
        """The states after a rotation that win, and that do not lose, with the first marble on the n-th empty space."""
        return self._top[number]

    def wins_at_once(self, number: int) -> int:
        """The states in which the mover's marble on the n-th empty space completes a line before any rotation."""
        return self._half(self._mover_lines, LINES * (1 + number), self.root.kind) if self.root.wins_at_once else 0

    @property
    def values(self) -> tuple[int, int]:
        """The states of the root in which the mover wins, and in which the mover does not lose."""
        wins, holds = 0, 0
        for number in range(len(self.spaces)):
            won, held = self.first_marble(number)
            at_once = self.wins_at_once(number)
            wins |= at_once | spread(won, self.root.turnable)
            holds |= at_once | spread(held, self.root.turnable)
        return values_from(wins, holds, *self.lines_at_root)

    @property
    def lines_at_root(self) -> tuple[int, int]:
        """The states in which the mover already has a line, and in which the other player has."""
        kind = self.root.kind
        return self._half(self._mover_lines, 0, kind), self._half(self._other_lines, 0, kind)

    @staticmethod
    def _half(lines: Buffer, place: int, kind: int) -> int:
        return int(lines[place + 2 * kind] | lines[place + 2 * kind + 1] << LINES_PER_WORD)

    # ── computation ───────────────────────────────────────────────────────────────────────────────

    def _lines(self, opponent: int, sets: int) -> Buffer:
        """The lines of all sets of marbles that a player may get; the opponent's marbles at the root break some."""
        spaces = len(self.spaces)
        found = zeros(LINES * sets, "uint64")
        work = zeros(TURNINGS * ((-(-spaces // PART) << PART) + 2), "uint64")
        fixed = zeros(TURNINGS, "uint64")
        broken = self.root.broken(opponent)
        table = through(self.root.board)
        for first, mask in self.root.line_groups:
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

    def _run(self, threads: ThreadPoolExecutor, question: int) -> list[Buffer]:
        """The words with the mover's results for each first marble; all words, or those of one question."""
        plan, spaces = self.plan, len(self.spaces)
        stored = zeros(plan.words * plan.total, "uint64", huge=True)
        top = zeros(plan.words * spaces, "uint64")
        turn = zeros(len(self.root.turnable), "uint64")
        for number, there in enumerate(self.root.turnable):
            turn[number] = WORD if there else 0
        buffers = [
            (
                zeros(2 * plan.words * plan.widest, "uint64"),
                zeros(2 * plan.widest, "uint32"),
                zeros(SCRATCH_NUMBERS, "int64"),
            )
            for _ in range(self.limits.threads)
        ]
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
            rows, batch = plan.rows(more), plan.batches[more]
            for start in range(0, rows, batch):
                self._check_limits()
                end = min(rows, start + batch)
                share = -(-(end - start) // len(buffers))
                firsts = range(start, end, share)
                ends = (min(end, first + share) for first in firsts)
                work = partial(self._make, arguments, top)
                for _ in (threads.map if len(buffers) > 1 else map)(work, buffers, firsts, ends):
                    pass  # an error of a thread is raised here
                self.made += (end - start) * (
                    plan.width(more) + (0 if plan.plies == 2 * more + 1 else plan.width_between(more))
                )
        return [top[plan.words * number : plan.words * (number + 1)] for number in range(spaces)]

    def _make(
        self, arguments: tuple[Buffer | int, ...], top: Buffer, own: ScratchBuffers, start: int, end: int
    ) -> None:
        """Makes some rows of a ply."""
        self._kernels("rows" if self.plan.words == WHOLE else "rows_of_halves", *arguments, *own, top, start, end)

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


def values_from(wins: int, holds: int, mine: int, theirs: int) -> tuple[int, int]:
    """The states in which the player to move wins, and does not lose, from reachable results and the lines."""
    return (wins | mine) & ~theirs, mine | holds & ~theirs
