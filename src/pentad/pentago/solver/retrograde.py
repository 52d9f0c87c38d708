"""The pass from full boards, or from some ply on, back to the root: every way to go on, none twice.

It gives what each first marble of the mover is worth, for all rotations at once. Looking at all plies it is
exact; looking at fewer it proves the wins and losses that can be forced within these, and nothing about the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from math import comb
from typing import TypeAlias

from pentad import native
from pentad.game import GameError, Move
from pentad.native import Words
from pentad.pentago.solver.root import LOT, TURNINGS, Root, through
from pentad.system_memory import free_memory

KERNELS = "pentad.pentago.solver.pass_kernels"
LINES = 4  # words of the lines of a set
BYTES = 8  # of a word
WHOLE, HALF = 4, 2  # words of a board: whether the mover wins and whether he loses, or one of the two
SETS_AT_ONCE = 100_000  # for which lines are looked up before anybody may stop it
BOARDS_AT_ONCE = 200_000  # that a thread makes before anybody may stop it
WORD = (1 << LOT) - 1
PART = 9  # spaces whose sets the kernels have a table of
NOTES = 80  # numbers that a thread notes of a row
NEARLY_ALL = 0.85  # of the free memory, which may be used where nobody says how much

# Told how many boards have been made, of how many; whoever wants to stop raises.
Progress = Callable[[int, int], None]
Desk: TypeAlias = tuple[Words, Words, Words]  # where a thread works on a row


class CannotSolve(GameError):
    """The memory or the time allowed is not enough; the message says what is needed.

    `values` are what is proved of some moves nevertheless, `distances` how far the end is with them, if that was asked.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.values: dict[Move, int] = {}
        self.distances: dict[Move, int] = {}


def boards(spaces: int, plies: int) -> int:
    """How many boards there are within so many plies of a root with so many empty spaces, rotations not counted."""
    return sum(comb(spaces, ply) * comb(ply, ply // 2) for ply in range(1, plies + 1))


def most_boards_at_once(spaces: int, plies: int) -> int:
    """How many of them must be kept at some time, at the least."""
    return max(comb(spaces, ply) * comb(ply, ply // 2) for ply in range(1, plies + 1, 2))


def needs(memory: int, marbles: int, allowed: int) -> str:
    """Why it cannot be, in words."""
    return f"needs {in_words(memory)} for {marbles} marbles; allowed {in_words(allowed)}"


@dataclass
class Limits:
    """What a pass may use: bytes, the time by which it must be done, threads."""

    memory: int
    until: float | None = None
    threads: int = 1
    progress: Progress | None = None


@dataclass
class Plan:
    """Where the boards of the plies that are kept stand, so that each ply takes the place of the one before.

    `more` is how many marbles more than at the root the mover has on the boards of a ply, less one.
    """

    spaces: int
    plies: int
    threads: int
    words: int = WHOLE  # of a board
    starts: dict[int, int] = field(init=False)  # in boards
    lots: dict[int, int] = field(init=False)  # of rows that are made at once, by all threads together
    total: int = field(init=False)  # boards that there must be room for

    def __post_init__(self) -> None:
        kernels = native.program(KERNELS)
        self.lots = {more: self._lot(more) for more in self.levels}
        self.starts = {}
        place = 0
        for more in self.levels:
            if self.starts:
                place -= kernels("room_below", self.spaces, more, self.lots[more])
            self.starts[more] = place
        lowest = min(self.starts.values())
        self.starts = {more: start - lowest for more, start in self.starts.items()}
        self.total = max(start + self.size(more) for more, start in self.starts.items())

    @property
    def levels(self) -> range:
        """How far the mover is ahead of the root, less one, from the last ply that is kept to the first."""
        return range((self.plies - 1) // 2, -1, -1)

    def rows(self, more: int) -> int:
        """How many sets of marbles the mover may have."""
        return comb(self.spaces, more + 1)

    def width(self, more: int) -> int:
        """How many boards a row has."""
        return comb(self.spaces - more - 1, more)

    def width_between(self, more: int) -> int:
        """How many boards it has a ply on."""
        return comb(self.spaces - more - 1, more + 1)

    def boards_of_row(self, more: int) -> int:
        """How many boards are made for a row: its own, and those a ply on if that is looked at."""
        return self.width(more) + (self.width_between(more) if 2 * more + 2 <= self.plies else 0)

    def size(self, more: int) -> int:
        return self.rows(more) * self.width(more)

    def _lot(self, more: int) -> int:
        return max(1, self.threads * BOARDS_AT_ONCE // self.boards_of_row(more))

    @property
    def widest(self) -> int:
        return max(max(self.width(more), self.width_between(more)) for more in self.levels)

    @cached_property
    def sets(self) -> tuple[int, int]:
        """How many sets of marbles the mover may come to have, and the other."""
        mine, his = (self.plies + 1) // 2, self.plies // 2
        return tuple(sum(comb(self.spaces, n) for n in range(most + 1)) for most in (mine, his))  # type: ignore[return-value]

    @property
    def memory(self) -> int:
        """The bytes that the pass takes."""
        tables = 4 * max(
            comb(free, more) * (free - more) + free * comb(max(free - 1, 0), more + 1)
            for more in self.levels
            for free in (self.spaces - more - 1,)
        )
        scratch = self.threads * self.widest * (2 * BYTES * self.words + 2 * 4)
        return BYTES * (self.words * self.total + LINES * sum(self.sets)) + tables + scratch


@lru_cache(maxsize=256)
def plan_within(memory: int, spaces: int, plies: int, threads: int) -> Plan:
    """The plan for a pass that keeps to the memory: in one sweep, or else in two of half the memory each."""
    whole = Plan(spaces, plies, threads)
    return whole if whole.memory <= memory else Plan(spaces, plies, threads, HALF)


def needed(memory: int, spaces: int, plies: int, threads: int) -> int:
    """The bytes that such a pass takes; where `memory` is not enough for it, something above that."""
    if not plies:
        return 0
    least = BYTES * HALF * most_boards_at_once(spaces, plies)  # where that is too much, a plan need not be made
    return least if least > memory else plan_within(memory, spaces, plies, threads).memory


def usual_memory() -> int:
    """The bytes that may be used where nobody says how many."""
    return int(free_memory() * NEARLY_ALL)


def in_words(size: int) -> str:
    """Bytes as people say them.

    >>> in_words(13_400_000_000), in_words(512_000), in_words(50 * 10**15)
    ('13 GB', '512 kB', '50 PB')
    """
    units = ((10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"), (1, "B"))
    unit, name = next((each for each in units if size >= each[0]), units[-1])
    return f"{size / unit:.2g} {name}" if size < 10 * unit else f"{size / unit:.0f} {name}"


class Pass:
    """One pass over a root, looking so many plies ahead: what the mover gets by each first marble.

    Where there is not the memory for both, it asks first whether he wins and then whether he loses.
    """

    def __init__(self, root: Root, plies: int, limits: Limits) -> None:
        self.root = root
        self.limits = limits
        self.spaces = root.spaces
        self.plan = plan_within(limits.memory, len(self.spaces), plies, limits.threads)
        if self.plan.memory > limits.memory:
            raise CannotSolve(needs(self.plan.memory, root.board.size - len(self.spaces), limits.memory))
        self.sweeps = WHOLE // self.plan.words
        self.total = self.sweeps * boards(len(self.spaces), plies)
        self.made = 0
        self._kernels = native.program(KERNELS)
        self._corner = native.words(len(self.spaces), "int64")
        self._through = native.words(4 * len(self.spaces))
        self._mover_lines = self._lines(root.other, self.plan.sets[0])
        self._other_lines = self._lines(root.mover, self.plan.sets[1])
        self._top: list[tuple[int, int]] = []
        with ThreadPoolExecutor(limits.threads) as threads:
            answers = [self._run(threads, question) for question in range(self.sweeps)]
        self._tell()
        for number in range(len(self.spaces)):
            words = [word for answer in answers for word in answer[number]]
            self._top.append((words[0] | words[1] << LOT, words[2] | words[3] << LOT))

    # ── what is found ────────────────────────────────────────────────────────────────────────────

    def first_marble(self, number: int) -> tuple[int, int]:
        """By the mover's marble on the n-th empty space: the states after rotating where he wins, or does not lose."""
        return self._top[number]

    def wins_at_once(self, number: int) -> int:
        """The states in which the mover's marble on the n-th empty space makes a line before any rotation."""
        return self._half(self._mover_lines, LINES * (1 + number), self.root.kind) if self.root.wins_at_once else 0

    @property
    def values(self) -> tuple[int, int]:
        """The states, of those in which the root may stand, in which the mover wins, and in which he does not lose."""
        wins, holds = 0, 0
        for number in range(len(self.spaces)):
            won, held = self.first_marble(number)
            at_once = self.wins_at_once(number)
            wins |= at_once | spread(won, self.root.turnable)
            holds |= at_once | spread(held, self.root.turnable)
        return worth(wins, holds, *self.lines_at_root)

    @property
    def lines_at_root(self) -> tuple[int, int]:
        """The states in which the mover has a line already, and in which the other has."""
        kind = self.root.kind
        return self._half(self._mover_lines, 0, kind), self._half(self._other_lines, 0, kind)

    @staticmethod
    def _half(lines: Words, place: int, kind: int) -> int:
        return lines[place + 2 * kind] | lines[place + 2 * kind + 1] << LOT

    # ── finding it ───────────────────────────────────────────────────────────────────────────────

    def _lines(self, rival: int, sets: int) -> Words:
        """The lines of all sets of marbles that one may come to have; the rival's marbles break some for good."""
        spaces = len(self.spaces)
        found = native.words(LINES * sets)
        work = native.words(TURNINGS * ((-(-spaces // PART) << PART) + 2))
        fixed = native.words(TURNINGS)
        broken = self.root.broken(rival)
        table = through(self.root.board)
        for first, kept in self.root.lots:
            for turning, lines in enumerate(broken):
                fixed[turning] = lines >> first & kept
            for number, space in enumerate(self.spaces):
                corner, turned = table[space]
                self._corner[number] = corner
                for turns, lines in enumerate(turned):
                    self._through[4 * number + turns] = lines >> first & kept
            place, size = 0, 0
            while place < LINES * sets:
                count = comb(spaces, size)
                for start in range(0, count, SETS_AT_ONCE):
                    self._look_up()
                    end = min(count, start + SETS_AT_ONCE)
                    self._kernels(
                        "lines_of_sets", spaces, size, start, end, kept, fixed, self._corner, self._through, work,
                        found[place:],
                    )  # fmt: skip
                place += LINES * count
                size += 1
        return found

    def _run(self, threads: ThreadPoolExecutor, question: int) -> list[Words]:
        """For each first marble the words that say what the mover gets; all, or those of the one question."""
        plan, spaces = self.plan, len(self.spaces)
        kept = native.words(plan.words * plan.total, huge=True)
        top = native.words(plan.words * spaces)
        turn = native.words(len(self.root.turnable))
        for number, there in enumerate(self.root.turnable):
            turn[number] = WORD if there else 0
        desks = [
            (
                native.words(2 * plan.words * plan.widest),
                native.words(2 * plan.widest, "uint32"),
                native.words(NOTES, "int64"),
            )
            for _ in range(self.limits.threads)
        ]
        asked: tuple[int, ...] = () if plan.words == WHOLE else (0 if question else WORD,)
        at_once = WORD if self.root.wins_at_once else 0
        for more in plan.levels:
            free = spaces - more - 1
            last = 2 * more + 2 >= plan.plies
            larger = native.words(plan.width(more) * (free - more), "uint32")
            without = native.words(0 if last else free * comb(free - 1, more + 1), "uint32")
            self._kernels("tables", spaces, more, plan.words, larger, without)
            old, new = plan.words * plan.starts.get(more + 1, 0), plan.words * plan.starts[more]
            given: tuple[Words | int, ...] = (
                *asked, kept, old, new, self._mover_lines, self._other_lines, spaces, more, plan.plies, self.root.kind,
                at_once, turn, larger, without,
            )  # fmt: skip
            rows, lot = plan.rows(more), plan.lots[more]
            for start in range(0, rows, lot):
                self._look_up()
                end = min(rows, start + lot)
                self._share(threads, partial(self._make, given, top), desks, start, end)
                self.made += (end - start) * (
                    plan.width(more) + (0 if plan.plies == 2 * more + 1 else plan.width_between(more))
                )
        return [top[plan.words * number : plan.words * (number + 1)] for number in range(spaces)]

    def _make(self, given: tuple[Words | int, ...], top: Words, desk: Desk, start: int, end: int) -> None:
        """Make some rows of a ply."""
        self._kernels("rows" if self.plan.words == WHOLE else "rows_of_halves", *given, *desk, top, start, end)

    @staticmethod
    def _share(
        threads: ThreadPoolExecutor,
        make: Callable[[Desk, int, int], None],
        desks: list[Desk],
        start: int,
        end: int,
    ) -> None:
        """Have rows made by all threads together; nobody is left at work, whatever happens."""
        if len(desks) == 1:
            make(desks[0], start, end)
            return
        share = -(-(end - start) // len(desks))
        work = [
            threads.submit(make, desk, first, min(end, first + share))
            for desk, first in zip(desks, range(start, end, share), strict=False)
        ]
        wait(work)
        for each in work:
            each.result()

    def _look_up(self) -> None:
        """Tell how far it is, and see whether the time is over."""
        self._tell()
        if self.limits.until is not None and time.monotonic() > self.limits.until:
            raise CannotSolve("the time allowed was not enough")

    def _tell(self) -> None:
        if self.limits.progress:
            self.limits.progress(self.made, self.total)


# ── halves of rotation states ────────────────────────────────────────────────────────────────────

FIRST = int("1" * 16, 16)  # states in which the first sub-board has not been turned
SECOND = int("000F" * 4, 16)  # those in which the second has not
THIRD = int("FFFF", 16)


def spread(states: int, turnable: list[bool]) -> int:
    """All states from which one twist leads into these."""
    words = (states & WORD, states >> LOT)
    found = [words[0] | words[1] if turnable[3] else 0] * 2
    for number, x in enumerate(words):
        for there, unit, step in zip(turnable, (FIRST, SECOND, THIRD), (1, 4, 16), strict=False):
            ways = [x >> step * turns & unit for turns in range(4)]
            even, odd = ways[0] | ways[2], ways[1] | ways[3]
            if there:
                found[number] |= odd | even << step | odd << 2 * step | even << 3 * step
    return found[0] | found[1] << LOT


def worth(wins: int, holds: int, mine: int, his: int) -> tuple[int, int]:
    """The states in which the one to move wins, and does not lose, if he can come to these and has these lines."""
    return (wins | mine) & ~his, mine | holds & ~his
