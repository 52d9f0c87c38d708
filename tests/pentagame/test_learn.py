"""Training of the weights by games."""

import json

import pytest

from pentad.pentagame.engine import learn


def values(folder):
    return json.loads((folder / "parameters.json").read_text())["values"]


def test_the_weights_by_hand_are_those_of_the_parameters():
    by_hand = {name: value for name, (value, _) in learn.PARAMETERS.items()}
    turns_and_chokes = [turns + 0.07 * chokes for _ in range(2) for turns in (1, 2, 3, 4) for chokes in (0, 1, 2)]
    assert learn.weights_of(by_hand) == pytest.approx((*turns_and_chokes, 0.25, 0.45, -0.2, -0.2, 0.9))


def test_a_batch_moves_all_parameters_but_the_unit_towards_the_winners(tmp_path, monkeypatch):
    monkeypatch.setattr(learn, "pair", lambda weights, players, visits, seed: 2.0 * (seed == "games 0"))
    run, signs = learn.TrainingRun(tmp_path, 2, 4), learn.directions(0)
    list(run.go(learn.BATCH, 1))
    for name, (value, step) in learn.PARAMETERS.items():
        assert run.values[name] == pytest.approx(value + 2 * learn.RATE * step * signs[name])
    assert signs[learn.FIXED] == 0


@pytest.mark.parametrize("players", [2, 4])
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
