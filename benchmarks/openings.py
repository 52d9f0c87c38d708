"""Balanced openings for trials of Pente's engine: positions that deep searches find even, as files.

python -m benchmarks openings [--only freestyle|gomoku|pente] [--count N] [--workers N]

A file has one opening a line, with its number and the scores of the player to move. An opening is some random stones
near each other and a last one that makes the position as even as possible. It is kept if searches of 10,000, 80,000 and
800,000 nodes, about a second, find it even. A number has the same opening on every machine, by the same engine; a
second run continues where the first one ended.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from typing import NamedTuple, cast

import pentad
from pentad.game import Move, OptionValue
from pentad.game.standard_position import StandardPosition
from pentad.games.pente.board import points_of
from pentad.games.pente.engine.search import RootSearch, TranspositionTable
from pentad.games.pente.engine.state import static_evaluation
from pentad.games.pente.rules import PentePosition
from pentad.terminal.arguments import whole

FOLDER = Path(__file__).with_name("openings")
RULES: Mapping[str, Mapping[str, OptionValue]] = {
    "freestyle": {"rules": "freestyle", "size": 15, "opening": "free"},
    "gomoku": {"rules": "gomoku", "size": 15, "opening": "free"},
    "pente": {"rules": "pente", "size": 19, "opening": "free"},
}
COUNT = 2000
STONES = 2, 5  # random ones, before the last
SPREADS = (1, 2, 3, 4)  # how far from the centre the first stone is, and from the others each later one
LAST = 3  # how far from the others the last stone is
# The candidates for the last stone that a search compares, and its nodes; only the one nearest to even is left.
COMPARED = ((24, 1_000), (10, 10_000))
STEPS = ((10_000, 40), (80_000, 60), (800_000, 60))  # the nodes of a search, and the largest score of an even position
SLOTS = 1 << 20


class Opening(NamedTuple):
    """An opening: its number, the scores of the searches, and its moves."""

    number: int
    scores: tuple[int, ...]
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(map(str, (self.number, *self.scores, *self.moves)))

    @classmethod
    def of(cls, line: str) -> Opening:
        number, *words = line.split()
        scores, moves = words[: len(STEPS)], words[len(STEPS) :]
        return cls(int(number), tuple(map(int, scores)), tuple(moves))


def start(rules: str) -> PentePosition:
    return cast(PentePosition, pentad.new("pente", **RULES[rules]))


def score(position: PentePosition, nodes: int) -> int:
    """The score of a position for the player to move."""
    engine = RootSearch(position, table=TranspositionTable(min(2 * nodes, SLOTS)))
    engine.deepen(nodes=nodes)
    return engine.best.score


def near(position: PentePosition, distance: int) -> list[int]:
    """The legal points at most so far from a stone, or from the centre of an empty board."""
    board, size = position.board, position.board.size
    stones = [divmod(point, size) for point in points_of(board.all_points & ~position.empty)]
    if not stones:
        return [point for point in points_of(position.points) if board.distance_to_centre(point) <= distance]
    return [
        point
        for point in points_of(position.points)
        if any(max(abs(point // size - row), abs(point % size - column)) <= distance for row, column in stones)
    ]


def moves_near(position: PentePosition, distance: int) -> list[Move]:
    return [Move((position.board.stones[point],)) for point in near(position, distance)]


def opening(rules: str, number: int) -> Opening | None:
    """The opening with a number; None if it is not even."""
    chance, here = random.Random(f"{rules}/{number}"), start(rules)
    moves: list[Move] = []
    for _ in range(chance.randint(*STONES)):
        moves.append(chance.choice(moves_near(here, chance.choice(SPREADS))))
        here = here.play(moves[-1])
    if here.outcome:
        return None
    after = {move: here.play(move) for move in moves_near(here, LAST)}
    scores = {move: static_evaluation(position) for move, position in after.items() if not position.outcome}
    for number_compared, nodes in COMPARED:
        level = sorted(scores, key=lambda move: abs(scores[move]))[:number_compared]
        scores = {move: score(after[move], nodes) for move in level}
    last = min(scores, key=lambda move: abs(scores[move]))
    found = []
    for nodes, most in STEPS:
        found.append(score(after[last], nodes))
        if abs(found[-1]) > most:
            return None
    return Opening(number, tuple(found), tuple(map(str, (*moves, last))))


def path(rules: str) -> Path:
    return FOLDER / f"{rules}.txt"


def read(rules: str) -> list[Opening]:
    """The openings of a file."""
    file = path(rules)
    lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
    return [Opening.of(line) for line in lines]


def made(rules: str, first: int, workers: int) -> Iterator[Opening]:
    """Openings in the order of their numbers, without an end."""
    with ProcessPoolExecutor(workers) as pool:
        for numbers in (range(each, each + 8 * workers) for each in count(first, 8 * workers)):
            yield from filter(None, pool.map(opening, [rules] * len(numbers), numbers))


def make(rules: str, wanted: int, workers: int) -> None:
    """Adds openings to a file, up to so many; each stands for all its images."""
    known = read(rules)
    seen = {StandardPosition(position_after(rules, each)).key for each in known}
    FOLDER.mkdir(exist_ok=True)
    found = made(rules, known[-1].number + 1 if known else 0, workers)
    while len(seen) < wanted:
        each = next(found)
        key = StandardPosition(position_after(rules, each)).key
        if key not in seen:
            seen.add(key)
            with path(rules).open("a", encoding="ascii") as file:
                file.write(f"{each}\n")
            print(f"{rules}: {len(seen)} of {each.number + 1}", flush=True)


def position_after(rules: str, opening: Opening) -> PentePosition:
    here = start(rules)
    for move in opening.moves:
        here = here.play(move)
    return here


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", choices=tuple(RULES), help="one of the files (default: all)")
    parser.add_argument("--count", type=whole(1, 100_000), default=COUNT, help=f"openings of a file (default: {COUNT})")
    parser.add_argument("--workers", type=whole(1, 256), default=2, help="processes (default: 2)")
    args = parser.parse_args(words)
    for rules in [args.only] if args.only else RULES:
        make(rules, args.count, args.workers)


if __name__ == "__main__":
    main()
