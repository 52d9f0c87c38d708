"""A rule in the form for matching: quantifier levels, each with its pattern, conditions and effects.

Variables are numbers: a node of the rule, a value, or the label that a wildcard found. A rule graph is read into
this form by `rule_reader`; the package `matching` finds its matches and applies them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from pentad.grammar.language.expressions import Expression
from pentad.grammar.language.path_parser import Path, Wildcard
from pentad.grammar.language.values import Operator, Value

TRANSFORMER, CONDITION, INVARIANT, FORBIDDEN = "transformer", "condition", "invariant", "forbidden"
ROLES = (TRANSFORMER, CONDITION, INVARIANT, FORBIDDEN)
ROOT, FORALL, EXISTS = "root", "forall", "exists"


class Binary(NamedTuple):
    """An edge of a rule: from a variable to a variable, with a label, a wildcard or a path between them.

    Where parallel edges are distinguished, `copy` is the variable for the edge that is found.
    """

    source: int
    label: str | Wildcard | Path
    target: int
    copy: int | None = None


class Made(NamedTuple):
    """An edge that a rule makes or takes; the label of `variable` where it is not known before.

    Where parallel edges are distinguished, `copy` is the variable for the edge that is taken.
    """

    source: int
    label: str
    target: int
    variable: int | None = None
    copy: int | None = None


class Computed(NamedTuple):
    """A variable that gets the value of an expression over others."""

    variable: int
    expression: Expression
    operands: tuple[tuple[Hashable, int], ...]  # what the expression names, by variable


class Tested(NamedTuple):
    """An expression over variables that must be true, as the algebra family has it."""

    expression: Expression
    operands: tuple[tuple[Hashable, int], ...]
    true: Value = Value("bool", True)


class Counted(NamedTuple):
    """A variable that tells how many matches a universal level has."""

    variable: int
    level: int


class Gathered(NamedTuple):
    """A variable that gets what a collective operator (`sum`) makes of a value from each match of a universal level."""

    variable: int
    operator: Operator
    level: int
    operand: int  # the variable of that level


@dataclass(slots=True)
class Pattern:
    """What must be found together."""

    nodes: list[int] = field(default_factory=list)
    edges: list[Binary] = field(default_factory=list)
    equal: list[tuple[int, int]] = field(default_factory=list)
    unequal: list[tuple[int, int]] = field(default_factory=list)
    computed: list[Computed] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)
    gathered: list[Gathered] = field(default_factory=list)
    tests: list[Tested] = field(default_factory=list)
    embargoes: list[Pattern] = field(default_factory=list)  # none of them may be found


@dataclass(slots=True)
class Level:
    """What a quantifier ranges over: a pattern, and what is done for each of its matches."""

    kind: str = ROOT
    parent: int = -1
    name: str = ""
    may_be_empty: bool = True  # a universal one without a match; an existential one that is optional
    pattern: Pattern = field(default_factory=Pattern)
    erased_nodes: list[int] = field(default_factory=list)
    erased: list[Made] = field(default_factory=list)
    created_nodes: list[int] = field(default_factory=list)
    created: list[Made] = field(default_factory=list)
    kept: list[Made] = field(default_factory=list)  # drawn as made where they are found, so that they stay
    merged: list[tuple[int, int]] = field(default_factory=list)
    anchors: tuple[int, ...] = ()
    children: list[int] = field(default_factory=list)

    @property
    def has_effect(self) -> bool:
        return bool(self.erased_nodes or self.erased or self.created_nodes or self.created or self.merged)


class RuleParameter(NamedTuple):
    """A parameter: its variable, the kind of what it takes, and whether it may be given or asked for.

    An oracle gives the value of one that `asks`, when the rule is applied.
    """

    variable: int
    kind: str
    takes: bool = True
    gives: bool = True
    asks: bool = False


@dataclass(slots=True)
class Rule:
    """A rule by its levels, the outermost first."""

    name: str
    levels: list[Level] = field(default_factory=lambda: [Level()])
    names: list[str] = field(default_factory=list)  # the node or text that each variable stands for
    sorts: dict[int, str] = field(default_factory=dict)  # variables for values, by what sort of value
    constants: dict[int, Hashable] = field(default_factory=dict)  # variables for one value
    parameters: list[RuleParameter] = field(default_factory=list)
    role: str = TRANSFORMER
    priority: int = 0
    injective: bool = False
    shown: str = ""  # how its transitions are labelled, where that is not its name
    parallel: str = ""  # whether parallel edges are distinguished: "SPO" or "DPO", which also forbids some matches
    filter: str = ""  # the function that leaves out matches

    @property
    def root(self) -> Level:
        return self.levels[0]

    @property
    def has_effect(self) -> bool:
        return any(level.has_effect for level in self.levels)

    def variable(self, name: str) -> int:
        """A new variable."""
        self.names.append(name)
        return len(self.names) - 1
