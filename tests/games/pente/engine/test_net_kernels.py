"""The network of the evaluation: the rows of codes, sums kept move by move, and its score against plain Python."""

import random

import numpy as np
import pytest

from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import RootSearch
from pentad.games.pente.engine.state import (
    Network,
    Weights,
    default_weights,
    file_of,
    kernels,
    network_for,
    point_of,
    state_of,
    static_evaluation,
)
from pentad.games.pente.rulesets import RULE_SETS
from pentad.kernels.buffers import array, zeros
from tests.games.pente.engine.random_positions import new, random_positions
from tests.games.pente.engine.test_state import exchanged, mirrored
from training.pente.learn import rows_of

RULES = ("pente", "freestyle", "gomoku", "keryo", "poof")
AXES = ((0, 1), (1, 0), (1, 1), (1, -1))


def positions(rules, size=13, games=2):
    return list(random_positions({"rules": rules, "size": size, "opening": "free"}, 4, games=games, most=60))


def weights_of(rules):
    """The weights of a rule set; a network of random numbers where it has none."""
    weights, chance = default_weights(new(rules=rules).rules), np.random.default_rng(7)
    if len(weights.network.head):
        return weights
    own = chance.integers(-90, 120, k.WIDTH * len(rows_of(4)[1]))
    own[: k.WIDTH] = 0  # the row without stones
    head = chance.integers(-400, 400, k.HEAD)
    return Weights(weights.values, weights.others, Network(array(own.tolist(), "int32"), array(head.tolist(), "int32")))


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("reach", [4, 5])
def test_a_code_and_its_mirror_image_have_one_row(reach):
    rows, swapped = rows_of(reach)
    codes = np.arange(len(rows))
    assert (rows == rows[mirrored(codes, reach)]).all()
    assert (swapped[rows] == rows[exchanged(codes, reach)]).all()
    assert (swapped[swapped] == np.arange(len(swapped))).all()


def sides(reach):
    """What can lie on one side, nearest first: stones, empty points, then points beyond the edge."""
    if reach == 0:
        return [()]
    longer = [(0, *side) for side in sides(reach - 1)]
    longer += [(colour, *side) for side in sides(reach - 1) for colour in (1, 2)]
    return [*longer, (3,) * reach]


def test_each_code_with_stones_has_a_row_of_its_own():
    rows, swapped = rows_of(4)
    found = {}
    for right in sides(4):
        for left in sides(4):
            code = sum(
                (held >> colour & 1) << away + 4 * way + 8 * colour
                for way, side in enumerate((right, left))
                for away, held in enumerate(side)
                for colour in (0, 1)
            )
            if any(held in (1, 2) for held in right + left):
                found.setdefault(frozenset((right, left)), set()).add(int(rows[code]))
            else:
                assert rows[code] == 0
    assert all(len(each) == 1 for each in found.values())
    numbers = [each for (each,) in found.values()]
    assert sorted(numbers) == list(range(1, len(swapped)))


# ── sums ─────────────────────────────────────────────────────────────────────────────────────────


def sums_from_rules(position, weights):
    """The sums of both colours' vectors, from the stones of the rules' board."""
    board, size = position.board, position.board.size
    rows, swapped = rows_of(4)
    own = np.asarray(weights.network.own).reshape(-1, k.WIDTH)
    held = [0] * size * size
    for colour, stones in enumerate(position.stones):
        for point in points_of(stones):
            held[point] = 1 + colour
    total = np.zeros((2, k.WIDTH), int)
    for point in points_of(position.empty):
        row, column = divmod(point, board.size)
        vectors = np.zeros((2, k.WIDTH), int)
        for down, along in AXES:
            code = 0
            for way in (0, 1):
                for away in range(1, 5):
                    there = (row + (1 - 2 * way) * away * down, column + (1 - 2 * way) * away * along)
                    inside = all(0 <= each < size for each in there)
                    holds = held[there[0] * size + there[1]] if inside else 3
                    code |= (holds & 1) << away - 1 + 4 * way | (holds >> 1) << away + 7 + 4 * way
            vectors += own[rows[code]], own[swapped[rows[code]]]
        total += vectors.clip(0, k.CLIP)
    return total


def sums_of(state, network):
    total = zeros(k.ROW, "int32")
    kernels()("sum_points", *state.position, *network[:2], total)
    return total


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("rules", RULES)
def test_the_sums_are_those_of_the_stones_on_the_board(rules):
    for position in positions(rules)[::9]:
        weights, state = weights_of(rules), state_of(position)
        network = network_for(weights.network, state.tables.reach)
        assert list(sums_of(state, network)) == sums_from_rules(position, weights).ravel().tolist()


@pytest.mark.parametrize("rules", RULES)
def test_sums_after_a_move_are_those_from_scratch(rules):
    chance, captures = random.Random(3), 0
    for position in positions(rules, size=9)[::3]:
        state = state_of(position)
        network = network_for(weights_of(rules).network, state.tables.reach)
        before, after = sums_of(state, network), zeros(k.ROW, "int32")
        for point in chance.sample(list(points_of(position.points)), min(12, position.points.bit_count())):
            where, stones = point_of(position.board, point), state.numbers[k.FREE]
            kernels()("make", state.parts, where)
            captures += state.numbers[k.FREE] != stones - 1
            kernels()("sum_after", *state.position, *network[:2], before, after, where)
            assert list(after) == list(sums_of(state, network))
            kernels()("unmake", state.parts)
    assert captures or not position.rules.captures


# ── the score ────────────────────────────────────────────────────────────────────────────────────


def score_from_rules(position, weights):
    """The network's score in plain Python."""
    numbers = state_of(position).numbers
    me = position.colour
    strongest = [kernels()("strongest", numbers, colour) for colour in (me, 1 - me)]
    goal = position.rules.capture_win
    races = [min(10, position.taken[colour] * 10 // goal) if goal else 0 for colour in (me, 1 - me)]
    head = np.asarray(weights.network.head).astype(int)
    inputs = sums_from_rules(position, weights)[[me, 1 - me]].ravel()
    hidden = inputs.clip(max=k.LARGEST_SUM) @ head[: k.BIASES].reshape(k.ROW, k.HIDDEN)
    biases = head[k.BIASES : k.OUT].reshape(-1, k.HIDDEN)
    for row in (strongest[0], k.KINDS + strongest[1], 2 * k.KINDS + races[0], 2 * k.KINDS + k.RACE_STEPS + races[1]):
        hidden += biases[row]
    hidden = (hidden >> k.HIDDEN_SHIFT).clip(min=0)
    return int(hidden @ head[k.OUT : k.OUT + k.HIDDEN] + head[k.OUT + k.HIDDEN]) >> k.OUT_SHIFT


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", RULES)
def test_the_evaluation_is_the_linear_one_and_the_networks_score(rules):
    scores = set()
    for position in positions(rules)[::9]:
        weights, state = weights_of(rules), state_of(position)
        linear = kernels()("evaluate", state.numbers, weights.others)
        score = score_from_rules(position, weights)
        scores.add(score)
        engine = RootSearch(position, weights=weights)
        engine.stop()
        engine.deepen()  # without a search the scores are the evaluation
        if not engine.wins_in:
            assert engine.best.score == max(-k.LIMIT, min(k.LIMIT, linear + score))
        if weights is default_weights(position.rules):
            assert static_evaluation(position) == max(-k.LIMIT, min(k.LIMIT, linear + score))
    assert len(scores) > 3


@pytest.mark.parametrize("line", [4, 6])
def test_lines_of_another_length_have_no_network(line):
    weights = default_weights(new(line=line).rules)
    assert len(weights.network.head) == 0
    position = new(line=line)
    state = state_of(position)
    assert static_evaluation(position) == kernels()("evaluate", state.numbers, weights.others)


@pytest.mark.parametrize("name", ["pente", "freestyle"])
def test_no_sum_of_the_hidden_layer_overflows(name):
    """Even with the largest sums in all inputs, a hidden unit fits into 32 bits."""
    network = Weights.load(file_of(name)).network
    head = np.asarray(network.head).astype(int)
    weights = abs(head[: k.BIASES].reshape(k.HIDDEN, k.ROW)).sum(axis=1)
    assert (weights * k.LARGEST_SUM < 1 << 31).all()
    assert abs(np.asarray(network.own)).max() < (1 << 15) // 4


@pytest.mark.parametrize("rules", RULE_SETS)
def test_all_rule_sets_have_a_network(rules):
    assert len(default_weights(new(rules=rules).rules).network.head) == k.HEAD
