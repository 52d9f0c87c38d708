"""Rule in the form for matching: quantifier levels, each with its pattern, conditions and effects.

Variables are numbers that stand for a node of the rule, a value, a matched edge, or the label that a wildcard matches.
`rule_reader` reads a rule graph into this form; the package `matching` finds its matches and applies them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pentad.grammar.language.expressions import Expression
from pentad.grammar.language.paths import Path, Wildcard
from pentad.grammar.language.values import AttributeValue, Operator

TRANSFORMER, CONDITION, INVARIANT, FORBIDDEN = "transformer", "condition", "invariant", "forbidden"
ROLES = (TRANSFORMER, CONDITION, INVARIANT, FORBIDDEN)
ROOT, FORALL, EXISTS = "root", "forall", "exists"


class PatternEdge(NamedTuple):
    """An edge of a pattern: its source and target variables, and a label, a wildcard or a path.

    If parallel edges are distinguished, `copy` is the variable of the matched edge.
    """

    source: int
    label: str | Wildcard | Path
    target: int
    copy: int | None = None


class EdgeEffect(NamedTuple):
    """An edge that a rule creates or deletes; `variable` is the label variable if a wildcard determines the label.

    If parallel edges are distinguished, `copy` is the variable of the deleted edge.
    """

    source: int
    label: str
    target: int
    variable: int | None = None
    copy: int | None = None


class Computed(NamedTuple):
    """A variable whose value is that of an expression over other variables."""

    variable: int
    expression: Expression
    operands: tuple[tuple[Hashable, int], ...]  # names in the expression with their variables


class Tested(NamedTuple):
    """An expression over variables that must equal `true`, the algebra family's value of truth."""

    expression: Expression
    operands: tuple[tuple[Hashable, int], ...]
    true: AttributeValue = AttributeValue("bool", True)


class Counted(NamedTuple):
    """A variable whose value is the number of matches of a universal level."""

    variable: int
    level: int


class Aggregate(NamedTuple):
    """A variable whose value is a collective operator (`sum`) over the matches of a universal level."""

    variable: int
    operator: Operator
    level: int
    operand: int  # the variable on that level


@dataclass(slots=True)
class Pattern:
    """A graph pattern with conditions, matched as a whole."""

    nodes: list[int] = field(default_factory=list)
    edges: list[PatternEdge] = field(default_factory=list)
    equal: list[tuple[int, int]] = field(default_factory=list)
    unequal: list[tuple[int, int]] = field(default_factory=list)
    computed: list[Computed] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)
    aggregates: list[Aggregate] = field(default_factory=list)
    tests: list[Tested] = field(default_factory=list)
    embargoes: list[Pattern] = field(default_factory=list)  # they are negative application conditions


@dataclass(slots=True)
class QuantifierLevel:
    """A quantifier level: a pattern, and its effects for each of its matches."""

    kind: str = ROOT
    parent: int = -1
    name: str = ""
    may_be_empty: bool = True  # a universal level may have no match; an existential level is optional
    pattern: Pattern = field(default_factory=Pattern)
    erased_nodes: list[int] = field(default_factory=list)
    erased: list[EdgeEffect] = field(default_factory=list)
    created_nodes: list[int] = field(default_factory=list)
    created: list[EdgeEffect] = field(default_factory=list)
    kept: list[EdgeEffect] = field(default_factory=list)  # created edges that are matched too, and so stay
    merged: list[tuple[int, int]] = field(default_factory=list)
    anchors: tuple[int, ...] = ()
    children: list[int] = field(default_factory=list)

    @property
    def has_effect(self) -> bool:
        return bool(self.erased_nodes or self.erased or self.created_nodes or self.created or self.merged)


class RuleParameter(NamedTuple):
    """A parameter: its variable, its type, and whether it is an input, an output, or an `ask:` parameter.

    An oracle provides the value of an `ask:` parameter when the rule is applied.
    """

    variable: int
    kind: str
    is_input: bool = True
    is_output: bool = True
    from_oracle: bool = False


@dataclass(slots=True)
class Rule:
    """A rule: its quantifier levels, the outermost first, and its variables."""

    name: str
    levels: list[QuantifierLevel] = field(default_factory=lambda: [QuantifierLevel()])
    names: list[str] = field(default_factory=list)  # the name of each variable
    sorts: dict[int, str] = field(default_factory=dict)  # the types of variables for values
    constants: dict[int, Hashable] = field(default_factory=dict)  # the values of variables for constants
    parameters: list[RuleParameter] = field(default_factory=list)
    role: str = TRANSFORMER
    priority: int = 0
    injective: bool = False
    shown: str = ""  # the label of its transitions, if not its name
    parallel: str = ""  # "SPO" or "DPO" if parallel edges are distinguished; DPO has a gluing condition
    filter: str = ""  # the name of its match filter

    @property
    def root(self) -> QuantifierLevel:
        return self.levels[0]

    @property
    def has_effect(self) -> bool:
        return any(level.has_effect for level in self.levels)

    def variable(self, name: str) -> int:
        """Adds a variable and returns its number."""
        self.names.append(name)
        return len(self.names) - 1

    def copy_variable(self) -> int | None:
        """A variable for a matched edge, if parallel edges are distinguished."""
        return self.variable(f"#{len(self.names)}") if self.parallel else None

    def outwards(self, number: int) -> Iterator[int]:
        """A level and the levels around it, from the inside to the root."""
        while number >= 0:
            yield number
            number = self.levels[number].parent

    def label_of(self, effect: EdgeEffect) -> str | Wildcard:
        """The label of a created or deleted edge, as a pattern matches it."""
        if effect.variable is None:
            return effect.label
        kind, _, name = self.names[effect.variable].removeprefix("?").rpartition(":")
        return Wildcard(kind, name)
