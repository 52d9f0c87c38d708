"""Exploring a grammar: in what order, how far, until when; and what was found.

>>> explore(Grammar.load("tictactoe.gps"), depth=3)  # doctest: +SKIP
<Exploration 4 states, 6 transitions>
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from pentad.grammar.exploration_settings import Order, parse_settings
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.limits import Acceptor, Limits, Progress
from pentad.grammar.lts import Lts
from pentad.grammar.matching.engine import General
from pentad.grammar.oracles import Asked
from pentad.grammar.system import Filter, System, prepare

STRATEGIES = {
    "bfs": "",
    "dfs": "next=newest",
    "linear": "frontier=single successor=single",
    "random": "frontier=single successor=single-random",
}
ENGINES = ("auto", "general", "compiled")
SMALL = 2000  # states that the general engine has found before the other is compiled


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
    stopped: str = ""  # empty if all was seen; else depth, bound, states, memory, results, interrupted
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


def explore(
    grammar: Grammar | System,
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
    stop: Callable[[], bool] | None = None,
    early: Callable[[Exploration], None] | None = None,
    keep: bool = True,
    settings: str = "",
    inner: bool = False,
    filters: Mapping[str, Filter] | None = None,
    oracle: Asked | None = None,
    operations: Iterable[Callable[..., Any]] = (),
) -> Exploration:
    """Explore a grammar from its start graph, and count as GROOVE counts.

    `depth` bounds the states that are looked at: those one step farther are found and counted. `states` and
    `memory` (bytes) end the search with what it has, as Ctrl-C does; without them it goes on until it has seen all
    or has taken half of the machine's memory. `accept` collects result states, and ends at so many `results`.
    `stop` is asked now and then, and ends the search likewise; `early` is given what was found before an engine is
    compiled, which cannot be interrupted. Without `keep` the compiled engine only counts, which takes a fraction of
    the memory. `settings` are order, bound, goal and count as GROOVE writes them (`bound=nodes:20 count=first`),
    instead of a strategy. With `inner` states and steps within recipes are kept too, and marked.

    `filters` are the functions that rules' match filters name: one is given the graph and what the match has for the
    rule's nodes, and tells whether the match counts. `oracle` gives the values that rules ask for, by the rule's
    name and the type. `operations` are functions and classes of values that expressions can use, `twice(x)`.

    A grammar that is prepared has its start, control and functions, and is explored once.
    """
    if strategy not in STRATEGIES:
        raise GrammarError(f"there is no strategy {strategy!r}; there is {', '.join(STRATEGIES)}")
    if settings and strategy != "bfs":
        raise GrammarError("settings name the order themselves; a strategy does not go with them")
    asked = parse_settings(settings or STRATEGIES[strategy])
    accept, results = accept or asked.goal or None, results or asked.count
    if asked.collapse and isomorphism is None:
        isomorphism = asked.collapse == "isomorphism"
    if engine not in ENGINES:
        raise GrammarError(f"there is no engine {engine!r}; there is {', '.join(ENGINES)}")
    limits = Limits(depth, states, memory, results, stop)
    limits.check()
    system = grammar
    if isinstance(system, Grammar):
        system = prepare(system, _start(system, start), control, filters, oracle, operations)
    begun = time.perf_counter() - system.seconds
    collapses = system.isomorphism if isomorphism is None else isomorphism
    acceptor = Acceptor(accept, system.names)
    order = Order(asked, seed, system)
    limits = order.limits(limits)

    def found(run: Engine, name: str, why: str, ready: float) -> Exploration:
        return Exploration(
            system, run.lts, run.states, run.transitions, run.final, name, why, run.stopped, run.results,
            time.perf_counter() - ready, ready - begun, collapses,
        )  # fmt: skip

    def tell(general: General) -> None:
        if early:
            early(found(general, "general", "", general.began or begun))

    general = General(system, collapses, limits, acceptor, progress, inner, order)
    compiler = Compiler(system, collapses, limits, acceptor, progress, keep)
    run, why = _engine(engine, general, compiler, tell)
    ready = time.perf_counter()
    if not isinstance(run, General):
        run.run()
    else:
        if run.began is None:
            run.run()
        ready = run.began or ready
    return found(run, "general" if isinstance(run, General) else "compiled", why, ready)


def _start(grammar: Grammar, start: str | Graph | None) -> Graph | None:
    """The graph that is asked for, or that is called so."""
    if not isinstance(start, str):
        return start
    if start not in grammar.graphs:
        raise GrammarError(f"there is no start graph {start!r}; there is {', '.join(grammar.graphs)}", grammar.name)
    return grammar.graphs[start]


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


class Compiler(NamedTuple):
    """What the compiled engine is given."""

    system: System
    isomorphism: bool
    limits: Limits
    acceptor: Acceptor
    progress: Progress | None
    keep: bool

    def run(self) -> tuple[Engine | None, str]:
        """The compiled engine, or why it cannot be."""
        from pentad.grammar.compiled.engine import run_compiled
        from pentad.grammar.compiled.grounding import CannotCompile

        try:
            return run_compiled(*self), ""
        except CannotCompile as error:
            return None, str(error)


def _engine(asked: str, general: General, compiler: Compiler, early: Callable[[General], None]) -> tuple[Engine, str]:
    """The engine that is asked for, or the best that can; and why it is not the compiled one.

    What a few states are enough for the general engine does at once: the other has to be compiled first.
    """
    if asked == "general":
        return general, ""
    why = general.why_not_compiled
    if not why and asked == "auto" and _is_done_soon(general):
        return general, f"there are fewer than {SMALL:,} states" if not general.stopped else ""
    if not why:
        if general.began is not None:
            early(general)
        try:
            compiled, why = compiler.run()
            if compiled is not None:
                return compiled, ""
        except KeyboardInterrupt:
            if general.began is None:
                raise
            general.stopped = "interrupted"
            return general, ""
    if asked == "compiled":
        raise GrammarError(f"the compiled engine cannot do it: {why}", general.system.grammar.name)
    if general.began is not None:
        general.run()
    return general, why


def _is_done_soon(general: General) -> bool:
    """Whether it ends, for whatever reason, before it has found many states; if not, it can go on from there."""
    limits = general.limits
    if limits.states is not None and limits.states <= SMALL:
        general.run()
        return True
    general.limits = replace(limits, states=SMALL)
    general.run()
    general.limits = limits
    return general.stopped != "states"
