"""Line strategies: weights of cells, bots, and the class `PenteGame` of the requirement document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import NamedTuple, cast

from pentad.game import GameError, IllegalMove, InvalidMove, Move, Position, Step, new, shown
from pentad.games.pente.board import Board, points_of
from pentad.games.pente.notation import COLOURS, SIDES
from pentad.games.pente.rules import SIDES_OFFERED, PentePosition
from pentad.search.bot import Bot, BotEntry
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.search.report import Result

# ── weights ───────────────────────────────────────────────────────────────────────────────────────
#
# A line is open for a side as long as it holds no piece of the other. Each open line with pieces of a side adds the
# weight for that number of pieces, from the side's table, to each of its empty cells. Offence uses the own lines,
# defence the opponent's. The document wants the last two pieces of a line "blocked or filled as soon as possible",
# which its numbers alone do not achieve: many short lines may weigh more. `docs/reference/pente-bots.md` has examples.

# The number of pieces in a line → the weight added to each of its empty cells.
Table = Mapping[int, int]
Weights = tuple[int, ...]  # each point has one, from the bottom left; that of an occupied one is 0

MOST_WEIGHT = 10**9

DEFENSIVE, OFFENSIVE, BOTH = "defensive", "offensive", "both"
STRATEGY_ALIASES = {"offensive-defensive": BOTH}  # the document uses this name
STRATEGIES = {
    DEFENSIVE: "plays where the opponent's lines weigh most",
    OFFENSIVE: "plays where its own lines weigh most",
    BOTH: "plays where its own and the opponent's lines together weigh most",
}
TITLES = {DEFENSIVE: "Blocked lines", OFFENSIVE: "Own lines", BOTH: "Balanced lines"}

AFTER, PLACED = "after", "placed"
COUNTS = {
    AFTER: "a table's numbers include the piece about to be placed, and a cell that completes a line comes first",
    PLACED: "a table's numbers count the pieces in the line, and the weights alone decide",
}
FILLS, BLOCKS = "completes a line", "blocks a line"


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
        raise GameError("A weight table maps {rows} pieces to weights, not {table}.", rows=rows, table=shown(table))
    for pieces in table:
        if type(pieces) is not int or not 1 <= pieces <= line:
            raise GameError(
                "A weight table has rows for {rows} pieces, not for {pieces}.", rows=rows, pieces=shown(pieces)
            )
    for pieces in range(1, line + 1):
        if pieces not in table:
            raise GameError(
                "A weight table has rows for {rows} pieces; the row for {pieces} is missing.", rows=rows, pieces=pieces
            )
        weight = table[pieces]
        if type(weight) is not int or not 0 <= weight <= MOST_WEIGHT:
            raise GameError(
                "A weight must be a whole number from 0 to {most_weight}, not {weight}.",
                most_weight=MOST_WEIGHT,
                weight=shown(weight),
            )
    return {pieces: table[pieces] for pieces in range(1, line + 1)}


def check_name(kind: str, name: str, known: Mapping[str, str]) -> str:
    """The name of a strategy or a count, which may be an alias; raises GameError if it is unknown."""
    if isinstance(name, str):
        name = STRATEGY_ALIASES.get(name, name)
    if not isinstance(name, str) or name not in known:
        raise GameError(
            "The {kind} must be {known} or {last}, not {name}.",
            kind=kind,
            known=", ".join(list(known)[:-1]),
            last=list(known)[-1],
            name=shown(name),
        )
    return name


# ── weighing ─────────────────────────────────────────────────────────────────────────────────────


def side_weights(board: Board, stones: tuple[int, int], side: int, table: Table, count: str = AFTER) -> Weights:
    """The weight of each empty cell from the open lines of a side (0 or 1)."""
    mine, theirs = stones[side], stones[1 - side]
    coming = count == AFTER
    weights = [0] * board.size**2
    for line, _ in board.lines:
        held = line & mine
        if held and held != line and not line & theirs:
            weight = table[held.bit_count() + coming]
            for point in points_of(line):
                weights[point] += weight
    for point in points_of(mine | theirs):
        weights[point] = 0
    return tuple(weights)


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weight of every cell for one side, and the best cells.

    `best` are the cells of the highest weight that are nearest to the centre; ties are broken at random. Where a line
    has to be completed or blocked at once, only cells that do so are considered, and `urgent` says which it is.
    """

    board: Board
    stones: tuple[int, int]
    side: int
    weights: Weights
    best: tuple[int, ...]
    urgent: str = ""

    def choose(self, chance: Random) -> int:
        """One of the best points."""
        return chance.choice(self.best)


def weigh(
    board: Board,
    stones: tuple[int, int],
    side: int,
    *,
    strategy: str = BOTH,
    count: str = AFTER,
    tables: Sequence[Table] | None = None,
    allowed: int | None = None,
) -> Weighing:
    """Weighs the board for a side; `tables` are those of side 0 and 1, `allowed` the points to choose from."""
    strategy = check_name("strategy", strategy, STRATEGIES)
    check_name("count", count, COUNTS)
    both_tables = tables or (document_table(board.line),) * 2
    sides = {DEFENSIVE: (1 - side,), OFFENSIVE: (side,), BOTH: (side, 1 - side)}[strategy]
    layers = (side_weights(board, stones, each, both_tables[each], count) for each in sides)
    weights = tuple(map(sum, zip(*layers, strict=True)))
    points = board.all_points & ~(stones[0] | stones[1]) if allowed is None else allowed
    urgent = ""
    for each in sides if count == AFTER else ():
        if completing := board.completing(stones[each]) & points:
            points, urgent = completing, FILLS if each == side else BLOCKS
            break
    ranks = {point: (-weights[point], board.distance_to_centre(point)) for point in points_of(points)}
    first = min(ranks.values(), default=None)
    best = tuple(point for point, rank in ranks.items() if rank == first)
    return Weighing(board, stones, side, weights, best, urgent)


# ── bots ──────────────────────────────────────────────────────────────────────────────────────────


class LinesBot(Bot):
    """Plays the legal point of the highest weight; in swap2 it chooses the colour with the heavier lines."""

    def __init__(self, strategy: str, count: str = AFTER, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = name_of(strategy, count)
        self.strategy, self.count = strategy, count

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("The game is over.")
        steps = [self._step(here)]
        while not here.choices(steps).may_end:
            steps.append(self._step(here.partial(steps)))
        return Result(Move(steps))

    def _step(self, here: PentePosition) -> Step:
        if here.stage in SIDES_OFFERED:
            return self._side(here)
        weighing = weigh(
            here.board, here.stones, here.colour, strategy=self.strategy, count=self.count, allowed=here.points
        )
        return here.board.stones[weighing.choose(self.random)]

    def _side(self, here: PentePosition) -> Step:
        table = document_table(here.board.line)

        def weight(colour: int) -> tuple[int, float]:
            return sum(side_weights(here.board, here.stones, colour, table, self.count)), self.random.random()

        return SIDES[max(range(len(COLOURS)), key=weight)]


def name_of(strategy: str, count: str) -> str:
    """The name of the bot for a strategy and a count."""
    return f"lines-{strategy}" + ("" if count == AFTER else f"-{count}")


LINES_BOTS: Mapping[str, BotEntry] = {
    name_of(strategy, count): BotEntry(
        STRATEGIES[strategy] + counting, partial(LinesBot, strategy, count), title=TITLES[strategy] + variant
    )
    for count, counting, variant in ((AFTER, "", ""), (PLACED, ", by the printed table alone", " by the table"))
    for strategy in STRATEGIES
}


# ── the class of the requirement document ─────────────────────────────────────────────────────────

BLANK, PLAYER, SYSTEM = 0, 1, 2
NAMES = {PLAYER: "the player", SYSTEM: "the system"}


class Cell(NamedTuple):
    """A cell: its column and its row, both from 1."""

    x: int
    y: int


class PenteGame:
    """A board on which the player and the system place pieces; `line` of them in a row win.

    It places no pieces by itself: `choose_cell` returns the system's choice. It prints and draws nothing.

    >>> game = PenteGame(size=10, line=5)
    >>> for x, y in ((5, 5), (6, 5), (7, 5)):
    ...     game.set_board(x, y, PLAYER)
    >>> game.choose_cell("defensive")
    Cell(x=4, y=5)
    >>> game.weights(PLAYER)[4][3], game.weights(SYSTEM)[4][3]
    (27, 0)
    """

    def __init__(
        self,
        size: int = 10,
        line: int = 5,
        *,
        player_table: Table | None = None,
        system_table: Table | None = None,
        count: str = AFTER,
        seed: int | None = None,
    ) -> None:
        """Tables map pieces to weights; `count` is the meaning of their keys; `seed` is for breaking ties."""
        self._board = cast(PentePosition, new("pente", rules="lines", size=size, line=line)).board
        self._stones = (0, 0)
        self._touched = (0, 0)  # the lines with pieces of each side, as bit sets of line numbers
        self._winner: int | None = None
        self._chance = Random(seed)
        default = document_table(line)
        given = player_table, system_table
        self._tables = [check_table(default if table is None else table, line) for table in given]
        self.count = count

    # ── the board ────────────────────────────────────────────────────────────────────────────────

    @property
    def size(self) -> int:
        return self._board.size

    @property
    def line(self) -> int:
        """The number of pieces in a row that win."""
        return self._board.line

    @property
    def line_count(self) -> int:
        """The number of lines on the board: 2·size·delta + 2·delta², where delta is size + 1 - line."""
        return len(self._board.lines)

    def get_board(self, x: int, y: int) -> int:
        """The contents of a cell: 0 for empty, 1 for a piece of the player, 2 for a piece of the system."""
        bit = 1 << self._point(x, y)
        return next((side for side in NAMES if self._stones[side - 1] & bit), BLANK)

    def set_board(self, x: int, y: int, piece: int) -> None:
        """Places a piece of the player (1) or of the system (2)."""
        point, side = self._point(x, y), _side(piece, "piece")
        if holder := self.get_board(x, y):
            raise IllegalMove(
                "The cell ({x}, {y}) holds a piece of {name}; pieces are never replaced.", x=x, y=y, name=NAMES[holder]
            )
        self._refuse_after_the_end()
        stones, touched = list(self._stones), list(self._touched)
        stones[side - 1] |= 1 << point
        touched[side - 1] |= self._board.line_numbers_through[point]
        self._stones, self._touched = (stones[0], stones[1]), (touched[0], touched[1])
        if self._board.has_line(stones[side - 1], overline=True, through=point):
            self._winner = side

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @property
    def winner(self) -> int | None:
        """The side that has made a line, 1 or 2, or None."""
        return self._winner

    @property
    def tie(self) -> bool:
        """Whether no line can be completed, because every line holds pieces of both sides."""
        return (self._touched[0] & self._touched[1]).bit_count() == self.line_count

    def _refuse_after_the_end(self) -> None:
        if self.winner:
            raise IllegalMove("The game is over: {name} has made a line.", name=NAMES[self.winner])
        if self.tie:
            raise IllegalMove("The game is over: it is a tie, as no line can be completed.")

    # ── the strategy ─────────────────────────────────────────────────────────────────────────────

    @property
    def player_table(self) -> dict[int, int]:
        """The weights of the player's open lines, as `{pieces: weight}`."""
        return dict(self._tables[0])

    @player_table.setter
    def player_table(self, table: Table) -> None:
        self._tables[0] = check_table(table, self.line)

    @property
    def system_table(self) -> dict[int, int]:
        """The weights of the system's open lines, as `{pieces: weight}`."""
        return dict(self._tables[1])

    @system_table.setter
    def system_table(self, table: Table) -> None:
        self._tables[1] = check_table(table, self.line)

    @property
    def count(self) -> str:
        """How tables are read: `after` the next piece is placed, with lines completed first, or as `placed`."""
        return self._count

    @count.setter
    def count(self, count: str) -> None:
        self._count = check_name("count", count, COUNTS)

    def weights(self, side: int) -> list[list[int]]:
        """The weights of a side's open lines, row by row: cell (x, y) is `weights(side)[y - 1][x - 1]`."""
        index, size = _side(side, "side") - 1, self.size
        flat = side_weights(self._board, self._stones, index, self._tables[index], self.count)
        return [list(flat[row * size : (row + 1) * size]) for row in range(size)]

    def weighing(self, strategy: str = BOTH, side: int = SYSTEM) -> Weighing:
        """The data of a choice, for drawing: the pieces of both sides, the summed weights and the best cells."""
        index, over = _side(side, "side") - 1, self.winner or self.tie
        return weigh(
            self._board,
            self._stones,
            index,
            strategy=strategy,
            count=self.count,
            tables=self._tables,
            allowed=0 if over else None,
        )

    def best_cells(self, strategy: str = BOTH, side: int = SYSTEM) -> list[Cell]:
        """The cells of the highest weight that are nearest to the centre; none after the end."""
        return list(map(self._cell, self.weighing(strategy, side).best))

    def choose_cell(self, strategy: str = BOTH, side: int = SYSTEM) -> Cell:
        """Where a side goes next: one of its best cells. Nothing is placed."""
        weighing = self.weighing(strategy, side)
        self._refuse_after_the_end()
        return self._cell(weighing.choose(self._chance))

    # ── small things ─────────────────────────────────────────────────────────────────────────────

    def _point(self, x: int, y: int) -> int:
        for name, value in (("x", x), ("y", y)):
            if type(value) is not int or not 1 <= value <= self.size:
                raise InvalidMove(
                    "{name} is a whole number from 1 to {size}, not {value}",
                    name=name,
                    size=self.size,
                    value=shown(value),
                )
        return self._board.point(x - 1, y - 1)

    def _cell(self, point: int) -> Cell:
        column, row = self._board.stones[point]
        return Cell(column + 1, row + 1)

    # The document's names.
    setBoard, getBoard, ChooseCell = set_board, get_board, choose_cell  # noqa: N815

    def __repr__(self) -> str:
        player, system = (stones.bit_count() for stones in self._stones)
        return f"<PenteGame(size={self.size}, line={self.line}), pieces: player {player}, system {system}>"


TpenteGame = PenteGame  # the document uses this name


def _side(value: int, what: str) -> int:
    """The number of a side; raises InvalidMove if it is none."""
    if type(value) is not int or value not in NAMES:
        raise InvalidMove(
            "A {what} must be 1 (the player) or 2 (the system), not {value}.", what=what, value=shown(value)
        )
    return value
