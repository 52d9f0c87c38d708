"""`pentad match`: a match of many games between two bots, with the score and the Elo difference."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from pentad.play.match import Score, Terms, play_match
from pentad.play.rating import strength
from pentad.progress import Bar
from pentad.terminal.arguments import Parser, add_game, add_whole, game_options, number
from pentad.wording import count


def add_arguments(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument("a", metavar="A", help="first bot, whose score is reported")
    parser.add_argument("b", metavar="B", help="second bot")
    add_whole(parser, "--games", 1, 1_000_000, "number of games", default=20)
    add_whole(parser, "--seed", 0, 2**62, "random seed for openings and bots", default=1)
    add_whole(parser, "--plies", 0, 100, "number of random opening moves", default=2)
    seconds = number(float, 0.001, 86_400, "a number of seconds")
    parser.add_argument("--seconds", type=seconds, metavar="S", help="time limit per move")
    add_whole(parser, "--workers", 1, 256, "number of processes (default: one per core)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder for the games; a second run plays only the missing ones"
    )
    parser.add_argument("--json", action="store_true", help="print the score as one JSON object")


def run(args: argparse.Namespace) -> int:
    terms = Terms(args.game, args.a, args.b, args.seed, args.plies, args.seconds, game_options(args))
    terms = terms.checked(programs=True)  # the user at the command line may start programs anyway
    with Bar(f"{terms.a} – {terms.b}") as bar:

        def progress(score: Score) -> None:
            if not args.json:
                so_far = f"  {score.games:,} of {args.games:,}  +{score.wins} ={score.draws} -{score.losses}"
                bar.update(score.games, args.games, so_far)

        score = play_match(terms, args.games, folder=args.out, workers=args.workers, progress=progress, programs=True)
    print(json.dumps(score.as_json()) if args.json else score_text(score))
    stopped = score.games < args.games
    if stopped:
        tip = "Run the same command again to continue." if args.out else "With --out DIR a match can be continued."
        print(f"Stopped after {score.games} of {count(args.games, 'game')}. {tip}", file=sys.stderr)
    return 130 if stopped else 0


def score_text(score: Score) -> str:
    """The score as text."""
    terms, games = score.terms, count(score.games, "game")
    lines = [
        f"{terms.a} – {terms.b}: {score.wins} won, {score.draws} drawn, {score.losses} lost of {games}",
        _elo_text(score),
        f"wins by seat, of both bots: {', '.join(map(str, score.by_seat)) or 'none'}",
    ]
    if score.forfeits:
        lines.append(f"{count(score.forfeits, 'game')} forfeited by a failing bot (see the comments in the records)")
    return "\n".join(lines)


def _elo_text(score: Score) -> str:
    rated = strength(list(score.groups.values()))
    share = f"{(score.wins + score.draws / 2) / score.games:.1%} of the points" if score.games else "no points"
    if rated.elo is not None:
        return f"{share}: Elo {rated.elo:+.0f}" + (f" ± {rated.error:.0f}" if rated.error is not None else "")
    if rated.low is not None:
        return f"{share}: Elo at least {rated.low:+.0f}"
    if rated.high is not None:
        return f"{share}: Elo at most {rated.high:+.0f}"
    return f"{share}: too few games for an Elo estimate"
