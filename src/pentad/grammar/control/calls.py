"""Rules, functions and recipes that a control program can call, and calls with resolved arguments."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pentad.game import shown
from pentad.grammar.control import parser
from pentad.grammar.control.parser import Place
from pentad.grammar.graph import reachable
from pentad.grammar.language.expressions import Constant, Expression, text

RULE, FUNCTION, RECIPE = "rule", "function", "recipe"
Variable: TypeAlias = tuple[str, str]  # its name and type


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a rule: a node or a value of a type; many parameters are both input and output."""

    kind: str
    output: bool
    input: bool

    def __str__(self) -> str:
        return self.kind if self.input else f"out {self.kind}"


@dataclass(frozen=True, slots=True)
class Unit:
    """A rule, a function or a recipe, by its qualified name. `any` leaves out properties such as invariants."""

    name: str
    priority: int
    parameters: tuple[Parameter, ...]
    is_property: bool = False
    kind: str = RULE
    formals: tuple[Variable, ...] = ()  # variables of a procedure's parameters

    def __str__(self) -> str:
        return f"{self.kind} {self.name}({', '.join(map(str, self.parameters))})"

    @property
    def package(self) -> parser.Name:
        return tuple(self.name.split(".")[:-1])


# ── calls ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OutArgument:
    """An argument `out x`."""

    variable: Variable

    @property
    def type(self) -> str:
        return self.variable[1]

    def __str__(self) -> str:
        return f"out {self.variable[0]}"


@dataclass(frozen=True, slots=True)
class InArgument:
    """An input argument: a value or an expression over variables."""

    expression: Expression
    variables: tuple[Variable, ...]
    type: str

    def __str__(self) -> str:
        return self.expression.value.text if isinstance(self.expression, Constant) else text(self.expression)


@dataclass(frozen=True, slots=True)
class AnyArgument:
    """An argument `_`."""

    def __str__(self) -> str:
        return "_"


Actual: TypeAlias = OutArgument | InArgument | AnyArgument


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a unit; `arguments` is None where the call has no argument list."""

    unit: Unit
    arguments: tuple[Actual, ...] | None

    @property
    def procedure(self) -> str | None:
        """The procedure that the call enters."""
        return None if self.unit.kind == RULE else self.unit.name

    @property
    def is_action(self) -> bool:
        """Whether the call is one step."""
        return self.unit.kind != FUNCTION

    @property
    def outputs(self) -> dict[Variable, int]:
        """The variables that the call binds, with the index of the argument."""
        return {
            each.variable: place for place, each in enumerate(self.arguments or ()) if isinstance(each, OutArgument)
        }

    @property
    def inputs(self) -> set[Variable]:
        """The variables that the call reads."""
        return {
            variable for each in self.arguments or () if isinstance(each, InArgument) for variable in each.variables
        }

    def __str__(self) -> str:
        given = "" if self.arguments is None else f"({', '.join(map(str, self.arguments))})"
        return f"{self.unit.name}{given}"


# ── names ────────────────────────────────────────────────────────────────────────────────────────


def calls_in(statement: parser.Statement) -> Iterator[parser.Call]:
    """Yields all calls in a statement."""
    todo = [statement]
    while todo:
        now = todo.pop()
        if isinstance(now, parser.Call):
            yield now
        elif isinstance(now, parser.Compound):
            todo += now.parts


class Names:
    """All names that the programs can call: rules, and the procedures of all programs."""

    def __init__(
        self, rules: Mapping[str, Unit], programs: Sequence[parser.Program], missing: Mapping[str, str]
    ) -> None:
        self.units = dict(rules)
        self.missing = missing  # why a rule or procedure is not enabled, as a sentence
        for program in programs:
            for procedure in program.procedures:
                self._declare(procedure)
        self.imports = {program.name: self._imported(program) for program in programs}
        bodies = [("", program, program.body) for program in programs if program.body is not None]
        bodies += [(each.name, program, each.body) for program in programs for each in program.procedures]
        called = {
            name: {self.qualified(call, program) for call in calls_in(body) if not call.group}
            for name, program, body in bodies
        }
        self.called = set().union(*called.values())
        actions = [unit for _, unit in sorted(self.units.items()) if unit.kind != FUNCTION and not unit.is_property]
        self.has_priorities = len({unit.priority for unit in actions}) > 1
        inner: set[str] = set()  # what recipes call
        for unit in self.units.values():
            if unit.kind == RECIPE:
                inner |= reachable([unit.name], lambda name: called.get(name, ())) - {unit.name}
        self.free = [unit for unit in actions if unit.name not in inner]  # the actions that `any` may mean

    def _declare(self, procedure: parser.Procedure) -> None:
        known = self.units.get(procedure.name)
        if known is not None:
            procedure.place.fail(f"There is already a {known.kind} {shown(known.name)}.")
        formals = procedure.parameters
        self.units[procedure.name] = Unit(
            procedure.name,
            procedure.priority,
            tuple(Parameter(each.type, each.output, not each.output) for each in formals),
            kind=procedure.kind,
            formals=tuple((each.name, each.type) for each in formals),
        )

    def _imported(self, program: parser.Program) -> dict[str, str]:
        for each in program.imports:
            self.find(".".join(each.name), each.place)
        return {each.name[-1]: ".".join(each.name) for each in program.imports}

    def qualified(self, call: parser.Call, program: parser.Program) -> str:
        """The qualified name that a call in a program refers to."""
        if len(call.name) > 1:
            return ".".join(call.name)
        return self.imports[program.name].get(call.name[0]) or ".".join((*program.package, *call.name))

    def find(self, name: str, place: Place) -> Unit:
        if name not in self.units:
            reason = self.missing.get(name) or suggestions(name, self.units)
            place.fail(f"Unknown rule, function or recipe {shown(name)}. {reason}")
        return self.units[name]

    def units_of(self, call: parser.Call, program: parser.Program) -> list[Unit]:
        """The units that a call may mean: one, or the actions of a group."""
        if call.group:
            excluded = self.called if call.group == "other" else ()
            return [unit for unit in self.free if self._is_in(unit, call.name, program) and unit.name not in excluded]
        unit = self.find(self.qualified(call, program), call.place)
        if unit.priority and self.has_priorities:
            call.place.fail(f"The {unit.kind} {shown(unit.name)} has a priority; only any and other can call it.")
        return [unit]

    def _is_in(self, unit: Unit, package: parser.Name, program: parser.Program) -> bool:
        if package and package[-1] == "*":
            return unit.package[: len(package) - 1] == package[:-1]
        if package:
            return unit.package == package
        return unit.package == program.package or unit.name in self.imports[program.name].values()


def suggestions(name: str, known: Collection[str], most: int = 8) -> str:
    """A sentence with the known names that are close to a wrong one, or else with some of the known names."""
    near = difflib.get_close_matches(name[:100], known, 3, 0.6)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    listed = ", ".join(sorted(known)[:most])
    return f"Known: {listed}{', …' if len(known) > most else '.'}" if listed else "None is known."
