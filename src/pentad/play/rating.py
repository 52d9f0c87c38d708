"""Elo ratings, with confidence intervals: differences from match scores, and ratings of all players of a contest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TypeAlias

SCALE = 400 / math.log(10)  # Elo points of a factor e between strengths
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
    names = sorted({who for pair in results for who in pair})
    number = {who: each for each, who in enumerate(names)}
    wins, sets = [0.0] * len(names), Counter[tuple[int, ...]]()
    for (first, second), (won, games) in results.items():
        wins[number[first]] += won + 0.5
        wins[number[second]] += games - won + 0.5
        sets[tuple(sorted((number[first], number[second])))] += games + 1
    logs = _logs(wins, sets)
    known, elo_ = anchor
    return {who: elo_ + SCALE * (logs[each] - logs[number[known]]) for each, who in enumerate(names)}


# ── ratings of all players of a contest ──────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with half of its 95 % interval, against the average of all players."""

    elo: float
    error: float


Ranking: TypeAlias = Sequence[Sequence[int]]  # the players of a game in tiers, the best first


def rate(players: int, groups: Iterable[Sequence[Ranking]]) -> list[Rating]:
    """Maximum-likelihood ratings from games grouped by opening; the average rating is 0.

    The model is that of Plackett and Luce: each player of a game wins it with a probability in proportion to its
    strength, and the next rank is a game of the others. Those of a tier share its win, so that a draw of two is
    half a win for each. With two seats it is the model of Bradley and Terry. Each player counts as if it had one more
    draw, spread over all others, so that every rating is finite. The errors take the games of one opening as one sample
    (the robust, or sandwich, estimate), so that neither draws nor a strong seat distort them.

    >>> [round(rated.elo) for rated in rate(2, [[[[0], [1]], [[0], [1]]]] * 37 + [[[[1], [0]], [[0, 1]]]])]
    [315, -315]
    """
    prior = 1 / (players - 1)
    pairs = list(combinations(range(players), 2))
    wins, sets = [prior * (players - 1) / 2] * players, Counter[tuple[int, ...]]()
    sets.update(dict.fromkeys(pairs, prior))
    played = [[stage for ranking in group for stage in stages(ranking)] for group in groups]
    for everyone, best in chain.from_iterable(played):
        sets[everyone] += 1
        for player in best:
            wins[player] += 1 / len(best)
    logs = _logs(wins, sets)
    chances = {each: _chances(logs, each) for each in sets}
    information, spread = _zeros(players), _zeros(players)
    for everyone, weight in sets.items():
        for one, chance in zip(everyone, chances[everyone], strict=True):
            information[one][one] += weight * chance
            for other, its in zip(everyone, chances[everyone], strict=True):
                information[one][other] -= weight * chance * its
    residuals = [_residual(players, group, chances) for group in played if group]
    more = len(residuals) / max(len(residuals) - 1, 1)
    for residual in residuals:
        _add_square(spread, residual, more)
    for one, other in pairs:
        surprise = 0.5 - chances[one, other][0]
        _add_square(spread, [surprise * ((each == one) - (each == other)) for each in range(players)], prior)
    inverse = _inverse([[cell + 1 / players for cell in row] for row in information])
    inverse = [[cell - 1 / players for cell in row] for row in inverse]
    errors = [_form(row, spread) for row in inverse]
    return [Rating(SCALE * log, SURE * SCALE * math.sqrt(error)) for log, error in zip(logs, errors, strict=True)]


Stage: TypeAlias = tuple[tuple[int, ...], Sequence[int]]  # those who compete, in order, and those who share the win


def stages(ranking: Ranking) -> Iterator[Stage]:
    """The competitions for each rank; a single tier shares the only one."""
    for rank in range(max(len(ranking) - 1, 1)):
        yield tuple(sorted(chain.from_iterable(ranking[rank:]))), ranking[rank]


def _logs(wins: Sequence[float], sets: Mapping[tuple[int, ...], float]) -> list[float]:
    """The logarithms of the most likely strengths, with the average 0, by the MM algorithm (Hunter, 2004)."""
    strengths = [1.0] * len(wins)
    for _ in range(10_000):
        weights = [0.0] * len(wins)
        for everyone, number in sets.items():
            share = number / sum(strengths[player] for player in everyone)
            for player in everyone:
                weights[player] += share
        before = strengths
        strengths = [won / weight for won, weight in zip(wins, weights, strict=True)]
        mean = math.exp(sum(map(math.log, strengths)) / len(strengths))
        strengths = [strength / mean for strength in strengths]
        if all(abs(math.log(now / then)) < 1e-9 for now, then in zip(strengths, before, strict=True)):
            break
    return [math.log(strength) for strength in strengths]


def _chances(logs: Sequence[float], everyone: Sequence[int]) -> list[float]:
    strengths = [math.exp(logs[player]) for player in everyone]
    return [strength / sum(strengths) for strength in strengths]


def _residual(players: int, group: Iterable[Stage], chances: Mapping[tuple[int, ...], list[float]]) -> list[float]:
    """For each player the wins in some stages beyond those expected."""
    residual = [0.0] * players
    for everyone, best in group:
        for player, chance in zip(everyone, chances[everyone], strict=True):
            residual[player] += (player in best) / len(best) - chance
    return residual


def _zeros(size: int) -> list[list[float]]:
    return [[0.0] * size for _ in range(size)]


def _add_square(matrix: list[list[float]], vector: Sequence[float], weight: float) -> None:
    for row, one in zip(matrix, vector, strict=True):
        if one:
            for column, other in enumerate(vector):
                row[column] += weight * one * other


def _form(vector: Sequence[float], matrix: Sequence[Sequence[float]]) -> float:
    """The value of a quadratic form; not below 0, where rounding would lead."""
    value = sum(
        one * other * cell
        for one, row in zip(vector, matrix, strict=True)
        for other, cell in zip(vector, row, strict=True)
    )
    return max(0.0, value)


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(each == number) for each in range(size))] for number, row in enumerate(matrix)]
    for number, row in enumerate(rows):
        rows[number] = row = [cell / row[number] for cell in row]
        for other in range(size):
            if other != number and (factor := rows[other][number]):
                rows[other] = [cell - factor * its for cell, its in zip(rows[other], row, strict=True)]
    return [row[size:] for row in rows]
