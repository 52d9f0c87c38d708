"""Contests between bots: their games, played in parallel, saved in a folder, and continued after any end.

A match, a tournament and a report are contests: each gives pairings to a `Contest` and counts its games. A contest
with a folder saves every finished game there as a record; run again, it plays only the missing games.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pentad.game import GameError, OptionValue, Outcome, Position, Unavailable, game
from pentad.jobs.executors import Farm, ProcessFarm, completed, dask_farm
from pentad.jobs.worker import Answer, Jobs
from pentad.kernels import cache
from pentad.kernels.program import program
from pentad.play.game_state import FORFEIT, PROVED
from pentad.play.openings import opening
from pentad.play.pairings import MOST_PLAYERS, Pairing
from pentad.play.seats import kernels_from, sit
from pentad.play.table import forfeit
from pentad.record import Node, Record, Value
from pentad.search.analysis import fixed_value
from pentad.search.bot import Bot, Forfeit
from pentad.search.exact import exact_value
from pentad.search.move_limit import Limit
from pentad.search.report import Result
from pentad.system.files import Lock, write_safely
from pentad.system.words import count, phrase

# The systems beside those of `pairings`: a contest between two bots, and one bot at all seats.
MATCH, SELF_PLAY = "match", "self-play"
KINDS = {MATCH: "match", SELF_PLAY: "report"}  # all others are tournaments
GAMES, DAMAGED = "games", ".damaged"
EXACT_MEGABYTES = 16  # a position is adjudicated if its solution takes no more
CHUNK_SECONDS, MOST_AT_ONCE = 0.25, 64  # how long and how many short games are played between two answers
EXACT_SECONDS, EXACT_MEMORY = 60.0, 256 << 20  # limits far above what such a solution takes

# ── the terms ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class ContestTerms:
    """The settings of a contest; games with equal terms belong to one contest.

    A move has a limit of `seconds` or `nodes`. A meeting has `sets` if the pairings depend on the results.
    """

    game: str
    players: Sequence[str]
    system: str = MATCH
    seed: int = 1
    plies: int = 2  # random moves of an opening
    balance: float | None = None  # the largest value of an opening for a seat
    seconds: float | None = None
    nodes: int | None = None
    adjudicate: bool = False  # whether a game ends when its exact value is known
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    sets: int | None = None

    def checked(self, programs: bool = False) -> ContestTerms:
        """These terms with all options: the game and all bots exist; `programs` as for `Contest`."""
        kind = game(self.game)
        options = kind.check_options(self.options)
        start = kind.new(**options)
        for who in dict.fromkeys(self.players):
            seat = sit(kind, who, programs=programs)
            if seat.bot is None:
                raise GameError(
                    "A {what} is for bots only. To play yourself, run: pentad play {game}",
                    what=self.what,
                    game=self.game,
                )
            with contextlib.closing(seat.bot) as bot:
                bot.check(Limit(nodes=self.nodes))
        self._check_players(start.players)
        if self.plies < 0:
            raise GameError("Expected 0 or more opening moves, got {plies}.", plies=self.plies)
        if self.seconds is not None and not 0 < self.seconds < 86_400:
            raise GameError(
                "Expected more than 0 seconds and less than a day per move, got {seconds}.", seconds=self.seconds
            )
        if self.adjudicate and not kind.has("exact"):
            raise GameError("{title} has no exact solver, so its games cannot be adjudicated.", title=kind.title)
        return replace(self, options=options)

    def _check_players(self, seats: int) -> None:
        if self.system in KINDS:
            return
        if len(set(self.players)) < len(self.players):
            twice = next(who for who in self.players if list(self.players).count(who) > 1)
            raise GameError("{name} is listed twice.", name=twice)
        if not seats <= len(self.players) <= MOST_PLAYERS:
            raise GameError(
                "Expected {seats} to {most_players} players, got {count}.",
                seats=seats,
                most_players=MOST_PLAYERS,
                count=len(self.players),
            )

    def bot_for(self, pairing: Pairing, seat: int, programs: bool) -> Bot:
        """The bot at a seat of a game."""
        seed = random.Random(f"{self.seed}/{pairing.number}/{seat}").getrandbits(63)
        bot = sit(game(self.game), self.players[pairing.seating[seat]], seed=seed, programs=programs).bot
        assert bot is not None
        return bot

    @property
    def limit(self) -> Limit:
        """The limit of a move."""
        return Limit(seconds=self.seconds, nodes=self.nodes)

    @property
    def what(self) -> str:
        """The contest as a noun."""
        return KINDS.get(self.system, "tournament")

    def start(self) -> Position:
        return game(self.game).new(**self.options)

    @property
    def settings(self) -> dict[str, Any]:
        """The terms as JSON data; a match has its players as `a` and `b`."""
        data = asdict(self)
        if self.system == MATCH:
            del data["system"], data["players"], data["sets"]
            return {"game": self.game, "a": self.players[0], "b": self.players[1], **data}
        return data | {"players": list(self.players)}


# ── one game ─────────────────────────────────────────────────────────────────────────────────────


def play_game(terms: ContestTerms, pairing: Pairing, programs: bool = False) -> str:
    """Play one game in a worker process; returns the text of its record."""
    record = Record(terms.start())
    names = [terms.players[player] for player in pairing.seating]
    record.tags = tags(terms, pairing)
    players = [terms.bot_for(pairing, seat, programs) for seat in range(len(names))]
    for move in opening(record.start, terms.plies, terms.seed, pairing.opening, terms.balance):
        record.play(move)
    try:
        while record.outcome is None:
            seat = record.position.turn
            if terms.adjudicate and (proved := exact_outcome(record.position)):
                record.ended = proved
                break
            try:
                found = players[seat].play(record.position, terms.limit)
                node = record.play(found.move)
                if terms.system == SELF_PLAY:
                    node.value = value_of_move(node, found)
            except Forfeit as lost:
                forfeit(
                    record,
                    seat,
                    phrase("{name} at seat {seat} forfeits: {lost}", name=names[seat], seat=seat, lost=lost),
                )
            except Exception as failed:  # an engine that fails loses its game, not the match
                forfeit(
                    record,
                    seat,
                    phrase(
                        "{name} at seat {seat} failed: {kind}: {reason}",
                        name=names[seat],
                        seat=seat,
                        kind=type(failed).__name__,
                        reason=failed,
                    ),
                )
    finally:
        for player in players:
            player.close()
    return record.text


def tags(terms: ContestTerms, pairing: Pairing) -> dict[str, str]:
    """The tags of a game's record, by which it is recognised."""
    names = {f"Seat{seat}": terms.players[player] for seat, player in enumerate(pairing.seating)}
    return names | {"Round": str(pairing.number + 1), "Seating": pairing.letters}


def exact_outcome(position: Position) -> Outcome | None:
    """The outcome of perfect play, if it is found at once; the same on every machine."""
    kind = game(position.game)
    if not kind.has("exact") or kind.module("exact").megabytes(position, EXACT_MEMORY) > EXACT_MEGABYTES:
        return None
    # An opening whose value the book knows is for the players to play.
    found = exact_value(position, seconds=EXACT_SECONDS, memory=EXACT_MEMORY, book=False)
    if found is None:
        return None
    winner = position.turn if found.value > 0 else 1 - position.turn
    return Outcome.of((winner,) if found.value else (), 2, PROVED)


def value_of_move(node: Node, found: Result) -> Value:
    """The value of a bot's move: exact if that is found at once, else by its search, or by a search of fixed work."""
    before, _ = node.played
    seat, after = before.turn, node.position
    if known := exact_value(after):
        return Value(known.values[seat], exact=True)
    if outcome := after.outcome or exact_outcome(after):
        return Value(outcome.returns[seat], exact=True)
    if found.value is None:
        return Value(fixed_value(after)[seat])
    return Value(found.value, exact=found.exact and bool(found.line))


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game: the return of each seat, and how it ended."""

    pairing: Pairing
    returns: tuple[float, ...]
    winners: tuple[int, ...]  # seats; none in a draw
    reason: str
    moves: int
    is_saved: bool = False  # an earlier run has played it
    comment: str = ""  # on the last move; of a forfeit, who has failed and why

    @classmethod
    def of(cls, pairing: Pairing, record: Record, is_saved: bool = False) -> GameResult:
        outcome = record.outcome
        assert outcome is not None
        winners = () if outcome.is_draw else outcome.winners
        comment = " ".join(record.end.comment.split())
        return cls(pairing, outcome.returns, winners, outcome.reason, len(record.moves), is_saved, comment)

    @property
    def ranking(self) -> list[list[int]]:
        """The players in tiers of equal returns, the best first; of a player at several seats the average counts.

        >>> GameResult(Pairing(0, 0, (0, 1)), (-1.0, 1.0), (1,), "five", 9).ranking
        [[1], [0]]
        """
        returns: dict[int, list[float]] = {}
        for player, gained in zip(self.pairing.seating, self.returns, strict=True):
            returns.setdefault(player, []).append(gained)
        tiers: dict[float, list[int]] = {}
        for player, gains in returns.items():
            tiers.setdefault(round(sum(gains) / len(gains), 9), []).append(player)
        return [tiers[mean] for mean in sorted(tiers, reverse=True)]

    @property
    def points(self) -> dict[int, float]:
        """Each player's share of the win: of two players 1, 1/2 or 0."""
        best, *others = self.ranking
        return dict.fromkeys(best, 1 / len(best)) | {player: 0.0 for tier in others for player in tier}

    @property
    def is_forfeit(self) -> bool:
        return self.reason == FORFEIT

    @property
    def loser(self) -> int:
        """The player who has forfeited the game: all others win it."""
        return next(player for seat, player in enumerate(self.pairing.seating) if seat not in self.winners)


# ── the games of a contest ───────────────────────────────────────────────────────────────────────


class Contest:
    """Plays the games of a contest; a context manager, which holds the lock of the folder.

    With `programs` bots that start a program are allowed: the user who runs pentad asked for them.
    """

    def __init__(
        self,
        terms: ContestTerms,
        folder: Path | None = None,
        workers: int | None = None,
        programs: bool = False,
        notice: Callable[[str], None] = lambda text: print(text, file=sys.stderr),
        cluster: str | None = None,
    ) -> None:
        """`notice` is called with a sentence about each damaged record; `cluster` is the address of one of Dask."""
        self.terms, self.folder, self.programs, self._notice = terms, folder, programs, notice
        self.workers, self._chosen, self._cluster = workers or os.cpu_count() or 1, workers, cluster
        self.saved = 0
        self._farm: Farm | None = None
        self._games_at_once = 1  # a worker plays so many without an answer in between
        self._exits = contextlib.ExitStack()

    def __enter__(self) -> Contest:
        with self._exits:
            if self.folder:
                with self._saving():
                    self._exits.enter_context(self._locked(self.folder))
            self._exits = self._exits.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def play(self, pairings: Iterable[Pairing]) -> Generator[GameResult, None, None]:
        """The results: those from the folder in order, then the others as the games end."""
        with contextlib.closing(self.records(pairings)) as records:
            yield from (GameResult.of(pairing, record, is_saved) for pairing, record, is_saved in records)

    def records(self, pairings: Iterable[Pairing]) -> Generator[tuple[Pairing, Record, bool], None, None]:
        """The games and whether each was saved before: those from the folder in order, then the others as they end."""
        waiting = []
        for pairing in pairings:
            if record := self._read(pairing):
                self.saved += 1
                yield pairing, record, True
            else:
                waiting.append(pairing)
        with contextlib.closing(self._played(waiting)) as played:
            for pairing, text in played:
                if self.folder:
                    with self._saving():
                        write_safely(self._path(self.folder, pairing), text)
                    self.saved += 1
                yield pairing, Record.read(text), False

    def _played(self, waiting: list[Pairing]) -> Generator[tuple[Pairing, str], None, None]:
        """The games in the order in which the workers finish them."""
        if waiting:
            self._load_kernels()
        if self._cluster is None and (self.workers == 1 or len(waiting) < 2):
            yield from ((pairing, play_game(self.terms, pairing, self.programs)) for pairing in waiting)
            return
        if self._farm is None:
            self._farm = self._exits.enter_context(self._opened())
        with contextlib.closing(completed(self._farm, "games", self._units(waiting))) as answers:
            for pairings, answer in answers:
                yield from zip(pairings, answer["records"], strict=True)
                pace = CHUNK_SECONDS / max(answer["seconds"], 1e-3)
                self._games_at_once = max(1, min(int(pace * len(pairings)), MOST_AT_ONCE))

    def _units(self, waiting: list[Pairing]) -> Iterator[tuple[list[Pairing], dict[str, Any]]]:
        """Units of work: one game, or as many short ones as take a while."""
        terms, queue = asdict(self.terms), iter(waiting)
        while pairings := list(islice(queue, self._games_at_once)):
            yield pairings, {"terms": terms, "pairings": [*map(asdict, pairings)], "programs": self.programs}

    def _opened(self) -> contextlib.AbstractContextManager[Farm]:
        """What plays the games: a cluster, or processes of this machine."""
        if self._cluster is not None:
            return dask_farm(__name__, self._cluster, self._chosen)
        return ProcessFarm(__name__, self.workers, "engine")

    def _load_kernels(self) -> None:
        """Loads the kernels of all bots, so that none fails in its first game; the missing ones are compiled here."""
        start = self.terms.start()
        needed = {who: kernels_from(start, who) for who in dict.fromkeys(self.terms.players)}
        cache.ensure_compiled(*(each for names in needed.values() for each in names))
        for who, names in needed.items():
            try:
                for each in names:
                    program(each)
            except Exception as failed:
                reason = str(failed) if isinstance(failed, GameError) else f"{type(failed).__name__}: {failed}"
                raise Unavailable(
                    "{who} cannot play {game} here: {reason}", who=who, game=start.game, reason=reason
                ) from failed

    # ── the folder ───────────────────────────────────────────────────────────────────────────────

    @contextlib.contextmanager
    def _saving(self) -> Iterator[None]:
        """Reports an error of the file system in one line."""
        try:
            yield
        except OSError as error:
            kept = (
                phrase(" {games} saved. Run the same command again to continue.", games=count(self.saved, "game"))
                if self.saved
                else ""
            )
            reason = error.strerror or error
            raise GameError(
                "Cannot save the {what} in {folder}: {reason}.{saved}",
                what=self.terms.what,
                folder=self.folder,
                reason=reason,
                saved=kept,
            ) from None

    @contextlib.contextmanager
    def _locked(self, folder: Path) -> Iterator[None]:
        """Lock the folder for a contest with these terms."""
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        with Lock(folder / ".lock", phrase("Another match is being played in {folder}.", folder=folder)):
            self._check_terms(folder)
            for draft in (folder / GAMES).glob(".*.tmp"):  # a process that was killed leaves its drafts
                draft.unlink(missing_ok=True)
            yield

    def _check_terms(self, folder: Path) -> None:
        """Write the terms of the contest, or compare them with those in the folder."""
        for what in ("match", "tournament", "report"):
            if what != self.terms.what and (folder / f"{what}.json").exists():
                raise GameError(
                    "{folder} has the games of a {what}. Choose another folder for this {planned}.",
                    folder=folder,
                    what=what,
                    planned=self.terms.what,
                )
        path = folder / f"{self.terms.what}.json"
        if not path.exists():
            write_safely(path, json.dumps(self.terms.settings, indent=2, sort_keys=True) + "\n")
            return
        ours = json.loads(json.dumps(self.terms.settings))
        try:
            theirs = json.loads(path.read_text(encoding="utf-8"))
            different = [key for key, value in ours.items() if theirs.get(key) != value]
        except (OSError, ValueError, AttributeError):
            raise GameError(
                "{path} does not contain the settings of a {what}.", path=path, what=self.terms.what
            ) from None
        if different:
            listed = ", ".join(f"{key} {theirs.get(key)}" for key in different)
            raise GameError(
                "The {what} in {folder} was started with other settings: {listed}.",
                what=self.terms.what,
                folder=folder,
                listed=listed,
            )

    def _path(self, folder: Path, pairing: Pairing) -> Path:
        return folder / GAMES / f"{pairing.number + 1:05}.pentad"

    def _read(self, pairing: Pairing) -> Record | None:
        """The game from the folder, if it was finished.

        A damaged file is kept under another name, and the game is played again.
        """
        if not self.folder:
            return None
        path = self._path(self.folder, pairing)
        try:
            record = Record.read(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise GameError("Cannot read {path}: {reason}.", path=path, reason=error.strerror or error) from None
        except ValueError as error:
            aside = path.with_name(path.name + DAMAGED)
            with self._saving():
                path.replace(aside)
            self._notice(
                phrase(
                    "{path}: {error} The file is now {name}, and the game is played again.",
                    path=path,
                    error=error,
                    name=aside.name,
                )
            )
            return None
        expected = tags(self.terms, pairing)
        if not (record.start == self.terms.start() and expected.items() <= record.tags.items() and record.outcome):
            raise GameError(
                "{path} is not game {number} of this {what}. Remove the file to play it again.",
                path=path,
                number=pairing.number + 1,
                what=self.terms.what,
            )
        return record


def _games(terms: dict[str, Any], pairings: list[dict[str, Any]], programs: bool) -> Iterator[Answer]:
    """The records of some games, and how long they took, as a job of a worker process."""
    began, played = time.perf_counter(), ContestTerms(**terms)
    numbers = [Pairing(each["number"], each["opening"], tuple(each["seating"])) for each in pairings]
    records = [play_game(played, each, programs) for each in numbers]
    yield {"records": records, "seconds": time.perf_counter() - began}


JOBS: Jobs = {"games": _games}
