"""Numbers of Pentago's looks that Python and kernels share; `looks` describes them."""

TURNED, CHOICE = 1, 2  # the looks of an arrow that is seen
STATUSES = 2  # of a seat to move: to place, to twist
