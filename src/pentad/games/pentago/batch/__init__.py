"""Many games of Pentago at once by kernels, on every board; faster random games on the classic one."""

from __future__ import annotations

from functools import partial

from pentad.games.parts import BatchKernels, RandomGames
from pentad.games.pentago.board import spaces_of
from pentad.games.pentago.playouts.classic_constants import BITS
from pentad.games.pentago.playouts.tree_bot import cells_of, is_classic, tables_of
from pentad.games.pentago.rules import PentagoPosition
from pentad.kernels.buffers import array, zeros
from pentad.kernels.program import program

CLASSIC_KERNELS = "pentad.games.pentago.batch.playout_kernels"
KERNELS = "pentad.games.pentago.batch.step_kernels"


def kernels(here: PentagoPosition) -> BatchKernels:
    """The kernels for the board of a position."""
    tables = tables_of(here.setup)
    rules = [*tables.numbers, *tables.cells, *tables.leaves, *tables.enters]
    marbles = here.board.size - here.empty.bit_count()
    cells = cells_of(here)
    # the last marble is not known here, and need not be, as nobody has a line yet
    start = [here.turn, here.ply, here.players, -1, here.placed, marbles, 0, *cells]
    return BatchKernels(KERNELS, array(rules, "int64"), array(start, "int64"), len(cells))


def random_games(here: PentagoPosition, seed: int) -> RandomGames | None:
    """Random games of two players on the classic board; None on other boards."""
    if not is_classic(here.setup):
        return None
    counts, log = zeros(1 + (1 << here.players), "uint64"), zeros(here.board.size + 1, "uint64")
    mover, other = (
        sum(1 << BITS[space] for space in spaces_of(here.marbles[seat])) for seat in (here.turn, 1 - here.turn)
    )
    empty = array([BITS[space] for space in spaces_of(here.empty)], "uint8")
    play = program(CLASSIC_KERNELS).bind("classic", empty, zeros(len(empty), "uint8"), log, counts)
    wins = here.setup.win_on_placement
    return RandomGames(partial(play, mover, other, here.turn, here.placed, wins, seed), counts, log)
