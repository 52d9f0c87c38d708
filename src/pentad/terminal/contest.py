"""What `match` and `tournament` share: the arguments of a contest, and the view of it while it runs."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from pentad.game import GameError
from pentad.play.contest import ContestTerms
from pentad.play.contest_report import HEADINGS, ContestReport, format_for, rows
from pentad.play.standings import Standing
from pentad.system.extras import has
from pentad.system.progress import can_redraw, format_duration, format_rate
from pentad.system.words import count, phrase
from pentad.terminal import files
from pentad.terminal.arguments import CommandParser, add_cluster, add_whole, game_options, number

REDRAW_SECONDS, LINE_SECONDS, FIRST_SECONDS = 0.5, 10.0, 0.3
MOST_GAMES = 1_000_000
MOST_RATED = 20  # players of a tournament whose ratings are computed while it runs


def add_conditions(parser: CommandParser, *, plies: int = 2, balance: float | None = None) -> None:
    """Add the conditions under which games are played, with the defaults of openings."""
    add_whole(parser, "--seed", 0, 2**62, "random seed for openings and bots", default=1)
    add_whole(parser, "--plies", 0, 100, "number of random opening moves", default=plies)
    parser.add_argument(
        "--balance",
        type=number(float, 0.001, 1, "a value"),
        default=balance,
        metavar="V",
        help="keep only openings that the game's engine values at most V from even, on a scale from -1 to 1"
        + (phrase(" (default: {balance:g}; 1 keeps all)", balance=balance) if balance else ""),
    )
    seconds = number(float, 0.001, 86_400, "a number of seconds")
    parser.add_argument("--seconds", type=seconds, metavar="S", help="time limit per move")
    add_whole(parser, "--nodes", 1, 10**9, "nodes that a bot searches per move, instead of those of its level")
    parser.add_argument(
        "--adjudicate", action="store_true", help="end a game when its exact value is known, if the game has a solver"
    )
    add_places(parser, "write a report as FILE.md, FILE.json or FILE.html")


def add_places(parser: CommandParser, report: str) -> None:
    """Adds where games are played and where they and their report go."""
    add_whole(parser, "--workers", 1, 256, "number of processes (default: one per core)")
    add_cluster(parser, "play the games")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder for the games; a second run plays only the missing ones"
    )
    again = phrase("{report}; can be given several times", report=report)
    parser.add_argument("--report", action="append", type=Path, default=[], metavar="FILE", help=again)
    parser.add_argument("--json", action="store_true", help="print JSON")


def terms(args: argparse.Namespace, players: Sequence[str], **more: Any) -> ContestTerms:
    """The terms of a contest between these players, checked."""
    given: dict[str, Any] = {
        name: getattr(args, name) for name in ("seed", "plies", "balance", "seconds", "nodes", "adjudicate")
    }
    # the user at the command line may start programs anyway
    return ContestTerms(args.game, tuple(players), options=game_options(args), **given, **more).checked(programs=True)


def check_reports(args: argparse.Namespace) -> None:
    """Refuse a report that cannot be written, before any game is played."""
    for path in args.report:
        format_for(path)
        if not path.absolute().parent.is_dir():
            raise GameError("Cannot write {path}: There is no folder {parent}.", path=path, parent=path.parent)
        files.check_new(str(path), force=True)


def write_reports(report: ContestReport, args: argparse.Namespace) -> None:
    """Write the reports; older ones are replaced."""
    for path in args.report:
        files.write_text(str(path), format_for(path)(report), force=True)


def print_stopped(done: int, of: int, contest: ContestTerms, folder: Path | None) -> None:
    """Print how a contest that was stopped can be continued."""
    tip = (
        "Run the same command again to continue."
        if folder
        else phrase("With --out DIR a {what} can be continued.", what=contest.what)
    )
    print(
        phrase("Stopped after {done} of {games}. {tip}", done=done, games=count(of, "game"), tip=tip), file=sys.stderr
    )


# ── the view ─────────────────────────────────────────────────────────────────────────────────────


class Showable(Protocol):
    """What a view shows: the standings, when they are needed."""

    def __call__(self) -> Sequence[Standing]: ...


class ContestView:
    """The state of a contest on stderr: a table on a terminal, otherwise a line from time to time.

    A context manager; at its end the table is cleared.
    """

    def __init__(self, title: str, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self.title, self._clock = title, clock
        self._shown = not quiet
        self._is_live = sys.stderr.isatty() and can_redraw() and has("rich")
        self._began = clock()
        self._next = self._began + (FIRST_SECONDS if self._is_live else LINE_SECONDS)
        self._live: Any = None  # rich's, imported when it is first drawn
        self._played = 0

    def __enter__(self) -> ContestView:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def update(self, done: int, of: int, *, is_saved: bool, table: Showable, more: str = "") -> None:
        """A game is done; `is_saved` if it was played before. Where `of` is 0, the total is unknown."""
        now = self._clock()
        if is_saved:
            self._began = now  # the rate is that of the games played now
        else:
            self._played += 1
        if not self._shown or now < self._next:
            return
        line = "  ".join(filter(None, (*self._progress(done, of, now), more)))
        self._next = now + (REDRAW_SECONDS if self._is_live else LINE_SECONDS)
        if self._is_live:
            self._draw(line, table())
        else:
            print(f"{self.title}: {line}", file=sys.stderr, flush=True)

    def _progress(self, done: int, of: int, now: float) -> list[str]:
        """The games done, their rate and the time left."""
        words = [f"{done:,} of {of:,} games" if of else f"{done:,} games"]
        if self._played and (rate := self._played / max(now - self._began, 0.001)):
            words.append(format_rate(rate))
            if of:
                words.append(f"{format_duration((of - done) / rate)} left")
        return words

    def _draw(self, line: str, table: Sequence[Standing]) -> None:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            console = Console(stderr=True, highlight=False, markup=False, emoji=False)
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(Group(Text(self.title, "bold"), rich_table(table), Text(line, "dim")), refresh=True)


def rich_table(table: Sequence[Standing]) -> Any:
    """The standings as a table for a terminal."""
    from rich.table import Table

    drawn = Table(box=None, pad_edge=False)
    for name in HEADINGS:
        drawn.add_column(name, justify="left" if name == "player" else "right", no_wrap=True)
    for row in rows(table):
        drawn.add_row(*row)
    return drawn
