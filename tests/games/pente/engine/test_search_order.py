"""The order of moves: learned ranks against plain Python, the moves left out against the rules, and the training."""

import numpy as np
import pytest

from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.position_kernels import KIND_BITS, KIND_OF
from pentad.games.pente.engine.search import Searcher, TranspositionTable
from pentad.games.pente.engine.state import (
    Weights,
    board_point,
    default_weights,
    file_of,
    kernels,
    orders_for,
    point_of,
    row_numbers,
    state_of,
    tables,
)
from pentad.games.pente.rulesets import RULE_SETS
from pentad.kernels.buffers import array
from tests.games.pente.engine.random_positions import new, random_positions
from tests.games.pente.engine.test_net_kernels import AXES
from training.pente import learn
from training.pente.learn import row_groups, rows_of
from training.pente.learn_order import Choices, OrderFit, choices, fit_order


def positions(rules, seed, games, **options):
    return random_positions({"rules": rules, "opening": "free"} | options, seed, games=games, most=60)


def searcher_of(position, weights=None):
    weights = weights or default_weights(position.rules)
    return Searcher(state_of(position, weights.values), weights, TranspositionTable(16), 1, 40)


# ── ranks ────────────────────────────────────────────────────────────────────────────────────────


def code_at(position, point, axis, reach):
    """The code of a point along an axis, from the stones of the rules' board."""
    size, code = position.board.size, 0
    row, column = divmod(point, size)
    for way, sign in enumerate((1, -1)):
        for away in range(1, reach + 1):
            y, x = row + sign * away * axis[0], column + sign * away * axis[1]
            inside = 0 <= y < size and 0 <= x < size
            for colour in (0, 1):
                if not inside or position.stones[colour] >> y * size + x & 1:
                    code |= 1 << (away - 1 + reach * way + 2 * reach * colour)
    return code


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", ["freestyle", "gomoku", "pente", "keryo"])
def test_moves_are_listed_by_their_learned_ranks(rules):
    rows, swapped = rows_of(tables(RULE_SETS[rules]).reach)
    order = np.random.default_rng(3).integers(-500, 500, k.ROW_ORDERS + len(swapped))
    learned = default_weights(new(rules=rules).rules)
    weights = Weights(learned.values, learned.others, learned.network, array(order.tolist(), "int32"))
    compared = 0
    for position in list(positions(rules, 5, games=6, size=13))[6::7]:
        searcher, me = searcher_of(position, weights), position.colour
        numbers, reach = searcher.state.numbers, searcher.state.tables.reach
        if numbers[k.COUNTS + (1 - me) * k.KINDS + k.WINNING_FOUR]:
            continue
        searcher.list_roots()
        ranks = []
        for point in searcher.roots[: searcher.count]:
            total = int(numbers[k.SUMS + point])
            mine, theirs = (int(KIND_OF[total >> k.SIDE * colour & KIND_BITS]) for colour in (me, 1 - me))
            seen = [rows[code_at(position, board_point(position.board, point), axis, reach)] for axis in AXES]
            own = [swapped[row] if me else row for row in seen]
            ranks.append(order[k.KINDS * mine + theirs] + sum(order[k.ROW_ORDERS + row] for row in own))
        if searcher.count > 5 and not numbers[k.COUNTS + (1 - me) * k.KINDS + k.A_FIVE]:
            assert ranks == sorted(ranks, reverse=True)
            compared += 1
    assert compared > 5


def test_all_rule_sets_with_lines_of_five_have_a_learned_order():
    for rules in RULE_SETS:
        assert len(default_weights(new(rules=rules).rules).order) == k.ROW_ORDERS + len(row_numbers(4)[1]), rules
    for rules in ("freestyle", "pente"):
        assert len(orders_for(default_weights(new(rules=rules, line=6).rules))) == 0


# ── moves left out ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["freestyle", "gomoku"])
def test_moves_left_out_against_an_open_four_lose(rules):
    """Where the opponent could make an open four, each move that is not listed loses to threats."""
    left_out = checked = 0
    for position in positions(rules, 11, games=12, size=11):
        searcher, me = searcher_of(position), position.colour
        numbers = searcher.state.numbers
        open_fours = numbers[k.COUNTS + (1 - me) * k.KINDS + k.WINNING_FOUR]
        if not open_fours or searcher.wins_at_once() >= 0 or kernels()("threatens", *searcher.state.position, 1 - me):
            continue
        searcher.list_roots()
        listed = set(searcher.roots[: searcher.count])
        checked += 1
        for point in points_of(position.points):
            where = point_of(position.board, point)
            if where in listed:
                continue
            left_out += 1
            with searcher.after(where) as result:
                assert result == k.ONGOING
                assert searcher.attack(1, 3, 20_000), (position.text, position.board.stones[point])
    assert checked > 10
    assert left_out > 300


# ── training ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def played():
    player = learn.Player("freestyle", 60, Weights.load(file_of("freestyle")))
    return learn.Games.concatenate([player.game(seed) for seed in range(8)])


@pytest.fixture(scope="module")
def chosen(played):
    return choices("freestyle", played.points, played.uses, played.ends)


def groups():
    table = tables(RULE_SETS["freestyle"])
    rows, swapped = rows_of(table.reach)
    return [np.arange(len(swapped)), *row_groups(table, rows)]


def test_the_choices_are_the_moves_played(played, chosen):
    starts = np.append(0, played.ends[:-1])
    used = [
        ply for first, last in zip(starts, played.ends, strict=True) for ply in range(first, last) if played.uses[ply]
    ]
    assert 0.8 * len(used) <= len(chosen) <= len(used)
    rows, swapped = rows_of(4)
    number = 0
    for game, (first, last) in enumerate(zip(starts, played.ends, strict=True)):
        position = new(rules="freestyle", opening="free")
        numbers = {point_of(position.board, each): each for each in range(position.board.size**2)}
        for ply in range(first, last):
            point = numbers[int(played.points[ply])]
            if played.uses[ply] and number < len(chosen):
                seen = [rows[code_at(position, point, axis, 4)] for axis in AXES]
                own = [swapped[row] if position.colour else row for row in seen]
                if sorted(own) == sorted(chosen.rows[chosen.chosen[number]].tolist()):
                    assert chosen.games[number] == game
                    number += 1
            if ply < last - 1:
                position = position.play((position.board.stones[point],))
    assert number == len(chosen)


def test_the_gradient_of_the_order_is_the_slope_of_its_loss(chosen):
    fit, chance = OrderFit(groups()), np.random.default_rng(1)
    fit.numbers[:] = chance.normal(0, 0.3, len(fit.numbers))
    some = np.arange(0, len(chosen), 3)
    _, slopes = fit.slopes(chosen, some)
    for number in chance.choice(np.flatnonzero(abs(slopes) > 1e-3), 20, replace=False):
        kept, found = fit.numbers[number], []
        for step in (1e-5, -1e-5):
            fit.numbers[number] = kept + step
            found.append(fit.slopes(chosen, some)[0])
        fit.numbers[number] = kept
        assert (found[0] - found[1]) / 2e-5 == pytest.approx(slopes[number], rel=1e-3, abs=1e-7)


def test_the_order_puts_the_chosen_moves_first(chosen, capsys):
    fit = OrderFit(groups())
    everything = np.arange(len(chosen))
    before = fit.slopes(chosen, everything)[0]
    for _ in range(60):
        fit.step(fit.slopes(chosen, everything)[1], 0.02)
    assert fit.slopes(chosen, everything)[0] < 0.6 * before
    assert np.mean(fit.places(chosen, everything) < 5) > 0.8
    order = fit_order(chosen, groups(), epochs=1)
    assert len(order) == k.ROW_ORDERS + len(row_numbers(4)[1])
    assert order[k.ROW_ORDERS] == 0  # the row without stones
    assert "order, epoch 1: loss " in capsys.readouterr().out


def test_a_held_out_position_s_places_count_the_moves_ranked_higher():
    rows = np.array([[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]], np.int16)
    made = Choices(rows, np.zeros(3, np.int8), np.array([0, 3]), np.array([1]), np.array([0]))
    fit = OrderFit([np.arange(4)])
    fit.numbers[k.ROW_ORDERS + 1 : k.ROW_ORDERS + 4] = 3, 2, 1
    assert fit.places(made, np.array([0])).tolist() == [1]
