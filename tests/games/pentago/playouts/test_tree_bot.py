"""The tree search bot on any board: legal moves, time limits, stopping, and the order of its levels."""

import random

import pytest

import pentad
from pentad.game import GameError
from pentad.games.pentago.playouts.tree_bot import LEVELS, MOST_ROLLOUTS, PlayoutBot, configured, winning_move
from pentad.search import mcts
from pentad.search.simple_bots import RandomBot
from tests.cases import slow, together
from tests.games.pentago.random_games import every_game
from tests.properties import some_of
from tests.waiting import FakeClock, stopped

NEAR = "pentago bbbb../....../wwww../....../....../......"


def fought(one, other, games, **options):
    """The points of the first bot, with each bot at each seat equally often."""
    points = 0.0
    for game in range(games):
        here, rng = pentad.new("pentago", **options), random.Random(game // 2)
        for _ in range(2):
            here = here.play(rng.choice(here.legal_moves))
        while here.outcome is None:
            player = one if here.turn == game % 2 else other
            here = here.play(player.choose(here))
        points += (here.outcome.returns[game % 2] + 1) / 2
    return points


@pytest.mark.fast_cases(6)
@every_game
@together("level", [1, 2])
def test_turns_are_whole_and_legal(options, level):
    here, bot, rng = pentad.new("pentago", **options), PlayoutBot(level, seed=1), random.Random(3)
    while here.outcome is None:
        move = bot.choose(here)
        assert move in here.legal_moves, (here.text, str(move))
        begun = here.partial(rng.choice(here.choices()))
        if begun.outcome is None:
            assert bot.choose(begun) in begun.legal_moves
        here = here.play(move)
        if here.outcome is None and rng.random() < 0.5:
            here = here.play(rng.choice(here.legal_moves))


@pytest.mark.parametrize("level", LEVELS)
def test_a_win_is_taken(level):
    here, wins = pentad.load(NEAR), 0
    for seed in range(10):
        wins += here.play(PlayoutBot(level, seed=seed).choose(here, seconds=0.2)).outcome is not None
    assert wins == 10 if level > 1 else wins > 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [slow({}), slow({"win_on_placement": False}), {"rows": 2, "cols": 3, "players": 3, "line": 4}]
)
def test_the_next_seats_win_is_prevented_if_possible(options):
    rng, saved, enough = random.Random(5), 0, some_of(20)
    while saved < enough:
        here = pentad.new("pentago", **options)
        while here.outcome is None and saved < enough:
            if here.ply > 7 and winning_move(here) is None:
                after = {here.play(move) for move in here.legal_moves}
                safe = {each for each in after if not each.outcome and winning_move(each) is None}
                if 0 < len(safe) < len(after) / 3:
                    saved += 1
                    assert here.play(PlayoutBot(4, seed=1).choose(here)) in safe, here.text
            here = here.play(rng.choice(here.legal_moves))


@pytest.mark.parametrize("options", [{}, {"rows": 3, "cols": 3}, {"rows": 3, "cols": 3, "players": 3}])
def test_a_seed_repeats_the_move(options):
    here = pentad.new("pentago", **options)
    for level in (1, 2, 3):
        assert len({PlayoutBot(level, seed=5).choose(here) for _ in range(3)}) == 1
    assert len({PlayoutBot(3, seed=seed).choose(here) for seed in range(8)}) > 1


def test_the_time_limit_holds(monkeypatch):
    """With a clock that advances by a tenth of a second whenever it is read."""
    clock = FakeClock(0.1)
    monkeypatch.setattr(mcts, "time", clock)
    here, bot = pentad.new("pentago", rows=3, cols=3), PlayoutBot(5, seed=1)
    assert bot.choose(here, seconds=2.0) in here.legal_moves
    assert 2.0 <= clock.now <= 2.3


def test_a_stopped_bot_plays_its_best_move():
    here, bot = pentad.new("pentago", rows=3, cols=3), PlayoutBot(5, seed=1)
    assert stopped(bot, here, lambda: bot._search and bot._search.playouts > 0) in here.legal_moves


def test_without_time_there_is_still_a_move():
    for options in ({}, {"rows": 5, "cols": 5, "block": 4}):
        here = pentad.new("pentago", **options)
        assert PlayoutBot(5, seed=1).choose(here, seconds=1e-9) in here.legal_moves


def test_a_finished_game_has_no_move():
    with pytest.raises(GameError, match="The game is over"):
        PlayoutBot(1).choose(pentad.load(NEAR).play("a4"))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("settings", "rollouts"), [("rollouts=1", 1), ("rollouts=10000", 10_000)])
def test_settings_limit_the_games(settings, rollouts):
    bot = configured(settings, 1)
    assert bot.name == f"tree:{settings}"
    here = pentad.new("pentago", rows=3, cols=3)
    found = bot.play(here)
    assert found.move in here.legal_moves
    assert rollouts <= found.nodes < rollouts + 100


@together(
    "settings",
    ["", "rollouts", "rollouts=", "rollouts=0", "rollouts=-1", "rollouts=²", "rollouts=1e3", "level=2",
     "rollouts=99999999999999999999", f"rollouts={MOST_ROLLOUTS + 1}", "rollouts=1,rollouts=2", "\n"],
)  # fmt: skip
def test_other_settings_are_refused(settings):
    with pytest.raises(GameError, match="Expected rollouts=N, with N from 1") as refused:
        configured(settings, 1)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("options", [{}, {"rows": 3, "cols": 3}, {"block": 2, "line": 4}])
def test_the_first_level_beats_the_random_bot(options):
    assert fought(PlayoutBot(1, seed=1), RandomBot(seed=1), 20, **options) >= 14


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"rows": 3, "cols": 3}])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_levels_are_in_order(options, level):
    assert fought(PlayoutBot(level + 1, seed=1), PlayoutBot(level, seed=2), 120, **options) >= 72
