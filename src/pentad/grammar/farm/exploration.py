"""Exploration of a state space that is partitioned by hash: breadth first, level by level, with its states in files.

Workers expand the states of a level and write their successors as sorted files. Then each of them merges the successors
of some segments, and removes those that were found before. The counts do not depend on the workers, their number, or
their memory. A run has a folder of its own, in which the same call continues after any end.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from pentad.game import GameError
from pentad.grammar.compiled.engine import Compiled, compile_system
from pentad.grammar.compiled.grounding import CannotCompile, require_kernels
from pentad.grammar.farm import partition
from pentad.grammar.farm.partition import PartitionTables, answer_of, pack
from pentad.grammar.limits import Progress, default_memory
from pentad.grammar.system import System
from pentad.jobs.executors import Farm, ProcessFarm, completed
from pentad.jobs.worker import Answer
from pentad.kernels import cache
from pentad.system import scratch_files
from pentad.system.checked_files import MAGIC, write_whole
from pentad.system.scratch_files import name_of, reporting
from pentad.system.version import __version__

FEWEST, EXPANDED, MERGED = 16, 1 << 22, 1 << 24  # units of a large level; the most states and successors of a unit
ITEMS_OF_SMALLEST_UNIT = 1 << 18  # they are states or successors
MOST_CHECKED = 8  # files compared with new states before they become one
MIN_WORKER_BYTES = 16 << 20
FIRST = "0.keys"  # the file of the first state


@dataclass(slots=True)
class Partitioned:
    """The result of an exploration, and the reason why it stopped."""

    states: int = 0
    transitions: int = 0
    final: int = 0
    expanded: int = 0
    levels: list[int] = field(default_factory=list)  # the states at each distance from the start
    stopped: str = ""  # empty if everything was explored; else depth or interrupted
    seconds: float = 0.0
    folder: Path | None = None  # an exploration in it can be continued


def explore(
    system: System,
    scratch: Path,
    *,
    workers: int = 1,
    farm: Farm | None = None,
    memory: int | None = None,
    depth: int | None = None,
    isomorphism: bool | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Partitioned:
    """Explores a prepared grammar, with files in a folder of its own in `scratch`.

    The work is done by processes of this machine, or by a farm for the jobs of `pentad.grammar.farm.partition`, whose
    workers see the same folder. Each worker has no more than so many bytes of data in its `memory`. `depth` limits the
    distance of explored states from the start.
    """
    memory = memory_of(memory, workers)
    with opened(
        scratch, "explore", {partition.TABLES: pack(PartitionTables.of(compiled_for(system, isomorphism)))}
    ) as folder:
        run = Run(folder, memory, depth, progress, stop)
        cache.ensure_compiled(partition.EXPANDING, partition.MERGING)  # here, and not in each worker of this machine
        with farm_for(farm, partition.__name__, workers) as ready:
            run.explore(ready)
    if not run.found.stopped:
        shutil.rmtree(folder, ignore_errors=True)
        run.found.folder = None
    return run.found


def compiled_for(system: System, isomorphism: bool | None) -> Compiled:
    """A compiled grammar, if it can be partitioned."""
    try:
        compiled = compile_system(system, isomorphism)
    except CannotCompile as why:
        raise GameError("Only grammars that the compiled engine runs can be partitioned. {why}", why=why) from None
    require_kernels(compiled.engine)
    return compiled


def memory_of(memory: int | None, workers: int) -> int:
    """The bytes of data of each worker."""
    memory = default_memory() // workers if memory is None else memory
    if memory < MIN_WORKER_BYTES:
        raise GameError(
            "Expected at least {least_memory} MB of memory for a worker.", least_memory=MIN_WORKER_BYTES >> 20
        )
    return memory


@contextmanager
def opened(scratch: Path, kind: str, files: Mapping[str, bytes]) -> Iterator[Path]:
    """The folder of a run, with files that its workers read; no other run uses it at the same time."""
    name = name_of(b"".join(files.values()) + MAGIC + __version__.encode())
    with scratch_files.opened(scratch, f"{kind}-{name}", "grammar") as folder:
        with reporting(folder):
            for each, content in files.items():
                write_whole(folder / each, content)
        yield folder


@contextmanager
def farm_for(farm: Farm | None, module: str, workers: int) -> Iterator[Farm]:
    """A farm, or processes of this machine for the jobs of a module."""
    if farm is not None:
        yield farm
        return
    with ProcessFarm(module, workers, "exploration process") as processes:
        yield processes


class Run:
    """One exploration in a folder; it repeats no unit of work whose answer is there.

    If it keeps levels, `levels` has the files of each of them, with their numbers of states.
    """

    def __init__(
        self,
        folder: Path,
        memory: int,
        depth: int | None,
        progress: Progress | None,
        stop: Callable[[], bool],
        keeps_levels: bool = False,
    ) -> None:
        self.folder, self.memory, self.depth, self.progress, self.stop = folder, memory, depth, progress, stop
        self.keeps_levels, self.levels = keeps_levels, list[Mapping[str, int]]()
        self.found = Partitioned(folder=folder)
        self.segments = partition.tables_of(folder).segments

    def explore(self, farm: Farm) -> None:
        began = time.perf_counter()
        try:
            self._explore(farm)
        except KeyboardInterrupt:
            self.found.stopped = "interrupted"
        self.found.seconds = time.perf_counter() - began

    def _explore(self, farm: Farm) -> None:
        found, level = self.found, 0
        if answer_of(self.folder, f"0-expand-0-{self.segments}") is None:
            partition.begin(self.folder, FIRST)
        known = frontier = {FIRST: 1}  # files, with the number of their states
        found.states, found.levels = 1, [1]
        while frontier:
            if self.depth is not None and level > self.depth:
                found.stopped = "depth"
                return
            self.levels.append(frontier)
            runs = self._expand(farm, level, frontier)
            level += 1
            found.levels.append(0)
            frontier, checked = self._merge(farm, level, runs, known)
            self._remove(runs)
            if len(checked) > MOST_CHECKED and not self.keeps_levels:
                known = self._unite(farm, level, known, checked)
            known = {**known, **frontier}
        found.levels.pop()

    def _expand(self, farm: Farm, level: int, frontier: Mapping[str, int]) -> dict[str, int]:
        """Expands a level; returns the files of its successors."""
        found, runs, number = self.found, dict[str, int](), _units(sum(frontier.values()), EXPANDED)
        for answer in self._all(farm, "expand", f"{level}-expand", number, {"files": sorted(frontier)}):
            found.expanded += answer["expanded"]
            found.transitions += answer["transitions"]
            found.final += answer["final"]
            runs |= answer["runs"]
            self._report()
        return runs

    def _merge(
        self, farm: Farm, level: int, runs: Mapping[str, int], known: Mapping[str, int]
    ) -> tuple[dict[str, int], set[str]]:
        """Merges the successors of a level; returns the files of new states, and those that were compared with them."""
        found, number = self.found, _units(sum(runs.values()), MERGED) if runs else 0
        frontier, checked, given = dict[str, int](), set[str](), {"files": sorted(runs), "known": sorted(known)}
        for answer in self._all(farm, "merge", f"{level}", number, given):
            found.levels[-1] += answer["states"]
            found.states += answer["states"]
            frontier[answer["file"]] = answer["states"]
            checked |= set(answer["checked"])
            self._report()
        self._remove(each for each, states in frontier.items() if not states)
        return {each: states for each, states in frontier.items() if states}, checked

    def _unite(self, farm: Farm, level: int, known: Mapping[str, int], checked: Collection[str]) -> dict[str, int]:
        """Makes one file for each part of the segments from files that were compared; returns the known files."""
        number = _units(sum(known[each] for each in checked), MERGED)
        answers = self._all(farm, "merge", f"{level}-known", number, {"files": sorted(checked), "known": []})
        united = {answer["file"]: answer["states"] for answer in answers}
        self._remove(checked)
        return {each: states for each, states in known.items() if each not in checked} | united

    def _all(self, farm: Farm, job: str, name: str, number: int, given: Mapping[str, Any]) -> Iterator[Answer]:
        """The answers of a job for all segments, in parts; those that were given before come first."""
        borders = [self.segments * each // number for each in range(number + 1)] if number else []
        units = {f"{name}-{low}-{high}": {**given, "low": low, "high": high} for low, high in pairwise(borders)}
        return self.answers(farm, job, units)

    def answers(self, farm: Farm, job: str, units: Mapping[str, Mapping[str, Any]]) -> Iterator[Answer]:
        """The answers to units of work by name; those that were given before come first."""
        missing = []
        for unit, given in units.items():
            if answer := answer_of(self.folder, unit):
                yield answer
            else:
                missing.append((unit, {**given, "folder": str(self.folder), "name": unit, "memory": self.memory}))
        for _, answer in completed(farm, job, missing, self.stop):
            yield answer

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            (self.folder / name).unlink(missing_ok=True)

    def _report(self) -> None:
        if self.progress is not None:
            found = self.found
            self.progress(found.states, found.transitions, found.states - found.expanded)


def _units(size: int, most: int) -> int:
    """The number of units of work for so many states."""
    return max(min(FEWEST, -(-size // ITEMS_OF_SMALLEST_UNIT)), -(-size // most))
