"""General engine: explores a state space by matching rules on graphs."""

from __future__ import annotations

import time
from array import array
from collections import deque

from pentad.grammar.graph import Graph
from pentad.grammar.host import bits
from pentad.grammar.language import user_operations
from pentad.grammar.limits import Acceptor, Limits, MemoryLimitReached, Progress, catch_interrupt, default_memory
from pentad.grammar.lts import Counts, Lts
from pentad.grammar.rules.host_reader import graph_of
from pentad.grammar.rules.rule import TRANSFORMER
from pentad.grammar.states.settings import Order, applies
from pentad.grammar.states.state_space import Expansion, Labels, OutgoingTransition, Space, State
from pentad.grammar.system import DEADLOCK, ERROR, System
from pentad.system_memory import used_memory

CHECK_INTERVAL = 512  # states between two checks of memory use


class General:
    """General engine: explores a state space by matching rules on graphs."""

    def __init__(
        self,
        system: System,
        isomorphism: bool,
        limits: Limits,
        acceptor: Acceptor,
        progress: Progress | None,
        inner: bool = False,
        order: Order | None = None,
    ) -> None:
        self.system, self.limits, self.acceptor, self.progress, self.inner = system, limits, acceptor, progress, inner
        self._order = order or Order()
        self.space = Space(system, isomorphism, self._check_limits)
        self.lts = Lts(depths=array("q"))
        self.lts.graph, self.lts.describe = self._graph, self._describe
        self.results: list[int] = []
        self.stopped = ""
        self.began: float | None = None  # when it was first run
        self._todo: deque[int] = deque()  # states to expand
        self._numbers: dict[int, int] = {}  # numbers of the shown states, by their numbers in the space
        self._shown: list[int] = []  # the shown states, in the order of their numbers here
        self._labels = Labels(system, self.lts)
        self._before = used_memory()
        self._most = default_memory() if limits.memory is None else limits.memory
        self._expanded = self._checks = self._steps = 0
        self._interrupted = False

    @property
    def why_not_compiled(self) -> str:
        """Why only this engine can do the exploration; empty if the compiled one may be able to."""
        is_default = self._order.settings.is_default
        reasons = {
            "The compiled engine only searches breadth first, without such bounds.": not is_default,
            "The compiled engine does not keep inner states of recipes.": self.inner,
            "The compiled engine tests only rules that control tries.": self.acceptor.tests,
            "The compiled engine counts only expanded states as results.": (
                self.acceptor.text == "any" and self.limits.results
            ),
            "The compiled engine does not look for deadlocks.": self.system.deadlock_policy == ERROR,
            "The compiled engine calls no user functions.": self.system.calls_functions,
            "The compiled engine has no label formats.": self.system.has_labels,
        }
        return next((why for why, holds in reasons.items() if holds), "")

    def run(self) -> None:
        """Explores until no states are left or a limit is reached; a second call continues."""
        self.stopped = ""
        try:
            with catch_interrupt(self._interrupt):
                if self.began is None:
                    self._begin()
                if self._order.is_single_path:
                    self._follow_path()
                else:
                    self._explore_all()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        except (MemoryLimitReached, MemoryError):
            self.stopped = "memory"
        self.lts.states = len(self._shown)
        self.lts.found = self._counts()

    def _begin(self) -> None:
        self.began = time.perf_counter()
        for finder in self.system.finders.values():
            finder.check_limits = self._check_limits
        start = self.space.number(self.space.generator.start)
        self._show(start, 0)
        self._todo.append(start)

    @property
    def transitions(self) -> int:
        return self.lts.transitions

    @property
    def final(self) -> int:
        return len(self.lts.final)

    @property
    def states(self) -> int:
        return len(self._shown)

    def _interrupt(self) -> None:
        self._interrupted = True
        if user_operations.running:  # user code may never check the flag
            raise KeyboardInterrupt

    # ── order ────────────────────────────────────────────────────────────────────────────────────

    def _explore_all(self) -> None:
        todo, order = self._todo, self._order
        while todo and not self._must_stop():
            number = order.take(todo)
            shown = self._numbers[number]
            depth = self.lts.depths[shown]
            if self.limits.depth is not None and depth > self.limits.depth:
                self.stopped = "depth"
                continue
            if shown and order.excludes(self.space.states.found[number]):
                self.stopped = "bound"
                continue
            is_last = order.excludes(self.space.states.found[number], successors=True)
            fresh = self._expand(number)
            if is_last and fresh:
                self.stopped = "bound"
            else:
                order.add(todo, fresh)

    def _follow_path(self) -> None:
        """Follows a single path: from each state its loops and one other transition."""
        number = self._todo.popleft()
        while not self._must_stop():
            shown = self._numbers[number]
            if self.limits.depth is not None and self.lts.depths[shown] > self.limits.depth:
                self.stopped = "depth"
                return
            expansion = self.space.expand(number)
            outgoing = self._public_outgoing(expansion)
            away = [each for each in outgoing if each.target != number]
            self._record(expansion, shown, outgoing)
            one = self._order.choose(away) if away else None
            chosen = [each for each in outgoing if each.target == number]
            chosen += [] if one is None else [one]
            was = len(self._shown)
            for each in chosen:
                self._show_step(number, each)
            if len(away) <= 1:
                self.lts.open.discard(shown)
            self._expanded += 1
            if one is None or len(self._shown) == was:
                return
            number = one.target

    def _expand(self, number: int) -> list[int]:
        """Expands a state and the inner states that it reaches; returns the new states to expand."""
        begun = len(self._shown)
        todo = deque([self.space.expand(number)])
        seen = {number}
        while todo:
            expansion = todo.popleft()
            shown = self._numbers[expansion.number]
            self._check_limits()
            outgoing = self._public_outgoing(expansion)
            self._record(expansion, shown, outgoing)
            for each in expansion.outgoing if self.inner else outgoing:
                self._check_limits()
                if each.target in self.space.absent:
                    continue
                is_new = each.target not in self._numbers
                self._show_step(expansion.number, each)
                within = self.space.expansions.get(each.target)
                if is_new and within is not None and within.is_closed and each.target not in seen:
                    seen.add(each.target)
                    todo.append(within)
            self.lts.open.discard(shown)
        self._expanded += 1
        return [each for each in self._shown[begun:] if each not in seen]

    # ── shown states ─────────────────────────────────────────────────────────────────────────────

    def _public_outgoing(self, expansion: Expansion) -> list[OutgoingTransition]:
        if self.space.is_within(expansion.number):
            return []
        return [each for each in expansion.outgoing if not each.is_inner and self.space.is_public(each.target)]

    def _record(self, expansion: Expansion, shown: int, outgoing: list[OutgoingTransition]) -> None:
        """Records whether a state is final, violates a property, or is a result."""
        if self.space.is_within(expansion.number):
            self.lts.inner.add(shown)
            return
        broken = expansion.broken
        if expansion.frame.kind == "dead" and not expansion.is_over and self.system.deadlock_policy == ERROR:
            roles = {self.system.rules[each.action].role if each.match else TRANSFORMER for each in outgoing}
            broken += (DEADLOCK,) * (TRANSFORMER not in roles)
        if expansion.is_final:
            self.lts.final.add(shown)
        if broken:
            self.lts.broken[shown] = broken
        if self.acceptor.accepts({each.action for each in outgoing}, expansion.is_final, bool(broken)):
            self.results.append(shown)

    def _show(self, number: int, depth: int) -> int:
        """Returns a state's number here."""
        shown = self._numbers.get(number)
        if shown is None:
            shown = self._numbers[number] = len(self._shown)
            self._shown.append(number)
            self.lts.depths.append(depth)
            self.lts.open.add(shown)
            state = self.space.states.found[number]
            if not self.space.is_within(number) and self.acceptor.accepts_found(
                lambda name: applies(self.system, name, state)
            ):
                self.results.append(shown)
        return shown

    def _show_step(self, number: int, out: OutgoingTransition) -> None:
        source = self._numbers[number]
        target = self._show(out.target, self.lts.depths[source] + 1)
        self._steps += not out.is_inner
        self.lts.add(source, self._labels.number(out), target)

    def _counts(self) -> Counts:
        """The counts; of shown states only if a single path was followed."""
        inner = len(self.lts.inner)
        states, transitions = len(self._shown) - inner, self._steps
        if self._order.is_single_path:
            return Counts(states, transitions, states, transitions, states, transitions)
        return self.space.counts(states, transitions)

    # ── stopping ─────────────────────────────────────────────────────────────────────────────────

    def _check_limits(self) -> None:
        """Checks memory and interrupts periodically, also within recipes and searches, which may be endless."""
        self._checks += 1
        if self._interrupted or self.limits.is_stopped:
            raise KeyboardInterrupt
        if self._checks % CHECK_INTERVAL == 0 and used_memory() - self._before > self._most:
            raise MemoryLimitReached

    def _must_stop(self) -> bool:
        limits = self.limits
        if self._interrupted or limits.is_stopped:
            self.stopped = "interrupted"
        elif limits.results and len(self.results) >= limits.results:
            self.stopped = "results"
        elif limits.states is not None and len(self._shown) >= limits.states:
            self.stopped = "states"
        elif self._expanded % CHECK_INTERVAL == 0:
            if used_memory() - self._before > self._most:
                self.stopped = "memory"
            if self.progress is not None:
                self.progress(len(self._shown), self.lts.transitions, len(self.lts.open))
        return self.stopped not in ("", "depth", "bound")

    # ── description ──────────────────────────────────────────────────────────────────────────────

    def state(self, number: int) -> State:
        """The state with a number."""
        return self.space.states.found[self._shown[number]]

    def _describe(self, number: int) -> str:
        state, world = self.state(number), self.system.world
        changing = (world.edges[i] for i in bits(state.edges & ~world.fixed_edges))
        return " ".join(f"{world.text(one)}–{label}→{world.text(other)}" for one, label, other in changing)

    def _graph(self, number: int) -> Graph:
        state = self.state(number)
        return graph_of(self.system.world, state.nodes, state.edges, self.system.start)
