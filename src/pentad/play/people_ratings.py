"""Ratings of people: Glicko-2 after each game, for two to five seats, on the scale of the bots' ladder.

A rating is what is known of a player's strength: its value in Elo points, the standard deviation of its error, and the
volatility, by which the deviation grows. With two seats this is Glicko-2 (Glickman, 2001). With more seats the game is
one of Plackett and Luce, as in `pentad.play.rating`: of those who compete for a rank, each gets it with a probability
in proportion to its strength. With two seats that is the model of Glicko-2, so there is one method for all games.

    >>> system = RatingSystem()
    >>> ada, bob = system.rated_after([system.new, system.new], [[0], [1]], now=0.0)
    >>> round(ada.value), round(ada.deviation), round(bob.value), ada.is_provisional
    (1162, 290, 838, True)

Bots have fixed ratings, those of their ladder. They have seats like people, and hold the scale of the people's ratings.
Times are in seconds, as those of `time.time`. `docs/lab/people-ratings.md` compares the method with others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pentad.game import Outcome
from pentad.play.rating import SCALE, SURE, Ranking, stages

DAY = 86_400.0
PROVISIONAL = 110.0  # the 95 % interval then reaches about as far as the next level of a bot, on either side
PRECISION = 1e-6  # of the logarithm of a squared volatility, as in Glickman's example


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """What is known of a player's strength: Elo points, the standard deviation of their error, and the volatility.

    A fixed rating is that of a measured bot: games do not change it.
    """

    value: float
    deviation: float
    volatility: float = 0.0
    played: float | None = None  # when the last rated game ended
    is_fixed: bool = False

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL


class Evidence(NamedTuple):
    """What games say of a strength: the slope of their log-likelihood and its curvature, by the natural logarithm."""

    surprise: float = 0.0
    information: float = 0.0

    def plus(self, other: Evidence) -> Evidence:
        """The evidence of both."""
        return Evidence(self.surprise + other.surprise, self.information + other.information)


@dataclass(frozen=True, slots=True)
class RatingSystem:
    """The constants of the ratings, and how ratings change with games and time.

    The first value lies between the lowest levels of the bots and those that play as attentive people do. In each
    period, and in each game, the deviation grows by the volatility: with a period of five days, a rating with a
    deviation of 60 becomes provisional after a year. `tau` bounds the change of the volatility, which is slight in
    single games.
    """

    start: float = 1000.0
    deviation: float = 350.0
    volatility: float = 0.06
    tau: float = 0.5
    period: float = 5 * DAY

    @property
    def new(self) -> PlayerRating:
        """The rating of a player without games."""
        return PlayerRating(self.start, self.deviation, self.volatility)

    def at(self, rating: PlayerRating, now: float) -> PlayerRating:
        """The rating at a time without further games: its deviation has grown, at most to that of a new player."""
        if rating.is_fixed or rating.played is None or now <= rating.played:
            return rating
        return replace(rating, deviation=self._grown(rating, (now - rating.played) / self.period))

    def rated_after(
        self, seats: Sequence[PlayerRating], ranking: Ranking, now: float, edges: Sequence[float] = ()
    ) -> list[PlayerRating]:
        """The ratings of the seats after a game, by the ranking of the seats in tiers, and the edge of each seat."""
        before = [self.at(each, now) for each in seats]
        found = evidence(before, ranking, edges)
        return [
            each if each.is_fixed else replace(self.updated(each, its), played=now)
            for each, its in zip(before, found, strict=True)
        ]

    def updated(self, rating: PlayerRating, evidence: Evidence) -> PlayerRating:
        """The rating after a period, or a game, with this evidence."""
        if rating.is_fixed:
            return rating
        if evidence.information == 0:
            return replace(rating, deviation=self._grown(rating, 1))
        after = replace(rating, volatility=self._volatility(rating, evidence))
        variance = 1 / ((SCALE / self._grown(after, 1)) ** 2 + evidence.information)
        value = rating.value + SCALE * variance * evidence.surprise
        return replace(after, value=value, deviation=SCALE * math.sqrt(variance))

    def _grown(self, rating: PlayerRating, periods: float) -> float:
        grown = math.hypot(rating.deviation, SCALE * rating.volatility * math.sqrt(periods))
        return max(rating.deviation, min(grown, self.deviation))

    def _volatility(self, rating: PlayerRating, evidence: Evidence) -> float:
        """Step 5 of Glickman's algorithm: the root of a decreasing function, by the Illinois method."""
        if rating.volatility == 0:
            return 0.0
        known = (rating.deviation / SCALE) ** 2 + 1 / evidence.information
        square = (evidence.surprise / evidence.information) ** 2
        low = start = math.log(rating.volatility**2)

        def slope(x: float) -> float:
            total = known + math.exp(x)
            return math.exp(x) * (square - total) / (2 * total**2) - (x - start) / self.tau**2

        if square > known:
            high = math.log(square - known)
        else:
            high = start - self.tau
            while slope(high) < 0:
                high -= self.tau
        at_low, at_high = slope(low), slope(high)
        while abs(high - low) > PRECISION:
            middle = low + (low - high) * at_low / (at_high - at_low)
            at_middle = slope(middle)
            if at_middle * at_high <= 0:
                low, at_low = high, at_high
            else:
                at_low /= 2
            high, at_high = middle, at_middle
        return math.exp(low / 2)


def ranking(outcome: Outcome) -> Ranking:
    """The seats of a game in tiers of equal returns, the best first.

    >>> ranking(Outcome.of((2,), players=3, reason="three home"))
    [[2], [0, 1]]
    """
    tiers: dict[float, list[int]] = {}
    for seat, gained in enumerate(outcome.returns):
        tiers.setdefault(gained, []).append(seat)
    return [tiers[gained] for gained in sorted(tiers, reverse=True)]


def evidence(seats: Sequence[PlayerRating], ranking: Ranking, edges: Sequence[float] = ()) -> list[Evidence]:
    """What a game says of the strength of each seat. Edges are in Elo points; without them there are none.

    Players of a tier share its rank, so that a draw of two is half a win for each. The last tier has no competition,
    so who has lost beside others is not compared with them.
    """
    values = _values(seats, edges)
    weights = [attenuation(each.deviation) for each in seats]
    found = [Evidence()] * len(seats)
    for everyone, best in stages(ranking):
        for one in everyone:
            odds = {each: math.exp(weights[each] * (values[each] - values[one])) for each in everyone if each != one}
            total = sum(odds.values())
            weight = sum(weights[each] * its for each, its in odds.items()) / total
            chance = 1 / (1 + total)
            share = (one in best) / len(best)
            found[one] = found[one].plus(Evidence(weight * (share - chance), weight**2 * chance * (1 - chance)))
    return found


def attenuation(deviation: float) -> float:
    """Glickman's g: by how much the uncertainty of an opponent's rating brings a result nearer to chance.

    >>> round(attenuation(30), 4), round(attenuation(300), 4)
    (0.9955, 0.7242)
    """
    return 1 / math.sqrt(1 + 3 * (deviation / SCALE / math.pi) ** 2)


def _values(seats: Sequence[PlayerRating], edges: Sequence[float]) -> list[float]:
    """The strengths at the seats, by the natural logarithm."""
    return [(each.value + edge) / SCALE for each, edge in zip(seats, edges or [0.0] * len(seats), strict=True)]


def _of_differences(seats: Sequence[PlayerRating]) -> float:
    """The standard deviation of the difference of two seats, on average."""
    return math.sqrt(2 * sum(each.deviation**2 for each in seats) / len(seats))


# ── expected results ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Expectation:
    """The share of the win that a seat can expect, and the 95 % interval of what it would be for exact ratings."""

    share: float
    low: float
    high: float


def expected(seats: Sequence[PlayerRating], edges: Sequence[float] = ()) -> list[Expectation]:
    """What each seat can expect of a game, by the ratings at its time.

    >>> one, other = expected([PlayerRating(1400, 80), PlayerRating(1500, 30)])
    >>> round(one.share, 3), round(one.low, 3), round(one.high, 3)
    (0.365, 0.177, 0.596)
    """
    values, weight = _values(seats, edges), attenuation(_of_differences(seats))
    found = []
    for seat, one in enumerate(values):
        odds = {other: math.exp(each - one) for other, each in enumerate(values) if other != seat}
        total = sum(odds.values())
        errors = [seats[seat].deviation, *(its / total * seats[other].deviation for other, its in odds.items())]
        error = SURE * math.hypot(*errors) / SCALE
        share = 1 / sum(math.exp(weight * (each - one)) for each in values)
        found.append(Expectation(share, 1 / (1 + total * math.exp(error)), 1 / (1 + total * math.exp(-error))))
    return found


# ── the first player's edge ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SeatEdge:
    """What a seat is worth under one set of rules: Elo points above the average of the seats.

    The difference of two seats has a standard deviation of `deviation` times the square root of two.
    """

    value: float
    deviation: float

    @classmethod
    def of_shares(cls, shares: Sequence[float], games: int, differ: float = 50.0) -> list[SeatEdge]:
        """The edges by the shares of the win that equal players had at the seats, such as a bot against itself.

        Seats may be worth more or less to people than to bots: by `differ`, a standard deviation.

        >>> first, second = SeatEdge.of_shares([0.64, 0.36], games=400)
        >>> round(first.value), round(second.value), round(first.deviation)
        (50, -50, 51)
        """
        values = [SCALE * math.log(each) for each in shares]
        average, error = sum(values) / len(values), SCALE * math.sqrt(len(shares) / games)
        return [cls(each - average, math.hypot(error, differ)) for each in values]


def edges_after(edges: Sequence[SeatEdge], seats: Sequence[PlayerRating], ranking: Ranking) -> list[SeatEdge]:
    """The edges after a game; the more games they are known by, the less they change.

    Games of players with provisional ratings would distort them: those who meet are nearer in strength than is known.
    As the edges of all seats have the average 0, a game says n/(n-1) times as much of them as of a player's strength.
    """
    if any(each.is_provisional for each in seats):
        return [*edges]
    deviation = _of_differences(seats)
    found = evidence([replace(each, deviation=deviation) for each in seats], ranking, [each.value for each in edges])
    precisions = [
        (SCALE / edge.deviation) ** 2 + its.information * len(seats) / (len(seats) - 1)
        for edge, its in zip(edges, found, strict=True)
    ]
    moved = [
        edge.value + SCALE * its.surprise / precision
        for edge, its, precision in zip(edges, found, precisions, strict=True)
    ]
    average = sum(moved) / len(moved)
    return [
        SeatEdge(value - average, SCALE / math.sqrt(precision))
        for value, precision in zip(moved, precisions, strict=True)
    ]


# ── the bots' scale ──────────────────────────────────────────────────────────────────────────────


class LadderGame(NamedTuple):
    """A game of a person and a bot: the person's rating before it, the bot's name, and the person's points."""

    person: PlayerRating
    bot: str
    points: float
    edge: float = 0.0  # of the person's seat over the bot's, in Elo points


@dataclass(frozen=True, slots=True)
class Anchoring:
    """A change of scale that brings people's ratings to a ladder: a shift, and a stretch about a middle value."""

    middle: float
    shift: float
    stretch: float
    shift_error: float
    stretch_error: float

    def moved(self, rating: PlayerRating) -> PlayerRating:
        """A person's rating on the new scale."""
        value = rating.value + self.shift + (self.stretch - 1) * (rating.value - self.middle)
        return replace(rating, value=value, deviation=rating.deviation * self.stretch)

    def error(self, value: float) -> float:
        """The standard error of the new scale at a rating before the change; all people there have it in common."""
        return math.hypot(self.shift_error, self.stretch_error * (value - self.middle))


UNKNOWN_SHIFT = 350.0  # the standard deviation of a shift before games are known
UNKNOWN_STRETCH = 0.2  # the standard deviation of a stretch before games are known


def anchored(games: Iterable[LadderGame], ladder: Mapping[str, PlayerRating]) -> Anchoring:
    """The change of scale with which people's games against bots agree best with the bots' ladder.

    The games are those since the last change of scale, whatever ladder they were rated by. Games of bots that are not
    in the ladder are left out, so leave out a bot that plays differently now. So are games of people with provisional
    ratings, which are still on their way from the first value.

    The games of each bot give a shift, at the average rating of those who met it. The error of a bot's own rating is in
    all its games, so no bot weighs more than that error allows. A weighted regression on these shifts gives the change.
    """
    met: dict[str, list[LadderGame]] = {}
    for game in games:
        if game.bot in ladder and not game.person.is_provisional:
            met.setdefault(game.bot, []).append(game)
    shifts = [_shift(met[bot], ladder[bot]) for bot in sorted(met)]
    if not shifts:
        return Anchoring(0.0, 0.0, 1.0, UNKNOWN_SHIFT, UNKNOWN_STRETCH)
    weight = sum(each.weight for each in shifts)
    middle = sum(each.weight * each.at for each in shifts) / weight
    shift = sum(each.weight * each.shift for each in shifts) / weight
    spread = sum(each.weight * (each.at - middle) ** 2 for each in shifts) + UNKNOWN_STRETCH**-2
    slope = sum(each.weight * (each.at - middle) * each.shift for each in shifts) / spread
    return Anchoring(middle, shift, 1 + slope, weight**-0.5, spread**-0.5)


class _Shift(NamedTuple):
    """By how much people's ratings are too low, by their games with one bot; the weight is 1 over the variance."""

    at: float
    shift: float
    weight: float


NEWTON_STEPS = 20  # the log-likelihood is concave, and far fewer are enough


def _shift(games: Sequence[LadderGame], bot: PlayerRating) -> _Shift:
    """The most likely shift."""
    shift, information, at = 0.0, 0.0, 0.0
    for _ in range(NEWTON_STEPS):
        slope, information, at = -shift / UNKNOWN_SHIFT**2, 0.0, 0.0
        for person, _bot, points, edge in games:
            weight = attenuation(person.deviation) / SCALE
            chance = 1 / (1 + math.exp(-weight * (person.value + shift + edge - bot.value)))
            its = weight**2 * chance * (1 - chance)
            slope += weight * (points - chance)
            information += its
            at += its * person.value
        step = slope / (information + UNKNOWN_SHIFT**-2)
        shift += max(-UNKNOWN_SHIFT, min(step, UNKNOWN_SHIFT))
    variance = 1 / (information + UNKNOWN_SHIFT**-2) + bot.deviation**2
    return _Shift(at / information, shift, 1 / variance)
