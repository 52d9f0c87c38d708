"""Negative application conditions of a rule; each connected part of forbidden nodes is one (GROOVE: embargo)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from pentad.grammar.rules.drawing import Edge, Node
from pentad.grammar.rules.quantifier_levels import Levels
from pentad.grammar.rules.rule import Pattern

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

    def pattern_of(self, level: int, ends: list[int], at: Node | Edge) -> Pattern:
        """The pattern that contains some forbidden variables; merges their embargoes if there are several."""
        known = list(dict.fromkeys(self._by_member[end] for end in ends if end in self._by_member))
        if len(known) == 1 and known[0].members.issuperset(ends) and self.levels.is_within(known[0].level, level):
            return known[0].pattern
        merged = Embargo(self.levels.deepest([level, *(each.level for each in known)], at), set(ends))
        for each in known:
            merged.members |= each.members
            for name in _PARTS:
                getattr(merged.pattern, name).extend(getattr(each.pattern, name))
            del self._all[each]
        self._all[merged] = None
        self._by_member |= dict.fromkeys(merged.members, merged)
        return merged.pattern

    def pattern_at(self, level: int, ends: list[int], at: Node | Edge) -> Pattern:
        """The pattern on a level for elements attached to some forbidden variables.

        A variable that is forbidden on an outer level keeps its embargo there. This level gets a separate embargo, in
        which the variable stands for any node.
        """
        return self.pattern_of(level, [self._member_at(level, end, at) for end in ends], at)

    def _member_at(self, level: int, end: int, at: Node | Edge) -> int:
        if end not in self._by_member or self._by_member[end].level == level:
            return end
        if (level, end) not in self._copies:
            member = self._copies[level, end] = self.new_member()
            self.pattern_of(level, [member], at).nodes.append(end)
        return self._copies[level, end]

    def new_pattern(self, level: int, at: Node | Edge) -> Pattern:
        """The pattern of a new embargo."""
        return self.pattern_of(level, [self.new_member()], at)

    def new_member(self) -> int:
        """A new member that identifies an embargo without a forbidden variable."""
        return next(self._fresh_members)

    def finish(self) -> None:
        """Adds each embargo to its level."""
        for each in self._all:
            self.levels.rule.levels[each.level].pattern.embargoes.append(each.pattern)
