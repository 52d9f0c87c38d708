"""Marks and accuracies: thresholds, perfect play, and that no worse move makes anything better."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.play.move_marks import MARKS, accuracy, accuracy_of, mark_of
from tests.properties import properties

CHANCES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("before", "after", "sign"),
    [
        (0.5, 0.5, None),
        (0.5, 0.6, None),
        (0.5, 0.451, None),
        (0.5, 0.45, "?!"),
        (0.7, 0.6, "?"),
        (0.9, 0.75, "??"),
        (1.0, 0.5, "??"),
        (0.5, 0.0, "??"),
        (1.0, 0.0, "??"),
    ],
)
def test_a_mark_is_by_the_chance_given_away(before, after, sign):
    mark = mark_of(before - after)
    assert (mark and mark.sign) == sign


def test_the_marks_are_in_order():
    assert [mark.least_loss for mark in MARKS] == sorted(mark.least_loss for mark in MARKS)
    assert [mark.name for mark in MARKS] == ["inaccuracy", "mistake", "blunder"]


def test_perfect_play_has_an_accuracy_of_100():
    assert accuracy_of(0.0) == accuracy_of(-0.2) == 100.0
    assert accuracy([0.5, 0.6, 0.4, 1.0, 1.0], {0: 0.0, 2: 0.0}) == 100.0
    assert accuracy([0.5], {}) is None


def test_the_accuracy_of_a_move_follows_the_known_curve():
    for points in (1, 5, 10, 30, 60):
        known = 103.1668 * math.exp(-0.04354 * points) - 3.1669
        assert accuracy_of(points / 100) == pytest.approx(known, abs=0.001)
    assert accuracy_of(1.0) == 0.0


@properties()
@given(CHANCES, CHANCES)
def test_a_greater_loss_never_has_a_higher_accuracy(one, other):
    less, more = sorted((one, other))
    assert 0 <= accuracy_of(more) <= accuracy_of(less) <= 100


@properties()
@given(st.lists(CHANCES, min_size=3, max_size=40), st.data())
def test_a_game_with_one_worse_move_is_less_accurate(chances, data):
    losses = {ply: data.draw(CHANCES) for ply in range(0, len(chances) - 1, 2)}
    before = accuracy(chances, losses)
    ply = data.draw(st.sampled_from(sorted(losses)))
    after = accuracy(chances, losses | {ply: data.draw(st.floats(losses[ply], 1))})
    assert before is not None
    assert after is not None
    assert 0 <= after <= before + 1e-9 <= 100 + 1e-6


def test_a_blunder_counts_more_while_the_game_is_open():
    open_game, decided = [0.5, 0.5, 0.2, 0.4, 0.3], [0.99, 0.99, 0.99, 0.99, 0.99]
    losses = {0: 0.0, 1: 0.3, 2: 0.0}
    quiet = accuracy([0.5, 0.5, 0.5, 0.2, 0.6, 0.6, 0.6], {0: 0.0, 2: 0.3, 4: 0.0, 5: 0.0})
    even = accuracy([0.5] * 7, {0: 0.0, 2: 0.3, 4: 0.0, 5: 0.0})
    assert quiet < even
    assert accuracy(open_game, losses) <= accuracy(decided, losses)
