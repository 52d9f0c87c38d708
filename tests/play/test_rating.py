"""Elo and its error."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from pentad.play.rating import elo, ratings, strength


@pytest.mark.parametrize(
    ("score", "difference"), [(0.5, 0), (0.75, 190.85), (0.25, -190.85), (0.9, 381.7), (0.99, 798.3)]
)
def test_elo_of_known_scores(score, difference):
    assert elo(score) == pytest.approx(difference, abs=0.1)


def test_a_sweep_has_a_lower_bound_only():
    swept = strength([[1, 1]] * 10)
    assert (swept.elo, swept.error, swept.high) == (None, None, None)
    assert swept.low == pytest.approx(elo(0.05 ** (1 / 20)))
    lost = strength([[0, 0]] * 10)
    assert lost.high == pytest.approx(-swept.low)


def test_no_games_give_no_rating():
    assert strength([]).elo is None
    assert strength([[1]]).low is None
    assert strength([[1, 0]]) == strength([[0.5]])


def test_pairs_that_cancel_out_have_no_error():
    assert strength([[1, 0]] * 8).error == 0


def test_the_bounds_contain_the_true_value_19_times_in_20():
    chance = random.Random(3)
    truth, held = elo(0.6), 0
    for _ in range(2000):
        rated = strength([[float(chance.random() < 0.6), float(chance.random() < 0.6)] for _ in range(100)])
        assert rated.low is not None
        assert rated.high is not None
        held += rated.low < truth < rated.high
    assert math.isclose(held / 2000, 0.95, abs_tol=0.02)


def test_ratings_of_a_simulated_tournament_are_recovered() -> None:
    truth = {"a": 1000.0, "b": 1150.0, "c": 1420.0, "d": 1300.0}
    games = 100_000
    results = {
        (one, two): (games / (1 + 10 ** ((truth[two] - truth[one]) / 400)), games)
        for one, two in itertools.combinations(truth, 2)
    }
    assert ratings(results, ("b", 1150.0)) == pytest.approx(truth, abs=0.1)


def test_a_sweep_gives_finite_ratings() -> None:
    rated = ratings({("a", "b"): (20, 20), ("b", "c"): (10, 20)}, ("c", 0.0))
    assert 300 < rated["a"] < 1000
    assert rated["b"] == pytest.approx(0, abs=0.01)
