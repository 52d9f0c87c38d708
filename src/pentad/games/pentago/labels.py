"""Exact labels in bulk: the values of random boards below a root, from one pass of the solver.

A pass computes the mover's result on every board that is reached from its root, for all rotations at once. The boards
after equally many marbles of both players, with the root's mover to place, get their values from those a ply later, on
which the mover has placed and has yet to twist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pentad.game import GameError
from pentad.games.pentago.board import CLOCKWISE, Board, Twist, spaces_of
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.constants import LINES
from pentad.games.pentago.solver.constants import Words as Lines
from pentad.games.pentago.solver.rank_kernels import CHOOSE
from pentad.games.pentago.solver.retrograde import HALF, Pass, PassLimits, PassRoot, Progress, default_memory
from pentad.kernels.buffers import Buffer

Numbers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

STATES = 128  # rotation states of one kind
MIXED = np.uint64(0x9E3779B97F4A7C15)
MOST = 10_000_000  # labels below one root
SPACES = 14  # empty spaces of a root: some tenths of a second for a pass


@dataclass(frozen=True, slots=True)
class LabelledBoards:
    """Distinct boards with their exact values: 1 if the player to move wins, 0 for a draw, -1 for a loss."""

    own: Words  # the marbles of the player to move, as bits in reading order
    other: Words
    value: NDArray[np.int8]

    def columns(self) -> Mapping[str, NDArray[np.generic]]:
        """The labels as columns of a table; features are the marbles of both players and their number."""
        return {
            "own": self.own,
            "other": self.other,
            "marbles": np.bitwise_count(self.own | self.other).astype(np.uint8),
            "value": self.value,
            "exact": np.ones(len(self.value), np.bool_),
        }


def random_root(start: PentagoPosition, rng: np.random.Generator, spaces: int = SPACES) -> PentagoPosition:
    """A position with so many empty spaces, by random moves that do not end the game."""
    while True:
        here = start
        while here.outcome is None and here.empty.bit_count() > spaces:
            moves = here.legal_moves
            here = here.play(moves[int(rng.integers(len(moves)))])
        if here.outcome is None:
            return here


def labels(root: PentagoPosition, count: int, seed: int, progress: Progress | None = None) -> LabelledBoards:
    """Exact values of at most `count` random boards below a root, distinct and not over.

    >>> from pentad.games.pentago import from_number
    >>> here = from_number(4312211864716913874)
    >>> found = labels(here, 100, seed=1)
    >>> len(found.value), set(found.value.tolist()) <= {-1, 0, 1}
    (100, True)
    """
    if root.placed or root.outcome:
        raise GameError("Labels need a root before a placement, in a game that is not over.")
    sampled = _Sampled(root, count, np.random.default_rng(seed), progress)
    return sampled.labels()


def bulk(start: PentagoPosition, count: int, seed: int) -> Mapping[str, NDArray[np.generic]]:
    """The columns of so many labels, below a random root of a game's start."""
    rng = np.random.default_rng(seed)
    found = labels(random_root(start, rng), count, seed)
    if len(found.value) < count:
        raise GameError(
            "A shard can have {count:,} labels from this root, not {most:,}. Make more shards.",
            count=len(found.value),
            most=count,
        )
    return found.columns()


@dataclass
class _Level:
    """Sampled boards of one level: the sets of both players among the root's empty spaces, and their results."""

    mine: Numbers
    theirs: Numbers
    wins: Words = field(init=False)  # two words of states for each board
    holds: Words = field(init=False)


class _Sampled(Pass):
    """A pass that reads the results of random boards."""

    def __init__(self, root: PentagoPosition, count: int, rng: np.random.Generator, progress: Progress | None) -> None:
        self._count, self._rng = count, rng
        self._levels: dict[int, _Level] = {}
        self._spaces = root.empty.bit_count()
        solver_root = PassRoot.of(root)
        limits = PassLimits(default_memory(), progress=progress)
        super().__init__(solver_root, self._spaces, limits)
        if self.plan.words == HALF:
            raise GameError("There is not enough memory for labels from this root.")

    # ── sampling ─────────────────────────────────────────────────────────────────────────────────

    def _finish_level(self, more: int, rows: Buffer) -> None:
        boards = self._boards_of(more)
        level = self._levels[more] = _Level(*self._drawn(more, boards))
        spaces, free = self._spaces, self._spaces - more - 1
        words = np.asarray(rows).reshape(-1, 4)
        found = np.zeros((boards, 4), np.uint64)
        width = self.plan.width(more)
        for space in range(spaces):
            empty = ((level.mine | level.theirs) >> space & 1) == 0
            mine = level.mine[empty] | 1 << space
            row = ranks(mine, spaces, more + 1)
            place = ranks(_within(level.theirs[empty], mine, spaces), free, more)
            found[empty] |= words[row * width + place]
        level.wins, level.holds = found[:, :2], found[:, 2:]

    def _boards_of(self, more: int) -> int:
        """How many boards of a level are drawn: as many as there are of the level's share."""
        sizes = {each: self.plan.rows(each) * self.plan.width(each) for each in self.plan.levels}
        share = sizes[more] / sum(sizes.values())
        return max(1, round(3 * self._count * share / STATES))

    def _drawn(self, more: int, boards: int) -> tuple[Numbers, Numbers]:
        """Random sets of `more` spaces for each player, without common spaces."""
        order = self._rng.permuted(np.broadcast_to(np.arange(self._spaces), (boards, self._spaces)), axis=1)
        bits = np.left_shift(1, order)
        return bits[:, :more].sum(axis=1), bits[:, more : 2 * more].sum(axis=1)

    # ── labels ───────────────────────────────────────────────────────────────────────────────────

    def labels(self) -> LabelledBoards:
        """The boards of all levels, in random order."""
        own, other, value = map(np.concatenate, zip(*(self._level(more) for more in sorted(self._levels)), strict=True))
        _, first = np.unique((own * MIXED) ^ other, return_index=True)  # boards with the same hash are the same
        chosen = self._rng.permutation(first)[: self._count]
        return LabelledBoards(own[chosen], other[chosen], value[chosen])

    def _level(self, more: int) -> tuple[Words, Words, NDArray[np.int8]]:
        level, spaces = self._levels[more], self._spaces
        parity = (2 * more + self.root.kind) & 1
        sets = np.cumsum([0, *(CHOOSE[spaces, size] for size in range(more))])[-1]

        def lines(of: Lines, members: Numbers) -> Words:
            table = np.asarray(of).reshape(-1, LINES)
            return table[sets + ranks(members, spaces, more), 2 * parity : 2 * parity + 2]

        over = lines(self.mover_lines, level.mine) | lines(self.other_lines, level.theirs)
        ongoing, won, held = (_unpacked(each) for each in (~over, level.wins, level.holds))
        states = self._states(parity)
        own, other = (
            states.table(base, self.spaces)[:, members].T
            for base, members in ((self.root.mover, level.mine), (self.root.other, level.theirs))
        )
        value = won.astype(np.int8) + held.astype(np.int8) - 1
        return own[ongoing], other[ongoing], value[ongoing]

    def _states(self, parity: int) -> _States:
        return _States(self.root.board, parity)


def _unpacked(words: Words) -> NDArray[np.bool_]:
    """The bits of two words a board, by state."""
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")
    return bits.astype(np.bool_)


@dataclass(frozen=True, slots=True)
class _States:
    """The rotation states of one kind, with an even or an odd sum of quarter turns."""

    board: Board
    parity: int

    def images(self) -> NDArray[np.uint64]:
        """The place of each space in each state, as a bit."""
        board = self.board
        found = np.zeros((STATES, board.size), np.uint64)
        turned = [[1 << space] for space in range(board.size)]
        for space, marbles in enumerate(turned):
            twist = Twist(board.sub_board_of(*divmod(space, board.width)), CLOCKWISE)
            for _ in range(3):
                marbles.append(board.twist(marbles[-1], twist))
        for state in range(STATES):
            turns = [state & 3, state >> 2 & 3, state >> 4 & 3]
            turns.append(2 * (state >> 6) + ((sum(turns) + self.parity) & 1))
            for space in range(board.size):
                corner = board.sub_board_of(*divmod(space, board.width)) - 1
                found[state, space] = turned[space][turns[corner]]
        return found

    def table(self, base: int, spaces: list[int]) -> Words:
        """For each state and each set of the empty spaces the marbles: those of the base and of the set."""
        images = self.images()
        found = np.zeros((STATES, 1), np.uint64)
        for space in spaces_of(base):
            found |= images[:, space : space + 1]
        for space in spaces:
            found = np.concatenate([found, found | images[:, space : space + 1]], axis=1)
        return found


def ranks(members: Numbers, spaces: int, size: int) -> Numbers:
    """The ranks of sets of one size among all sets of that size."""
    found, count = np.zeros(len(members), np.int64), np.zeros(len(members), np.int64)
    for space in range(spaces):
        has = members >> space & 1
        count += has
        found += has * np.asarray(CHOOSE[space])[np.minimum(count, size)]
    return found


def _within(members: Numbers, without: Numbers, spaces: int) -> Numbers:
    """Sets as sets among the spaces that other sets leave free, in their order."""
    found, place = np.zeros(len(members), np.int64), np.zeros(len(members), np.int64)
    for space in range(spaces):
        free = 1 - (without >> space & 1)
        found |= (members >> space & 1) * free << place
        place += free
    return found
