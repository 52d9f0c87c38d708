"""The file of what was learned, and the evaluation made of it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from pentad.pentago.engine.net_kernels import Floats, Net, net_of
from pentad.user_files import replacing

FILE = Path(__file__).with_name("weights.npz")
FINEST = 127  # a number of a table in the file is from -127 to 127 times its unit's step


def write(whole: Floats, layer: Floats, heads: Floats, file: Path = FILE) -> None:
    """Keep tables, layer and heads; each unit of the tables in steps of its own."""
    step = np.maximum(np.abs(whole).max(axis=(0, 1)) / FINEST, 1e-9).astype(np.float32)
    with replacing(file) as kept:
        np.savez_compressed(
            kept, tables=np.rint(whole / step).astype(np.int8), step=step, layer=layer, heads=heads.astype(np.float32)
        )


def read(file: Path = FILE) -> Net:
    """The evaluation of a file."""
    with np.load(file) as kept:
        return net_of(kept["tables"].astype(np.float32) * kept["step"], kept["layer"], kept["heads"])


@lru_cache(maxsize=1)
def net() -> Net:
    """The package's evaluation."""
    return read()
