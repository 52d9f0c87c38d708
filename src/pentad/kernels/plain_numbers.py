"""Numbers and arrays for kernels that run as plain Python: Python's own numbers, memoryviews, and rows of them.

The functions have the names of numpy's types; each returns the number that fits into the type, as compiled code would
have it. Only what kernels use is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import c_float
from math import prod
from typing import Any

from pentad.kernels import buffers
from pentad.kernels.buffers import Buffer

NDArray = list  # of annotations, which nothing evaluates further


def _signed(bits: int) -> Callable[[float], int]:
    half, most = 1 << (bits - 1), (1 << bits) - 1

    def number(value: float) -> int:
        value = int(value)
        return value if -half <= value < half else (value + half & most) - half

    return number


def _unsigned(bits: int) -> Callable[[float], int]:
    most = (1 << bits) - 1
    return lambda value: int(value) & most


int8, int16, int32, int64 = map(_signed, (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = map(_unsigned, (8, 16, 32, 64))
float64, rint = float, round


def float32(value: float) -> float:
    return c_float(value).value


# The types by the names that parameters have.
TYPES: dict[str, Callable[[float], Any]] = {
    "int8": int8, "int16": int16, "int32": int32, "int64": int64, "uint8": uint8, "uint16": uint16, "uint32": uint32,
    "uint64": uint64, "float32": float32, "float64": float64,
}  # fmt: skip
_NAMES = {type_: name for name, type_ in TYPES.items()}


class Rows:
    """An array of two or three dimensions over a flat one: `rows[2, 5]` is a number, `rows[2]` a part of the memory."""

    __slots__ = ("flat", "row", "sizes")

    def __init__(self, flat: Buffer, row: tuple[int, ...]) -> None:
        """`row` has the lengths of all dimensions but the first."""
        self.flat, self.row = flat, row
        self.sizes = tuple(prod(row[at:]) for at in range(len(row) + 1))  # numbers from one index to the next

    def __len__(self) -> int:
        return len(self.flat) // self.sizes[0]

    def __getitem__(self, index: Any) -> Any:
        sizes = self.sizes
        if index.__class__ is not tuple:
            count, start = 1, index * sizes[0]
        elif len(index) == 2:
            count, start = 2, index[0] * sizes[0] + index[1] * sizes[1]
        else:
            count, start = 3, index[0] * sizes[0] + index[1] * sizes[1] + index[2]
        if count == len(sizes):
            return self.flat[start]
        part = self.flat[start : start + sizes[count - 1] or None]  # -1 is the last
        return part if count == len(self.row) else Rows(part, self.row[count:])

    def __setitem__(self, index: tuple[int, ...], value: float) -> None:
        sizes = self.sizes
        if len(index) == 2:
            self.flat[index[0] * sizes[0] + index[1]] = value
        else:
            self.flat[index[0] * sizes[0] + index[1] * sizes[1] + index[2]] = value


def shaped(flat: Buffer, row: tuple[int, ...]) -> Any:
    """An array as a kernel's parameter declares it."""
    return Rows(flat, row) if row else flat


def array(values: Sequence[Any], dtype: Callable[[float], Any] = float64) -> Any:
    """An array of numbers, or of rows of them."""
    row: list[int] = []
    while len(values) and not isinstance(values[0], int | float):
        row.append(len(values[0]))
        values = [each for part in values for each in part]
    return shaped(buffers.array(values, _NAMES[dtype]), tuple(row))


def zeros(shape: int | tuple[int, ...], dtype: Callable[[float], Any] = float64) -> Any:
    """An array of zeros."""
    lengths = shape if isinstance(shape, tuple) else (shape,)
    return shaped(buffers.zeros(prod(lengths), _NAMES[dtype]), lengths[1:])
