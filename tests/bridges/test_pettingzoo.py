"""Environments of PettingZoo: its own tests, games to their end, illegal actions, first positions."""

from __future__ import annotations

import pytest

from pentad.system.extras import installing_command

pytest.importorskip("pettingzoo", reason="pettingzoo, which the extra pettingzoo brings, is not installed")

import numpy as np
from pettingzoo.test import api_test, seed_test

import pentad
from pentad.bridges import pettingzoo
from pentad.game import GameError, IllegalMove
from pentad.games.encoding import encoding, steps
from tests.programs import failure

GAMES = [
    ("pentago", {}),
    ("pentago", {"players": 3, "rows": 1, "cols": 3}),
    ("pente", {"size": 9}),
    ("pente", {"opening": "swap2", "size": 7}),
    ("pentagame", {"max_ply": 40}),
    ("pentagame", {"players": 4, "max_ply": 20}),
]
WIN_IN_ONE = "pentago bbbb../wwww../....../....../....../......"


# PettingZoo has a list of the environments that may have observations with a mask.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent")
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_tests_of_pettingzoo(game, options, capsys):
    api_test(pettingzoo.env(game, **options), num_cycles=60)
    seed_test(lambda: pettingzoo.env(game, **options), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


def play(env, seed):
    """A random game; returns the sum of each agent's rewards."""
    rng, rewards = np.random.default_rng(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        rewards[agent] += reward
        assert not truncation
        action = None if termination else rng.choice(np.flatnonzero(observation["action_mask"]))
        env.step(action)
    return rewards


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_game_ends_with_the_returns_of_its_outcome(game, options):
    env = pettingzoo.env(game, **options)
    for seed in (1, 2):
        env.reset(seed=seed)
        rewards = play(env, seed)
        assert list(rewards.values()) == [*env.position.outcome.returns]
        assert env.agents == []


def test_observations():
    env = pettingzoo.env("pentago")
    env.reset()
    env.step(np.int64(8))
    seen, other = env.observe("player_0"), env.observe("player_1")
    assert env.agent_selection == "player_0"
    assert np.flatnonzero(seen["action_mask"]).tolist() == [*steps(env.position)]
    assert not other["action_mask"].any()
    assert seen["observation"].shape == (5, 6, 6)
    assert np.argwhere(seen["observation"][0]).tolist() == [[1, 2]]
    assert np.argwhere(other["observation"][1]).tolist() == [[1, 2]]
    assert seen["observation"][4].all()
    assert (env.state() == seen["observation"]).all()
    assert env.state_space.contains(env.state())
    env.step(37)
    assert env.agent_selection == "player_1"


def test_planes_are_those_of_the_encoding():
    env = pettingzoo.env("pente", size=13)
    env.reset(seed=1)
    for text in ("G7", "A1", "D4", "B12"):
        here = env.position
        env.step(encoding(here).number(here, here.parse(text)[0]))
    planes = encoding(env.position).planes(env.position, 0).values()
    seen = env.observe("player_0")["observation"]
    assert [sum(1 << int(i) for i in np.flatnonzero(plane)) for plane in seen] == [*planes]


@pytest.mark.parametrize("action", [36, 8, 44, -1, None])
def test_an_illegal_action_changes_nothing(action):
    env = pettingzoo.env("pentago")
    env.reset(options={"position": pentad.new("pentago").play("b2 4A").text})
    before = env.position
    with pytest.raises(IllegalMove, match="is not legal here"):
        env.step(action)
    assert (env.position, env.agent_selection, env.rewards["player_1"]) == (before, "player_1", 0.0)


def test_a_first_position():
    env = pettingzoo.env("pentago")
    env.reset(options={"position": WIN_IN_ONE})
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    env.reset()
    assert env.position == pentad.new("pentago")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pente", "A position of pente is written as"),
        (pentad.new("pentago", rows=3).text, "must have the game"),
        ("pentago bbbbb./wwww../....../....../....../......", "The game is over in the first position"),
        (7, "The position is empty or not text"),
    ],
)
def test_first_positions_that_do_not_fit(text, message):
    env = pettingzoo.env("pentago")
    with pytest.raises(GameError, match=message):
        env.reset(options={"position": text})


def test_invalid_arguments():
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        pettingzoo.env("chess")
    with pytest.raises(GameError, match="Pente has no option rows"):
        pettingzoo.env("pente", rows=3)
    with pytest.raises(GameError, match=r"^Unknown render mode 'rgb_array'\. "):
        pettingzoo.env("pente", render_mode="rgb_array")


def test_rendering(capsys):
    env = pettingzoo.env("pentago", render_mode="human")
    env.reset()
    env.step(0)
    assert "●" in capsys.readouterr().out
    env = pettingzoo.env("pentago", render_mode="ansi")
    env.reset()
    assert env.render() == str(env.position)
    env.close()


def test_without_pettingzoo_a_line_says_what_to_install():
    code = "import sys; sys.modules['pettingzoo'] = None\nfrom pentad.bridges import pettingzoo"
    assert failure(code).endswith(
        f"pettingzoo is not installed. For environments of PettingZoo, run: {installing_command('pettingzoo')}"
    )
