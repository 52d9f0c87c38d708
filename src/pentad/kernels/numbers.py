"""The names of numpy that kernels use: numpy's own where numba compiles kernels, else those of `plain_numbers`.

A kernel writes `np.int64(a * b)` where a result may not fit into 64 bits: in Python it wraps around there, as compiled.
For the type checker all numbers are Python's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentad.kernels.backends import is_compiling

if not TYPE_CHECKING and is_compiling():
    import numpy as np
else:
    from pentad.kernels import plain_numbers as np

__all__ = ["np"]
