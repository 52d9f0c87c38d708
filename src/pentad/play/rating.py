"""Elo ratings: rating differences from match scores, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SURE = 1.959964  # standard deviations of a 95 % confidence interval


def elo(score: float) -> float:
    """The rating difference for which a player's expected score is this share of the points.

    >>> round(elo(0.75))
    191
    """
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating difference with its 95 % bounds; None where the score is too extreme to give one."""

    elo: float | None
    error: float | None  # half the distance between the bounds
    low: float | None
    high: float | None


def strength(groups: Sequence[Sequence[float]]) -> Strength:
    """The rating difference from scores (1, 0.5, 0), grouped by opening.

    Games of one opening are not independent, so the error is that of the groups' means. A clean sweep has no
    finite difference; its lower bound is that of a score that would still sweep once in twenty times.
    """
    means = [sum(group) / len(group) for group in groups if group]
    games = sum(map(len, groups))
    if not games:
        return Strength(None, None, None, None)
    score = sum(map(sum, groups)) / games
    if score in (0, 1):
        bound = elo(0.05 ** (1 / games)) if games > 4 else None
        low, high = (bound, None) if score == 1 else (None, None if bound is None else -bound)
        return Strength(None, None, low, high)
    if len(means) < 2:
        return Strength(elo(score), None, None, None)
    mean = sum(means) / len(means)
    spread = math.sqrt(sum((m - mean) ** 2 for m in means) / (len(means) - 1) / len(means))
    low, high = (elo(s) if 0 < s < 1 else None for s in (score - SURE * spread, score + SURE * spread))
    error = (high - low) / 2 if low is not None and high is not None else None
    return Strength(elo(score), error, low, high)


def ratings(results: Mapping[tuple[str, str], tuple[float, int]], anchor: tuple[str, float]) -> dict[str, float]:
    """The maximum-likelihood ratings from matches: for each pair the first player's points and the number of games.
    One player's rating is given as the anchor. Each match counts as if it had one more draw, so that a clean sweep
    gives no infinite rating.


    >>> {who: round(elo) for who, elo in ratings({("a", "b"): (75, 100)}, ("b", 1000)).items()}
    {'a': 1189, 'b': 1000}
    """
    players = sorted({who for pair in results for who in pair})
    strengths = dict.fromkeys(players, 1.0)
    for _ in range(10_000):
        before = dict(strengths)
        for who in players:
            points, weight = 0.0, 0.0
            for (first, second), (won, games) in results.items():
                if who in (first, second):
                    other = second if who == first else first
                    points += 0.5 + (won if who == first else games - won)
                    weight += (games + 1) / (strengths[who] + strengths[other])
            strengths[who] = points / weight
        if all(abs(math.log(strengths[who] / before[who])) < 1e-9 for who in players):
            break
    known, elo_ = anchor
    return {who: elo_ + 400 * math.log10(strengths[who] / strengths[known]) for who in players}
