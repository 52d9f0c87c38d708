"""Speed of Pente's engine: moves made and unmade, positions searched, the first move, forced wins found.

python -m benchmarks pente [--only moves search depths start wins] [--seconds 1] [--repeat 5] [--rules pente ...]
                           [--threads 1 2] [--nodes 14000 300000 3000000] [--wins FILE] [--each N]

moves: each move made or unmade counts as one; also pairs of both; medians of the repeats, by CPU time. search:
positions per second, and the depth after some seconds. depths: the depth after numbers of nodes, those of attacks
counted, on 20 positions after five random moves near the middle. start: a process that makes its first move at a low
level, with a minimal search. wins: a file of forced wins, `n | winning first moves | moves so far`; whether the
highest level plays one of them, with Wilson's interval of 95 percent.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import cast

import pentad
from benchmarks.figures import Figure, machine
from benchmarks.openings import near
from pentad.game import Move
from pentad.games.pente.board import points_of
from pentad.games.pente.engine.bots import PenteBot
from pentad.games.pente.engine.search import RootSearch
from pentad.games.pente.engine.state import kernels, point_of, state_of
from pentad.games.pente.rules import PentePosition
from pentad.kernels.buffers import array
from pentad.play.rule_measures import share
from pentad.search.move_limit import Limit

SIZE = 19
RULES = ("pente", "keryo", "freestyle", "gomoku")
PARTS = ("moves", "search", "depths", "start", "wins")
Measured = tuple[str, Figure]  # a line, and the figure in it

# The middle game is between weak bots and has no forced result; the others are random moves near the stones. All these
# rules allow the first three lines, which have no captures.
LINES = {
    "opening": "K10 K9 J13 J11 J10 L12 M10",
    "middle game": "K10 L9 O9 P8 H9 O7 Q9 N6 P6 N5 N7 N4 L4 L6 P9 N9 J9 L11 H8 H10 R8 S9 M6 Q10 O10 O11",
    "late": "K10 L11 M13 K9 J10 J11 M8 K11 J9 M12 K12 L9 L12 M7 K8 N8 H10 N13 M10 M11 H8 H12 G10 L10 J12 N9 G7 J13 H9 "
    "L8 L7 G11 J8 O8 H7 M9 K7 G12 N11 O10 G6 N12 L13 H13 O13 N7 L14 M6 G9 F12 K13 F11 O6 G14 F7 J6 K14 H6 H14 O11 F14 "
    "N10 N5 G13 J14 N15 K15 P5 F9 F6 K5 L6 P14 F10 L15 M5 M15 O14 F8 F13 J5 E12 L5 E8 E15 P9 G5 O15 E14 E5 E16 P13 J15 "
    "D8 E6 E10 D9 P11 O5 P7 G15 P8 D6 J4 P12 F15 F16 P16 Q14 Q12",
    "capture fight": "K10 L10 N9 K9 J11 L11 K8 J9 H10 M8 L9 H8 H9 H11 L12 L10 K11 L11 K9 J11 L9 M12 L11 M10 K10 J7 L9 "
    "K8 H6 L8 K8 J12 H12 K11 J8 L7 J10 M9 J9 K12",
}
WITHOUT_CAPTURES = ("freestyle", "gomoku")


def played(moves: str, **options: object) -> PentePosition:
    position = cast(PentePosition, pentad.new("pente", **options))
    for move in moves.split():
        position = position.play(move)
    return position


def moves(rules: str, seconds: float, repeat: int) -> Iterator[Measured]:
    """Measures moves made and unmade in several kinds of positions."""
    for name, line in LINES.items():
        if name == "capture fight" and rules in WITHOUT_CAPTURES:
            continue
        position = played(line, rules=rules, size=SIZE)
        state = state_of(position)
        points = array([point_of(position.board, point) for point in near(position, 2)], "int32")
        times = 100
        rates: list[float] = []
        while len(rates) < repeat:
            began = time.process_time()
            kernels()("make_and_unmake", state.parts, points, times)
            spent = time.process_time() - began
            if spent >= seconds / repeat:
                rates.append(len(points) * times / spent)
            else:
                times = max(times * 2, int(times * seconds / repeat / max(spent, 1e-6) * 1.1))
        pairs = statistics.median(rates)
        line = f"{rules:10} {name:14} {2 * pairs:>12,.0f} moves per second, {pairs:>12,.0f} pairs"
        yield line, Figure(f"{rules}, {name}", 2 * pairs, "moves per second")


def search(rules: str, threads: int, seconds: float, repeat: int) -> Iterator[Measured]:
    """Measures the positions that the search visits, and its depth."""
    for name, line in (("opening", "K10 L11 G8 K8 N9"), ("middle game", LINES["middle game"])):
        rates, cpu, depths = [], [], []
        decided = False
        for _ in range(repeat):
            engine = RootSearch(played(line, rules=rules, size=SIZE), threads=threads)
            began = time.process_time(), time.monotonic()
            engine.deepen(seconds=seconds)
            spent = time.process_time() - began[0], time.monotonic() - began[1]
            rates.append(engine.nodes / spent[1])
            cpu.append(engine.nodes / spent[0])
            depths.append(engine.depth)
            decided |= engine.decided
        line = (
            f"{rules:10} {name:14} {threads} thread{'s' if threads > 1 else ' '} {statistics.median(rates):>10,.0f} "
            f"positions per second, {statistics.median(cpu):>10,.0f} per CPU s, depth {statistics.median(depths):g}"
            + (" (decided)" if decided else "")
        )
        what = f"{rules}, {name}, {threads} thread{'s' * (threads > 1)}"
        yield line, Figure(what, statistics.median(rates), "positions per second")


def scattered(rules: str, seed: int) -> PentePosition:
    """A position after five random moves near the middle."""
    position, chance = (
        cast(PentePosition, pentad.new("pente", rules=rules, size=SIZE, opening="free")),
        random.Random(seed),
    )
    board = position.board
    for _ in range(5):
        near = [point for point in points_of(position.points) if board.distance_to_centre(point) <= 3]
        position = position.play(Move((board.stones[chance.choice(near)],)))
    return position


def depths(rules: str, nodes: list[int]) -> Iterator[Measured]:
    """Measures the depths reached on 20 positions."""
    for limit in nodes:
        reached, decided = [], 0
        for seed in range(20):
            engine = RootSearch(scattered(rules, seed))
            engine.deepen(nodes=limit)
            decided += engine.decided
            if not engine.decided:
                reached.append(engine.depth)
        low, middle, high = min(reached), statistics.median(reached), max(reached)
        line = f"{rules:10} {limit:>9,} nodes: depth {middle:g} (median), {low} to {high}; {decided} of 20 decided"
        yield line, Figure(f"{rules}, {limit:,} nodes", middle, "moves deep", f"{low} to {high}")


FIRST_MOVE = "import pentad; print(pentad.bot('pente', level=3, seed=1).choose(pentad.new('pente').play('K10')))"


def start(repeat: int) -> Iterator[Measured]:
    """Measures a process that makes a move, with compiled kernels."""
    for what, code in (("import pentad", "import pentad"), ("the first move", FIRST_MOVE)):
        cpu, wall = [], []
        for _ in range(repeat):
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            wall.append(time.monotonic() - began)
            cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        line = f"{what:14} {statistics.median(cpu):.2f} s CPU, {statistics.median(wall):.2f} s"
        yield line, Figure(what, statistics.median(cpu), "s of CPU time")


def wins(file: Path, seconds: float, each: int) -> Iterator[Measured]:
    """Reports how many forced wins are played."""
    counts: dict[int, list[int]] = {}
    bot = PenteBot(5, seed=1)
    for line in file.read_text(encoding="utf-8").splitlines():
        n, winning, path = line.split("|")
        count = counts.setdefault(int(n), [0, 0, 0])
        if count[1] == each:
            continue
        result = bot.play(played(path, tournament_rule=False), Limit(seconds=seconds))
        count[0] += str(result.move) in winning.split()
        count[1] += 1
        count[2] += result.exact
    for number, (found, tried, sure) in sorted(counts.items()):
        rate = share([1.0] * found + [0.0] * (tried - found))
        interval = f"{rate.low:.1%} to {rate.high:.1%}"
        line = (
            f"wins in {number}: {found} of {tried}, {rate.value:.1%} ({interval}); certain of {sure} at {seconds:g} s"
        )
        yield line, Figure(f"wins in {number} found, at {seconds:g} s", 100 * rate.value, "%", interval)


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds for each figure, or for each move")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rules", nargs="+", choices=RULES, default=RULES)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--nodes", type=int, nargs="+", default=[14_000, 300_000, 3_000_000])
    parser.add_argument("--wins", type=Path, help="file of forced wins")
    parser.add_argument("--each", type=int, default=-1, help="the most wins of each length (default: all)")
    args = parser.parse_args(words)
    if "wins" in args.only and not args.wins and args.only is not PARTS:
        parser.error("--wins FILE is required for forced wins")
    kernels()  # compiled before the clock starts
    print(machine())
    parts: Mapping[str, list[Iterator[Measured]]] = {
        "moves": [moves(rules, args.seconds, args.repeat) for rules in args.rules],
        "search": [
            search(rules, threads, args.seconds, args.repeat) for rules in args.rules for threads in args.threads
        ],
        "depths": [depths(rules, args.nodes) for rules in args.rules],
        "start": [start(args.repeat)],
        "wins": [wins(args.wins, args.seconds, args.each)] if args.wins else [],
    }
    figures = []
    for part in args.only:
        for line, figure in chain.from_iterable(parts[part]):
            print(line, flush=True)
            figures.append(figure)
    return figures


if __name__ == "__main__":
    main()
