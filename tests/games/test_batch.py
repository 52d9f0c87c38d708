"""Random games of any game: by kernels where it has them, else by its rules."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from pentad import load, new
from pentad.game import PACKAGES, GameError, IllegalMove
from pentad.games import batch
from pentad.games.batch import Games, playouts
from tests.chance import FAR, apart, from_uniform

OVER = "pentago bbbbb./wwww../....../....../....../......"
OPENED = "pentago bw..../....../....../....../....../......"


def results(found):
    """The results of random games, as a list of winners."""
    return [winners for winners, games in found.results.items() for _ in range(games)]


@pytest.mark.parametrize("games", [0, 1, 2, 1000])
def test_any_number_of_games(games):
    found = playouts("pentago", games=games, seed=3)
    assert found.games == games == sum(found.results.values()) == sum(found.wins) + found.draws
    assert 5 * games <= found.moves <= 36 * games
    assert (found.by, found.seed, found.players) == ("kernels", 3, 2)
    assert found == playouts("pentago", games=games, seed=3)


def test_a_seed_is_drawn_and_reported():
    found = playouts("pentago", games=50)
    assert playouts("pentago", games=50, seed=found.seed) == found
    assert playouts("pentago", games=50).seed != found.seed


def test_games_from_a_position():
    here = load(OPENED)
    assert playouts(here, games=200, seed=1) != playouts("pentago", games=200, seed=1)
    over = load(OVER)
    found = playouts(over, games=7, seed=1)
    assert (found.moves, found.results, found.wins, found.draws) == (0, {(0,): 7}, (7, 0), 0)
    assert playouts(over, games=0, seed=1).results == {}


@pytest.fixture
def connect_four(monkeypatch):
    """Makes the example a game, for a test."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples")
    monkeypatch.setitem(PACKAGES, "connect_four", "connect_four")
    importlib.invalidate_caches()
    yield
    for name in [each for each in sys.modules if each.startswith("connect_four")]:
        monkeypatch.delitem(sys.modules, name)


def test_a_game_without_kernels_is_played_by_its_rules(connect_four):
    found = playouts("connect_four", games=30, seed=2)
    assert found.by == "rules"
    assert found.games == sum(found.wins) + found.draws == 30
    assert 7 * 30 <= found.moves <= 42 * 30
    assert found == playouts("connect_four", games=30, seed=2)
    fewer = playouts("connect_four", games=20, seed=2)
    assert all(games <= found.results[winners] for winners, games in fewer.results.items())


def test_kernels_that_cannot_run_leave_the_game_to_the_rules(monkeypatch):
    from pentad.kernels.program import NoMachineCode

    def program(module):
        raise NoMachineCode("There is no machine code.")

    by_kernels = playouts("pentago", games=20_000, seed=1, block=2, line=4)
    monkeypatch.setattr("pentad.games.batch.program", program)
    by_rules = playouts("pentago", games=1000, seed=1, block=2, line=4)
    assert (by_kernels.by, by_rules.by) == ("kernels", "rules")
    assert apart(results(by_kernels), results(by_rules)) < FAR


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"games": -1}, "games must be a whole number from 0 to 2\\*\\*64 - 1, not -1."),
        ({"games": True}, "games must be a whole number"),
        ({"games": 2.0}, "games must be a whole number"),
        ({"games": 1, "seed": 1 << 64}, "seed must be a whole number"),
        ({"games": 1, "sise": 3}, "Pentago has no option sise"),
    ],
)
def test_refusals(given, message):
    with pytest.raises(GameError, match=message):
        playouts("pentago", **given)


def test_a_position_takes_no_options():
    with pytest.raises(GameError, match="line cannot be given"):
        playouts(new("pentago"), games=1, line=4)
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        playouts("chess", games=1)


def test_slices_cover_every_game():
    slices = list(batch._slices(100_000))
    assert [first for first, _ in slices] == [sum(count for _, count in slices[:i]) for i in range(len(slices))]
    assert sum(count for _, count in slices) == 100_000


# ── games stepped together ───────────────────────────────────────────────────────────────────────


def test_only_flagged_games_step():
    games = Games("pentago", 4, seed=1)
    where = np.array([True, False, True, False])
    games.step(np.full(4, 7), where)
    assert (games.mask[:, :36].sum(axis=1) == [0, 36, 0, 36]).all()
    assert (games.observations[:, 0].reshape(4, -1).sum(axis=1) == [1, 0, 1, 0]).all()
    games.reset(~where)
    assert (games.mask[:, 36:].sum(axis=1) == [8, 0, 8, 0]).all()
    games.reset()
    assert (games.mask[:, :36] == 1).all()


def test_an_illegal_action_changes_nothing():
    games = Games("pentago", 3, seed=1)
    games.step([1, 2, 3])
    before = games.mask.copy(), games.observations.copy()
    for actions, refused in (([36, 37, 5], 2), ([36, 44, 38], 1), ([-1, 36, 36], 0)):
        with pytest.raises(IllegalMove, match=f"Game {refused}: Action {actions[refused]} is not legal here"):
            games.step(actions)
        assert (games.mask == before[0]).all()
        assert (games.observations == before[1]).all()


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("resets", [False, True])
@pytest.mark.parametrize("name", ["pentago", "connect_four"])
def test_games_that_are_over_stay_or_begin_again(name, resets, connect_four):
    games = Games(name, 20, seed=2, auto_reset=resets)
    assert games.by == ("kernels" if name == "pentago" else "rules")
    while not games.done.any():
        games.step(games.sample())
    over = games.done.copy()
    assert not games.mask[over].any()
    assert np.allclose(games.returns.sum(axis=1), 0)
    assert not games.returns[~over].any()
    seen = games.observations[over].copy()
    games.step(games.sample())
    assert (games.done[over] == (not resets)).all()
    assert (games.observations[over] == seen).all() == (not resets)


def test_a_game_without_kernels_is_stepped_by_its_rules(connect_four):
    games = Games("connect_four", 2, seed=1)
    assert (games.by, games.actions, games.shape) == ("rules", 512, (1, 512))
    assert games.mask.sum(axis=1).tolist() == [7, 7]
    games.step([3, 0])
    assert games.turn.tolist() == [1, 1]
    with pytest.raises(IllegalMove, match="Game 1: Action 7 is not legal here"):
        games.step([3, 7])


def test_rules_and_kernels_agree(monkeypatch):
    by_kernels = Games("pentago", 3, seed=5, auto_reset=True, block=2, line=3)
    monkeypatch.setattr("pentad.games.batch._kernels", lambda here: None)
    by_rules = Games("pentago", 3, seed=5, auto_reset=True, block=2, line=3)
    assert (by_kernels.by, by_rules.by) == ("kernels", "rules")
    for _ in range(60):
        for name in ("mask", "turn", "done", "returns", "observations"):
            assert (getattr(by_kernels, name) == getattr(by_rules, name)).all()
        actions = by_kernels.sample()
        assert (actions == by_rules.sample()).all()
        by_kernels.step(actions)
        by_rules.step(actions)


def test_samples_are_legal_and_equally_likely():
    games = Games("pentago", 3600, seed=3)
    assert from_uniform(games.sample().tolist(), 36) < FAR
    games.step(games.sample())
    assert from_uniform(games.sample().tolist(), 8) < FAR
    assert (Games("pentago", 5, seed=3).sample() == Games("pentago", 5, seed=3).sample()).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Games("pentago", 0), "count must be a whole number from 1"),
        (lambda: Games("pentago", 2, -1), "seed must be a whole number"),
        (lambda: Games(load(OVER), 2), "The game is over in the first position"),
        (lambda: Games("pentago", 2, line=77), "Pentago: |line|Option line"),
        (lambda: Games("pentago", 2).step([1]), "Expected 2 whole numbers as actions"),
        (lambda: Games("pentago", 2).step([1.0, 2.0]), "Expected 2 whole numbers as actions"),
        (lambda: Games("pentago", 2).step([1, 2], [1, 0]), "Expected 2 flags, true or false"),
        (lambda: Games("pentago", 2).reset([True]), "Expected 2 flags, true or false"),
    ],
)
def test_refusals_of_games(call, message):
    with pytest.raises(GameError, match=message):
        call()
