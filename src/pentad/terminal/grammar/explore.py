"""`pentad grammar explore`: all states of a grammar, with GROOVE's counts; and what `check` shares with it.

Ctrl-C stops the exploration; the results so far are printed and written, and the exit code is 130.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from pentad.game import GameError, shorten
from pentad.grammar.exploration import ENGINES, Exploration, explore
from pentad.grammar.files.exports import SYSTEM_FORMATS, write
from pentad.grammar.files.prism import weights_of
from pentad.grammar.film import FORMATS, Film
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Edge, Graph
from pentad.grammar.logic.statistics import Statistics, statistics
from pentad.grammar.logic.traces import shortest
from pentad.grammar.lts import Lts, Trace
from pentad.grammar.models.views import view_of
from pentad.grammar.states.engine import STRATEGIES
from pentad.grammar.system import GrammarParts, System, prepare
from pentad.system.progress import Bar
from pentad.system.words import count, phrase
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser, whole
from pentad.terminal.grammar import arguments, partitioned

MOST = 10**12
MAX_STATES_IN_LINE = 20
MAX_NUMBERS_IN_LINE = 40
MAX_STATES_IN_JSON = 1_000
MAX_TRACE_STEPS = 400  # of a longer trace the first and the last steps are shown
SPELLED = {
    "depth": "--depth",
    "states": "--states",
    "memory": "the memory limit (--memory)",
    "bound": "the bound in --settings",
    "results": "--results",
    "until": "a certain verdict",
    "interrupted": "Ctrl-C",
}
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
STOPPED = 130


def add_arguments(parser: CommandParser) -> None:
    arguments.add_grammar(parser)
    add_exploring(parser)
    group = parser.add_argument_group("results and output")
    group.add_argument(
        "--accept",
        metavar="WHAT",
        help="collect states that are final, broken or any, or where RULE applies or does not apply (!RULE), "
        "and print the shortest trace to one",
    )
    group.add_argument("--results", type=whole(0, MOST), default=0, metavar="N", help="stop after N collected states")
    add_film(group)
    group.add_argument("--inner", action="store_true", help="keep and count the states and steps within recipes")
    group.add_argument(
        "--statistics",
        action="store_true",
        help="print out-degrees, depths, deadlocks, cycles, and the uses of actions",
    )
    add_output(group)
    arguments.add_force(parser)
    arguments.add_json(parser)
    partitioned.add_arguments(parser, "States are only counted, with files for them.")


def add_output(parser: argparse._ActionsContainer) -> None:
    """Add the options for the file to write."""
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        action="append",
        default=[],
        help=phrase(
            "write the transition system to FILE; can be repeated. Formats: {system_formats}",
            system_formats=", ".join(f".{each}" for each in SYSTEM_FORMATS),
        ),
    )
    parser.add_argument("--marks", action="store_true", help="in .aut, write $start and $final as loops, like GROOVE")


def run(args: argparse.Namespace) -> int:
    if args.results and args.accept is None:
        raise GameError("--results needs --accept.")
    if args.accept == "":
        raise GameError("--accept needs a value: final, broken, any, RULE or !RULE.")
    if args.film and args.accept in (None, "any"):
        raise GameError("--film needs --accept, for a trace to show.")
    if partitioned.is_chosen(args):
        partitioned.check(args)
        return partitioned.run(args, prepared(args, arguments.read(args.grammar), arguments.functions_of(args)))
    files = output_files(args)
    check_film(args)
    grammar = arguments.read(args.grammar)
    weights = weights_of(grammar)
    found = explored(args, prepared(args, grammar, arguments.functions_of(args)), args.accept, args.results)
    found.lts.weights = weights
    for file in files:
        write(found.lts, file, name=grammar.name, marks=args.marks)
    way = way_to(found, found.results) if args.accept not in (None, "any") else None
    film = save_film(args, found.lts, way, grammar.name)
    if args.json:
        data = found_data(found)
        if args.inner:
            data["counts"] = found.lts.counts()._asdict()
        if args.accept is not None:
            results = {"count": len(found.results), "first": found.results[:MAX_STATES_IN_JSON]}
            data |= {"accept": args.accept, "results": results, "trace": way.json() if way else None}
        if args.statistics:
            data["statistics"] = statistics(found.lts).json()
        print(json.dumps(data | written_data(args) | film))
    else:
        print("\n".join(found_lines(found)))
        if args.inner:
            print(inner_line(found))
        if args.accept is not None:
            print(states_line(args.accept, found.results))
        if way is not None:
            print(f"trace of {count(len(way), 'step')}:")
            print("\n".join(way_lines(found, way, names_of(found.system))))
        if args.statistics:
            print("\n".join(statistics_lines(statistics(found.lts))))
        for name in args.out:
            print(f"written to {name}")
        if film:
            print(film_line(film))
    return STOPPED if found.stopped == "interrupted" else 0


def output_files(args: argparse.Namespace) -> list[Path]:
    """The output files, checked before the exploration."""
    return [_output_file(name, SYSTEM_FORMATS, force=args.force) for name in args.out]


def _output_file(name: str, formats: Iterable[str], *, force: bool) -> Path:
    """A file to write in the format that its name has."""
    file = arguments.check_new(name, force=force)
    suffixes = [f".{each}" for each in formats]
    if file.suffix not in suffixes:
        *most, last = suffixes
        raise GameError(
            "{name}: Expected a file name with {most} or {last}.",
            name=shorten(name, 120),
            most=", ".join(most),
            last=last,
        )
    return file


def written_data(args: argparse.Namespace) -> dict[str, Any]:
    """The files that were written, as plain data."""
    return {"file": args.out[0]} if len(args.out) == 1 else {"files": args.out} if args.out else {}


# ── films ────────────────────────────────────────────────────────────────────────────────────────


def add_film(parser: argparse._ActionsContainer) -> None:
    """Add the option that saves a trace as a film."""
    parser.add_argument(
        "--film",
        metavar="FILE",
        help=phrase("save the trace as a film: {formats}", formats=" or ".join(f".{each}" for each in FORMATS)),
    )


def check_film(args: argparse.Namespace) -> None:
    """Checks the name of the film's file before the exploration."""
    if args.film is not None:
        _output_file(args.film, FORMATS, force=args.force)


def save_film(args: argparse.Namespace, lts: Lts, way: Trace | None, title: str) -> dict[str, Any]:
    """Saves the film of a trace, if asked for; returns its file, or none if there is no trace."""
    if args.film is None:
        return {}
    if way is None:
        return {"film": None}
    arguments.write_bytes(args.film, Film.of(lts, way, title).written(args.film), force=args.force)
    return {"film": args.film}


def film_line(film: Mapping[str, str | None]) -> str:
    """A line about a film."""
    return phrase("film written to {film}", film=film["film"]) if film["film"] else "no film: there is no trace"


# ── strategy and limits ──────────────────────────────────────────────────────────────────────────


def memory(text: str) -> int:
    """The number of bytes in a text such as 2G.

    >>> memory("2G"), memory("1.5 kB"), memory("10")
    (2147483648, 1536, 10)
    """
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise argparse.ArgumentTypeError(
            phrase("expected a memory size, such as 500M or 2G, got {text}", text=shorten(repr(text)))
        )
    return int(float(found[1]) * _UNITS[found[2].lower()])


def add_exploring(parser: CommandParser) -> None:
    """Add the options for strategy and limits."""
    group = parser.add_argument_group("strategy and limits")
    group.add_argument("--strategy", choices=STRATEGIES, default="bfs", help="order of exploration (default: bfs)")
    group.add_argument(
        "--settings",
        default="",
        metavar="TEXT",
        help="order, bound and goal in GROOVE's syntax, instead of a strategy, such as "
        "'next=newest bound=upto:RULE', 'bound=nodes:20', 'frontier=beam:5', 'legacy=crule:RULE'",
    )
    group.add_argument("--seed", type=whole(0, 2**62), metavar="N", help="random seed for --strategy random")
    group.add_argument(
        "--depth", type=whole(0, MOST), metavar="N", help="explore only states up to N steps from the start"
    )
    group.add_argument("--states", type=whole(1, MOST), metavar="N", help="stop after N states")
    group.add_argument(
        "--memory", type=memory, metavar="SIZE", help="memory limit, such as 2G (default: half the memory)"
    )
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="engine to use; auto (the default) is compiled where possible, else array, else general",
    )
    group.add_argument("--iso", choices=("yes", "no"), help="merge isomorphic states (default: as set in the grammar)")
    arguments.add_beginning(parser)
    arguments.add_functions(parser)


def prepared(args: argparse.Namespace, grammar: Grammar | GrammarParts, functions: arguments.Functions) -> System:
    """The system to explore, with the start graph and control of the arguments."""
    of = grammar.grammar if isinstance(grammar, GrammarParts) else grammar
    return prepare(grammar, arguments.start_of(args, of), arguments.control_of(args, of), **functions)


def explored(
    args: argparse.Namespace,
    system: System,
    accept: str | None = None,
    results: int = 0,
    until: Callable[[Exploration], bool] | None = None,
) -> Exploration:
    """Explore with the options of the arguments and, on a terminal, a progress bar."""
    with Bar("exploring", after=0.0) as bar:
        return explore(
            system,
            strategy=args.strategy,
            settings=args.settings,
            inner=getattr(args, "inner", False),
            seed=args.seed,
            depth=args.depth,
            states=args.states,
            memory=args.memory,
            engine=args.engine,
            isomorphism=None if args.iso is None else args.iso == "yes",
            accept=accept,
            results=results,
            until=until,
            progress=partitioned.reporting(bar, args, args.states or 0),
        )


# ── results ───────────────────────────────────────────────────────────────────────────────


def found_lines(found: Exploration) -> Iterator[str]:
    """The counts, the engine, the time, and why the exploration stopped."""
    merged = ", isomorphic states merged" * found.isomorphism
    yield f"{count(found.states, 'state')}, {count(found.transitions, 'transition')}, {found.final:,} final{merged}"
    rate = found.states / max(found.seconds, 1e-6)
    why = f"; not compiled: {found.why}" if found.why else ""
    why += phrase(" No array engine: {reason}", reason=found.why_no_array) if found.why_no_array else ""
    yield phrase(
        "{engine} engine: {seconds:.2f} s, {rate:,.0f} states/s; {preparing:.2f} s to prepare{why}",
        engine=found.engine,
        seconds=found.seconds,
        rate=rate,
        preparing=found.preparing,
        why=why,
    )
    if found.stopped:
        yield phrase(
            "stopped by {limit}; {states} not explored",
            limit=SPELLED[found.stopped],
            states=count(len(found.lts.open), "state"),
        )
    if broken := found.lts.broken:
        yield f"broken in {count(len(broken), 'state')}: {', '.join(sorted(rules_broken(found)))}"


def inner_line(found: Exploration) -> str:
    """The counts without and with the states within recipes and absent states."""
    counts = found.lts.counts()
    public = f"outside recipes {count(counts.states, 'state')}, {count(counts.transitions, 'transition')}"
    present = f"with recipes {count(counts.present_states, 'state')}, {count(counts.present_steps, 'step')}"
    return phrase(
        "{public}; {present}; in all {all_states:,} states and {all_transitions:,} transitions",
        public=public,
        present=present,
        all_states=counts.all_states,
        all_transitions=counts.all_transitions,
    )


def rules_broken(found: Exploration) -> set[str]:
    """The invariants broken in some state."""
    return {name for names in found.lts.broken.values() for name in names}


def found_data(found: Exploration) -> dict[str, Any]:
    """The results as plain data."""
    broken = found.lts.broken
    some = [{"state": state, "rules": list(broken[state])} for state in sorted(broken)[:MAX_STATES_IN_JSON]]
    return {
        "grammar": found.grammar.name,
        "states": found.states,
        "transitions": found.transitions,
        "final": found.final,
        "open": len(found.lts.open),
        "broken": {"count": len(broken), "first": some},
        "isomorphism": found.isomorphism,
        "engine": found.engine,
        "why": found.why,
        "stopped": found.stopped,
        "seconds": round(found.seconds, 6),
        "preparing": round(found.preparing, 6),
        "states_per_second": round(found.states / max(found.seconds, 1e-6)),
    }


def states_line(what: str, states: list[int]) -> str:
    """A line with the numbers of states."""
    more = f" and {len(states) - MAX_STATES_IN_LINE:,} more" * (len(states) > MAX_STATES_IN_LINE)
    listed = f": {' '.join(map(str, states[:MAX_STATES_IN_LINE]))}{more}" if states else ""
    return f"{what}: {count(len(states), 'state')}{listed}"


def way_to(found: Exploration, states: list[int]) -> Trace | None:
    """The shortest trace from the start to one of these states."""
    return shortest(found.lts, frozenset(states).__contains__) if states else None


class HasLts(Protocol):
    """What has a transition system: an exploration, or a source of one."""

    @property
    def lts(self) -> Lts: ...


def names_of(system: System) -> Mapping[str, str]:
    """The names of a model's nodes; none of another grammar."""
    view = view_of(system.grammar, system.start)
    return view.labels if view else {}


def way_lines(found: HasLts, way: Trace, names: Mapping[str, str]) -> Iterator[str]:
    """A line for each step, with the edges of its state that are not in every state of the trace."""
    numbers: Sequence[int] = range(len(way) + 1)
    left_out = len(numbers) - 1 - MAX_TRACE_STEPS
    if left_out > 0:
        half = MAX_TRACE_STEPS // 2
        numbers = [*numbers[: half + 1], *numbers[-half:]]
    states = way.states
    differences = _differences(found, [states[number] for number in numbers], names)
    for number in numbers:
        if left_out > 0 and number == numbers[-half]:
            yield f"  … {count(left_out, 'more step')}"
        word = way.steps[number - 1].label if number else "start"
        yield streams.one_line(
            f"  {number}. {word} → state {states[number]}{differences.get(states[number], '')}", 1_000
        )
    if way.loop is not None:
        yield phrase("  then back to step {loop}", loop=way.loop + 1)


def _differences(found: HasLts, states: Sequence[int], names: Mapping[str, str]) -> dict[int, str]:
    """The edges by which the states of a trace differ."""
    graph = found.lts.graph
    if graph is None or len(states) < 2:
        return {}
    edges = {state: _ordered(graph(state)) for state in dict.fromkeys(states)}
    common = set.intersection(*map(set, edges.values()))
    own = {
        state: [_edge(each, names) for each in mine if each not in common and not (names and "type:" in each.label)]
        for state, mine in edges.items()
    }
    return {state: f": {'  '.join(some)}" for state, some in own.items() if some}


def _ordered(graph: Graph) -> list[Edge]:
    """The edges of a graph by source, loops first."""
    order = {node: number for number, node in enumerate(graph.nodes)}
    return sorted(
        graph.edges, key=lambda edge: (order[edge.source], edge.source != edge.target, edge.label, order[edge.target])
    )


def _edge(edge: Edge, names: Mapping[str, str]) -> str:
    source, target = (names.get(node, node) for node in (edge.source, edge.target))
    space = " " * bool(names)  # names are words, and need one
    return (
        f"{source}:{space}{edge.label}"
        if edge.source == edge.target
        else (f"{source}{space}–{edge.label}→{space}{target}")
    )


# ── statistics ──────────────────────────────────────────────────────────────────────────────────


def statistics_lines(found: Statistics) -> Iterator[str]:
    """Statistics in words."""
    most = len(found.degrees) - 1
    yield phrase(
        "out-degree: 0 to {most}, {mean_degree:.2f} on average; {branching:.2f} where it is not 0",
        most=most,
        mean_degree=found.mean_degree,
        branching=found.branching,
    )
    yield phrase("states by out-degree: {listed}", listed=_listed(found.degrees))
    yield phrase("states by depth: {listed}", listed=_listed(found.depths))
    yield f"deadlocks: {found.deadlocks:,}"
    largest, cyclic = count(found.largest, "state"), count(found.cyclic, "state")
    yield phrase(
        "strongly connected components: {components:,}, the largest of {largest}; {cyclic} on cycles",
        components=found.components,
        largest=largest,
        cyclic=cyclic,
    )
    yield phrase("states with two transitions of one label: {choices:,}", choices=found.choices)
    yield phrase(
        "transitions by action: {first}", first=", ".join(f"{name} {used:,}" for name, used in _first(found.actions))
    )


def _listed(numbers: tuple[int, ...]) -> str:
    shown = " ".join(f"{number:,}" for number in numbers[:MAX_NUMBERS_IN_LINE])
    more = len(numbers) - MAX_NUMBERS_IN_LINE
    return f"{shown} and {more:,} more" if more > 0 else shown


def _first(actions: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(actions.items(), key=lambda each: -each[1])[:MAX_NUMBERS_IN_LINE]
