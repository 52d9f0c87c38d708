"""Measures: games by hand, intervals against known figures, and properties of all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad import new
from pentad.game import Outcome
from pentad.play.rule_measures import MEASURES, Course, Estimate, branching_by_move, lead_by_part, mean, share
from pentad.record import Record, Value
from tests.properties import properties

THREE = {"rules": "freestyle", "size": 5, "line": 3}


def course(moves: str, values: list[float | None], ended: Outcome | None = None, **options: object) -> Course:
    record = Record(new("pente", **(THREE | options)))
    for move, value in zip(moves.split(), values, strict=True):
        record.play(move).value = None if value is None else Value(value)
    record.ended = ended
    return Course.of(record)


def won() -> Course:
    return course("a1 a5 b1 b5 c1", [0.3, 0.5, -0.05, -0.4, 1.0])


def test_a_game_by_hand():
    found = won()
    assert found.branching == (25, 24, 23, 22, 21)
    assert (found.moves, found.shares, found.reason, found.is_decided) == (5, (1.0, 0.0), "line of 3", True)
    assert found.leaders == (0, 1, 1, 0, 0)  # the third value is within the margin
    assert found.changes == (2, 4)
    assert (found.last_change, found.behind) == (0.8, 0.4)
    assert found.lead == (0.3, -0.5, -0.05, 0.4, 1.0)


def test_a_draw_and_an_opening_without_values():
    drawn = course("a1 a5 b1", [None, 0.5, 0.6], Outcome.of((), 2, "agreement"))
    assert (drawn.shares, drawn.leaders, drawn.changes) == ((0.5, 0.5), (None, 1, 0), (3,))
    assert (drawn.behind, drawn.lead, drawn.is_decided) == (None, (), False)
    quiet = course("a1 a5", [0.0, 0.05], Outcome.of((1,), 2, "resigned"))
    assert (quiet.leaders, quiet.changes, quiet.last_change, quiet.behind) == ((None, None), (), None, 0.0)


def test_with_three_seats_each_value_is_that_of_the_last_move():
    record = Record(new("pentago", players=3, rows=3))
    values = [0.1, 0.4, -0.2, 0.5, -0.3]
    for value in values:
        record.play(record.position.legal_moves[0]).value = Value(value)
    record.ended = Outcome.of((0, 1), 3, "agreement")
    found = Course.of(record)
    assert found.leaders == (None, 1, 1, 1, 0)
    assert (found.shares, found.lead, found.behind) == ((0.5, 0.5, 0.0), (), 0.0)
    record.ended = Outcome.of((2,), 3, "agreement")
    found = Course.of(record)
    assert found.behind == 0.8
    assert found.lead == pytest.approx((-0.05, -0.2, -0.3, -0.35, -0.35))


def test_the_measures_of_two_games_by_hand():
    games = [won(), course("a1 a5 b1", [0.5, 0.5, 0.5], Outcome.of((), 2, "agreement"))]
    found = {name: measure.of(games) for name, measure in MEASURES.items()}
    values = {name: estimate.value for name, estimate in found.items() if estimate}
    assert values == pytest.approx(
        {"length": 4, "branching": 23.5, "edge": 0.25, "decided": 0.5, "changes": 2, "late": 0.9, "behind": 0.4}
    )
    games_of = {name: estimate.games for name, estimate in found.items() if estimate}
    assert games_of == dict.fromkeys(MEASURES, 2) | {"behind": 1}
    assert found["length"].high - 4 == pytest.approx(1.959964)  # 3 and 5 have a standard error of 1
    assert MEASURES["late"].of([course("a1", [0.0], Outcome.of((), 2, "agreement"))]) is None


def test_means_by_move_and_by_part():
    games = [won(), won(), course("a1 a5 b1", [0.5, 0.5, 0.5], Outcome.of((), 2, "agreement"))]
    assert branching_by_move(games) == [25, 24, 23, 22, 21]
    assert branching_by_move([games[0], games[2], games[2]]) == [25, 24, 23]
    assert lead_by_part(games, 5) == pytest.approx([0.3, -0.5, -0.05, 0.4, 1.0])
    assert lead_by_part(games, 10) == []  # a game of five moves has no values in some tenths
    assert (branching_by_move([]), lead_by_part([])) == ([], [])


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_as_published(won: int, games: int, low: float, high: float):
    """Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method 3."""
    found = share([1.0] * won + [0.0] * (games - won))
    assert (found.value, found.low, found.high) == pytest.approx((won / games, low, high), abs=6e-5)


def test_newcombes_interval_as_published():
    """Newcombe (1998), Interval estimation for the difference between independent proportions, 56/70 − 48/80."""
    one, other = share([1.0] * 56 + [0.0] * 14), share([1.0] * 48 + [0.0] * 32)
    found = one.minus(other)
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=6e-5)
    assert found.differs
    assert not one.minus(one).differs


SAMPLES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@properties()
@given(SAMPLES, SAMPLES)
def test_properties_of_estimates(one: list[float], other: list[float]):
    for estimate in (mean, share):
        first, second = estimate(one), estimate(other)
        assert first.low <= first.value <= first.high
        assert estimate(one[::-1]).value == first.value
        forward, back = first.minus(second), second.minus(first)
        assert forward.value == -back.value
        assert (forward.low, forward.high) == pytest.approx((-back.high, -back.low))
        assert not first.minus(first).differs
        assert forward.differs == back.differs
    assert 0 <= share(one).low < share(one).high <= 1 + 1e-12


@pytest.mark.parametrize("truth", [0.1, 0.3, 0.5, 0.9])
def test_intervals_hold_the_true_value_about_as_often_as_they_say(truth: float):
    games, held = 50, 0.0
    for won in range(games + 1):
        found = share([1.0] * won + [0.0] * (games - won))
        if found.low <= truth <= found.high:
            held += math.comb(games, won) * truth**won * (1 - truth) ** (games - won)
    assert 0.93 < held < 0.98


@properties()
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=9), st.sampled_from([(0,), (1,), ()]))
def test_properties_of_courses(values: list[float], winners: tuple[int, ...]):
    moves = ["a1", "c2", "e3", "b4", "d5", "a3", "c5", "e1", "b2"][: len(values)]
    found = course(" ".join(moves), list(values), Outcome.of(winners, 2, "x"), line=5)
    assert sum(found.shares) == 1
    assert len(found.leaders) == found.moves == len(values)
    assert list(found.changes) == sorted(set(found.changes))
    assert (found.last_change is None) == (not found.changes)
    mirrored = course(" ".join(moves), [-value for value in values], Outcome.of(winners, 2, "x"), line=5)
    assert mirrored.leaders == tuple(None if each is None else 1 - each for each in found.leaders)
    if found.behind is not None and None not in found.leaders:
        assert found.behind + (mirrored.behind or 0.0) == pytest.approx(1)


def test_unknown_bounds_are_no_numbers_in_json():
    assert mean([3.0]).as_json() == {"value": 3.0, "low": None, "high": None, "games": 1}
    assert Estimate(1, 0.5, 1.5, 3).shifted(-1) == Estimate(0, -0.5, 0.5, 3)
    assert not mean([3.0]).minus(mean([1.0, 1.0])).differs
    assert math.isinf(mean([3.0]).high)
