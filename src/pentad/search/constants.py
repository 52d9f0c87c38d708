"""Numbers that the search kernels of all games share with their driver.

A state is an `int64` array of a game's own, whose first parts are the seat to move, the ply and the number of players.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pentad.kernels.types import Counters, Float64s, Int16s, Int64s, Rows, RowSize, StoppableCounters

SEAT, PLY, PLAYERS = 0, 1, 2

WON = 1 - 1e-9  # the lowest value of a win
ALMOST_WON = 0.9999  # the highest value of an evaluation with noise

# Tree search. Columns of the tree: the node's step, the index of its first child, the number of children, visits.
STEP, FIRST, CHILDREN, VISITS, NODE = 0, 1, 2, 3, 4
MAX_CHILDREN = 48  # children of a node
DEEPEST = 200  # steps from the root

# Alpha-beta. Columns of the transposition table: signature, depth, kind of bound (exact, lower or upper), best step.
KEY, DEPTH_OF, BOUND, BEST, ENTRY = 0, 1, 2, 3, 4
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
LEVELS = 64  # steps from the root at most
DECAY = 0.9995  # the factor of a value for each turn, so that earlier wins are preferred


class SearchSettings(NamedTuple):
    """Settings of a search: how sharp priors are, how noisy evaluations, how much repetitions lose by `contempt`."""

    sharpness: float = 16.0
    exploration: float = 0.8
    minimax: float = 0.5  # the share of the best child's value in a node's
    noise: float = 0.0
    contempt: float = 0.0


class SearchControl(StoppableCounters):
    """What a running search shares with its driver."""

    visited: int
    depth: int
    root_seat: int
    room: int  # for so many nodes of a tree
    seen: int  # the number of positions


class SeenCounts(Counters):
    """The number of a game's positions that are known, and the ply of the last one."""

    known: int
    ply: int


class AlphaBetaArrays(NamedTuple):
    """All that an alpha-beta search reads and writes. A game's table has the lengths of rows (`kernels.searches`)."""

    states: Rows[Int64s]  # each level has one
    lists: Rows[Int64s]  # the steps of each level
    evaluations: Rows[Rows[Float64s]]  # for the positions after the steps, by seat
    keys: Int64s  # signatures at the ends of turns
    seen: Int64s  # the signatures of a game's positions
    table: Annotated[Rows[Int64s], RowSize(ENTRY)]
    table_values: Float64s
    weights: Int16s
    settings: SearchSettings
    work: Int64s
    seed: Int64s  # one number, not 0
    control: SearchControl
    pv: Annotated[Rows[Int64s], RowSize(LEVELS + 1)]  # the principal variation of each level


class TreeArrays(NamedTuple):
    """All that a tree search reads and writes. A game's table has the lengths of rows (`kernels.searches`)."""

    root: Int64s
    nodes: Annotated[Rows[Int64s], RowSize(NODE)]
    values: Rows[Float64s]  # each node has one for each seat
    priors: Float64s
    control: SearchControl
    weights: Int16s
    settings: SearchSettings
    steps: Int64s
    evaluations: Rows[Float64s]  # for the positions after the steps, by seat
    seen: Int64s  # the signatures of a game's positions
    state: Int64s
    child: Int64s
    path: Int64s  # the nodes from the root on
    movers: Int64s
    keys: Int64s  # signatures at the ends of turns
    found: Float64s
    work: Int64s
    seed: Int64s  # one number, not 0
