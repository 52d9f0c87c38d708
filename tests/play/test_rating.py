"""Elo and its error."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from pentad.play.rating import elo, rate, ratings, strength
from tests.properties import some_of


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


# ── ratings of all players ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("won", "drawn", "lost"), [(60, 20, 20), (5, 90, 5), (0, 1, 9), (12, 0, 0)])
def test_two_players_have_the_closed_form(won, drawn, lost):
    """A player's expected score is its score with one more draw."""
    games = [[[0], [1]]] * won + [[[0, 1]]] * drawn + [[[1], [0]]] * lost
    one, other = rate(2, [[game] for game in games])
    score = (won + drawn / 2 + 0.5) / (len(games) + 1)
    assert one.elo - other.elo == pytest.approx(elo(score), abs=0.001)
    assert one.elo + other.elo == pytest.approx(0, abs=0.001)


def test_of_many_players_with_one_winner_a_game_each_share_of_wins_is_the_strength():
    """With all players in every game and winners only, the strengths of Plackett and Luce are the numbers of wins."""
    wins = (600, 300, 100)
    games = [
        [[[who], [other for other in range(3) if other != who]]] for who, won in enumerate(wins) for _ in range(won)
    ]
    rated = rate(3, games)
    assert rated[0].elo - rated[1].elo == pytest.approx(400 * math.log10(2), abs=1)
    assert rated[1].elo - rated[2].elo == pytest.approx(400 * math.log10(3), abs=2)


def test_all_ranks_of_a_game_count():
    rated = rate(3, [[[[0], [1], [2]]]] * 10)
    assert rated[0].elo > rated[1].elo > rated[2].elo
    only_winners = rate(3, [[[[0], [1, 2]]]] * 10)
    assert only_winners[1].elo == pytest.approx(only_winners[2].elo)


def test_pairs_of_games_that_cancel_out_have_a_smaller_error_than_coin_flips():
    cancelled = rate(2, [[[[0], [1]], [[1], [0]]]] * 50)
    flips = rate(2, [[[[0], [1]]], [[[1], [0]]]] * 50)
    assert cancelled[0].error < flips[0].error / 3


def test_the_intervals_contain_the_true_ratings_19_times_in_20():
    truth, chance, held = (-150.0, 0.0, 150.0), random.Random(5), 0
    tries = some_of(200)
    for _ in range(tries):
        groups = []
        for one, other in itertools.combinations(range(3), 2):
            expected = 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
            for _ in range(40):
                pair = [chance.random() < expected for _ in range(2)]
                groups.append([[[one], [other]] if won else [[other], [one]] for won in pair])
        held += sum(abs(rated.elo - true) < rated.error for rated, true in zip(rate(3, groups), truth, strict=True))
    assert held / (3 * tries) == pytest.approx(0.95, abs=0.02 + 2 * math.sqrt(0.05 * 0.95 / tries))


def test_a_player_without_games_or_losses_has_a_finite_rating():
    rated = rate(4, [[[[0], [1]]]] * 30)
    assert all(math.isfinite(each.elo) and math.isfinite(each.error) for each in rated)
    assert rated[2].elo == pytest.approx(rated[3].elo)
    assert rated[0].elo > rated[2].elo > rated[1].elo
    assert rated[0].error > 150
