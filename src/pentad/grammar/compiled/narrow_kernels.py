"""The entry points for states of one word."""

from typing import Annotated

from pentad.grammar.compiled.kernels import entry_points
from pentad.kernels.types import FixedValue

NATIVE = entry_points(Annotated[int, FixedValue(1)])
