"""Matches between bots, and thinking times of the beam: the figures of docs/lab/pente-engine.md.

python -m benchmarks matches [--only TABLE] [--games N] [--workers N]

Each line has the wins, draws and losses of the first bot, and the games won by each seat. Without --games every match
has as many games as there, about an hour in all on two cores; a few games only show that the benchmark works.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pentad
from benchmarks.figures import machine
from pentad.game import OptionValue
from pentad.games.pente.line_strategies import LINES_BOTS
from pentad.play.contest import ContestTerms
from pentad.play.match import play_match
from pentad.play.rating import ratings
from pentad.terminal.arguments import whole


class Match(NamedTuple):
    """Two bots, their game and options, and the number of games."""

    a: str
    b: str
    options: Mapping[str, OptionValue]
    games: int = 100
    seed: int = 1
    game: str = "pente"
    seconds: float | None = None


def rated(a: str, b: str) -> Match:
    return Match(a, b, {}, games=40)


def pentagame(a: str, b: str, games: int = 100, seconds: float | None = None, **options: OptionValue) -> Match:
    return Match(a, b, options, games, game="pentagame", seconds=seconds)


LINES_10, PENTE_13 = {"rules": "lines"}, {"size": 13}
LINES_19: Mapping[str, OptionValue] = {"rules": "lines", "size": 19}

TABLES: Mapping[str, tuple[Match, ...]] = {
    "lines-10": tuple(Match(a, b, LINES_10) for a in LINES_BOTS for b in ("random", "greedy")),
    "lines-19": tuple(Match(a, b, LINES_19) for a in LINES_BOTS for b in ("random", "greedy")),
    "lines-counts": (
        Match("lines-both", "greedy", LINES_10, games=1000),
        Match("lines-both-placed", "greedy", LINES_10, games=1000),
        Match("lines-both", "lines-both-placed", LINES_10),
        Match("lines-both", "lines-both-placed", LINES_19),
    ),
    "lines-rules": tuple(
        Match(a, b, {"rules": rules})
        for rules in ("pente", "keryo", "gomoku", "ninuki42")
        for a, b in (("lines-both", "random"), ("lines-both", "greedy"), ("lines-both-placed", "greedy"))
    ),
    "beam": (
        Match("beam-5", "beam-1", PENTE_13),
        Match("beam-5", "beam-1", PENTE_13, seed=2),
        Match("beam-5", "beam-3", PENTE_13),
        Match("beam-3", "beam-1", PENTE_13),
        Match("beam-3", "lines-both", PENTE_13),
        Match("beam-3", "lines-both-placed", PENTE_13),
        Match("beam-1", "greedy", PENTE_13),
    ),
    "pente-engine": (
        Match("engine@1", "greedy", {}, games=60),
        Match("engine@2", "engine@1", {}, games=200),
        Match("engine@3", "engine@2", {}, games=200),
        Match("engine@4", "engine@3", {}, games=200),
        Match("engine@5", "engine@4", {}, games=200, seconds=0.5),
        Match("engine@5", "beam-5", {}, games=200, seconds=0.5),
        Match("engine@5", "engine@4", {"rules": "freestyle", "size": 20}, games=200, seconds=0.5),
    ),
    "pente-ratings": (
        rated("engine@1", "random"),
        rated("beam-1", "engine@1"),
        rated("engine@2", "beam-1"),
        rated("beam-3", "engine@2"),
        rated("engine@3", "beam-3"),
        rated("engine@3", "engine@2"),
        rated("beam-5", "engine@3"),
        rated("engine@4", "beam-5"),
        rated("engine@4", "engine@3"),
        rated("engine:milliseconds=100", "engine@4"),
        rated("engine:milliseconds=100", "beam-5"),
        rated("engine:milliseconds=500", "engine@4"),
        rated("engine:milliseconds=500", "engine:milliseconds=100"),
    ),
    "default-opponents": (
        *(Match("engine@2", who, {}, games=60, game="pentago") for who in ("random", "greedy")),
        Match("engine@3", "engine@2", {}, games=60, game="pentago"),
        *(Match("engine@2", who, {}, games=60) for who in ("random", "greedy")),
        Match("engine@3", "engine@2", {}, games=60),
        *(pentagame("tree@1", who, games=60) for who in ("random", "greedy")),
        pentagame("tree@2", "tree@1", games=60),
    ),
    "pentagame": (
        pentagame("tree@1", "random"),
        pentagame("tree@1", "greedy"),
        pentagame("tree@3", "tree@1"),
        pentagame("tree@5", "tree@3", seconds=0.5),
        pentagame("alphabeta@5", "tree@5", games=40, seconds=0.5),
    ),
    "pentagame-three": (
        pentagame("tree@1", "random", games=60, players=3),
        pentagame("tree@1", "greedy", games=120, players=3),
        pentagame("tree@3", "tree@1", games=120, players=3),
        pentagame("tree@5", "tree@3", games=60, seconds=0.5, players=3),
    ),
    "pentagame-seats": (
        pentagame("tree@3", "tree@3", games=200),
        pentagame("tree@3", "tree@3", games=200, first_to_three=True),
    ),
}
TIMES = "beam-times"
TIMED = ("beam-5", "beam-3")


RATED, ANCHOR = "pente-ratings", ("engine@1", 800.0)  # the table with ratings, and the player with a fixed rating


def play(match: Match, games: int, workers: int | None, points: dict[tuple[str, str], tuple[float, int]]) -> str:
    """Plays a match; returns a line and adds the result to `points`."""
    begin = time.perf_counter()
    score = play_match(
        ContestTerms(
            match.game, (match.a, match.b), seed=match.seed, seconds=match.seconds, options=match.options
        ).checked(),
        games,
        workers=workers,
    )
    points[match.a, match.b] = score.wins + score.draws / 2, score.games
    terms = " ".join(f"{key}={value}" for key, value in match.options.items())
    terms += f" {match.seconds} s a move" if match.seconds else ""
    result = f"{score.wins:4} – {score.draws} – {score.losses}"
    who = f"{match.a} – {match.b}, {terms}, seed {match.seed}"
    seats = "-".join(map(str, score.wins_by_seat))
    return f"{who:60}{result:16} of {score.games}, by seat {seats}, {time.perf_counter() - begin:.0f} s"


def thinking(who: str, seed: int) -> Iterator[float]:
    """The CPU seconds of each move in a game of a bot against itself."""
    here, bot = pentad.new("pente", **PENTE_13), pentad.bot("pente", who, seed=seed)
    while here.outcome is None:
        begin = time.process_time()
        move = bot.choose(here)
        yield time.process_time() - begin
        here = here.play(move)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", choices=(*TABLES, TIMES), help="one of the tables (default: all)")
    parser.add_argument("--games", type=whole(1, 1_000_000), help="games of every match (default: as on the pages)")
    parser.add_argument("--workers", type=whole(1, 256), help="processes (default: one a core)")
    args = parser.parse_args(words)
    print(machine())
    for name, matches in TABLES.items():
        if args.only in (None, name):
            print(f"\n{name}")
            points: dict[tuple[str, str], tuple[float, int]] = {}
            for match in matches:
                print(play(match, args.games or match.games, args.workers, points), flush=True)
            if name == RATED:
                for who, rating in sorted(ratings(points, ANCHOR).items(), key=lambda each: each[1]):
                    print(f"{who:30}{rating:6.0f}")
    if args.only in (None, TIMES):
        print(f"\n{TIMES}")
        for who in TIMED:
            spent = [seconds for game in range(args.games or 10) for seconds in thinking(who, game)]
            print(f"{who}, size=13: {sum(spent) / len(spent):.3f} s a move, {max(spent):.2f} s at most", flush=True)


if __name__ == "__main__":
    main()
