"""The adaptive opponent: its ladder, and an even score against players of any strength."""

import random

import pytest

from pentad.game import game, games
from pentad.play.adaptive import FIRST, after, ladder, opponent
from pentad.play.seats import sit


@pytest.mark.parametrize("name", games())
def test_the_rungs_are_bots(name: str) -> None:
    rungs = ladder(name)
    assert len(rungs) == 6
    assert rungs[0] == "random"
    assert all(not sit(game(name), who).is_human for who in rungs)


@pytest.mark.parametrize("strength", [0.3, 1.0, 2.4, 3.7])
def test_the_score_becomes_even(strength: float) -> None:
    """A simulated player who beats lower rungs more often wins about half of the later games."""
    chance, rung, won = random.Random(5), None, 0
    rungs = ladder("pentago")
    for number in range(600):
        level = rungs.index(opponent("pentago", rung, chance))
        wins = chance.random() < 1 / (1 + 3 ** (2 * (level - strength)))
        rung = after("pentago", rung, 1.0 if wins else -1.0)
        won += wins and number >= 100
    assert won / 500 == pytest.approx(0.5, abs=0.08)


def test_the_rung_stays_on_the_ladder() -> None:
    rung: float | None = None
    for _ in range(30):
        rung = after("pente", rung, -1.0)
    assert rung == 0
    assert opponent("pente", rung, random.Random(1)) in ("random", "engine@1")
    for _ in range(30):
        rung = after("pente", rung, 1.0)
    assert rung == 5
    assert opponent("pente", rung, random.Random(1)) == "engine@5"
    assert after("pente", None, 0.0) == FIRST
