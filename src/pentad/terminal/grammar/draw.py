"""`pentad grammar draw`: pictures of a grammar's parts, its control automaton and its states."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from pentad.game import GameError, shorten
from pentad.grammar import draw
from pentad.grammar.exploration import explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.logic.bisimulation import STRONG, quotient
from pentad.grammar.lts import Lts
from pentad.grammar.system import prepare
from pentad.system.words import phrase
from pentad.terminal.arguments import CommandParser, whole
from pentad.terminal.files import STANDARD, writing
from pentad.terminal.grammar import arguments, minimise, transition_systems
from pentad.terminal.grammar.arguments import GrammarPart

MAX_STATES = 10_000
START, CONTROL, STATES, ALL = "start", "control", "states", "all"
SUFFIX = ".svg"


def add_arguments(parser: CommandParser) -> None:
    transition_systems.add_source(parser, "grammar")
    parser.add_argument(
        "parts",
        metavar="PART",
        nargs="*",
        help=phrase(
            "name of a graph, rule or type graph; or {start}: the start graph; {control}: the "
            "control automaton; {states}: the transition system, minimised if it is not small; "
            "{all}: all graphs, rules and type graphs, and the control",
            start=START,
            control=CONTROL,
            states=STATES,
            all=ALL,
        ),
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE|FOLDER",
        help="file to write, or folder for several pictures (default: standard output)",
    )
    arguments.add_beginning(parser)
    arguments.add_functions(parser)
    parser.add_argument(
        "--depth", type=whole(0, 10**9), metavar="N", help=phrase("depth limit for {states}", states=STATES)
    )
    minimise.add_kind(parser).add_argument(
        "--quotient",
        action="store_true",
        help=phrase(
            "draw {states} minimised (default: if there are more than {most_states})",
            states=STATES,
            most_states=draw.MAX_STATES,
        ),
    )
    arguments.add_force(parser)
    arguments.add_json(parser)
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    if transition_systems.is_system(args.grammar):
        return _run_on_system(args)
    grammar = arguments.read(args.grammar)
    parts = [
        GrammarPart(column, name).file for column in ("graphs", "rules", "types") for name in getattr(grammar, column)
    ]
    asked = (name for word in args.parts or [START] for name in ([*parts, CONTROL] if word == ALL else [word]))
    names = list(dict.fromkeys(asked))
    folder = args.out is not None and (len(names) > 1 or args.out.endswith(os.sep) or Path(args.out).is_dir())
    if len(names) > 1 and not args.json and args.out in (None, STANDARD):
        raise GameError("Several pictures need a folder. Use -o FOLDER.")
    pictures = []
    for name in names:
        picture = _drawn(grammar, name, args)
        if args.out in (None, STANDARD):
            pictures.append({"part": name, "svg": picture})
            continue
        file = str(_folder(args.out) / f"{name.replace('/', '.')}{SUFFIX}") if folder else args.out
        arguments.write_bytes(file, f"{picture}\n".encode(), force=args.force)
        pictures.append({"part": name, "file": file})
    _print(args, grammar.name, pictures)
    return 0


def _run_on_system(args: argparse.Namespace) -> int:
    """Draws the system in a file."""
    if args.parts not in ([], [STATES]) or args.depth is not None:
        raise GameError(
            "{grammar} is a transition system, which has no parts and no other depth.",
            grammar=shorten(args.grammar, 120),
        )
    source = transition_systems.read_system(args.grammar)
    transition_systems.check_hidden(args.hide, source)
    picture = _system(source.lts, source.name, args)
    written = args.out not in (None, STANDARD)
    if written:
        arguments.write_bytes(args.out, f"{picture}\n".encode(), force=args.force)
    _print(args, source.name, [{"part": STATES, **({"file": args.out} if written else {"svg": picture})}])
    return 0


def _print(args: argparse.Namespace, name: str, pictures: list[dict[str, str]]) -> None:
    if args.json:
        print(json.dumps({"grammar": name, "pictures": pictures}))
    else:
        print("\n".join(each.get("svg") or each["file"] for each in pictures))


def _folder(path: str) -> Path:
    folder = arguments.usable(path)
    with writing(path):
        if folder.is_file():
            raise GameError("{path} is a file. Several pictures need a folder.", path=shorten(path, 120))
        folder.mkdir(exist_ok=True)
    return folder


def _drawn(grammar: Grammar, name: str, args: argparse.Namespace) -> str:
    """The SVG of a picture."""
    if name == STATES:
        return _states(grammar, args)
    if name == CONTROL:
        return _control(grammar, args, arguments.control_of(args, grammar))
    if name == START:
        return draw.draw_graph(arguments.start_of(args, grammar) or grammar.start)
    part = arguments.find(grammar, name)
    if part.column == "controls":
        return _control(grammar, args, part.name)
    drawers = {"graphs": draw.draw_graph, "rules": draw.draw_rule, "types": draw.draw_type}
    return drawers[part.column](arguments.graph_of(grammar, part))


def _states(grammar: Grammar, args: argparse.Namespace) -> str:
    """The picture of the states, minimised if there are many."""
    start, control = arguments.start_of(args, grammar), arguments.control_of(args, grammar)
    found = explore(
        grammar,
        depth=args.depth,
        states=MAX_STATES + 1,
        start=start,
        control=control,
        **arguments.functions_of(args),
    )
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    if found.stopped == "states":
        raise GameError(
            "A picture can show at most {most_states} states; there are more than "
            "{most_explored:,}. Use --depth N to draw fewer.",
            most_states=draw.MAX_STATES,
            most_explored=MAX_STATES,
        )
    transition_systems.check_hidden(args.hide, transition_systems.explored(found))
    return _system(found.lts, grammar.name, args)


def _system(lts: Lts, title: str, args: argparse.Namespace) -> str:
    """The picture of a system: as it is if it is small, else minimised."""
    most = draw.MAX_STATES
    is_asked = args.quotient or args.hide or args.kind != STRONG
    if lts.states <= most and not is_asked:
        return draw.draw_lts(lts, title=title)
    small = quotient(lts, args.kind, hide=args.hide)
    if small.lts.states > most:
        raise GameError(
            "A picture can show at most {most} states; there are {states:,}, and {classes:,} "
            "up to {kind} bisimulation. Use --depth N to draw fewer.",
            most=most,
            states=lts.states,
            classes=small.lts.states,
            kind=args.kind,
        )
    caption = phrase(
        "{states:,} states and {transitions:,} transitions, merged by {kind} bisimulation",
        states=lts.states,
        transitions=lts.transitions,
        kind=args.kind,
    )
    return draw.draw_lts(small.lts, title=title, sizes=small.sizes, caption=caption)


def _control(grammar: Grammar, args: argparse.Namespace, program: str | None) -> str:
    system = prepare(grammar, arguments.start_of(args, grammar), program, **arguments.functions_of(args))
    return draw.draw_control(system.control, f"{grammar.name}: control")
