"""The file of learned weights, and the evaluation loaded from it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from pentad.jit.buffers import Buffer, zeros
from pentad.jit.npz import read_npz
from pentad.pentago.engine.constants import PATTERNS, ROW
from pentad.pentago.engine.state import kernels, tables

FILE = Path(__file__).with_name("weights.npz")
Net: TypeAlias = tuple[Buffer, Buffer, Buffer]  # the rows of patterns, the layer, the heads


def read(file: Path = FILE) -> Net:
    """Reads the evaluation from a file; each unit of its tables has its own step."""
    stored = read_npz(file)
    rows, lookup = zeros(4 * PATTERNS * ROW, "int16"), tables()
    kernels()("fill_rows", stored["tables"].values, stored["step"].values, lookup.images, lookup.corners, rows)
    return rows, stored["layer"].values, stored["heads"].values


@lru_cache(maxsize=1)
def net() -> Net:
    """The package's evaluation."""
    return read()
