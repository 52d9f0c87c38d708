"""`pentad pentago`: looks up positions in the published solution, and lists a folder of its slices."""

from __future__ import annotations

import argparse
import os
from math import prod
from pathlib import Path
from types import SimpleNamespace

from pentad.game import GameError, shorten
from pentad.games.pentago.slices import VARIABLE, SliceFile, Slices, configured, configured_folder, slice_paths
from pentad.play.table import scored_result
from pentad.search.exact import VERBS
from pentad.system.progress import Bar
from pentad.system.words import phrase
from pentad.terminal import arguments, streams
from pentad.terminal.arguments import CommandParser, choose
from pentad.terminal.pentago.exact_values import of_pentago, table

DONE, WRONG, STOPPED = 0, 2, 130


def add_arguments(parser: CommandParser) -> None:
    choose(parser, "pentad pentago", SUMMARIES, COMMANDS.__getitem__)


# ── lookup ───────────────────────────────────────────────────────────────────────────────────────


def _add_lookup(parser: CommandParser) -> None:
    parser.add_argument("boards", metavar="BOARD", nargs="+", help=arguments.board_help(["pentago"]))
    parser.add_argument(
        "--slices",
        metavar="FOLDER",
        help=phrase("folder of the slice files (default: from {variable})", variable=VARIABLE),
    )
    parser.add_argument("--moves", action="store_true", help="also print the value of every move")
    arguments.add_node(parser)
    parser.intermixed = True


def _lookup(args: argparse.Namespace) -> int:
    slices = configured() if args.slices is None else Slices(args.slices)
    if slices is None:
        raise GameError(
            "The folder of the slice files is missing. Use --slices FOLDER or set {variable}.", variable=VARIABLE
        )
    code = DONE
    for number, word in enumerate(args.boards):
        try:
            lines = _result_lines(slices, word, args)
        except GameError as error:
            arguments.print_board_error(word, error)
            code = WRONG
            continue
        if args.moves and number:
            print()
        print("\n".join(lines), flush=True)
    return code


def _result_lines(slices: Slices, word: str, args: argparse.Namespace) -> list[str]:
    """The values of a board as lines."""
    position = of_pentago(arguments.read_board(word, args), "looked up")
    value = slices.value(position)
    colour = position.colour_of(position.turn)
    task = "twist" if position.placed else "move"
    verdict = scored_result(position, position.outcome) if position.outcome else f"{colour} to {task} {VERBS[value]}"
    return [f"{shorten(word, 100)}: {verdict}", *(table(slices.values(position)) if args.moves else ())]


# ── info ─────────────────────────────────────────────────────────────────────────────────────────


def _add_info(parser: CommandParser) -> None:
    parser.add_argument(
        "paths",
        metavar="FOLDER|FILE",
        nargs="*",
        help=phrase("slice files, or folders of them (default: the folder in {variable})", variable=VARIABLE),
    )
    parser.add_argument("--check", action="store_true", help="read every block and check its integrity")


def _info(args: argparse.Namespace) -> int:
    code, paths = DONE, list[Path]()
    for name in args.paths or [_default_folder()]:
        try:
            paths += slice_paths(Path(name)) if _is_folder(name) else [Path(name)]
        except GameError as error:
            streams.print_error(str(error))
            code = WRONG
    checked = f"{'blocks':>13}  " if args.check else ""
    heading = f"marbles  sections  {'boards':>18}  {'bytes':>18}  {checked}file"
    for path in paths:
        try:
            line = _described(SliceFile(path), args.check)
        except GameError as error:
            streams.print_error(str(error))
            code = WRONG
            continue
        except KeyboardInterrupt:
            streams.print_error(phrase("Stopped at {path}. The lines above are complete.", path=path))
            return STOPPED
        if heading:
            print(heading)
            heading = ""
        print(line, flush=True)
    return code


def _default_folder() -> str:
    folder = configured_folder()
    if folder is None:
        raise GameError("Expected a folder or a file. For a default folder, set {variable}.", variable=VARIABLE)
    if not _is_folder(folder):
        raise GameError("{variable}: {folder} is not a folder.", variable=VARIABLE, folder=shorten(folder, 120))
    return folder


def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112  (returns False for every invalid name)


def _described(file: SliceFile, check: bool) -> str:
    """One line about a slice file, with the number of sound blocks if they are checked."""
    boards = sum(prod(section.shape) for section in file.sections)
    line = f"{file.marbles:7}  {len(file.sections):8,}  {boards:18,}  {file.size:18,}  "
    if check:
        blocks = sum(prod(section.blocks) for section in file.sections)
        with Bar(file.path.name) as bar:
            sound = sum(1 for _ in bar.each(file.check(), blocks))
        line += f"{f'{sound:,} sound':>13}  "
    return line + shorten(str(file.path), 160)


SUMMARIES = {
    "lookup": "look up the values of positions in a folder of slices",
    "info": "list slice files, or check their integrity",
}
COMMANDS = {
    "lookup": SimpleNamespace(add_arguments=_add_lookup, run=_lookup),
    "info": SimpleNamespace(add_arguments=_add_info, run=_info),
}
