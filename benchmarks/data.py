"""Data sets: the time and size of exact labels and of random games, and the times of trees and searches in them.

python benchmarks/data.py [--labels 10000000] [--games 100000] [--folder DIR]

The machine code is loaded before the clock runs. The tree and the search are asked five times in positions after the
most frequent moves; each is a query of DuckDB over all shards. The files are verified first, once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rules import machine

from pentad.play.data import Dataset, make_games, make_labels
from pentad.play.data.dataset import verify
from pentad.system.words import amount

ROUNDS, MOVES = 5, 3


def timed(what: str, make: Callable[[], dict[str, Any]]) -> None:
    """Prints the time and size of a data set."""
    began, spent = time.perf_counter(), time.process_time()
    made = make()
    seconds, spent = time.perf_counter() - began, time.process_time() - spent
    size, rows = (sum(each[name] for each in made["files"]) for name in ("bytes", "rows"))
    print(f"{what}: {rows:,} rows, {seconds:.1f} s, {spent:.1f} s of CPU time, {amount(size)}", flush=True)


def milliseconds(ask: Callable[[], object]) -> str:
    """The times of some calls."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        ask()
        times.append(f"{1000 * (time.perf_counter() - began):.0f}")
    return f"{' '.join(times)} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, default=10_000_000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    print(machine())
    with TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        make_games(folder / "first-games", "pentago", count=5, seed=1)
        make_labels(folder / "first-labels", "pentago", count=5, seed=1)
        timed("labels", lambda: make_labels(folder / "labels", "pentago", count=args.labels, seed=1))
        timed("games", lambda: make_games(folder / "games", "pentago", count=args.games, seed=1))
        data, began, spent = Dataset(folder / "games"), time.perf_counter(), time.process_time()
        verify(data.folder, data.manifest["files"])
        seconds, spent = time.perf_counter() - began, time.process_time() - spent
        print(f"first opening: {1000 * seconds:.0f} ms to verify the files, {1000 * spent:.0f} ms of CPU time")
        print("statistics:", milliseconds(data.statistics))
        here = data.start
        for ply in range(MOVES):
            branches = data.tree(here)
            print(f"after {ply} moves: tree of {len(branches)} moves", milliseconds(partial(data.tree, here)))
            print(f"  search, {data.search(here)[0]:,} occurrences", milliseconds(partial(data.search, here)))
            here = here.play(branches[0].move)


if __name__ == "__main__":
    main()
