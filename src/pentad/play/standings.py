"""Standings of a contest: each player's games, points and rating, and the results of every pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pentad.play.contest import Result, Terms
from pentad.play.rating import Rating, rate


@dataclass(slots=True)
class Standing:
    """A player's results; `points` are shares of wins, and byes of a Swiss tournament count as wins."""

    name: str
    games: int = 0
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    rating: Rating | None = None


@dataclass
class Standings:
    """All players of a contest; each result is counted once."""

    terms: Terms
    results: list[Result] = field(default_factory=list)
    byes: Counter[int] = field(default_factory=Counter)  # games that a player had a bye for
    anchor: tuple[str, float] | None = None  # a player with a given rating, instead of the average 0
    places: Mapping[int, int] = field(default_factory=dict)  # rounds that a player has survived in a knock-out

    def count(self, result: Result) -> None:
        self.results.append(result)

    @property
    def ratings(self) -> list[Rating]:
        """The rating of each player, in order of entry."""
        groups: dict[int, list[list[list[int]]]] = {}
        for result in self.results:
            groups.setdefault(result.pairing.opening, []).append(result.ranking)
        rated = rate(len(self.terms.players), groups.values())
        if self.anchor is None:
            return rated
        name, elo = self.anchor
        shift = elo - rated[list(self.terms.players).index(name)].elo
        return [Rating(each.elo + shift, each.error) for each in rated]

    def table(self, *, rated: bool = True) -> list[Standing]:
        """The players from first to last: by the rounds survived in a knock-out, then points a game, then rating."""
        table = [Standing(name) for name in self.terms.players]
        for result in self.results:
            for player, points in result.points.items():
                standing = table[player]
                standing.games += 1
                standing.points += points
                standing.wins += points == 1
                standing.losses += points == 0
                standing.draws += 0 < points < 1
        for player, byes in self.byes.items():
            table[player].byes = byes
            table[player].points += byes
        for standing, rating in zip(table, self.ratings if rated and self.results else (), strict=False):
            standing.rating = rating
        order = sorted(range(len(table)), key=lambda player: (-self._place(player), *_merit(table[player]), player))
        return [table[player] for player in order]

    def _place(self, player: int) -> int:
        return self.places.get(player, 0)

    def against(self) -> dict[tuple[int, int], tuple[float, int]]:
        """The points of each player against each other, and their games; with more seats, whoever is ahead has won."""
        found: dict[tuple[int, int], tuple[float, int]] = {}
        for result in self.results:
            rank = {player: number for number, tier in enumerate(result.ranking) for player in tier}
            for one in rank:
                for other in rank:
                    if one != other:
                        points, games = found.get((one, other), (0.0, 0))
                        gained = 1.0 if rank[one] < rank[other] else 0.0 if rank[one] > rank[other] else 0.5
                        found[one, other] = points + gained, games + 1
        return found


def _merit(standing: Standing) -> tuple[float, float]:
    games = standing.games + standing.byes
    return -standing.points / games if games else 0.0, -standing.rating.elo if standing.rating else 0.0


def reasons(results: Iterable[Result]) -> Counter[str]:
    """How the games ended, the most frequent first."""
    return Counter(result.reason for result in results)
