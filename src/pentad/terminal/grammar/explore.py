"""`pentad grammar explore`: all states of a grammar, with GROOVE's counts.

Ctrl-C stops the exploration; the results so far are printed and written, and the exit code is 130.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentad.game import GameError, shorten
from pentad.grammar.files.exports import SYSTEM_FORMATS, write
from pentad.terminal.arguments import Parser, whole
from pentad.terminal.grammar.exploration_arguments import (
    MOST,
    MOST_IN_JSON,
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
from pentad.terminal.grammar.grammar_arguments import add_force, add_grammar, add_json, check_new, functions_of, read
from pentad.wording import count

STOPPED = 130


def add_arguments(parser: Parser) -> None:
    add_grammar(parser)
    add_exploring(parser)
    group = parser.add_argument_group("results and output")
    group.add_argument(
        "--accept",
        metavar="WHAT",
        help="collect states that are final, broken or any, or where RULE applies or does not apply (!RULE), "
        "and print the shortest trace to one",
    )
    group.add_argument("--results", type=whole(0, MOST), default=0, metavar="N", help="stop after N collected states")
    group.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help=f"write the transition system to FILE: {', '.join(f'.{each}' for each in SYSTEM_FORMATS)}",
    )
    group.add_argument("--inner", action="store_true", help="keep and count the states and steps within recipes")
    group.add_argument("--marks", action="store_true", help="in .aut, write $start and $final as loops, like GROOVE")
    add_force(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.results and args.accept is None:
        raise GameError("--results needs --accept.")
    if args.accept == "":
        raise GameError("--accept needs a value: final, broken, any, RULE or !RULE.")
    file = None if args.out is None else _file(args)
    grammar = read(args.grammar)
    found = explored(args, prepared(args, grammar, functions_of(args)), args.accept, args.results)
    if file is not None:
        write(found.lts, file, name=grammar.name, marks=args.marks)
    way = way_to(found, found.results) if args.accept not in (None, "any") else None
    if args.json:
        data = found_data(found)
        if args.inner:
            data["counts"] = found.lts.counts()._asdict()
        if args.accept is not None:
            results = {"count": len(found.results), "first": found.results[:MOST_IN_JSON]}
            data |= {"accept": args.accept, "results": results, "trace": way.json() if way else None}
        print(json.dumps(data | ({"file": args.out} if file else {})))
    else:
        print("\n".join(found_lines(found)))
        if args.inner:
            print(inner_line(found))
        if args.accept is not None:
            print(states_line(args.accept, found.results))
        if way is not None:
            print(f"trace of {count(len(way), 'step')}:")
            print("\n".join(way_lines(found, way)))
        if file is not None:
            print(f"written to {args.out}")
    return STOPPED if found.stopped == "interrupted" else 0


def _file(args: argparse.Namespace) -> Path:
    """The output file, checked before the exploration."""
    file = check_new(args.out, force=args.force)
    if file.suffix.removeprefix(".") not in SYSTEM_FORMATS:
        *most, last = (f".{each}" for each in SYSTEM_FORMATS)
        raise GameError(f"{shorten(args.out, 120)}: Expected a file name with {', '.join(most)} or {last}.")
    return file
