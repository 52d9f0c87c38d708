"""`pentad perft`: the number of move sequences, depth by depth."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from pentad.game import Move, Position, perft
from pentad.system.progress import Bar
from pentad.system.words import phrase
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser, add_game, add_position, starting_position, whole

DEEPEST = 30


def add_arguments(parser: CommandParser) -> None:
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=whole(0, DEEPEST), help="number of moves in each sequence")
    add_position(parser)
    parser.add_argument("--divide", action="store_true", help="print a count for each first move")


def run(args: argparse.Namespace) -> int:
    position = starting_position(args)
    depth = 0
    try:
        for depth in range(args.depth + 1):
            divide = args.divide and depth == args.depth
            began = time.perf_counter()
            counts = dict(_counts(position, depth))
            took = time.perf_counter() - began
            if divide:
                print("\n".join(f"{move}: {count:,}" for move, count in counts.items() if move))
            total = sum(counts.values())
            print(
                phrase(
                    "depth {depth}: {total:,} in {seconds:.3f} s, {rate:,.0f} per second",
                    depth=depth,
                    total=total,
                    seconds=took,
                    rate=total / max(took, 1e-6),
                ),
                flush=True,
            )
    except KeyboardInterrupt:
        streams.print_error(phrase("Stopped at depth {depth}. The lines above are complete.", depth=depth))
        return 130
    return 0


def _counts(position: Position, depth: int) -> Iterator[tuple[Move | None, int]]:
    """The number of sequences for each first move."""
    if depth == 0:
        yield None, 1
        return
    moves = position.legal_moves
    with Bar(phrase("depth {depth}, first moves:", depth=depth)) as bar:
        for move in bar.each(moves, len(moves)):
            yield move, perft(position.play(move), depth - 1)
