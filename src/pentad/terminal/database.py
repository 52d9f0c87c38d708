"""`pentad database`: backups of the server's database, and a check of all that is stored in it.

The exit code of a check is 1 if it finds a problem, and 2 if there is no database that it can read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pentad.game import GameError
from pentad.system.extras import needs
from pentad.system.progress import Bar
from pentad.system.words import amount, count, phrase
from pentad.terminal import files, streams
from pentad.terminal.arguments import CommandParser, add_database, choose

if TYPE_CHECKING:
    from pentad.store.sqlite_files import Progress

EXIT_PROBLEMS, EXIT_STOPPED = 1, 130


def _url(args: argparse.Namespace) -> str | None:
    """The database of the server, by its settings."""
    with needs("web"):
        from pentad.web.settings import settings

    return settings({"database": args.database}).database


@contextmanager
def _copying() -> Iterator[Progress]:
    """A bar for the pages of a copy."""
    with Bar("copying the database") as bar:
        yield lambda done, pages: bar.update(done, pages)


class DatabaseBackup:
    """`pentad database backup`: a copy of the database in one file, made while the server runs."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="file to write")
        parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        url = _url(args)
        with needs("web"):
            from pentad.store.backups import back_up

        if args.file == files.STANDARD:
            raise GameError("Expected a file name, got {file}.", file=args.file)
        path = files.check_new(args.file, force=args.force)
        with files.writing(args.file), _copying() as progress:
            made = back_up(url, path, progress)
        print(f"{args.file}: {count(made.games, 'game')}, {amount(made.path.stat().st_size)}")
        return 0


class DatabaseRestore:
    """`pentad database restore`: replaces the database by a backup, while no server uses it."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="file that `backup` has written")
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        url = _url(args)
        with needs("web"):
            from pentad.store.backups import restore

        with _copying() as progress:
            made = restore(url, files.named(args.file), progress)
        print(phrase("{path}: {games}, from {file}", path=made.path, games=count(made.games, "game"), file=args.file))
        if made.replaced:
            print(phrase("The replaced database is {path}.", path=made.replaced))
        return 0


class DatabaseCheck:
    """`pentad database check`: reads everything in the database, and replays each game by its rules."""

    add_arguments = staticmethod(add_database)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        url = _url(args)
        with needs("web"):
            from pentad.store.backups import inspected
            from pentad.web.stored_games import check, stored_things

        seen: Counter[str] = Counter()
        with inspected(url) as database, Bar("checking") as bar:
            name = database.location.name

            def report(problem: str) -> None:
                bar.clear()
                streams.print_error(problem)
                seen["problem"] += 1

            for fault in database.faults:
                report(f"{name}: {fault}.")
            things = stored_things(database)
            was_stopped = False
            try:
                for thing in bar.each(things, len(things)):
                    try:
                        seen[thing.part] += check(database, thing)
                    except GameError as error:
                        report(phrase("{kind} {name}: {problem}", kind=thing.kind, name=thing.name, problem=error))
                    seen[thing.kind] += 1
            except KeyboardInterrupt:
                was_stopped = True
        seen_of = {part: count(seen[part], part) for part in ("game", "move", "chapter", "problem")}
        print(phrase("{name}: {game}, {move}, {chapter} of studies, {problem}", name=name, **seen_of))
        if was_stopped:
            left = sum(thing.kind in ("game", "study") for thing in things) - seen["game"] - seen["study"]
            streams.print_error(phrase("Stopped. {left:,} games and studies are not checked.", left=left))
            return EXIT_STOPPED
        return EXIT_PROBLEMS if seen["problem"] else 0


COMMANDS: dict[str, tuple[Any, str]] = {
    "backup": (DatabaseBackup, "copy the database to a file while the server runs"),
    "restore": (DatabaseRestore, "replace the database by a backup"),
    "check": (DatabaseCheck, "read everything in the database, and replay its games"),
}


def add_arguments(parser: CommandParser) -> None:
    summaries = {name: summary for name, (_, summary) in COMMANDS.items()}
    choose(parser, "pentad database", summaries, lambda name: COMMANDS[name][0])
