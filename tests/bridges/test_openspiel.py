"""Games of OpenSpiel: its own tests, parameters, observations, illegal actions."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from pentad.system.extras import installing_command

pytest.importorskip("pyspiel", reason="open_spiel, which the extra openspiel brings, is not installed")

import numpy as np
import pyspiel
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.algorithms.minimax import alpha_beta_search
from open_spiel.python.observation import make_observation
from open_spiel.python.rl_environment import Environment

import pentad
from pentad.bridges import openspiel
from pentad.bridges.environments import planes
from pentad.games.encoding import play, steps
from tests.programs import failure

GAMES = [
    "pentad_pentago",
    "pentad_pentago(rows=1,cols=3,players=3)",
    "pentad_pente(size=9)",
    "pentad_pente(size=7,opening=swap2)",
    "pentad_pente(rules=gomoku,size=6,overline=1)",
    "pentad_pentagame(max_ply=12)",
    "pentad_pentagame(max_ply=12,players=4)",
]


@pytest.fixture(scope="module", autouse=True)
def _registered():
    openspiel.register()


def test_every_game_is_registered_once():
    names = openspiel.register()
    assert names == tuple(f"pentad_{name}" for name in pentad.names())
    assert [pyspiel.registered_names().count(name) for name in names] == [1] * len(names)


@pytest.mark.parametrize("text", GAMES)
def test_the_tests_of_openspiel(text):
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("text", GAMES)
def test_games_are_those_of_pentad(text):
    spiel, rng = pyspiel.load_game(text), random.Random(1)
    state, here = spiel.new_initial_state(), spiel.first
    while not state.is_terminal():
        assert (state.current_player(), str(state)) == (here.turn, here.text)
        legal = steps(here)
        assert state.legal_actions() == sorted(legal)
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(action) == str(legal[action])
        state.apply_action(action)
        here = play(here, legal[action])
    assert state.returns() == [*here.outcome.returns]
    assert state.legal_actions() == []
    assert len(state.history()) <= spiel.max_game_length()


def test_parameters():
    spiel = pyspiel.load_game("pentad_pente", {"rules": "gomoku", "overline": 1, "line": 4})
    assert spiel.first == pentad.new("pente", rules="gomoku", overline=True, line=4)
    # The default of the option size depends on the rules; a value that is another rule set's default counts.
    assert pyspiel.load_game("pentad_pente(rules=gomoku,size=19)").first.options["size"] == 19
    assert pyspiel.load_game("pentad_pentago(players=4)").num_players() == 4
    again = pyspiel.load_game(str(spiel))
    assert (again.first, str(again)) == (spiel.first, str(spiel))
    kind = spiel.get_type()
    assert (kind.min_num_players, kind.max_num_players) == (2, 2)
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pentad_pente(size=2)", "Option size must be a whole number"),
        ("pentad_pente(overline=7)", "Option overline must be true or false, not 7."),
        ("pentad_pente(rules=chess)", "Option rules must be one of "),
        ("pentad_pente(size=x)", "Wrong type for parameter size"),
        ("pentad_pente(sise=9)", "Unknown parameter 'sise'"),
        ("pentad_pentago(players=9)", "Option players must be "),
    ],
)
def test_invalid_parameters(text, message):
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        pyspiel.load_game(text)


def test_observations():
    spiel = pyspiel.load_game("pentad_pentago")
    state = spiel.new_initial_state()
    state.apply_action(8)
    observation = make_observation(spiel)
    for player in (0, 1):
        observation.set_from(state, player)
        expected = planes(state.position, player)
        assert (observation.dict["observation"] == expected).all()
        assert (np.array(state.observation_tensor(player)) == expected.ravel()).all()
        assert observation.string_from(state, player) == state.observation_string(player) == state.position.text
    assert spiel.observation_tensor_shape() == [5, 6, 6]
    assert state.information_state_string(0) == "8"


def test_clones_are_apart():
    state = pyspiel.load_game("pentad_pentago").new_initial_state()
    copy = state.clone()
    copy.apply_action(0)
    assert (str(state), copy.history()) == (pentad.new("pentago").text, [0])


@pytest.mark.parametrize("action", [36, 44, -7])
def test_an_illegal_action_changes_nothing(action):
    state = pyspiel.load_game("pentad_pentago").new_initial_state()
    with pytest.raises(ValueError, match=f"^Action {action} is not legal here"):
        state.apply_action(action)
    with pytest.raises(ValueError, match=f"^Action {action} is not legal here"):
        state.action_to_string(0, action)
    assert (str(state), state.current_player()) == (pentad.new("pentago").text, 0)
    state.apply_action(0)


def test_algorithms_of_openspiel():
    tiny = pyspiel.load_game("pentad_pentago(rows=1,cols=1,block=2,line=2)")
    found = get_all_states(tiny, to_string=str)
    assert len(found) == len({str(state) for state in found.values()})
    value, _ = alpha_beta_search(tiny)
    assert value == 1  # any two marbles are a line
    env = Environment(tiny)
    step = env.reset()
    while not step.last():
        step = env.step([step.observations["legal_actions"][step.current_player()][0]])
    assert sorted(step.rewards) == [-1.0, 1.0]


@pytest.mark.slow
def test_the_process_ends_well():
    """OpenSpiel frees its games after Python's end."""
    code = """
from pentad.bridges import openspiel
import pyspiel
openspiel.register()
state = pyspiel.load_game("pentad_pentago").new_initial_state()
try:
    state.apply_action(40)
except ValueError as error:
    print(error)
state.apply_action(3)
raise SystemExit(3)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (3, "")
    assert run.stdout.startswith("Action 40 is not legal here.")


def test_without_openspiel_a_line_says_what_to_install():
    code = "import sys; sys.modules['pyspiel'] = None\nfrom pentad.bridges import openspiel"
    assert failure(code).endswith(
        f"pyspiel is not installed. For games of OpenSpiel, run: {installing_command('openspiel')}"
    )
