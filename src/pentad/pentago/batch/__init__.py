"""Many games of Pentago at once: random games by kernels, on every board and for every number of players."""

from __future__ import annotations

from functools import partial

from pentad.jit.buffers import array, zeros
from pentad.jit.program import program
from pentad.parts import RandomGames
from pentad.pentago.batch.constants import BITS, CLASSIC
from pentad.pentago.board import spaces_of
from pentad.pentago.playouts.tree_bot import cells_of, tables_of
from pentad.pentago.rules import PentagoPosition

KERNELS = "pentad.pentago.batch.playout_kernels"


def random_games(here: PentagoPosition, seed: int) -> RandomGames:
    """Random games from a position that is not over."""
    kernels = program(KERNELS)
    counts, log = zeros(1 + (1 << here.players), "uint64"), zeros(here.board.size + 1, "uint64")
    if here.board == CLASSIC and here.players == 2:
        mover, other = (
            sum(1 << BITS[space] for space in spaces_of(here.marbles[seat])) for seat in (here.turn, 1 - here.turn)
        )
        empty = array([BITS[space] for space in spaces_of(here.empty)], "uint8")
        play = kernels.bind("classic", empty, zeros(len(empty), "uint8"), log, counts)
        wins = here.setup.win_on_placement
        return RandomGames(partial(play, mover, other, here.turn, here.placed, wins, seed), counts, log)
    start = cells_of(here)
    game, work = zeros(len(start), "int8"), zeros(len(start), "int8")
    play = kernels.bind("any", *tables_of(here.setup), start, game, work, log, counts)
    return RandomGames(partial(play, here.turn, here.placed, seed), counts, log)
