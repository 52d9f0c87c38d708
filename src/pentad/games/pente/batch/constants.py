"""Numbers that the driver of many games of Pente and their kernels share."""

from __future__ import annotations

# The rules: switches of the rule set, whether the opening is swap2, then for each point the stones of the opening that
# may be placed there, as bits: 1 the first stone, 2 the second, 4 the third.
SIZE, LINE, OVERLINE, CAPTURES, CAPTURE_WIN, FIVE, POOF, DOUBLE_THREE, BLOCKED_TIE, SWAP2, OPENING = range(11)
AT_ONCE, IF_IT_STANDS, UNLESS_BROKEN = range(3)  # when a line wins

# The parts of a state after those of every game: the winners as bits, -1 before the end; the stones placed; those taken
# by each colour; whether the line of the last mover must survive the reply; the stage of swap2, and whether its choice
# exchanged the colours; the empty points; the board, with a rim.
RESULT, PLACED, TAKEN, STANDING, STAGE, SWAPPED, FREE, CELLS = 3, 4, 5, 7, 8, 9, 10, 11
OVER, THREE, CHOOSE, TWO_MORE, CHOOSE_AGAIN = range(5)  # the stages of a game
SIDES = 3  # the actions after those of all points: white, black, more
MORE = 2

EMPTY, WHITE, RIM = 0, 1, 3
GONE = 32  # room for the stones that a move removes
