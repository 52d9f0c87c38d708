"""Syntax tree of control programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pentad.grammar.control.tokenizer import Place

Name: TypeAlias = tuple[str, ...]  # a qualified name: its packages, then the name


@dataclass(frozen=True, slots=True)
class Sequence:
    """Statements in order; a block is also the scope of the variables that it declares."""

    parts: tuple[Statement, ...]
    block: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several statements."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Alap:
    """The body, repeated as long as possible."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Star:
    """The body, any number of times."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Atomic:
    """The body as a whole, or not at all."""

    body: Statement


@dataclass(frozen=True, slots=True)
class While:
    """The body, as long as the condition succeeds."""

    condition: Statement
    body: Statement


@dataclass(frozen=True, slots=True)
class Until:
    """The body, as long as the condition fails."""

    condition: Statement
    body: Statement


@dataclass(frozen=True, slots=True)
class If:
    """The body if the condition succeeds, otherwise the other statement."""

    condition: Statement
    body: Statement
    other: Statement | None


@dataclass(frozen=True, slots=True)
class Try:
    """The body if it can begin, otherwise the other statement."""

    body: Statement
    other: Statement | None


@dataclass(frozen=True, slots=True)
class Nothing:
    """Does nothing; the condition `true`."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Ends the program in a state that is not final."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration of variables of one type."""

    type: str
    names: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call: `out x`, `_`, or the source text of an expression."""

    kind: str  # "out", "any" or "in"
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """A call by name, or of a group (`any`, `other`) of a package; an assignment has `targets`."""

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
    name: str  # qualified
    parameters: tuple[Formal, ...]
    priority: int
    body: Statement
    place: Place


@dataclass(frozen=True, slots=True)
class Import:
    """A name that may be used without its package."""

    name: Name
    place: Place


@dataclass(frozen=True, slots=True)
class Program:
    """A parsed program; one without a body only declares procedures."""

    name: str
    package: Name
    imports: tuple[Import, ...]
    procedures: tuple[Procedure, ...]
    body: Sequence | None
