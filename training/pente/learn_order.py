"""Training of the order of moves: ranks by which the move that a search chose comes first as often as possible.

A move's rank is the sum of one number for the kinds of threats that its stone would make for both players, and of one
for each of the four codes of its point as the mover sees them. The exponentials of the ranks are taken as the odds of
the moves to be chosen (softmax), and the numbers are fitted to the moves chosen in games by gradient descent. A row of
codes has a number of its own and shares others with the rows that are like it (see `learn.row_groups`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.position_kernels import KIND_BITS, KIND_OF
from pentad.games.pente.engine.search_kernels import SHAPES
from pentad.games.pente.engine.state import kernels, row_numbers, state_of
from pentad.games.pente.rules import GAME, PentePosition
from pentad.kernels.buffers import Buffer, array
from training.common import Moments

Numbers = NDArray[np.int64]
Doubles = NDArray[np.float64]
BATCH = 256
RATE = 0.02  # of the first step; it falls to nothing
HELD_OUT = 10  # one game of so many is not fitted to
EARLY = (1, 5, 10)  # it is told how often the chosen move is among so many


@dataclass(frozen=True)
class Choices:
    """The moves of positions, one position after the other, and which of them was chosen."""

    rows: NDArray[np.int16]  # of a move's four codes, as the mover sees them
    kinds: NDArray[np.int8]  # the pair of the kinds of threats
    starts: Numbers  # of each position's moves; one more for the end
    chosen: Numbers  # by its place among all moves
    games: Numbers

    def __len__(self) -> int:
        return len(self.chosen)

    def of(self, positions: Numbers) -> tuple[Numbers, Numbers]:
        """The moves of some positions, and the place in the list of the position that each belongs to."""
        counts = np.diff(self.starts)[positions]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(self.starts[positions], counts) + within, np.repeat(np.arange(len(positions)), counts)


def choices(rules: str, points: NDArray[np.int16], uses: NDArray[np.int8], ends: Numbers) -> Choices:
    """The choices of games, given as in `learn.Games`, in the positions that are to be used."""
    start = state_of(cast(PentePosition, GAME.new(rules=rules, opening="free")))
    by_code, swapped = (np.asarray(each) for each in row_numbers(start.tables.reach))
    size = start.numbers[k.SIZE]
    inside = np.array([row * k.STRIDE + column for row in range(k.EDGE, k.EDGE + size) for column in range(size)])
    found: list[tuple[Any, ...]] = []
    for game, (first, last) in enumerate(zip(np.append(0, ends[:-1]), ends, strict=True)):
        state = start.copy()
        board, numbers = np.asarray(state.board), np.asarray(state.numbers)
        make = kernels().bind("make", state.parts)
        for move in range(first, last):
            me = int(numbers[k.MOVER])
            moves = inside[(board[k.HELD + inside] == k.EMPTY) & (numbers[k.SUMS + inside] & SHAPES != 0)]
            if uses[move] and len(at := np.flatnonzero(moves == points[move])):
                rows = by_code[board[k.CODES + k.AXES * moves[:, None] + np.arange(k.AXES)]]
                totals = numbers[k.SUMS + moves]
                mine, theirs = (KIND_OF[totals >> k.SIDE * colour & KIND_BITS] for colour in (me, 1 - me))
                seen = swapped[rows] if me else rows
                found.append((seen.astype(np.int16), (k.KINDS * mine + theirs).astype(np.int8), at[0], game))
            make(int(points[move]))
    rows, kinds, chosen, games = zip(*found, strict=True)
    starts = np.cumsum([0, *map(len, kinds)])
    return Choices(np.concatenate(rows), np.concatenate(kinds), starts, starts[:-1] + chosen, np.array(games))


class OrderFit:
    """The numbers in training: of pairs of kinds, then of groups of rows. A row's rank sums those of its groups."""

    def __init__(self, groups: Sequence[Numbers]) -> None:
        sizes = [int(group.max()) + 1 for group in groups]
        firsts = k.ROW_ORDERS + np.cumsum([0, *sizes])
        self._parts = np.stack([group + first for group, first in zip(groups, firsts, strict=False)], 1)
        self.numbers = np.zeros(firsts[-1])
        self._moments = Moments.of(self.numbers)

    def by_row(self) -> Doubles:
        """The sum of the numbers of each row."""
        whole: Doubles = self.numbers[self._parts].sum(axis=1)
        whole[0] = 0  # the row of codes without stones
        return whole

    def chances(self, choices: Choices, moves: Numbers, owners: Numbers) -> Doubles:
        """The chance of each of some moves to be chosen in its position."""
        ranks = self.by_row()[choices.rows[moves]].sum(axis=1) + self.numbers[choices.kinds[moves]]
        highest = np.full(owners[-1] + 1, -np.inf)
        np.maximum.at(highest, owners, ranks)
        odds = np.exp(ranks - highest[owners])
        share: Doubles = odds / np.bincount(owners, odds)[owners]
        return share

    def slopes(self, choices: Choices, positions: Numbers) -> tuple[float, Doubles]:
        """The mean loss of some positions, and its gradient."""
        moves, owners = choices.of(positions)
        change = self.chances(choices, moves, owners)
        chosen = moves == choices.chosen[positions][owners]
        loss = -float(np.log(np.maximum(change[chosen], 1e-9)).mean())
        change = (change - chosen) / len(positions)
        shares = np.repeat(change, k.AXES)
        by_row = np.bincount(choices.rows[moves].ravel(), weights=shares, minlength=len(self._parts))
        by_row[0] = 0
        found = np.bincount(choices.kinds[moves], weights=change, minlength=len(self.numbers)).astype(np.float64)
        for parts in self._parts.T:
            found += np.bincount(parts, weights=by_row, minlength=len(self.numbers))
        return loss, found

    def step(self, slopes: Doubles, rate: float) -> None:
        """A step of the descent."""
        self.numbers -= rate * self._moments.direction(slopes)

    def order(self) -> Buffer:
        """The ranks as the search wants them."""
        whole = np.append(self.numbers[: k.ROW_ORDERS], self.by_row()) * k.ORDER_UNIT
        return array(np.rint(whole).astype(int).tolist(), "int32")

    def places(self, choices: Choices, positions: Numbers) -> Numbers:
        """The place of the chosen move in the order, from 0 on, in each of some positions."""
        moves, owners = choices.of(positions)
        chances = self.chances(choices, moves, owners)
        own = chances[moves == choices.chosen[positions][owners]]
        return np.bincount(owners, chances > own[owners]).astype(np.int64)


def fit_order(
    choices: Choices, groups: Sequence[Numbers], epochs: int, after_epoch: Callable[..., None] = lambda *row: None
) -> Buffer:
    """The ranks fitted to choices; prints how often the chosen move of games that are held out comes early.

    `after_epoch` is called with the number of the epoch, its mean loss, and the shares of moves that are `EARLY`.
    """
    held = np.flatnonzero(choices.games % HELD_OUT == 0)
    fitted = np.flatnonzero(choices.games % HELD_OUT != 0)
    fit, batches = OrderFit(groups), max(len(fitted) // BATCH, 1)
    for epoch in range(epochs):
        shuffled = np.random.default_rng(epoch).permutation(fitted)
        losses = []
        for number in range(batches):
            loss, slopes = fit.slopes(choices, shuffled[number * BATCH : (number + 1) * BATCH])
            losses.append(loss)
            fit.step(slopes, RATE * (1 - (epoch * batches + number) / (epochs * batches)))
        loss, shares = float(np.mean(losses)), []
        text = f"order, epoch {epoch + 1}: loss {loss:.4f}"
        if len(held):
            places = fit.places(choices, held)
            shares = [float(np.mean(places < count)) for count in EARLY]
            each = (f"{100 * share:.0f} % among the first {count}" for share, count in zip(shares, EARLY, strict=True))
            text += f"; held out: {', '.join(each)}"
        print(text, flush=True)
        after_epoch(epoch, round(loss, 5), *(round(share, 4) for share in shares))
    return fit.order()
