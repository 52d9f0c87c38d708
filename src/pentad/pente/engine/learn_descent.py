"""Gradient descent by moments (Adam), and the file in which a training run is recorded."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentad.user_files import replacing

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


class Record:
    """`run.json`: the settings of a training run, the hash of each file of games, and what each epoch reached.

    A row of `losses` or `order` begins with the round and the epoch, both from 0.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "run.json"
        self.rows: dict[str, Any] = {"games": {}, "losses": []}
        if self._file.exists():
            self.rows = json.loads(self._file.read_text())

    def begin(self, args: argparse.Namespace, games: Sequence[Path]) -> None:
        """Notes the settings and the files of games."""
        skipped = ("folder", "workers", "rounds")
        self.rows["settings"] = {name: value for name, value in vars(args).items() if name not in skipped}
        self.rows["games"] |= {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in games}

    def add(self, name: str, row: Sequence[float]) -> None:
        """Adds what an epoch reached, instead of what that epoch and later ones had reached before, and saves."""
        self.rows[name] = [each for each in self.rows.get(name, []) if each[:2] < list(row[:2])] + [list(row)]
        with replacing(self._file) as file:
            file.write(json.dumps(self.rows, indent=1).encode())
