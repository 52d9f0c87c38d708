"""Lowering of rules to the instructions of the array engine, in the order of their search plans."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias, cast

from pentad.grammar.arrays import constants as k
from pentad.grammar.compiled.grounding import CannotCompile
from pentad.grammar.host import Host
from pentad.grammar.language.expressions import Apply, Constant, Expression
from pentad.grammar.language.paths import Path, PathAutomaton, Wildcard
from pentad.grammar.language.values import DEFAULT, AttributeValue
from pentad.grammar.matching.matcher import Finder
from pentad.grammar.matching.search_plans import Admits, Planner, Then
from pentad.grammar.rules.rule import (
    EXISTS,
    FORALL,
    Aggregate,
    Computed,
    Counted,
    EdgeEffect,
    Pattern,
    PatternEdge,
    Rule,
    Tested,
)
from pentad.system.words import phrase

MOST_INSTRUCTIONS = 20_000
SORTS: Mapping[str, int] = {"int": k.INT, "bool": k.BOOL, "string": k.OTHER, "real": k.OTHER + 1}
OPERATIONS: Mapping[tuple[str, str], int] = {
    ("int", "add"): k.ADD, ("int", "sub"): k.SUB, ("int", "mul"): k.MUL, ("int", "neg"): k.NEG, ("int", "abs"): k.ABS,
    ("int", "min"): k.MIN, ("int", "max"): k.MAX, ("int", "eq"): k.EQ, ("int", "neq"): k.NEQ, ("int", "lt"): k.LT,
    ("int", "le"): k.LE, ("int", "gt"): k.GT, ("int", "ge"): k.GE, ("int", "ite"): k.ITE, ("bool", "and"): k.AND,
    ("bool", "or"): k.OR, ("bool", "not"): k.INVERT, ("bool", "eq"): k.EQ, ("bool", "neq"): k.NEQ,
    ("int", "div"): k.DIV, ("int", "mod"): k.MOD, ("string", "eq"): k.EQ, ("string", "neq"): k.NEQ,
}  # fmt: skip


class Instruction(NamedTuple):
    """A step of a plan; `block` are the steps of a condition or a count."""

    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    listed: tuple[int, ...] | None = None
    block: Plan | None = None


Plan: TypeAlias = "tuple[Instruction, ...]"
Step: TypeAlias = Callable[[Then], Then]


def step(*given: Any, **more: Any) -> list[Step]:
    """The step of a plan that adds an instruction in front of the others."""
    made = Instruction(*given, **more)
    return [cast(Step, lambda then: (made, *cast(Plan, then)))]


def sort_of(kind: str, rule: str) -> int:
    """The number of a type of values."""
    if kind not in SORTS:
        raise CannotCompile(phrase("Rule {rule} has values of users' classes.", rule=rule))
    return SORTS[kind]


class SharedNumbers:
    """The numbers of labels, constants and paths that the rules of a grammar share."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        self.constants: dict[AttributeValue, int] = {}
        self.others: dict[AttributeValue, int] = {}  # values that are only compared
        self.paths: list[tuple[list[tuple[int, int]], list[tuple[int, int]], bool]] = [([], [], False)]
        self._starts: dict[Hashable, int] = {}

    def label(self, label: str) -> int:
        return self.labels.setdefault(label, len(self.labels))

    def constant(self, value: AttributeValue) -> int:
        return self.constants.setdefault(value, len(self.constants))

    def content(self, value: AttributeValue, rule: str = "") -> tuple[int, int]:
        """The type and content of a value as numbers."""
        if value.content is None:
            raise CannotCompile("An attribute may become an error value.")
        sort = sort_of(value.type, rule)
        if sort >= k.OTHER:
            return sort, self.others.setdefault(value, len(self.others))
        assert isinstance(value.content, int)
        return sort, int(value.content)

    def path(self, automaton: PathAutomaton) -> int:
        """The number of the first state of a path's automaton."""
        rows = automaton.rows(list(self.labels))
        key = repr(rows)
        if key not in self._starts:
            self._starts[key] = first = len(self.paths)
            for along, against, is_end in rows:
                moved = [[(self.labels[label], first + after) for label, after in moves] for moves in (along, against)]
                self.paths.append((moved[0], moved[1], is_end))
        return self._starts[key]


class Lowering(Planner):
    """The planner of a rule whose plans are instructions."""

    def __init__(self, finder: Finder, start: Host, admits: Admits, names: SharedNumbers) -> None:
        super().__init__(finder.rule, start, admits, DEFAULT)
        self.finder, self.shared = finder, names
        if self.labels:
            raise CannotCompile(phrase("Rule {name} finds labels by wildcards.", name=self.rule.name))

    def refuse(self, reason: str) -> CannotCompile:
        return CannotCompile(f"Rule {self.rule.name} {reason}.")

    def lowered(self, number: int, then: Plan = ()) -> Plan:
        """The plan of a level."""
        level = self.rule.levels[number]
        known = self.finder.known[number]
        return cast(Plan, self.plan(level.pattern, known, cast(Then, then), level.kind == FORALL))

    def condition(self, number: int, depth: int = 1) -> Plan:
        """The instructions that test a level and the levels within it: whether each choice can be completed."""
        level = self.rule.levels[number]
        inner = tuple(each for child in level.children for each in self.condition(child, depth + 1))
        if level.kind == EXISTS:
            if level.may_be_empty:
                raise self.refuse("has an optional existential quantifier")
            if self.finder.matters[number]:
                raise self.refuse("has an existential quantifier with effects")
            return (forbidden((forbidden(self.lowered(number, inner)),)),)
        if level.may_be_empty:
            return (forbidden(self.lowered(number, (forbidden(inner),))),) if inner else ()
        if depth > 1:
            raise self.refuse("has a nested quantifier that needs matches")
        some = forbidden((forbidden(self.lowered(number)),))
        return (some, forbidden(self.lowered(number, (forbidden(inner),)))) if inner else (some,)

    # ── steps ────────────────────────────────────────────────────────────────────────────────────

    def _steps(self, each: Any, bound: set[int]) -> list[Step]:
        if isinstance(each, PatternEdge):
            return self._edge(each, bound)
        if isinstance(each, int):
            if each in bound:
                return []
            bound.add(each)
            if each in self.rule.constants:
                value = self.rule.constants[each]
                assert isinstance(value, AttributeValue)
                self.shared.content(value, self.rule.name)
                return step(k.CONSTANT, each, 0, self.shared.constant(value))
            return step(k.NODE, each)
        if isinstance(each, Computed):
            is_bound = each.variable in bound
            bound.add(each.variable)
            operations, kind = self._expression(each.expression, dict(each.operands))
            if SORTS[kind] >= k.OTHER:
                raise self.refuse("computes values other than numbers")
            return step(k.COMPUTE, each.variable, int(is_bound), SORTS[kind], operations)
        if isinstance(each, Tested):
            return step(k.TEST, listed=self._expression(each.expression, dict(each.operands))[0])
        if isinstance(each, Counted):
            is_bound, known = each.variable in bound, self.finder.known[each.level] & bound
            bound.add(each.variable)
            if self.finder.fails[each.level]:
                raise self.refuse("counts the matches of a quantifier that needs matches")
            counted = cast(Plan, self.plan(self.rule.levels[each.level].pattern, known, cast(Then, ()), True))
            return step(k.COUNT_ALL, each.variable, int(is_bound), block=counted)
        if isinstance(each, Aggregate):
            raise self.refuse("has collective operators")
        if isinstance(each, Pattern):
            embargo = forbidden(cast(Plan, self.plan(each, bound, cast(Then, ()))))
            return step(*embargo)
        kind, one, other = each
        return step(k.SAME if kind == "equal" else k.DIFFERENT, one, other)

    def _edge(self, edge: PatternEdge, bound: set[int]) -> list[Step]:
        source, label, target = edge.source, edge.label, edge.target
        first = [
            each
            for end in dict.fromkeys((source, target))
            if end in self.rule.constants and end not in bound
            for each in self._steps(end, bound)
        ]
        has_source, has_target = source in bound, target in bound
        bound |= {source, target}
        if isinstance(label, Wildcard):
            raise self.refuse("has a wildcard outside of a path")
        if isinstance(label, Path):
            return [*first, *self._path(edge, label, has_source, has_target)]
        return [*first, *self._labelled(source, self.admits(label), target, has_source, has_target)]

    def _labelled(
        self, source: int, labels: tuple[str, ...], target: int, has_source: bool, has_target: bool
    ) -> list[Step]:
        numbers = tuple(map(self.shared.label, labels))
        if has_source and has_target:
            if len(numbers) == 1:
                return step(k.EDGE, source, target, numbers[0])
            return step(k.ANY_OF, source, target, 0, numbers)
        if source == target:
            return step(k.LOOPS, source, 0, 0, numbers)
        if len(numbers) > 1:
            raise self.refuse("has an edge with one of several labels")
        if has_source:
            return step(k.OUT, source, target, numbers[0])
        if has_target:
            return step(k.INTO, target, source, numbers[0])
        return step(k.PAIRS, source, target, numbers[0])

    def _path(self, edge: PatternEdge, path: Path, has_source: bool, has_target: bool) -> list[Step]:
        if path.variables:
            raise self.refuse("has a path with a variable")
        path = replace(path, covers=self.covers)
        if has_source and has_target:
            return step(
                k.CONNECTED, edge.source, edge.target, self.shared.path(path.forward), (0,) if path.negated else None
            )
        if path.negated:
            raise self.refuse("has a negated path between nodes that nothing else finds")
        if has_target:
            return step(k.PATH_TO, edge.target, edge.source, self.shared.path(path.backward))
        op = k.PATH_FROM if has_source else k.PATHS
        return step(op, edge.source, edge.target, self.shared.path(path.forward))

    def _checks(self, nodes: set[int], new: set[int], before: set[int]) -> list[Step]:
        made: list[Step] = []
        earlier = sorted(before) if self.apart is not None else []
        for variable in sorted(new):
            if variable in self.rule.sorts:
                if variable not in self.rule.constants:
                    made += step(k.IS_VALUE, variable, 0, sort_of(self.rule.sorts[variable], self.rule.name))
                continue
            if variable not in nodes and self.is_node(variable):
                made += step(k.IS_NODE, variable)
            if self.apart is not None:
                others = tuple(other for other in earlier if self.apart(variable, other))
                if others:
                    made += step(k.IS_NEW, variable, 0, 0, others)
                earlier.append(variable)
        return made

    # ── expressions ──────────────────────────────────────────────────────────────────────────────

    def _expression(self, expression: Expression, operands: Mapping[Hashable, int]) -> tuple[tuple[int, ...], str]:
        """The operations of an expression with their arguments, and the type of its value."""
        if isinstance(expression, Constant):
            self.shared.content(expression.value, self.rule.name)
            return (k.PUSH, self.shared.constant(expression.value)), expression.value.type
        if not isinstance(expression, Apply):
            variable = operands[expression]
            kind = self.rule.sorts.get(variable, "")
            if kind not in SORTS or (expression.type or kind) != kind:
                raise self.refuse("computes with values of several types")
            return (k.VALUE, variable), kind
        parts = [self._expression(each, operands) for each in expression.arguments]
        kinds = [kind for _, kind in parts]
        for operator in expression.operators:
            if operator.takes(kinds) and not operator.collective:
                divisor = expression.arguments[-1]
                is_division = operator.name in ("div", "mod")
                may_fail = is_division and not (isinstance(divisor, Constant) and divisor.value.content)
                if (operator.type, operator.name) not in OPERATIONS or may_fail:
                    raise self.refuse(phrase("computes {type}:{name}", type=operator.type, name=operator.name))
                made = tuple(each for operations, _ in parts for each in operations)
                return (*made, OPERATIONS[operator.type, operator.name], 0), operator.result
        raise self.refuse("computes with values of several types")


def forbidden(block: Plan) -> Instruction:
    """A negative condition."""
    return Instruction(k.NOT, block=block)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Code:
    """Instructions and lists as rows of numbers."""

    rows: list[list[int]] = field(default_factory=list)
    lists: list[int] = field(default_factory=lambda: [0])
    _known: dict[tuple[int, ...], int] = field(default_factory=dict)

    def listed(self, numbers: Iterable[int]) -> int:
        """The place of a list."""
        key = tuple(numbers)
        if not key:
            return 0
        if key not in self._known:
            self._known[key] = len(self.lists)
            self.lists += [len(key), *key]
        return self._known[key]

    def add(self, plan: Sequence[Instruction], end: int = k.MATCH, head: int = -1) -> int:
        """Adds a plan, or the block of a head; returns its first instruction."""
        first, last = len(self.rows), -1  # the last instruction with several candidates
        for each in (*plan, Instruction(end)):
            mine = len(self.rows)
            listed = 0 if each.listed is None else self.listed(each.listed)
            back, is_first = (last, 0) if last >= 0 else (head, int(head >= 0))
            self.rows.append([each.op, each.a, each.b, each.c, listed, back, is_first, head])
            if each.block is not None:
                self.add(each.block, k.FOUND if each.op == k.NOT else k.TALLY, mine)
                self.rows[mine][k.JUMP] = len(self.rows)
            if each.op >= k.OUT:
                last = mine
        if len(self.rows) > MOST_INSTRUCTIONS:
            raise CannotCompile("The rules are too large.")
        return first


def check_rule(rule: Rule, finder: Finder, has_types: bool) -> None:
    """Raises CannotCompile for rules that the engine does not take."""
    reasons: list[tuple[str, object]] = [
        ("distinguishes parallel edges", rule.parallel),
        ("asks for values", any(each.from_oracle for each in rule.parameters)),
        ("has a filter of matches", rule.filter),
        ("deletes only nodes without further edges", finder.dangling),
    ]
    for level in rule.levels:
        finds_labels = any(each.variable is not None for each in level.erased + level.created)
        reasons += [
            ("merges nodes of a type graph", has_types and level.merged),
            ("changes edges whose label it finds", finds_labels),
        ]
    for reason, applies in reasons:
        if applies:
            raise CannotCompile(phrase("Rule {name} {reason}.", name=rule.name, reason=reason))


def edges_of(effects: Iterable[EdgeEffect], names: SharedNumbers) -> Iterator[int]:
    """The edges of an effect: source, label and target follow each other."""
    for each in effects:
        yield from (each.source, names.label(each.label), each.target)
