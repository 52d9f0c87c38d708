"""Terms: the remainder of a control program, as a process algebra.

A term is final (the program is complete), dead (nothing follows), or a trial. A trial has an attempt: calls that are
tried together, each with the term that follows it, and two more terms, of which one is tried next in the same state:
`success` if some call applied, `failure` if none did.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from pentad.game import shown
from pentad.grammar.control import parser
from pentad.grammar.control.parser import Procedure, SourcePosition
from pentad.grammar.graph import GrammarError, reachable
from pentad.grammar.language.expressions import Constant, Expression, text
from pentad.system.words import phrase

RULE, FUNCTION, RECIPE = "rule", "function", "recipe"
Variable: TypeAlias = tuple[str, str]  # its name and type


@dataclass(frozen=True, slots=True)
class UnitParameter:
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
    parameters: tuple[UnitParameter, ...]
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


def calls_in(statement: parser.Statement) -> Iterator[parser.ParsedCall]:
    """Yields all calls in a statement."""
    todo = [statement]
    while todo:
        now = todo.pop()
        if isinstance(now, parser.ParsedCall):
            yield now
        elif isinstance(now, parser.CompoundStatement):
            todo += now.parts


class CallableNames:
    """All names that the programs can call: rules, and the procedures of all programs."""

    def __init__(
        self, rules: Mapping[str, Unit], programs: Sequence[parser.ParsedProgram], missing: Mapping[str, str]
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
        inner: set[str] = set()
        for unit in self.units.values():
            if unit.kind == RECIPE:
                inner |= reachable([unit.name], lambda name: called.get(name, ())) - {unit.name}
        self.free = [unit for unit in actions if unit.name not in inner]  # the actions that `any` may mean

    def _declare(self, procedure: parser.Procedure) -> None:
        known = self.units.get(procedure.name)
        if known is not None:
            procedure.place.fail("There is already a {kind} {name}.", kind=known.kind, name=shown(known.name))
        formals = procedure.parameters
        self.units[procedure.name] = Unit(
            procedure.name,
            procedure.priority,
            tuple(UnitParameter(each.type, each.output, not each.output) for each in formals),
            kind=procedure.kind,
            formals=tuple((each.name, each.type) for each in formals),
        )

    def _imported(self, program: parser.ParsedProgram) -> dict[str, str]:
        for each in program.imports:
            self.find(".".join(each.name), each.place)
        return {each.name[-1]: ".".join(each.name) for each in program.imports}

    def qualified(self, call: parser.ParsedCall, program: parser.ParsedProgram) -> str:
        """The qualified name that a call in a program refers to."""
        if len(call.name) > 1:
            return ".".join(call.name)
        return self.imports[program.name].get(call.name[0]) or ".".join((*program.package, *call.name))

    def find(self, name: str, place: SourcePosition) -> Unit:
        if name not in self.units:
            reason = self.missing.get(name) or suggestions(name, self.units)
            place.fail("Unknown rule, function or recipe {name}. {reason}", name=shown(name), reason=reason)
        return self.units[name]

    def units_of(self, call: parser.ParsedCall, program: parser.ParsedProgram) -> list[Unit]:
        """The units that a call may mean: one, or the actions of a group."""
        if call.group:
            excluded = self.called if call.group == "other" else ()
            return [unit for unit in self.free if self._is_in(unit, call.name, program) and unit.name not in excluded]
        unit = self.find(self.qualified(call, program), call.place)
        if unit.priority and self.has_priorities:
            call.place.fail(
                "The {kind} {name} has a priority; only any and other can call it.",
                kind=unit.kind,
                name=shown(unit.name),
            )
        return [unit]

    def _is_in(self, unit: Unit, package: parser.Name, program: parser.ParsedProgram) -> bool:
        if package and package[-1] == "*":
            return unit.package[: len(package) - 1] == package[:-1]
        if package:
            return unit.package == package
        return unit.package == program.package or unit.name in self.imports[program.name].values()


def suggestions(name: str, known: Collection[str], most: int = 8) -> str:
    """A sentence with the known names that are close to a wrong one, or else with some of the known names."""
    near = difflib.get_close_matches(name[:100], known, 3, 0.6)
    if near:
        return phrase("Did you mean {near}?", near=" or ".join(near))
    listed = ", ".join(sorted(known)[:most])
    return f"Known: {listed}{', …' if len(known) > most else '.'}" if listed else "None is known."


MAX_TERMS = 200_000  # terms of a program
FINAL, DEAD, TRIAL = "final", "dead", "trial"


class Derivation(NamedTuple):
    """A call and the term after it, with the atomic blocks that it enters and the call within the procedure."""

    call: Call
    target: Term
    depth: int = 0
    nested: Derivation | None = None

    def around(self, inner: Derivation) -> Derivation:
        """The same call, which begins with an inner call."""
        return self._replace(nested=self.nested.around(inner) if self.nested else inner)


Change = Callable[["Term"], "Term"]


class Trial(NamedTuple):
    """The calls that a trial tries, and its continuations in the same state on success and on failure."""

    derivations: tuple[Derivation, ...]
    success: Term
    failure: Term

    @property
    def is_unconditional(self) -> bool:
        """Whether success and failure have the same continuation."""
        return self.success is self.failure

    def mapped(
        self, target: Change, success: Change | None = None, failure: Change | None = None, deeper: bool = False
    ) -> Trial:
        """The same calls with other continuations; those on success and failure change like the targets by default."""
        derivations = (
            each._replace(target=target(each.target), depth=each.depth + deeper) for each in self.derivations
        )
        return Trial(tuple(derivations), (success or target)(self.success), (failure or target)(self.failure))


@dataclass(slots=True, eq=False)
class Term:
    """A term, interned by `Terms`: equal terms are the same object."""

    number: int
    operator: str
    parts: tuple[Term, ...]
    payload: Any
    kind: str  # final, dead or a trial
    depth: int  # nesting in atomic blocks
    is_atomic: bool  # whether it takes at most one step
    attempts: dict[bool, Trial] = field(default_factory=dict)

    @property
    def is_final(self) -> bool:
        return self.kind == FINAL

    @property
    def is_dead(self) -> bool:
        return self.kind == DEAD

    @property
    def is_trial(self) -> bool:
        return self.kind == TRIAL


class Terms:
    """All terms of a control program."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...], Hashable], Term] = {}
        self.bodies: dict[str, Term] = {}  # each procedure has one, by its name
        self.epsilon = self._make("epsilon", kind=FINAL, is_atomic=True)
        self.delta = self.dead(0)

    def _make(
        self,
        operator: str,
        *parts: Term,
        payload: Hashable = None,
        kind: str = TRIAL,
        depth: int = 0,
        is_atomic: bool = False,
    ) -> Term:
        key = (operator, tuple(part.number for part in parts), payload)
        term = self._known.get(key)
        if term is None:
            if len(self._known) >= MAX_TERMS:
                raise GrammarError(
                    phrase(
                        "The control program is too large: it has more than {max_terms:,} terms.", max_terms=MAX_TERMS
                    )
                )
            term = self._known[key] = Term(len(self._known), operator, parts, payload, kind, depth, is_atomic)
        return term

    # ── construction ───────────────────────────────────────────────────────────────────────────────────

    def dead(self, depth: int) -> Term:
        return self._make("delta", payload=depth, kind=DEAD, depth=depth, is_atomic=True)

    def call(self, call: Call) -> Term:
        return self._make("call", payload=call, is_atomic=call.unit.kind != FUNCTION)

    def seq(self, first: Term, then: Term) -> Term:
        """One term, then the other."""
        if first.is_final:
            return then
        return first if first.is_dead or then.is_final else self._make("seq", first, then, depth=first.depth)

    def either(self, one: Term, other: Term) -> Term:
        """One term or the other."""
        if one.is_dead:
            return other
        if other.is_dead or (one.is_final and other.is_final):
            return one
        return self._make("or", one, other, is_atomic=one.is_atomic and other.is_atomic)

    def any_of(self, terms: Iterable[Term]) -> Term:
        """A choice among terms, as a balanced tree so that no term is deep."""
        found = list(terms) or [self.delta]
        while len(found) > 1:
            pairs = [self.either(one, other) for one, other in zip(found[::2], found[1::2], strict=False)]
            found = pairs + found[2 * len(pairs) :]
        return found[0]

    def all_of(self, terms: Iterable[Term]) -> Term:
        """A sequence of terms."""
        whole = self.epsilon
        for term in reversed(list(terms)):
            whole = self.seq(term, whole)
        return whole

    def if_else(self, condition: Term, then: Term, other: Term, also: Term | None = None) -> Term:
        """`then` after the condition; in the same state, `also` if the condition succeeds and `other` if it fails."""
        also = also or self.delta
        if condition.is_dead:
            return other
        if condition.is_final:
            return self.either(then, also)
        if also.is_dead and other.is_dead:
            return self.seq(condition, then)
        return self._make("if", condition, then, also, other)

    def try_else(self, body: Term, other: Term) -> Term:
        return self.if_else(body, self.epsilon, other)

    def while_do(self, condition: Term, body: Term) -> Term:
        if condition.is_dead:
            return self.epsilon
        endless = not condition.is_trial and not body.is_trial  # such a loop repeats nothing at all
        return self._make("while", condition, body, kind=DEAD if endless else TRIAL, is_atomic=endless)

    def until_do(self, condition: Term, body: Term) -> Term:
        if condition.is_final:
            return self.epsilon
        if condition.is_dead:
            return self.seq(self.star(condition), self.delta)
        return self._make("until", condition, body)

    def star(self, body: Term) -> Term:
        return self._make("star", body) if body.is_trial else self.epsilon

    def atom(self, body: Term) -> Term:
        """An atomic block before its first step."""
        return body if body.is_atomic else self._make("atom", body, is_atomic=True)

    def transit(self, body: Term) -> Term:
        """An atomic block after its first step."""
        if body.is_final:
            return self.epsilon
        if body.is_dead:
            return self.dead(body.depth + 1)
        return self._make("transit", body, depth=body.depth + 1, is_atomic=True)

    def body(self, inner: Term, caller: Derivation) -> Term:
        """The body of a called procedure, before its first step."""
        if inner.is_final:
            return self.epsilon
        if inner.is_dead:
            return self.dead(inner.depth)
        return self._make("body", inner, payload=caller, depth=inner.depth, is_atomic=inner.is_atomic)

    # ── attempts ─────────────────────────────────────────────────────────────────────────────────

    def attempt(self, term: Term, nested: bool = True) -> Trial:
        """The attempt of a trial; with `nested` procedures are expanded down to their rules."""
        todo = [term]
        while todo:
            now = todo[-1]
            if nested not in now.attempts:
                missing = [part for part in self._needs(now, nested) if nested not in part.attempts]
                if missing:
                    todo += missing
                    continue
                now.attempts[nested] = self._attempt(now, nested)
            todo.pop()
        return term.attempts[nested]

    def _needs(self, term: Term, nested: bool) -> tuple[Term, ...]:
        """The terms whose attempts are needed for the attempt of a term."""
        if term.operator == "call":
            name = term.payload.procedure
            entered = nested and name is not None
            return (self.body(self.bodies[name], Derivation(term.payload, self.epsilon)),) if entered else ()
        if term.operator == "or":
            return tuple(part for part in term.parts if part.is_trial)
        first = term.parts[0]
        return (first,) if first.is_trial else (term.parts[1],)

    def _attempt(self, term: Term, nested: bool) -> Trial:
        """The attempt of a term from those that it needs."""
        needed = [part.attempts[nested] for part in self._needs(term, nested)]
        if not needed:
            return Trial((Derivation(term.payload, self.epsilon),), self.delta, self.delta)
        first, parts = needed[0], term.parts
        match term.operator:
            case "call":
                return first
            case "seq":
                return first.mapped(lambda part: self.seq(part, parts[1]))
            case "or":
                return self._choice(parts, needed)
            case "if":
                _, then, also, other = parts
                return first.mapped(
                    lambda target: self.seq(target, then),
                    lambda success: self.either(self.seq(success, then), also),
                    lambda failure: self.if_else(failure, then, other, also),
                )
            case "while":
                condition, body = parts
                if not condition.is_trial:
                    return first.mapped(lambda part: self.seq(part, term))
                again = self.seq(body, term)
                return first.mapped(
                    lambda part: self.seq(self.seq(part, body), term),
                    failure=lambda failure: self.if_else(failure, again, self.epsilon),
                )
            case "until":
                return first._replace(failure=self.if_else(first.failure, self.epsilon, self.seq(parts[1], term)))
            case "star":

                def or_end(part: Term) -> Term:
                    return self.either(self.seq(part, term), self.epsilon)

                return first.mapped(lambda part: self.seq(part, term), or_end, or_end)
            case "atom":
                return first.mapped(self.transit, self.atom, self.atom, deeper=True)
            case "transit":
                return first.mapped(self.transit)
        caller: Derivation = term.payload  # the call whose body this is
        return Trial(
            tuple(caller.around(each) for each in first.derivations),
            self.body(first.success, caller),
            self.body(first.failure, caller),
        )

    def _choice(self, parts: tuple[Term, ...], attempts: list[Trial]) -> Trial:
        """The part that does not branch comes first, so that its continuation is not copied into each branch."""
        (one, other), first, last = parts, attempts[0], attempts[-1]
        if len(attempts) == 2 and first.is_unconditional and last.is_unconditional:
            after = self.either(first.success, last.success)
            return Trial(first.derivations + last.derivations, after, after)
        if not one.is_trial or (len(attempts) == 2 and last.is_unconditional):
            return last._replace(success=self.either(one, last.success), failure=self.either(one, last.failure))
        return first._replace(success=self.either(first.success, other), failure=self.either(first.failure, other))


# ── termination ──────────────────────────────────────────────────────────────────────────────────


def check_ends(terms: Terms, procedures: Iterable[Procedure]) -> None:
    """Refuses procedures that do nothing or begin with a call of themselves, and recipes that may not end."""
    callees, at_once = _beginnings(terms)
    ending = _ending(terms)
    for procedure in procedures:
        name, subject = procedure.name, f"The {procedure.kind} {procedure.name}"
        if name in reachable(callees[name], callees.__getitem__):
            procedure.place.fail("{subject} calls itself before any rule.", subject=subject)
        if terms.bodies[name].is_final:
            procedure.place.fail(f"{subject} does nothing.")
        if procedure.kind == RECIPE and name in at_once:
            procedure.place.fail("{subject} may end without a step.", subject=subject)
        if procedure.kind == RECIPE and name not in ending:
            procedure.place.fail("{subject} may never end.", subject=subject)


def _beginnings(terms: Terms) -> tuple[dict[str, set[str]], set[str]]:
    """Returns the procedures that each may call before any rule, and those that may end before any rule."""
    callees: dict[str, set[str]] = {}
    at_once: set[str] = set()

    def entered(term: Term) -> list[Derivation]:
        """The calls of procedures with which a trial may begin."""
        return [each for each in terms.attempt(term, nested=False).derivations if each.call.procedure is not None]

    def after(term: Term) -> list[Term]:
        """The terms that may follow before any rule."""
        if not term.is_trial:
            return []
        attempt = terms.attempt(term, nested=False)
        ended = [each.target for each in entered(term) if each.call.procedure in at_once]
        return [attempt.success, attempt.failure, *ended]

    changed = True
    while changed:
        changed = False
        for name, body in terms.bodies.items():
            found = reachable([body], after)
            callees[name] = {each.call.unit.name for term in found if term.is_trial for each in entered(term)}
            if name not in at_once and any(term.is_final for term in found):
                at_once.add(name)
                changed = True
    return callees, at_once


def _ending(terms: Terms) -> set[str]:
    """The procedures that can end from every reachable point: they may end and never get stuck."""
    ending: set[str] = set()
    while fresh := {name for name, body in terms.bodies.items() if name not in ending and _ends(body, ending)}:
        ending |= fresh
    while stuck := {name for name in ending if not _ends(terms.bodies[name], ending, always=True)}:
        ending -= stuck
    return ending


def _ends(term: Term, ending: set[str], always: bool = False) -> bool:
    """Whether a term may end, or always can, if the procedures in `ending` do; evaluated bottom up."""
    values: dict[Term, bool] = {}
    todo = [term]
    while todo:
        now = todo[-1]
        missing = [part for part in now.parts if part not in values]
        if missing:
            todo += missing
            continue
        todo.pop()
        values[now] = _ends_by(now, [values[part] for part in now.parts], ending, always)
    return values[term]


def _ends_by(term: Term, values: list[bool], ending: set[str], always: bool) -> bool:
    """Whether a term may end, or always can, by the values of its parts."""
    match term.operator:
        case "delta":
            return False
        case "call":
            return term.payload.procedure is None or term.payload.procedure in ending
        case "or" if not always:
            return any(values)
        case "until" | "star" if not always:
            return True
        case "if":
            condition, then, also, other = values
            if not always:
                return (condition and then) or also or other
            return condition and then and (also or term.parts[2].is_dead) and (other or term.parts[3].is_dead)
        case "while":
            return not term.parts[0].is_final and (all(values) or not always)
    return all(values)
