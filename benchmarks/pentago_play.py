"""Strength of Pentago's engine in unsolved positions: against the published solution, and against other bots.

python -m benchmarks pentago_play --slices DIR [--only keep|late|deep|levels|tree] [--positions N] [--marbles 17 16]
[--games N] [--seconds 1 5]

keep: positions with 1 to 3 marbles, one of each eight symmetric ones, in which some move loses value according to the
slices of at most 4 marbles; the share in which each level's move keeps the value, compared with a random move.
late: the same for the highest level in positions with more marbles, from games of level 4 against level 2, by the
solver's values of all moves.
deep: the share in which its move is one that keeps the value by two independent searches, and that of random moves.
levels: matches of each level against the one below. tree: the highest level against 10,000 random games a move.
Openings are two random turns, each played from both sides.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice, pairwise
from pathlib import Path
from typing import NamedTuple, cast
from unittest.mock import patch

import pentad
from benchmarks.figures import machine
from pentad.game import GameError, Move, Position
from pentad.games.pentago.bot import can_win
from pentad.games.pentago.engine.bots import LEVELS, PentagoBot
from pentad.games.pentago.engine.state import canonical_key, key_of
from pentad.games.pentago.playouts.tree_bot import PlayoutBot
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.slices import Slices
from pentad.games.pentago.solver import solve
from pentad.search.bot import Bot
from pentad.search.move_limit import Limit

COUNTS = (1, 2, 3)
JUDGED, LOST = 10, 0.25  # the time of a judge's search in that of a move, and the value that a lost one lacks
ROLLOUTS = 10_000


class Case(NamedTuple):
    """A position in which some move loses value, and the values of its moves."""

    position: PentagoPosition
    values: dict[Move, int]

    @property
    def keeping(self) -> int:
        return sum(value == max(self.values.values()) for value in self.values.values())


def boards(marbles: int) -> list[PentagoPosition]:
    """All positions with a number of marbles, up to symmetry."""
    found = [cast(PentagoPosition, pentad.new("pentago"))]
    for _ in range(marbles):
        after: dict[int, PentagoPosition] = {}
        for position in found:
            for choice in position.choices():
                # Only the placement: candidates rotation gives the result of another placement.
                board = replace(position.partial(choice), placed=False)
                after.setdefault(canonical_key(key_of(board)), board)
        found = list(after.values())
    return found


def cases(slices: Slices, most: int) -> list[Case]:
    """A fixed random selection of positions."""
    candidates = [position for marbles in COUNTS for position in boards(marbles)]
    random.Random(1).shuffle(candidates)
    found = []
    for position in candidates:
        case = Case(position, slices.values(position))
        if case.keeping < len(case.values):
            found.append(case)
        if len(found) == most:
            break
    return found


def keep(slices: Slices, most: int, times: list[float]) -> Iterator[str]:
    """Reports how often the value is kept: by random moves and by each level, without the opening book."""
    chosen = cases(slices, most)
    random_share = sum(case.keeping / len(case.values) for case in chosen) / len(chosen)
    yield f"{len(chosen)} positions; random moves {random_share:.1%}"
    for level in LEVELS:
        for seconds in times if LEVELS[level].depth is None else [None]:
            bot, kept = PentagoBot(level, seed=1), [[0, 0] for _ in COUNTS]
            bot.levels = {number: replace(each, book=False) for number, each in LEVELS.items()}
            begin = time.process_time()
            for case in chosen:
                tally = kept[case.position.ply - 1]
                tally[0] += case.values[bot.choose(case.position, seconds=seconds)] == max(case.values.values())
                tally[1] += 1
            spent = (time.process_time() - begin) / len(chosen)
            share = sum(tally[0] for tally in kept) / len(chosen)
            detail = ", ".join(f"{n} marbles {a}/{b}" for n, (a, b) in zip(COUNTS, kept, strict=True))
            at = "" if seconds is None else f" at {seconds:g} s"
            yield f"level {level}{at}: {share:.1%} ({detail}), {spent:.2f} s of CPU a move"


def late_positions(marbles: int) -> Iterator[PentagoPosition]:
    """Positions with a number of marbles from games of level 4 against level 2 after two random turns."""
    for number in count():
        rng = random.Random(number)
        players = PentagoBot(4, seed=number), PentagoBot(2, seed=number)
        here: Position = pentad.new("pentago")
        while not here.outcome and here.ply < marbles:
            here = here.play(
                rng.choice(here.legal_moves) if here.ply < 2 else players[(here.ply + number) % 2].choose(here)
            )
        position = cast(PentagoPosition, here)
        if not here.outcome and not can_win(position):
            yield position


def late_cases(marbles: int, most: int) -> Iterator[Case]:
    """Late positions in which some move loses value."""
    for position in late_positions(marbles):
        case = Case(position, dict(solve(position).moves))
        if case.keeping < len(case.values):
            yield case
            most -= 1
        if not most:
            return


def late(marbles: int, most: int, times: Sequence[float]) -> Iterator[str]:
    """The lines of how often the highest level keeps the value of positions with a number of marbles."""
    kept, spent, chance, found = dict.fromkeys(times, 0), dict.fromkeys(times, 0.0), 0.0, 0
    for case in late_cases(marbles, most):
        for seconds in times:
            spent[seconds] -= time.process_time()
            move = PentagoBot(5, seed=1).choose(case.position, seconds=seconds)
            spent[seconds] += time.process_time()
            if case.values[move] == max(case.values.values()):
                kept[seconds] += 1
            else:
                print(lost(case.position, move, seconds), file=sys.stderr, flush=True)
        found += 1
        chance += case.keeping / len(case.values)
        print(f"{kept} of {found}", file=sys.stderr, flush=True)  # a position may take minutes to solve
    for seconds in times:
        yield (
            f"{marbles} marbles, {seconds:g} s: {kept[seconds]} of {found}; random moves {chance / found:.1%},"
            f" {spent[seconds] / found:.2f} s of CPU a move"
        )


def lost(position: Position, move: Move, seconds: float) -> str:
    """The line of a move that does not keep the value."""
    return f"{position.text}: {move} after {seconds:g} s"


def searched(judge: PentagoBot | PlayoutBot, position: Position, seconds: float) -> tuple[Move, float]:
    """The best move of a search, and the value that it gives the player to move."""
    found = judge.play(position, Limit(seconds=seconds))
    assert found.value is not None
    return found.move, found.value


def deep(marbles: int, most: int, times: Sequence[float]) -> Iterator[str]:
    """The lines of how often the highest level keeps the value by two independent searches of ten times its time.

    They are the same alpha-beta and a tree search that knows random games alone. Each finds a move and the value of the
    position, and judges the position after another move.
    """
    for seconds in times:
        rng = random.Random(1)
        kept = {who: [0, 0, 0] for who in ("the level", "random moves")}  # by alpha-beta, by the tree, by both
        for position in islice(late_positions(marbles), most):
            judges = PentagoBot(5, seed=1), PlayoutBot(5, seed=1)
            moves = PentagoBot(5, seed=1).choose(position, seconds=seconds), rng.choice(position.legal_moves)
            judged = [kept_by(judge, position, moves, JUDGED * seconds) for judge in judges]
            for tally, move, verdicts in zip(kept.values(), moves, zip(*judged, strict=True), strict=True):
                for place, each in enumerate((*verdicts, all(verdicts))):
                    tally[place] += each
                if move is moves[0] and not all(verdicts):
                    print(lost(position, move, seconds), verdicts, file=sys.stderr, flush=True)
            print(f"{marbles} marbles: {kept}", file=sys.stderr, flush=True)
        shares = "; ".join(f"{who}: {a} by alpha-beta, {b} by the tree, {c} by both" for who, (a, b, c) in kept.items())
        yield f"{marbles} marbles, {seconds:g} s, value kept in {most}: {shares}"


def kept_by(
    judge: PentagoBot | PlayoutBot, position: Position, moves: Sequence[Move], seconds: float
) -> Iterator[bool]:
    """For each move, whether a judge's search finds no better one."""
    best, value = searched(judge, position, seconds)
    for move in moves:
        after = position.play(move)
        if move == best:
            yield True
        elif after.outcome:
            yield after.outcome.returns[position.turn] > value - LOST
        else:
            yield -searched(judge, after, seconds)[1] > value - LOST


def match(a: Bot, b: Bot, games: int, seconds: tuple[float | None, float | None]) -> str:
    """Plays a match of two bots; returns its line."""
    score = [0, 0, 0]
    begin = time.perf_counter()
    for number in range(games):
        rng = random.Random(number // 2)
        here: Position = pentad.new("pentago")
        for _ in range(2):
            here = here.play(rng.choice(here.legal_moves))
        first = number % 2
        while not here.outcome:
            mine = here.turn == first
            here = here.play((a if mine else b).choose(here, seconds=seconds[0 if mine else 1]))
        score[1 - int(here.outcome.returns[first])] += 1
    return f"{a.name} – {b.name}: {score[0]} – {score[1]} – {score[2]} of {games}, {time.perf_counter() - begin:.0f} s"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--slices", type=Path, help="the folder of slices 0 to 4")
    parser.add_argument("--only", choices=("keep", "late", "deep", "levels", "tree"))
    parser.add_argument("--positions", type=int, default=10_000, help="the most positions (default: all)")
    parser.add_argument("--marbles", type=int, nargs="+", default=[17], help="numbers of marbles of late positions")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument(
        "--seconds", type=float, nargs="+", default=[1.0, 5.0], help="seconds for a move at the highest level"
    )
    args = parser.parse_args(words)
    print(machine())
    # A move has seconds of the processor, so that other programs change no result.
    with patch.object(time, "monotonic", time.process_time):
        play(parser, args)


def play(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Plays what the arguments ask for."""
    if args.only in (None, "keep"):
        if args.slices is None:
            parser.error("--slices DIR is required for the values of positions")
        try:
            for line in keep(Slices(args.slices), args.positions, args.seconds):
                print(line, flush=True)
        except GameError as error:
            parser.error(str(error))
    if args.only in ("late", "deep"):
        for marbles in args.marbles:
            for line in (late if args.only == "late" else deep)(marbles, args.positions, args.seconds):
                print(line, flush=True)
    if args.only in (None, "levels"):
        for lower, level in pairwise(LEVELS):
            bots = PentagoBot(level, seed=1), PentagoBot(lower, seed=2)
            print(match(*bots, args.games, (args.seconds[0] if level == 5 else None, None)), flush=True)
    if args.only in (None, "tree"):
        opponent = PlayoutBot(seed=2, rollouts=ROLLOUTS)
        print(match(PentagoBot(5, seed=1), opponent, args.games, (args.seconds[0], None)), flush=True)


if __name__ == "__main__":
    main()
