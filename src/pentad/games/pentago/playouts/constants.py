"""What the driver of the playouts and their kernels share: numbers, and records of arrays."""

from __future__ import annotations

from typing import NamedTuple

from pentad.kernels.types import Float64s, Int8s, Int64s, StoppableCounters, UInt8s, UInt64s

EMPTY, RIM = 0, -1
NONE = -1  # no step, no turn

TAKE_WINS = 1  # the rollout policy that completes a line that lacks one marble
SLOTS = 4  # each seat has so many for its known winning cells


class BoardRules(NamedTuple):
    """A board, and the rules of lines and turns on it. Twists are numbered as on the board, two for each sub-board."""

    spaces: int
    twists: int
    line: int
    stride: int  # cells from one row to the next
    players: int
    placement_wins: int
    moving: int  # cells that a twist moves
    cells: Int64s  # each space has one
    leaves: Int64s  # for each twist, one after the other, the cells whose marbles move
    enters: Int64s  # the cells they move to, in the same order


class PlayoutTables(NamedTuple):
    """The rules of a setup, and what games and evaluations look up. Rows of several numbers follow each other."""

    rules: BoardRules
    classic: int  # whether two play on the classic board
    lines: Int64s  # the cells of each line
    touching: Int64s  # the lines that pass through each sub-board, concatenated
    first: Int64s  # the start of each sub-board's lines in `touching`
    weights: Float64s  # an open line's number of marbles finds its weight
    zobrist: Int64s  # hash keys of each cell and seat


class GameRoom(NamedTuple):
    """Room of random games."""

    game: Int8s  # the board of these games
    work: Int8s  # room for a twist
    gaps: Int64s  # `SLOTS` for each seat
    order: UInt8s  # the spaces of the classic board
    log: UInt64s  # the steps of a game there


class PlayoutControl(StoppableCounters):
    """Settings of random games, and the state of their random generator."""

    seed: int
    games: int  # so many begin at each board
    rollout_policy: int


class PlayoutArrays(NamedTuple):
    """All that an expansion reads and writes."""

    tables: PlayoutTables
    before: Int8s  # the board before the step
    board: Int8s  # that after the step
    steps: Int64s  # the steps that may follow
    priors: Float64s
    returns: Float64s  # each seat has one
    weights: Float64s  # room for the weight of each cell
    seen: Int64s  # room for the hashes of the boards after twists
    room: GameRoom
    control: PlayoutControl
