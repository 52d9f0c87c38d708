"""`pentad report`: rule sets of games measured by games of a bot against itself, and compared."""

from __future__ import annotations

import argparse
import shlex

from pentad.game import GameError, game
from pentad.play.rule_report import RuleReport, as_json, as_text, format_for, play_rule_sets, rule_sets, terms_of
from pentad.system.progress import Bar
from pentad.system.words import count, phrase
from pentad.terminal import files, streams
from pentad.terminal.arguments import CommandParser, add_game, add_whole, game_options
from pentad.terminal.contest import MOST_GAMES, add_places

STOPPED = 130
OPENING_PLIES = 4  # after fewer of them a bot without noise plays some games twice
OWN = ("--out", "--report", "--workers", "--cluster")  # options that do not bear on the games, with a value


def add_arguments(parser: CommandParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--compare",
        action="append",
        nargs="+",
        default=[],
        metavar="OPTION=VALUE",
        help="another rule set: options over those of GAME, or the name of another game and its options; an option "
        "without a value stands for each of its other values; can be given several times",
    )
    add_whole(parser, "--games", 1, MOST_GAMES, "number of games of each rule set", default=100)
    parser.add_argument("--bot", metavar="NAME", help="bot at all seats (default: the best one of the game at level 4)")
    add_whole(parser, "--nodes", 1, 10**9, "nodes that a bot searches per move, instead of those of its level")
    add_whole(parser, "--seed", 0, 2**62, "random seed for openings and bots", default=1)
    add_whole(parser, "--plies", 0, 100, "number of random opening moves", default=OPENING_PLIES)
    add_places(parser, "write the report as a page with plots, FILE.html, or as FILE.json")
    parser.set_defaults(command=shlex.join(["pentad", "report", *_of_games(parser.words)]))


def _of_games(words: list[str]) -> list[str]:
    """The words of the command without those about files, processes and output."""
    return [
        word
        for before, word in zip(["", *words], words, strict=False)
        if before not in OWN and word != "--json" and word.partition("=")[0] not in OWN
    ]


def run(args: argparse.Namespace) -> int:
    starts = rule_sets(game(args.game).new(**game_options(args)), args.compare)
    given = {"seed": args.seed, "plies": args.plies, "nodes": args.nodes}
    terms = [terms_of(start, args.bot, **given).checked(programs=True) for start in starts]
    for path in args.report:
        format_for(path)
        if not path.absolute().parent.is_dir():
            raise GameError("Cannot write {path}: There is no folder {parent}.", path=path, parent=path.parent)
        files.check_new(str(path), force=True)
    total = args.games * len(terms)
    with Bar(f"measuring {count(len(terms), 'rule set')}") as bar:

        def progress(done: int, _: bool) -> None:
            bar.update(done, total, f"  {done:,} of {count(total, 'game')}")

        measured = play_rule_sets(
            terms,
            args.games,
            folder=args.out,
            workers=args.workers,
            progress=progress,
            programs=True,
            cluster=args.cluster,
        )
    done = sum(len(each.course_by_game) for each in measured)
    if measured:
        report = RuleReport(measured, args.command)
        print(as_json(report) if args.json else as_text(report), end="" if args.json else "\n")
        for path in args.report:
            files.write_text(str(path), format_for(path)(report), force=True)
    if done < total:
        tip = "Run the same command again to continue." if args.out else "With --out DIR a report can be continued."
        streams.print_error(
            phrase("Stopped after {done:,} of {games}. {tip}", done=done, games=count(total, "game"), tip=tip)
        )
        return STOPPED
    return 0
