"""Arguments of a kernel as a block of 64-bit numbers: the address and length of each array, and each number."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from pentad.kernels.buffers import Buffer
from pentad.kernels.parameters import Parameter, flattened, record_of
from pentad.kernels.types import Array, Counters, Rows

Argument: TypeAlias = "Buffer | Array[Any] | Rows[Any] | Counters | float | tuple[Any, ...]"  # a tuple is a record
FORMATS = {"int64": "q", "uint64": "Q", "float64": "d", "array": "Qq"}


def address(array: Any) -> int:
    """The address of an array's memory, which the array must outlive."""
    return ctypes.addressof(ctypes.c_char.from_buffer(array)) if array.nbytes else 0


def flat(arguments: Iterable[Argument]) -> list[float]:
    """The numbers of a block; those of a record are in its place."""
    values: list[float] = []
    for each in arguments:
        if isinstance(each, memoryview):
            values += (address(each), len(each))
        elif isinstance(each, tuple):
            values += flat(each)
        elif isinstance(each, Counters):
            values += (address(each.memory), len(each.memory))
        elif isinstance(each, int | float):
            values.append(each)
        else:
            values += _of_numpy(each)
    return values


def _of_numpy(given: Any) -> tuple[float, ...]:
    """An array of numpy's or a number."""
    return (address(given), given.size) if given.ndim else (given.item(),)


def packer(parameters: Iterable[Parameter]) -> Callable[..., bytes]:
    """The function that makes a block of the numbers for these parameters."""
    form = "".join(FORMATS["array" if each.is_array else each.kind] for each in parameters if each.value is None)
    return struct.Struct(f"={form}").pack


def packed(record: Any) -> bytes:
    """The block of a record."""
    return packer(flattened(record_of(type(record))))(*flat([record]))
