"""The file of learned weights, and the evaluation loaded from it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from pentad.pentago.engine.net_kernels import Floats, Net, net_of
from pentad.user_files import replacing

FILE = Path(__file__).with_name("weights.npz")
FINEST = 127  # numbers of the tables in the file are from -127 to 127, times their unit's step


def write(whole: Floats, layer: Floats, heads: Floats, file: Path = FILE) -> None:
    """Writes the tables, the layer and the heads; each unit of the tables has its own step."""
    step = np.maximum(np.abs(whole).max(axis=(0, 1)) / FINEST, 1e-9).astype(np.float32)
    with replacing(file) as archive:
        np.savez_compressed(
            archive,
            tables=np.rint(whole / step).astype(np.int8),
            step=step,
            layer=layer,
            heads=heads.astype(np.float32),
        )


def read(file: Path = FILE) -> Net:
    """Reads the evaluation from a file."""
    with np.load(file) as archive:
        return net_of(archive["tables"].astype(np.float32) * archive["step"], archive["layer"], archive["heads"])


@lru_cache(maxsize=1)
def net() -> Net:
    """The package's evaluation."""
    return read()
