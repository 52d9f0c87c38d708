"""Many games of Pentagame at once by kernels."""

from __future__ import annotations

from pentad.games.parts import BatchKernels
from pentad.games.pentagame.batch.constants import WORK
from pentad.games.pentagame.engine.search import state_of
from pentad.games.pentagame.rules import PentagamePosition
from pentad.kernels.buffers import zeros

KERNELS = "pentad.games.pentagame.batch.step_kernels"


def kernels(here: PentagamePosition) -> BatchKernels:
    """The kernels; a state holds all rules."""
    return BatchKernels(KERNELS, zeros(1, "int64"), state_of(here), WORK)
