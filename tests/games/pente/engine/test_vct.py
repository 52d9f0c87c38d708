"""Wins by threes and fours in searches from the root: claimed, followed by later searches, and shown."""

from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.hints import prove
from pentad.games.pente.engine.search import RootSearch, TranspositionTable
from tests.games.pente.engine.random_positions import winner
from tests.games.pente.engine.test_vct_kernels import FORK, solved
from tests.games.pente.random_games import played

THREATS = "threatens a win by fours"


def searched(position, nodes=100_000, table=None):
    engine = RootSearch(position, table=table or TranspositionTable(1 << 12))
    engine.deepen(1)
    engine.deepen(nodes=nodes)
    return engine


def test_a_search_proves_the_win():
    position = played(*FORK)
    engine, (won, _) = searched(position), solved(position)
    assert engine.wins_in == won.moves
    assert engine.best.score == k.WIN - 2 * won.moves + 1


def test_a_search_of_few_nodes_proves_none():
    assert searched(played(*FORK), 5_000).wins_in is None


def test_later_searches_follow_the_win():
    """After any reply the next search has a win in at least one move fewer."""
    table, position = TranspositionTable(1 << 12), played(*FORK)
    engine = searched(position, table=table)
    left, after = engine.wins_in, position.play(engine.best.move)
    replies = points_of(after.points)
    near = [reply for reply in replies if abs(reply // 15 - 7) < 4 and abs(reply % 15 - 8) < 4]
    for reply in near[::3]:
        there = searched(after.play(after.board.stones[reply]), table=table)
        assert there.wins_in is not None
        assert there.wins_in < left


def test_the_line_of_a_win_can_be_played_and_wins():
    position = played(*FORK)
    engine = searched(position)
    here, line = position, engine.winning_line()
    for move in line:
        here = here.play(move)
    assert winner(here) == position.colour
    assert len(line) <= 2 * engine.wins_in - 1


def test_a_hint_names_the_threat():
    proof = prove(played(*FORK))
    assert THREATS in proof.claim
    assert proof.moves <= 5


def test_the_tree_of_other_rules_is_not_used():
    table = TranspositionTable(1 << 12)
    first = searched(played(*FORK), table=table)
    other = searched(played({"rules": "gomoku"}, "H8 J9 J7"), table=table)
    assert first.wins_in
    assert other.wins_in is None
    assert searched(played(*FORK), table=table).wins_in == first.wins_in
