"""Former name of `pentad.jit.simd`."""

from pentad.jit.simd import *  # noqa: F403
from pentad.jit.simd import broadcast

everywhere = broadcast  # the former name
