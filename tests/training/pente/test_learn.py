"""Training: games and their labels, the gradient, the integers of the search, and a small run that is interrupted."""

import json
import math
import sys
from dataclasses import replace

import numpy as np
import pytest

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import RootSearch
from pentad.games.pente.engine.state import LEARNED, Weights, file_of, point_of, tables
from pentad.games.pente.rulesets import RULE_SETS
from tests.games.pente.engine.random_positions import new
from training.pente import learn
from training.pente.learn import Fit, Games, Player, by_hand, plain_tables, row_groups, rows_of
from training.pente.play_kernels import DRAWN, EVEN, FEWEST, MOST

NODES = 60


@pytest.fixture(scope="module")
def played():
    """Some short games of self-play."""
    player = Player("pente", NODES, by_hand(plain_tables()))
    return Games.concatenate([player.game(seed) for seed in range(6)])


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in vars(one))


# ── games ────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_is_the_same_again_and_follows_the_rules(played):
    assert same(Player("pente", NODES, by_hand(plain_tables())).game(3), part(played, 3))
    for number in range(len(played)):
        game = part(played, number)
        position = new(opening="free")
        numbers = {point_of(position.board, point): stone for point, stone in enumerate(position.board.stones)}
        for point, beside in zip(game.points[:-1], game.beside[:-1], strict=True):
            if beside:
                assert not position.play((numbers[beside],)).outcome
            position = position.play((numbers[point],))
            assert not position.outcome
        last = position.play((numbers[game.points[-1]],))
        mover, result = position.colour, game.results[0]
        assert result in (0, 1, DRAWN)
        if last.outcome:
            assert result == (mover if last.outcome.winners else DRAWN)
        elif result != DRAWN:  # a proved win ends the game
            engine = RootSearch(position)
            engine.deepen(1)
            assert (result, bool(engine.wins_in)) == (mover, True)
        assert 0 < game.uses.sum() < len(game.uses)
        assert not game.uses[0]  # the moves of the opening have no labels
        assert not game.beside[game.uses == 0].any()
        assert not game.beside_scores[game.beside == 0].any()
    assert played.beside.any()


def part(played, number):
    """One of the games."""
    first, last = int(played.ends[number - 1]) if number else 0, int(played.ends[number])
    moves = slice(first, last)
    return Games(
        *(getattr(played, name)[moves] for name in learn.COLUMNS),
        np.array([last - first]),
        played.results[number : number + 1],
    )


@pytest.mark.parametrize("rules", ["pente", "gomoku"])
def test_openings_differ_and_are_even(rules):
    player = Player(rules, 100, Weights.load(file_of(rules)))
    found = []
    for seed in range(30):
        game = player.game(seed)
        first = int(np.argmax(game.scores != 0))  # the moves of the opening have no scores
        assert FEWEST <= first <= MOST
        assert abs(game.scores[first]) < EVEN
        found.append(game.points[:first].tobytes())
    assert len(set(found)) == 30


def test_parts_are_joined_to_the_whole(played, tmp_path):
    assert same(Games.concatenate([part(played, number) for number in range(len(played))]), played)
    played.save(tmp_path / "games.npz")
    assert same(Games.load(tmp_path / "games.npz"), played)
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]


def test_of_equal_games_only_the_first_is_fitted_to(played):
    games = Games.concatenate([played, part(played, 3), part(played, 0)])
    once, count = games.once(), len(played.points)
    assert np.array_equal(once.uses[:count], played.uses)
    assert not once.uses[count:].any()
    assert games.uses[count:].any()
    assert same(replace(once, uses=games.uses), games)


def test_a_target_mixes_the_result_and_the_score_for_the_player_to_move():
    scores = np.array([0, 300, -300, 300, 0], np.int16)
    none = np.zeros(5, np.int16)
    games = Games(none, scores, np.ones(5, np.int8), none, -scores, np.array([3, 5]), np.array([0, DRAWN], np.int8))
    up, down = (1 / (1 + math.exp(-each)) for each in (1, -1))
    expected = [(1 + 0.5) / 2, (0 + up) / 2, (1 + down) / 2, (0.5 + up) / 2, (0.5 + 0.5) / 2]
    targets, beside = games.targets()
    assert targets.tolist() == pytest.approx(expected)
    assert beside.tolist() == pytest.approx([0.5, down, up, down, 0.5])  # by the score alone


# ── fitting ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rules", ["pente", "freestyle"])
def test_rows_of_a_group_have_the_same_shapes_or_the_same_nearest_points(rules):
    table = tables(RULE_SETS[rules])
    rows, _ = rows_of(table.reach)
    shapes, *nearest = row_groups(table, rows)
    assert [group.max() for group in nearest] == sorted(group.max() for group in nearest)
    names = np.asarray(table.entries) & (k.NAMES - 1)
    used = rows > 0
    assert len({*zip(shapes[rows[used]].tolist(), names[used].tolist(), strict=True)}) == len({*names[used].tolist()})
    for near, group in enumerate(nearest, 1):
        mask = sum(((1 << near) - 1) << table.reach * number for number in range(4))
        codes = np.arange(len(rows))[used]
        assert (group[rows[codes]] == group[np.maximum(rows[codes], 0)]).all()
        by_short = {}
        for code, number in zip((codes & mask).tolist(), group[rows[codes]].tolist(), strict=True):
            assert by_short.setdefault(code, number) == number


def test_the_gradient_is_the_slope_of_the_loss(played):
    """Where the loss has no corner near; most numbers have none."""
    fit = Fit("pente", Weights.load(file_of("pente")))
    targets, chosen = played.targets(), np.arange(2)
    slopes = np.zeros_like(fit.parameters)
    fit.loss(played, targets, chosen, slopes)
    chance = np.random.default_rng(1)
    for part_ in (fit.vectors, fit.linear, fit.others, fit.head):
        candidates = part_.start + np.flatnonzero(abs(slopes[part_]) > 0.02)
        close = 0
        picked = chance.choice(candidates, min(12, len(candidates)), replace=False)
        for number in picked:
            kept, found = fit.parameters[number], []
            for step in (0.002, -0.002):
                fit.parameters[number] = kept + np.float32(step)
                found.append(fit.loss(played, targets, chosen)[0])
            fit.parameters[number] = kept
            close += (found[0] - found[1]) / 0.004 == pytest.approx(slopes[number], rel=0.1, abs=0.01)
        assert close >= 0.8 * len(picked), part_


def test_fitting_lowers_the_loss(played):
    fit = Fit("pente", by_hand(plain_tables()))
    targets, chosen = played.targets(), np.arange(len(played))
    before, count = fit.loss(played, targets, chosen)
    assert count == played.uses.sum() + (played.beside != 0).sum()
    for _ in range(5):
        fit.epoch(played, targets, chosen, [2e-3])
    assert fit.loss(played, targets, chosen)[0] < before
    assert not fit.parameters[: k.WIDTH].any()  # the row without stones


@pytest.mark.parametrize("rules", ["freestyle", "gomoku"])
@pytest.mark.parametrize("linear", [False, True])
def test_a_fit_goes_on_from_the_weights_of_the_start(played, linear, rules):
    start = Weights.load(file_of(rules))
    fit = Fit(rules, start, linear)
    again = fit.weights()
    assert np.abs(np.asarray(again.values) - np.asarray(start.values)).max() <= 1  # halves of a point are rounded
    assert again.others == start.others
    if linear:
        assert not len(again.network.head)
    else:
        assert again.network.own[k.WIDTH :] == start.network.own[k.WIDTH :]  # but for the row without stones
        assert again.network.head == start.network.head


def test_a_linear_fit_has_no_network(played):
    fit = Fit("pente", by_hand(plain_tables()), linear_only=True)
    targets, chosen = played.targets(), np.arange(len(played))
    before = fit.loss(played, targets, chosen)[0]
    for _ in range(3):
        fit.epoch(played, targets, chosen, [2e-3])
    assert fit.loss(played, targets, chosen)[0] < before
    assert not fit.parameters[fit.vectors].any()
    assert not fit.parameters[fit.head].any()


def test_the_searchs_integers_are_the_parameters(played):
    """The loss of a single position tells the evaluation; the search's has the same, but for rounding."""
    fit = Fit("pente", Weights.load(file_of("pente")))
    chosen = np.arange(len(played))
    for _ in range(5):
        fit.epoch(played, played.targets(), chosen, [2e-3])
    weights = fit.weights()
    number = 1
    game = part(played, number)
    position = new(opening="free")
    stones = {point_of(position.board, point): stone for point, stone in enumerate(position.board.stones)}
    errors = []
    for ply, point in enumerate(game.points):
        if game.uses[ply]:
            uses, none = (np.arange(len(game.points)) == ply).astype(np.int8), np.zeros_like(game.beside)
            only, lost = replace(game, uses=uses, beside=none), np.zeros(len(game.points), np.float32)
            loss, _ = fit.loss(only, (lost, lost), np.arange(1))
            guess = learn.SCALE * math.log(math.exp(loss) - 1)
            engine = RootSearch(position, weights=weights)
            engine.stop()
            engine.deepen()
            if abs(guess) < 2000:
                errors.append(abs(engine.best.score - guess))
        position = position.play((stones[point],))
    assert len(errors) > 3
    assert sum(errors) / len(errors) < 15


# ── the whole ────────────────────────────────────────────────────────────────────────────────────


def run(monkeypatch, folder, *words):
    """Runs the command; returns the weights that it would have saved in the package."""
    written = []
    monkeypatch.setattr(learn, "write", lambda name, weights: written.append((name, weights)))
    settings = ("--games", "3", "--nodes", str(NODES), "--epochs", "2", "--workers", "1", "--start", "hand")
    monkeypatch.setattr(sys, "argv", ["learn", "--folder", str(folder), *settings, *words])
    learn.main()
    return written


@pytest.mark.slow
def test_an_interrupted_run_goes_on_to_the_same_weights(tmp_path, monkeypatch, capsys):
    before = {name: file_of(name).read_bytes() for name in LEARNED}
    ((name, weights),) = run(monkeypatch, tmp_path / "whole", "--rounds", "2")
    assert name == "pente"
    files = {path.name for path in (tmp_path / "whole").iterdir()}
    both = {f"{kind}-{number}.npz" for kind in ("weights", "fit") for number in (0, 1)}
    assert files == both | {"games-0-0000.npz", "games-1-0000.npz", "run.json", "curve.svg"}
    record = json.loads((tmp_path / "whole" / "run.json").read_text())
    assert record["settings"]["nodes"] == NODES
    assert set(record["games"]) == {"games-0-0000.npz", "games-1-0000.npz"}
    assert [each[:2] for each in record["losses"]] == [[0, 0], [0, 1], [1, 0], [1, 1]]

    keep, kept = Fit.keep, []

    def stop(fit, path, epochs):
        keep(fit, path, epochs)
        kept.append(path)
        if len(kept) == 3:  # within the second round
            raise KeyboardInterrupt

    monkeypatch.setattr(Fit, "keep", stop)
    with pytest.raises(KeyboardInterrupt):
        run(monkeypatch, tmp_path / "broken", "--rounds", "2")
    monkeypatch.setattr(Fit, "keep", keep)
    ((_, again),) = run(monkeypatch, tmp_path / "broken", "--rounds", "2")
    assert again.values == weights.values
    assert again.network.own == weights.network.own
    assert json.loads((tmp_path / "broken" / "run.json").read_text()) == record

    capsys.readouterr()
    ((_, same_weights),) = run(monkeypatch, tmp_path / "whole", "--rounds", "2")
    assert "round" not in capsys.readouterr().out  # nothing left to do
    assert same_weights.network.own == weights.network.own
    assert {name: file_of(name).read_bytes() for name in before} == before


def test_a_run_for_the_order_of_moves_is_recorded(tmp_path, monkeypatch):
    ((name, weights),) = run(monkeypatch, tmp_path, "--rounds", "1", "--train", "order")
    assert name == "pente"
    assert len(weights.order) > k.ROW_ORDERS
    assert not len(weights.network.own)  # the evaluation is that of the start
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["settings"]["train"] == "order"
    assert set(record["games"]) == {"games-0-0000.npz"}
    assert [each[:2] for each in record["order"]] == [[0, 0], [0, 1]]  # there are as many epochs as asked for
    assert all(0 < first <= fifth <= tenth <= 1 for _, _, _, first, fifth, tenth in record["order"])
    assert record["order"][1][2] < record["order"][0][2]


@pytest.mark.parametrize(
    "words", [("--games", "0"), ("--rules", "keryo"), ("--workers", "-1"), ("--start", "x"), ("--rate", "nan")]
)
def test_bad_arguments_get_one_clear_line(words, tmp_path, monkeypatch, capsys):
    with pytest.raises(SystemExit) as ended:
        run(monkeypatch, tmp_path / "none", *words)
    assert ended.value.code == 2
    assert "error: " in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
