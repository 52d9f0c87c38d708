"""Speed of state space exploration: states and transitions per second, bytes per state, compiled and general engine.

python -m benchmarks grammar [--rounds 3] [--big]
python -m benchmarks grammar --scaling
python -m benchmarks grammar --growing
python -m benchmarks grammar --changing
python -m benchmarks grammar --games [--big]
python -m benchmarks grammar --minimise [--big]

The models are Pentago's as exported to GROOVE, in the style with flags. The time before the first state, for reading
and compiling, is separate; the best round counts. Kernels are compiled before the measurement. --scaling measures how
the model grows with the board and the players, in both styles, for docs/lab/scaling.md. --growing measures a chain of
cells that grows at its unmarked end, --changing models whose graphs change, by the array engine and the general one.
--games solves the games of models after their exploration.
--minimise measures minimisation by each kind of bisimulation (nextTurn is silent), and with --big also the model with
31 million states, by strong bisimulation: seconds, processor seconds, and the memory beside the explored system.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.figures import Figure, machine
from pentad.grammar import Grammar, Graph, explore
from pentad.grammar.arrays.engine import KERNELS
from pentad.grammar.compiled.counting import CountingRun, run_compiled
from pentad.grammar.compiled.engine import CompiledRun, compile_system
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.logic.bisimulation import KINDS, STRONG, minimise
from pentad.grammar.models import new
from pentad.grammar.solving import solve
from pentad.grammar.states.engine import General
from pentad.grammar.system import prepare
from pentad.kernels.program import program
from pentad.system.memory import used_memory


class Case(NamedTuple):
    """A model, the depth of exploration, the engine, whether transitions are stored, and the threads that count."""

    name: str
    options: dict[str, object]
    depth: int | None
    engine: str
    keep: bool = True
    threads: int = 1


SMALL: dict[str, object] = {"rows": 2, "cols": 2, "block": 2, "iso": False}
WHOLE: dict[str, object] = {"rows": 2, "cols": 2, "block": 3, "line": 5, "iso": False}
CASES = (
    Case("2×2 of 2×2, line 2", {**SMALL, "line": 2}, None, "compiled", keep=False),
    Case("2×2 of 2×2, line 2", {**SMALL, "line": 2}, None, "compiled"),
    Case("2×2 of 2×2, line 2, to depth 9", {**SMALL, "line": 2}, 9, "general"),
    Case("6×6 to depth 9", WHOLE, 9, "compiled"),
    Case("6×6 to depth 9", WHOLE, 9, "general"),
)
BIG = tuple(
    Case("2×2 of 2×2, line 3", {**SMALL, "line": 3}, None, "compiled", keep=False, threads=threads)
    for threads in (1, 2)
)


MOST = 5_000_000  # the most states of an exploration
BOARDS: tuple[dict[str, object], ...] = (
    {"rows": 1, "cols": 1, "block": 2, "line": 2},
    {"rows": 1, "cols": 2, "block": 2, "line": 3},
    {"rows": 1, "cols": 2, "block": 2, "line": 3, "players": 3},
    {"rows": 1, "cols": 2, "block": 2, "line": 3, "players": 4},
    {"rows": 1, "cols": 1, "block": 3, "line": 3},
    {"rows": 1, "cols": 1, "block": 3, "line": 3, "players": 3},
    {"rows": 1, "cols": 3, "block": 2, "line": 3},
    {"rows": 2, "cols": 2, "block": 2, "line": 2},
    {"rows": 2, "cols": 2, "block": 2, "line": 3},
    {"rows": 1, "cols": 2, "block": 3, "line": 4},
    {"rows": 2, "cols": 2, "block": 3, "line": 5},
    {"rows": 3, "cols": 3, "block": 3, "line": 5},
)
VARIANTS: tuple[dict[str, object], ...] = (
    {"style": "flags", "iso": False},
    {"style": "sym", "iso": False},
    {"style": "sym", "iso": True},
    {"style": "flags", "iso": False, "control": "recipe"},
)


def scaling() -> list[Figure]:
    """Prints a line for every board and variant of the model: its size, and the speed of exploration."""
    figures = []
    print(
        f"{'board':<34}{'model':<22}{'states':>22}{'transitions':>13}{'bits':>6}{'seconds':>9}{'states/s':>12}{'compiling':>11}"
    )
    for board in BOARDS:
        for variant in VARIANTS:
            found = explore(new("pentago", **board, **variant), engine="compiled", states=MOST, keep=False)
            name = "{rows}×{cols} of {block}×{block}, line {line}".format(**board)
            name += f", {board['players']} players" if "players" in board else ""
            model = str(variant["style"])
            model += (", recipe" if "control" in variant else "") + (", isomorphic" if variant["iso"] else "")
            bits = len(compile_system(found.system, found.isomorphism).layout.order)
            more = "more than " if found.stopped else ""
            print(
                f"{name:<34}{model:<22}{more + format(found.states, ','):>22}{found.transitions:>13,}{bits:>6}"
                f"{found.seconds:>9.2f}{found.states / found.seconds:>12,.0f}{found.preparing:>9.2f} s",
                flush=True,
            )
            figures.append(Figure(f"{name}, {model}", found.states / found.seconds, "states per second"))
    return figures


LENGTHS = (1000, 2000, 4000, 8000, 16000)  # numbers of states of a growing chain


def chain(isomorphism: bool) -> Grammar:
    """A chain of cells: the rule appends a cell to the last one."""
    start, append = Graph("start"), Graph("append", "rule")
    start.node("type:Cell")
    last, following, new = (
        append.node(*labels) for labels in (["type:Cell"], ["not:", "type:Cell"], ["new:", "type:Cell"])
    )
    append.edge(last, "next", following)
    append.edge(last, "new:next", new)
    return Grammar(
        "chain", {"start": start}, {"append": append}, properties={"checkIsomorphism": str(isomorphism).lower()}
    )


def growing() -> list[Figure]:
    """Prints a line for every strategy and comparison: the seconds for each number of states of the chain."""
    figures = []
    print(f"{'':<40}" + "".join(f"{length:>10,}" for length in LENGTHS))
    for isomorphism in (True, False):
        for strategy in ("bfs", "linear"):
            for engine in ("general", "array") if strategy == "bfs" else ("general",):
                seconds = [
                    explore(chain(isomorphism), strategy=strategy, engine=engine, states=length).seconds
                    for length in LENGTHS
                ]
                name = f"{engine}, {strategy}, {'up to isomorphism' if isomorphism else 'compared as equal'}"
                print(f"{name:<40}" + "".join(f"{each:>8.2f} s" for each in seconds), flush=True)
                figures += [
                    Figure(f"{name}, {length:,} states", spent, "s")
                    for length, spent in zip(LENGTHS, seconds, strict=True)
                ]
    return figures


CHANGING: tuple[tuple[str, dict[str, object]], ...] = (
    ("append", {"cells": 8, "calls": 4}),
    ("append", {"cells": 12, "calls": 5}),
    ("election", {"processes": 7}),
    ("ferry", {"wolves": 3, "goats": 3, "cabbages": 3}),
    ("maze", {"plan": "haunted"}),
    ("pentago", {"rows": 1, "cols": 2, "block": 2, "line": 3, "style": "sym"}),
)
SLOW_STATES = 100_000  # the general engine does not explore a model with more


def changing() -> list[Figure]:
    """Prints a line for every model whose graphs change, comparison and engine: speed, and memory."""
    figures = []
    print(f"{'':<64}{'states':>10}{'transitions':>13}{'seconds':>9}{'states/s':>11}{'B/state':>9}")
    for name, options in CHANGING:
        for isomorphism in (True, False):
            large = False
            for engine in ("array", "general"):
                if large and engine == "general":
                    continue
                memory = used_memory()
                found = explore(new(name, **options, iso=isomorphism), engine=engine)
                used = max(used_memory() - memory, 0)
                large = found.states > SLOW_STATES
                what = f"{name} {options}, {'up to isomorphism' if isomorphism else 'equal'}, {engine}"
                print(
                    f"{what:<64}{found.states:>10,}{found.transitions:>13,}{found.seconds:>9.2f}"
                    f"{found.states / found.seconds:>11,.0f}{used / found.states:>9,.0f}",
                    flush=True,
                )
                figures.append(Figure(what, found.states / found.seconds, "states per second"))
    return figures


GAMES: tuple[tuple[str, dict[str, object]], ...] = (
    ("tictactoe", {"rows": 3, "cols": 4, "iso": False}),
    ("pente", {"size": 3, "line": 3, "capture_win": 2, "style": "flags", "iso": False}),
    ("pentago", {**SMALL, "line": 2}),
)
BIG_GAMES: tuple[tuple[str, dict[str, object]], ...] = (("pentago", {**SMALL, "line": 3}),)


def games(big: bool) -> list[Figure]:
    """Prints a line for every game: the seconds of exploration and of retrograde analysis, and the values found."""
    figures = []
    for name, options in (*GAMES, *(BIG_GAMES if big else ())):
        memory = used_memory()
        found = explore(new(name, **options), engine="compiled", states=MOST if not big else None)
        explored = used_memory() - memory
        solution = solve(found)
        print(
            f"{name} {options}\n  {found.states:,} states, {found.transitions:,} transitions"
            f"{f', stopped by {found.stopped}' if found.stopped else ''}: explored in {found.seconds:.2f} s, "
            f"{explored / found.states:,.0f} bytes a state; solved in {solution.seconds:.2f} s, "
            f"{found.states / solution.seconds:,.0f} states/s, {(used_memory() - memory) / found.states:,.0f} bytes a "
            f"state with the values\n  value of the start {solution.value(0)}, distance {solution.distance(0)}, "
            f"{solution.tally}",
            flush=True,
        )
        what = f"{name} {options}, {found.states:,} states"
        figures += [Figure(f"{what}, explored", found.seconds, "s"), Figure(f"{what}, solved", solution.seconds, "s")]
    return figures


MINIMISED: tuple[tuple[str, dict[str, object], tuple[str, ...]], ...] = (
    ("1×3 of 2×2, line 3", {"rows": 1, "cols": 3, "block": 2, "line": 3, "iso": False}, KINDS),
    ("2×2 of 2×2, line 2", {**SMALL, "line": 2}, KINDS),
)
MINIMISED_BIG = (("2×2 of 2×2, line 3", {**SMALL, "line": 3}, (STRONG,)),)


def minimising(big: bool) -> list[Figure]:
    """Prints a line for each system and kind of bisimulation."""
    figures = []
    heads = (("states", 12), ("transitions", 13), ("minimised", 12), ("", 13), ("seconds", 9), ("CPU", 8), ("GiB", 7))
    print(f"{'':<34}" + "".join(f"{head:>{width}}" for head, width in heads), flush=True)
    for name, options, kinds in (*MINIMISED, *(MINIMISED_BIG if big else ())):
        lts = explore(new("pentago", style="flags", **options), engine="compiled").lts
        for kind in kinds:
            hidden = [] if kind == STRONG else ["nextTurn"]
            with Peak() as peak:
                began, processor = time.perf_counter(), time.process_time()
                small = minimise(lts, kind, hide=hidden)
                seconds, processor = time.perf_counter() - began, time.process_time() - processor
            print(
                f"{name + ', ' + kind:<34}{lts.states:>12,}{lts.transitions:>13,}{small.states:>12,}"
                f"{small.transitions:>13,}{seconds:>9.2f}{processor:>8.2f}{peak.bytes / 2**30:>7.2f}",
                flush=True,
            )
            figures.append(Figure(f"{name}, {kind}", seconds, "s"))
    return figures


class Peak:
    """The largest additional memory of the process, looked at every 50 ms."""

    def __enter__(self) -> Peak:
        self.before, self.bytes, self._end = used_memory(), 0, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._end.wait(0.05):
            self.bytes = max(self.bytes, used_memory() - self.before)

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()


class Measured(NamedTuple):
    """The measurements of one round."""

    states: int
    transitions: int
    seconds: float
    before: float  # seconds until the first state
    bytes: int


def measure(case: Case) -> Measured:
    """Measures one round."""
    begun, memory = time.perf_counter(), used_memory()
    system = prepare(new("pentago", style="flags", **case.options))
    limits, acceptor = Limits(depth=case.depth), Acceptor(None, system.names)
    run: General | CompiledRun | CountingRun
    if case.engine == "compiled":
        run = run_compiled(system, system.isomorphism, limits, acceptor, None, case.keep, threads=case.threads)
    else:
        run = General(system, system.isomorphism, limits, acceptor, None)
    ready = time.perf_counter()
    with Peak() as peak:
        run.run()
    seconds = time.perf_counter() - ready
    most = max(used_memory() - memory, peak.bytes + peak.before - memory, 0)
    return Measured(run.states, run.transitions, seconds, ready - begun, most)


def row(case: Case, rounds: int) -> list[Figure]:
    first = measure(case)
    best = min([first, *(measure(case) for _ in range(rounds - 1))], key=lambda each: each.seconds)
    what = f"{case.engine}{'' if case.keep else f', counts, threads: {case.threads}'}"
    print(
        f"{case.name:<32}{what:<30}{best.states:>12,}{best.transitions:>13,}{best.seconds:>9.2f} s"
        f"{best.states / best.seconds:>13,.0f}{best.transitions / best.seconds:>13,.0f}"
        f"{first.bytes / first.states:>8,.0f}{best.before:>8.2f} s"
    )
    name = f"{case.name}, {what}"
    return [
        Figure(name, best.seconds, "s"),
        Figure(f"{name}, rate", best.states / best.seconds, "states per second"),
        Figure(f"{name}, memory", first.bytes / first.states, "bytes per state"),
    ]


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds, of which the best counts")
    parser.add_argument("--scaling", action="store_true", help="only measure how the model grows")
    parser.add_argument("--growing", action="store_true", help="only measure a growing chain")
    parser.add_argument("--changing", action="store_true", help="only measure models whose graphs change")
    parser.add_argument("--games", action="store_true", help="only solve the games of models")
    parser.add_argument("--minimise", action="store_true", help="only measure minimisation")
    parser.add_argument("--big", action="store_true", help="include the model with 31 million states")
    args = parser.parse_args(words)
    for width in ("narrow", "wide", "counting"):
        program(f"pentad.grammar.compiled.{width}_kernels")
    print(machine())
    if args.games:
        return games(args.big)
    if args.minimise:
        program("pentad.grammar.logic.bisimulation_kernels")
        return minimising(args.big)
    if args.growing or args.changing:
        program(KERNELS)
    if args.scaling or args.growing or args.changing:
        return (scaling if args.scaling else growing if args.growing else changing)()
    heads = (
        ("states", 12),
        ("transitions", 13),
        ("", 11),
        ("states/s", 13),
        ("trans./s", 13),
        ("B/state", 8),
        ("before", 10),
    )
    print(f"{'':<62}" + "".join(f"{head:>{width}}" for head, width in heads))
    figures = []
    for case in (*CASES, *(BIG if args.big else ())):
        figures += row(case, args.rounds if case.engine == "compiled" else 1)
    return figures


if __name__ == "__main__":
    main()
