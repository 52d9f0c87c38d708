"""`pentad grammar explore`: all states of a grammar, counted as GROOVE counts them.

Ctrl-C ends it with what it has, which is told and written all the same; the exit code is 130 then.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentad.game import GameError, shorten
from pentad.terminal.arguments import Parser, whole
from pentad.terminal.grammar.descriptions import count
from pentad.terminal.grammar.exploration_arguments import (
    MOST,
    MOST_TOLD,
    add_exploring,
    explored,
    found_data,
    found_lines,
    inner_line,
    prepared,
    states_line,
    way_lines,
    way_to,
)
from pentad.terminal.grammar.files import add_force, check_new
from pentad.terminal.grammar.functions import functions_of
from pentad.terminal.grammar.grammar_arguments import add_grammar, add_json, read

FORMATS = ("aut", "gxl", "dot", "jsonl")
STOPPED = 130


def add_arguments(parser: Parser) -> None:
    add_grammar(parser)
    add_exploring(parser)
    group = parser.add_argument_group("what to look for, and where to write it")
    group.add_argument(
        "--accept",
        metavar="WHAT",
        help="collect the states that are final or broken, where RULE applies or !RULE does not, or any; "
        "the shortest way to one of them is told",
    )
    group.add_argument("--results", type=whole(0, MOST), default=0, metavar="N", help="stop at so many of them")
    group.add_argument(
        "-o", "--out", metavar="FILE", help=f"write the transition system: {', '.join(f'.{each}' for each in FORMATS)}"
    )
    group.add_argument("--inner", action="store_true", help="keep states and steps within recipes, and count them")
    group.add_argument("--marks", action="store_true", help="in .aut, $start and $final as loops, as GROOVE has them")
    add_force(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.results and args.accept is None:
        raise GameError("--results goes with --accept, which tells what a result is")
    if args.accept == "":
        raise GameError("--accept tells what to look for: final, broken, any, RULE or !RULE")
    file = None if args.out is None else _file(args)
    grammar = read(args.grammar)
    found = explored(args, prepared(args, grammar, functions_of(args)), args.accept, args.results)
    if file is not None:
        from pentad.grammar.files.exports import write

        write(found.lts, file, name=grammar.name, marks=args.marks)
    way = way_to(found, found.results) if args.accept not in (None, "any") else None
    if args.json:
        data = found_data(found)
        if args.inner:
            data["counts"] = found.lts.counts()._asdict()
        if args.accept is not None:
            results = {"count": len(found.results), "first": found.results[:MOST_TOLD]}
            data |= {"accept": args.accept, "results": results, "trace": way.json() if way else None}
        print(json.dumps(data | ({"file": args.out} if file else {})))
    else:
        print("\n".join(found_lines(found)))
        if args.inner:
            print(inner_line(found))
        if args.accept is not None:
            print(states_line(args.accept, found.results))
        if way is not None:
            print(f"the way there, {count(len(way), 'step')}:")
            print("\n".join(way_lines(found, way)))
        if file is not None:
            print(f"written to {args.out}")
    return STOPPED if found.stopped == "interrupted" else 0


def _file(args: argparse.Namespace) -> Path:
    """The file to write, before anything long is begun."""
    file = check_new(args.out, force=args.force)
    if file.suffix.removeprefix(".") not in FORMATS:
        known = ", ".join(f".{each}" for each in FORMATS)
        raise GameError(f"{shorten(args.out, 120)}: a transition system is written as {known}")
    return file
