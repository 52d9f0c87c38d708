"""The board's dimensions in pentagraph's units: a stop's diameter is `s`; lengths of the whole board are doubled."""

from __future__ import annotations

from dataclasses import dataclass

from pentad.games.pentagame.board import GOLDEN, PLAN


@dataclass
class Point:
    """A point of the drawing."""

    x: float
    y: float


class Math:
    """`k` and `l` are the stops of an arm and a leg, `s`, `c` and `j` the diameters of stop, corner and junction."""

    k = 3
    l = 6  # noqa: E741 - pentagraph's name
    s = 1
    c = 2 * PLAN.corner
    j = 2 * PLAN.junction
    PHI = GOLDEN

    def __init__(self) -> None:
        self.L = 2 * PLAN.leg
        self.K = 2 * PLAN.arm
        self.d = 2 * self.L + self.K  # it reaches from corner to corner along a line of the star
        self.r = 2 * PLAN.ring
        self.R = self.r + self.c
        self.linewidth = 0.1 / self.R
        self.inner_r = 2 * PLAN.inner
