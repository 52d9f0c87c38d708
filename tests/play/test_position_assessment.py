"""Assessments of positions."""

from __future__ import annotations

import pytest

from pentad.game import new
from pentad.play.position_assessment import assess, assess_by_fixed_work
from tests.play.assessed_positions import MUST_BLOCK, PENTAGO, SECONDS


@pytest.mark.slow
def test_an_assessment_says_what_is_proved_and_how_soon():
    found = assess(PENTAGO, SECONDS)
    assert (found.values, found.exact, found.turns, str(found.best)) == ((1.0, -1.0), True, 1, "b1")
    assert found.verdict() == "Black wins at once"
    assert not assess(new("pente"), SECONDS).exact


def test_an_assessment_by_fixed_work_is_the_same_every_time():
    one, other = assess_by_fixed_work(MUST_BLOCK), assess_by_fixed_work(MUST_BLOCK)
    assert one == other
    assert one.chances[0] + one.chances[1] == pytest.approx(1)
    proved = assess_by_fixed_work(PENTAGO)
    assert (proved.values, proved.exact, proved.chances) == ((1.0, -1.0), True, (1.0, 0.0))


@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_an_assessment_has_a_chance_for_every_seat(players):
    found = assess(new("pentagame", players=players), 0.05)
    assert len(found.values) == len(found.chances) == players
    assert sum(found.chances) == pytest.approx(1)
    assert found.line[0] == found.best
