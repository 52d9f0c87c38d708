"""Exploring and solving by many processes or machines, with files for states: `--scratch`, `--farm`, `--cluster`."""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pentad.game import GameError
from pentad.grammar.limits import Progress
from pentad.grammar.system import System
from pentad.system.progress import Bar, format_rate
from pentad.system.words import count, phrase
from pentad.terminal.arguments import CommandParser, add_cluster, whole
from pentad.terminal.grammar import arguments

if TYPE_CHECKING:
    from pentad.grammar.farm.exploration import Partitioned
    from pentad.grammar.farm.solving import Solved
    from pentad.jobs.executors import Farm

MOST_WORKERS = 1000
STOPPED = 130
# Options that need states with numbers, or another order.
WITHOUT: dict[str, object] = {
    "strategy": "bfs", "settings": "", "seed": None, "states": None, "accept": None, "results": 0, "film": None,
    "inner": False, "statistics": False, "out": [], "marks": False,
}  # fmt: skip


def add_arguments(parser: CommandParser, what: str) -> None:
    """Add the options; `what` is what is done."""
    group = parser.add_argument_group("many processes and machines", what)
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


def check(args: argparse.Namespace, more: dict[str, object] | None = None) -> None:
    """Refuses options that cannot be combined; `more` has their defaults for a command of its own."""
    if args.scratch is None:
        raise GameError("{option} needs --scratch, a folder for files.", option="--farm" if args.farm else "--cluster")
    for name, default in {**WITHOUT, **(more or {})}.items():
        if getattr(args, name, default) != default:
            raise GameError(
                "--scratch cannot be combined with --{name}: all states are visited, breadth first.", name=name
            )
    if args.engine not in ("auto", "compiled"):
        raise GameError("--scratch needs the compiled engine.")


def run(args: argparse.Namespace, system: System) -> int:
    from pentad.grammar.farm import partition
    from pentad.grammar.farm.exploration import explore

    with Bar("exploring", after=0.0) as bar, _farm(args, partition) as farm:
        isomorphism = None if args.iso is None else args.iso == "yes"
        found = explore(system, **_given(args, farm, bar), depth=args.depth, isomorphism=isomorphism)
    if args.json:
        print(json.dumps(found_data(found)))
    else:
        print("\n".join(found_lines(args, found)))
    return STOPPED if found.stopped == "interrupted" else 0


def solve_in_files(args: argparse.Namespace, system: System, said: dict[str, Any]) -> Solved:
    """Solves a game with the options of the arguments and, on a terminal, progress bars."""
    from pentad.grammar.farm import backward
    from pentad.grammar.farm.solving import solve

    with Bar("exploring", after=0.0) as bar, Bar("solving") as solving, _farm(args, backward) as farm:
        return solve(system, **_given(args, farm, bar), **said, solving=solving.update)


def _given(args: argparse.Namespace, farm: Farm | None, bar: Bar) -> dict[str, Any]:
    """The arguments that exploring and solving share."""
    scratch, progress = arguments.usable(args.scratch).absolute(), reporting(bar, args)
    return {"scratch": scratch, "workers": args.farm or 1, "farm": farm, "memory": args.memory, "progress": progress}


def reporting(bar: Bar, args: argparse.Namespace, most: int = 0) -> Progress | None:
    """The progress of an exploration of at most so many states on a bar, if it is shown."""
    began = time.perf_counter()

    def progress(states: int, transitions: int, waiting: int) -> None:
        rate = format_rate(states / max(time.perf_counter() - began, 1e-3))
        bar.update(
            states,
            most,
            phrase(
                "  {states:,} states, {rate}, {waiting:,} open, {transitions:,} transitions",
                states=states,
                rate=rate,
                waiting=waiting,
                transitions=transitions,
            ),
        )

    return progress if bar.shown and not args.json else None


def _farm(args: argparse.Namespace, jobs: ModuleType) -> contextlib.AbstractContextManager[Farm | None]:
    if args.cluster is None:
        return contextlib.nullcontext()
    from pentad.jobs.executors import dask_farm

    return dask_farm(jobs.__name__, args.cluster, args.farm)


def found_lines(args: argparse.Namespace, found: Partitioned) -> Iterator[str]:
    """The counts, the time, and how to continue."""
    yield f"{count(found.states, 'state')}, {count(found.transitions, 'transition')}, {found.final:,} final"
    rate = found.states / max(found.seconds, 1e-6)
    yield f"{_by(args)}: {found.seconds:.2f} s, {rate:,.0f} states/s; {count(len(found.levels), 'level')}"
    if found.stopped:
        what = "--depth" if found.stopped == "depth" else "Ctrl-C"
        yield phrase(
            "stopped by {what}; {states} not explored", what=what, states=count(found.states - found.expanded, "state")
        )
        yield phrase("The files are in {folder}. Run the same command again to continue.", folder=found.folder)


def _by(args: argparse.Namespace) -> str:
    workers = args.farm or 1
    return f"{workers:,} process{'es' * (workers != 1)}" if args.cluster is None else f"cluster {args.cluster}"


def found_data(found: Partitioned) -> dict[str, Any]:
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
