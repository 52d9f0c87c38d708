"""The search, compared with plain minimax and on tactical positions."""

import threading

import pytest

import pentad
from pentad.games.pentago.engine import constants as s
from pentad.games.pentago.engine.search import RootSearch
from pentad.games.pentago.solver import solve
from tests.cases import thinned, together
from tests.games.pentago.engine.random_positions import any_net, random_position, score
from tests.waiting import wait_until


def minimax(position, depth, net, level=0):
    """The score of a position by exhaustive search, including immediate wins after the last turn."""
    if position.outcome:
        value = position.outcome.returns[position.turn]
        return int(value) * (s.WON - level)
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome and outcome.winners == (position.turn,):
            return s.WON - level - 1
    if depth == 0:
        return score(net, position)
    children = {position.play(move) for move in position.legal_moves}
    return max(-minimax(child, depth - 1, net, level + 1) for child in children)


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(range(12), 12))
def test_one_turn_ahead_is_minimax(seed):
    position, net = random_position(seed + 100, most=33), any_net()
    search = RootSearch(position, net, 1 << 10)
    search.deepen(1)
    assert search.best.score == minimax(position, 1, net), position.text


@pytest.mark.slow
@together("seed", range(12))
def test_two_turns_ahead_is_minimax(seed):
    position, net = late(seed), any_net()
    search = RootSearch(position, net, 1 << 10, selective=False)
    search.control.extended = 0
    search.deepen(2)
    expected = minimax(position, 2, net)
    if abs(expected) > s.PROVED:
        assert abs(search.best.score) > s.PROVED, position.text
        assert (search.best.score > 0) == (expected > 0), position.text
    else:
        assert search.best.score == expected, position.text


def late(seed):
    """A position with many marbles, small enough for minimax."""
    for more in range(1000):
        position = random_position(1000 * seed + more, most=36)
        if position.ply >= 29:
            return position
    raise AssertionError


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("seed", range(10))
def test_the_end_of_the_game_is_exact(seed):
    position = late(seed)
    if position.ply < 32:
        position = position.play(position.legal_moves[seed])
    while not position.outcome and position.ply < 33:
        position = position.play(position.legal_moves[0])
    if position.outcome:
        return
    search = RootSearch(position, any_net(), 1 << 10)
    search.deepen()
    expected = solved(position)
    assert (search.best.score > s.PROVED) == (expected == 1)
    assert (search.best.score < -s.PROVED) == (expected == -1)


def solved(position):
    """The value of a position by exhaustive search to the end."""
    if position.outcome:
        return position.outcome.returns[position.turn]
    return max(-solved(child) for child in {position.play(move) for move in position.legal_moves})


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(6))
def test_pruning_leaves_proofs_sound(seed):
    position = late(seed)
    search = RootSearch(position, any_net(), 1 << 10)
    search.deepen(3)
    if abs(search.best.score) > s.PROVED:
        assert solve(position, moves=False).value == (1 if search.best.score > 0 else -1), position.text


def test_a_kept_table_changes_no_result():
    position = late(3)
    first = RootSearch(position, any_net(), 1 << 10)
    first.deepen(2)
    kept = RootSearch(position, any_net(), table=first.table)
    kept.deepen()
    value = solve(position, moves=False).value
    assert (kept.best.score > s.PROVED) - (kept.best.score < -s.PROVED) == value


@pytest.mark.parametrize(
    ("board", "move"),
    [
        ("bbbb../....../wwww../....../....../......", "a4"),  # a4 wins with the next marble
        ("b..b../....../b..b../....../.w..w./w..w..", None),
    ],
)
def test_tactics(board, move):
    position = pentad.load(f"pentago {board}")
    search = RootSearch(position, any_net(), 1 << 12)
    search.deepen(3)
    assert move is None or str(search.best.move) == move
    after = position.play(search.best.move)
    # a claimed win holds against every reply
    if search.best.score > s.PROVED and not after.outcome:
        for reply in after.legal_moves:
            answer = RootSearch(after.play(reply), any_net(), 1 << 10) if not after.play(reply).outcome else None
            if answer:
                answer.deepen(s.WON - search.best.score)
                assert answer.best.score > s.PROVED


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("seed", range(8))
def test_moves_of_lines_are_legal(seed):
    position = random_position(seed, most=20)
    search = RootSearch(position, any_net())
    search.deepen(3, lines=3)
    here = position
    for move in search.principal_variation(search.best, 5):
        assert move in here.legal_moves
        here = here.play(move)
    assert len(search.principal_variation(search.best, 5)) >= 2 or here.outcome


def test_another_thread_stops_the_search():
    search = RootSearch(pentad.new("pentago"), any_net())
    stopping = threading.Thread(target=lambda: (wait_until(lambda: search.depth > 0), search.stop()))
    stopping.start()
    search.deepen()  # never ends by itself
    stopping.join()
    assert 0 < search.depth < 36
    assert search.best.move in search.position.legal_moves


def test_the_middle_of_a_turn():
    position = pentad.new("pentago").play("a1 1C").partial("b4")
    search = RootSearch(position, any_net(), 1 << 12)
    search.deepen(3)
    assert search.best.move in position.legal_moves
    assert len(search.roots) <= 8


def test_equivalent_moves_are_searched_once():
    assert len(RootSearch(pentad.new("pentago"), any_net(), 1 << 8).roots) == 6
