"""Matches between two bots: their score, and the sequential test that can end them.

An opening is played once with each seating, so that luck in the opening cancels out.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pentad.game import GameError
from pentad.play.contest import Contest, ContestTerms, GameResult
from pentad.play.pairings import pairings, seatings
from pentad.play.rating import strength
from pentad.play.sprt import SequentialTest, Sprt


@dataclass
class MatchScore:
    """The score of a match, from the view of its first bot."""

    terms: ContestTerms
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    moves: int = 0
    wins_by_seat: list[int] = field(default_factory=list)
    groups: dict[int, list[float]] = field(default_factory=dict)
    results: list[GameResult] = field(default_factory=list)
    test: SequentialTest | None = None

    @property
    def games(self) -> int:
        return len(self.results)

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test has ended the match."""
        return self.test is not None and bool(self.test.decision)

    def count(self, result: GameResult) -> None:
        """Count a finished game."""
        points = result.points[0]
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.forfeits += result.is_forfeit
        self.moves += result.moves
        self.wins_by_seat = self.wins_by_seat or [0] * len(result.returns)
        for seat in result.winners:
            self.wins_by_seat[seat] += 1
        self.groups.setdefault(result.pairing.opening, []).append(points)
        self.results.append(result)
        if self.test:
            self.test.count(result.pairing.opening, points)

    def up_to_decision(self) -> MatchScore:
        """The score of the openings that the test has counted, whatever other games had ended by then."""
        test = self.test
        if test is None or not test.decision:
            return self
        score = MatchScore(self.terms, test=SequentialTest(test.sprt, len(seatings(len(self.wins_by_seat)))))
        for result in sorted(self.results, key=lambda result: result.pairing.number):
            if result.pairing.opening < test.openings:
                score.count(result)
        return score

    def as_json(self) -> dict[str, object]:
        """The score as JSON data."""
        rated = strength(list(self.groups.values()))
        data = {
            **self.terms.settings,
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
            "wins_by_seat": self.wins_by_seat,
        }
        return data | {"sprt": self.test.as_json()} if self.test else data


def play_match(
    terms: ContestTerms,
    games: int,
    *,
    folder: Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Callable[[MatchScore], None] = lambda score: None,
    programs: bool = False,
    sprt: Sprt | None = None,
) -> MatchScore:
    """Play a match, or the rest of one; `progress` is called after every game.

    An interrupt stops the match; finished games are saved and counted. With `sprt` it ends as soon as the test is
    decided, at the same opening on every machine. `programs` and `cluster` as for `Contest`.
    """
    if games < 1:
        raise GameError("A match has at least 1 game, not {games}.", games=games)
    seats = terms.start().players
    score = MatchScore(terms, test=SequentialTest(sprt.checked(), len(seatings(seats))) if sprt else None)
    with (
        Contest(terms, folder, workers, programs, cluster=cluster) as contest,
        contextlib.suppress(KeyboardInterrupt),
        contextlib.closing(contest.play(pairings(seats, games))) as results,
    ):
        for result in results:
            score.count(result)
            progress(score)
            if score.is_decided:
                break
    return score.up_to_decision()
