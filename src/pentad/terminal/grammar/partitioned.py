"""Exploration by many processes or machines, with files for states: `--scratch`, `--farm`, `--cluster`."""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pentad.game import GameError
from pentad.grammar.system import System
from pentad.progress import Bar, format_rate
from pentad.terminal.arguments import Parser, add_cluster, whole
from pentad.terminal.grammar import arguments
from pentad.wording import count

if TYPE_CHECKING:
    from pentad.farm.executors import Farm
    from pentad.farm.exploration import Partitioned

MOST_WORKERS = 1000
STOPPED = 130
# Options that need states with numbers, or another order.
WITHOUT: dict[str, object] = {
    "strategy": "bfs", "settings": "", "seed": None, "states": None, "accept": None, "results": 0, "film": None,
    "inner": False, "statistics": False, "out": [], "marks": False,
}  # fmt: skip


def add_arguments(parser: Parser) -> None:
    """Add the options for partitioned explorations."""
    group = parser.add_argument_group("many processes and machines", "States are only counted, with files for them.")
    group.add_argument(
        "--scratch",
        metavar="DIR",
        help="keep states in files, in a folder of its own in DIR, so that they need not fit into memory",
    )
    group.add_argument(
        "--farm", type=whole(1, MOST_WORKERS), metavar="N", help="explore with N processes, each with --memory"
    )
    add_cluster(group, "explore", ", whose machines share DIR")


def is_chosen(args: argparse.Namespace) -> bool:
    """Whether the exploration is partitioned."""
    return any(each is not None for each in (args.scratch, args.farm, args.cluster))


def check(args: argparse.Namespace) -> None:
    """Refuses options that cannot be combined."""
    if args.scratch is None:
        raise GameError(f"{'--farm' if args.farm else '--cluster'} needs --scratch, a folder for files.")
    for name, default in WITHOUT.items():
        if getattr(args, name) != default:
            raise GameError(f"--scratch cannot be combined with --{name}: states are only counted, breadth first.")
    if args.engine not in ("auto", "compiled"):
        raise GameError("--scratch needs the compiled engine.")


def run(args: argparse.Namespace, system: System) -> int:
    from pentad.farm.exploration import explore

    scratch = arguments.usable(args.scratch).absolute()
    with Bar("exploring", after=0.0) as bar, _farm(args) as farm:
        began = time.perf_counter()

        def progress(states: int, transitions: int, waiting: int) -> None:
            rate = format_rate(states / max(time.perf_counter() - began, 1e-3))
            bar.update(states, 0, f"  {states:,} states, {rate}, {waiting:,} open, {transitions:,} transitions")

        found = explore(
            system,
            scratch,
            workers=args.farm or 1,
            farm=farm,
            memory=args.memory,
            depth=args.depth,
            isomorphism=None if args.iso is None else args.iso == "yes",
            progress=progress if bar.shown and not args.json else None,
        )
    if args.json:
        print(json.dumps(_data(found)))
    else:
        print("\n".join(_lines(args, found)))
    return STOPPED if found.stopped == "interrupted" else 0


def _farm(args: argparse.Namespace) -> contextlib.AbstractContextManager[Farm | None]:
    if args.cluster is None:
        return contextlib.nullcontext()
    from pentad.farm import partition
    from pentad.farm.executors import dask_farm

    return dask_farm(partition.__name__, args.cluster, args.farm)


def _lines(args: argparse.Namespace, found: Partitioned) -> Iterator[str]:
    """The counts, the time, and how to continue."""
    yield f"{count(found.states, 'state')}, {count(found.transitions, 'transition')}, {found.final:,} final"
    rate = found.states / max(found.seconds, 1e-6)
    yield f"{_by(args)}: {found.seconds:.2f} s, {rate:,.0f} states/s; {count(len(found.levels), 'level')}"
    if found.stopped:
        what = "--depth" if found.stopped == "depth" else "Ctrl-C"
        yield f"stopped by {what}; {count(found.states - found.expanded, 'state')} not explored"
        yield f"The same command continues. Its files are in {found.folder}."


def _by(args: argparse.Namespace) -> str:
    workers = args.farm or 1
    return f"{workers:,} process{'es' * (workers != 1)}" if args.cluster is None else f"cluster {args.cluster}"


def _data(found: Partitioned) -> dict[str, Any]:
    return {
        "states": found.states,
        "transitions": found.transitions,
        "final": found.final,
        "open": found.states - found.expanded,
        "levels": found.levels,
        "stopped": found.stopped,
        "seconds": round(found.seconds, 6),
        "folder": None if found.folder is None else str(found.folder),
    }
