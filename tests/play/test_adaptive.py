"""The adaptive opponent: its levels, and an even score within ten games against players of any strength."""

import random

import pytest

from pentad.game import game, names
from pentad.games.pentago import bot as pentago_bot
from pentad.play.adaptive import FIRST_RUNG, after, levels, opponent
from pentad.play.seats import sit
from pentad.search.bot import BotEntry
from pentad.search.levels import HIGHEST, LOWEST, RUNGS, STEP
from pentad.search.simple_bots import RandomBot


@pytest.mark.parametrize("name", names())
def test_every_rung_is_a_bot(name: str) -> None:
    assert levels(name) == (LOWEST, HIGHEST)
    for number in RUNGS.values():
        who = opponent(name, number, random.Random(1))
        assert who.endswith(f"@{number:g}")
        assert not sit(game(name), who, remote=True).is_human


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("strength", [1.3, 2.0, 2.9, 3.7, 4.6])
@pytest.mark.parametrize("elo", [200, 300])
def test_the_score_is_even_within_ten_games(strength: float, elo: float) -> None:
    """Simulated players with a level of their own, on ladders whose rungs are so many points of Elo apart."""
    chance, won, players = random.Random(5), 0, 400
    for _ in range(players):
        level = None
        for number in range(20):
            here = float(opponent("pentago", level, chance).partition("@")[2])
            wins = chance.random() < 1 / (1 + 10 ** (elo * (here - strength) / STEP / 400))
            level = after("pentago", level, 1.0 if wins else -1.0)
            won += wins and number >= 10
    assert won / players / 10 == pytest.approx(0.5, abs=0.07)


def test_the_level_stays_on_the_ladder() -> None:
    level: float | None = None
    for _ in range(30):
        level = after("pente", level, -1.0)
    assert level == LOWEST
    assert opponent("pente", level, random.Random(1)) == "engine@1"
    for _ in range(30):
        level = after("pente", level, 1.0)
    assert level == HIGHEST
    assert opponent("pente", level, random.Random(1)) == "engine@5"
    assert after("pente", None, 0.0) == FIRST_RUNG
    assert opponent("pente", 0.0, random.Random(1)) == "engine@1"  # the ladder ends above this rating


def test_bots_without_rungs_play_at_either_neighbouring_level(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = BotEntry("by level", make_level=lambda level, seed: RandomBot(seed), levels=range(1, 4))
    monkeypatch.setattr(pentago_bot, "BOTS", {"random": BotEntry("random", RandomBot), "strong": entry})
    chance = random.Random(2)
    assert {opponent("pentago", 1.5, chance) for _ in range(50)} == {"strong@1", "strong@2"}
    assert opponent("pentago", 9.0, chance) == "strong@3"
    assert after("pentago", 2.75, 1.0) == 3
    monkeypatch.setattr(pentago_bot, "BOTS", {each: BotEntry(each, RandomBot) for each in ("random", "greedy")})
    assert {opponent("pentago", 1.5, chance) for _ in range(50)} == {"random", "greedy"}
    assert opponent("pentago", 2.0, chance) == "greedy"
