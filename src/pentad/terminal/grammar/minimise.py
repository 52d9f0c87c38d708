"""`pentad grammar minimise`: the smallest system that is bisimilar to that of a grammar, or of a file."""

from __future__ import annotations

import argparse
import json

from pentad.grammar.files.exports import write
from pentad.grammar.logic.bisimulation import BRANCHING, STRONG, WEAK, minimise
from pentad.grammar.lts import Lts
from pentad.progress import Bar
from pentad.terminal.arguments import Parser
from pentad.terminal.grammar import arguments, explore, systems
from pentad.terminal.grammar.systems import Source
from pentad.wording import count


def add_arguments(parser: Parser) -> None:
    systems.add_source(parser)
    add_kind(parser)
    explore.add_exploring(parser)
    explore.add_output(parser.add_argument_group("output"))
    arguments.add_force(parser)
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    file = explore.output_file(args)
    source = systems.source_of(args, args.source)
    systems.check_hidden(args.hide, source)
    lts = minimised(args, source)
    if file is not None:
        write(lts, file, name=source.name, marks=args.marks)
    if args.json:
        sizes = {"states": lts.states, "transitions": lts.transitions, "final": len(lts.final)}
        about = {"bisimulation": args.kind, "minimised": sizes} | ({"out": args.out} if file else {})
        print(json.dumps(source.data | about))
    else:
        print("\n".join(source.lines))
        size = f"{count(lts.states, 'state')}, {count(lts.transitions, 'transition')}, {len(lts.final):,} final"
        print(f"minimised by {args.kind} bisimulation: {size}")
        if file is not None:
            print(f"written to {args.out}")
    return source.code


def add_kind(parser: Parser) -> None:
    """Add the options for the kind of bisimulation."""
    group = parser.add_argument_group("bisimulation")
    kinds = group.add_mutually_exclusive_group()
    for kind, what in ((BRANCHING, "branching"), (WEAK, "weak")):
        kinds.add_argument(
            f"--{kind}",
            dest="kind",
            action="store_const",
            const=kind,
            default=STRONG,
            help=f"{what} bisimulation, where tau and i are silent (default: strong)",
        )
    group.add_argument(
        "--hide", metavar="RULE", action="append", default=[], help="rule or label to rename to tau; can be repeated"
    )


def minimised(args: argparse.Namespace, source: Source) -> Lts:
    """The minimised system, with a progress bar on a terminal."""
    with Bar("minimising") as bar:

        def progress(done: int, states: int) -> None:
            bar.update(done, states, f"  {done:,} of {states:,} states")

        return minimise(source.lts, args.kind, hide=args.hide, memory=args.memory, progress=progress)
