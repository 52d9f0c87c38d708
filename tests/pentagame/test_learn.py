"""Training of the weights by games."""

import json

import pytest

from pentad.pentagame.engine import constants as k
from pentad.pentagame.engine import learn


def values(folder):
    return json.loads((folder / "parameters.json").read_text())["values"]


def test_the_weights_by_hand_are_those_of_the_parameters():
    by_hand = {name: value for name, (value, _) in learn.PARAMETERS.items()}
    turns_and_chokes = [turns + 0.07 * chokes for _ in range(2) for turns in (1, 2, 3, 4) for chokes in (0, 1, 2)]
    assert learn.weights_of(by_hand) == pytest.approx((*turns_and_chokes, 0.25, 0.45, -0.2, -0.2, 0.9))


@pytest.mark.parametrize("weights", [k.OF_TWO, k.OF_MORE])
def test_the_weights_of_the_package_have_parameters(weights):
    assert learn.weights_of(learn.parameters_of(weights)) == pytest.approx(weights, abs=0.002)


def test_a_run_begins_with_the_weights_of_the_package(tmp_path):
    assert learn.TrainingRun(tmp_path, 5, 4, "package").values == learn.parameters_of(k.OF_MORE)


STATE = {"pairs": 8, "players": 3, "visits": 4, "values": dict.fromkeys(learn.PARAMETERS, 1)}


@pytest.mark.parametrize(
    "text",
    [
        *("", "7", "[]", "{}", "\xff", "[" * 100_000),
        *(json.dumps(STATE | each) for each in ({"pairs": -1}, {"players": 6}, {"visits": "x"}, {"values": {}})),
        json.dumps(STATE).replace("8", "Infinity"),
        json.dumps(STATE | {"values": {**STATE["values"], learn.FIXED: float("nan")}}),
    ],
)
def test_a_file_that_is_no_state_is_refused_and_stays(tmp_path, text, capsys, monkeypatch):
    file = tmp_path / "parameters.json"
    file.write_text(json.dumps(STATE))
    assert learn.TrainingRun(tmp_path, 2, 9).pairs == STATE["pairs"]
    file.write_text(text, "latin-1")
    monkeypatch.setattr("sys.argv", ["learn", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit, match="2"):
        learn.main()
    assert capsys.readouterr().err.endswith(f"error: {file} is not the state of a training run.\n")
    assert file.read_text("latin-1") == text


def test_a_batch_moves_all_parameters_but_the_unit_towards_the_winners(tmp_path, monkeypatch):
    monkeypatch.setattr(learn, "pair", lambda weights, players, visits, seed: 2.0 * (seed == "games 0"))
    run, signs = learn.TrainingRun(tmp_path, 2, 4), learn.directions(0)
    list(run.go(learn.BATCH, 1))
    for name, (value, step) in learn.PARAMETERS.items():
        assert run.values[name] == pytest.approx(value + 2 * learn.RATE * step * signs[name])
    assert signs[learn.FIXED] == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_better_weights_win(players):
    good = learn.weights_of({name: value for name, (value, _) in learn.PARAMETERS.items()})
    none = tuple(0.0 for _ in good)
    assert sum(learn.pair((good, none), players, 6, f"{number}") for number in range(3)) > 0


@pytest.mark.slow
def test_a_run_that_was_interrupted_ends_with_the_same_parameters(tmp_path):
    list(learn.TrainingRun(tmp_path / "whole", 4, 4).go(2 * learn.BATCH, 2))
    list(learn.TrainingRun(tmp_path / "parts", 4, 4).go(learn.BATCH, 1))
    list(learn.TrainingRun(tmp_path / "parts", 2, 9).go(2 * learn.BATCH, 2))
    assert values(tmp_path / "whole") == values(tmp_path / "parts")
