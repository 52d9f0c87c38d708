"""Wins by threes and fours: each is played out by the rules against every legal reply."""

import random
from itertools import islice

import pytest

from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import LEAF_ATTACK_NODES, Searcher, TranspositionTable
from pentad.games.pente.engine.state import board_point, default_weights, state_of
from pentad.games.pente.engine.vct import WinTree
from tests.games.pente.engine.claim_referee import Broken, Referee, claim, has_won, shortest_claim
from tests.games.pente.engine.random_positions import random_positions, winner
from tests.games.pente.engine.test_search_proofs import from_bots, from_games
from tests.games.pente.random_games import played

RULES = ("freestyle", "gomoku", "pente", "keryo")
NODES = 4_000
LOOK = 2_000  # nodes of an attack by fours
FORK = ({"rules": "freestyle"}, "H8 A1 J8 A15 K9 O1 K10 O15")  # K8 makes two open threes


def solved(position, nodes=NODES, tree=None, stop=0):
    """The win that the search finds, and the tree with it."""
    weights, tree = default_weights(position.rules), tree or WinTree()
    searcher = Searcher(state_of(position, weights.values), weights, TranspositionTable(1 << 8), 0, LEAF_ATTACK_NODES)
    searcher.control.stop = stop
    return tree.find(position.rules, searcher.state, searcher.arrays, nodes), tree


class TreeReferee:
    """Plays wins by threes and fours out against every legal reply, by the rules alone.

    After a reply the attacker wins by an attack by fours or as the tree says, in at least one move fewer. Some of the
    attacks are played out too.
    """

    def __init__(self, share):
        self.share, self.chance, self.attacks = share, random.Random(3), Referee()
        self.replies = self.threats = 0

    def check(self, position, won, tree):
        point = board_point(position.board, won.point)
        after, stones = position.play(position.board.stones[point]), position.board.stones
        self.threats += 1
        if has_won(after, position.colour):
            return
        for reply in points_of(after.points):
            self.replies += 1
            there = after.play(stones[reply])
            if there.outcome:
                assert winner(there) == position.colour, there.text
                continue
            moves, best = claim(there, won.moves - 1)
            if not moves:
                rest, _ = solved(there, 0, tree)
                if rest is None or rest.moves >= won.moves:
                    raise Broken(f"{stones[reply]} refutes {stones[point]}: {position.text}")
                self.check(there, rest, tree)
            elif self.chance.random() < self.share:
                self.attacks.check(there, moves, moves, best)


def positions_of(rules, seed):
    """Positions of random games on a small board, of bots, and of people."""
    chance = random_positions({"rules": rules, "size": 11, "opening": "free"}, seed, games=1 << 20)
    sources = (chance, from_bots(rules, seed), from_games(rules, seed))
    while True:
        for source in sources:
            yield from islice(source, 25)


def wins(rules, seed, count, nodes=NODES):
    """Wins by threes and fours where none by fours is found, each with its position and tree."""
    for position in positions_of(rules, seed):
        if count == 0:
            return
        won, tree = solved(position, nodes)
        if won and not shortest_claim(position, won.moves, LOOK)[0]:
            count -= 1
            yield position, won, tree


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", ["pente", "freestyle", "gomoku", "keryo"])
def test_wins_hold_against_every_reply(rules):
    referee = TreeReferee(0.002)
    for found in wins(rules, 7, 1):
        referee.check(*found)
    assert referee.replies > 50


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_many_wins_hold_against_every_reply(rules):
    referee = TreeReferee(0.005)
    for found in wins(rules, 70, 30, 20_000):
        referee.check(*found)
    print(f"{referee.threats} threats, {referee.replies} replies, {referee.attacks.claims} attacks")
    assert referee.threats > 30


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{"rules": "pente", "capture_win": 4}, {"rules": "keryo", "capture_win": 6}, {"rules": "freestyle", "line": 6}],
    ids=str,
)
def test_wins_by_other_options_hold(options):
    referee, found = TreeReferee(0.005), 0
    for position in random_positions({**options, "size": 11, "opening": "free"}, 5, games=1 << 20):
        won, tree = solved(position, 2_000)
        if won:
            referee.check(position, won, tree)
            found += 1
        if found == 20:
            break
    assert referee.replies > 1000


def test_two_open_threes_win():
    position = played(*FORK)
    assert not claim(position, k.ATTACK_MOVES)[0]
    won, tree = solved(position)
    assert won.moves <= 5
    TreeReferee(0.001).check(position, won, tree)


def test_a_capture_refutes_two_open_threes():
    """After K8 black takes J8 and K9 from H7, a stone of each three."""
    stones = "H8 A1 J8 A15 K9 L10 K10 O15"
    without, _ = solved(played({"rules": "freestyle", "size": 19}, stones))
    assert without.moves <= 5
    position = played({"opening": "free"}, stones)
    won, tree = solved(position)
    if won:
        assert str(position.board.stones[board_point(position.board, won.point)]) != "K8"
        TreeReferee(0.001).check(position, won, tree)


@pytest.mark.parametrize("rules", RULES)
def test_without_threats_nothing_is_found(rules):
    for moves in ("", "K10 A1", "K10 L11 G8 K8 N9 C3"):
        assert solved(played({"rules": rules, "size": 19, "opening": "free"}, moves))[0] is None


@pytest.mark.parametrize("rules", ["boat", "poof", "ninuki42"])
def test_other_rules_have_no_such_search(rules):
    position = played({"rules": rules, "opening": "free", "size": 15}, FORK[1])
    assert solved(position, 20_000)[0] is None


def test_a_search_that_ends_early_claims_nothing():
    position = played(*FORK)
    assert solved(position, 0)[0] is None
    assert solved(position, stop=1)[0] is None


def test_a_longer_search_finds_what_a_shorter_one_found():
    position = played(*FORK)
    found = [solved(position, nodes)[0] for nodes in (1, 10, 100, 1_000, 10_000)]
    first = next(i for i, won in enumerate(found) if won)
    assert len(set(found[first:])) == 1
