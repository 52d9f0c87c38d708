"""`pentad analyse`: the values of the moves of a position, exact where possible, else an engine's estimates.

With `--json` an object: `exact` values as `pentad solve --json --moves --depth` prints them; or one for each report as
an engine searches deeper: `depth`, `nodes`, `seconds`, `exact`, `how` (the source of exact values, or null), and
`lines` with their `moves`, their `values`, one for
each seat from -1 to 1, and their `claim`, a proved result as text (`wins in 3 moves`), or null.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from pentad.game import GameError, Position, names, new
from pentad.play.table import scored_result
from pentad.search.analysis import Report, analyse, heading, listing, worth, written
from pentad.search.exact import Unsolved
from pentad.system.extras import has
from pentad.system.progress import can_redraw
from pentad.system.words import phrase
from pentad.terminal import arguments, streams
from pentad.terminal.arguments import CommandParser, add_whole
from pentad.terminal.command_table import command_of_game
from pentad.terminal.show import print_spans

STOPPED = 130
ENGINE_SECONDS = 5.0
SOLVING_SECONDS = 60.0


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "board",
        metavar="BOARD",
        help=phrase(
            "name of a game, for its start position ({names}); {board_help}",
            names=", ".join(names()),
            board_help=arguments.board_help(names()),
        ),
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=arguments.number(float, 0.001, arguments.MAX_SECONDS, "a number of seconds"),
        help=phrase(
            "time limit (default: {engine_seconds:g} for an engine, {solving_seconds:g} for exact values)",
            engine_seconds=ENGINE_SECONDS,
            solving_seconds=SOLVING_SECONDS,
        ),
    )
    add_whole(parser, "--depth", 1, 1000, "search N moves deep, without a time limit")
    add_whole(parser, "--lines", 1, 100, "number of lines to show", default=3)
    parser.add_argument(
        "--keep", metavar="FILE", help="keep what the engine learns in a file, and go on from it (Pente only)"
    )
    parser.add_argument("--estimate", action="store_true", help="use the engine even if exact values are available")
    parser.add_argument(
        "--memory", metavar="SIZE", type=arguments.memory_size, help="memory limit for exact values, such as 4G"
    )
    add_whole(parser, "--threads", 1, arguments.MOST_THREADS, "cores to use (default: all)")
    parser.add_argument("--space", metavar="SPACE", help="show the twists after this space (default: the best one)")
    parser.add_argument("--list", action="store_true", help="print exact values as text, one line per space")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--no-colour", action="store_true", help="disable colours")
    arguments.add_node(parser)
    arguments.add_game_options(parser)


def run(args: argparse.Namespace) -> int:
    args.game = args.board if args.board in names() else None
    position = new(args.game, **arguments.game_options(args)) if args.game else arguments.read_board(args.board, args)
    if position.outcome:
        text = scored_result(position, position.outcome)
        print(json.dumps({"position": position.text, "result": text}) if args.json else text)
        return 0
    solver = _solver(position.game)
    if args.space is not None and not solver:
        solved = " and ".join(name for name in names() if _solver(name))
        raise GameError("--space can only be used with {solved}, where a move is a space and a twist.", solved=solved)
    if solver and not args.estimate and not args.keep:
        place = None if args.space is None else solver.read_space(position, args.space)
        try:
            values = solver.values_of_moves(position, args)
        except Unsolved as error:
            streams.print_error(phrase("{error} The engine's estimates follow.", error=error))
        else:
            if args.json:
                print(json.dumps({"position": position.text, "exact": True} | values.as_json()))
            elif args.list:
                print("\n".join(values.listing()))
            else:
                print_spans(values.spans(place), args.no_colour, heading=values.heading)
            return 0
    return _watch(position, args)


def _solver(name: str) -> Any:
    """The module `exact_values` of a game's commands, or None.

    Its `values_of_moves(position, args)` returns the exact values of a position's moves, or raises a `GameError` if
    there are none; `read_space(position, text)` reads `--space`. The values have a `heading`, a `listing()` of lines,
    `spans(space)` and `as_json()`.
    """
    return command_of_game(name, "exact_values")


# ── an engine's estimates ────────────────────────────────────────────────────────────────────────


def _watch(position: Position, args: argparse.Namespace) -> int:
    """Print or show the reports of an engine as it searches deeper."""
    seconds = ENGINE_SECONDS if args.seconds is None else args.seconds
    reports = analyse(
        position, seconds=seconds, lines=args.lines, depth=args.depth, keep=args.keep, book=not args.estimate
    )
    if args.json:
        for report in reports:
            print(json.dumps(_as_json(report)), flush=True)
        return 0
    if not (sys.stdout.isatty() and can_redraw() and has("rich")):
        for report in reports:
            print("\n".join(listing(position, report)), flush=True)
        return 0
    from rich.console import Group
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    from pentad.terminal.theme import console

    try:
        with Live(console=console(args.no_colour), auto_refresh=False) as live:
            for report in reports:
                table = Table(box=None, pad_edge=False, show_header=False)
                table.add_column(justify="right", no_wrap=True)
                table.add_column(overflow="fold")
                for line in report.lines:
                    moves = ", ".join(written(position, line.moves))
                    table.add_row(Text(worth(position, report, line), "bold"), Text(moves))
                live.update(Group(Text(heading(position, report), "dim"), table), refresh=True)
    except KeyboardInterrupt:  # the last report stays on the screen
        return STOPPED
    return 0


def _as_json(report: Report) -> dict[str, object]:
    lines = [
        {"moves": list(map(str, line.moves)), "values": list(line.values), "claim": line.claim or None}
        for line in report.lines
    ]
    return {
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 6),
        "exact": report.exact,
        "how": report.how or None,
        "seat": report.seat,
        "lines": lines,
    }
