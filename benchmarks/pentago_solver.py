"""Duration of exact solutions of Pentago: all values by number of marbles, roots alone, whole processes.

python -m benchmarks pentago_solver [--marbles 22 20] [--threads 1 2] [--repeat 3] [--hard 12] [--file FILE] [--shell]
python -m benchmarks pentago_solver --fresh [--marbles 18 17 16] [--repeat 5]
python -m benchmarks pentago_solver --scratch DIR --memory 1G [--marbles 16] [--threads 1]

Each figure comes from its own process: CPU seconds and peak memory. The best of several runs counts, because the first
also pays for fresh memory. `--file` adds boards from a JSON file that maps a title to board numbers and their values;
the other boards come from random play. `--fresh` measures processes that solve one board, `--scratch` passes with their
values in files instead.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pentad
from benchmarks.figures import Figure, machine
from pentad.games.pentago import from_number, solve, to_number
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.retrograde import START, Pass, PassLimits, PassRoot
from pentad.games.pentago.solver.scratch import ScratchPass
from pentad.terminal.arguments import memory_size

SEED = 1
NO_LIMIT = 1 << 40
NEAR_PLIES = 4  # hard boards have no forced result within them


def quiet_board(marbles: int, rng: random.Random) -> PentagoPosition:
    """An unfinished board with a number of marbles, from random play."""
    while True:
        here = cast(PentagoPosition, pentad.new("pentago"))
        while here.ply < marbles and not here.outcome:
            here = here.play(rng.choice(here.legal_moves))
        if here.ply == marbles and not here.outcome:
            return here


def hard_board(marbles: int, rng: random.Random) -> PentagoPosition:
    """A board without a forced result within a few plies."""
    while True:
        here = quiet_board(marbles, rng)
        wins, holds = Pass(PassRoot.of(here), NEAR_PLIES, PassLimits(NO_LIMIT)).values
        if not wins >> START & 1 and holds >> START & 1:
            return here


def all_values(marbles: int, threads: int, repeat: int) -> dict[str, Any]:
    """The best of some passes over a board, in CPU and wall seconds, and the peak memory."""
    root = PassRoot.of(quiet_board(marbles, random.Random(SEED)))
    best = (float("inf"), float("inf"))
    for _ in range(repeat):
        began = time.process_time(), time.monotonic()
        Pass(root, len(root.spaces), PassLimits(NO_LIMIT, threads=threads))
        best = min(best, (time.process_time() - began[0], time.monotonic() - began[1]))
    return {"cpu": best[0], "wall": best[1], "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def with_files(marbles: int, threads: int, scratch: Path, memory: int) -> dict[str, Any]:
    """A pass with files: CPU and wall seconds, the peak memory, and the most bytes of files."""
    root = PassRoot.of(quiet_board(marbles, random.Random(SEED)))
    disk, next_look = 0, 0.0

    def progress(*_: int) -> None:
        nonlocal disk, next_look
        if time.monotonic() < next_look:
            return
        next_look = time.monotonic() + 0.5
        with contextlib.suppress(FileNotFoundError):  # the file may just have been removed
            disk = max(disk, sum(path.stat().st_size for path in scratch.rglob("*.pages")))

    began = time.process_time(), time.monotonic()
    ScratchPass(root, len(root.spaces), PassLimits(memory, threads=threads, progress=progress, scratch=scratch))
    spent = time.process_time() - began[0], time.monotonic() - began[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": spent[0], "wall": spent[1], "peak": peak, "disk": disk / 1e6}


def in_a_process(*words: object) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.pentago_solver", *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def roots(title: str, positions: list[tuple[PentagoPosition, int | None]]) -> list[Figure]:
    """Measures the value of each root alone."""
    figures = []
    spent: dict[bool, list[float]] = {True: [], False: []}
    for here, value in positions:
        began = time.process_time()
        found = solve(here, moves=False).value
        spent[found == 0].append(time.process_time() - began)
        if value is not None and found != value:
            raise SystemExit(f"{to_number(here)}: Expected value {value}, got {found}.")
    for drawn, each in spent.items():
        if each:
            print(
                f"{title:24} {len(each):3} {'drawn' if drawn else 'decided':8} median {statistics.median(each):8.3f} s"
                f"  worst {max(each):8.3f} s  total {sum(each):8.3f} s"
            )
            what = f"{title}, {len(each)} {'drawn' if drawn else 'decided'}, median"
            figures.append(Figure(what, statistics.median(each), "s", f"{max(each):.3f} s at most"))
    return figures


def passes(name: str, result: Any) -> list[Figure]:
    """The figures of passes over a board."""
    return [Figure(name, result["cpu"], "s of CPU time"), Figure(f"{name}, peak memory", result["peak"], "MB")]


def shell(board: int, cache: str | None, *options: str) -> float:
    """CPU seconds of a process that solves a board."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | ({"PENTAD_CACHE": cache} if cache else {})
    subprocess.run(
        [sys.executable, "-m", "pentad", "solve", str(board), *options],
        check=True,
        capture_output=True,
        env=environment,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fresh(marbles: int, repeat: int) -> list[Figure]:
    """CPU seconds of processes that solve a hard board, its value alone or all moves: the median of several."""
    board, figures = to_number(hard_board(marbles, random.Random(SEED))), []
    for what, options in (("value", ()), ("all moves", ("--moves",))):
        shell(board, None, *options)  # the first one finds nothing in the memory of the system
        seconds = statistics.median(shell(board, None, "--threads", "1", *options) for _ in range(repeat))
        name = f"fresh process, {marbles} marbles, {what}"
        print(f"{name}: {seconds:.2f} s CPU", flush=True)
        figures.append(Figure(name, seconds, "s of CPU time"))
    return figures


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--marbles", type=int, nargs="*", default=[22, 20, 18, 17])
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--hard", type=int, default=12, help="number of hard boards for each number of marbles")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--shell", action="store_true", help="measure whole processes too, with and without a cache")
    parser.add_argument("--fresh", action="store_true", help="measure whole processes for each number of marbles only")
    parser.add_argument("--scratch", type=Path, help="measure passes with files in this folder")
    parser.add_argument("--memory", type=memory_size, default=10**9, help="their memory, such as 1G")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    if args.one is not None and args.scratch:
        print(json.dumps(with_files(args.one, args.threads[0], args.scratch, args.memory)))
        return []
    if args.one is not None:
        print(json.dumps(all_values(args.one, args.threads[0], args.repeat)))
        return []
    print(machine())
    figures = []
    if args.fresh:
        return [each for marbles in args.marbles for each in fresh(marbles, args.repeat)]
    if args.scratch:
        for marbles in args.marbles:
            for threads in args.threads:
                words = ("--one", marbles, "--threads", threads, "--scratch", args.scratch)
                result = in_a_process(*words, "--memory", f"{args.memory / 10**6}M")
                name = f"with files, {marbles} marbles, {threads} thread{'s' * (threads > 1)}"
                figures += passes(name, result)
                print(
                    f"{name}: {result['cpu']:8.3f} s CPU {result['wall']:8.3f} s wall"
                    f" {result['peak']:8,.0f} MB, {result['disk']:8,.0f} MB of files",
                    flush=True,
                )
        return figures
    for marbles in args.marbles:
        for threads in args.threads:
            result = in_a_process("--one", marbles, "--threads", threads, "--repeat", args.repeat)
            name = f"all values, {marbles} marbles, {threads} thread{'s' * (threads > 1)}"
            figures += passes(name, result)
            print(
                f"{name}: {result['cpu']:8.3f} s CPU {result['wall']:8.3f} s wall {result['peak']:8,.0f} MB", flush=True
            )
    rng = random.Random(SEED)
    for marbles in (24, 22, 20, 18):
        figures += roots(f"hard roots, {marbles} marbles", [(hard_board(marbles, rng), None) for _ in range(args.hard)])
    if args.file:
        for title, values in json.loads(args.file.read_text(encoding="utf-8")).items():
            figures += roots(title, [(from_number(int(number)), value) for number, value in values.items()])
    if args.shell:
        board = to_number(hard_board(20, random.Random(SEED)))
        with tempfile.TemporaryDirectory() as cache:
            spent = {
                "pentad solve of a hard board of 20 marbles": shell(board, None),
                "again": min(shell(board, None) for _ in range(5)),
                "with an empty cache": shell(board, cache),
            }
        for name, seconds in spent.items():
            print(f"{name}: {seconds:.2f} s CPU")
        figures += [Figure(name, seconds, "s of CPU time") for name, seconds in spent.items()]
    return figures


if __name__ == "__main__":
    main()
