"""The vector environment: compared with single positions, and its own rules for ends, seats and illegal actions."""

from __future__ import annotations

import pytest

pytest.importorskip("gymnasium", reason="gymnasium, which the extra gym brings, is not installed")

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import pentad
from pentad.bridges import gymnasium
from pentad.bridges.environments import observation
from pentad.game import GameError, load
from pentad.games.encoding import encoding, play, steps

GAMES = [
    ("pentago", {}),
    ("pentago", {"players": 3, "rows": 1, "cols": 3, "seat": 2}),
    ("pente", {"size": 9, "seat": 1}),
    ("pente", {"opening": "swap2", "size": 7, "seat": None}),
    ("pentagame", {"max_ply": 12, "seat": None}),
]
WIN_IN_ONE = "pentago bbbb../wwww../....../....../....../......"


def last_legal(observations):
    """A policy: the legal action with the highest number."""
    mask = observations["action_mask"]
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def others_play(here, seat):
    """The position after the turns of the other seats by the same policy."""
    while here.outcome is None and here.turn != seat:
        legal = steps(here)
        here = play(here, legal[max(legal)])
    return here


def chosen(rng, masks):
    """A random legal action for each game; 0 where the game is over."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_every_game_is_played_by_the_rules(game, options):
    count, rng = 5, np.random.default_rng(1)
    envs = gymnasium.vector_env(game, count, opponent=last_legal, **options)
    seen, _ = envs.reset(seed=4)
    here = [others_play(envs.first, seat) for seat in envs.seats]
    ended, over = 0, [False] * count
    for _ in range(90):
        assert seen in envs.observation_space
        for number, position in enumerate(here):
            expected = observation(position, position.turn, steps(position))
            assert (seen["observation"][number] == expected["observation"]).all()
            assert (seen["action_mask"][number] == expected["action_mask"]).all()
        actions = chosen(rng, seen["action_mask"])
        seen, rewards, terminations, truncations, infos = envs.step(actions)
        assert (truncations.any(), infos) == (False, {})
        for number, position in enumerate(here):
            seat = envs.seats[number]
            start = envs.first if over[number] else play(position, steps(position)[int(actions[number])])
            here[number] = others_play(start, seat)
            outcome = here[number].outcome
            assert rewards[number] == (outcome.returns[seat] if outcome else 0.0)
        over = [position.outcome is not None for position in here]
        assert terminations.tolist() == over
        ended += sum(over)
    assert ended > 0


def test_the_same_seed_gives_the_same_games():
    def run(seed):
        envs = gymnasium.vector_env("pentago", 4, seat=None)
        seen, _ = envs.reset(seed=seed)
        for _ in range(20):
            seen, *_ = envs.step(last_legal(seen))
        return envs.seats.tolist(), seen["observation"].tobytes()

    assert run(1) == run(1)
    assert run(1) != run(2)
    envs = gymnasium.vector_env("pentago", 50, seat=None)
    envs.reset(seed=1)
    assert {*envs.seats.tolist()} == {0, 1}


def test_an_illegal_action_loses_its_game_alone():
    envs = gymnasium.vector_env("pentago", 4)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    envs.reset(seed=1)
    _, rewards, terminations, _, infos = envs.step([0, 36, 44, -1])
    assert rewards.tolist() == [0, -1, -1, -1]
    assert terminations.tolist() == infos["illegal"].tolist() == [False, True, True, True]
    seen, rewards, terminations, _, infos = envs.step([36, 99, 99, 99])  # the games that are over begin again
    assert (rewards.any(), terminations.any(), infos) == (False, False, {})
    assert seen["observation"][1:, :2].any() == np.False_
    assert seen["action_mask"][1:, :36].all()


def test_observations_are_kept():
    envs = gymnasium.vector_env("pentago", 2)
    first, _ = envs.reset(seed=1)
    before = first["observation"].copy()
    envs.step([0, 1])
    assert (first["observation"] == before).all()


def test_a_first_position():
    envs = gymnasium.vector_env("pentago", 2)
    envs.reset(seed=1, options={"position": WIN_IN_ONE})
    seen, rewards, terminations, *_ = envs.step([4, 35])
    assert (rewards.tolist(), terminations.tolist()) == ([1.0, 0.0], [True, False])
    assert (
        seen["action_mask"][1] == observation(load(WIN_IN_ONE).partial("f5"), 0, range(36, 44))["action_mask"]
    ).all()
    envs.reset(seed=1)
    assert envs.games.start == pentad.new("pentago")


def test_wrappers_of_gymnasium():
    envs = RecordEpisodeStatistics(gymnasium.vector_env("pente", 3, size=5, line=4, opening="free"))
    seen, _ = envs.reset(seed=1)
    lengths = []
    for _ in range(40):
        seen, _, terminations, _, infos = envs.step(last_legal(seen))
        lengths += infos["episode"]["l"][terminations].tolist() if terminations.any() else []
    assert lengths
    assert min(lengths) >= 4
    envs.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "engine@2"}, "^The opponent must be random"),
        ({"seat": 2}, "^The seat must be a number from 0 to 1"),
        ({"count": 0}, "count must be a whole number from 1"),
        ({"sise": 3}, "Pentago has no option sise"),
    ],
)
def test_invalid_arguments(options, message):
    with pytest.raises(GameError, match=message):
        gymnasium.vector_env("pentago", **({"count": 2} | options))


@pytest.mark.parametrize("actions", [[1], [1, 2, 3], [0.5, 1.0], ["a", "b"], 3])
def test_invalid_actions(actions):
    envs = gymnasium.vector_env("pentago", 2)
    envs.reset(seed=1)
    with pytest.raises(GameError, match=r"^Expected 2 whole numbers"):
        envs.step(actions)


def test_a_policy_with_an_illegal_action():
    envs = gymnasium.vector_env("pentago", 2, opponent=lambda seen: np.full(len(seen["action_mask"]), 99))
    envs.reset(seed=1)
    envs.step([0, 1])
    with pytest.raises(GameError, match="Action 99 is not legal here"):
        envs.step([36, 36])


def test_numbers_of_actions_are_those_of_the_encoding():
    envs = gymnasium.vector_env("pente", 1, size=13)
    envs.reset(seed=1)
    here = pentad.new("pente", size=13)
    envs.step([encoding(here).number(here, here.parse("G7")[0])])
    assert envs.games.observations[0, 0, 6, 6] == 1
