"""`pentad data`: data sets of games and exact labels in Parquet, and questions to them.

Ctrl-C stops the making of a data set; complete shards stay, and the same command continues. The exit code is then 130.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from pentad.game import Position, game, load
from pentad.play.data import Dataset, Progress, import_records, make_games, make_labels
from pentad.system.progress import Bar
from pentad.system.words import amount, count, phrase
from pentad.terminal import streams
from pentad.terminal.arguments import (
    CommandParser,
    add_cluster,
    add_game,
    add_position,
    add_whole,
    choose,
    game_options,
)

MOST = 10**10
EXACT, OF_A_BOT = 1_000_000, 1_000  # labels, unless their number is given
MOST_LISTED = 20  # a tree may have more moves, and a position more occurrences
EXIT_STOPPED, EXIT_DAMAGED = 130, 2


def _add_making(parser: CommandParser) -> None:
    parser.add_argument(
        "--out", metavar="FOLDER", required=True, help="folder of the data set; an unfinished one is continued"
    )
    add_whole(parser, "--shards", 1, 10_000, "number of shards, each written at once")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_counted(parser: CommandParser, default: int | None, what: str) -> None:
    add_game(parser)
    add_whole(parser, "--count", 0, MOST, f"number of {what}", default)
    add_whole(parser, "--seed", 0, MOST, "random seed", 1)
    _add_making(parser)


def _made(args: argparse.Namespace, what: str, make: Callable[[Progress], dict[str, Any]]) -> int:
    """Makes a data set with a progress bar, and prints what it has."""
    try:
        with Bar(f"making {what}") as bar:
            manifest = make(lambda done, shards: bar.update(done, shards, f"  {done:,} of {count(shards, 'shard')}"))
    except KeyboardInterrupt:
        streams.print_error(
            phrase("Stopped. The complete shards are in {out}. Run the same command again to continue.", out=args.out)
        )
        return EXIT_STOPPED
    if args.json:
        print(json.dumps(manifest))
        return 0
    rows: dict[str, int] = {}
    for each in manifest["files"]:
        table = each["name"].partition("-")[0]
        rows[table] = rows.get(table, 0) + each["rows"]
    size = sum(each["bytes"] for each in manifest["files"])
    words = ", ".join(count(many, table.removesuffix("s")) for table, many in rows.items())
    print(f"{args.out}: {words} in {count(manifest['shards'], 'shard')}, {amount(size)}")
    if manifest.get("left_out"):
        print(
            phrase("left out, since they begin in another position: {games}", games=count(manifest["left_out"], "game"))
        )
    return 0


class DataGames:
    """`pentad data games`: self-play games, random or of bots."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_counted(parser, 1_000, "games")
        parser.add_argument(
            "--bots",
            metavar="NAMES",
            default="random",
            help="bots, separated by commas; they swap seats after each game (default: random moves)",
        )
        add_whole(parser, "--workers", 1, 256, "number of processes, which make a shard each", 1)
        add_cluster(parser, "make the shards", ", whose machines share FOLDER")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        about = {"count": args.count, "seed": args.seed, "shards": args.shards, "bots": args.bots.split(",")}
        about |= {"workers": args.workers, "cluster": args.cluster}
        options = game_options(args)
        return _made(
            args, "games", lambda bar: make_games(args.out, args.game, progress=bar, **about, **options)
        )  # fmt: skip


class DataLabels:
    """`pentad data labels`: exact values of random positions by the game's solver, or values by a bot's searches."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_counted(
            parser,
            None,
            phrase("labels (default: {exact:,} exact ones, or {by_bot:,} by a bot)", exact=EXACT, by_bot=OF_A_BOT),
        )
        parser.add_argument(
            "--bot",
            metavar="NAME",
            help="label positions of this bot's games by its searches (default: exact, if possible)",
        )
        add_whole(parser, "--nodes", 1, 10**9, "nodes that a bot searches per move, instead of those of its level")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        is_exact = args.bot is None and args.nodes is None and game(args.game).has("labels")
        count = args.count if args.count is not None else EXACT if is_exact else OF_A_BOT
        about = {"count": count, "seed": args.seed, "shards": args.shards, "bot": args.bot, "nodes": args.nodes}
        options = game_options(args)
        return _made(args, "labels", lambda bar: make_labels(args.out, args.game, progress=bar, **about, **options))


class DataImport:
    """`pentad data import`: the games of record files."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="files with records, in any format; a shard for each"
        )
        parser.add_argument(
            "--from", dest="format_name", metavar="FORMAT", help="format of the files (default: by suffix)"
        )
        parser.add_argument("--as", dest="name", metavar="GAME", help="game of move lists that do not name it")
        parser.add_argument("--out", metavar="FOLDER", required=True, help="folder of the data set")
        parser.add_argument("--json", action="store_true", help="print JSON")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        about = {"format_name": args.format_name, "name": args.name}
        return _made(args, "games", lambda bar: import_records(args.out, args.files, progress=bar, **about))


def _add_asking(parser: CommandParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="folder of a data set")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_position(parser: CommandParser) -> None:
    _add_asking(parser)
    parser.add_argument(
        "moves", metavar="MOVE", nargs="*", help="moves from the start, each in quotes if it has blanks"
    )
    add_position(parser)


def _position(args: argparse.Namespace, data: Dataset) -> Position:
    """The position of `--position`, or after the moves."""
    here = data.start if args.position is None else load(args.position)
    for move in args.moves:
        here = here.play(move)
    return here


class DataStatistics:
    """`pentad data statistics`: numbers about a data set."""

    add_arguments = staticmethod(_add_asking)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        found = Dataset(args.folder).statistics()
        if args.json:
            print(json.dumps(found))
            return 0
        for name, value in found.items():
            words = name.replace("_", " ")
            if isinstance(value, list):
                for each in value:
                    print("  ".join(f"{key} {_shown(number)}" for key, number in each.items()))
            elif isinstance(value, dict):
                print(f"{words}: {', '.join(f'{key} {_shown(number)}' for key, number in value.items())}")
            else:
                print(f"{words}: {_shown(value)}")
        return 0


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else "none"


class DataCheck:
    """`pentad data check`: compares the files of a data set with its manifest."""

    add_arguments = staticmethod(_add_asking)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        data = Dataset(args.folder)
        faults, files = data.check(), data.manifest["files"]
        if args.json:
            print(json.dumps({"files": len(files), "faults": faults}))
        elif not faults:
            size = amount(sum(each["bytes"] for each in files))
            print(
                phrase(
                    "{folder}: {files}, {size}: checksums, rows and columns are right",
                    folder=args.folder,
                    files=count(len(files), "file"),
                    size=size,
                )
            )
        for fault in faults:
            streams.print_error(fault)
        return EXIT_DAMAGED if faults else 0


class DataTree:
    """`pentad data tree`: the moves that were played from a position, with their results."""

    add_arguments = staticmethod(_add_position)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        data = Dataset(args.folder)
        branches = data.tree(_position(args, data))
        if args.json:
            print(json.dumps([branch._asdict() | {"move": str(branch.move)} for branch in branches]))
            return 0
        print(phrase("{moves}, up to symmetry", moves=count(len(branches), "move")))
        width = max((len(str(branch.move)) for branch in branches), default=0)
        for branch in branches[:MOST_LISTED]:
            results = f"+{branch.wins:,} ={branch.draws:,} -{branch.losses:,}"
            print(f"{branch.move!s:{width}}  {branch.times:9,}  {branch.score:6.1%}  {results}")
        if len(branches) > MOST_LISTED:
            print(f"and {len(branches) - MOST_LISTED:,} more")
        return 0


class DataSearch:
    """`pentad data search`: the games in which a position, or a symmetric one, occurs."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_position(parser)
        add_whole(parser, "--limit", 0, 10**6, "occurrences to list", MOST_LISTED)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        data = Dataset(args.folder)
        number, found = data.search(_position(args, data), args.limit)
        if args.json:
            print(json.dumps({"count": number, "occurrences": [each._asdict() for each in found]}))
            return 0
        print(count(number, "occurrence"))
        words = {1: "won", 0: "drew", -1: "lost"}
        for each in found:
            print(
                phrase(
                    "game {game:,}, move {ply}: The player to move {word}.",
                    game=each.game,
                    ply=each.ply + 1,
                    word=words[each.result],
                )
            )
        return 0


COMMANDS: dict[str, tuple[Any, str]] = {
    "games": (DataGames, "generate games, random or by bots"),
    "labels": (DataLabels, "label positions with exact or bot values"),
    "import": (DataImport, "make a data set from record files"),
    "statistics": (DataStatistics, "show statistics of a data set"),
    "check": (DataCheck, "compare the files of a data set with their checksums"),
    "tree": (DataTree, "show the moves played from a position"),
    "search": (DataSearch, "find games that reach a position"),
}


def add_arguments(parser: CommandParser) -> None:
    summaries = {name: summary for name, (_, summary) in COMMANDS.items()}
    choose(parser, "pentad data", summaries, lambda name: COMMANDS[name][0])
