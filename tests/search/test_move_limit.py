"""Limits of moves."""

from __future__ import annotations

import pytest

from pentad.game import GameError
from pentad.search.move_limit import DEFAULT_LIMIT, DEFAULT_SECONDS, Limit


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seconds": -1}, "A limit has seconds of at least 0, got -1."),
        ({"seconds": float("nan")}, "A limit has seconds of at least 0, got nan."),
        ({"most_seconds": -0.5}, "A limit has most_seconds of at least 0, got -0.5."),
        ({"nodes": 0}, "A limit has nodes of at least 1, got 0."),
        ({"depth": 0}, "A limit has depth of at least 1, got 0."),
    ],
)
def test_what_is_out_of_range_is_refused(given, message):
    with pytest.raises(GameError) as error:
        Limit(**given)
    assert str(error.value) == message


def test_the_time_has_one_default():
    assert Limit() == DEFAULT_LIMIT
    assert Limit(nodes=5).time == DEFAULT_SECONDS
    assert Limit(seconds=0).time == 0


def test_a_limit_within_another_time():
    assert Limit(seconds=9, most_seconds=20, nodes=5).within(10) == Limit(seconds=9, most_seconds=10, nodes=5)
    assert Limit(depth=3).within(10) == Limit(depth=3)


def test_a_part_of_the_time():
    assert Limit(seconds=8, most_seconds=20, nodes=5).part(0.5) == Limit(seconds=4, most_seconds=10, nodes=5)
    assert Limit().part(0.5) == Limit()
