"""`pentad solve`: the exact values of positions of Pentago, from arguments or from a file.

With `--json` an object a line for each board: `board` as it was given, `position`, `turn`, `value` (1, 0 or -1 for
the player to move), `result` as text, `how` it was found, `turns`, `moves` and `distances` if requested, `nodes`,
`seconds`; or `board` and `error`, and if moves were requested `proved`, the values that are known nevertheless. The
objects of a batch have `line`, and neither position, nodes nor seconds. `unknown` is the number of moves whose values
are not known, if any.
"""

from __future__ import annotations

import argparse
import json

from pentad.game import GameError, shorten
from pentad.search.exact import UNKNOWN_LENGTH
from pentad.terminal import arguments
from pentad.terminal.arguments import CommandParser, add_cluster, add_limits, cores
from pentad.terminal.pentago.exact_values import (
    as_json,
    memory_of,
    refusal,
    solution_within,
    table,
    verdict,
)

DONE, WRONG = 0, 2


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("boards", metavar="BOARD", nargs="*", help=arguments.board_help(["pentago"]))
    parser.add_argument("--moves", action="store_true", help="also print the value of every move")
    parser.add_argument("--depth", action="store_true", help="also print the length of a forced win")
    add_limits(parser)
    parser.add_argument(
        "--scratch",
        metavar="DIR",
        help="folder for the files of a board whose values do not fit into memory (default: in the user's cache, for "
        "boards with 14 marbles or more and no --seconds); after an interruption, run the same command again to resume",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per board")
    arguments.add_node(parser)
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
    add_cluster(batch, "solve the boards")
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    _check(args)
    args.threads = args.threads or cores()
    if args.batch is not None:
        from pentad.terminal.pentago.batch import run_batch

        return run_batch(args, memory_of(args))
    successes = [_solve_board(word, args, first=place == 0) for place, word in enumerate(args.boards)]
    return DONE if all(successes) else WRONG


def _check(args: argparse.Namespace) -> None:
    """Refuse invalid combinations of options."""
    if args.batch is None:
        for name, given in (("--out", args.out is not None), ("--plain", args.plain), ("--cluster", args.cluster)):
            if given:
                raise GameError("{name} can only be used with --batch FILE.", name=name)
        if not args.boards:
            raise GameError("Expected a board number, a position, a record file, or --batch FILE.")
        return
    if args.boards:
        raise GameError("--batch FILE takes no boards as arguments, got {board}.", board=shorten(repr(args.boards[0])))
    if args.out is None:
        raise GameError("--batch FILE requires --out FILE, the file for the results.")
    if args.scratch is not None:
        raise GameError("--scratch cannot be used with --batch.")
    for name in ("ply", "number"):
        if getattr(args, name) is not None:
            raise GameError("--{name} is for records and cannot be used with --batch.", name=name)
    if args.plain and (args.moves or args.json):
        raise GameError("--plain cannot be used with --{option}.", option="moves" if args.moves else "json")


def _solve_board(word: str, args: argparse.Namespace, *, first: bool) -> bool:
    """Solve one board and print the result; returns whether it was solved."""
    try:
        position = arguments.read_board(word, args)
        name = "" if args.json else shorten(word, 80)
        solution = solution_within(position, args, moves=args.moves, depth=args.depth, files=True, name=name)
    except GameError as error:
        if args.json:
            print(json.dumps({"board": shorten(word, 500)} | refusal(error, moves=args.moves)), flush=True)
        arguments.print_board_error(word, error)
        return False
    if args.json:
        values = as_json(solution, moves=args.moves, depth=args.depth)
        effort = {"nodes": solution.nodes, "seconds": round(solution.seconds, 6)}
        about = {"board": shorten(word, 500), "position": solution.position.text}
        print(json.dumps(about | values | effort), flush=True)
        return True
    prefix = f"{shorten(word, 100)}: " if len(args.boards) > 1 else ""
    lines = [prefix + verdict(solution.position, solution.value, solution.turns)]
    if args.depth and solution.value and solution.turns is None:
        lines.append(UNKNOWN_LENGTH)
    if args.moves:
        lines += table(solution.moves, solution.distances)
        lines += [solution.summary] if solution.unknown else []
        if not first:
            print()
    print("\n".join(lines), flush=True)
    return True
