"""Matches between two bots: paired openings, swapped seats, parallel games, resumable.

An opening is a few random moves from the match's seed. It is played once with each seating, so that luck in the
opening cancels out. A match with a folder writes each finished game there as a record; run again, it plays only the
missing games.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pentad.game import GameError, OptionValue, Position, game
from pentad.jit import cache
from pentad.jobs.pool import PoolThread, command_for
from pentad.jobs.process import WorkerDied, WorkerFailed
from pentad.jobs.worker import Answer, Jobs
from pentad.play.rating import strength
from pentad.play.seats import missing_kernels, sit
from pentad.play.table import FORFEIT, forfeit
from pentad.record import Record
from pentad.search.bot import Forfeit
from pentad.user_files import Lock, write_safely

TERMS, GAMES = "match.json", "games"


@dataclass(frozen=True)
class Terms:
    """The settings of a match; games with equal terms belong to one match."""

    game: str
    a: str
    b: str
    seed: int = 1
    plies: int = 2  # random moves of an opening
    seconds: float | None = None  # a move
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def checked(self, programs: bool = False) -> Terms:
        """These terms with all options: the game and both bots exist; `programs` as for `play_match`."""
        kind = game(self.game)
        options = kind.check_options(self.options)
        kind.new(**options)
        for who in (self.a, self.b):
            if sit(kind, who, programs=programs).is_human:
                raise GameError(f"A match is between bots. To play yourself, use: pentad play {self.game}")
        if self.plies < 0:
            raise GameError(f"Expected 0 or more opening moves, got {self.plies}.")
        if self.seconds is not None and not 0 < self.seconds < 86_400:
            raise GameError(f"Expected more than 0 seconds and less than a day per move, got {self.seconds}.")
        return replace(self, options=options)

    def start(self) -> Position:
        return game(self.game).new(**self.options)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a match: its opening and its seating (`a` or `b` for each seat)."""

    number: int
    opening: int
    seating: str


def seatings(players: int) -> tuple[str, ...]:
    """All seatings of two bots: each of them alone at each seat, with the other at all other seats.

    >>> seatings(2), seatings(3)
    (('ab', 'ba'), ('abb', 'bab', 'bba', 'baa', 'aba', 'aab'))
    """
    alone = [("b" * seat + "a" + "b" * (players - seat - 1)) for seat in range(players)]
    swapped = [seating.translate(str.maketrans("ab", "ba")) for seating in alone]
    return tuple(dict.fromkeys(alone + swapped))


def pairings(players: int, games: int) -> Iterator[Pairing]:
    """The games of a match, in order."""
    each = seatings(players)
    return (Pairing(number, number // len(each), each[number % len(each)]) for number in range(games))


def opening(terms: Terms, number: int) -> list[str]:
    """The random opening moves of a game; the game is not over after them."""
    for attempt in range(1000):
        rng = random.Random(f"{terms.seed}/{number}/{attempt}")
        here = terms.start()
        moves: list[str] = []
        while len(moves) < terms.plies and here.outcome is None:
            move = rng.choice(here.legal_moves)
            moves.append(str(move))
            here = here.play(move)
        if here.outcome is None:
            return moves
    raise GameError(f"No opening of {terms.plies} random moves leaves {terms.game} undecided.")


def play_game(terms: Terms, pairing: Pairing, programs: bool = False) -> str:
    """Play one game in a worker process; returns the text of its record."""
    record = Record(terms.start())
    names = [{"a": terms.a, "b": terms.b}[side] for side in pairing.seating]
    record.tags = {f"Seat{seat}": name for seat, name in enumerate(names)}
    record.tags |= {"Round": str(pairing.number + 1), "Seating": pairing.seating}
    seats = [
        sit(
            record.game,
            name,
            seed=random.Random(f"{terms.seed}/{pairing.number}/{seat}").getrandbits(63),
            programs=programs,
        )
        for seat, name in enumerate(names)
    ]
    players = [seat.bot for seat in seats if seat.bot]
    for move in opening(terms, pairing.opening):
        record.play(move)
    try:
        while record.outcome is None:
            seat = record.position.turn
            try:
                record.play(players[seat].choose(record.position, seconds=terms.seconds))
            except Forfeit as lost:
                forfeit(record, seat, f"{names[seat]} at seat {seat} forfeits: {lost}")
            except Exception as failed:  # an engine that fails loses its game, not the match
                forfeit(record, seat, f"{names[seat]} at seat {seat} failed: {type(failed).__name__}: {failed}")
    finally:
        for player in players:
            player.close()
    return record.text


# ── a match and its score ────────────────────────────────────────────────────────────────────────


@dataclass
class Score:
    """The score of a match, from the view of its first bot."""

    terms: Terms
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    moves: int = 0
    by_seat: list[int] = field(default_factory=list)  # games won by each seat, by either bot
    groups: dict[int, list[float]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def count(self, pairing: Pairing, record: Record) -> None:
        """Count a finished game."""
        outcome = record.outcome
        assert outcome is not None
        returns = {
            side: [r for r, s in zip(outcome.returns, pairing.seating, strict=True) if s == side] for side in "ab"
        }
        ours, theirs = (sum(returns[side]) / len(returns[side]) for side in "ab")
        points = 1.0 if ours > theirs else 0.0 if ours < theirs else 0.5
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.forfeits += outcome.reason == FORFEIT
        self.moves += len(record.moves)
        self.by_seat = self.by_seat or [0] * len(outcome.returns)
        if not outcome.is_draw:
            for seat in outcome.winners:
                self.by_seat[seat] += 1
        self.groups.setdefault(pairing.opening, []).append(points)

    def as_json(self) -> dict[str, object]:
        """The score as JSON data."""
        rated = strength(list(self.groups.values()))
        return {
            **asdict(self.terms),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": (self.wins + self.draws / 2) / self.games if self.games else None,
            "elo": rated.elo,
            "elo_error": rated.error,
            "elo_low": rated.low,
            "elo_high": rated.high,
            "forfeits": self.forfeits,
            "moves": self.moves,
            "wins_by_seat": self.by_seat,
        }


def play_match(
    terms: Terms,
    games: int,
    *,
    folder: Path | None = None,
    workers: int | None = None,
    progress: Callable[[Score], None] = lambda score: None,
    programs: bool = False,
) -> Score:
    """Play a match, or the rest of one; `progress` is called after every game.

    An interrupt stops the match; finished games are saved and counted. With `programs` bots that start a program are
    allowed: the user who runs pentad asked for both.
    """
    if games < 1:
        raise GameError(f"A match has at least 1 game, not {games}.")
    score = Score(terms)
    waiting = []
    try:
        with _locked(folder, terms):
            for pairing in pairings(terms.start().players, games):
                if record := _saved(folder, terms, pairing):
                    score.count(pairing, record)
                else:
                    waiting.append(pairing)
            if score.games:
                progress(score)
            with contextlib.suppress(KeyboardInterrupt):
                for pairing, text in _played(terms, waiting, workers or os.cpu_count() or 1, programs):
                    if folder:
                        write_safely(_path(folder, pairing), text)
                    score.count(pairing, Record.read(text))
                    progress(score)
    except OSError as error:
        raise GameError(f"Cannot save the match in {folder}: {error.strerror or error}.") from None
    except WorkerDied:
        raise GameError("A worker process was killed. Run the match again to continue it.") from None
    except WorkerFailed as failed:
        raise GameError(str(failed)) from None
    return score


def _played(terms: Terms, waiting: list[Pairing], workers: int, programs: bool) -> Iterator[tuple[Pairing, str]]:
    """The games in the order in which the workers finish them."""
    if workers == 1 or len(waiting) < 2:
        yield from ((pairing, play_game(terms, pairing, programs)) for pairing in waiting)
        return
    missing = [each for who in (terms.a, terms.b) for each in missing_kernels(terms.start(), who)]
    if missing:  # compiled here, with one progress bar
        cache.ensure_compiled(*dict.fromkeys(missing))
    workers, queue = min(workers, len(waiting)), iter(waiting)
    running: dict[Future[Answer], Pairing] = {}
    with PoolThread(COMMAND, workers, kind="engine", most=2 * workers) as pool:
        while True:
            for pairing in islice(queue, 2 * workers - len(running)):
                given = {"terms": asdict(terms), "pairing": asdict(pairing), "programs": programs}
                running[pool.submit("game", given)] = pairing
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), str(future.result()["record"])


def _game(terms: dict[str, Any], pairing: dict[str, Any], programs: bool) -> Iterator[Answer]:
    """The record of a game, as a job of a worker process."""
    yield {"record": play_game(Terms(**terms), Pairing(**pairing), programs)}


COMMAND = command_for(__name__)
JOBS: Jobs = {"game": _game}


# ── the folder of a match ────────────────────────────────────────────────────────────────────────


def _path(folder: Path, pairing: Pairing) -> Path:
    return folder / GAMES / f"{pairing.number + 1:05}.pentad"


def _saved(folder: Path | None, terms: Terms, pairing: Pairing) -> Record | None:
    """The game from the folder, if it was finished."""
    if not folder or not _path(folder, pairing).exists():
        return None
    path = _path(folder, pairing)
    try:
        record = Record.read(path.read_text(encoding="utf-8"))
        if record.start != terms.start() or record.tags.get("Seating") != pairing.seating or record.outcome is None:
            raise GameError("The record is of another game.")
    except (OSError, ValueError) as error:
        reason = f"{error.strerror or error}." if isinstance(error, OSError) else error
        game_number = f"{path} is not game {pairing.number + 1} of this match"
        raise GameError(f"{game_number}: {reason} Remove the file to play it again.") from None
    return record


@contextlib.contextmanager
def _locked(folder: Path | None, terms: Terms) -> Iterator[None]:
    """Lock the folder for a match with these terms."""
    if folder is None:
        yield
        return
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    with Lock(folder / ".lock", f"Another match is being played in {folder}."):
        _check_terms(folder, terms)
        yield


def _check_terms(folder: Path, terms: Terms) -> None:
    """Write the terms of the match, or compare them with those in the folder."""
    path = folder / TERMS
    ours = json.dumps(asdict(terms), indent=2, sort_keys=True) + "\n"
    if not path.exists():
        write_safely(path, ours)
        return
    try:
        theirs = json.loads(path.read_text(encoding="utf-8"))
        different = [key for key, value in json.loads(ours).items() if theirs.get(key) != value]
    except (OSError, ValueError, AttributeError):
        raise GameError(f"{path} does not contain the settings of a match.") from None
    if different:
        listed = ", ".join(f"{key} {theirs.get(key)}" for key in different)
        raise GameError(f"The match in {folder} was started with other settings: {listed}.")
