"""Exploration of a grammar's states: order, limits, and results.

>>> explore(Grammar.load("tictactoe.gps"), depth=3)  # doctest: +SKIP
<Exploration 4 states, 6 transitions>
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.limits import Acceptor, Limits, Progress
from pentad.grammar.lts import Lts
from pentad.grammar.oracles import OracleFunction
from pentad.grammar.states.engine import STRATEGIES, General, Order, parse_settings
from pentad.grammar.system import Filter, System, prepare
from pentad.system.words import phrase

if TYPE_CHECKING:  # it is imported when it is used
    from pentad.grammar.arrays.engine import ArrayRun
    from pentad.grammar.compiled.counting import CountingRun
    from pentad.grammar.compiled.engine import CompiledRun

ARRAY_KERNELS = "pentad.grammar.arrays.kernels"
EngineRun: TypeAlias = "General | CompiledRun | CountingRun | ArrayRun"
ENGINES = ("auto", "general", "compiled", "array")
STATES_OF_GENERAL = 2000  # the general engine explores so many before another engine is prepared
STATES_BEFORE_ARRAY = 40_000  # compiling the kernels of the array engine takes a minute
STATES_OF_FIRST_STAGE = 256  # `until` is called after each stage


@dataclass(slots=True)
class Exploration:
    """The result of an exploration, and the reason why it stopped.

    `results` are the states that the acceptor takes. Reading, planning and compiling took `preparing` seconds.
    """

    system: System
    lts: Lts  # it has no transitions if they were only counted
    states: int
    transitions: int
    final: int
    engine: str  # "general", "compiled" or "array"
    why: str = ""  # the reason why the compiled engine was not used
    why_no_array: str = ""  # the reason why the array engine was not used either
    # empty if everything was explored; else depth, bound, states, memory, results, until or interrupted
    stopped: str = ""
    results: list[int] = field(default_factory=list)
    seconds: float = 0.0
    preparing: float = 0.0
    isomorphism: bool = False
    run: EngineRun | None = field(default=None, repr=False)  # what has found the states

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
    until: Callable[[Exploration], bool] | None = None,
    keep: bool = True,
    threads: int = 0,
    settings: str = "",
    inner: bool = False,
    filters: Mapping[str, Filter] | None = None,
    oracle: OracleFunction | None = None,
    operations: Iterable[Callable[..., Any]] = (),
) -> Exploration:
    """Explores a grammar from its start graph; the counts are those of GROOVE.

    `depth` limits the distance of explored states from the start; states one step farther are found and counted.
    `states` and `memory` (bytes) stop the search with its results so far, as Ctrl-C does; without them it continues
    until everything is explored or half of the machine's memory is used. `accept` selects result states; the search
    stops after `results` of them. `stop` is polled and stops the search in the same way. `early` is called with the
    results so far before an engine is compiled, which cannot be interrupted. `until` is called with the results so far
    whenever the number of states has doubled, and stops the search if it returns True. Without `keep` the other
    engines only count, with a fraction of the memory; the compiled engine in several `threads` (0: one for each core)
    if a state fits in one word and no limit of states is given. `settings` are order, bound, goal and count in
    GROOVE's syntax (`bound=nodes:20 count=first`), instead of a strategy. With `inner` the states and steps within
    recipes are stored and marked.

    `filters` are the functions that the match filters of rules name: each is called with the graph and the match, from
    nodes of the rule to nodes of the graph, and returns whether the match counts. `oracle` returns the values of `ask:`
    parameters, by the rule's name and the type. `operations` are functions for expressions (`twice(x)`) and classes of
    values.

    A prepared grammar keeps its start, control and functions, and can be explored once.
    """
    if strategy not in STRATEGIES:
        raise GrammarError(
            phrase(
                "Unknown strategy {strategy!r}. Strategies: {strategies}.",
                strategy=strategy,
                strategies=", ".join(STRATEGIES),
            )
        )
    if settings and strategy != "bfs":
        raise GrammarError("Settings include the order; they cannot be combined with a strategy.")
    parsed = parse_settings(settings or STRATEGIES[strategy])
    accept, results = accept or parsed.goal or None, results or parsed.count
    if parsed.collapse and isomorphism is None:
        isomorphism = parsed.collapse == "isomorphism"
    if engine not in ENGINES:
        raise GrammarError(
            phrase("Unknown engine {engine!r}. Engines: {engines}.", engine=engine, engines=", ".join(ENGINES))
        )
    limits = Limits(depth, states, memory, results, stop)
    system = grammar
    if isinstance(system, Grammar):
        if isinstance(start, str):
            if start not in system.graphs:
                raise GrammarError(
                    phrase("No start graph {start!r}. Graphs: {graphs}.", start=start, graphs=", ".join(system.graphs)),
                    system.name,
                )
            start = system.graphs[start]
        system = prepare(system, start, control, filters, oracle, operations)
    begun = time.perf_counter() - system.seconds
    collapses = system.isomorphism if isomorphism is None else isomorphism
    acceptor = Acceptor(accept, system.names)
    order = Order(parsed, seed, system)
    limits = order.limits(limits)

    def found(run: EngineRun, name: str, reasons: Mapping[str, str], ready: float) -> Exploration:
        return Exploration(
            system, run.lts, run.states, run.transitions, run.final, name, reasons.get("compiled", ""),
            reasons.get("array", ""), run.stopped, run.results, time.perf_counter() - ready, ready - begun, collapses,
            run,
        )  # fmt: skip

    def report(general: General) -> None:
        if early:
            early(found(general, "general", {}, general.began or begun))

    general = General(system, collapses, limits, acceptor, progress, inner, order)

    def compiled() -> EngineRun:
        from pentad.grammar.compiled.counting import run_compiled

        return run_compiled(system, collapses, limits, acceptor, progress, keep, until is None, threads)

    def arrays() -> EngineRun:
        from pentad.grammar.arrays.engine import run_arrays

        return run_arrays(system, collapses, limits, acceptor, progress, keep)

    def search(run: EngineRun, name: str = "general", most: int | None = limits.states) -> None:
        """Runs an engine up to a number of states; in stages if the caller looks at the results so far."""
        while until is not None and not order.is_single_path:
            stage = max(STATES_OF_FIRST_STAGE, 2 * run.states)
            if most is not None and stage >= most:
                break
            run.limits = replace(limits, states=stage)
            run.run()
            if run.stopped != "states":
                return
            try:
                if until(found(run, name, {}, begun)):
                    run.stopped = "until"
            except KeyboardInterrupt:
                run.stopped = "interrupted"
            if run.stopped != "states":
                return
        run.limits = replace(limits, states=most)
        run.run()

    run, name, reasons = _engine(engine, general, {"compiled": compiled, "array": arrays}, search, report)
    ready = time.perf_counter()
    if run is not general or general.began is None:
        search(run, name)
    return found(run, name, reasons, general.began or ready if run is general else ready)


def _engine(
    wanted: str,
    general: General,
    others: Mapping[str, Callable[[], EngineRun]],
    search: Callable[..., None],
    early: Callable[[General], None],
) -> tuple[EngineRun, str, dict[str, str]]:
    """The wanted engine, or the best one for the grammar, with its name; and why others before it are not used.

    The general engine explores small state spaces at once, since other engines must be prepared first.
    """
    reasons: dict[str, str] = {}
    if wanted == "general":
        return general, wanted, reasons
    for name in [name for name in others if wanted in ("auto", name)]:
        why = general.why_only(name)
        if not why and wanted == "auto":
            from pentad.kernels.cache import are_compiled

            most = STATES_OF_GENERAL if name != "array" or are_compiled(ARRAY_KERNELS) else STATES_BEFORE_ARRAY
            if general.states < most and _is_done_soon(general, search, most):
                few = "" if general.stopped else phrase("There are fewer than {most:,} states.", most=most)
                return general, "general", {**reasons, name: few}
        if not why:
            from pentad.grammar.compiled.grounding import CannotCompile

            if general.began is not None and not reasons:
                early(general)
            try:
                return others[name](), name, reasons
            except CannotCompile as error:
                why = str(error)
            except KeyboardInterrupt:
                if general.began is None:
                    raise
                general.stopped = "interrupted"
                return general, "general", {}
        reasons[name] = why
        if wanted == name:
            raise GrammarError(
                phrase("The {name} engine cannot run this grammar: {why}", name=name, why=why),
                general.system.grammar.name,
            )
    if general.began is not None:
        search(general)
    return general, "general", reasons


def _is_done_soon(general: General, search: Callable[..., None], limit: int) -> bool:
    """Whether the general engine finishes with few states; otherwise it can continue from there."""
    most = general.limits.states
    if most is not None and most <= limit:
        search(general)
        return True
    search(general, most=limit)
    return general.stopped != "states"
