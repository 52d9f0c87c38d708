"""Matches between two bots: paired openings, seats swapped, all cores, resumable.

Every opening is a few random moves by the match's seed, and is played once with each seating, so that luck
in the opening cancels. A match with a folder keeps each game there as a record as soon as it is over; run
again, it plays what is missing and nothing twice.
"""

from __future__ import annotations

import json
import os
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path

from pentad.game import GameError, OptionValue, Position, game
from pentad.play.rating import strength
from pentad.play.seats import HUMAN, sit
from pentad.play.table import FORFEIT, forfeit
from pentad.record import Record
from pentad.search.bot import Forfeit
from pentad.user_files import Lock, write_safely

__all__ = ["FORFEIT", "Pairing", "Score", "Terms", "opening", "pairings", "play_game", "play_match", "seatings"]

TERMS, GAMES = "match.json", "games"


@dataclass(frozen=True)
class Terms:
    """What two matches must have in common for their games to count as one."""

    game: str
    a: str
    b: str
    seed: int = 1
    plies: int = 2  # random moves of an opening
    seconds: float | None = None  # a move
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        name: str,
        a: str,
        b: str,
        *,
        seed: int = 1,
        plies: int = 2,
        seconds: float | None = None,
        options: Mapping[str, object] | None = None,
        programs: bool = False,
    ) -> Terms:
        """Terms that can be kept: the game, its options and both bots are there; `programs` as for `play_match`."""
        kind = game(name)
        checked = kind.check_options(options or {})
        kind.new(**checked)
        for who in (a, b):
            if sit(kind, who, programs=programs).is_human:
                raise GameError(f"a match is between bots; {HUMAN} plays with: pentad play {name}")
        if plies < 0:
            raise GameError(f"an opening has 0 moves or more, not {plies}")
        if seconds is not None and not 0 < seconds < 86_400:
            raise GameError(f"a move takes more than 0 seconds and less than a day, not {seconds}")
        return cls(name, a, b, seed, plies, seconds, checked)

    def start(self) -> Position:
        return game(self.game).new(**self.options)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a match: which opening, and who sits where (`a` or `b` for each seat)."""

    number: int
    opening: int
    seating: str


def seatings(players: int) -> tuple[str, ...]:
    """Every way to seat the two: one of them alone at each seat, against the other at all others.

    >>> seatings(2), seatings(3)
    (('ab', 'ba'), ('abb', 'bab', 'bba', 'baa', 'aba', 'aab'))
    """
    alone = [("b" * seat + "a" + "b" * (players - seat - 1)) for seat in range(players)]
    swapped = [seating.translate(str.maketrans("ab", "ba")) for seating in alone]
    return tuple(dict.fromkeys(alone + swapped))


def pairings(players: int, games: int) -> Iterator[Pairing]:
    """The games of a match in their order."""
    ways = seatings(players)
    return (Pairing(number, number // len(ways), ways[number % len(ways)]) for number in range(games))


def opening(terms: Terms, number: int) -> list[str]:
    """The random moves that a game begins with; the game still goes on after them."""
    for attempt in range(1000):
        chance = random.Random(f"{terms.seed}/{number}/{attempt}")
        here = terms.start()
        moves: list[str] = []
        while len(moves) < terms.plies and here.outcome is None:
            move = chance.choice(here.legal_moves)
            moves.append(str(move))
            here = here.play(move)
        if here.outcome is None:
            return moves
    raise GameError(f"no opening of {terms.plies} random moves leaves {terms.game} undecided")


def play_game(terms: Terms, pairing: Pairing, programs: bool = False) -> str:
    """Play one game; the text of its record. Runs in a worker process."""
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
            except Exception as failed:  # an engine that breaks down loses its game, not the match
                forfeit(record, seat, f"{names[seat]} at seat {seat} failed: {type(failed).__name__}: {failed}")
    finally:
        for player in players:
            player.close()
    return record.text


# ── a match and its score ────────────────────────────────────────────────────────────────────────


@dataclass
class Score:
    """How a match stands, seen by its first player."""

    terms: Terms
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    moves: int = 0
    by_seat: list[int] = field(default_factory=list)  # games that each seat won, whoever sat there
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
        """The score as data."""
        rated = strength(list(self.groups.values()))
        return {
            **{key: value for key, value in asdict(self.terms).items() if key != "options"},
            "options": dict(self.terms.options),
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
    """Play a match, or the rest of one; `progress` hears of every game that is over.

    An interrupt stops it with the games that are finished kept and counted. `programs` is whether its bots may start
    some: whoever runs pentad has asked for both.
    """
    if games < 1:
        raise GameError(f"a match has at least 1 game, not {games}")
    try:
        with _held(folder, terms):
            play = partial(play_game, programs=True) if programs else play_game
            return _play(terms, games, folder, workers or os.cpu_count() or 1, progress, play)
    except OSError as error:
        raise GameError(f"the match cannot be kept in {folder}: {error.strerror or error}") from None
    except BrokenProcessPool:
        raise GameError("a process that played a game was killed; run the match again to go on") from None


Player = Callable[[Terms, Pairing], str]  # how a game is played


def _play(
    terms: Terms,
    games: int,
    folder: Path | None,
    workers: int,
    progress: Callable[[Score], None],
    play: Player,
) -> Score:
    score = Score(terms)
    waiting = []
    for pairing in pairings(terms.start().players, games):
        record = _kept(folder, terms, pairing)
        if record:
            score.count(pairing, record)
        else:
            waiting.append(pairing)
    if score.games:
        progress(score)
    try:
        for pairing, text in _played(terms, waiting, workers, play):
            if folder:
                write_safely(_path(folder, pairing), text)
            score.count(pairing, Record.read(text))
            progress(score)
    except KeyboardInterrupt:
        pass
    return score


def _played(terms: Terms, waiting: list[Pairing], workers: int, play: Player) -> Iterator[tuple[Pairing, str]]:
    """The games as they end, each played by one of the workers."""
    if workers == 1 or len(waiting) < 2:
        yield from ((pairing, play(terms, pairing)) for pairing in waiting)
        return
    queue = iter(waiting)
    pool = ProcessPoolExecutor(min(workers, len(waiting)), mp_context=get_context("spawn"), initializer=_serve)
    running: dict[Future[str], Pairing] = {}
    try:
        while True:
            for pairing in islice(queue, 2 * workers - len(running)):
                running[pool.submit(play, terms, pairing)] = pairing
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        if running:  # interrupted: nobody waits for a game that nobody will count
            for process in list((pool._processes or {}).values()):
                process.terminate()
        pool.shutdown(cancel_futures=True)


def _serve() -> None:
    """Begin as a worker: Ctrl-C is for the process that leads the match to answer; where that has gone, so go we."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_leader, daemon=True).start()


def _end_with_the_leader() -> None:
    leader = parent_process()
    if leader is not None:
        leader.join()
        os._exit(1)


# ── a match in its folder ────────────────────────────────────────────────────────────────────────


def _path(folder: Path, pairing: Pairing) -> Path:
    return folder / GAMES / f"{pairing.number + 1:05}.pentad"


def _kept(folder: Path | None, terms: Terms, pairing: Pairing) -> Record | None:
    """The game, if the folder has it whole."""
    if not folder or not _path(folder, pairing).exists():
        return None
    path = _path(folder, pairing)
    try:
        record = Record.read(path.read_text(encoding="utf-8"))
        if record.start != terms.start() or record.tags.get("Seating") != pairing.seating or record.outcome is None:
            raise GameError("it is another game")
    except (OSError, ValueError) as error:
        raise GameError(
            f"{path} is not game {pairing.number + 1} of this match ({error}); remove it to play it again"
        ) from None
    return record


@contextmanager
def _held(folder: Path | None, terms: Terms) -> Iterator[None]:
    """The folder for this match alone, on these terms."""
    if folder is None:
        yield
        return
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    with Lock(folder / ".lock", f"another match is being played in {folder}"):
        _agree(folder, terms)
        yield


def _agree(folder: Path, terms: Terms) -> None:
    """Write the match's terms down, or hold them against those that stand there."""
    path = folder / TERMS
    ours = json.dumps(asdict(terms), indent=2, sort_keys=True) + "\n"
    if not path.exists():
        write_safely(path, ours)
        return
    try:
        theirs = json.loads(path.read_text(encoding="utf-8"))
        different = [key for key, value in json.loads(ours).items() if theirs.get(key) != value]
    except (OSError, ValueError, AttributeError):
        raise GameError(f"{path} does not tell the terms of a match") from None
    if different:
        told = ", ".join(f"{key} {theirs.get(key)}" for key in different)
        raise GameError(f"the match in {folder} has other terms: {told}")
