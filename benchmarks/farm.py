"""Partitioned exploration: its speed and memory by the number of processes, and a state space larger than memory.

python benchmarks/farm.py [--scratch DIR]
python benchmarks/farm.py --big [--scratch DIR]

The first one counts the 31 million states of Pentago's model on 2×2 sub-boards of 2×2 with line 3: in one process,
whose largest additional memory is measured, and then partitioned, by one and by two processes that have a quarter of it
each.
--big counts the positions of two players who place marks in turn on 20 spaces without a line, 1,482,730,097 states,
with two processes of 1.5 GB. There are C(n, k) C(k, k/2) positions with k marks, each before and after the turn passes.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from math import comb
from pathlib import Path
from typing import NamedTuple

from rules import machine

from grammar import SMALL, Peak
from pentad.farm import exploration, partition
from pentad.grammar.compiled.counting import run_compiled
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.models import new
from pentad.grammar.system import System, prepare
from pentad.jit.program import program
from pentad.progress import format_duration

SPACES, BIG_MEMORY = 20, 3 << 29


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
    memory: int  # of the largest worker
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


def row(what: str, found: Measured) -> None:
    print(
        f"{what:<44}{found.states:>15,}{found.transitions:>15,}{found.final:>8,}{found.seconds:>9.1f} s"
        f"{found.states / found.seconds:>12,.0f}/s{found.memory / 2**20:>8,.0f} MiB",
        flush=True,
    )


def quarters(scratch: Path) -> None:
    """Measures a model in one process, and partitioned."""
    grammar = new("pentago", style="flags", **SMALL, line=3)
    one = whole(prepare(grammar), 1)
    row("one process, 1 thread", one)
    row("one process, 2 threads", whole(prepare(grammar), 2))
    for workers in (1, 2):
        memory = one.memory // 4
        found = partitioned(prepare(grammar), scratch, workers, memory)
        row(f"partitioned, processes: {workers}, each with {memory >> 20} MiB", found)
        if found[:3] != one[:3]:
            raise SystemExit("The counts differ.")


def big(scratch: Path) -> None:
    """Counts a state space of which the size of every level is known."""
    system = prepare(new("tictactoe", rows=1, cols=SPACES, line=SPACES, style="flags", iso=False))
    found = partitioned(system, scratch, 2, BIG_MEMORY)
    row(f"partitioned, processes: 2, each with {BIG_MEMORY >> 20} MiB", found)
    boards = [comb(SPACES, marks) * comb(marks, marks // 2) for marks in range(SPACES + 1)]
    levels = [boards[0], *(each for board in boards[1:] for each in (board, board))]
    moves = sum(board * (SPACES - marks) for marks, board in enumerate(boards))
    print(f"largest memory of all workers together: {found.together / 2**30:.2f} GiB")
    print(f"by combinatorics {sum(levels):,} states and {moves + sum(boards[1:]):,} transitions")
    if found.levels != levels or found.transitions != moves + sum(boards[1:]):
        raise SystemExit(f"The counts differ: {found.levels} and {levels}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--big", action="store_true", help="count a state space that is larger than memory")
    parser.add_argument("--scratch", type=Path, help="folder for files (default: one for temporary files)")
    args = parser.parse_args()
    print(machine())
    for module in (partition.EXPANDING, partition.MERGING, "pentad.grammar.compiled.narrow_kernels"):
        program(module)
    print(f"{'':<44}{'states':>15}{'transitions':>15}{'final':>8}{'seconds':>11}{'':>14}{'memory':>12}")
    with tempfile.TemporaryDirectory() as folder:
        (big if args.big else quarters)(args.scratch or Path(folder))


if __name__ == "__main__":
    main()
