"""The driver of the playouts: boards, tables, seeds, and random games for a search."""

import random

import numpy as np
import pytest
from hypothesis import given

import pentad
from pentad.games.pentago.board import spaces_of
from pentad.games.pentago.playouts import kernels as k
from pentad.games.pentago.playouts.constants import RIM, TAKE_WINS
from pentad.games.pentago.playouts.tree_bot import BoardExpander, tables_of, winning_move
from pentad.search.mcts import TreeSearch
from tests.cases import slow_but
from tests.games.pentago.playouts.random_games import RandomGames, boards_of, seed_of
from tests.games.pentago.random_games import GAMES, every_game, positions
from tests.properties import properties
from tests.search.choices import choice_state, expand_by_choices


@properties(60)
@given(positions())
def test_boards_have_the_marbles(here):
    rules = tables_of(here.setup).rules
    (cells,) = boards_of([here])
    for space in range(here.board.size):
        owner = next((seat + 1 for seat, marbles in enumerate(here.marbles) if marbles >> space & 1), 0)
        assert cells[rules.cells[space]] == owner
        assert k.space_of(rules, rules.cells[space]) == space
    assert (cells == RIM).sum() == len(cells) - here.board.size


@pytest.mark.fast_cases(16)
@every_game
def test_tables_have_the_boards_twists_and_lines(options):
    start = pentad.new("pentago", **options)
    board, tables, rng = start.board, tables_of(start.setup), random.Random(1)
    rules, first, touching = tables.rules, tables.first, tables.touching
    lines = np.asarray(tables.lines).reshape(-1, rules.line).tolist()
    assert [{*line} for line in lines] == [{rules.cells[s] for s in spaces_of(line)} for line in board.lines]
    marbles = sum(1 << space for space in rng.sample(range(board.size), board.size // 2))
    here = type(start)(start.setup, (marbles,) + (0,) * (start.players - 1))
    for number, twist in enumerate(board.twists):
        (cells,) = boards_of([here])
        k.turn_sub_board(rules, cells, number, np.empty_like(cells))
        turned = type(start)(start.setup, tuple(board.twist(each, twist) for each in here.marbles))
        assert (cells == boards_of([turned])[0]).all(), twist
        through = {*touching[first[number // 2] : first[number // 2 + 1]]}
        spaces, _ = board.quarter_turns[twist]
        assert through == {i for i, line in enumerate(board.lines) if line & spaces}
    assert len(touching) == first[-1]
    assert np.isfinite(tables.weights).all()


def test_very_long_lines_have_finite_weights():
    weights = tables_of(pentad.new("pentago", rows=1, cols=400, block=1, line=399).setup).weights
    assert np.isfinite(weights).all()
    assert min(weights) > 0


def test_seeds_are_not_zero_and_differ():
    seeds = [seed_of(seed) for seed in (0, 1, 2, -1, 1 << 70)]
    assert 0 not in seeds
    assert len({*seeds}) == len(seeds)
    assert seeds == [seed_of(seed) for seed in (0, 1, 2, -1, 1 << 70)]


def test_positions_of_different_setups_in_one_call():
    classic, wide = pentad.new("pentago"), pentad.new("pentago", rows=3, cols=3, players=3)
    won = pentad.load("pentago bbbb../....../wwww../....../....../......").play("a4")
    near = pentad.load("pentago bbbb../....../wwww../....../....../......")
    games = RandomGames(TAKE_WINS)
    found = games([classic, won, wide, near, near.partial("f5")], 200, 5)
    assert [len(each) for each in found] == [2, 2, 3, 2, 2]
    assert found[1] == (1.0, -1.0)
    assert found[3][0] > 0.2
    assert all(sum(each) == pytest.approx(0) for each in found)
    assert found == games([classic, won, wide, near, near.partial("f5")], 200, 5)
    assert found != games([classic, won, wide, near, near.partial("f5")], 200, 6)
    assert games([won], 10, 1) == [(1.0, -1.0)]
    assert games([], 10, 1) == []


def test_the_seat_to_move_matters():
    near = pentad.load("pentago bbbb../....../wwww../....../....../......")
    far = near.play("f0 4C")
    games = RandomGames(TAKE_WINS)
    assert games([near], 400, 1)[0][0] > games([far], 400, 1)[0][0]


def test_random_games_with_the_general_search():
    here = pentad.load("pentago block=2 line=3 b..b/..../.ww./....")
    search = TreeSearch(expand_by_choices(RandomGames(), games=2), choice_state(here), seed=1)
    search.run(playouts=5000)
    assert search.root.known == (1.0, -1.0)
    assert winning_move(here) is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    slow_but(("1x2 of 2", "2x1 of 2", "one sub-board", "line 2", "12 columns", "two rows of 4"), "1x2 of 2", "line 2"),
)
def test_both_expanders_prove_the_same_values(name):
    here = pentad.new("pentago", **GAMES[name])
    rng, agreed = random.Random(2), 0
    while here.outcome is None:
        if len(here.legal_moves) < 40:
            expander = BoardExpander(here.setup, 1, 0)
            boards = TreeSearch(expander, expander.state(here), seed=1)
            plain = TreeSearch(expand_by_choices(RandomGames()), choice_state(here), seed=1)
            boards.run(playouts=3000)
            plain.run(playouts=3000)
            if boards.root.known and plain.root.known:
                agreed += 1
                assert boards.root.known == pytest.approx(plain.root.known)
        here = here.play(rng.choice(here.legal_moves))
    assert agreed


def test_a_stopped_expander_plays_no_more_games():
    here = pentad.new("pentago")
    expander = BoardExpander(here.setup, 10**9, 0)
    expander.stop()
    assert len(expander(expander.state(here), None, 1).steps) == 36
