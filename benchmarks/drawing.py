"""Duration of a drawing in milliseconds, and the share of it that changes with a move.

python -m benchmarks drawing [--turns 40]

Random games; each position is drawn once, as a server draws it for a page.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Sequence

import pentad
from benchmarks.figures import Figure, machine
from pentad import drawing
from pentad.game import Move

BOARDS: tuple[tuple[str, dict[str, object]], ...] = (("pentago", {}), ("pente", {"rules": "keryo"}), ("pentagame", {}))


def measure(game: str, options: dict[str, object], turns: int) -> tuple[list[float], list[float], list[float]]:
    """For each move, the milliseconds of its drawing and of its status, and the share of new text."""
    rng = random.Random(1)
    position, last = pentad.new(game, **options), None
    drawn: list[float] = []
    status: list[float] = []
    new: list[float] = []
    before = position.svg(style=False)
    while not position.outcome and len(drawn) < turns:
        moves = position.legal_moves
        last = Move(moves[rng.randrange(len(moves))])
        position = position.play(last)
        assert position.outcome or len(position.legal_moves)  # computed here, so that it is not timed below
        start = time.perf_counter()
        svg = position.svg(last=last, style=False)
        middle = time.perf_counter()
        assert position.status
        end = time.perf_counter()
        changed = drawing.changes(before, svg)
        drawn.append(1000 * (middle - start))
        status.append(1000 * (end - middle))
        new.append(1.0 if changed is None else sum(len(line) for _, line in changed) / len(svg))
        before = svg
    return drawn, status, new


def main(words: Sequence[str] | None = None) -> list[Figure]:
    """Prints a line for each game."""
    figures = []
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=40)
    turns = parser.parse_args(words).turns
    print(machine())
    for game, options in BOARDS:
        measure(game, options, turns)  # the first game of a board draws its empty fields
        drawn, status, new = map(statistics.median, measure(game, options, turns))
        print(f"{game:10} {drawn:.2f} ms a drawing, {status:.3f} ms a status, {new:.0%} new after a move")
        figures += [
            Figure(f"{game}, a drawing", drawn, "ms"),
            Figure(f"{game}, its status", status, "ms"),
            Figure(f"{game}, new text of a drawing after a move", 100 * new, "%"),
        ]
    return figures


if __name__ == "__main__":
    main()
