"""Conversion of positions between the rules and the search kernels; the tables of a rule set and the trained weights.

`learn` trains the weights of the evaluation: one file for rule sets with captures, one for those without.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pentad.game import Move
from pentad.games.pente.board import Board, points_of
from pentad.games.pente.engine import KERNELS
from pentad.games.pente.engine import constants as k
from pentad.games.pente.rules import PentePosition, opening_points
from pentad.games.pente.rulesets import AT_ONCE, FREE, RULE_SETS, SWAP2, RuleSet
from pentad.kernels.buffers import Buffer, array, copy, typed, zeros
from pentad.kernels.npz import read_npz
from pentad.kernels.program import Program, program
from pentad.kernels.types import Int16s, Rows

LONGEST_IN_CODES = 5  # stones; longer lines are counted on the board


def kernels() -> Program:
    """The kernels of the engine."""
    return program(KERNELS)


@dataclass(frozen=True, eq=False)
class EngineTables:
    """The reach of the codes and their meanings: as `entries`, and as the terms that they add to a point's sum."""

    reach: int
    entries: k.Codes
    classes: k.Bytes
    sums: k.Words


def reach_of(rules: RuleSet) -> int:
    """The reach of the codes; one point more where overlines do not count, to see the end of a line."""
    return LONGEST_IN_CODES if rules.line == LONGEST_IN_CODES and not rules.overline else LONGEST_IN_CODES - 1


def switches(rules: RuleSet) -> tuple[int, int, bool, int]:
    """The properties of a rule set that its tables depend on."""
    return reach_of(rules), rules.line, rules.overline, rules.captures


def tables(rules: RuleSet) -> EngineTables:
    """The tables for a rule set."""
    return _tables(*switches(rules))


@lru_cache(maxsize=8)
def _tables(reach: int, line: int, overline: bool, captures: int) -> EngineTables:
    codes = 1 << 4 * reach
    table = EngineTables(reach, zeros(codes, k.Codes), zeros(codes, k.Bytes), zeros(k.CLASSES, k.Words))
    shapes = zeros(codes, k.Codes)
    kernels()("fill", table.entries, table.classes, table.sums, shapes, reach, line, overline, captures)
    return table


FOLDER = Path(__file__).parent
LEARNED = ("pente", "gomoku", "freestyle")  # the rule sets with weights of their own


@dataclass(frozen=True, eq=False)
class Network:
    """The network above the codes (see `net_kernels`): one colour's vectors of all rows, and its layers."""

    own: Buffer
    head: Buffer


NO_NETWORK = Network(array((), "int32"), array((), "int32"))
NO_ORDER = array((), "int32")


@dataclass(frozen=True, eq=False)
class Weights:
    """The values of codes around an empty point, to white, then of shapes; all other linear weights; the network.

    `order` holds the ranks of moves: for each pair of kinds of threats that a stone would make, for the mover and for
    the opponent, and then for each row of codes as the mover sees it.
    """

    values: Buffer
    others: Buffer
    network: Network = NO_NETWORK
    order: Buffer = NO_ORDER

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.values, self.others, self.network.own, self.network.head, self.order
        return _unpickled, tuple(bytes(each) for each in parts)  # a memoryview cannot be pickled

    @classmethod
    def load(cls, path: Path) -> Weights:
        stored = {name: each.values for name, each in read_npz(path).items()}
        rows, _ = row_numbers(LONGEST_IN_CODES - 1)
        values = zeros(len(rows) + k.NAMES, "int32")
        kernels()("spread_values", rows, stored["rows"], stored["shapes"], values)
        network = Network(stored["vectors"], stored["head"]) if "head" in stored else NO_NETWORK
        return cls(values, stored["others"], network, stored.get("order", NO_ORDER))


def _unpickled(*parts: bytes) -> Weights:
    values, others, own, head, order = (copy(memoryview(each).cast("i")) for each in parts)
    return Weights(values, others, Network(own, head), order)


def file_of(name: str) -> Path:
    """The file of the weights trained on a rule set."""
    return FOLDER / f"{name}.npz"


def learned_from(rules: RuleSet) -> str:
    """The rule set whose weights a rule set uses."""
    if rules.captures:
        return "pente"
    return "gomoku" if reach_of(rules) == LONGEST_IN_CODES else "freestyle"


def values_from(learned: Buffer, table: EngineTables, plain: EngineTables | None = None) -> Buffer:
    """The values of a table's codes, and of shapes, by those learned: of shapes, or of the codes of another table."""
    values = zeros(len(table.entries) + k.NAMES, "int32")
    entries, reach = (plain.entries, plain.reach) if plain else (array((), "int32"), 0)
    kernels()("fill_values", table.entries, table.reach, learned, entries, reach, values)
    return values


def spread(learned: Weights, rules: RuleSet) -> Weights:
    """Weights for the codes of a rule set, with the values of its nearest stones where its codes reach farther.

    Lines of another length have the values of shapes alone, and neither a network nor an order.
    """
    table = tables(rules)
    if len(learned.values) == len(table.entries) + k.NAMES and rules.line == LONGEST_IN_CODES:
        return learned
    if rules.line == LONGEST_IN_CODES:
        values = values_from(learned.values, table, tables(RULE_SETS["pente"]))
        return Weights(values, learned.others, learned.network, learned.order)
    return Weights(values_from(learned.values, table), learned.others)


@lru_cache(maxsize=8)
def default_weights(rules: RuleSet) -> Weights:
    """The trained weights for the codes of a rule set."""
    return spread(Weights.load(file_of(learned_from(rules))), rules)


@lru_cache(maxsize=8)
def row_numbers(reach: int) -> tuple[k.Shorts, k.Codes]:
    """The row of each code, and the row of each row with the colours exchanged (see `net_kernels`)."""
    own, swapped = (zeros(1 << 4 * each, k.Codes) for each in (LONGEST_IN_CODES - 1, reach))
    rows = zeros(1 << 4 * reach, k.Shorts)
    count = kernels()("fill_rows", own, rows, swapped, reach, LONGEST_IN_CODES - 1)
    return rows, swapped[:count]


@lru_cache(maxsize=8)
def network_for(network: Network, reach: int) -> tuple[k.Shorts, Rows[Int16s], k.Codes]:
    """A network as kernels read it: the row of each code of a reach, both colours' vectors of each row, the layers."""
    rows, swapped = row_numbers(reach)
    vectors = zeros(len(network.own) // k.WIDTH * k.ROW, Rows[Int16s])
    if len(vectors):
        kernels()("fill_vectors", network.own, swapped, vectors)
    return rows, vectors, typed(network.head, k.Codes)


@lru_cache(maxsize=8)
def orders_for(weights: Weights) -> k.Shorts:
    """The learned ranks of moves as kernels read them: of kinds, then of each row as white and as black moves."""
    order, swapped = weights.order, row_numbers(LONGEST_IN_CODES - 1)[1]
    orders = zeros(k.ROW_ORDERS + 2 * len(swapped) if len(order) else 0, k.Shorts)
    if len(order):
        kernels()("fill_orders", order, swapped, orders)
    return orders


# ── positions ────────────────────────────────────────────────────────────────────────────────────


def point_of(board: Board, point: int) -> int:
    """The kernels' number of a point of the board."""
    row, column = divmod(point, board.size)
    return (row + k.EDGE) * k.STRIDE + column


def board_point(board: Board, point: int) -> int:
    """The board's number of a point of the kernels."""
    row, column = divmod(point, k.STRIDE)
    return (row - k.EDGE) * board.size + column


def move_of(board: Board, point: int) -> Move:
    """The move to a point of the kernels."""
    return Move((board.stones[board_point(board, point)],))


@dataclass(frozen=True)
class EngineState:
    """A position's arrays, with the tables and code values of its rules."""

    board: k.Codes
    numbers: k.Words
    tables: EngineTables
    values: k.Codes
    kept: k.Words

    @property
    def position(self) -> tuple[k.Codes, k.Words]:
        """The arguments of kernels that only read the position."""
        return self.board, self.numbers

    @property
    def parts(self) -> k.PositionArrays:
        """The argument of kernels that make moves."""
        table = self.tables
        return k.PositionArrays(
            self.board, self.numbers, table.entries, table.classes, table.sums, self.values, self.kept
        )

    def copy(self) -> EngineState:
        return EngineState(copy(self.board), copy(self.numbers), self.tables, self.values, copy(self.kept))


def is_simple(rules: RuleSet) -> bool:
    """Whether only a stone on its last point or a capture prevents a line, so that any other reply loses."""
    may_tie = rules.blocked_tie and rules.captures
    vanish = rules.poof or (rules.captures and not rules.overline)
    early = rules.line <= 3 and rules.opening not in (FREE, SWAP2)  # a line is possible within the opening
    return bool(rules.five == AT_ONCE and rules.double_three and not may_tie and not vanish and not early)


@lru_cache(maxsize=8)
def opening_bits(rules: RuleSet, board: Board) -> tuple[tuple[int, int], ...]:
    """The kernels' number of each point open to one of the first three stones, with a bit for each of these stones."""
    found: dict[int, int] = {}
    for placed in range(3):
        for point in points_of(opening_points(rules, board, placed)):
            number = point_of(board, point)
            found[number] = found.get(number, 0) | 1 << placed
    return tuple(found.items())


def numbers_without_stones(rules: RuleSet, board: Board) -> k.Words:
    """The numbers of a position that depend on the rules alone."""
    numbers = zeros(k.STATE, k.Words)
    for where, number in (
        (k.SIZE, board.size),
        (k.LINE, rules.line),
        (k.REACH, reach_of(rules)),
        (k.CAPTURES, rules.captures),
        (k.CAPTURE_WIN, rules.capture_win),
        (k.OVERLINE, rules.overline),
        (k.STANDS, rules.five != AT_ONCE),
        (k.POOF, rules.poof),
        (k.DOUBLE_THREE, rules.double_three),
        (k.BLOCKED_TIE, rules.blocked_tie),
        (k.SIMPLE, is_simple(rules)),
    ):
        numbers[where] = number
    for point, bits in opening_bits(rules, board):
        numbers[k.OPENING + point] = bits
    return numbers


def state_of(position: PentePosition, values: Buffer | None = None) -> EngineState:
    """The arrays of a position whose opening choices are made."""
    rules, board = position.rules, position.board
    if values is None:
        values = default_weights(rules).values
    made = EngineState(
        zeros(k.BOARD, k.Codes),
        numbers_without_stones(rules, board),
        tables(rules),
        typed(values, k.Codes),
        zeros(k.KEPT, k.Words),
    )
    numbers = made.numbers
    call = kernels()
    call("set_up", made.parts)
    place = call.bind("place", made.parts)
    for colour, stones in enumerate(position.stones):
        for point in points_of(stones):
            place(point_of(board, point), colour)
    numbers[k.MOVER], numbers[k.PLACED] = position.colour, position.placed
    numbers[k.STONES_TAKEN], numbers[k.STONES_TAKEN + 1] = position.taken
    if rules.five != AT_ONCE and call("any_line", *made.position, 1 - position.colour, rules.overline):
        numbers[k.STANDING] = 2 - position.colour
    return made


def static_evaluation(position: PentePosition) -> int:
    """The evaluation of a position without a search."""
    state, weights = state_of(position), default_weights(position.rules)
    network = network_for(weights.network, state.tables.reach)
    return int(kernels()("estimate_from_board", *state.position, weights.others, *network, zeros(k.ROW, "int32")))
