"""Data sets: the time and size of exact labels and of random games, and the times of trees and searches in them.

python -m benchmarks data [--labels 10000000] [--games 100000] [--folder DIR]

The machine code is loaded before the clock runs. The tree and the search are asked five times in positions after the
most frequent moves; each is a query of DuckDB over all shards. The files are verified first, once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figures import Figure, machine
from pentad.play.data import Dataset, make_games, make_labels
from pentad.play.data.dataset import verify
from pentad.system.words import amount

ROUNDS, MOVES = 5, 3


def timed(what: str, make: Callable[[], dict[str, Any]]) -> list[Figure]:
    """The time and size of a data set, which it prints."""
    began, spent = time.perf_counter(), time.process_time()
    made = make()
    seconds, spent = time.perf_counter() - began, time.process_time() - spent
    size, rows = (sum(each[name] for each in made["files"]) for name in ("bytes", "rows"))
    print(f"{what}: {rows:,} rows, {seconds:.1f} s, {spent:.1f} s of CPU time, {amount(size)}", flush=True)
    name = f"{rows:,} rows of {what}"
    return [
        Figure(name, seconds, "s"),
        Figure(f"{name}, CPU time", spent, "s"),
        Figure(f"{name}, size", size / 1e6, "MB"),
    ]


def milliseconds(what: str, ask: Callable[[], object]) -> Figure:
    """The least and the greatest time of some calls, which it prints."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        ask()
        times.append(1000 * (time.perf_counter() - began))
    print(f"{what}:", *(f"{each:.0f}" for each in times), "ms")
    return Figure(what, (min(times), max(times)), "ms")


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, default=10_000_000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args(words)
    print(machine())
    figures = []
    with TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        make_games(folder / "first-games", "pentago", count=5, seed=1)
        make_labels(folder / "first-labels", "pentago", count=5, seed=1)
        figures += timed("labels", lambda: make_labels(folder / "labels", "pentago", count=args.labels, seed=1))
        figures += timed("games", lambda: make_games(folder / "games", "pentago", count=args.games, seed=1))
        data, began, spent = Dataset(folder / "games"), time.perf_counter(), time.process_time()
        verify(data.folder, data.manifest["files"])
        seconds, spent = time.perf_counter() - began, time.process_time() - spent
        print(f"first opening: {1000 * seconds:.0f} ms to verify the files, {1000 * spent:.0f} ms of CPU time")
        figures.append(milliseconds("statistics", data.statistics))
        here = data.start
        for ply in range(MOVES):
            branches = data.tree(here)
            figures.append(milliseconds(f"after {ply} moves, tree of {len(branches)} moves", partial(data.tree, here)))
            found = f"after {ply} moves, search, {data.search(here)[0]:,} occurrences"
            figures.append(milliseconds(found, partial(data.search, here)))
            here = here.play(branches[0].move)
    return figures


if __name__ == "__main__":
    main()
