"""Standings of a contest: each player's games, points and rating, and the results of every pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field

from pentad.play.contest import ContestTerms, GameResult
from pentad.play.pairings import Meeting
from pentad.play.rating import Rating, rate
from pentad.system.words import count, phrase


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

    terms: ContestTerms
    results: list[GameResult] = field(default_factory=list)
    anchor: tuple[str, float] | None = None  # this player has a given rating; otherwise the average is 0
    meetings: list[Meeting] = field(default_factory=list)
    champion: int | None = None  # the winner of a knock-out
    is_over: bool = False
    _rated: tuple[int, list[Rating]] = field(
        default=(0, []), repr=False
    )  # the number of results, and the ratings after them

    def count(self, result: GameResult) -> None:
        self.results.append(result)

    @property
    def total(self) -> int:
        """The games of all meetings that are known by now."""
        return sum(len(meeting.players) for meeting in self.meetings)

    @property
    def ratings(self) -> list[Rating]:
        """The rating of each player, in order of entry."""
        if self._rated[0] != len(self.results):
            self._rated = len(self.results), self._rate()
        return self._rated[1]

    def _rate(self) -> list[Rating]:
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
        for player, byes in self._byes().items():
            table[player].byes = byes
            table[player].points += byes
        for standing, rating in zip(table, self.ratings if rated and self.results else (), strict=False):
            standing.rating = rating
        survived = self._survived()
        order = sorted(range(len(table)), key=lambda player: (-survived[player], *_merit(table[player]), player))
        return [table[player] for player in order]

    def _byes(self) -> Counter[int]:
        """The games that players of a Swiss tournament had a bye for; they count as won."""
        if self.terms.system != "swiss":
            return Counter()
        games: dict[int, Counter[int]] = {}
        for meeting in self.meetings:
            games.setdefault(meeting.round, Counter()).update(dict.fromkeys(meeting.players, len(meeting.players)))
        byes = Counter[int]()
        for played in games.values():
            absent = set(range(len(self.terms.players))) - played.keys()
            byes.update(dict.fromkeys(absent, max(played.values())))
        return byes

    def _survived(self) -> Counter[int]:
        """The last round of each player of a knock-out; one more for the champion."""
        if self.terms.system != "knockout":
            return Counter()
        rounds = Counter({player: meeting.round for meeting in self.meetings for player in meeting.players})
        if self.champion is not None:
            rounds[self.champion] += 1
        return rounds

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

    def as_json(self) -> dict[str, object]:
        """The standings as JSON data."""
        players = list(self.terms.players)
        return {
            **self.terms.settings,
            "games": len(self.results),
            "is_over": self.is_over,
            "forfeits": sum(result.is_forfeit for result in self.results),
            "moves": sum(result.moves for result in self.results),
            "standings": [asdict(standing) for standing in self.table()],
            "against": [
                {"player": players[one], "opponent": players[other], "points": points, "games": games}
                for (one, other), (points, games) in sorted(self.against().items())
            ],
        }


def _merit(standing: Standing) -> tuple[float, float]:
    games = standing.games + standing.byes
    return -standing.points / games if games else 0.0, -standing.rating.elo if standing.rating else 0.0


def forfeits(players: Sequence[str], results: Iterable[GameResult]) -> list[str]:
    """The first forfeit of each player, with its reason, and how many more there are, as sentences."""
    found: dict[int, list[GameResult]] = {}
    for result in sorted(results, key=lambda result: result.pairing.number):
        if result.is_forfeit:
            found.setdefault(result.loser, []).append(result)
    lines = []
    for player, (first, *others) in found.items():
        lines.append(phrase("Game {number}: {reason}", number=first.pairing.number + 1, reason=first.comment))
        if others:
            more = count(len(others), "more game")
            lines.append(phrase("{player} forfeited {games}.", player=players[player], games=more))
    return lines


def reasons(results: Iterable[GameResult]) -> Counter[str]:
    """How the games ended, the most frequent first."""
    return Counter(result.reason for result in results)
