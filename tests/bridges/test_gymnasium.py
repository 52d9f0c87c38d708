"""Environments of Gymnasium: its own checks, opponents, seats, illegal actions, first positions."""

from __future__ import annotations

import pytest

from pentad.system.extras import installing_command

pytest.importorskip("gymnasium", reason="gymnasium, which the extra gym brings, is not installed")

import numpy as np
from gymnasium.utils.env_checker import check_env

import pentad
from pentad.bridges import gymnasium
from pentad.game import GameError
from pentad.games.encoding import encoding
from pentad.search.bot import bot
from tests.programs import failure

GAMES = [
    ("pentago", {}),
    ("pentago", {"players": 3, "rows": 1, "cols": 3, "seat": 2}),
    ("pente", {"size": 9, "seat": 1, "opponent": "greedy"}),
    ("pente", {"opening": "swap2", "size": 7, "seat": None}),
    ("pentagame", {"max_ply": 40}),
]
WON_BY_A4 = "pentago bbbb../wwww../....../....../....../......"
LOST = "pentago bbb.../wwww../...b../....../....../......"


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_checks_of_gymnasium(game, options):
    check_env(gymnasium.env(game, **options), skip_render_check=True)


def play(env, seed):
    """A random game of the learner: its observations, its rewards and the last position."""
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    seen, rewards, terminated = [observation], [], False
    while not terminated:
        assert env.position.turn == env.seat
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        assert info == {}
        seen.append(observation)
        rewards.append(reward)
    assert not observation["action_mask"].any()
    return seen, rewards, env.position


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_game_ends_with_the_return_of_the_seat(game, options):
    env = gymnasium.env(game, **options)
    _, rewards, last = play(env, 1)
    assert rewards[-1] == last.outcome.returns[env.seat]
    assert not any(rewards[:-1])
    assert play(env, 1)[2] == last


def test_observations_are_those_of_the_seat():
    env = gymnasium.env("pentago", seat=1)
    seen, _ = env.reset(seed=3)
    assert env.position.ply == 1
    assert (seen["observation"][0].sum(), seen["observation"][1].sum()) == (0, 1)


def test_the_seat_is_drawn():
    env = gymnasium.env("pentago", seat=None)
    seats = []
    for seed in range(12):
        env.reset(seed=seed)
        seats.append(env.seat)
        assert env.position.ply == env.seat
    assert {*seats} == {0, 1}


def test_opponents():
    env = gymnasium.env("pentago", opponent="greedy")
    env.reset(seed=1, options={"position": LOST})
    here = env.position
    for text in ("f5", "4C"):
        _observation, reward, terminated, _, _ = env.step(encoding(here).number(here, here.parse(text)[0]))
        here = env.position
    assert (reward, terminated) == (-1.0, True)  # the greedy bot sees its five in a row
    own = bot("pentago", "greedy", seed=1)
    assert gymnasium.env("pentago", opponent=own)._bot is own
    assert gymnasium.env("pentago", opponent="engine@2")._bot.name == "engine-2"
    gymnasium.env("pentago", opponent=own).close()


def test_a_first_position():
    env = gymnasium.env("pentago")
    env.reset(options={"position": WON_BY_A4})
    assert env.step(4)[1:] == (1.0, True, False, {})


def test_an_illegal_action_loses():
    env = gymnasium.env("pentago")
    env.reset(seed=1)
    _observation, reward, terminated, truncated, info = env.step(36)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"].startswith("Action 36 is not legal here.")
    assert env.position == pentad.new("pentago")
    with pytest.raises(GameError, match="Call reset to begin one"):
        env.step(0)


def test_a_step_before_the_first_reset():
    with pytest.raises(GameError, match="Call reset to begin one"):
        gymnasium.env("pentago").step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "^The seat must be a number from 0"),
        ({"seat": "black"}, "^The seat must be a number from 0 to 1"),
        ({"opponent": "nobody"}, r"^Unknown bot 'nobody'\. The bots of Pentago are: "),
        ({"opponent": "engine@x"}, "^Unknown level 'x'"),
        ({"opponent": "engine@9"}, "has levels 1 to 5, got 9"),
        ({"opponent": 3}, r"^Unknown bot 3\."),
        ({"render_mode": "rgb"}, "^Unknown render mode 'rgb'"),
        ({"sise": 3}, "Pentago has no option sise"),
    ],
)
def test_invalid_arguments(options, message):
    with pytest.raises(GameError, match=message):
        gymnasium.env("pentago", **options)


def test_rendering(capsys):
    env = gymnasium.env("pentago", render_mode="human")
    env.reset(seed=1)
    env.step(0)
    assert "●" in capsys.readouterr().out
    env = gymnasium.env("pentago", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.position)


def test_without_gymnasium_a_line_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None\nfrom pentad.bridges import gymnasium"
    assert failure(code).endswith(
        f"gymnasium is not installed. For environments of Gymnasium, run: {installing_command('gym')}"
    )
