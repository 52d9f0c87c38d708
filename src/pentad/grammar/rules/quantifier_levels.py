"""The tree of a rule's quantifiers, the level of each node and edge, and the negative application conditions of levels.

Each connected part of forbidden nodes is one negative application condition (GROOVE: embargo).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.rules.drawing import Drawing, Edge, Node
from pentad.grammar.rules.rule import EXISTS, FORALL, EdgeEffect, Level, Pattern, PatternEdge, Rule

DEPTH = 50  # the deepest nesting of quantifiers


class Levels:
    """The quantifier levels of a rule; level 0 is the rule itself."""

    def __init__(self, drawing: Drawing, rule: Rule) -> None:
        self.drawing, self.rule = drawing, rule
        self._numbers: dict[Node, int] = {}
        self.places: dict[tuple[int, str, int], Node | Edge] = {}  # the drawn node or edge of each edge of the rule
        self.sharp: set[tuple[int, str]] = set()  # created nodes with their exact types (`type:#`)
        depths = {node: self._depth(node) for node in drawing.quantifiers}
        for node in sorted(depths, key=depths.__getitem__):
            parent = self._numbers.get(node.parent, 0) if node.parent is not None else 0
            kind = FORALL if node.quantifier.startswith("forall") else EXISTS
            self._numbers[node] = len(rule.levels)
            rule.levels[parent].children.append(len(rule.levels))
            rule.levels.append(Level(kind, parent, node.alias, node.quantifier in ("forall", "existsx")))

    def _depth(self, node: Node) -> int:
        depth, at = 0, node
        while at.parent is not None and depth <= DEPTH:
            depth, at = depth + 1, at.parent
        if depth >= DEPTH:
            raise self.drawing.error(f"Quantifiers are nested more than {DEPTH} deep.", node)
        return depth

    def add_place(self, edge: PatternEdge | EdgeEffect, at: Node | Edge) -> None:
        """Stores the drawn node or edge of an edge of the rule."""
        self.places.setdefault((edge.source, str(edge.label), edge.target), at)

    def of(self, node: Node | None) -> int:
        """The level of a node, or the level that a quantifier opens."""
        opened = node if node is None or node.quantifier else node.level
        return self._numbers[opened] if opened is not None and opened.quantifier else 0

    def _or_named(self, level: int, edge: Edge) -> int:
        """A level, or the deeper one that an edge names."""
        if not edge.level:
            return level
        node = self.drawing.by_name.get(edge.level)
        if node is None or not node.quantifier:
            raise GrammarError(f"No quantifier has the name {shown(edge.level, 30)}.")
        return self.deepest((level, self._numbers[node]))

    def of_edge(self, edge: Edge) -> int:
        """The level of an edge: the deepest of those of its ends and the one that it names."""
        ends = [self.of(edge.source), self.of(edge.target)]
        level = self.deepest(ends)
        if any(node.forbids and end != level for node, end in zip((edge.source, edge.target), ends, strict=True)):
            raise GrammarError("A forbidden edge is attached to a node of a deeper quantifier.")
        return self._or_named(level, edge)

    def of_holder(self, edge: Edge) -> int:
        """The level of a loop such as `let:` or `test:`: that of its node, or the deeper one that it names."""
        source = edge.source
        level = self.rule.levels[self.of(source)].parent if source.quantifier else self.of(source)
        return self._or_named(level, edge)

    def deepest(self, levels: Iterable[int]) -> int:
        """The deepest of some levels, which must be nested in each other."""
        deepest = 0
        for level in levels:
            if self.is_within(level, deepest):
                deepest = level
            elif not self.is_within(deepest, level):
                raise GrammarError("Two quantifiers that are not nested are connected here.")
        return deepest

    def is_within(self, inner: int, outer: int) -> bool:
        """Whether a level equals another one or is nested in it."""
        return outer in self.rule.outwards(inner)

    def is_universal(self, level: int) -> bool:
        """Whether a level can have several matches in one match of the rule."""
        return any(self.rule.levels[at].kind == FORALL for at in self.rule.outwards(level))


_PARTS = ("nodes", "edges", "equal", "unequal", "computed", "tests", "embargoes")


@dataclass(slots=True, eq=False)
class Embargo:
    """A negative application condition: its level, its forbidden variables, and its pattern."""

    level: int
    members: set[int]
    pattern: Pattern = field(default_factory=Pattern)


class Embargoes:
    """The embargoes of a rule."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels
        self._all: dict[Embargo, None] = {}
        self._by_member: dict[int, Embargo] = {}  # by forbidden variable
        self._fresh_members = count(-2, -1)  # for embargoes without a forbidden variable
        self._copies: dict[tuple[int, int], int] = {}  # members that repeat a variable on a deeper level

    def pattern_of(self, level: int, ends: list[int]) -> Pattern:
        """The pattern that contains some forbidden variables; merges their embargoes if there are several."""
        known = list(dict.fromkeys(self._by_member[end] for end in ends if end in self._by_member))
        if len(known) == 1 and known[0].members.issuperset(ends) and self.levels.is_within(known[0].level, level):
            return known[0].pattern
        merged = Embargo(self.levels.deepest([level, *(each.level for each in known)]), set(ends))
        for each in known:
            merged.members |= each.members
            for name in _PARTS:
                getattr(merged.pattern, name).extend(getattr(each.pattern, name))
            del self._all[each]
        self._all[merged] = None
        self._by_member |= dict.fromkeys(merged.members, merged)
        return merged.pattern

    def pattern_at(self, level: int, ends: list[int]) -> Pattern:
        """The pattern on a level for elements attached to some forbidden variables.

        A variable that is forbidden on an outer level keeps its embargo there. This level gets a separate embargo, in
        which the variable stands for any node.
        """
        return self.pattern_of(level, [self._member_at(level, end) for end in ends])

    def _member_at(self, level: int, end: int) -> int:
        if end not in self._by_member or self._by_member[end].level == level:
            return end
        if (level, end) not in self._copies:
            member = self._copies[level, end] = self.new_member()
            self.pattern_of(level, [member]).nodes.append(end)
        return self._copies[level, end]

    def new_pattern(self, level: int) -> Pattern:
        """The pattern of a new embargo."""
        return self.pattern_of(level, [self.new_member()])

    def new_member(self) -> int:
        """A new member that identifies an embargo without a forbidden variable."""
        return next(self._fresh_members)

    def finish(self) -> None:
        """Adds each embargo to its level."""
        for each in self._all:
            self.levels.rule.levels[each.level].pattern.embargoes.append(each.pattern)
