"""The chance to win: a logistic of the evaluation, with constants of every game, and what holds for any of them."""

from __future__ import annotations

import importlib.util
import json
import math
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad import names, new
from pentad.game import game
from pentad.search import win_chance
from pentad.search.win_chance import FILE, chances, fits, powers, share, sharpness
from tests.properties import properties

SOME = [new("pentago"), new("pentago", rows=3, cols=3), new("pente"), new("pente", rules="gomoku"), new("pentagame")]
SOME += [new("pentagame", players=players) for players in (3, 4, 5)]


@pytest.mark.parametrize("name", names())
def test_every_game_has_fitted_constants_that_beat_no_evaluation(name):
    text = game(name).data(FILE)
    assert text
    for fit in json.loads(text)["fits"]:
        assert 0 < fit["sharpness"] < 3
        assert fit["log_loss"] < fit["log_loss_even"]
        assert fit["games"] >= 40
        assert sum(number for _, _, number in fit["calibration"]) % fit["held_out_positions"] == 0


@pytest.mark.parametrize("position", SOME, ids=lambda position: position.text[:30])
def test_every_kind_of_board_has_a_fit(position):
    assert any(fit.holds(position) for fit in fits(position.game))
    even = chances(position, (0.0,) * position.players)
    assert even == pytest.approx([1 / position.players] * position.players)


def test_a_game_without_a_file_takes_values_as_they_are(monkeypatch):
    monkeypatch.setattr(win_chance, "fits", lambda name: ())
    assert sharpness(new("pente")) == 1.0
    assert chances(new("pente"), (0.4, -0.4)) == pytest.approx((0.7, 0.3))


@properties()
@given(st.floats(-0.99, 0.99), st.floats(0.1, 3))
def test_with_two_players_it_is_a_logistic(value, exponent):
    shares = [share(value, 2), share(-value, 2)]
    logistic = 1 / (1 + math.exp(-2 * exponent * math.atanh(value)))
    assert powers(shares, exponent)[0] == pytest.approx(logistic, abs=0.002)


@properties()
@given(st.integers(2, 5), st.data())
def test_chances_are_shares_of_one_in_the_order_of_the_values(players, data):
    position = new("pentagame", players=players)
    values = data.draw(st.lists(st.floats(-1, 1), min_size=players, max_size=players))
    found = chances(position, values)
    assert sum(found) == pytest.approx(1)
    assert all(each > 0 for each in found)
    order = sorted(range(players), key=values.__getitem__)
    assert [found[seat] for seat in order] == sorted(found)


def test_exact_values_are_certain():
    two, three = new("pente"), new("pentagame", players=3)
    assert chances(two, (1.0, -1.0), exact=True) == (1.0, 0.0)
    assert chances(two, (0.0, 0.0), exact=True) == (0.5, 0.5)
    assert chances(three, (-0.5, 1.0, -0.5), exact=True) == (0.0, 1.0, 0.0)
    assert chances(three, (0.25, 0.25, -0.5), exact=True) == (0.5, 0.5, 0.0)  # two winners share the win
    assert chances(two, (1.0, -1.0))[0] < 1  # an estimate is never certain


# ── the program that fits ────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def training():
    path = Path(__file__).parents[2] / "training" / "win_chance.py"
    spec = importlib.util.spec_from_file_location("win_chance_training", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("sharp", [0.4, 1.0, 1.7])
def test_the_fit_finds_a_known_sharpness(training, sharp):
    rng = random.Random(1)
    samples = {}
    for number in range(3000):
        shares = [rng.uniform(0.05, 1) for _ in range(3)]
        shares = [each / sum(shares) for each in shares]
        winner = rng.choices(range(3), powers(shares, sharp))[0]
        samples[number] = training.Sample([shares], [0], [float(seat == winner) for seat in range(3)])
    data = training.Data.of(samples)
    assert data.fitted() == pytest.approx(sharp, abs=0.15)
    assert data.loss(data.fitted()) <= min(data.loss(sharp), data.loss(0.0))
    assert sum(number for _, _, number in data.calibration(sharp)) == 9000


def test_a_game_is_played_and_evaluated_the_same_every_time(training):
    group = training.Group("pentago", "a short line", {}, [{"rows": 1, "cols": 2, "line": 3}], "tree", opening=2)
    sample = training.played(0, group, 1)
    assert sum(sample.result) == 1.0
    assert all(sum(each) == pytest.approx(1) for each in sample.shares)
    assert sample == training.played(0, group, 1)


def test_the_page_has_the_figures_of_the_files(training):
    text = training.PAGE.read_text(encoding="utf-8")
    assert text.split(training.BEGIN)[1].split(training.END)[0] == training.tables()
