"""Short training runs: they resume, and their boards are valid positions."""

from dataclasses import replace

import numpy as np
import pytest

from pentad.games.pentago.engine import state
from pentad.games.pentago.engine.state import key_of, position_of
from pentad.games.pentago.solver import solve
from tests.games.pentago.engine.random_positions import random_position
from training.pentago import learn


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    """One stage whose rounds solve one board of each number of marbles."""
    monkeypatch.setattr(learn, "STAGES", (replace(learn.STAGES[0], solved=1),))
    monkeypatch.setattr(learn, "COUNTS_SOLVED", (26, 26, 27, 28, 29))
    monkeypatch.setattr(learn, "BATCH", 64)


@pytest.mark.slow
def test_training_resumes(tmp_path):
    first = learn.TrainingRun(tmp_path, 0.3, start="random")
    lines = [next(first.go()) for _ in range(2)]
    assert lines[0].startswith("round 1,")
    assert lines[1].startswith("round 2,")
    assert len(first.boards[0]) > 0  # there are as many as the time allows
    again = learn.TrainingRun(tmp_path, 0.3, start="random")
    assert again.rounds == 2
    assert again.learner.step == first.learner.step
    assert (again.boards[0] == first.boards[0]).all()
    assert next(again.go()).startswith("round 3,")


@pytest.mark.slow
def test_training_ends(tmp_path):
    assert len(list(learn.TrainingRun(tmp_path, 0.05, scale=1e-6, start="random").go())) == 1


@pytest.mark.slow
def test_boards_of_games_are_valid(tmp_path):
    training = learn.TrainingRun(tmp_path, 0.5, start="random")
    next(training.go())
    keys, marbles, targets = training.boards
    assert np.abs(targets).max() <= 1
    for key, count in list(zip(keys.tolist(), marbles.tolist(), strict=True))[:200]:
        position = position_of(key, count)  # refuses impossible numbers of marbles
        assert position.outcome is None
        assert key_of(position) == key


def test_solved_boards_have_their_values():
    keys, marbles, targets = learn.solved((25, 26), 4, seed=3)
    assert len(keys) > 20
    for key, count, target in list(zip(keys.tolist(), marbles.tolist(), targets.tolist(), strict=True))[:15]:
        assert solve(position_of(key, count), moves=False).value == target


def test_keys_and_positions():
    for seed in range(30):
        position = random_position(seed)
        assert position_of(key_of(position), position.ply) == position


@pytest.mark.slow
def test_the_accuracy_report(monkeypatch):
    monkeypatch.setattr(learn, "COUNTS_SOLVED", (26,))
    lines = list(learn.accuracy(learn.Learner(), seconds=0.2, solutions=2))
    assert len(lines) == 2 + len(learn.COUNTS_OF_GAMES) + 1
    assert "27 marbles" in lines[-1]


def test_a_report_without_training(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["learn", "--folder", str(tmp_path), "--only-report"])
    monkeypatch.setattr(learn.TrainingRun, "go", lambda training: iter(["trained"]))
    monkeypatch.setattr(learn, "accuracy", lambda learner: iter(["reported"]))
    learn.main()
    assert capsys.readouterr().out == "reported\n"


@pytest.mark.slow
def test_a_run_begins_with_the_weights_of_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(learn, "STAGES", (learn.STAGES[0], replace(learn.BESIDE, exact=26, beside=2)))
    training = learn.TrainingRun(tmp_path, 2.0)
    assert np.allclose(training.learner.whole(), learn.tables_of(state.FILE), atol=1e-6)
    for line in training.go():  # rounds until there are enough boards, on any machine
        assert "depth 3" in line
        keys, marbles, targets = training.boards
        if len(keys) > 50 and (marbles >= 26).any():
            break
    assert len(keys) > 50
    assert (marbles >= 26).any()
    for key, count, target in zip(keys.tolist(), marbles.tolist(), targets.tolist(), strict=True):
        position = position_of(key, count)
        assert position.outcome is None
        if count >= 26:
            assert solve(position, moves=False).value == target


@pytest.mark.slow
def test_boards_beside_a_game():
    """Walks lead to boards of the next turns without a win at once, with the values of a search."""
    arrays, seed = learn.arrays_of(learn.Learner().net(), 1 << 12), np.array([7], np.int64)
    arrays.control.selective = 1
    keys, marbles, targets = learn.room(200)
    begun = [position for position in map(random_position, range(8)) if position.ply <= 24]
    for i, position in enumerate(begun):
        keys[i], marbles[i] = key_of(position), position.ply
    filled = learn.k.walk_beside(len(begun), 3, 1, seed, arrays, keys, marbles, targets)
    assert len(begun) < filled <= 4 * len(begun)
    for key, count in zip(keys[len(begun) : filled].tolist(), marbles[len(begun) : filled].tolist(), strict=True):
        position = position_of(key, count)
        ends = [position.play(move).outcome for move in position.legal_moves]
        assert position.outcome is None
        assert not any(end and end.winners == (position.turn,) for end in ends)
