"""The parameters of a kernel that drivers call, as its module's `NATIVE` table declares them.

A table maps the name of each entry point to its kernel and the types of its parameters, separated by blanks: `int64`,
`uint64` or `float64` for a number, `uint32[]` for an array, `int64[,4]` for an array whose rows have four numbers. `=4`
is a number that drivers do not pass: the kernel is compiled for it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pentad.kernels.buffers import FORMATS

NUMBERS = ("int64", "uint64", "float64")
_PARAMETER = re.compile(r"(?P<kind>\w+)(?P<array>\[(?P<row>(,[1-9][0-9]*)*)\])?")


class BadTable(Exception):
    """A table declares something that kernels do not have."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number, or an array of a kind; `row` has the lengths of all its dimensions but the first."""

    kind: str
    is_array: bool = False
    row: tuple[int, ...] = ()
    value: int | None = None  # of a number that drivers do not pass


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point: a kernel with its parameters."""

    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]

    @property
    def plain(self) -> Callable[..., Any]:
        """The Python function."""
        return getattr(self.function, "py_func", self.function)


def parameter(text: str) -> Parameter:
    """Reads a parameter's type.

    >>> parameter("int16[,2,64]")
    Parameter(kind='int16', is_array=True, row=(2, 64), value=None)
    """
    if re.fullmatch("=[0-9]+", text):
        return Parameter("int64", value=int(text[1:]))
    match = _PARAMETER.fullmatch(text)
    kinds = FORMATS if match and match["array"] else NUMBERS
    if match is None or match["kind"] not in kinds:
        raise BadTable(f"Unknown parameter type {text!r}.")
    row = tuple(map(int, (match["row"] or "").split(",")[1:]))
    return Parameter(match["kind"], match["array"] is not None, row)


def entries_of(module: str) -> dict[str, Entry]:
    """The entry points of a module of kernels; its import may compile some kernels."""
    entries = {}
    for name, (function, text) in importlib.import_module(module).NATIVE.items():
        try:
            entry = Entry(function, tuple(map(parameter, text.split())))
        except BadTable as error:
            raise BadTable(f"{module}, kernel {name}: {error}") from None
        taken = entry.plain.__code__.co_argcount
        if taken != len(entry.parameters):
            raise BadTable(f"{module}, kernel {name}: it has {taken} parameters, the table {len(entry.parameters)}.")
        entries[name] = entry
    return entries
