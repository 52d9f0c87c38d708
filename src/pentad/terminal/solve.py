"""`pentad solve`: the exact value of positions of Pentago, a few or a file full of them.

With `--json` an object a line for each board: `board` as it was named, `position`, `turn`, `value` (1, 0 or -1 for
the one to move), `result` in words, `how` it was found, `turns`, `moves` and `distances` where they were asked,
`nodes`, `seconds`; or `board` and `error`, and where moves were asked `proved`, the values that are known nevertheless.
Those of a batch have `line`, and neither position, nodes nor seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import re

from pentad.game import GameError, Position, shorten
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import Solution, solve
from pentad.pentago.solver.retrograde import Progress, default_memory, format_bytes, needed
from pentad.pentago.solver.retrograde import boards as boards_within
from pentad.progress import Bar
from pentad.terminal import position_arguments, streams
from pentad.terminal.arguments import Parser, number, whole
from pentad.terminal.value_text import as_json, refusal, table, verdict

DONE, WRONG = 0, 2
MOST_THREADS = 64
LONGEST = 10**7  # seconds
LONG = 10**8  # boards, which take some seconds to look at
UNITS = {"M": 10**6, "MB": 10**6, "MIB": 1 << 20, "G": 10**9, "GB": 10**9, "GIB": 1 << 30}
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) *([A-Za-z]{1,3})")


def add_arguments(parser: Parser) -> None:
    parser.add_argument("boards", metavar="BOARD", nargs="*", help=position_arguments.HELP)
    parser.add_argument("--moves", action="store_true", help="tell the value of every move as well")
    parser.add_argument("--depth", action="store_true", help="tell in how many moves the win can be forced")
    add_limits(parser)
    parser.add_argument("--json", action="store_true", help="a JSON object for each board")
    position_arguments.add_choice(parser)
    batch = parser.add_argument_group(
        "many boards",
        "A line of --out for each line of --batch, in the same order; run again, it goes on where it was.",
    )
    batch.add_argument("--batch", metavar="FILE", help="solve the boards of a file, one a line; - is standard input")
    batch.add_argument("--out", metavar="FILE", help="where to write what is found, as JSON, an object a line")
    batch.add_argument("--plain", action="store_true", help="write plain lines: the board, its value, how it was found")
    parser.intermixed = True


def add_limits(parser: Parser) -> None:
    """What the solver may take."""
    parser.add_argument(
        "--seconds", metavar="S", type=number(float, 0.001, LONGEST, "a number of seconds"), help="most time a board"
    )
    parser.add_argument(
        "--memory", metavar="SIZE", type=size, help="most memory, such as 4G or 500M (default: nearly all)"
    )
    parser.add_argument("--threads", metavar="N", type=whole(1, MOST_THREADS), help="cores to use (default: all)")


def size(text: str) -> int:
    """The bytes that a size means.

    >>> size("4G"), size("500 MB"), size("1.5GiB")
    (4000000000, 500000000, 1610612736)
    """
    read = _SIZE.fullmatch(text)
    unit = UNITS.get(read[2].upper()) if read else None
    found = int(float(read[1]) * unit) if read and unit else 0
    if not found:
        raise argparse.ArgumentTypeError(f"{shorten(repr(text))} is no size of memory, such as 4G or 500M")
    return found


def cores() -> int:
    """How many cores this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_THREADS)


def memory_of(args: argparse.Namespace) -> int:
    """The bytes that the solver may use."""
    return args.memory or default_memory()


def run(args: argparse.Namespace) -> int:
    _check(args)
    args.threads = args.threads or cores()
    if args.batch is not None:
        from pentad.terminal.batch import run_batch

        return run_batch(args)
    code = DONE
    for place, word in enumerate(args.boards):
        if not _answered(word, args, first=place == 0):
            code = WRONG
    return code


def _check(args: argparse.Namespace) -> None:
    """Refuse what does not go together."""
    if args.batch is None:
        for name, given in (("--out", args.out is not None), ("--plain", args.plain)):
            if given:
                raise GameError(f"{name} goes with --batch FILE, which names the boards")
        if not args.boards:
            raise GameError("say which board: a number, a position's text or the file of a record; or --batch FILE")
        return
    if args.boards:
        raise GameError(f"--batch FILE names the boards, so {shorten(repr(args.boards[0]))} is one too many")
    if args.out is None:
        raise GameError("--batch FILE wants --out FILE, where to write what is found")
    for name in ("ply", "number"):
        if getattr(args, name) is not None:
            raise GameError(f"--{name} is for records, and --batch takes none")
    if args.plain and (args.moves or args.json):
        raise GameError(f"plain lines have no room for {'moves' if args.moves else 'JSON'}; leave --plain away")


def _answered(word: str, args: argparse.Namespace, *, first: bool) -> bool:
    """Solve one board and tell; whether that went well."""
    try:
        position = position_arguments.read_board(word, args)
        solution = solved(
            position, args, moves=args.moves, depth=args.depth, called="" if args.json else shorten(word, 80)
        )
    except GameError as error:
        if args.json:
            print(json.dumps({"board": shorten(word, 500)} | refusal(error, moves=args.moves)), flush=True)
        position_arguments.print_error(word, error)
        return False
    if args.json:
        told = as_json(solution, moves=args.moves, depth=args.depth)
        effort = {"nodes": solution.nodes, "seconds": round(solution.seconds, 6)}
        about = {"board": shorten(word, 500), "position": solution.position.text}
        print(json.dumps(about | told | effort), flush=True)
        return True
    name = f"{shorten(word, 100)}: " if len(args.boards) > 1 else ""
    lines = [name + verdict(solution.position, solution.value, solution.turns)]
    if args.moves:
        lines += table(solution.moves, solution.distances)
        if not first:
            print()
    print("\n".join(lines), flush=True)
    return True


def solved(position: Position, args: argparse.Namespace, *, moves: bool, depth: bool, called: str = "") -> Solution:
    """What the solver finds within the limits of the arguments, with a bar on the terminal meanwhile.

    A board that is `called` something is spoken of where it is beyond reach, so that nobody waits for more than comes.
    """
    here = position_arguments.of_pentago(position, "solved")
    with Bar() as bar:
        progress = progress_on(bar, here) if bar.shown else None
        if called and (beyond := _beyond_reach(here, memory_of(args))):
            progress = _saying(f"{called}: {beyond}", bar, progress)
        return solve(
            here,
            moves=moves,
            depth=depth,
            seconds=args.seconds,
            memory=args.memory,
            threads=args.threads,
            progress=progress,
        )


def _beyond_reach(position: PentagoPosition, allowed: int) -> str:
    """What is done about a position that would take more memory than is allowed; nothing where it would not."""
    spaces = position.empty.bit_count()
    least = needed(allowed, spaces, spaces, 1)
    if least <= allowed:
        return ""
    return (
        f"solving this board takes {format_bytes(least)} of memory, more than the {format_bytes(allowed)} "
        "that are allowed; looking for a quick win instead (Ctrl-C stops)"
    )


def _saying(message: str, bar: Bar, progress: Progress | None) -> Progress:
    """The same progress, and the message before the first search that takes long."""
    said = False

    def tell(made: int, of: int) -> None:
        nonlocal said
        if of >= LONG and not said:
            said = True
            bar.clear()
            streams.print_error(message)
        if progress:
            progress(made, of)

    return tell


def progress_on(bar: Bar, position: PentagoPosition) -> Progress:
    """Tells a bar how far the solver is."""
    spaces = position.empty.bit_count()
    marbles = position.board.size - spaces
    plies = {boards_within(spaces, ahead): ahead for ahead in range(1, spaces)}
    total = 0

    def tell(made: int, of: int) -> None:
        nonlocal total
        if of != total:
            total = of
            ahead = f"looking {plies[of]} plies ahead" if of in plies else "looking at all there is"
            bar.begin(f"{marbles} marble{'s' * (marbles != 1)}: {ahead}")
        bar.update(made, of)

    return tell
