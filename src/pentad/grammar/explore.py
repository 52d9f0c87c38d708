"""Exploring a grammar: in what order, how far, until when; and what was found.

>>> explore(Grammar.load("tictactoe.gps"), depth=3)  # doctest: +SKIP
<Exploration 4 states, 6 transitions>
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.lts import Lts
from pentad.grammar.matching.host import bits
from pentad.grammar.matching.stepper import State, States, Stepper, Successor
from pentad.grammar.simulation import graph_of
from pentad.grammar.system import System, prepare

STRATEGIES = ("bfs", "dfs", "linear", "random")
ENGINES = ("auto", "general", "compiled")
SMALL = 2000  # states that the general engine has found before the other is compiled
LOOK = 512  # states between two looks at the memory
Progress = Callable[[int, int, int], None]  # states, transitions, states still to look at


@dataclass(slots=True)
class Exploration:
    """What was found, and why it ended."""

    system: System
    lts: Lts  # without transitions where they were only counted
    states: int
    transitions: int
    final: int
    engine: str  # "general" or "compiled"
    why: str = ""  # why the compiler could not, where it was not used
    stopped: str = ""  # empty if all was seen; else depth, states, memory, results, interrupted
    results: list[int] = field(default_factory=list)  # the states that were accepted
    seconds: float = 0.0
    preparing: float = 0.0  # seconds before the first state: reading, planning, compiling
    isomorphism: bool = False

    @property
    def grammar(self) -> Grammar:
        return self.system.grammar

    def __repr__(self) -> str:
        tail = f", stopped by {self.stopped}" if self.stopped else ""
        return f"<Exploration {self.states} states, {self.transitions} transitions{tail}>"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far to go."""

    depth: int | None = None  # states farther from the start are found, not looked at
    states: int | None = None
    memory: int | None = None  # bytes that the process may take more than before
    results: int = 0  # accepted states to stop at; 0: all

    def check(self) -> None:
        for name in ("depth", "states", "memory", "results"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise GrammarError(f"{name} is a number from 0, not {value!r}")


def used_memory() -> int:
    """The bytes of memory that this process takes now."""
    try:
        told = Path("/proc/self/statm").read_text(encoding="ascii")
        return int(told.split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        try:
            import resource
        except ImportError:
            return 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def usual_memory() -> int:
    """Half of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 << 30


class Acceptor:
    """Which states are results: `final`, `any`, a rule's name where it applies, `!name` where it does not, `broken`."""

    def __init__(self, text: str | None, system: System) -> None:
        self.text = text or ""
        self.name = self.text.removeprefix("!")
        known = {*system.rules, *system.control.recipes}
        if self.text and self.text not in ("final", "any", "broken") and self.name not in known:
            raise GrammarError(
                f"there is no rule {self.name!r} to look for; final, any, broken, or a rule: {', '.join(sorted(known))}"
            )

    def accepts(self, actions: set[str], final: bool, broken: bool) -> bool:
        if self.text in ("", "any"):
            return self.text == "any"
        if self.text in ("final", "broken"):
            return final if self.text == "final" else broken
        return (self.name in actions) is not self.text.startswith("!")


class Enough(Exception):
    """The memory is used up in the middle of a state."""


@contextlib.contextmanager
def interrupts_told(tell: Callable[[], None]) -> Iterator[None]:
    """Tell of the first Ctrl-C rather than let it break off whatever is done just then; a second one does.

    Only where it is this program's to decide: in the main thread, and if nobody else has taken Ctrl-C over.
    """
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def first(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tell()

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
        self._actions: dict[tuple[str, tuple[str, ...]], int] = {}
        self._shows = system.grammar.asks("transitionParameters").strip().lower() in ("true", "some")
        self._before = used_memory()
        self._most = usual_memory() if limits.memory is None else limits.memory
        self._looked = self._within = 0
        self._interrupted = False

    def run(self, strategy: str = "bfs", seed: int | None = None) -> None:
        """Explore until nothing is left, or something stops it."""
        chance = random.Random(seed)
        self._add(self.stepper.start, 0)
        try:
            with interrupts_told(self._interrupt):
                if strategy in ("linear", "random"):
                    self._line(chance if strategy == "random" else None)
                else:
                    self._all(strategy == "bfs")
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        except Enough:
            self.stopped = "memory"
        self.lts.states = len(self.found)

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
        todo = deque([0])
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
        """Look at the memory now and then within a recipe too, which may go on for ever."""
        self._within += 1
        if self._interrupted:
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
        if self._interrupted:
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


def explore(
    grammar: Grammar,
    *,
    strategy: str = "bfs",
    depth: int | None = None,
    states: int | None = None,
    memory: int | None = None,
    engine: str = "auto",
    isomorphism: bool | None = None,
    accept: str | None = None,
    results: int = 0,
    seed: int | None = None,
    start: str | Graph | None = None,
    control: str | None = None,
    progress: Progress | None = None,
    keep: bool = True,
) -> Exploration:
    """Explore a grammar from its start graph, and count as GROOVE counts.

    `depth` bounds the states that are looked at: those one step farther are found and counted. `states` and
    `memory` (bytes) end the search with what it has, as Ctrl-C does; without them it goes on until it has seen all
    or has taken half of the machine's memory. `accept` collects result states, and ends at so many `results`.
    Without `keep` the compiled engine only counts, which takes a fraction of the memory.
    """
    if strategy not in STRATEGIES:
        raise GrammarError(f"there is no strategy {strategy!r}; there is {', '.join(STRATEGIES)}")
    if engine not in ENGINES:
        raise GrammarError(f"there is no engine {engine!r}; there is {', '.join(ENGINES)}")
    limits = Limits(depth, states, memory, results)
    limits.check()
    if isinstance(start, str):
        if start not in grammar.graphs:
            raise GrammarError(f"there is no start graph {start!r}; there is {', '.join(grammar.graphs)}", grammar.name)
        start = grammar.graphs[start]
    begun = time.perf_counter()
    system = prepare(grammar, start, control)
    collapses = system.isomorphism if isomorphism is None else isomorphism
    acceptor = Acceptor(accept, system)
    run, why = _engine(engine, strategy, system, collapses, limits, acceptor, progress, keep)
    ready = time.perf_counter()
    if isinstance(run, General):
        run.run(strategy, seed)
    else:
        run.run()
    done, name = time.perf_counter(), "general" if isinstance(run, General) else "compiled"
    return Exploration(
        system, run.lts, run.states, run.transitions, run.final, name, why, run.stopped, run.results,
        done - ready, ready - begun, collapses,
    )  # fmt: skip


class Engine(Protocol):
    """What explores: it is run once, and has then what it found."""

    lts: Lts
    stopped: str
    results: list[int]

    def run(self) -> None: ...
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def final(self) -> int: ...


def _engine(
    asked: str,
    strategy: str,
    system: System,
    collapses: bool,
    limits: Limits,
    acceptor: Acceptor,
    progress: Progress | None,
    keep: bool,
) -> tuple[Engine, str]:
    """The engine that is asked for, or the best that can; and why it is not the compiled one.

    What a few states are enough for the general engine does at once: the other has to be compiled first.
    """
    general = General(system, collapses, limits, acceptor, progress)
    if asked == "general":
        return general, "the general engine was asked for"
    if strategy != "bfs":
        why = f"the strategy is {strategy}, and the compiled engine searches breadth first"
    elif asked == "auto" and _is_small(system, collapses, limits, acceptor):
        return general, f"fewer than {SMALL:,} states are not worth it"
    else:
        from pentad.grammar.compiled.ground import CannotCompile
        from pentad.grammar.compiled.run import run_compiled

        try:
            return run_compiled(system, collapses, limits, acceptor, progress, keep), ""
        except CannotCompile as error:
            why = str(error)
    if asked == "compiled":
        raise GrammarError(f"the compiled engine cannot do it: {why}", system.grammar.name)
    return general, why


def _is_small(system: System, collapses: bool, limits: Limits, acceptor: Acceptor) -> bool:
    """Whether there are few states to find."""
    most = SMALL if limits.states is None else min(SMALL, limits.states)
    trial = General(system, collapses, replace(limits, states=most), acceptor, None)
    trial.run()
    return trial.states < SMALL
