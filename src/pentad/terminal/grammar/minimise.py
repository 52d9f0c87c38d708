"""`pentad grammar minimise`: the smallest system bisimilar to that of a grammar or a file; and `compare`, for two."""

from __future__ import annotations

import argparse
import json

from pentad.grammar.files.exports import write
from pentad.grammar.logic.bisimulation import BRANCHING, STRONG, WEAK, Progress, minimise
from pentad.grammar.logic.comparison import compare
from pentad.grammar.logic.formulas import text
from pentad.grammar.lts import Lts
from pentad.system.progress import Bar
from pentad.system.words import count, phrase
from pentad.terminal.arguments import CommandParser
from pentad.terminal.grammar import arguments, explore, transition_systems
from pentad.terminal.grammar.transition_systems import SystemSource

DIFFERENT = 1


def add_arguments(parser: CommandParser) -> None:
    transition_systems.add_source(parser)
    add_kind(parser)
    explore.add_exploring(parser)
    explore.add_output(parser.add_argument_group("output"))
    arguments.add_force(parser)
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    files = explore.output_files(args)
    source = transition_systems.source_of(args, args.source)
    transition_systems.check_hidden(args.hide, source)
    lts = minimised(args, source)
    for file in files:
        write(lts, file, name=source.name, marks=args.marks)
    if args.json:
        sizes = {"states": lts.states, "transitions": lts.transitions, "final": len(lts.final)}
        written = {"out": args.out} if args.out else {}
        print(json.dumps({**source.data, "bisimulation": args.kind, "minimised": sizes, **written}))
    else:
        print("\n".join(source.lines))
        size = f"{count(lts.states, 'state')}, {count(lts.transitions, 'transition')}, {len(lts.final):,} final"
        print(phrase("minimised by {kind} bisimulation: {size}", kind=args.kind, size=size))
        for name in args.out:
            print(f"written to {name}")
    return source.code


def add_kind(parser: CommandParser) -> argparse._ArgumentGroup:
    """Add the options for the kind of bisimulation, and return their group."""
    group = parser.add_argument_group("bisimulation")
    kinds = group.add_mutually_exclusive_group()
    for kind, what in ((BRANCHING, "branching"), (WEAK, "weak")):
        kinds.add_argument(
            f"--{kind}",
            dest="kind",
            action="store_const",
            const=kind,
            default=STRONG,
            help=phrase("{what} bisimulation, where tau and i are silent (default: strong)", what=what),
        )
    group.add_argument(
        "--hide", metavar="RULE", action="append", default=[], help="rule or label to rename to tau; can be repeated"
    )
    return group


def minimised(args: argparse.Namespace, source: SystemSource) -> Lts:
    """The minimised system, with a progress bar on a terminal."""
    with Bar("minimising") as bar:
        return minimise(source.lts, args.kind, hide=args.hide, memory=args.memory, progress=_shown(bar))


def _shown(bar: Bar) -> Progress:
    """Shows progress on a bar."""
    return lambda done, states: bar.update(done, states, f"  {done:,} of {states:,} states")


class Compare:
    """`pentad grammar compare`: whether two systems are bisimilar, and a formula that tells them apart if not.

    The exit code is 0 if they are, 1 if they are not, 2 if one of them cannot be read.
    """

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        for name in ("one", "other"):
            transition_systems.add_source(parser, name)
        add_kind(parser)
        explore.add_exploring(parser)
        arguments.add_json(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        paths = args.one, args.other
        one, other = sources = [transition_systems.source_of(args, path) for path in paths]
        transition_systems.check_hidden(args.hide, *sources)
        with Bar("comparing") as bar:
            found = compare(one.lts, other.lts, args.kind, hide=args.hide, memory=args.memory, progress=_shown(bar))
        code = next((source.code for source in sources if source.code), 0 if found.equivalent else DIFFERENT)
        formula = None if found.formula is None else text(found.formula)
        if args.json:
            about = {"bisimulation": args.kind, "equivalent": found.equivalent, "depth": found.depth}
            more = {"formula": formula, "why": found.why}
            print(json.dumps({"systems": [source.data for source in sources], **about, **more}))
            return code
        for path, source in zip(paths, sources, strict=True):
            print("\n".join(source.lines if transition_systems.is_system(path) else [f"{path}:", *source.lines]))
        if found.equivalent:
            print(phrase("equivalent by {kind} bisimulation", kind=args.kind))
        else:
            print(phrase("not equivalent by {kind} bisimulation: {depth}", kind=args.kind, depth=_depth(found.depth)))
            print(phrase("holds in the first only: {formula}", formula=formula) if formula else found.why)
        if unexplored := [path for path, source in zip(paths, sources, strict=True) if source.lts.open]:
            print(phrase("as far as was explored: {unexplored}", unexplored=" and ".join(unexplored)))
        return code


def _depth(depth: int | None) -> str:
    return phrase("they differ after {steps}", steps=count(depth, "step")) if depth else "they differ at the start"
