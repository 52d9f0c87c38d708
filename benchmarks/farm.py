"""Partitioned exploration: its speed and memory by the number of processes, and a state space larger than memory.

python -m benchmarks farm [--scratch DIR]
python -m benchmarks farm --big [--scratch DIR]
python -m benchmarks farm --solve [--scratch DIR]
python -m benchmarks farm --job exploration

The first one counts the 31 million states of Pentago's model on 2×2 sub-boards of 2×2 with line 3: in one process,
whose largest additional memory is measured, and then partitioned, by one and by two processes that have a quarter of it
each.
--big counts the positions of two players who place marks in turn on 20 spaces without a line, 1,482,730,097 states,
with two processes of 1.5 GB. There are C(n, k) C(k, k/2) positions with k marks, each before and after the turn passes.
--solve values the 31 million states of the first one backwards, by one and by two processes with 48 MiB.
--job exploration, match, batch or self-play does some work of a kind in a plain loop of a process, by one and by two
processes, and by one and two workers of a local cluster of Dask: seconds without the start of the workers.
The best of two rounds counts, since the machine is not equally fast all the time.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import asdict
from math import comb, inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import pentad as library
from benchmarks.figures import Figure, machine
from benchmarks.grammar import SMALL, Peak
from pentad.grammar.compiled.counting import run_compiled
from pentad.grammar.farm import backward, exploration, partition
from pentad.grammar.farm.solving import solve
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.models import new
from pentad.grammar.system import System, prepare
from pentad.jobs.executors import ExecutorFarm, Farm, ProcessFarm, completed, dask_farm
from pentad.kernels.program import program
from pentad.play import contest
from pentad.play.data import make
from pentad.play.data.dataset import GAMES, ShardWriter
from pentad.play.pairings import pairings
from pentad.system.progress import format_duration
from pentad.terminal.pentago import batch

SPACES, BIG_MEMORY = 20, 3 << 29
STARTING, ROUNDS = 4, 2  # units of work that start the workers, and rounds


class Workers:
    """The largest memory of each child process, and of all of them together, looked at every 100 ms."""

    def __enter__(self) -> Workers:
        self.most, self.together, self._end = 0, 0, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._end.wait(0.1):
            found = [_memory(each) for each in _children()]
            self.most, self.together = max([self.most, *found]), max(self.together, sum(found))

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()


def _children() -> list[str]:
    return [pid for task in Path("/proc/self/task").glob("*/children") for pid in task.read_text().split()]


def _memory(pid: str) -> int:
    try:
        return 4096 * int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0


class Measured(NamedTuple):
    """The results of an exploration."""

    states: int
    transitions: int
    final: int
    seconds: float
    memory: int  # the largest worker has used so much
    together: int
    levels: list[int]


def partitioned(system: System, scratch: Path, workers: int, memory: int) -> Measured:
    """Explores a grammar by processes with so much memory each."""
    began, reported = time.perf_counter(), 0.0

    def progress(states: int, _transitions: int, waiting: int) -> None:
        nonlocal reported
        if time.perf_counter() - began > reported + 60:
            reported = time.perf_counter() - began
            print(f"  {format_duration(reported)}: {states:,} states, {waiting:,} of them open", flush=True)

    with Workers() as used:
        found = exploration.explore(
            system, scratch, workers=workers, memory=memory, isomorphism=False, progress=progress
        )
    return Measured(found.states, found.transitions, found.final, found.seconds, used.most, used.together, found.levels)


def whole(system: System, threads: int) -> Measured:
    """Counts the states of a grammar in one process."""
    run = run_compiled(system, False, Limits(), Acceptor(None, system.names), None, keep=False, threads=threads)
    began = time.perf_counter()
    with Peak() as peak:
        run.run()
    seconds = time.perf_counter() - began
    return Measured(run.states, run.transitions, run.final, seconds, peak.bytes, peak.bytes, [])


def row(what: str, found: Measured) -> list[Figure]:
    print(
        f"{what:<44}{found.states:>15,}{found.transitions:>15,}{found.final:>8,}{found.seconds:>9.1f} s"
        f"{found.states / found.seconds:>12,.0f}/s{found.memory / 2**20:>8,.0f} MiB",
        flush=True,
    )
    name = f"{found.states:,} states, {what}"
    return [
        Figure(name, found.seconds, "s"),
        Figure(f"{name}, rate", found.states / found.seconds, "states per second"),
        Figure(f"{name}, memory of a process", found.memory / 2**20, "MiB"),
    ]


def quarters(scratch: Path) -> list[Figure]:
    """Measures a model in one process, and partitioned."""
    grammar = new("pentago", style="flags", **SMALL, line=3)
    one = whole(prepare(grammar), 1)
    figures = row("one process, 1 thread", one)
    figures += row("one process, 2 threads", whole(prepare(grammar), 2))
    for workers in (1, 2):
        memory = one.memory // 4
        found = partitioned(prepare(grammar), scratch, workers, memory)
        figures += row(f"partitioned, processes: {workers}, each with {memory >> 20} MiB", found)
        if found[:3] != one[:3]:
            raise SystemExit("The counts differ.")
    return figures


def big(scratch: Path) -> list[Figure]:
    """Counts a state space of which the size of every level is known."""
    system = prepare(new("tictactoe", rows=1, cols=SPACES, line=SPACES, style="flags", iso=False))
    found = partitioned(system, scratch, 2, BIG_MEMORY)
    figures = row(f"partitioned, processes: 2, each with {BIG_MEMORY >> 20} MiB", found)
    boards = [comb(SPACES, marks) * comb(marks, marks // 2) for marks in range(SPACES + 1)]
    levels = [boards[0], *(each for board in boards[1:] for each in (board, board))]
    moves = sum(board * (SPACES - marks) for marks, board in enumerate(boards))
    print(f"largest memory of all workers together: {found.together / 2**30:.2f} GiB")
    print(f"by combinatorics {sum(levels):,} states and {moves + sum(boards[1:]):,} transitions")
    if found.levels != levels or found.transitions != moves + sum(boards[1:]):
        raise SystemExit(f"The counts differ: {found.levels} and {levels}.")
    return [*figures, Figure("largest memory of all processes together", found.together / 2**30, "GiB")]


def solved(scratch: Path) -> list[Figure]:
    """Solves a model with its states in files."""
    figures = []
    for workers in (1, 2):
        with Workers() as used:
            found = solve(
                prepare(new("pentago", style="flags", **SMALL, line=3)), scratch, workers=workers, memory=48 << 20
            )
        print(
            f"processes: {workers}: explored in {found.explored.seconds:.1f} s, solved in {found.seconds:.1f} s,"
            f" at most {used.most >> 20} MiB each; the start's value is {found.value}; {found.tally}"
        )
        name = f"{found.explored.states:,} states, processes: {workers}"
        figures += [
            Figure(f"{name}, explored", found.explored.seconds, "s"),
            Figure(f"{name}, solved", found.seconds, "s"),
        ]
    return figures


class Inline(Executor):
    """Does all work at once, in this process: a plain loop."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = Future[Any]()
        future.set_result(work(*args, **kwargs))
        return future


def exploration_seconds(farm: Farm, scratch: Path) -> float:
    """Explores a large model; a smaller one starts the workers."""
    found = exploration.Partitioned()
    for line in (2, 3):
        system = prepare(new("pentago", style="flags", **SMALL, line=line))
        found = exploration.explore(system, scratch, farm=farm, memory=256 << 20, isomorphism=False)
    return found.seconds


def seconds(farm: Farm, job: str, units: Iterable[Mapping[str, Any]]) -> float:
    """Does units of work; the first ones start the workers and do not count."""
    numbered = list(enumerate(units))
    for _ in completed(farm, job, numbered[:STARTING]):
        pass
    began = time.perf_counter()
    for _ in completed(farm, job, numbered[STARTING:]):
        pass
    return time.perf_counter() - began


def match_seconds(farm: Farm, _scratch: Path) -> float:
    """Plays games of Pentago between two bots."""
    terms, games = contest.ContestTerms("pentago", ("tree@2", "tree@1")).checked(), list(pairings(2, 240))
    units = (
        {"terms": asdict(terms), "pairings": [*map(asdict, games[first : first + 10])], "programs": False}
        for first in range(0, len(games), 10)
    )
    return seconds(farm, "games", units)


def batch_seconds(farm: Farm, _scratch: Path) -> float:
    """Solves boards of Pentago with 18 marbles, in groups."""
    chance, boards, options = random.Random(1), list[str](), {"moves": False, "depth": False, "seconds": None}
    while len(boards) < 44:
        here = library.new("pentago")
        while here.outcome is None and here.ply < 18:
            here = here.play(chance.choice(list(here.legal_moves)))
        if here.outcome is None:
            boards.append(here.text)
    units = ({"lines": [[text, None]], "options": options, "memory": 1 << 30, "threads": 1} for text in boards)
    return seconds(farm, "solve", units)


def self_play_seconds(farm: Farm, scratch: Path) -> float:
    """Makes shards of games between bots."""
    settings = make.settings_of_games(library.new("pentago"), ["greedy"], 1, 24)
    folder = scratch / f"games-{time.time_ns()}"
    ShardWriter(folder, GAMES, settings, 24)
    units = ({"folder": str(folder), "settings": settings, "shards": 24, "shard": shard} for shard in range(24))
    return seconds(farm, "games", units)


JOBS: dict[str, tuple[str, Callable[[Farm, Path], float]]] = {
    "exploration": (partition.__name__, exploration_seconds),
    "match": (contest.__name__, match_seconds),
    "batch": (batch.__name__, batch_seconds),
    "self-play": (make.__name__, self_play_seconds),
}


def plain_seconds(name: str, scratch: Path) -> float:
    """The seconds of work of a kind in a plain loop of this process."""
    module, work = JOBS[name]
    return work(ExecutorFarm(Inline(), module, 1), scratch)


def measure_job(name: str, scratch: Path) -> list[Figure]:
    """The seconds of work of a kind, which it prints: the best of some rounds."""
    module, work = JOBS[name]
    farms: dict[str, Callable[[], AbstractContextManager[Farm]]] = {
        "1 process": lambda: ProcessFarm(module, 1, "worker"),
        "2 processes": lambda: ProcessFarm(module, 2, "worker"),
        "Dask, 1 worker": lambda: dask_farm(module, workers=1),
        "Dask, 2 workers": lambda: dask_farm(module, workers=2),
    }
    best = dict.fromkeys(["plain loop", *farms], inf)
    for _ in range(ROUNDS):
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            best["plain loop"] = min(best["plain loop"], fresh.submit(plain_seconds, name, scratch).result())
        for farm, opened in farms.items():
            with opened() as ready:
                best[farm] = min(best[farm], work(ready, scratch))
    plain = best["plain loop"]
    print(f"{name}: " + ", ".join(f"{farm} {spent:.2f} s ({spent / plain - 1:+.0%})" for farm, spent in best.items()))
    return [Figure(f"{name}, {farm}", spent, "s", f"{spent / plain - 1:+.0%}") for farm, spent in best.items()]


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--solve", action="store_true", help="solve a game with its states in files")
    parser.add_argument("--big", action="store_true", help="count a state space that is larger than memory")
    parser.add_argument(
        "--job", choices=JOBS, help="compare processes and clusters with a plain loop, for work of a kind"
    )
    parser.add_argument("--scratch", type=Path, help="folder for files (default: one for temporary files)")
    args = parser.parse_args(words)
    print(machine())
    for module in (partition.EXPANDING, partition.MERGING, backward.KERNELS, "pentad.grammar.compiled.narrow_kernels"):
        program(module)
    if args.job:
        with tempfile.TemporaryDirectory() as folder:
            return measure_job(args.job, args.scratch or Path(folder))
    if args.solve:
        with tempfile.TemporaryDirectory() as folder:
            return solved(args.scratch or Path(folder))
    print(f"{'':<44}{'states':>15}{'transitions':>15}{'final':>8}{'seconds':>11}{'':>14}{'memory':>12}")
    with tempfile.TemporaryDirectory() as folder:
        return (big if args.big else quarters)(args.scratch or Path(folder))


if __name__ == "__main__":
    main()
