"""Nondeterministic automata of path expressions, and their search in graphs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from pentad.grammar.graph import GrammarError
from pentad.grammar.language.path_tree import Atom, Choice, Covers, Empty, Inverse, Part, Repeat, Sequence, Wildcard

MOVES = 100_000  # most transitions of an automaton

Node = TypeVar("Node", bound=Hashable)
Edges: TypeAlias = Callable[[Node], Iterable[tuple[str, Node]]]
Move: TypeAlias = tuple[Atom | Wildcard, int]  # the label, and the next state


class Automaton:
    """An automaton of a path, with moves along edges and against them."""

    def __init__(self, part: Part, covers: Covers) -> None:
        self.covers = covers
        self._free: list[list[int]] = []  # epsilon moves
        self._moves: list[tuple[list[Move], list[Move]]] = []  # along an edge, against it
        self._cache: dict[tuple[int, bool, str], list[int]] = {}
        self.start, self.end = self._state(), self._state()
        self._build(part, self.start, self.end, True)
        self._close()

    def _state(self) -> int:
        self._free.append([])
        self._moves.append(([], []))
        return len(self._free) - 1

    def _build(self, part: Part, start: int, end: int, along: bool) -> None:
        """Adds the moves of a path from one state to another."""
        match part:
            case Atom() | Wildcard():
                self._moves[start][not along].append((part, end))
            case Empty():
                self._free[start].append(end)
            case Inverse():
                self._build(part.part, start, end, not along)
            case Choice():
                for each in part.parts:
                    self._build(each, start, end, along)
            case Sequence():
                *others, last = part.parts if along else reversed(part.parts)
                for each in others:
                    between = self._state()
                    self._build(each, start, between, along)
                    start = between
                self._build(last, start, end, along)
            case Repeat():
                first, last_state = self._state(), self._state()
                self._free[start].append(first)
                self._build(part.part, first, last_state, along)
                self._free[last_state] += [first, end]
                if part.sign == "*":
                    self._free[start].append(end)

    def _close(self) -> None:
        """Eliminates the epsilon moves."""
        closed: list[tuple[list[Move], list[Move]]] = []
        self.ends = [False] * len(self._free)
        count = 0
        for state in range(len(self._free)):
            reached, waiting = {state}, [state]
            while waiting:
                new = [each for each in self._free[waiting.pop()] if each not in reached]
                reached.update(new)
                waiting += new
            along = [move for each in sorted(reached) for move in self._moves[each][0]]
            against = [move for each in sorted(reached) for move in self._moves[each][1]]
            count += len(along) + len(against) + len(reached)
            if count > MOVES:
                raise GrammarError("The automaton of the path has too many transitions.")
            closed.append((along, against))
            self.ends[state] = self.end in reached
        self._moves = closed

    def _after(self, state: int, against: bool, label: str, bound: Mapping[str, str] | None) -> list[int]:
        """Returns the next states after an edge with this label."""
        known = self._cache.get((state, against, label)) if bound is None else None
        if known is not None:
            return known
        found = []
        for test, after in self._moves[state][against]:
            if test.admits(label, self.covers):
                key = test.key if bound is not None and isinstance(test, Wildcard) else None
                if key is None or bound is None or bound.get(key, label) == label:
                    found.append(after)
        if bound is None:
            self._cache[state, against, label] = found
        return found

    def reach(self, node: Node, out: Edges[Node], into: Edges[Node], bound: Mapping[str, str] | None) -> Iterator[Node]:
        """Yields the nodes to which the path leads, each once."""
        found: set[Node] = set()
        seen = {(self.start, node)}
        waiting = [(self.start, node)]
        while waiting:
            state, here = waiting.pop()
            if self.ends[state] and here not in found:
                found.add(here)
                yield here
            for against, edges in ((False, out), (True, into)):
                if not self._moves[state][against]:
                    continue
                for label, there in edges(here):
                    for after in self._after(state, against, label, bound):
                        if (after, there) not in seen:
                            seen.add((after, there))
                            waiting.append((after, there))
