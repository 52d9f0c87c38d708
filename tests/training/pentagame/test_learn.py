"""Training of the net by games, and the net against the same one in floats."""

import itertools
import random

import numpy as np
import pytest

import pentad
from pentad.game import GameError
from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.net_kernels import estimate, input_rows
from pentad.games.pentagame.engine.search import ENGINE, read, state_of
from tests.games.pentagame.random_play import played
from training.pentagame import learn

PLAYERS = tuple(k.NETS)


def rows_of(position):
    work, rows = np.zeros(k.WORK, np.int64), np.zeros(30, np.int64)
    return rows[: input_rows(np.asarray(state_of(position)), work, rows)].tolist()


def counts_of(position):
    return np.bincount(rows_of(position), minlength=k.INPUTS[position.players]).astype(np.float32)[None]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_start_has_the_rows_of_its_pieces_and_the_rest(players):
    """Each piece has all its turns before it; no block is due, and all gray ones are in the pool."""
    rows, rest = rows_of(pentad.new("pentagame", players=players)), k.KINDS * players
    assert [row // k.KINDS for row in rows[:-4]] == [turn for turn in range(players) for _ in range(5)]
    assert all(row % k.KINDS > 0 for row in rows[:-4])
    assert [row - rest for row in rows[-4:]] == [k.BLACK, k.GRAY, k.MOVER, k.POOL + 5]


def test_rows_tell_what_is_due_who_moves_and_how_the_game_ends():
    start = pentad.new("pentagame", players=3, first_to_three=True)
    within, after = start.partial("3-5"), start.play("3-5 410")
    rest = 3 * k.KINDS
    assert [row - rest for row in rows_of(within)[-4:]] == [k.BLACK + 1, k.GRAY, k.MOVER + k.SEATS, k.POOL + 5]
    assert [row - rest for row in rows_of(after)[-4:]] == [k.BLACK, k.GRAY, k.MOVER + k.SEATS + 1, k.POOL + 5]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_net_in_integers_is_that_in_floats(players):
    net = learn.in_floats(read()[players], players)
    rows, biases, layer, more, chances = learn.parts(net, players)
    for plies in (0, 3, 8, 15, 24):
        here = played(plies, players=players)
        sums = (counts_of(here) @ rows + biases)[0]
        first = np.maximum(sums[: k.HIDDEN], 0)
        second = np.maximum(first @ layer + more, 0)
        logits = (sums[k.HIDDEN : k.HIDDEN + k.CHANCES] + second @ chances)[:players]
        value, work = np.zeros(k.SEATS), np.zeros(k.WORK, np.int64)
        state = np.asarray(state_of(here))
        input_rows(state, work, np.zeros(30, np.int64))
        estimate(state, np.asarray(ENGINE.weights), value, work)
        expected = np.exp(logits) / np.exp(logits).sum()
        assert value[:players] == pytest.approx(np.roll(expected, here.turn), abs=0.01)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_net_becomes_integers_and_floats_again(players):
    for net in (learn.by_hand(players), learn.in_floats(read()[players], players)):
        again = learn.in_floats(learn.in_integers(net, players), players)
        assert again == pytest.approx(net, abs=0.5 / (1 << k.STEP_BITS) + 1e-6)
    assert list(learn.in_integers(again, players)) == list(read()[players])


@pytest.mark.parametrize("players", PLAYERS)
def test_no_unit_of_the_package_overflows(players):
    """At worst each piece, and each row of the rest, has the largest weight of its rows."""
    rows, biases, *_ = learn.parts(learn.in_floats(read()[players], players), players)
    ends = [k.KINDS * turn for turn in range(players + 1)]
    rest = [k.KINDS * players + each for each in (k.BLACK, k.GRAY, k.MOVER, k.POOL, k.REST)]
    bound = abs(biases)
    for times, edges in ((5, ends), (1, rest)):
        for first, last in itertools.pairwise(edges):
            bound = bound + times * abs(rows[first:last]).max(axis=0)
    assert bound.max() < (1 << 15) / (1 << k.STEP_BITS)


def test_the_gradient_is_that_of_small_steps():
    rng, players = np.random.default_rng(1), 3
    net = learn.by_hand(players)
    inputs = np.concatenate([counts_of(played(plies, players=players)) for plies in range(12)])
    targets = rng.dirichlet(np.ones(players), len(inputs)).astype(np.float32)
    _, gradient = learn.slopes(net, players, inputs, targets)
    for _ in range(5):
        step = rng.normal(0, 1e-3, len(net)).astype(np.float32)
        up, down = (learn.slopes(net + side * step, players, inputs, targets)[0] for side in (1, -1))
        assert (up - down) / 2 / len(inputs) == pytest.approx(float(gradient @ step), rel=0.02, abs=1e-5)


@pytest.mark.parametrize("players", PLAYERS)
def test_by_hand_fewer_turns_are_better(players):
    net = learn.by_hand(players)
    rows = learn.parts(net, players)[0]
    for turn in range(players):
        mine = rows[k.KINDS * turn : k.KINDS * (turn + 1), k.HIDDEN + turn]
        assert mine[0] == 0
        assert list(mine) == sorted(mine, reverse=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file of two games."""
    folder = tmp_path_factory.mktemp("games")
    learn.games(3, range(2), 4, learn.by_hand(3), folder / "games.npz")
    return folder


def test_positions_of_games_have_a_row_for_each_piece_and_shares_of_the_win(folder):
    with np.load(folder / "games.npz") as file:
        rows, values, results = (file[name] for name in ("rows", "values", "results"))
    assert rows.shape == (len(values), 19)
    for shares in (values, results):
        assert shares.sum(axis=1) == pytest.approx(1, abs=1e-5)
    inputs, targets = learn.load([folder / "games.npz"], 3, 0.25)
    assert inputs.sum(axis=1) == pytest.approx(19)
    assert targets == pytest.approx(0.75 * values + 0.25 * results)


def test_a_fit_predicts_games_better(folder, capsys):
    args = type("Args", (), {"players": 3, "epochs": 6, "rate": 4e-3, "result": 0.5})()
    learn.fit(args, 0, learn.by_hand(3), [folder / "games.npz"])
    losses = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("damage", ["half", "rubbish", "empty", "players", "nan"])
def test_a_file_that_is_no_games_is_refused(folder, tmp_path, damage):
    path, data = tmp_path / "games.npz", (folder / "games.npz").read_bytes()
    with np.load(folder / "games.npz") as file:
        parts = dict(file)
    path.write_bytes({"half": data[: len(data) // 2], "rubbish": b"rubbish"}.get(damage, b""))
    if damage == "nan":
        np.savez(path, **(parts | {"values": parts["values"] * np.nan}))
    if damage == "players":
        path.write_bytes(data)
    with pytest.raises(GameError, match=r"games\.npz (is damaged|has no games)"):
        learn.load([path], 2 if damage == "players" else 3, 0.5)


def test_any_turn_is_legal_and_a_position_beside_is_near():
    start, chance = played(6, players=3), random.Random(1)
    assert learn.any_turn(start, chance).ply == 7
    tree = learn.tree_of(ENGINE, start, 20, chance, ())
    assert {learn.beside(ENGINE, tree, chance).ply for _ in range(12)} <= {6, 7, 8, 9, 10}


def run(monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["learn", *map(str, words)])
    learn.main()


def test_a_second_run_continues_the_first(tmp_path, monkeypatch, capsys):
    words = ("--players", 2, "--games", 2, "--visits", 4, "--epochs", 2, "--workers", 1, "--folder")
    run(monkeypatch, *words, tmp_path / "whole")
    run(monkeypatch, *words, tmp_path / "parts", "--rounds", 1)
    run(monkeypatch, *words, tmp_path / "parts")
    found = [read(tmp_path / name / "weights-2-1.npz") for name in ("whole", "parts")]
    assert list(found[0][2]) == list(found[1][2]) != list(read()[2])
    assert list(found[0][3]) == list(read()[3])
    assert capsys.readouterr().out.splitlines()[-1] == str(tmp_path / "parts" / "weights-2-1.npz")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", 6), "invalid choice"),
        (("--games", 0), "invalid count value"),
        (("--rate", 2), "--rate must be between 0 and 1."),
        (("--result", 1.5), "--result must be from 0 to 1."),
    ],
)
def test_wrong_settings_are_refused(tmp_path, monkeypatch, capsys, words, message):
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, "--folder", tmp_path / "new", *words)
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
