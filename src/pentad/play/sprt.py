"""Sequential probability ratio test of a match: whether a bot is stronger by `elo1` rather than by `elo0`.

The generalised test of Van den Bergh compares the most likely distributions of the points of an opening under both
hypotheses. An opening's games are one sample, since they are not independent: with two seats it is the
pentanomial test.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from pentad.game import GameError

UNSEEN = 1e-3  # the count of a result that has not occurred, so that no hypothesis is impossible
H0, H1 = "H0", "H1"


def expected_score(elo: float) -> float:
    """The share of the points for a difference of ratings.

    >>> round(expected_score(191), 3)
    0.75
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test with its hypotheses and the probabilities of the wrong decision under each of them.

    `alpha` is that of accepting H1 under H0, `beta` that of accepting H0 under H1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def checked(self) -> Sprt:
        """This test, if it can be decided."""
        if not self.elo0 < self.elo1:
            raise GameError("Expected elo0 below elo1, got {elo0:g} and {elo1:g}.", elo0=self.elo0, elo1=self.elo1)
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise GameError("Expected {name} between 0 and 0.5, got {value:g}.", name=name, value=value)
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, means: Mapping[float, int]) -> float:
        """The log-likelihood ratio of the openings' mean scores, each with its number."""
        if not means:
            return 0.0
        counts = {0.0: UNSEEN, 0.5: UNSEEN, 1.0: UNSEEN} | {score: float(number) for score, number in means.items()}
        total = sum(counts.values())
        shares = {score: number / total for score, number in counts.items()}
        one, other = (_tilted(shares, expected_score(elo)) for elo in (self.elo1, self.elo0))
        return sum(counts[score] * math.log(one[score] / other[score]) for score in counts)

    def decision(self, ratio: float) -> str:
        """The accepted hypothesis; empty while the test goes on."""
        low, high = self.bounds
        return H1 if ratio >= high else H0 if ratio <= low else ""


def _tilted(shares: Mapping[float, float], mean: float) -> dict[float, float]:
    """The most likely distribution with this mean: each share over `1 + x (score - mean)`."""
    low, high = -1 / (max(shares) - mean), 1 / (mean - min(shares))
    for _ in range(60):  # so many halvings reach the precision of floats
        x = (low + high) / 2
        slope = sum(share * (score - mean) / (1 + x * (score - mean)) for score, share in shares.items())
        low, high = (x, high) if slope > 0 else (low, x)
    return {score: share / (1 + x * (score - mean)) for score, share in shares.items()}


class SequentialTest:
    """A test during a match. It counts the openings in order, so that it does not matter which game ends first."""

    def __init__(self, sprt: Sprt, games: int) -> None:
        """`games` is the number of games of an opening."""
        self.sprt, self.ratio, self.decision = sprt, 0.0, ""
        self.openings = 0  # counted, up to the decision
        self._games = games
        self._points: dict[int, list[float]] = {}
        self._means: Counter[float] = Counter()

    def count(self, opening: int, points: float) -> None:
        """Counts a game's points: 1, 1/2 or 0."""
        self._points.setdefault(opening, []).append(points)
        while not self.decision and len(found := self._points.get(self.openings, ())) == self._games:
            self._means[sum(found) / self._games] += 1
            self.openings += 1
            self.ratio = self.sprt.ratio(self._means)
            self.decision = self.sprt.decision(self.ratio)

    def as_json(self) -> dict[str, object]:
        """The test as JSON data; `decision` is empty while it is open."""
        low, high = self.sprt.bounds
        return asdict(self.sprt) | {
            "llr": self.ratio,
            "lower": low,
            "upper": high,
            "openings": self.openings,
            "decision": self.decision,
        }
