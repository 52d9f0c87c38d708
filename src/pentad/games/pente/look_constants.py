"""Numbers of Pente's looks that Python and kernels share; `looks` describes the others."""

WON, LAST = 3, 6  # more for a point of a winning line, and for one played last

OTHERS = 4  # numbers between those of the points and the lists of stones

# The status: the number of stones placed while there are less than three, then `OPENED` for white to move and one less
# for black. In a stage of the opening, `STAGED`, two more for each stage, and the colour. At the end no line or no
# point is left, or a colour wins with a line or by captures.
OPENED, STAGED, NO_LINE, FULL, LINED, CAPTURED, STATUSES = 4, 3, 13, 14, 15, 17, 19
