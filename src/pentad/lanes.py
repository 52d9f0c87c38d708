"""Former name of `pentad.simd`."""

from pentad.simd import *  # noqa: F403
from pentad.simd import broadcast

everywhere = broadcast  # the former name
