"""The line strategy: a cell is worth what the open lines through it promise.

A line is open for a side as long as it holds no piece of the other. Each open line that holds pieces of a side
gives each of its empty cells the weight that the side's table has for so many pieces. Offence goes by one's
own lines, defence by the opponent's. `docs/lines.md` tells it with examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from pentad.game import GameError, shown
from pentad.pente.board import Board, points_of

# How many pieces of a line there are → the weight that each of its empty cells gets.
Table = Mapping[int, int]
Weights = tuple[int, ...]  # of every point, from the bottom left; 0 where a piece stands

MOST_WEIGHT = 10**9

DEFENSIVE, OFFENSIVE, BOTH = "defensive", "offensive", "both"
STRATEGIES = {
    DEFENSIVE: "goes where the opponent's lines weigh most",
    OFFENSIVE: "goes where its own lines weigh most",
    BOTH: "goes where its own and the opponent's lines weigh most together",
}

PLACED, AFTER = "placed", "after"
COUNTS = {
    PLACED: "a table's number is that of the pieces in the line",
    AFTER: "a table's number includes the piece about to be placed",
}


def document_table(line: int) -> dict[int, int]:
    """The weights that the document prints, for lines of this length.

    >>> document_table(5)
    {1: 2, 2: 2, 3: 5, 4: 10, 5: 20}
    """
    urgent = {line: 4 * line, line - 1: 2 * line, line - 2: line}
    return {pieces: urgent.get(pieces, line // 2) for pieces in range(1, line + 1)}


def check_table(table: Table, line: int) -> dict[int, int]:
    """The table, if it has a weight for every number of pieces that a line may hold."""
    rows = f"1 to {line}"
    if not isinstance(table, Mapping):
        raise GameError(f"a weight table has rows pieces: weight for {rows} pieces, and is not {shown(table)}")
    for pieces in table:
        if type(pieces) is not int or not 1 <= pieces <= line:
            raise GameError(f"a weight table has rows for {rows} pieces, not for {shown(pieces)}")
    for pieces in range(1, line + 1):
        if pieces not in table:
            raise GameError(f"a weight table has rows for {rows} pieces; that for {pieces} is missing")
        weight = table[pieces]
        if type(weight) is not int or not 0 <= weight <= MOST_WEIGHT:
            raise GameError(f"a weight is a whole number from 0 to {MOST_WEIGHT}, not {shown(weight)}")
    return {pieces: table[pieces] for pieces in range(1, line + 1)}


def check_word(what: str, word: str, known: Mapping[str, str]) -> str:
    """A strategy or a count, if there is one of that name."""
    if not isinstance(word, str) or word not in known:
        raise GameError(f"a {what} is {', '.join(list(known)[:-1])} or {list(known)[-1]}, not {shown(word)}")
    return word


# ── weighing ─────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=64)
def _lines(board: Board) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Every line as a set of points, and the same points one by one."""
    return tuple((line.points, tuple(points_of(line.points))) for line in board.lines)


def side_weights(board: Board, stones: tuple[int, int], side: int, table: Table, count: str = PLACED) -> Weights:
    """What the open lines of a side (0 or 1) give to each empty cell."""
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
    """The weight of every cell as one side sees it, and the cells that are best for it.

    `best` are those of the highest weight that are nearest to the centre: more than one if chance must choose.
    """

    board: Board
    stones: tuple[int, int]
    side: int
    weights: Weights
    best: tuple[int, ...]

    @property
    def highest(self) -> int:
        """The weight of the best cells; 0 where there is none."""
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
    """Weigh the board for a side; `tables` are those of side 0 and 1, `allowed` the points it may choose from."""
    check_word("strategy", strategy, STRATEGIES)
    check_word("count", count, COUNTS)
    given = tables or (document_table(board.line),) * 2
    looked_at = {DEFENSIVE: (1 - side,), OFFENSIVE: (side,), BOTH: (0, 1)}[strategy]
    layers = (side_weights(board, stones, each, given[each], count) for each in looked_at)
    weights = tuple(map(sum, zip(*layers, strict=True)))
    free = board.all_points & ~(stones[0] | stones[1])
    return Weighing(board, stones, side, weights, _best(board, weights, free if allowed is None else allowed))


def _best(board: Board, weights: Weights, allowed: int) -> tuple[int, ...]:
    """Of the allowed points those of the highest weight; of these, those nearest to the centre."""
    ranks = [(-weights[point], board.distance_to_centre(point), point) for point in points_of(allowed)]
    first = min(ranks, default=(0, 0, 0))[:2]
    return tuple(point for *rank, point in ranks if tuple(rank) == first)
