"""The types by which kernels declare their parameters: what mypy, drivers and the compiler read.

An array is named by its numbers: `Int32s`, `UInt64s`. `Annotated[Rows[Int64s], RowSize(4)]` is an array whose rows have
four numbers, `Annotated[Rows[Rows[Int16s]], RowSize(2, 64)]` one of three dimensions. A kernel sees arrays of numpy's
or memoryviews with rows; a driver sees the memory, where the rows follow each other (`buffers.flat`).

A record is a `NamedTuple` of numbers, arrays, counters and other records. Drivers and kernels pass it whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, NamedTuple, Self, TypeVar, get_args, overload


class NumberKind(NamedTuple):
    """The type of a number, or of an array's numbers."""

    name: str
    is_array: bool = True


class RowSize(tuple[int, ...]):
    """The lengths of all dimensions of an array but the first."""

    __slots__ = ()

    def __new__(cls, *lengths: int) -> RowSize:
        return super().__new__(cls, lengths)


class FixedValue(NamedTuple):
    """A number that drivers do not pass: the kernel is compiled for it."""

    number: int


Number = TypeVar("Number", int, float)
Part = TypeVar("Part", covariant=True)
Inner = TypeVar("Inner")

if TYPE_CHECKING:

    class Array(Generic[Number]):
        """What kernels and drivers do with an array of one dimension."""

        itemsize: int
        nbytes: int

        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[Number]: ...
        def __buffer__(self, flags: int, /) -> memoryview: ...
        @overload
        def __getitem__(self, index: int) -> Number: ...
        @overload
        def __getitem__(self, index: slice) -> Self: ...
        def __getitem__(self, index: Any) -> Any: ...
        @overload
        def __setitem__(self, index: int, value: Number) -> None: ...
        @overload
        def __setitem__(self, index: slice, value: Self | memoryview | Number) -> None: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...
        def tobytes(self) -> bytes: ...
        def tolist(self) -> list[Number]: ...

    class Rows(Generic[Part]):
        """What kernels do with an array of two or three dimensions."""

        shape: tuple[int, ...]

        def __len__(self) -> int: ...
        @overload
        def __getitem__(self, index: int) -> Part: ...
        @overload
        def __getitem__(self: Rows[Array[Number]], index: tuple[int, int]) -> Number: ...
        @overload
        def __getitem__(self: Rows[Rows[Inner]], index: tuple[int, int]) -> Inner: ...
        @overload
        def __getitem__(self: Rows[Rows[Array[Number]]], index: tuple[int, int, int]) -> Number: ...
        def __getitem__(self, index: Any) -> Any: ...
        @overload
        def __setitem__(self: Rows[Array[Number]], index: tuple[int, int], value: Number) -> None: ...
        @overload
        def __setitem__(self: Rows[Rows[Array[Number]]], index: tuple[int, int, int], value: Number) -> None: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...

    class Int8s(Array[int]): ...

    class Int16s(Array[int]): ...

    class Int32s(Array[int]): ...

    class Int64s(Array[int]): ...

    class UInt8s(Array[int]): ...

    class UInt16s(Array[int]): ...

    class UInt32s(Array[int]): ...

    class UInt64s(Array[int]): ...

    class Float32s(Array[float]): ...

    class Float64s(Array[float]): ...

    Word = int
else:

    class Rows:
        """An array of two or three dimensions."""

        def __class_getitem__(cls, part: Any) -> Any:
            return Annotated[part, cls]

    class Array:
        """An array of any numbers. A kernel that takes one is compiled for the types that it is called with."""

        def __class_getitem__(cls, number: Any) -> Any:
            return Annotated[memoryview, cls]

    Int8s, Int16s, Int32s, Int64s, UInt8s, UInt16s, UInt32s, UInt64s, Float32s, Float64s = (
        Annotated[memoryview, NumberKind(name)]
        for name in (
            "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
        )
    )  # fmt: skip
    Word = Annotated[int, NumberKind("uint64", is_array=False)]


def notes_of(hint: object) -> Iterator[object]:
    """All notes of an annotated type, and of the types within it."""
    for each in get_args(hint):
        yield each
        yield from notes_of(each)


class Counters:
    """Numbers that a kernel and its driver share and both change: a row of 64-bit integers, each with a name.

    >>> class Stats(Counters):
    ...     stop: int
    ...     count: int
    >>> stats = Stats()
    >>> stats.count += 2
    >>> stats.count, list(stats.memory)
    (2, [0, 2])
    """

    names: ClassVar[tuple[str, ...]]
    __slots__ = ("memory",)

    def __init_subclass__(cls) -> None:
        before = getattr(cls.__base__, "names", ())
        cls.names = (*before, *cls.__annotations__)
        for place, name in enumerate(cls.names[len(before) :], start=len(before)):
            setattr(cls, name, _counter(place))

    def __init__(self, memory: memoryview[int] | None = None) -> None:
        self.memory = memoryview(bytearray(8 * len(self.names))).cast("q") if memory is None else memory


def _counter(place: int) -> property:
    """The property that reads and writes the number at a place."""

    def read(self: Counters) -> int:
        return self.memory[place]

    def write(self: Counters, value: int) -> None:
        self.memory[place] = value

    return property(read, write)


class StoppableCounters(Counters):
    """The counters of a kernel that stops when its driver sets `stop` (`polling`)."""

    stop: int
