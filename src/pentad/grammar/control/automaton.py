"""Control automata: the configurations of a control program and the steps that it tries in each.

Each procedure and the main body have their own locations. A location is a term with the variables that are live there
and those that the call leading to it binds. Bisimilar locations are merged.

>>> rules = {name: Unit(name, 0, ()) for name in ("a", "b")}
>>> start = compile_program({"main": "a; alap b;"}, ["main"], rules).start()
>>> [step.action for step in start.steps]
['a']
>>> after = start.steps[0].after(())
>>> [step.action for step in after.steps], after.success.kind, after.failure.kind
(['b'], 'dead', 'final')
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from pentad.game import shown
from pentad.grammar.control import parser
from pentad.grammar.control.parser import SourcePosition
from pentad.grammar.control.terms import (
    RECIPE,
    Actual,
    AnyArgument,
    Call,
    CallableNames,
    Derivation,
    InArgument,
    OutArgument,
    Term,
    Terms,
    Unit,
    UnitParameter,
    Variable,
    check_ends,
    suggestions,
)
from pentad.grammar.graph import GrammarError, reachable
from pentad.grammar.language import expressions
from pentad.grammar.language.expressions import Expression
from pentad.grammar.language.values import DEFAULT, AttributeValue, Family, NoValue
from pentad.system.words import phrase


class Builder:
    """Builds the terms of one program."""

    def __init__(
        self,
        terms: Terms,
        names: CallableNames,
        program: parser.ParsedProgram,
        algebra: Family = DEFAULT,
        stores: bool = False,
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
                formal.place.fail("The output parameter {name} may get no value.", name=shown(formal.name))
        return term

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def _term(self, statement: parser.Statement) -> Term:
        if isinstance(statement, parser.ParsedCall):
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

    def _declare(self, name: str, type: str, place: SourcePosition) -> None:
        if name in self._scopes[-1]:
            place.fail("There is already a variable {name}.", name=shown(name))
        self._scopes[-1][name] = type

    # ── calls ────────────────────────────────────────────────────────────────────────────────────

    def _call(self, call: parser.ParsedCall) -> Term:
        units = self.names.units_of(call, self.program)
        given = None if call.arguments is None else [self._actual(each) for each in call.arguments]
        targets = None if call.targets is None else [self._target(each) for each in call.targets]
        self._bound |= {each.variable for each in [*(given or ()), *(targets or ())] if isinstance(each, OutArgument)}
        with_inputs = [
            unit for unit in units if call.group and given is None and not all(p.output for p in unit.parameters)
        ]
        if len(with_inputs) > 1:
            call.place.fail("These calls need arguments: {calls}.", calls=", ".join(map(str, with_inputs)))
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
        self, call: parser.ParsedCall, unit: Unit, given: list[Actual] | None, targets: list[OutArgument] | None
    ) -> tuple[Actual, ...] | None:
        """Returns the arguments in the order of a unit's parameters; raises an error if they do not fit."""
        parameters = unit.parameters
        if targets is not None:
            outputs = [each for each in parameters if not each.input]
            _check_count(call, "Outputs", unit, outputs, targets)
            inputs = [each for each in parameters if each.input]
            if given is not None:
                _check_count(call, "Inputs", unit, inputs, given)
            output, input_ = iter(targets), iter(given or [AnyArgument()] * len(inputs))
            given = [next(input_) if each.input else next(output) for each in parameters]
        if given is None:
            if any(not each.output for each in parameters):
                call.place.fail("Arguments are missing in a call of {unit}.", unit=unit)
            return None
        _check_count(call, "Arguments", unit, parameters, given)
        for number, (parameter, argument) in enumerate(zip(parameters, given, strict=True), start=1):
            _check(call, unit, number, parameter, argument)
        return tuple(given)

    def _actual(self, argument: parser.CallArgument) -> Actual:
        if argument.kind == "any":
            return AnyArgument()
        return self._target(argument) if argument.kind == "out" else self._expression(argument)

    def _target(self, argument: parser.CallArgument) -> OutArgument:
        return OutArgument((argument.text, self._type(argument.text, argument.place)))

    def _type(self, name: str, place: SourcePosition) -> str:
        visible = self._visible()
        if name not in visible:
            place.fail(f"Unknown variable {shown(name)}. {suggestions(name, visible)}")
        return visible[name]

    def _visible(self) -> dict[str, str]:
        """The variables in scope, with their types."""
        return {name: kind for scope in self._scopes for name, kind in scope.items()}

    def _expression(self, argument: parser.CallArgument) -> InArgument:
        try:
            found = expressions.parse(argument.text, algebra=self.algebra, variables=self._visible())
            variables = tuple(self._variable(each, argument.place) for each in expressions.fields(found))
            kind = self._kind(found, dict(variables))
        except GrammarError as error:
            if error.where:
                raise
            argument.place.fail(error.what)
        return InArgument(found, variables, kind)

    def _variable(self, name: expressions.Name, place: SourcePosition) -> Variable:
        if isinstance(name, expressions.Attribute) and name.owner is not None:
            place.fail("A call has no fields such as {text}.", text=shown(expressions.text(name)))
        variable = (name.name, self._type(name.name, place))
        if variable not in self._bound:
            place.fail("The variable {name} may have no value here.", name=shown(name.name))
        return variable

    def _kind(self, expression: Expression, types: Mapping[str, str]) -> str:
        """Returns the type of an argument; an ambiguous one is an error."""
        if isinstance(expression, expressions.Variable):
            return types[expression.name]
        found = expressions.types(expression, lambda name: types.get(name.name))
        if len(found) > 1:
            raise GrammarError(
                phrase(
                    "{text} may be of type {found}.",
                    text=shown(expressions.text(expression)),
                    found=" or ".join(sorted(found)),
                )
            )
        return next(iter(found))


def _is_always_true(condition: parser.Statement) -> bool:
    """Whether a condition holds in every graph."""
    if isinstance(condition, parser.CompoundStatement) and condition.kind == "choice":
        return any(map(_is_always_true, condition.parts))
    return condition == parser.NOTHING


def _check_count(call: parser.ParsedCall, what: str, unit: Unit, expected: Sized, given: Sized) -> None:
    if len(expected) != len(given):
        numbers = {"count": len(expected), "got": len(given)}
        call.place.fail("{what} of {unit}: expected {count}, got {got}.", what=what, unit=unit, **numbers)


def _check(call: parser.ParsedCall, unit: Unit, number: int, parameter: UnitParameter, argument: Actual) -> None:
    """Raises an error if an argument does not fit a parameter."""
    subject = f"Argument {number} of {unit}"
    if isinstance(argument, AnyArgument):
        if not parameter.output:
            call.place.fail("{subject} is an input and cannot be _.", subject=subject)
        return
    is_given = isinstance(argument, InArgument)
    if argument.type != parameter.kind:
        call.place.fail(
            "{subject} must be of type {kind}, not {type}.", subject=subject, kind=parameter.kind, type=argument.type
        )
    if is_given and not parameter.input:
        call.place.fail("{subject} is an output and must be written as: out x.", subject=subject)
    if not is_given and not parameter.output:
        call.place.fail("{subject} is an input and cannot be written with out.", subject=subject)


DEFAULT_BODY = "# *.any;"  # any action, as long as possible
MAX_LOCATIONS = 20_000  # locations of a program


@dataclass(frozen=True, slots=True)
class Switch:
    """A call from a location to a location; `depth` counts the atomic blocks that the call enters."""

    source: int
    call: Call
    depth: int
    target: int


Switches: TypeAlias = tuple[Switch, ...]  # a call of a procedure, one within it, …, and at last that of a rule


@dataclass(frozen=True, slots=True)
class ControlPoint:
    """A control point of the program or of a procedure."""

    owner: str | None  # None for the program itself
    kind: str
    depth: int
    steps: tuple[Switches, ...] = ()
    success: int = -1  # where a trial continues in the same state
    failure: int = -1
    variables: tuple[Variable, ...] = ()  # live here, or bound by the call that led here


@dataclass(frozen=True, slots=True)
class Map:
    """All locations, and the starts of the program and its procedures."""

    locations: tuple[ControlPoint, ...]
    starts: Mapping[str | None, int]


def survey(terms: Terms, main: Term, procedures: Mapping[str, Unit]) -> Map:
    """Returns the locations of a program."""
    surveyor = _Surveyor(terms)
    starts = {owner: surveyor.location(owner, body) for owner, body in [(None, main), *terms.bodies.items()]}
    found = _with_variables(surveyor.all(), procedures)
    return _merged(found, starts)


# The identity of a location before merging: its procedure, its term, the terms that were tried before in the same
# state, the variables that are bound there, and whether a verdict leads to it.
Key: TypeAlias = tuple[str | None, Term, frozenset[Term], frozenset[Variable], bool]


class _Surveyor:
    """Finds the locations of terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._numbers: dict[Key, int] = {}
        self._todo: deque[Key] = deque()
        self._ahead: dict[Term, frozenset[Term]] = {}  # the terms that may be tried later in the same state

    def location(
        self,
        owner: str | None,
        term: Term,
        given: frozenset[Variable] = frozenset(),
        before: frozenset[Term] = frozenset(),
    ) -> int:
        """The location of a term; `before` are the terms that were tried before in the same state.

        A term that recurs in the same state would be tried endlessly, so it is dead. `given` are the variables
        that the call leading to this state has bound.
        """
        if term in before:
            term = self.terms.dead(term.depth)
        if before and term not in self._ahead:
            attempt = self.terms.attempt
            self._ahead[term] = frozenset(reachable([term], lambda each: attempt(each)[1:] if each.is_trial else ()))
        key = (owner, term, before & self._ahead[term] if before else before, given, bool(before))
        if key not in self._numbers:
            if len(self._numbers) >= MAX_LOCATIONS:
                raise GrammarError(
                    phrase(
                        "The control program is too large: it has more than {max_locations:,} locations.",
                        max_locations=MAX_LOCATIONS,
                    )
                )
            self._numbers[key] = len(self._numbers)
            self._todo.append(key)
        return self._numbers[key]

    def all(self) -> list[ControlPoint]:
        """All locations that can be reached from the requested ones."""
        found: list[ControlPoint] = []
        while self._todo:
            owner, term, before, given, _ = self._todo.popleft()
            location = ControlPoint(owner, term.kind, term.depth, variables=tuple(sorted(given)))
            if term.is_trial:
                attempt = self.terms.attempt(term)
                number, tried = len(found), before | {term}
                location = replace(
                    location,
                    steps=tuple(dict.fromkeys(self._switches(number, owner, each) for each in attempt.derivations)),
                    success=self.location(owner, attempt.success, given, tried),
                    failure=self.location(owner, attempt.failure, given, tried),
                )
            found.append(location)
        return found

    def _switches(self, source: int, owner: str | None, derivation: Derivation | None) -> Switches:
        found: list[Switch] = []
        while derivation is not None:
            call = derivation.call
            target = self.location(owner, derivation.target, frozenset(call.outputs))
            found.append(Switch(source, call, derivation.depth, target))
            owner, derivation = call.procedure, derivation.nested
            if owner is not None:
                source = self.location(owner, self.terms.bodies[owner])
        return tuple(found)


# ── variables ────────────────────────────────────────────────────────────────────────────────────


def _with_variables(locations: Sequence[ControlPoint], procedures: Mapping[str, Unit]) -> list[ControlPoint]:
    """Adds to each location the variables that are kept there.

    These are the variables that are read before they are bound again (a backward liveness analysis), those that a call
    has just bound, and those of the location from which a verdict leads there.
    """
    used: list[set[Variable]] = [set(each.variables) for each in locations]
    before: list[set[int]] = [set() for _ in locations]
    for number, location in enumerate(locations):
        if location.kind == "final" and location.owner is not None:
            unit = procedures[location.owner]
            outputs = zip(unit.formals, unit.parameters, strict=True)
            used[number] |= {variable for variable, parameter in outputs if parameter.output}
        for after in _after(location):
            before[after].add(number)
    todo = dict.fromkeys(range(len(locations)))
    while todo:
        number, _ = todo.popitem()
        location = locations[number]
        needed = set(used[number])
        for step in location.steps:
            needed |= step[0].call.inputs | (used[step[0].target] - set(step[0].call.outputs))
        if location.kind == "trial":
            needed |= used[location.success] | used[location.failure]
        if needed != used[number]:
            used[number] = needed
            todo |= dict.fromkeys(before[number])
    forward = deque(range(len(locations)))
    while forward:
        number = forward.popleft()
        location = locations[number]
        for after in {location.success, location.failure} if location.kind == "trial" else ():
            if locations[after].kind != "dead" and not used[number] <= used[after]:
                used[after] |= used[number]
                forward.append(after)
    return [replace(each, variables=tuple(sorted(used[number]))) for number, each in enumerate(locations)]


def _after(location: ControlPoint) -> Iterable[int]:
    if location.kind == "trial":
        yield from (location.success, location.failure)
    for step in location.steps:
        yield step[0].target


# ── merging ──────────────────────────────────────────────────────────────────────────────────────


def _merged(locations: Sequence[ControlPoint], starts: Mapping[str | None, int]) -> Map:
    """Merges bisimilar locations."""
    group = _groups(locations)
    first: dict[int, int] = {}
    for number in range(len(locations)):
        first.setdefault(group[number], number)
    new = {of: number for number, of in enumerate(first)}
    place = [new[of] for of in group]
    merged = []
    for number in first.values():
        each = locations[number]
        steps = (
            tuple(replace(part, source=place[part.source], target=place[part.target]) for part in step)
            for step in each.steps
        )
        moved = replace(each, steps=tuple(dict.fromkeys(steps)))
        if each.kind == "trial":
            moved = replace(moved, success=place[each.success], failure=place[each.failure])
        merged.append(moved)
    return Map(tuple(merged), {owner: place[start] for owner, start in starts.items()})


def _groups(locations: Sequence[ControlPoint]) -> list[int]:
    """Partition refinement: the group of each location; the members of a group lead to the same groups."""
    before: list[set[int]] = [set() for _ in locations]
    for number, each in enumerate(locations):
        for after in (*_after(each), *(part.target for step in each.steps for part in step[1:])):
            before[after].add(number)
    kinds: dict[Hashable, int] = {}
    group = [kinds.setdefault(_signature(each), len(kinds)) for each in locations]
    targets: list[Hashable] = [None] * len(locations)
    size = [0] * len(kinds)
    for number in group:
        size[number] += 1
    changed = set(range(len(locations)))
    while changed:
        fresh: dict[int, dict[Hashable, list[int]]] = {}
        old = {}
        for number in changed:
            old[group[number]] = targets[number]
            targets[number] = _targets(locations[number], group)
            fresh.setdefault(group[number], {}).setdefault(targets[number], []).append(number)
        moved: list[int] = []
        for of, parts in fresh.items():
            moved += _split(of, parts, old[of], group, size)
        changed = {number for each in moved for number in before[each]}
    return group


def _split(of: int, parts: Mapping[Hashable, list[int]], old: Hashable, group: list[int], size: list[int]) -> list[int]:
    """Moves the members of a group that now lead elsewhere to groups of their own; returns them."""
    rest = size[of] - sum(map(len, parts.values()))
    stays = old if rest else max(parts, key=lambda target: len(parts[target]))
    moved = []
    for target, members in parts.items():
        if target != stays:
            for number in members:
                group[number] = len(size)
            size[of] -= len(members)
            size.append(len(members))
            moved += members
    return moved


def _signature(location: ControlPoint) -> Hashable:
    """Returns a key of a location without its targets."""
    calls = tuple(tuple((part.call, part.depth) for part in step) for step in location.steps)
    return location.owner, location.kind, location.depth, location.variables, calls


def _targets(location: ControlPoint, group: Sequence[int]) -> Hashable:
    """The groups to which a location leads."""
    verdicts = (group[location.success], group[location.failure]) if location.kind == "trial" else ()
    return verdicts, tuple(tuple(group[part.target] for part in step) for step in location.steps)


# ── configurations ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Given:
    """An input argument: a node's number or a value; None is no value, and the call fails."""

    value: Hashable


Arguments: TypeAlias = tuple[Given | OutArgument | AnyArgument, ...]
Returned: TypeAlias = tuple[Hashable, ...]  # the values of parameters; None for no value
Bound: TypeAlias = Mapping[Variable, Hashable]


class Frame:
    """A configuration of a program: its location, its call stack, and the values of its variables.

    A trial tries its steps. Then, in the same state, control moves to `success` if a step applied, else to `failure`.
    """

    def __init__(
        self, automaton: ControlAutomaton, location: int, stack: Switches, levels: tuple[tuple[Hashable, ...], ...]
    ) -> None:
        self.automaton, self.location, self.stack, self.levels = automaton, location, stack, levels
        self.here = automaton.map.locations[location]
        self.kind = self.here.kind  # final, dead or trial
        self.place: Hashable = (location, *map(automaton.number, stack))
        self.key: Hashable = (self.place, self.values)
        self._hash = hash(self.key)
        # how many recipes and atomic blocks it is in; whether it is in a recipe
        self.is_inner = any(each.call.unit.kind == RECIPE for each in stack)
        self.transience = self.here.depth + sum(each.depth + (each.call.unit.kind == RECIPE) for each in stack)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Frame) and self.key == other.key)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        values = f" {self.values}" if self.values else ""
        return f"<Frame {self.place} {self.kind}{values}>"

    @property
    def values(self) -> tuple[Hashable, ...]:
        """The values of all variables, those of the outermost procedure first; None for no value."""
        return tuple(value for level in self.levels for value in level)

    def rebound(self, values: Sequence[Hashable]) -> Frame:
        """The same configuration with other values."""
        rest = iter(values)
        levels = tuple(tuple(next(rest) for _ in level) for level in self.levels)
        return self.automaton.frame(self.location, self.stack, levels)

    @cached_property
    def steps(self) -> tuple[RuleStep, ...]:
        return tuple(RuleStep(self, each) for each in self.here.steps)

    @cached_property
    def success(self) -> Frame:
        """The configuration in the same state after a step applied; of a trial."""
        return self.automaton.settled(self.here.success, self.stack, self.levels[:-1], self.bound)

    @cached_property
    def failure(self) -> Frame:
        """The configuration in the same state when no step applied; of a trial."""
        return self.automaton.settled(self.here.failure, self.stack, self.levels[:-1], self.bound)

    def returned(self, verdict: bool) -> Returned | None:
        """The parameters of the outermost recipe that ends by a verdict; None if none ends."""
        location = self.here.success if verdict else self.here.failure
        return self.automaton.returned(location, self.stack, self.levels[:-1], self.bound)

    @property
    def bound(self) -> Bound:
        """The variables of the innermost procedure."""
        return dict(zip(self.here.variables, self.levels[-1], strict=True))


class RuleStep:
    """A rule that a configuration tries, with its arguments; `recipe` is the recipe that it begins, if any."""

    def __init__(self, frame: Frame, switches: Switches) -> None:
        levels, stack, bound = list(frame.levels[:-1]), list(frame.stack), frame.bound
        self.recipe: str | None = None
        self.recipe_arguments: Arguments | None = None
        for each in switches[:-1]:
            arguments = _resolved(each.call, bound)
            if each.call.unit.kind == RECIPE and self.recipe is None:
                self.recipe, self.recipe_arguments = each.call.unit.name, arguments
            levels.append(tuple(bound.get(variable) for variable in frame.automaton.preserved(each)))
            stack.append(each)
            given = zip(each.call.unit.formals, arguments or (), strict=False)
            bound = {variable: value.value for variable, value in given if isinstance(value, Given)}
        self._switch, self._stack, self._levels, self._bound = switches[-1], tuple(stack), tuple(levels), bound
        self.action = self._switch.call.unit.name
        self.arguments = _resolved(self._switch.call, bound)
        self._automaton = frame.automaton
        self.is_inner = frame.is_inner or self.recipe is not None  # the step is within a recipe
        self.is_launch = self.is_inner and not frame.is_inner  # the first step of an outermost recipe

    def after(self, outputs: Sequence[Hashable]) -> Frame:
        """The configuration after the step, with the values of the requested arguments."""
        return self._automaton.settled(self._switch.target, self._stack, self._levels, self._bound_by(outputs))

    def returned(self, outputs: Sequence[Hashable]) -> Returned | None:
        """The parameters of the outermost recipe that ends with the step; None if none ends."""
        return self._automaton.returned(self._switch.target, self._stack, self._levels, self._bound_by(outputs))

    def _bound_by(self, outputs: Sequence[Hashable]) -> Bound:
        requested = [place for place, each in enumerate(self.arguments or ()) if isinstance(each, OutArgument)]
        given = dict(zip(requested, outputs, strict=True))
        return {**self._bound, **{name: given[place] for name, place in self._switch.call.outputs.items()}}

    def __repr__(self) -> str:
        return f"<Step {' '.join(map(str, filter(None, (self.recipe, self._switch.call))))}>"


def _resolved(call: Call, bound: Bound) -> Arguments | None:
    """A call's arguments with the values of its variables."""
    if call.arguments is None:
        return None
    return tuple(Given(_value(each, bound)) if isinstance(each, InArgument) else each for each in call.arguments)


def _value(argument: InArgument, bound: Bound) -> Hashable:
    if isinstance(argument.expression, expressions.Variable):
        return bound.get(argument.variables[0])
    values = {each[0]: bound.get(each) for each in argument.variables}
    if not all(isinstance(value, AttributeValue) for value in values.values()):
        return None
    known = {name: value for name, value in values.items() if isinstance(value, AttributeValue)}
    try:
        return expressions.evaluate(argument.expression, lambda name: known[name.name])
    except NoValue:
        return None


class ControlAutomaton:
    """A control program, ready to run. `called` are the names that it calls, `recipes` the names of its recipes."""

    def __init__(self, map: Map, recipes: Sequence[str], called: frozenset[str]) -> None:
        self.map, self.recipes, self.called = map, tuple(recipes), called
        self._numbers: dict[Switch, int] = {}
        self._frames: dict[tuple[int, Switches], Frame] = {}

    def start(self) -> Frame:
        """The initial configuration."""
        return self.settled(self.map.starts[None], (), (), {})

    def number(self, switch: Switch) -> int:
        """The number of a call of a procedure."""
        return self._numbers.setdefault(switch, len(self._numbers))

    def preserved(self, switch: Switch) -> tuple[Variable, ...]:
        """The caller's variables that a call of a procedure does not change."""
        outputs = switch.call.outputs
        return tuple(each for each in self.map.locations[switch.target].variables if each not in outputs)

    def frame(self, location: int, stack: Switches, levels: tuple[tuple[Hashable, ...], ...]) -> Frame:
        """A frame; frames without values are shared."""
        if any(levels):
            return Frame(self, location, stack, levels)
        key = (location, stack)
        if key not in self._frames:
            self._frames[key] = Frame(self, location, stack, levels)
        return self._frames[key]

    def settled(self, location: int, stack: Switches, levels: tuple[tuple[Hashable, ...], ...], bound: Bound) -> Frame:
        """The frame at a location, after returning from the procedures that end there."""
        for switch, _, outer in self._ended(location, stack, levels, bound):
            stack, levels, location, bound = stack[:-1], levels[:-1], switch.target, outer
        here = self.map.locations[location]
        return self.frame(location, stack, (*levels, tuple(bound.get(each) for each in here.variables)))

    def returned(
        self, location: int, stack: Switches, levels: tuple[tuple[Hashable, ...], ...], bound: Bound
    ) -> Returned | None:
        """The parameters of the outermost recipe that ends at a location; None if none ends."""
        found: Returned | None = None
        for switch, inner, _ in self._ended(location, stack, levels, bound):
            unit = switch.call.unit
            if unit.kind == RECIPE:
                found = tuple(inner.get(each) for each in unit.formals)
        return found

    def _ended(
        self, location: int, stack: Switches, levels: tuple[tuple[Hashable, ...], ...], bound: Bound
    ) -> Iterator[tuple[Switch, Bound, Bound]]:
        """Yields the procedures that end at a location, each with the variables before and after its end."""
        while self.map.locations[location].kind == "final" and stack:
            switch, before = stack[-1], levels[-1]
            formals, outputs = switch.call.unit.formals, switch.call.outputs
            preserved = dict(zip(self.preserved(switch), before, strict=True))
            inner, bound = (
                bound,
                {**preserved, **{variable: bound.get(formals[place]) for variable, place in outputs.items()}},
            )
            yield switch, inner, bound
            stack, levels, location = stack[:-1], levels[:-1], switch.target

    def picture(self) -> tuple[list[tuple[int, str, int, bool]], list[tuple[int, str, int]]]:
        """The automaton as a graph: locations (number, kind, depth, whether something starts there) and edges.

        An edge is source, text and target; its text is a call, `success` or `failure`.
        """
        starts = set(self.map.starts.values())
        nodes = [(number, each.kind, each.depth, number in starts) for number, each in enumerate(self.map.locations)]
        edges: dict[tuple[int, str, int], None] = {}
        for number, each in enumerate(self.map.locations):
            edges |= {(number, str(step[0].call), step[0].target): None for step in each.steps}
            if each.kind == "trial":
                edges |= {(number, "success", each.success): None, (number, "failure", each.failure): None}
        return nodes, list(edges)


# ── programs ─────────────────────────────────────────────────────────────────────────────────────


def compile_program(
    texts: Mapping[str, str],
    names: Sequence[str],
    rules: Mapping[str, Unit],
    algebra: Family = DEFAULT,
    body: str = DEFAULT_BODY,
    stores: bool = False,
    disabled: Collection[str] = (),
) -> ControlAutomaton:
    """Compiles the named programs over a grammar's rules; `texts` are those of all programs.

    `body` is the main body if none of the programs has one. With `stores` the outputs of the actions that
    `any` and `other` mean are stored. `disabled` are existing rules that may not be called.
    """
    programs = [parser.parse(texts[name], name) for name in dict.fromkeys(names)]
    with_body = [program for program in programs if program.body is not None]
    if len(with_body) > 1:
        files = " and ".join(f"{program.name}.gcp" for program in with_body)
        raise GrammarError(phrase("Only one control program may have statements of its own, not {files}.", files=files))
    if not with_body:
        programs.append(main := parser.parse(body))
    else:
        main = with_body[0]
    missing = dict.fromkeys(disabled, "It is not enabled.") | _not_enabled(texts, names)
    known = CallableNames(rules, programs, missing)
    terms = Terms()
    procedures = [(program, each) for program in programs for each in program.procedures]
    terms.bodies = {
        each.name: Builder(terms, known, program, algebra, stores).procedure(each) for program, each in procedures
    }
    check_ends(terms, [each for _, each in procedures])
    whole = Builder(terms, known, main, algebra, stores).main()
    found = survey(terms, whole, {each.name: known.units[each.name] for _, each in procedures})
    recipes = [each.name for _, each in procedures if each.kind == RECIPE]
    return ControlAutomaton(found, recipes, frozenset(known.called))


def implicit(rules: Mapping[str, Unit], stores: bool = False) -> ControlAutomaton:
    """The automaton of a grammar without control: repeatedly any applicable rule of the highest priority."""
    return compile_program({}, [], rules, stores=stores)


def _not_enabled(texts: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Explains why procedures of programs that are not enabled cannot be called; skips invalid programs."""
    found: dict[str, str] = {}
    for name, text in texts.items():
        if name not in names:
            try:
                declared = phrase("It is declared in {name}.gcp, which is not enabled.", name=name)
                found |= {each.name: declared for each in parser.parse(text, name).procedures}
            except GrammarError:
                continue
    return found
