"""One exploration by the general engine."""

from __future__ import annotations

import random
import time
from array import array
from collections import deque
from collections.abc import Hashable

from pentad.grammar.bounds import Acceptor, Enough, Limits, Progress, interrupts_told, usual_memory
from pentad.grammar.graph import Graph
from pentad.grammar.lts import Lts
from pentad.grammar.matching.graphs import graph_of
from pentad.grammar.matching.host import bits
from pentad.grammar.matching.stepper import State, States, Stepper, Successor
from pentad.grammar.system import System
from pentad.machine import used_memory

LOOK = 512  # states between two looks at the memory


class General:
    """One exploration by the general engine."""

    def __init__(
        self, system: System, isomorphism: bool, limits: Limits, acceptor: Acceptor, progress: Progress | None
    ) -> None:
        self.system, self.limits, self.acceptor, self.progress = system, limits, acceptor, progress
        self.stepper, self.found = Stepper(system, self._look_within), States(system, isomorphism)
        self.lts = Lts(depths=array("q"))
        self.lts.graph, self.lts.describe = self._graph, self._describe
        self.results: list[int] = []
        self.stopped = ""
        self.began: float | None = None  # when it was first run
        self._todo: deque[int] = deque()  # states to look at
        self._actions: dict[tuple[str, tuple[str, ...]], int] = {}
        self._shows = system.grammar.asks("transitionParameters").strip().lower() in ("true", "some")
        self._before = used_memory()
        self._most = usual_memory() if limits.memory is None else limits.memory
        self._looked = self._within = 0
        self._interrupted = False

    def run(self, strategy: str = "bfs", seed: int | None = None) -> None:
        """Explore until nothing is left, or something stops it; a second time it goes on where it was."""
        chance = random.Random(seed)
        self.stopped = ""
        try:
            with interrupts_told(self._interrupt):
                if self.began is None:
                    self._begin()
                if strategy in ("linear", "random"):
                    self._line(chance if strategy == "random" else None)
                else:
                    self._all(strategy == "bfs")
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        except Enough:
            self.stopped = "memory"
        self.lts.states = len(self.found)

    def _begin(self) -> None:
        self.began = time.perf_counter()
        for finder in self.system.finders.values():
            finder.look = self._look_within
        self._add(self.stepper.start, 0)
        self._todo.append(0)

    @property
    def transitions(self) -> int:
        return self.lts.transitions

    @property
    def final(self) -> int:
        return len(self.lts.final)

    @property
    def states(self) -> int:
        return len(self.found)

    def _interrupt(self) -> None:
        self._interrupted = True

    def _add(self, state: State, depth: int) -> tuple[int, bool]:
        number, is_new = self.found.number(state)
        if is_new:
            self.lts.depths.append(depth)
            self.lts.open.add(number)
        return number, is_new

    def _all(self, breadth_first: bool) -> None:
        todo = self._todo
        while todo and not self._must_stop():
            number = todo.popleft() if breadth_first else todo.pop()
            depth = self.lts.depths[number]
            if self.limits.depth is not None and depth > self.limits.depth:
                self.stopped = "depth"
                continue
            todo += self._look(number, depth)

    def _line(self, chance: random.Random | None) -> None:
        number = 0
        while not self._must_stop():
            depth = self.lts.depths[number]
            if self.limits.depth is not None and depth > self.limits.depth:
                self.stopped = "depth"
                return
            new = self._look(number, depth, chance, all_of_them=False)
            if not new:
                return
            number = new[0]

    def _look(
        self, number: int, depth: int, chance: random.Random | None = None, all_of_them: bool = True
    ) -> list[int]:
        """Look at a state: what leaves it, whether it is final or breaks something; the new states it leads to."""
        state = self.found.found[number]
        successors, final = self.stepper.successors(state)
        broken = self.stepper.broken(state)
        if final:
            self.lts.final.add(number)
        if broken:
            self.lts.broken[number] = broken
        if self.acceptor.accepts({each.action for each in successors}, final, bool(broken)):
            self.results.append(number)
        leaves_some = not all_of_them and len(successors) > 1
        if leaves_some:
            successors = [chance.choice(successors) if chance else successors[0]]
        new: list[int] = []
        ends: set[tuple[str, Hashable, int]] = set()
        for each in successors:
            self._look_within()
            target, is_new = self._add(each.state, depth + 1)
            if is_new:
                new.append(target)
            if each.match is None:  # a recipe that begins so and ends in states that are alike is one transition
                if (each.action, each.event, target) in ends:
                    continue
                ends.add((each.action, each.event, target))
            self.lts.add(number, self._action(each), target)
        if not leaves_some:
            self.lts.open.discard(number)
        self._looked += 1
        return new

    def _look_within(self) -> None:
        """Look at the memory now and then within recipes and searches too, which may go on for ever."""
        self._within += 1
        if self._interrupted or self.limits.is_stopped:
            raise KeyboardInterrupt
        if self._within % LOOK == 0 and used_memory() - self._before > self._most:
            raise Enough

    def _action(self, successor: Successor) -> int:
        told = self.system.world.told
        arguments = tuple(told(node) for node in successor.arguments) if self._shows else ()
        key = (successor.action, arguments)
        if key not in self._actions:
            self._actions[key] = len(self.lts.labels)
            self.lts.labels.append(key)
        return self._actions[key]

    def _must_stop(self) -> bool:
        limits = self.limits
        if self._interrupted or limits.is_stopped:
            self.stopped = "interrupted"
        elif limits.results and len(self.results) >= limits.results:
            self.stopped = "results"
        elif limits.states is not None and len(self.found) >= limits.states:
            self.stopped = "states"
        elif self._looked % LOOK == 0:
            if used_memory() - self._before > self._most:
                self.stopped = "memory"
            if self.progress is not None:
                self.progress(len(self.found), self.lts.transitions, len(self.lts.open))
        return self.stopped not in ("", "depth")

    def _describe(self, number: int) -> str:
        state, world = self.found.found[number], self.system.world
        changing = (world.edges[i] for i in bits(state.edges & ~world.fixed_edges))
        return " ".join(f"{world.told(one)}–{label}→{world.told(other)}" for one, label, other in changing)

    def _graph(self, number: int) -> Graph:
        state = self.found.found[number]
        return graph_of(self.system.world, state.nodes, state.edges, self.system.grammar.start)
