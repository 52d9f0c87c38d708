"""The names of numpy that kernels without records use, with numpy's types (see `numbers`).

A kernel writes `np.int64(a * b)` where a result may not fit into 64 bits: in Python it wraps around there, as compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentad.kernels.backends import is_compiling

if TYPE_CHECKING or is_compiling():
    import numpy as np
    from numpy.typing import NDArray
else:
    from pentad.kernels import plain_numbers as np
    from pentad.kernels.plain_numbers import NDArray

__all__ = ["NDArray", "np"]
