"""Training: the codes, the sums, the groups, the fit, and a small run that does not change the package."""

import sys

import numpy as np
import pytest

from pentad.game import GameError
from pentad.jit.buffers import array, zeros
from pentad.pente.engine import constants as k
from pentad.pente.engine import learn
from pentad.pente.engine.constants import NAMES
from pentad.pente.engine.learn import (
    MOST_CODES,
    Model,
    Samples,
    by_hand,
    call_training,
    fit,
    group_by_code,
    group_by_kind,
    others_of,
    split,
    targets_of,
    training_kernels,
)
from pentad.pente.engine.state import Weights, file_of, kernels, point_of, state_of, tables
from pentad.pente.rulesets import RULE_SETS
from tests.pente.engine.random_positions import random_positions
from tests.pente.engine.test_weights import exchanged, mirrored

RULES = ("pente", "freestyle", "gomoku")


def made_up(count=400, codes=50, seed=1):
    """Positions with few codes, in which the side with more of the good ones wins more often."""
    chance = np.random.default_rng(seed)
    truth = chance.normal(0, 0.3, codes)
    lengths = chance.integers(1, 12, count)
    ends = np.cumsum(lengths)
    seen = chance.integers(0, codes, ends[-1]).astype(np.uint32)
    signs = chance.choice([-1.0, 1.0], count)
    others = np.zeros((count, learn.OTHERS), np.float32)
    others[:, k.TEMPO] = 1
    scores = signs * np.add.reduceat(truth[seen], np.append(0, ends[:-1])) + 0.2
    search_scores = 1 / (1 + np.exp(-scores))
    return Samples(
        seen, ends, signs, others, search_scores, (chance.random(count) < search_scores).astype(float)
    ), truth


# ── kernels ──────────────────────────────────────────────────────────────────────────────────────


def seen(state):
    """The codes that the kernel writes; nothing is written after them."""
    room = zeros(MOST_CODES, "int32")
    count = training_kernels()("codes_seen", *state.position, state.tables.entries, room)
    assert not any(room[count:])
    return list(room[:count])


@pytest.mark.parametrize("rules", RULES)
def test_the_codes_seen_are_those_where_the_colours_differ(rules):
    for position in list(random_positions({"rules": rules, "size": 13, "opening": "free"}, 2, most=60))[::9]:
        state = state_of(position)
        room = seen(state)
        half, entries = 2 * state.tables.reach, np.asarray(state.tables.entries)
        expected = []
        for point in range(13 * 13):
            if position.empty >> point & 1:
                first = k.CODES + k.AXES * point_of(position.board, point)
                codes = np.asarray(state.board[first : first + k.AXES])
                lines = entries[codes] & 255 != 0
                expected += codes[lines & (codes >> half != codes & ((1 << half) - 1))].tolist()
        assert sorted(room) == sorted(expected)


@pytest.mark.parametrize("rules", RULES)
def test_the_incremental_value_is_the_sum_of_the_codes_values(rules):
    """Codes that are the same for both colours have the value 0, so none is missing."""
    for position in list(random_positions({"rules": rules, "size": 13, "opening": "free"}, 3, most=60))[::9]:
        state = state_of(position)
        room = seen(state)
        assert sum(state.values[code] for code in room) == state.numbers[k.VALUE]


def test_sums_and_shares_agree_with_numpy():
    samples, truth = made_up()
    owner = np.repeat(np.arange(len(samples)), np.diff(samples.ends, prepend=0))
    sums = np.zeros(len(samples))
    call_training("sums_of", truth, samples.codes, samples.ends, sums)
    np.testing.assert_allclose(sums, np.bincount(owner, truth[samples.codes], len(samples)), atol=1e-12)
    wrong = np.random.default_rng(2).normal(size=len(samples))
    shares = np.full(len(truth), 7.0)  # old values are overwritten
    call_training("shares_of", wrong, samples.codes, samples.ends, shares)
    np.testing.assert_allclose(shares, np.bincount(samples.codes, wrong[owner], len(truth)), atol=1e-12)


# ── groups ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("groups", [group_by_code, group_by_kind])
@pytest.mark.parametrize("rules", RULES)
def test_colours_exchanged_are_the_same_group_with_the_other_sign(rules, groups):
    table = tables(RULE_SETS[rules])
    group, sign = groups(table)
    codes = np.arange(len(table.entries))
    other, turned = exchanged(codes, table.reach), mirrored(codes, table.reach)
    assert (group == group[other]).all()
    assert (sign == -sign[other]).all()
    assert (group == group[turned]).all()
    assert (sign == sign[turned]).all()
    assert set(np.unique(sign)) == {-1.0, 0.0, 1.0}


def test_groups_of_codes_have_only_images():
    table = tables(RULE_SETS["pente"])
    group, sign = group_by_code(table)
    codes = np.arange(len(table.entries))
    turned = exchanged(codes, 4)
    family = np.stack([codes, turned, mirrored(codes, 4), mirrored(turned, 4)])
    assert (family == group).any(axis=0).all()  # a group has the name of one of its codes
    assert np.bincount(group).max() == 4
    assert ((sign == 0) == ((codes == turned) | (mirrored(codes, 4) == turned))).all()


# ── fitting ──────────────────────────────────────────────────────────────────────────────────────


def test_fitting_lowers_the_loss():
    samples, truth = made_up(4000)
    held, rest = split(samples, 0, 1000), split(samples, 1000, len(samples))
    model = Model(np.arange(len(truth)), np.ones(len(truth)), np.zeros(len(truth)), np.zeros(learn.OTHERS))
    before = model.loss(held, targets_of(held))
    fit(model, rest, 300, 0.02, None, 0.0)
    assert model.loss(held, targets_of(held)) < before - 0.02
    assert np.corrcoef(model.values, truth)[0, 1] > 0.8
    assert model.others[k.TEMPO] == pytest.approx(0.2, abs=0.15)
    assert np.flatnonzero(model.others).tolist() == [k.TEMPO]


def test_values_are_pulled_towards_the_given_ones():
    samples, truth = made_up()
    moved = []
    for pull in (0.0, 1.0):
        towards = np.full(len(truth), 0.5)
        model = Model(np.arange(len(truth)), np.ones(len(truth)), towards.copy(), np.zeros(learn.OTHERS))
        fit(model, samples, 60, 0.01, towards, pull)
        moved.append(abs(model.values - towards).sum())
    assert moved[1] < moved[0] / 2


def test_the_other_colours_codes_count_the_other_way():
    samples, truth = made_up()
    model = Model(np.arange(len(truth)), np.ones(len(truth)), truth, np.zeros(learn.OTHERS))
    other = Samples(**vars(samples) | {"signs": -samples.signs})
    np.testing.assert_allclose(model.guess(samples), -model.guess(other))


def test_the_other_features_are_those_of_the_evaluation():
    """With weights set by hand, the evaluation is the sum of the values of features and codes."""
    for position in list(random_positions({"size": 13, "opening": "free"}, 5, games=3, most=80))[::7]:
        state = state_of(position)
        value = -state.numbers[k.VALUE] if position.colour else state.numbers[k.VALUE]
        expected = value + others_of(state.numbers) @ np.array(k.HAND_SET_WEIGHTS)
        weights = array(k.HAND_SET_WEIGHTS, "int32")
        assert kernels()("evaluate", state.numbers, weights) == max(-k.LIMIT, min(k.LIMIT, round(expected)))


# ── samples ──────────────────────────────────────────────────────────────────────────────────────


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in vars(one))


def test_parts_are_joined_to_the_whole(tmp_path):
    samples, _ = made_up()
    parts = [split(samples, 0, 3), Samples.none(), split(samples, 3, 250), split(samples, 250, len(samples))]
    assert same(Samples.concatenate(parts), samples)
    samples.save(tmp_path / "games.npz")
    assert same(Samples.load(tmp_path / "games.npz"), samples)
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]


def test_a_game_is_the_same_again_and_says_who_won():
    weights = by_hand(tables(RULE_SETS["pente"]))
    once, again = (learn.game("pente", 3, 1, weights) for _ in range(2))
    assert same(once, again)
    assert len(once) > 5
    assert ((once.search_scores > 0) & (once.search_scores < 1)).all()
    winner = (once.results == 1) == (once.signs == 1)
    assert set(once.results) <= {0.0, 0.5, 1.0}
    assert (once.results == 0.5).all() or winner.all() or not winner.any()


# ── the whole ────────────────────────────────────────────────────────────────────────────────────


def run(monkeypatch, folder, *words):
    """Runs the command; returns the weights that it would have saved in the package."""
    written = []
    monkeypatch.setattr(learn, "write", lambda name, weights: written.append((name, weights)))
    monkeypatch.setattr(sys, "argv", ["learn", "--folder", str(folder), "--workers", "1", *words])
    learn.main()
    return written


@pytest.mark.slow
def test_a_small_run_and_another_that_continues(tmp_path, monkeypatch, capsys):
    before = {name: file_of(name).read_bytes() for name in ("pente", "freestyle")}
    words = ("--games", "2", "--depth", "1")
    ((name, weights),) = run(monkeypatch, tmp_path / "new", *words, "--rounds", "1")
    assert name == "pente"
    lines = capsys.readouterr().out.splitlines()
    assert [line.startswith("round 0, ") for line in lines] == [True] * 3
    table = tables(RULE_SETS["pente"])
    assert len(weights.values) == len(table.entries) + NAMES
    kept = {path.name for path in (tmp_path / "new").iterdir()}
    assert kept == {"games-0.npz", "weights-0.npz"}
    codes = np.arange(len(table.entries))
    values = np.asarray(weights.values)[:-NAMES]
    assert (values == -values[exchanged(codes, table.reach)]).all()
    assert (values == values[mirrored(codes, table.reach)]).all()

    ((_, same_weights),) = run(monkeypatch, tmp_path / "new", *words, "--rounds", "1")
    assert capsys.readouterr().out == ""  # nothing left to do
    assert same_weights.values == weights.values
    assert Weights.load(tmp_path / "new" / "weights-0.npz").others == weights.others
    assert {name: file_of(name).read_bytes() for name in before} == before


class Here:
    """Workers in this process."""

    def __init__(self, _):
        self.map = map

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.mark.parametrize("count", [2, 15])
def test_the_requested_number_of_games_is_played(count, tmp_path, monkeypatch):
    seeds = []

    def games(rules, asked, depth, weights):
        seeds.extend(asked)
        return Samples.none()

    monkeypatch.setattr(learn, "games", games)
    monkeypatch.setattr(learn, "fit_weights", lambda samples, table, start: iter([start]))
    monkeypatch.setattr(learn, "ProcessPoolExecutor", Here)
    run(monkeypatch, tmp_path, "--games", str(count), "--rounds", "1")
    assert len(seeds) == count


def test_only_the_two_rule_sets_are_trained(tmp_path, monkeypatch):
    monkeypatch.setattr(learn, "games", lambda *_: Samples.none())
    monkeypatch.setattr(learn, "fit_weights", lambda samples, table, start: iter([start]))
    monkeypatch.setattr(learn, "ProcessPoolExecutor", Here)
    with pytest.raises((GameError, SystemExit)):
        run(monkeypatch, tmp_path, "--rules", "keryo", "--games", "1", "--rounds", "1")
