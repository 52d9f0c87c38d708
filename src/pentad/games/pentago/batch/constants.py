"""The parts of the state and rules of a game of Pentago, which the kernels of many games and their driver share."""

from __future__ import annotations

# The parts of a game's state after those of every game, for any board: the winners as bits, -1 before the end; whether
# the twist is still to come; the number of marbles; the cell of the last one; the board of cells. The rules are the
# numbers of `pentad.games.pentago.playouts.constants`, then the cell of each space, and the cells that each twist moves
# from and to.
RESULT, PLACED, HELD, LAST, CELLS = 3, 4, 5, 6, 7
