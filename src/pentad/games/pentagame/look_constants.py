"""The numbers of looks: their places in the lists that `looks` and the kernels of `look_kernels` write.

A field is its number from 1, as 0 is the place off the board. A list has its count first; what it does not use is 0.
"""

from __future__ import annotations

COLOURS, CORNERS, FIELDS = 5, 5, 100
RING_FIELDS = 25  # fields of the ring have lower numbers

# To move: the seat times ACTIONS and its next action. At the end: the seats times ACTIONS and the winners as bits.
STATUS, ACTIONS = 0, 5
PLIES, POOL = 1, 2  # plies played, gray blocks off the board
DUE, DUE_BLACK = 3, 4  # due blocks: 3 for a black one, and the gray ones; the black block in the player's hand from 1
POOL_LOOKS = 5  # for each gray block: whether it is in the pool; 2 if it is the next one to be put

# The path of the last piece: whether it is known, its first field, and a list of its segments: each is the next field
# from 0, and on an arc of the ring more for the direction.
PATH_KNOWN, PATH_FROM, PATH = 10, 11, 12
CLOCKWISE, ANTICLOCKWISE, SEGMENTS = FIELDS, FIELDS + RING_FIELDS, FIELDS + 2 * RING_FIELDS

BLACK_FIELDS, GRAY_FIELDS = 112, 118  # lists of the fields with black and with gray blocks, in order
PREVIOUS = 124  # a list of the seats that have moved a piece
LASTS, LAST_SIZE = 130, 4  # for each seat the colour of its last piece, its two fields, the partner of a swap from 1
DISHES, DISH_SIZE = 150, 7  # for each seat: 1 to move, 2 for a winner; a list of the colours that are home

# For each piece by seat and colour: its field; its slot in a stack, 0 if it is alone; whether it is home (0), on the
# board (1), 1 more if it waits at its goal, 2 more if it moved last; the number of its drawing.
PIECES, PIECE_SIZE = 185, 4
FIELD, SLOT, FLAGS, BODY = range(4)
WAITS, MOVED = 1, 2

# For each black, then each gray block: its field; 0 off the board, else 1, and more for a ring and for its title.
BLOCKS, BLOCK_SIZE = 285, 2
RING, PUT = 1, 2

# For each field: 0 with a block, else 1, and more if its letter is hidden, for a ring and for its title.
FIELD_LOOKS = 305
HIDDEN, FIELD_RING, FIELD_PUT = 1, 2, 4

# For each field a list of what its title names: 0 for an empty field, else its pieces from 1, by seat and colour.
TITLES = 405

# Drawings of pieces: alone on a corner or junction, alone on a stop, in a stack of so many on a corner or junction, or
# on a stop. Each comes with all flags.
ON_MAIN, ON_STOP, STACKED, STACKED_ON_STOP = 0, 1, 0, 24
BODIES_EACH = 4
CORNER_ROWS = 324  # so many slots of stacks of 2 to 25 pieces

# The numbers of a step: its action and its case; the piece that moves, and the partner of a swap, by seat and colour;
# the fields to which and from which a figure goes; the number of a block; 1 if the partner is alone on its field, and 2
# more if the piece is. For a block the piece is the first one of the seat.
ACTION, CASE, MOVER, OTHER, TO, START, BLOCK, ALONE = range(8)
OFFER_SIZE = 8
FIRST_GRAY, FIRST_BLACK = 6, 11  # the numbers of blocks

# The cases of a step. A piece goes to an empty field, or takes a black or a gray block, and is home then (1 more); it
# leaves; a block is put, or a gray one is moved; a swap, with an own piece, and either piece may be home then.
MOVES, TAKES_BLACK, TAKES_GRAY, LEAVES, PUTS_BLACK, PUTS_GRAY, MOVES_GRAY, SWAPS = 0, 2, 4, 6, 7, 8, 9, 10
IS_HOME = 1
OWN, MOVER_HOME, OTHER_HOME = 1, 2, 4
CASES = 18


def size(players: int) -> int:
    """How many numbers there are."""
    return TITLES + FIELDS * (1 + COLOURS * players)
