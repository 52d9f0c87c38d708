"""Numbers that the search kernels of all games share with their driver.

A state is an `int64` array of a game's own, whose first parts are the seat to move, the ply and the number of players.
"""

from __future__ import annotations

SEAT, PLY, PLAYERS = 0, 1, 2

# Parts of `control`, which a running search shares with its driver; the seed is not 0.
STOP, VISITED, DEPTH, SEED, ROOT_SEAT, CONTROL_SIZE = 0, 1, 2, 3, 4, 5

# Parts of `settings`: the sharpness of the priors, the exploration constant, the share of the best child's value in a
# node's, the noise of an evaluation, contempt for repetitions.
SHARPNESS, EXPLORATION, MINIMAX, NOISE, CONTEMPT = 0, 1, 2, 3, 4
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
