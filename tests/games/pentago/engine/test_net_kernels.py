"""The evaluation: equal for all eight symmetries, and equal in kernels and training."""

import numpy as np
import pytest

from pentad.games.pentago.engine import state
from pentad.games.pentago.engine.constants import CEILING, DEEP, FRACTION, GRAIN, MOST, STEP_BITS, SYMMETRIES, WIDTH
from pentad.games.pentago.engine.state import key_of
from tests.games.pentago.engine.random_positions import (
    any_net,
    as_arrays,
    patterns_of,
    random_position,
    score,
)
from training.pentago.learn import Learner, write


@pytest.mark.parametrize("make", [any_net, state.net])
def test_symmetric_boards_have_the_same_score(make):
    net, scores = make(), set()
    for seed in range(60):
        position = random_position(seed)
        views = {score(net, way.position(position)) for way in position.symmetries}
        assert len(views) == 1, position.text
        scores |= views
    assert len(scores) > 20


def some_boards():
    positions = [random_position(seed) for seed in range(40)]
    keys = np.array([key_of(position) for position in positions])
    return positions, keys, np.array([position.ply for position in positions], np.int8)


@pytest.mark.slow
def test_training_and_kernels_agree():
    positions, keys, marbles = some_boards()
    learner = Learner(seed=3)
    learner.learn(keys, marbles, np.linspace(-1, 1, len(keys)).astype(np.float32), 30, 1e-2, 1e-2)
    predictions = learner.predict(keys, marbles)
    played = np.tanh([score(learner.net(), position) / GRAIN / 2 for position in positions])
    assert np.abs(predictions - played).max() < 0.02
    assert predictions.std() > 0.05


@pytest.mark.slow  # a small step does so in each run
def test_training_reduces_the_loss():
    _, keys, marbles = some_boards()
    targets = np.where(np.arange(len(keys)) % 2, 1.0, -1.0).astype(np.float32)
    learner = Learner(seed=3)
    losses = learner.learn(np.tile(keys, 10), np.tile(marbles, 10), np.tile(targets, 10), 200, 1e-2, 1e-2)
    assert losses[-1] < losses[0] / 2


@pytest.mark.slow
def test_a_small_step_reduces_the_loss():
    _, keys, marbles = some_boards()
    targets = np.full(len(keys), 0.5, np.float32)
    learner = Learner(seed=3)
    before = learner.loss(keys, marbles, targets)
    learner.learn(keys, marbles, targets, 1, 1e-4, 1e-4)
    assert learner.loss(keys, marbles, targets) < before


def test_saved_state_is_loaded(tmp_path):
    _, keys, marbles = some_boards()
    learner, other = Learner(seed=3), Learner(seed=4)
    learner.save(tmp_path / "kept.npz")
    other.load(tmp_path / "kept.npz")
    assert (learner.predict(keys, marbles) == other.predict(keys, marbles)).all()


def test_weights_are_read_back_from_their_file(tmp_path):
    positions, keys, marbles = some_boards()
    learner = Learner(seed=3)
    write(learner.whole(), learner.values["layer"], learner.heads(), tmp_path / "state.npz")
    net = state.read(tmp_path / "state.npz")
    predictions = learner.predict(keys, marbles)
    played = np.tanh([score(net, position) / GRAIN / 2 for position in positions])
    assert np.abs(predictions - played).max() < 0.05


def test_scores_follow_from_the_integers():
    """The kernel's vectors against the same sums one by one."""
    for make in (any_net, state.net):
        net = make()
        rows, pairs, heads, direct = (array.astype(np.int64) for array in as_arrays(net))
        layer = pairs.reshape(WIDTH // 2, DEEP, 2).swapaxes(1, 2).reshape(WIDTH, DEEP)
        for seed in range(40):
            position = random_position(seed)
            parts = sum(rows[q, pattern] for q, pattern in enumerate(patterns_of(key_of(position))))
            units = (np.maximum(parts, 0) + SYMMETRIES // 2 >> 3).reshape(SYMMETRIES, WIDTH).sum(axis=0)
            head, ply = heads[position.ply], position.ply
            deep = np.clip(head[:DEEP] + units @ layer >> FRACTION, 0, CEILING)
            logit = head[2 * DEEP] + head[DEEP : 2 * DEEP] @ deep + direct[ply] @ units
            assert score(net, position) == np.clip(logit * GRAIN >> FRACTION + STEP_BITS, 1 - MOST, MOST - 1)


def test_the_packages_file_is_small():
    assert sum(file.stat().st_size for file in state.files_of()) < 4_000_000


def test_no_board_makes_the_packages_sums_too_large():
    rows, pairs, heads, direct = (np.abs(array.astype(np.int64)) for array in as_arrays(state.net()))
    layer = pairs.reshape(WIDTH // 2, DEEP, 2).swapaxes(1, 2).reshape(WIDTH, DEEP)
    whole = rows.max(axis=1).sum(axis=0)  # the worst four patterns may add up
    assert whole.max() + SYMMETRIES // 2 < 1 << 15
    units = whole.reshape(SYMMETRIES, WIDTH).max(axis=0)
    assert (heads[:, :DEEP].max(axis=0) + units @ layer).max() < 1 << 31
    out, bias = heads[:, DEEP : 2 * DEEP], heads[:, 2 * DEEP]
    assert (bias + CEILING * out.sum(axis=1) + direct @ units).max() < 1 << 31
    assert max(layer.max(), direct.max()) < (1 << 15) - 1  # no value was cut off
