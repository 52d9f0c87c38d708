"""The parameters of a kernel that drivers call, as its annotations declare them (`types`).

A module's table `NATIVE` maps the name of each entry point to its kernel. `with_types` names other types for some of
its parameters, where one kernel serves arrays of several types.

What is kept with machine code has the types as text: `int64`, `uint64` or `float64` for a number, `uint32[]` for an
array, `int64[,4]` for an array whose rows have four numbers, `=4` for a number that drivers do not pass.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeGuard, cast, get_type_hints

from pentad.kernels.types import Counters, FixedValue, NumberKind, Rows, RowSize, notes_of
from pentad.system.words import phrase

UNKNOWN = 0  # the length of the rows of an array that one kernel passes to another
PLAIN = {int: "int64", float: "float64", bool: "boolean"}


class BadTable(Exception):
    """A table declares something that kernels do not have."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number, or an array of a kind; `row` has the lengths of all its dimensions but the first."""

    kind: str
    is_array: bool = False
    row: tuple[int, ...] = ()
    value: int | None = None  # of a number that drivers do not pass

    def __str__(self) -> str:
        if self.value is not None:
            return f"={self.value}"
        return f"{self.kind}[{''.join(f',{each}' for each in self.row)}]" if self.is_array else self.kind


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record, with the parameters that it has in their order; counters are an array of numbers."""

    type: type[Any]
    parts: tuple[tuple[str, Declared], ...]


Declared: TypeAlias = Parameter | RecordType
COUNTERS = Parameter("int64", is_array=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point: a kernel with its parameters."""

    function: Callable[..., Any]
    declared: tuple[Declared, ...]

    @property
    def plain(self) -> Callable[..., Any]:
        """The Python function."""
        return plain_of(self.function)

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters, with those of each record in its place."""
        return [each for one in self.declared for each in flattened(one)]

    def put_together(self, values: Iterator[Any]) -> list[Any]:
        """The arguments of a call from the values of all parameters."""
        return [_put_together(each, values) for each in self.declared]


@dataclass(frozen=True, slots=True)
class Typed:
    """A kernel with other types for some of its parameters."""

    function: Callable[..., Any]
    types: Mapping[str, Any] = field(default_factory=dict)


def with_types(function: Callable[..., Any], **types: Any) -> Typed:
    """An entry point for a kernel that serves arrays of several types, with the types of these parameters."""
    return Typed(function, types)


def with_rows(record: type[Any], **rows: RowSize) -> type[Any]:
    """A record whose arrays of these names have rows of these lengths, which differ between tables."""
    hints = get_type_hints(record, include_extras=True)
    fields = [(name, Annotated[hint, rows[name]] if name in rows else hint) for name, hint in hints.items()]
    made: Any = NamedTuple(record.__name__, fields)  # type: ignore[misc]
    lengths = ", ".join(f"{name} {row}" for name, row in rows.items())
    made.__module__, made.__qualname__ = record.__module__, f"{record.__qualname__}[{lengths}]"
    return cast("type[Any]", made)


def plain_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function of a kernel."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


def is_record(hint: object) -> TypeGuard[type[Any]]:
    """Whether a type is a record or has counters."""
    is_tuple = isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")
    return is_tuple or (isinstance(hint, type) and issubclass(hint, Counters))


def declared(hint: object, where: str = "it") -> Declared:
    """What a type stands for: a number, an array, or a record.

    >>> from pentad.kernels.types import Int16s, Rows
    >>> from typing import Annotated
    >>> str(declared(float)), str(declared(Annotated[Rows[Rows[Int16s]], RowSize(2, 64)]))
    ('float64', 'int16[,2,64]')
    """
    if is_record(hint):
        return record_of(hint)
    if isinstance(hint, type) and hint in PLAIN:
        return Parameter(PLAIN[hint])
    notes = list(notes_of(hint))
    kind = next((each for each in notes if isinstance(each, NumberKind)), None)
    value = next((each.number for each in notes if isinstance(each, FixedValue)), None)
    if value is not None:
        return Parameter("int64", value=value)
    if kind is None:
        raise BadTable(phrase("{where} has no type that kernels know.", where=where))
    dimensions = notes.count(Rows)
    row = next((tuple(each) for each in notes if isinstance(each, RowSize)), (UNKNOWN,) * dimensions)
    if len(row) != dimensions:
        raise BadTable(
            phrase(
                "{where} has {dimensions} times Rows, and a row of {count} lengths.",
                where=where,
                dimensions=dimensions,
                count=len(row),
            )
        )
    return Parameter(kind.name, kind.is_array, row)


def _part(hint: object, where: str) -> Declared:
    """What drivers pass: they must know the lengths of rows."""
    one = declared(hint, where)
    if isinstance(one, Parameter) and UNKNOWN in one.row:
        raise BadTable(phrase("{where} needs the length of its rows: Annotated[…, RowSize(4)].", where=where))
    return one


def record_of(record: type[Any]) -> RecordType:
    """A record with its parts, as its annotations declare them."""
    return _record_of(cast(Hashable, record))


@cache
def _record_of(record: Hashable) -> RecordType:
    assert isinstance(record, type)
    if issubclass(record, Counters):
        return RecordType(record, ())
    hints = get_type_hints(record, include_extras=True)
    return RecordType(record, tuple((name, _part(hint, f"{record.__name__}.{name}")) for name, hint in hints.items()))


def flattened(one: Declared) -> list[Parameter]:
    """The parameters that something declared stands for."""
    if isinstance(one, Parameter):
        return [one]
    if issubclass(one.type, Counters):
        return [COUNTERS]
    return [each for _, part in one.parts for each in flattened(part)]


def _put_together(one: Declared, values: Iterator[Any]) -> Any:
    if isinstance(one, Parameter):
        return next(values)
    if issubclass(one.type, Counters):
        return one.type(next(values))
    return one.type(*(_put_together(part, values) for _, part in one.parts))


class RecordField(NamedTuple):
    """An array or a number of a record, with all that its annotation notes."""

    name: str
    parameter: Parameter
    notes: tuple[Any, ...]


def fields_of(record: type[Any]) -> tuple[RecordField, ...]:
    """The arrays and numbers of a record, without those of records within it."""
    return _fields_of(cast(Hashable, record))


@cache
def _fields_of(record: Hashable) -> tuple[RecordField, ...]:
    assert isinstance(record, type)
    hints = get_type_hints(record, include_extras=True)
    return tuple(
        RecordField(name, one, tuple(notes_of(hints[name])))
        for name, one in record_of(record).parts
        if isinstance(one, Parameter)
    )


def entry(function: Callable[..., Any], types: Mapping[str, Any] | None = None) -> Entry:
    """An entry point with the parameters that its annotations declare, but for those in `types`."""
    plain = plain_of(function)
    hints = {**get_type_hints(plain, include_extras=True), **(types or {})}
    return Entry(function, tuple(_part(hints.get(each), each) for each in inspect.signature(plain).parameters))


def parameter(text: str) -> Parameter:
    """The parameter with this text.

    >>> parameter("int16[,2,64]")
    Parameter(kind='int16', is_array=True, row=(2, 64), value=None)
    """
    if text.startswith("="):
        return Parameter("int64", value=int(text[1:]))
    kind, bracket, row = text.partition("[")
    return Parameter(kind, bool(bracket), tuple(map(int, row.rstrip("]").split(",")[1:])))


def entries_of(module: str) -> dict[str, Entry]:
    """The entry points of a module of kernels; its import may compile some kernels."""
    return {
        name: _entry(f"{module}, kernel {name}", given)
        for name, given in importlib.import_module(module).NATIVE.items()
    }


def _entry(where: str, given: Callable[..., Any] | Typed) -> Entry:
    try:
        return entry(given.function, given.types) if isinstance(given, Typed) else entry(given)
    except BadTable as error:
        raise BadTable(f"{where}: {error}") from None
