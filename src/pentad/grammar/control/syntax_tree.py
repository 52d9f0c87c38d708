"""Control programs as trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pentad.grammar.control.tokenizer import Place

Name: TypeAlias = tuple[str, ...]  # a qualified name: packages, and a name in them


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; a block where what it declares is its own."""

    parts: tuple[Statement, ...]
    block: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of these."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Alap:
    """As long as possible."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Star:
    """Any number of times."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Atomic:
    """All or nothing."""

    body: Statement


@dataclass(frozen=True, slots=True)
class While:
    """The body each time that the condition could be done."""

    condition: Statement
    body: Statement


@dataclass(frozen=True, slots=True)
class Until:
    """The body each time that the condition could not be done."""

    condition: Statement
    body: Statement


@dataclass(frozen=True, slots=True)
class If:
    """The one if the condition could be done, else the other."""

    condition: Statement
    body: Statement
    other: Statement | None


@dataclass(frozen=True, slots=True)
class Try:
    """The body if it can begin, else the other."""

    body: Statement
    other: Statement | None


@dataclass(frozen=True, slots=True)
class Nothing:
    """Does nothing; the condition `true`."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Nothing follows, and the state is not a final one."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """Variables of a type."""

    type: str
    names: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Argument:
    """What a call is given: `out x`, `_`, or an expression as it is written."""

    kind: str  # "out", "any" or "in"
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """A call by name, or of a group (`any`, `other`) of a package; `targets` where it is assigned."""

    name: Name
    group: str
    arguments: tuple[Argument, ...] | None
    targets: tuple[Argument, ...] | None
    place: Place


Statement: TypeAlias = (
    Sequence | Choice | Alap | Star | Atomic | While | Until | If | Try | Nothing | Halt | Declaration | Call
)


@dataclass(frozen=True, slots=True)
class Formal:
    """A parameter of a function or a recipe."""

    name: str
    type: str
    output: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Procedure:
    """A function or a recipe."""

    kind: str
    name: str  # with its package
    parameters: tuple[Formal, ...]
    priority: int
    body: Statement
    place: Place


@dataclass(frozen=True, slots=True)
class Import:
    """A name that is known without its package."""

    name: Name
    place: Place


@dataclass(frozen=True, slots=True)
class Program:
    """A program's text as a tree; without a body it only declares."""

    name: str
    package: Name
    imports: tuple[Import, ...]
    procedures: tuple[Procedure, ...]
    body: Sequence | None
