"""numpy's numbers, for kernels that run with them in Python too; for the type checker they are Python's.

Kernels that need no numpy import `numbers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pentad.kernels import plain_numbers as np
else:
    import numpy as np

__all__ = ["np"]
