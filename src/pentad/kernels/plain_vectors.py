"""Vectors of sixteen 16-bit or eight 32-bit integers as lists, for kernels that run as Python.

Compiled they are those of `integer_vectors`.
"""

from __future__ import annotations

from array import array as Column  # noqa: N812 - `array` is an argument
from typing import Any

SHORTS, WORDS = 16, 8  # a vector has so many
_HALVES = {SHORTS: 1 << 15, WORDS: 1 << 31}  # by the length of a vector: what a number's absolute value may reach


class Vector(list[int]):
    """A vector, with the operators of compiled ones."""

    __slots__ = ()

    def __add__(self, other: Any) -> Vector:  # type: ignore[override]
        return _wrapped([a + b for a, b in zip(self, other, strict=True)])

    def __sub__(self, other: Any) -> Vector:
        return _wrapped([a - b for a, b in zip(self, other, strict=True)])

    def __mul__(self, other: Any) -> Vector:
        return _wrapped([a * b for a, b in zip(self, other, strict=True)])

    def __rshift__(self, by: int) -> Vector:
        return Vector([each >> by for each in self])


def _wrapped(numbers: list[int]) -> Vector:
    half = _HALVES[len(numbers)]
    if max(numbers) < half and min(numbers) >= -half:
        return Vector(numbers)
    return Vector([(each + half) % (2 * half) - half for each in numbers])


def load_shorts(array: Any, index: Any) -> Vector:
    """Loads the sixteen numbers at an index."""
    return Vector(array[index : index + SHORTS])


def load_words(array: Any, index: Any) -> Vector:
    """Loads the eight numbers at an index."""
    return Vector(array[index : index + WORDS])


def store(array: Any, index: Any, value: Vector) -> None:
    """Stores the numbers of a vector at an index."""
    array[index : index + len(value)] = Column("h" if len(value) == SHORTS else "i", value)


def copy_shorts(to: Any, index: Any, of: Any, start: Any) -> None:
    """Copies the sixteen numbers at a place of another array to an index."""
    to[index : index + SHORTS] = of[start : start + SHORTS]


def repeat_pair(array: Any, index: Any) -> Vector:
    """Loads the two numbers at an index, eight times."""
    return Vector([array[index], array[index + 1]] * WORDS)


def same_shorts(number: int) -> Vector:
    """A vector of the same 16-bit number."""
    return Vector([number] * SHORTS)


def same_words(number: int) -> Vector:
    """A vector of the same 32-bit number."""
    return Vector([number] * WORDS)


def larger(a: Vector, b: Vector) -> Vector:
    """The larger number of each two."""
    return Vector(map(max, a, b))


def smaller(a: Vector, b: Vector) -> Vector:
    """The smaller number of each two."""
    return Vector(map(min, a, b))


def first_words(a: Vector) -> Vector:
    """The first eight numbers with 32 bits."""
    return Vector(a[:WORDS])


def last_words(a: Vector) -> Vector:
    """The last eight numbers with 32 bits."""
    return Vector(a[WORDS:])


def products(a: Vector, b: Vector) -> Vector:
    """For each two adjacent 16-bit numbers the sum of both products."""
    both = [x * y for x, y in zip(a, b, strict=True)]
    return _wrapped([x + y for x, y in zip(both[::2], both[1::2], strict=True)])


def total(a: Vector) -> int:
    """The sum of all eight numbers, as 32 bits."""
    half = _HALVES[WORDS]
    return (sum(a) + half) % (2 * half) - half


def shorts_in(array: Any) -> Any:
    """The memory of an array as 16-bit numbers."""
    return array.cast("B").cast("h")


def words_in(array: Any) -> Any:
    """The memory of an array as 32-bit numbers."""
    return array.cast("B").cast("i")
