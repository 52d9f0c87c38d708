"""Many games of Pentago at once by kernels, on every board; faster random games on the classic one."""

from __future__ import annotations

from functools import partial

from pentad.games.parts import BatchKernels, RandomGames
from pentad.games.pentago.batch.constants import NUMBERS, ClassicGames
from pentad.games.pentago.board import spaces_of
from pentad.games.pentago.playouts.classic_constants import BITS
from pentad.games.pentago.playouts.tree_bot import cells_of, is_classic, tables_of
from pentad.games.pentago.rules import PentagoPosition
from pentad.kernels.buffers import array, zeros
from pentad.kernels.program import program
from pentad.kernels.types import UInt8s, UInt64s

CLASSIC_KERNELS = "pentad.games.pentago.batch.playout_kernels"
KERNELS = "pentad.games.pentago.batch.step_kernels"


def kernels(here: PentagoPosition) -> BatchKernels:
    """The kernels for the board of a position."""
    given = tables_of(here.setup).rules
    rules = [*given[:NUMBERS], *given.cells, *given.leaves, *given.enters]
    marbles = here.board.size - here.empty.bit_count()
    cells = cells_of(here)
    # the last marble is not known here, and need not be, as nobody has a line yet
    start = [here.turn, here.ply, here.players, -1, here.placed, marbles, 0, *cells]
    return BatchKernels(KERNELS, array(rules, "int64"), array(start, "int64"), len(cells))


def random_games(here: PentagoPosition, seed: int) -> RandomGames | None:
    """Random games of two players on the classic board; None on other boards."""
    if not is_classic(here.setup):
        return None
    counts, log = zeros(1 + (1 << here.players), UInt64s), zeros(here.board.size + 1, UInt64s)
    mover, other = (
        sum(1 << BITS[space] for space in spaces_of(here.marbles[seat])) for seat in (here.turn, 1 - here.turn)
    )
    empty = array([BITS[space] for space in spaces_of(here.empty)], UInt8s)
    games = ClassicGames(
        empty, zeros(len(empty), UInt8s), log, counts, mover, other, here.turn, here.placed, here.setup.win_on_placement
    )  # fmt: skip
    return RandomGames(partial(program(CLASSIC_KERNELS).bind("classic", games), seed), counts, log)
