"""Compiler from a program's syntax tree to its term; it checks scopes, variables and arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pentad.game import shown
from pentad.grammar.control import parser
from pentad.grammar.control.calls import (
    Actual,
    AnyArgument,
    Call,
    InArgument,
    Names,
    OutArgument,
    Parameter,
    Unit,
    Variable,
    suggestions,
)
from pentad.grammar.control.parser import Place
from pentad.grammar.control.terms import Term, Terms
from pentad.grammar.graph import GrammarError
from pentad.grammar.language import expressions
from pentad.grammar.language.expressions import Expression
from pentad.grammar.language.values import DEFAULT, Family


class Builder:
    """Builds the terms of one program."""

    def __init__(
        self, terms: Terms, names: Names, program: parser.Program, algebra: Family = DEFAULT, stores: bool = False
    ) -> None:
        self.terms, self.names, self.program, self.algebra = terms, names, program, algebra
        self.stores = stores  # whether the outputs of a group's actions are kept
        self._scopes: list[dict[str, str]] = [{}]
        self._bound: set[Variable] = set()

    def main(self) -> Term:
        """Compiles the main body."""
        return self._term(self.program.body or parser.NOTHING)

    def procedure(self, procedure: parser.Procedure) -> Term:
        """Compiles the body of a function or a recipe."""
        for formal in procedure.parameters:
            self._declare(formal.name, formal.type, formal.place)
            if not formal.output:
                self._bound.add((formal.name, formal.type))
        term = self._term(procedure.body)
        for formal in procedure.parameters:
            if (formal.name, formal.type) not in self._bound:
                formal.place.fail(f"The output parameter {shown(formal.name)} may get no value.")
        return term

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def _term(self, statement: parser.Statement) -> Term:
        if isinstance(statement, parser.Call):
            return self._call(statement)
        if isinstance(statement, parser.Declaration):
            for name in statement.names:
                self._declare(name, statement.type, statement.place)
            return self.terms.epsilon
        terms, parts = self.terms, statement.parts
        match statement.kind:
            case "true":
                return terms.epsilon
            case "halt":
                return terms.delta
            case "{":
                self._scopes.append({})
                found = terms.all_of(map(self._term, parts))
                self._scopes.pop()
                return found
            case ";":
                return terms.all_of(map(self._term, parts))
            case "choice":
                return terms.any_of(part for [part] in self._branches(*((part,) for part in parts)))
            case "while" | "until":
                condition = self._term(parts[0])
                [[body], _] = self._branches(parts[1:], ())
                return (terms.while_do if statement.kind == "while" else terms.until_do)(condition, body)
            case "if":
                [[condition, then], [other]] = self._branches(parts[:2], parts[2:])
                if _is_always_true(parts[0]):
                    return terms.seq(condition, then)
                return terms.if_else(condition, then, other)
            case "try" if len(parts) == 2:
                [[body], [other]] = self._branches(parts[:1], parts[1:])
                return terms.try_else(body, other)
        body = self._term(parts[0])
        match statement.kind:
            case "try":
                return terms.try_else(body, terms.epsilon)
            case "alap":
                return terms.while_do(body, terms.epsilon)
            case "*":
                return terms.star(body)
        return terms.atom(body)

    def _branches(self, *branches: Sequence[parser.Statement]) -> list[list[Term]]:
        """Compiles alternatives, each of some statements; after them only variables that all of them bind are bound."""
        before, after, terms = self._bound, [], []
        for branch in branches:
            self._bound = set(before)
            terms.append([self._term(statement) for statement in branch])
            after.append(self._bound)
        self._bound = set.intersection(*after)
        return terms

    def _declare(self, name: str, type: str, place: Place) -> None:
        if name in self._scopes[-1]:
            place.fail(f"There is already a variable {shown(name)}.")
        self._scopes[-1][name] = type

    # ── calls ────────────────────────────────────────────────────────────────────────────────────

    def _call(self, call: parser.Call) -> Term:
        units = self.names.units_of(call, self.program)
        given = None if call.arguments is None else [self._actual(each) for each in call.arguments]
        targets = None if call.targets is None else [self._target(each) for each in call.targets]
        self._bound |= {each.variable for each in [*(given or ()), *(targets or ())] if isinstance(each, OutArgument)}
        with_inputs = [
            unit for unit in units if call.group and given is None and not all(p.output for p in unit.parameters)
        ]
        if len(with_inputs) > 1:
            call.place.fail(f"These calls need arguments: {', '.join(map(str, with_inputs))}.")
        groups: dict[int, list[Term]] = {}
        for unit in units:
            arguments = self._arguments(call, unit, given, targets)
            if self.stores and call.group and arguments is None:
                arguments = tuple(
                    OutArgument((f"{unit.name}${i}", each.kind)) for i, each in enumerate(unit.parameters)
                )
            groups.setdefault(unit.priority, []).append(self.terms.call(Call(unit, arguments)))
        if not call.group:
            return groups[units[0].priority][0]
        found = self.terms.delta
        for priority in sorted(groups):
            found = self.terms.try_else(self.terms.any_of(groups[priority]), found)
        return found

    def _arguments(
        self, call: parser.Call, unit: Unit, given: list[Actual] | None, targets: list[OutArgument] | None
    ) -> tuple[Actual, ...] | None:
        """Returns the arguments in the order of a unit's parameters; raises an error if they do not fit."""
        parameters = unit.parameters
        if targets is not None:
            outputs = [each for each in parameters if not each.input]
            if len(outputs) != len(targets):
                call.place.fail(f"Outputs of {unit}: expected {len(outputs)}, got {len(targets)}.")
            inputs = [each for each in parameters if each.input]
            if given is not None and len(given) != len(inputs):
                call.place.fail(f"Inputs of {unit}: expected {len(inputs)}, got {len(given)}.")
            output, input_ = iter(targets), iter(given or [AnyArgument()] * len(inputs))
            given = [next(input_) if each.input else next(output) for each in parameters]
        if given is None:
            if any(not each.output for each in parameters):
                call.place.fail(f"Arguments are missing in a call of {unit}.")
            return None
        if len(given) != len(parameters):
            call.place.fail(f"Arguments of {unit}: expected {len(parameters)}, got {len(given)}.")
        for number, (parameter, argument) in enumerate(zip(parameters, given, strict=True), start=1):
            _check(call, unit, number, parameter, argument)
        return tuple(given)

    def _actual(self, argument: parser.Argument) -> Actual:
        if argument.kind == "any":
            return AnyArgument()
        return self._target(argument) if argument.kind == "out" else self._expression(argument)

    def _target(self, argument: parser.Argument) -> OutArgument:
        return OutArgument((argument.text, self._type(argument.text, argument.place)))

    def _type(self, name: str, place: Place) -> str:
        visible = self._visible()
        if name not in visible:
            place.fail(f"Unknown variable {shown(name)}. {suggestions(name, visible)}")
        return visible[name]

    def _visible(self) -> dict[str, str]:
        """The variables in scope, with their types."""
        return {name: kind for scope in self._scopes for name, kind in scope.items()}

    def _expression(self, argument: parser.Argument) -> InArgument:
        try:
            found = expressions.parse(argument.text, algebra=self.algebra, variables=self._visible())
            variables = tuple(self._variable(each, argument.place) for each in expressions.fields(found))
            kind = self._kind(found, dict(variables))
        except GrammarError as error:
            if error.where:
                raise
            argument.place.fail(error.what)
        return InArgument(found, variables, kind)

    def _variable(self, name: expressions.Name, place: Place) -> Variable:
        if isinstance(name, expressions.Field) and name.owner is not None:
            place.fail(f"A call has no fields such as {shown(expressions.text(name))}.")
        variable = (name.name, self._type(name.name, place))
        if variable not in self._bound:
            place.fail(f"The variable {shown(name.name)} may have no value here.")
        return variable

    def _kind(self, expression: Expression, types: Mapping[str, str]) -> str:
        """Returns the type of an argument; an ambiguous one is an error."""
        if isinstance(expression, expressions.Variable):
            return types[expression.name]
        found = expressions.types(expression, lambda name: types.get(name.name))
        if len(found) > 1:
            raise GrammarError(f"{shown(expressions.text(expression))} may be of type {' or '.join(sorted(found))}.")
        return next(iter(found))


def _is_always_true(condition: parser.Statement) -> bool:
    """Whether a condition holds in every graph."""
    if isinstance(condition, parser.Compound) and condition.kind == "choice":
        return any(map(_is_always_true, condition.parts))
    return condition == parser.NOTHING


def _check(call: parser.Call, unit: Unit, number: int, parameter: Parameter, argument: Actual) -> None:
    """Raises an error if an argument does not fit a parameter."""
    subject = f"Argument {number} of {unit}"
    if isinstance(argument, AnyArgument):
        if not parameter.output:
            call.place.fail(f"{subject} is an input and cannot be _.")
        return
    is_given = isinstance(argument, InArgument)
    if argument.type != parameter.kind:
        call.place.fail(f"{subject} must be of type {parameter.kind}, not {argument.type}.")
    if is_given and not parameter.input:
        call.place.fail(f"{subject} is an output and must be written as: out x.")
    if not is_given and not parameter.output:
        call.place.fail(f"{subject} is an input and cannot be written with out.")
