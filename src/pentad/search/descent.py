"""Gradient descent by the moments of the gradient (Adam)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST, SECOND = 0.9, 0.999  # how much of the moments a step keeps


@dataclass
class Moments:
    """The moments of a gradient: the means of its numbers and of their squares, over the steps so far."""

    mean: NDArray[Any]
    square: NDArray[Any]
    steps: int = 0

    @classmethod
    def of(cls, numbers: NDArray[Any]) -> Moments:
        return cls(np.zeros_like(numbers), np.zeros_like(numbers))

    def direction(self, slopes: NDArray[Any]) -> NDArray[Any]:
        """Adds a gradient; returns the step to take, for a rate of 1."""
        self.steps += 1
        self.mean += (1 - FIRST) * (slopes - self.mean)
        self.square += (1 - SECOND) * (slopes**2 - self.square)
        mean, square = self.mean / (1 - FIRST**self.steps), self.square / (1 - SECOND**self.steps)
        return mean / (np.sqrt(square) + 1e-8)
