"""A transition system's columns as arrays: who is beside whom, where one gets back to, and the shortest way.

A search goes on by whole arrays where its front is broad, and state by state where it is narrow, so that it takes
linear time both in bushes and in chains.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pentad.grammar.lts import Lts

    Numbers: TypeAlias = NDArray[np.int64]
    Marks: TypeAlias = NDArray[np.bool_]

NARROW = 200  # states; a front of more is worth an array
NEVER = 1 << 62  # more transitions than there are


@dataclass(frozen=True)
class Side:
    """The transitions by their states at one end: those of state s are in the places begins[s] to begins[s + 1]."""

    begins: Numbers
    others: Numbers  # the states at the other end
    numbers: Numbers  # the transitions themselves

    def places(self, states: Numbers) -> Numbers:
        """The places of these states' transitions, one state after the other."""
        import numpy as np

        first = self.begins[states]
        counts = self.begins[states + 1] - first
        ends = np.cumsum(counts)
        return np.repeat(first - ends + counts, counts) + np.arange(int(ends[-1]) if len(ends) else 0)


class Columns:
    """A system's columns; `size` may be more than its states, which gives states that nothing leads to or from."""

    def __init__(self, lts: Lts, size: int) -> None:
        import numpy as np

        self.size = size
        self.sources: Numbers = np.asarray(lts.sources, dtype=np.int64)
        self.actions: Numbers = np.asarray(lts.actions, dtype=np.int64)
        self.targets: Numbers = np.asarray(lts.targets, dtype=np.int64)
        self.leaving: Numbers = np.bincount(self.sources, minlength=size).astype(np.int64)  # how many leave each

    @cached_property
    def forth(self) -> Side:
        """The transitions by their sources."""
        return self._side(self.sources, self.targets)

    @cached_property
    def back(self) -> Side:
        """The transitions by their targets."""
        return self._side(self.targets, self.sources)

    def _side(self, one: Numbers, other: Numbers) -> Side:
        import numpy as np

        begins = np.zeros(self.size + 1, np.int64)
        np.cumsum(np.bincount(one, minlength=self.size), out=begins[1:])
        if (one[:-1] <= one[1:]).all():
            return Side(begins, other, np.arange(len(one)))
        order = np.argsort(one, kind="stable")
        return Side(begins, other[order], order)

    def none(self) -> Marks:
        """No state marked."""
        import numpy as np

        return np.zeros(self.size, np.bool_)

    def before(self, marks: Marks) -> Marks:
        """The states with a transition to a marked one."""
        found = self.none()
        found[self.sources[marks[self.targets]]] = True
        return found

    def drawn(self, goal: Marks, through: Marks, needs: Numbers | None = None) -> Marks:
        """The goal, and of the states to go through those that it draws in: by one transition, or by as many as needed.

        With how many transitions leave each state as `needs`, these are the states from which all ways lead to the
        goal; without, those from which some way does.
        """
        import numpy as np

        marked = goal.copy()
        left = None if needs is None else needs.copy()
        front = np.flatnonzero(goal)
        while len(front):
            if len(front) > NARROW:
                front = self._draw_many(front, marked, through, left)
            else:
                front = np.array(self._draw_few(front.tolist(), marked, through, left), np.int64)
        return marked

    def _draw_many(self, front: Numbers, marked: Marks, through: Marks, left: Numbers | None) -> Numbers:
        import numpy as np

        before = self.back.others[self.back.places(front)]
        before = before[through[before] & ~marked[before]]
        if left is None:
            new = np.unique(before)
        else:
            new, counts = np.unique(before, return_counts=True)
            left[new] -= counts
            new = new[left[new] == 0]
        marked[new] = True
        return new

    def _draw_few(self, todo: list[int], marked: Marks, through: Marks, left: Numbers | None) -> list[int]:
        """Go on while there are few; those that are still to do."""
        begins, others, seen, may = map(_fast, (self.back.begins, self.back.others, marked, through))
        needed = None if left is None else _fast(left)
        while todo and len(todo) <= NARROW:
            state = todo.pop()
            for place in range(begins[state], begins[state + 1]):
                before = others[place]
                if seen[before] or not may[before]:
                    continue
                if needed is not None:
                    needed[before] -= 1
                    if needed[before]:
                        continue
                seen[before] = True
                todo.append(before)
        return todo

    def path(self, start: int, through: Marks, goal: Marks, moves: bool = False) -> list[int] | None:
        """The transitions of a shortest way to the goal; `moves`: of one at least, even where the start is a goal."""
        import numpy as np

        if goal[start] and not moves:
            return []
        came = np.full(self.size, -1, np.int64)  # by which transition
        if not moves:
            came[start] = NEVER
        may = through | goal
        front = np.array([start], np.int64)
        while len(front):
            front = self._go_many(front, came, may) if len(front) > NARROW else self._go_few(front, came, may, goal)
            hits = front[goal[front]]
            if len(hits):
                return self._back(start, int(hits[0]), came)
        return None

    def _go_many(self, front: Numbers, came: Numbers, may: Marks) -> Numbers:
        import numpy as np

        places = self.forth.places(front)
        after = self.forth.others[places]
        fresh = may[after] & (came[after] < 0)
        new, first = np.unique(after[fresh], return_index=True)
        came[new] = self.forth.numbers[places[fresh][first]]
        return new

    def _go_few(self, front: Numbers, came: Numbers, may: Marks, goal: Marks) -> Numbers:
        """Go on while there are few and none is a goal; the last front."""
        import numpy as np

        begins, others, numbers = map(_fast, (self.forth.begins, self.forth.others, self.forth.numbers))
        by, allowed, ends = map(_fast, (came, may, goal))
        todo: list[int] = front.tolist()
        while todo and len(todo) <= NARROW:
            new = []
            for state in todo:
                for place in range(begins[state], begins[state + 1]):
                    after = others[place]
                    if allowed[after] and by[after] < 0:
                        by[after] = numbers[place]
                        if ends[after]:
                            return np.array([after], np.int64)
                        new.append(after)
            todo = new
        return np.array(todo, np.int64)

    def _back(self, start: int, end: int, came: Numbers) -> list[int]:
        steps: list[int] = []
        while end != start or not steps:
            steps.append(int(came[end]))
            end = int(self.sources[steps[-1]])
        return steps[::-1]

    def round(self, start: int, among: Marks) -> Marks:
        """A state to which one gets back, marked, on going from the start by first transitions among those marked."""
        begins, others, inside = map(_fast, (self.forth.begins, self.forth.others, among))
        seen, state = self.none(), start
        while not seen[state]:
            seen[state] = True
            state = next(others[i] for i in range(begins[state], begins[state + 1]) if inside[others[i]])
        found = self.none()
        found[state] = True
        return found


def _fast(column: NDArray[Any]) -> Any:
    """The same numbers, quicker to get at one by one."""
    return column.data
