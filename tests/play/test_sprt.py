"""The sequential probability ratio test: its bounds, closed forms, and coin flips of known strength."""

from __future__ import annotations

import math
import random

import pytest

from pentad.game import GameError
from pentad.play.sprt import H0, H1, SequentialTest, Sprt, expected_score
from tests.properties import some_of


def flipped(sprt: Sprt, elo: float, seed: int, *, draws: float = 0.3, most: int = 5000) -> SequentialTest:
    """A test of openings of two games, whose players differ by these Elo points."""
    chance, test = random.Random(seed), SequentialTest(sprt, 2)
    wins = expected_score(elo) - draws / 2
    for opening in range(most):
        for _ in range(2):
            drawn = chance.random()
            test.count(opening, 1.0 if drawn < wins else 0.5 if drawn < wins + draws else 0.0)
        if test.decision:
            break
    return test


@pytest.mark.parametrize(("elo", "accepted"), [(0, H0), (80, H1)])
def test_coin_flips_are_decided_correctly_19_times_in_20(elo, accepted):
    tries = some_of(200)
    tests = [flipped(Sprt(0, 80), elo, seed) for seed in range(tries)]
    assert all(test.decision for test in tests)
    wrong = sum(test.decision != accepted for test in tests)
    assert wrong <= 0.05 * tries + 3 * math.sqrt(0.05 * 0.95 * tries)


def test_a_clear_difference_is_decided_early():
    lengths = [flipped(Sprt(0, 40), 200, seed).openings for seed in range(10)]
    assert max(lengths) < min(flipped(Sprt(0, 40), 20, seed).openings for seed in range(3)) + 60
    assert sum(lengths) / len(lengths) < 60


def test_without_draws_the_ratio_of_single_games_is_that_of_two_coins():
    won, lost = 130, 100
    sprt = Sprt(-10, 30)
    high, low = expected_score(30), expected_score(-10)
    closed = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    assert sprt.ratio({1.0: won, 0.0: lost}) == pytest.approx(closed, abs=0.01)


def test_a_result_that_has_not_occurred_counts_a_thousandth():
    sprt = Sprt(-10, 30)
    assert sprt.ratio({1.0: 3}) == pytest.approx(sprt.ratio({1.0: 3, 0.5: 0.001, 0.0: 0.001}))
    assert sprt.ratio({1.0: 3, 0.0: 2}) == pytest.approx(sprt.ratio({1.0: 3, 0.5: 0.001, 0.0: 2}))


def test_the_ratio_changes_sign_with_the_players():
    means = {0.0: 4, 0.25: 11, 0.5: 31, 0.75: 18, 1.0: 9}
    swapped = {1 - score: number for score, number in means.items()}
    assert Sprt(0, 15).ratio(means) == pytest.approx(-Sprt(-15, 0).ratio(swapped), abs=1e-6)


def test_the_bounds_are_those_of_wald():
    low, high = Sprt(0, 5, alpha=0.05, beta=0.1).bounds
    assert (low, high) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert [Sprt(0, 5).decision(ratio) for ratio in (-3, 0, 3)] == [H0, "", H1]


def test_openings_count_in_their_order_whichever_game_ends_first():
    games = [(opening, points) for opening in range(40) for points in (1.0, 0.5)]
    ordered, mixed = SequentialTest(Sprt(0, 40), 2), SequentialTest(Sprt(0, 40), 2)
    for game in games:
        ordered.count(*game)
    for game in random.Random(1).sample(games, len(games)):
        mixed.count(*game)
    assert (mixed.openings, mixed.ratio, mixed.decision) == (ordered.openings, ordered.ratio, H1)
    assert ordered.openings < 40


@pytest.mark.parametrize(
    ("sprt", "message"),
    [(Sprt(5, 5), "elo0 below elo1"), (Sprt(0, 5, alpha=0), "alpha between"), (Sprt(0, 5, beta=0.5), "beta between")],
)
def test_an_undecidable_test_is_refused(sprt, message):
    with pytest.raises(GameError, match=message):
        sprt.checked()
