"""Adjacency arrays of a transition system: backward reachability, shortest paths and cycles.

A search works on whole arrays while its frontier is broad, and state by state while it is narrow, so that it takes
linear time both in broad and in long systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pentad.grammar.lts import Lts

Numbers: TypeAlias = NDArray[np.int64]
Marks: TypeAlias = NDArray[np.bool_]

NARROW = 200  # states of a frontier; larger ones are handled as arrays
NEVER = 1 << 62  # greater than any number of transitions


@dataclass(frozen=True)
class Side:
    """The transitions grouped by their state at one end: those of state s are at indices begins[s] to begins[s + 1]."""

    begins: Numbers
    others: Numbers  # the states at the other end
    numbers: Numbers  # the numbers of the transitions

    def indices(self, states: Numbers) -> Numbers:
        """The indices of the transitions of these states, one state after the other."""
        first = self.begins[states]
        counts = self.begins[states + 1] - first
        ends = np.cumsum(counts)
        return np.repeat(first - ends + counts, counts) + np.arange(int(ends[-1]) if len(ends) else 0)


class Columns:
    """The columns of a transition system as arrays; a `size` above the number of states adds isolated states."""

    def __init__(self, lts: Lts, size: int) -> None:
        self.size = size
        self.sources: Numbers = np.asarray(lts.sources, dtype=np.int64)
        self.actions: Numbers = np.asarray(lts.actions, dtype=np.int64)
        self.targets: Numbers = np.asarray(lts.targets, dtype=np.int64)
        self.leaving: Numbers = np.bincount(self.sources, minlength=size).astype(np.int64)  # out-degrees

    @cached_property
    def forward(self) -> Side:
        """The transitions by source."""
        return self._side(self.sources, self.targets)

    @cached_property
    def backward(self) -> Side:
        """The transitions by target."""
        return self._side(self.targets, self.sources)

    def _side(self, one: Numbers, other: Numbers) -> Side:
        begins = np.zeros(self.size + 1, np.int64)
        np.cumsum(np.bincount(one, minlength=self.size), out=begins[1:])
        if (one[:-1] <= one[1:]).all():
            return Side(begins, other, np.arange(len(one)))
        order = np.argsort(one, kind="stable")
        return Side(begins, other[order], order)

    def none(self) -> Marks:
        """The empty set of states."""
        return np.zeros(self.size, np.bool_)

    def predecessors(self, marks: Marks) -> Marks:
        """The states with a transition to a marked one."""
        found = self.none()
        found[self.sources[marks[self.targets]]] = True
        return found

    def attractor(self, goal: Marks, through: Marks, needs: Numbers | None = None) -> Marks:
        """The attractor of the goal: the least set that contains it and grows backwards over states in `through`.

        A state is added if it has a transition into the set; with `needs`, if it has `needs[state]` of them. If `needs`
        are the out-degrees, these are the states from which all paths lead to the goal; without it, those from which
        some path does.
        """
        marked = goal.copy()
        left = None if needs is None else needs.copy()
        front = np.flatnonzero(goal)
        while len(front):
            if len(front) > NARROW:
                front = self._attract_broad(front, marked, through, left)
            else:
                front = np.array(self._attract_narrow(front.tolist(), marked, through, left), np.int64)
        return marked

    def _attract_broad(self, front: Numbers, marked: Marks, through: Marks, left: Numbers | None) -> Numbers:
        before = self.backward.others[self.backward.indices(front)]
        before = before[through[before] & ~marked[before]]
        if left is None:
            new = np.unique(before)
        else:
            new, counts = np.unique(before, return_counts=True)
            left[new] -= counts
            new = new[left[new] == 0]
        marked[new] = True
        return new

    def _attract_narrow(self, todo: list[int], marked: Marks, through: Marks, left: Numbers | None) -> list[int]:
        """Continues while the frontier is narrow; returns the frontier that remains."""
        begins, others, seen, may = map(_view, (self.backward.begins, self.backward.others, marked, through))
        needed = None if left is None else _view(left)
        while todo and len(todo) <= NARROW:
            state = todo.pop()
            for index in range(begins[state], begins[state + 1]):
                before = others[index]
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
        """The transitions of a shortest path to the goal; with `moves` of at least one, even if the start is a goal."""
        if goal[start] and not moves:
            return []
        reached_by = np.full(self.size, -1, np.int64)  # the transition that reached each state
        if not moves:
            reached_by[start] = NEVER
        may = through | goal
        front = np.array([start], np.int64)
        while len(front):
            if len(front) > NARROW:
                front = self._advance_broad(front, reached_by, may)
            else:
                front = self._advance_narrow(front, reached_by, may, goal)
            hits = front[goal[front]]
            if len(hits):
                return self._path_to(start, int(hits[0]), reached_by)
        return None

    def _advance_broad(self, front: Numbers, reached_by: Numbers, may: Marks) -> Numbers:
        indices = self.forward.indices(front)
        after = self.forward.others[indices]
        fresh = may[after] & (reached_by[after] < 0)
        new, first = np.unique(after[fresh], return_index=True)
        reached_by[new] = self.forward.numbers[indices[fresh][first]]
        return new

    def _advance_narrow(self, front: Numbers, reached_by: Numbers, may: Marks, goal: Marks) -> Numbers:
        """Continues while the frontier is narrow and has no goal; returns the last frontier."""
        begins, others, numbers = map(_view, (self.forward.begins, self.forward.others, self.forward.numbers))
        by, allowed, ends = map(_view, (reached_by, may, goal))
        todo: list[int] = front.tolist()
        while todo and len(todo) <= NARROW:
            new = []
            for state in todo:
                for index in range(begins[state], begins[state + 1]):
                    after = others[index]
                    if allowed[after] and by[after] < 0:
                        by[after] = numbers[index]
                        if ends[after]:
                            return np.array([after], np.int64)
                        new.append(after)
            todo = new
        return np.array(todo, np.int64)

    def _path_to(self, start: int, end: int, reached_by: Numbers) -> list[int]:
        steps: list[int] = []
        while end != start or not steps:
            steps.append(int(reached_by[end]))
            end = int(self.sources[steps[-1]])
        return steps[::-1]

    def on_cycle(self, start: int, among: Marks) -> Marks:
        """One state on a cycle, as a set; found by following first transitions from the start within `among`."""
        begins, others, inside = map(_view, (self.forward.begins, self.forward.others, among))
        seen, state = self.none(), start
        while not seen[state]:
            seen[state] = True
            state = next(others[i] for i in range(begins[state], begins[state + 1]) if inside[others[i]])
        found = self.none()
        found[state] = True
        return found


def _view(column: NDArray[Any]) -> Any:
    """A memory view of an array, in which access to single elements is faster."""
    return column.data
