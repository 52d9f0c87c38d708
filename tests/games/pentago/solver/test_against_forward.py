"""The retrograde solver, compared with a forward search; and the forward search with exhaustive search."""

import random

import pytest

from pentad.games.pentago.solver import solve
from tests.cases import slow, thinned
from tests.games.pentago.solver.forward_solver import Forward
from tests.games.pentago.solver.naive_solver import scores, turns_of, value_of
from tests.games.pentago.solver.sample_positions import FEWEST, PUBLISHED, board, hard_boards, random_position

MANY = 2_000


def by_forward(here):
    """The values of all moves, and the best of them."""
    moves = Forward(here).moves()
    return moves, max(moves.values())


def compare_value(here):
    """Compares the value of a position alone; returns it."""
    value = Forward(here).value()
    got = solve(here, moves=False).value
    assert got == value, f"{here.text} is worth {value}, not {got}"
    return value


def compare_moves(here):
    """Compares the values of all moves; returns the best."""
    moves, value = by_forward(here)
    got = solve(here)
    assert {str(move): worth for move, worth in got.moves.items()} == moves, here.text
    assert got.value == value, here.text
    return value


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(range(6), 3))
def test_forward_against_exhaustive_search(seed):
    rng = random.Random(seed)
    for empty in (1, 2, 3, 4):
        here = random_position(rng, empty, win_on_placement=seed % 3 != 0)
        tried, forward = scores(here), Forward(here)
        assert forward.moves() == {move: value_of(score) for move, score in tried.items()}
        assert forward.value() == value_of(max(tried.values()))
        assert forward.turns() == turns_of(max(tried.values()))


def test_published_values():
    for name, value in PUBLISHED[24].items():
        assert Forward(board(name)).value() == value, name


@pytest.mark.slow
@pytest.mark.parametrize("marbles", thinned(range(21, 31), 3))
def test_random_boards(marbles):
    rng = random.Random(marbles)
    values = {compare_value(random_position(rng, 36 - marbles)) for _ in range(12)}
    if marbles > 22:
        values |= {compare_moves(random_position(rng, 36 - marbles)) for _ in range(2)}
    assert len(values) > 1


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("marbles", [22, 24, 27])
def test_random_boards_without_win_on_placement(marbles):
    rng = random.Random(marbles)
    for _ in range(6):
        compare_moves(random_position(rng, 36 - marbles, win_on_placement=False))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [slow(6), 7, slow(12)])
def test_hard_boards(seed):
    for here in hard_boards(seed, first=23):
        compare_value(here)
        compare_moves(here)


# ── slow ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_many_boards():
    values, seed = [], 0
    while len(values) < MANY // 2:
        first = 22 if seed % 8 else 20  # the forward search takes seconds for some drawn boards of 20
        values += map(compare_value, hard_boards(seed, first, win_on_placement=seed % 7 != 0))
        seed += 1
    assert values.count(0) > MANY // 8
    rng = random.Random(0)
    while len(values) < MANY:
        marbles = max(rng.randint(20, 30), rng.randint(20, 22))
        here = random_position(rng, 36 - marbles, win_on_placement=rng.random() < 0.9)
        values.append(compare_value(here))
    assert min(values.count(value) for value in (-1, 0, 1)) > MANY // 10


@pytest.mark.slow
def test_every_move_of_many_boards():
    for seed in range(40):
        for here in hard_boards(seed, first=22):
            compare_moves(here)


@pytest.mark.slow
def test_boards_with_the_fewest_marbles_for_forward():
    tried = 0
    for seed in range(12):
        for here in hard_boards(seed, first=FEWEST, last=FEWEST + 1, wide=1):
            compare_value(here)
            tried += 1
    assert tried > 3
