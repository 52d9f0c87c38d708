"""Many games of Pentagame at once by kernels."""

from __future__ import annotations

from pentad.jit.buffers import zeros
from pentad.parts import BatchKernels
from pentad.pentagame.batch.constants import WORK
from pentad.pentagame.engine.search import state_of
from pentad.pentagame.rules import PentagamePosition

KERNELS = "pentad.pentagame.batch.step_kernels"


def kernels(here: PentagamePosition) -> BatchKernels:
    """The kernels; a state holds all rules."""
    return BatchKernels(KERNELS, zeros(1, "int64"), state_of(here), WORK)
