"""The parts of the array that the kernels of many games use: steps, their numbers of turns, and a state."""

from __future__ import annotations

from pentad.pentagame.engine.constants import MAX_STEPS, SIZE

STEPS = 0
ENDS = STEPS + MAX_STEPS  # the turns that begin with each step or one before it
COPY = ENDS + MAX_STEPS
WORK = COPY + SIZE
