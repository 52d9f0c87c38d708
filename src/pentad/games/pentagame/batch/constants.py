"""The parts of the array that the kernels of many games use: steps or what pieces reach, numbers of turns, a state."""

from __future__ import annotations

from pentad.games.pentagame.engine.constants import MAX_STEPS, SIZE

# The steps of a stage, or: the fields that each piece reaches, as pairs of bit sets, and the numbers of turns by piece,
# half of the board, and whether the field is taken.
FOUND, COUNTS, PARTS = 0, 10, 30
COPY = MAX_STEPS
WORK = COPY + SIZE
