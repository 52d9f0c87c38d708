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
    """What may not be found together: its level, its forbidden variables, and all of it."""

    level: int
    members: set[int]
    pattern: Pattern = field(default_factory=Pattern)


class Embargoes:
    """The embargoes of a rule."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels
        self._all: dict[Embargo, None] = {}
        self._of: dict[int, Embargo] = {}  # by a forbidden variable
        self._lone = count(-2, -1)  # members of those that have no forbidden variable
        self._again: dict[tuple[int, int], int] = {}  # members that stand for a variable on a deeper level

    def of(self, level: int, ends: list[int], at: Node | Edge) -> Pattern:
        """The pattern that some forbidden variables belong to."""
        mine = list(dict.fromkeys(self._of[end] for end in ends if end in self._of))
        if len(mine) == 1 and mine[0].members.issuperset(ends) and self.levels.is_within(mine[0].level, level):
            return mine[0].pattern
        whole = Embargo(self.levels.deepest([level, *(each.level for each in mine)], at), set(ends))
        for each in mine:
            whole.members |= each.members
            for name in _PARTS:
                getattr(whole.pattern, name).extend(getattr(each.pattern, name))
            del self._all[each]
        self._all[whole] = None
        self._of |= dict.fromkeys(whole.members, whole)
        return whole.pattern

    def on(self, level: int, ends: list[int], at: Node | Edge) -> Pattern:
        """The pattern on a level for what hangs on some forbidden variables there.

        One that is forbidden around that level is so without that, and again, as any node, with what hangs on it here.
        """
        return self.of(level, [self._member(level, end, at) for end in ends], at)

    def _member(self, level: int, end: int, at: Node | Edge) -> int:
        if end not in self._of or self._of[end].level == level:
            return end
        if (level, end) not in self._again:
            member = self._again[level, end] = self.member()
            self.of(level, [member], at).nodes.append(end)
        return self._again[level, end]

    def alone(self, level: int, at: Node | Edge) -> Pattern:
        """The pattern of an embargo of its own."""
        return self.of(level, [self.member()], at)

    def member(self) -> int:
        """Something to forbid by, for an embargo without a forbidden variable."""
        return next(self._lone)

    def is_forbidden(self, variable: int) -> bool:
        return variable in self._of

    def finish(self) -> None:
        """Give each to its level."""
        for each in self._all:
            self.levels.rule.levels[each.level].pattern.embargoes.append(each.pattern)
