"""Runs the kernels over transition systems: Python over lists for small ones, machine code for large ones."""

from __future__ import annotations

from array import array
from types import ModuleType
from typing import Any, TypeVar, cast, overload

from pentad.grammar.logic.fixpoint_kernels import Numbers
from pentad.kernels.buffers import typed, zeros
from pentad.kernels.cache import are_compiled
from pentad.kernels.parameters import Typed
from pentad.kernels.program import Program, machine_code
from pentad.kernels.types import Array, Int32s

A = TypeVar("A", bound="Array[int]")

# The states and transitions of a system up to which Python searches it: in any case, and if machine code would have to
# be compiled first.
TINY, SMALL = 1_000, 200_000


class Runner:
    """Calls kernels; the columns of numbers that they get are lists, or arrays if they are machine code."""

    def __init__(self, kernels: ModuleType, count: int) -> None:
        """`count` is the number of states and transitions."""
        self._kernels = kernels
        self.code = _code_for(kernels.__name__, count)

    @overload
    def zeros(self, count: int, kind: str) -> Numbers: ...
    @overload
    def zeros(self, count: int, kind: type[A]) -> A: ...
    def zeros(self, count: int, kind: Any) -> Any:
        """A column of zeros, with numbers of a kind, by its name or its type, if it is an array."""
        return zeros(count, kind, huge=True) if self.code else [0] * count

    def read(self, column: array[int]) -> Int32s:
        """The numbers of a column of a system."""
        if self.code is None:
            return cast("Int32s", column.tolist())
        if column.typecode != "q":
            return typed(memoryview(column if column.typecode == "i" else array("i", column)), Int32s)
        narrowed = self.zeros(len(column), Int32s)
        self.call("narrow", memoryview(column), narrowed)
        return narrowed

    def call(self, kernel: str, *arguments: Any) -> int:
        """Calls a kernel."""
        if self.code is None:
            entry = self._kernels.NATIVE[kernel]
            function = entry.function if isinstance(entry, Typed) else entry
            return int(function(*arguments) or 0)
        return int(self.code(kernel, *arguments))


def _code_for(kernels: str, count: int) -> Program | None:
    """The kernels for a number of states and transitions; None for Python."""
    if count <= TINY or (count <= SMALL and not are_compiled(kernels)):
        return None
    return machine_code(kernels)
