"""Line strategy: the weight of a cell is the sum over the open lines through it.

A line is open for a side as long as it holds no piece of the other. Each open line with pieces of a side adds the
weight for that number of pieces, from the side's table, to each of its empty cells. Offence uses the own lines, defence
the opponent's. `docs/lines.md` has examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from pentad.game import GameError, shown
from pentad.pente.board import Board, points_of

# The number of pieces in a line → the weight added to each of its empty cells.
Table = Mapping[int, int]
Weights = tuple[int, ...]  # of every point, from the bottom left; 0 for an occupied one

MOST_WEIGHT = 10**9

DEFENSIVE, OFFENSIVE, BOTH = "defensive", "offensive", "both"
STRATEGIES = {
    DEFENSIVE: "plays where the opponent's lines weigh most",
    OFFENSIVE: "plays where its own lines weigh most",
    BOTH: "plays where its own and the opponent's lines together weigh most",
}

PLACED, AFTER = "placed", "after"
COUNTS = {
    PLACED: "a table's numbers count the pieces in the line",
    AFTER: "a table's numbers include the piece about to be placed",
}


def document_table(line: int) -> dict[int, int]:
    """The weights in the requirement document, for lines of a length.

    >>> document_table(5)
    {1: 2, 2: 2, 3: 5, 4: 10, 5: 20}
    """
    urgent = {line: 4 * line, line - 1: 2 * line, line - 2: line}
    return {pieces: urgent.get(pieces, line // 2) for pieces in range(1, line + 1)}


def check_table(table: Table, line: int) -> dict[int, int]:
    """The table; raises GameError unless it has a weight for every number of pieces in a line."""
    rows = f"1 to {line}"
    if not isinstance(table, Mapping):
        raise GameError(f"A weight table maps {rows} pieces to weights, not {shown(table)}.")
    for pieces in table:
        if type(pieces) is not int or not 1 <= pieces <= line:
            raise GameError(f"A weight table has rows for {rows} pieces, not for {shown(pieces)}.")
    for pieces in range(1, line + 1):
        if pieces not in table:
            raise GameError(f"A weight table has rows for {rows} pieces; the row for {pieces} is missing.")
        weight = table[pieces]
        if type(weight) is not int or not 0 <= weight <= MOST_WEIGHT:
            raise GameError(f"A weight must be a whole number from 0 to {MOST_WEIGHT}, not {shown(weight)}.")
    return {pieces: table[pieces] for pieces in range(1, line + 1)}


def check_name(kind: str, name: str, known: Mapping[str, str]) -> str:
    """The name of a strategy or a count; raises GameError if it is unknown."""
    if not isinstance(name, str) or name not in known:
        raise GameError(f"The {kind} must be {', '.join(list(known)[:-1])} or {list(known)[-1]}, not {shown(name)}.")
    return name


# ── weighing ─────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=64)
def _lines(board: Board) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Every line as a set of points, and as a tuple of the same points."""
    return tuple((line.points, tuple(points_of(line.points))) for line in board.lines)


def side_weights(board: Board, stones: tuple[int, int], side: int, table: Table, count: str = PLACED) -> Weights:
    """The weight of each empty cell from the open lines of a side (0 or 1)."""
    mine, theirs = stones[side], stones[1 - side]
    coming = count == AFTER
    weights = [0] * board.size**2
    for line, points in _lines(board):
        held = line & mine
        if held and held != line and not line & theirs:
            weight = table[held.bit_count() + coming]
            for point in points:
                weights[point] += weight
    for point in points_of(mine | theirs):
        weights[point] = 0
    return tuple(weights)


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weight of every cell for one side, and the best cells.

    `best` are the cells of the highest weight that are nearest to the centre; ties are broken at random.
    """

    board: Board
    stones: tuple[int, int]
    side: int
    weights: Weights
    best: tuple[int, ...]

    @property
    def highest(self) -> int:
        """The weight of the best cells; 0 if there is none."""
        return self.weights[self.best[0]] if self.best else 0

    def choose(self, chance: Random) -> int:
        """One of the best points."""
        return chance.choice(self.best)


def weigh(
    board: Board,
    stones: tuple[int, int],
    side: int,
    *,
    strategy: str = BOTH,
    count: str = PLACED,
    tables: tuple[Table, Table] | None = None,
    allowed: int | None = None,
) -> Weighing:
    """Weighs the board for a side; `tables` are those of side 0 and 1, `allowed` the points to choose from."""
    check_name("strategy", strategy, STRATEGIES)
    check_name("count", count, COUNTS)
    both_tables = tables or (document_table(board.line),) * 2
    sides = {DEFENSIVE: (1 - side,), OFFENSIVE: (side,), BOTH: (0, 1)}[strategy]
    layers = (side_weights(board, stones, each, both_tables[each], count) for each in sides)
    weights = tuple(map(sum, zip(*layers, strict=True)))
    free = board.all_points & ~(stones[0] | stones[1])
    return Weighing(board, stones, side, weights, _best(board, weights, free if allowed is None else allowed))


def _best(board: Board, weights: Weights, allowed: int) -> tuple[int, ...]:
    """The allowed points of the highest weight that are nearest to the centre."""
    ranks = [(-weights[point], board.distance_to_centre(point), point) for point in points_of(allowed)]
    first = min(ranks, default=(0, 0, 0))[:2]
    return tuple(point for *rank, point in ranks if tuple(rank) == first)
