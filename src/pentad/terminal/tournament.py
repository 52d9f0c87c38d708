"""`pentad tournament`: a tournament of bots, with standings and ratings."""

from __future__ import annotations

import argparse
import json

from pentad.game import GameError, game
from pentad.play.contest import GameResult
from pentad.play.contest_report import HEADINGS, ContestReport, rows
from pentad.play.pairings import FOR_TWO, SYSTEMS
from pentad.play.standings import Standings, forfeits
from pentad.play.tournament import play_tournament
from pentad.system.words import phrase
from pentad.terminal.arguments import CommandParser, add_game, add_whole
from pentad.terminal.contest import (
    MOST_RATED,
    ContestView,
    add_conditions,
    check_reports,
    print_stopped,
    terms,
    write_reports,
)

OPENING_PLIES, OPENING_BALANCE = 3, 0.3


def add_arguments(parser: CommandParser) -> None:
    add_game(parser)
    parser.add_argument("players", metavar="BOT", nargs="+", help="players, in order of seeding (top seeds get byes)")
    systems = "; ".join(f"{name}: {what}" for name, what in SYSTEMS.items())
    parser.add_argument("--system", choices=tuple(SYSTEMS), default=next(iter(SYSTEMS)), help=systems)
    add_whole(parser, "--sets", 1, 100_000, "openings per pairing; each is played from every seat", default=1)
    add_whole(parser, "--rounds", 1, 1000, "rounds of a Swiss tournament (default: enough for one winner)")
    add_conditions(parser, plies=OPENING_PLIES, balance=OPENING_BALANCE)
    parser.add_argument(
        "--anchor", type=_anchor, metavar="BOT=ELO", help="a player with a given rating (default: the average is 0)"
    )


def _anchor(text: str) -> tuple[str, float]:
    name, _, elo = text.rpartition("=")
    try:
        rating = float(elo)
    except ValueError:
        rating = float("nan")
    if not name or not -10_000 <= rating <= 10_000:
        raise argparse.ArgumentTypeError(
            phrase("Expected a player and its rating, such as random=0, got {text!r}.", text=text)
        )
    return name, rating


def run(args: argparse.Namespace) -> int:
    rounds = args.rounds or max(1, (len(args.players) - 1).bit_length())
    if args.rounds and args.system != "swiss":
        raise GameError("The system {system} has no number of rounds; use --sets.", system=args.system)
    # where pairings depend on results, another number of sets is another tournament
    checked = terms(args, args.players, system=args.system, sets=args.sets if args.system in FOR_TWO else None)
    check_reports(args)
    with ContestView(f"{game(args.game).title}, {args.system}", quiet=args.json) as view:
        is_rated = len(args.players) <= MOST_RATED

        def progress(standings: Standings, result: GameResult) -> None:
            more = f"round {standings.meetings[-1].round}" if args.system in FOR_TWO else ""
            view.update(
                len(standings.results),
                standings.total,
                is_saved=result.is_saved,
                table=lambda: standings.table(rated=is_rated),
                more=more,
            )

        standings = play_tournament(
            checked,
            args.sets,
            rounds=rounds,
            folder=args.out,
            workers=args.workers,
            cluster=args.cluster,
            progress=progress,
            programs=True,
            anchor=args.anchor,
        )
    print(json.dumps(standings.as_json()) if args.json else standings_text(standings))
    write_reports(ContestReport(standings, _notes(standings)), args)
    if not standings.is_over:
        print_stopped(len(standings.results), standings.total, checked, args.out)
        return 130
    return 0


def standings_text(standings: Standings) -> str:
    """The standings as text."""
    table = [HEADINGS, *rows(standings.table())]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) if name == "player" else cell.rjust(width) for name, cell, width in each).rstrip()
        for each in (zip(HEADINGS, row, widths, strict=True) for row in table)
    ]
    return "\n".join([*lines, *_notes(standings)])


def _notes(standings: Standings) -> list[str]:
    """Sentences about what the table does not say."""
    notes = []
    if standings.champion is not None:
        notes.append(phrase("The winner is {player}.", player=standings.terms.players[standings.champion]))
    if byes := [f"{each.name} {each.byes}" for each in standings.table(rated=False) if each.byes]:
        notes.append(phrase("Games of byes count as won: {byes}.", byes=", ".join(byes)))
    return notes + forfeits(standings.terms.players, standings.results)
