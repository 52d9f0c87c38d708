"""Triggers of the array engine: from an edge that a rule looks at, the ways back to the rule's first edge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pentad.grammar.arrays import constants as k

Way: TypeAlias = "tuple[tuple[int, int], ...]"  # each step says whether it is against the edges, and their label
Trigger: TypeAlias = "tuple[int, int, Way]"  # the label of the changed edge, the end where the way begins, the way
HARMLESS = frozenset({k.SAME, k.DIFFERENT, k.IS_NEW, k.IS_VALUE, k.IS_NODE, k.TEST, k.NOT, k.FOUND, k.TALLY})


def triggers_of(rows: Sequence[Sequence[int]], first: int, lists: Sequence[int]) -> list[Trigger] | None:
    """The edges that a plan looks at, with the ways from them back to the edge of its first instruction.

    None if the plan does not begin with the edges of one label, or looks at edges far from them.
    """
    op, a, b, label, listed = rows[first][: k.LIST + 1]
    if op == k.LOOPS and lists[listed] == 1:
        label, b = lists[listed + 1], a
    elif op != k.PAIRS:
        return None
    ways: dict[int, Way | None] = {b: ((1, label),), a: ((0, label),)}
    found: dict[Trigger, None] = {(label, k.FROM_EDGE, ()): None}
    at = first
    while rows[at][k.OP] != k.MATCH:
        at += 1
        op, a, b, label, listed = rows[at][: k.LIST + 1]
        if op in (k.OUT, k.INTO):
            is_into, way = int(op == k.INTO), ways.get(a)
            if way is None:
                return None
            found[label, k.FROM_TARGET if is_into else k.FROM_SOURCE, way] = None
            ways[b] = ((1 - is_into, label), *way)
        elif op in (k.EDGE, k.ANY_OF):
            ends = [(way, end) for way, end in ((ways.get(a), k.FROM_SOURCE), (ways.get(b), k.FROM_TARGET)) if way]
            if not ends:
                return None
            shortest, end = min(ends, key=lambda each: len(each[0]))
            for each in (label,) if op == k.EDGE else lists[listed + 1 : listed + 1 + lists[listed]]:
                found[each, end, shortest] = None
        elif op in (k.CONSTANT, k.COMPUTE, k.COUNT_ALL):
            if not b:
                ways[a] = None
        elif op not in HARMLESS and op != k.MATCH:
            return None
    return list(found)


@dataclass(slots=True)
class Triggers:
    """The triggers of all rules as rows of numbers."""

    rows: list[tuple[int, ...]] = field(default_factory=list)  # the label, then the columns
    ways: list[tuple[int, int]] = field(default_factory=list)
    _known: dict[Way, int] = field(default_factory=dict)

    def add(self, rule: int, triggers: Iterable[Trigger]) -> None:
        for label, end, way in triggers:
            if way not in self._known:
                self._known[way] = len(self.ways)
                self.ways += way
            self.rows.append((label, rule, end, self._known[way], len(way)))

    def by_label(self, labels: int) -> tuple[list[int], list[tuple[int, ...]]]:
        """The first row of each label and the end, and the rows without their labels."""
        rows = sorted(self.rows)
        begins = [sum(row[0] < label for row in rows) for label in range(labels + 1)]
        return begins, [row[1:] for row in rows]
