"""`pentad match`: a match of many games between two bots, with the score and the Elo difference."""

from __future__ import annotations

import argparse
import json

from pentad.play.contest_report import ContestReport
from pentad.play.match import MatchScore, play_match
from pentad.play.rating import strength
from pentad.play.sprt import H1, Sprt
from pentad.play.standings import Standings, forfeits
from pentad.system.words import count, phrase
from pentad.terminal.arguments import CommandParser, add_game, add_whole, number
from pentad.terminal.contest import (
    MOST_GAMES,
    ContestView,
    add_conditions,
    check_reports,
    print_stopped,
    terms,
    write_reports,
)


def add_arguments(parser: CommandParser) -> None:
    add_game(parser)
    parser.add_argument("a", metavar="A", help="first bot; the score is from its side")
    parser.add_argument("b", metavar="B", help="second bot")
    add_whole(parser, "--games", 1, MOST_GAMES, "number of games; the limit with --sprt", default=20)
    add_conditions(parser)
    parser.add_argument(
        "--sprt",
        type=_elos,
        metavar="ELO0,ELO1",
        help="stop when a sequential test (SPRT) accepts ELO0 or ELO1 as A's lead",
    )
    chance = number(float, 0.0001, 0.4999, "a probability")
    parser.add_argument(
        "--alpha", type=chance, default=0.05, metavar="P", help="risk of accepting ELO1 wrongly (default: 0.05)"
    )
    parser.add_argument(
        "--beta", type=chance, default=0.05, metavar="P", help="risk of accepting ELO0 wrongly (default: 0.05)"
    )


def _elos(text: str) -> tuple[float, float]:
    try:
        low, high = (float(each) for each in text.split(","))
    except ValueError:
        low = high = 0.0
    if not -1000 <= low < high <= 1000:
        raise argparse.ArgumentTypeError(
            phrase("Expected two ratings from -1000 to 1000, the lower first, such as 0,20, got {text!r}.", text=text)
        )
    return low, high


def run(args: argparse.Namespace) -> int:
    checked = terms(args, (args.a, args.b))
    check_reports(args)
    sprt = Sprt(args.sprt[0], args.sprt[1], args.alpha, args.beta) if args.sprt else None
    with ContestView(f"{args.a} – {args.b}", quiet=args.json) as view:

        def progress(score: MatchScore) -> None:
            more = f"+{score.wins} ={score.draws} -{score.losses}"
            if score.test:
                more += f"  LLR {_ratio_text(score)}"
            is_saved = score.results[-1].is_saved
            view.update(
                score.games, args.games, is_saved=is_saved, table=Standings(checked, score.results).table, more=more
            )

        score = play_match(
            checked,
            args.games,
            folder=args.out,
            workers=args.workers,
            cluster=args.cluster,
            progress=progress,
            programs=True,
            sprt=sprt,
        )
    text = score_text(score)
    print(json.dumps(score.as_json()) if args.json else text)
    write_reports(ContestReport(Standings(checked, score.results), text.splitlines(), data=score.as_json()), args)
    if score.games < args.games and not score.is_decided:
        print_stopped(score.games, args.games, checked, args.out)
        return 130
    return 0


def score_text(score: MatchScore) -> str:
    """The score as text."""
    a, b = score.terms.players
    lines = [
        phrase(
            "{a} – {b}: {wins} won, {draws} drawn, {losses} lost of {games}",
            a=a,
            b=b,
            wins=score.wins,
            draws=score.draws,
            losses=score.losses,
            games=count(score.games, "game"),
        ),
        _elo_text(score),
        phrase("wins by seat, of both bots: {by_seat}", by_seat=", ".join(map(str, score.wins_by_seat)) or "none"),
    ]
    lines += forfeits(score.terms.players, score.results)
    if score.test:
        lines.append(_test_text(score))
    return "\n".join(lines)


def _ratio_text(score: MatchScore) -> str:
    assert score.test is not None
    low, high = score.test.sprt.bounds
    return f"{score.test.ratio:.2f} ({low:.2f} to {high:.2f})"


def _test_text(score: MatchScore) -> str:
    """What the sequential test says."""
    assert score.test is not None
    sprt = score.test.sprt
    ratio = phrase(
        "log-likelihood ratio {ratio} after {openings}",
        ratio=_ratio_text(score),
        openings=count(score.test.openings, "opening"),
    )
    if not score.test.decision:
        return phrase(
            "SPRT, Elo {elo0:+g} or {elo1:+g}: not decided, {ratio}", elo0=sprt.elo0, elo1=sprt.elo1, ratio=ratio
        )
    chosen = sprt.elo1 if score.test.decision == H1 else sprt.elo0
    return phrase(
        "SPRT, Elo {elo0:+g} or {elo1:+g}: accepted {chosen:+g}, {ratio}",
        elo0=sprt.elo0,
        elo1=sprt.elo1,
        chosen=chosen,
        ratio=ratio,
    )


def _elo_text(score: MatchScore) -> str:
    rated = strength(list(score.groups.values()))
    share = (
        phrase("{wins:.1%} of the points", wins=(score.wins + score.draws / 2) / score.games)
        if score.games
        else "no points"
    )
    if rated.elo is not None:
        return f"{share}: Elo {rated.elo:+.0f}" + (f" ± {rated.error:.0f}" if rated.error is not None else "")
    if rated.low is not None:
        return phrase("{share}: Elo at least {low:+.0f}", share=share, low=rated.low)
    if rated.high is not None:
        return phrase("{share}: Elo at most {high:+.0f}", share=share, high=rated.high)
    return phrase("{share}: too few games for an Elo estimate", share=share)
