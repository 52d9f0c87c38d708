"""`pentad solve`: the exact values of positions of Pentago, from arguments or from a file.

With `--json` an object a line for each board: `board` as it was given, `position`, `turn`, `value` (1, 0 or -1 for
the player to move), `result` as text, `how` it was found, `turns`, `moves` and `distances` if requested, `nodes`,
`seconds`; or `board` and `error`, and if moves were requested `proved`, the values that are known nevertheless. The
objects of a batch have `line`, and neither position, nodes nor seconds.
"""

from __future__ import annotations

import argparse
import json

from pentad.game import GameError, Position, shorten
from pentad.pentago.commands.value_text import as_json, of_pentago, refusal, table, verdict
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import Solution, solve
from pentad.pentago.solver.retrograde import Progress, default_memory, format_bytes, needed
from pentad.pentago.solver.retrograde import boards as boards_within
from pentad.progress import Bar
from pentad.terminal import position_arguments, streams
from pentad.terminal.arguments import Parser, add_limits, cores
from pentad.wording import count

DONE, WRONG = 0, 2
LONG = 10**8  # boards, which take some seconds to examine


def add_arguments(parser: Parser) -> None:
    parser.add_argument("boards", metavar="BOARD", nargs="*", help=position_arguments.board_help())
    parser.add_argument("--moves", action="store_true", help="also print the value of every move")
    parser.add_argument("--depth", action="store_true", help="also print the length of a forced win")
    add_limits(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per board")
    position_arguments.add_choice(parser)
    batch = parser.add_argument_group(
        "many boards",
        "Writes a line to --out for each line of --batch, in the same order. After an interruption, run the same "
        "command again to resume.",
    )
    batch.add_argument("--batch", metavar="FILE", help="solve the boards in a file, one per line (-: standard input)")
    batch.add_argument("--out", metavar="FILE", help="file for the results, one JSON object per line")
    batch.add_argument(
        "--plain", action="store_true", help="write plain lines: the board, its value, and how it was found"
    )
    parser.intermixed = True


def memory_of(args: argparse.Namespace) -> int:
    """The memory limit of the solver in bytes."""
    return args.memory or default_memory()


def run(args: argparse.Namespace) -> int:
    _check(args)
    args.threads = args.threads or cores()
    if args.batch is not None:
        from pentad.pentago.commands.batch import run_batch

        return run_batch(args, memory_of(args))
    code = DONE
    for place, word in enumerate(args.boards):
        if not _solve_board(word, args, first=place == 0):
            code = WRONG
    return code


def _check(args: argparse.Namespace) -> None:
    """Refuse invalid combinations of options."""
    if args.batch is None:
        for name, given in (("--out", args.out is not None), ("--plain", args.plain)):
            if given:
                raise GameError(f"{name} can only be used with --batch FILE.")
        if not args.boards:
            raise GameError("Expected a board number, a position, a record file, or --batch FILE.")
        return
    if args.boards:
        raise GameError(f"--batch FILE takes no boards as arguments, got {shorten(repr(args.boards[0]))}.")
    if args.out is None:
        raise GameError("--batch FILE requires --out FILE, the file for the results.")
    for name in ("ply", "number"):
        if getattr(args, name) is not None:
            raise GameError(f"--{name} is for records and cannot be used with --batch.")
    if args.plain and (args.moves or args.json):
        raise GameError(f"--plain cannot be used with --{'moves' if args.moves else 'json'}.")


def _solve_board(word: str, args: argparse.Namespace, *, first: bool) -> bool:
    """Solve one board and print the result; returns whether it was solved."""
    try:
        position = position_arguments.read_board(word, args)
        name = "" if args.json else shorten(word, 80)
        solution = solved(position, args, moves=args.moves, depth=args.depth, name=name)
    except GameError as error:
        if args.json:
            print(json.dumps({"board": shorten(word, 500)} | refusal(error, moves=args.moves)), flush=True)
        position_arguments.print_error(word, error)
        return False
    if args.json:
        values = as_json(solution, moves=args.moves, depth=args.depth)
        effort = {"nodes": solution.nodes, "seconds": round(solution.seconds, 6)}
        about = {"board": shorten(word, 500), "position": solution.position.text}
        print(json.dumps(about | values | effort), flush=True)
        return True
    prefix = f"{shorten(word, 100)}: " if len(args.boards) > 1 else ""
    lines = [prefix + verdict(solution.position, solution.value, solution.turns)]
    if args.moves:
        lines += table(solution.moves, solution.distances)
        if not first:
            print()
    print("\n".join(lines), flush=True)
    return True


def solved(position: Position, args: argparse.Namespace, *, moves: bool, depth: bool, name: str = "") -> Solution:
    """The solution within the limits of the arguments; a progress bar is shown on a terminal.

    With a `name`, a message says when the board needs more memory than allowed.
    """
    here = of_pentago(position, "solved")
    with Bar() as bar:
        progress = progress_on(bar, here) if bar.shown else None
        if name and (message := _memory_message(here, memory_of(args))):
            progress = _with_message(f"{name}: {message}", bar, progress)
        return solve(
            here,
            moves=moves,
            depth=depth,
            seconds=args.seconds,
            memory=args.memory,
            threads=args.threads,
            progress=progress,
        )


def _memory_message(position: PentagoPosition, allowed: int) -> str:
    """A message for a position that needs more memory than allowed; empty for any other."""
    spaces = position.empty.bit_count()
    least = needed(allowed, spaces, spaces, 1)
    if least <= allowed:
        return ""
    return (
        f"Solving this board needs {format_bytes(least)} of memory, but the limit is {format_bytes(allowed)}. "
        "Searching for a short win instead (Ctrl-C to stop)."
    )


def _with_message(message: str, bar: Bar, progress: Progress | None) -> Progress:
    """The same progress callback, which also prints the message before the first long search."""
    is_printed = False

    def update(made: int, of: int) -> None:
        nonlocal is_printed
        if of >= LONG and not is_printed:
            is_printed = True
            bar.clear()
            streams.print_error(message)
        if progress:
            progress(made, of)

    return update


def progress_on(bar: Bar, position: PentagoPosition) -> Progress:
    """A progress callback that shows the solver's progress on a bar."""
    spaces = position.empty.bit_count()
    marbles = position.board.size - spaces
    plies = {boards_within(spaces, ahead): ahead for ahead in range(1, spaces)}
    total = 0

    def update(made: int, of: int) -> None:
        nonlocal total
        if of != total:
            total = of
            ahead = f"searching {plies[of]} plies deep" if of in plies else "searching all positions"
            bar.begin(f"{count(marbles, 'marble')}: {ahead}")
        bar.update(made, of)

    return update
