"""Numbers that the driver of the playouts and their kernels share."""

from __future__ import annotations

EMPTY, RIM = 0, -1
NONE = -1  # no step, no turn

# Rollout policies: complete a line that lacks one marble; block such a line of the next seat.
TAKE_WINS, BLOCK_WINS = 1, 2
SLOTS = 4  # for the known winning cells of each seat

# The numbers of a setup, in this order: spaces, twists, length of a line, cells from one row to the next, players,
# whether five before the twist win, and cells that a twist moves.
SPACES, TWISTS, LINE, STRIDE, PLAYERS, PLACEMENT_WINS, MOVING, NUMBERS = 0, 1, 2, 3, 4, 5, 6, 7
