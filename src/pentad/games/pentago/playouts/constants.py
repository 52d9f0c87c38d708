"""Numbers that the driver of the playouts and their kernels share."""

from __future__ import annotations

EMPTY, RIM = 0, -1
NONE = -1  # no step, no turn

TAKE_WINS = 1  # the rollout policy that completes a line that lacks one marble
SLOTS = 4  # for the known winning cells of each seat

# The numbers of a setup, in this order: spaces, twists, length of a line, cells from one row to the next, players,
# whether five before the twist win, cells that a twist moves, and whether two play on the classic board.
SPACES, TWISTS, LINE, STRIDE, PLAYERS, PLACEMENT_WINS, MOVING, CLASSIC, NUMBERS = range(9)
