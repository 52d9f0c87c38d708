"""Search of Pentagame: its kernels for the engine of every game."""

from __future__ import annotations

from pentad.pentagame.engine import constants as k
from pentad.pentagame.engine.state import state_of, step_of
from pentad.pentagame.rules import PentagamePosition
from pentad.search.engine import Engine

KERNELS = "pentad.pentagame.engine.search_kernels"
ENGINE = Engine(
    KERNELS,
    state_of,
    step_of,
    PentagamePosition.after,
    size=k.SIZE,
    most_steps=k.MAX_STEPS,
    seats=k.SEATS,
    work=k.WORK,
    weights=k.WEIGHTS,
    settings=k.SETTINGS,
)
