"""`pentad pentago`: positions looked up in the published solution, and what a folder of its slices holds."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TypeVar

from pentad.game import GameError, shorten
from pentad.pentago.slices.database import VARIABLE, Slices, configured, configured_folder, slice_paths
from pentad.pentago.slices.files import SliceFile
from pentad.pentago.values import VERBS
from pentad.progress import can_redraw
from pentad.terminal import position_arguments, streams
from pentad.terminal.arguments import Parser
from pentad.terminal.event_text import result
from pentad.terminal.subcommands import choose, run_chosen
from pentad.terminal.value_text import table

DONE, WRONG, STOPPED = 0, 2, 130

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Command:
    """One of the things that can be done."""

    summary: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]


def add_arguments(parser: Parser) -> None:
    summaries = {name: command.summary for name, command in COMMANDS.items()}
    choose(parser, "pentad pentago", summaries, COMMANDS.__getitem__)


run = run_chosen


# ── lookup ───────────────────────────────────────────────────────────────────────────────────────


def _add_lookup(parser: Parser) -> None:
    parser.add_argument("boards", metavar="BOARD", nargs="+", help=position_arguments.HELP)
    parser.add_argument("--slices", metavar="FOLDER", help=f"where the slice files are (default: {VARIABLE} tells)")
    parser.add_argument("--moves", action="store_true", help="tell the value of every move as well")
    position_arguments.add_choice(parser)
    parser.intermixed = True


def _lookup(args: argparse.Namespace) -> int:
    slices = _slices(args.slices)
    code = DONE
    for number, word in enumerate(args.boards):
        try:
            lines = _told(slices, word, args)
        except GameError as error:
            position_arguments.print_error(word, error)
            code = WRONG
            continue
        if args.moves and number:
            print()
        print("\n".join(lines), flush=True)
    return code


def _complain(message: str) -> int:
    """One file is wrong; the others are still told."""
    streams.print_error(message)
    return WRONG


def _slices(folder: str | None) -> Slices:
    slices = configured() if folder is None else Slices(folder)
    if slices is None:
        raise GameError(f"say where the slice files are: --slices FOLDER, or {VARIABLE} in the environment")
    return slices


def _told(slices: Slices, word: str, args: argparse.Namespace) -> list[str]:
    """What is known of a board, in lines."""
    position = position_arguments.of_pentago(position_arguments.read_board(word, args), "looked up")
    value = slices.value(position)
    colour = position.colour_of(position.turn)
    task = "turn" if position.placed else "move"
    verdict = result(position, position.outcome) if position.outcome else f"{colour} to {task} {VERBS[value]}"
    return [f"{shorten(word, 100)}: {verdict}", *(table(slices.values(position)) if args.moves else ())]


# ── info ─────────────────────────────────────────────────────────────────────────────────────────


def _add_info(parser: Parser) -> None:
    parser.add_argument(
        "paths",
        metavar="FOLDER|FILE",
        nargs="*",
        help=f"slice files, or folders of them (default: the folder that {VARIABLE} names)",
    )
    parser.add_argument("--check", action="store_true", help="read every block, and say whether all of them are sound")


def _info(args: argparse.Namespace) -> int:
    code, paths = DONE, list[Path]()
    for name in args.paths or [_usual_folder()]:
        try:
            paths += slice_paths(Path(name)) if _is_folder(name) else [Path(name)]
        except GameError as error:
            code = _complain(str(error))
    checked = f"{'blocks':>13}  " if args.check else ""
    heading = f"marbles  sections  {'boards':>18}  {'bytes':>18}  {checked}file"
    for path in paths:
        try:
            line = _described(SliceFile(path), args.check)
        except GameError as error:
            code = _complain(str(error))
            continue
        except KeyboardInterrupt:
            streams.print_error(f"stopped at {path}; what is above is complete")
            return STOPPED
        if heading:
            print(heading)
            heading = ""
        print(line, flush=True)
    return code


def _usual_folder() -> str:
    folder = configured_folder()
    if folder is None:
        raise GameError(f"say which folder or file; or set {VARIABLE} in the environment")
    if not _is_folder(folder):
        raise GameError(f"{VARIABLE}: {shorten(folder, 120)} is not a folder.")
    return folder


def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112  (which says no to every strange name)


def _described(file: SliceFile, check: bool) -> str:
    """A slice file in a line; how many blocks are sound, if they are to be checked."""
    position_arguments = sum(prod(section.shape) for section in file.sections)
    line = f"{file.marbles:7}  {len(file.sections):8,}  {position_arguments:18,}  {file.size:18,}  "
    if check:
        blocks = sum(prod(section.blocks) for section in file.sections)
        sound = sum(1 for _ in _with_bar(file.check(), blocks, file.path.name))
        line += f"{f'{sound:,} sound':>13}  "
    return line + shorten(str(file.path), 160)


def _with_bar(work: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The same, with a bar on the terminal if there is one."""
    if not (sys.stderr.isatty() and can_redraw()):
        yield from work
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

    yield from track(work, escape(what), total, console=Console(stderr=True), transient=True)


COMMANDS = {
    "lookup": Command("say what positions are worth, by the slices of a folder", _add_lookup, _lookup),
    "info": Command("tell which slices are there, and whether they are sound", _add_info, _info),
}
