"""Proved wins of the engine, each played out against every reply by the referee."""

import random

import pytest

import pentad
from pentad.game import GameError
from pentad.games.pente.engine.bots import PenteBot
from pentad.games.pente.engine.search import RootSearch
from pentad.games.pente.engine.state import kernels, state_of
from tests.games.pente.engine.claim_referee import Broken, Referee, claim, shortest_claim
from tests.games.pente.engine.random_positions import new, options_by_chance, random_positions
from tests.games.pente.random_games import games_played

RULES = ("pente", "keryo", "g-pente", "poof", "boat", "freestyle", "gomoku", "ninuki42")
LONGEST = 8  # own moves of the claims
LOOK = 3_000  # nodes of an attack in the search for claims


def from_games(rules, seed):
    """Positions of the games of the file, replayed with other rules as far as they are legal."""
    chance = random.Random(seed)
    size = {"size": 19} if rules in ("freestyle", "gomoku") else {}
    while True:
        position = new(rules=rules, opening="free", **size)
        for move in chance.choice(games_played())[3]:
            try:
                position = position.play(move)
            except GameError:
                break
            if position.outcome:
                break
            yield position


def from_bots(rules, seed):
    """Positions of games between weak bots."""
    number = seed
    while True:
        white, black = PenteBot(1, number), PenteBot(2, number + 1)
        number += 2
        position = new(rules=rules)
        while not position.outcome and position.ply < 150:
            yield position
            position = position.play((black if position.turn else white).choose(position))


def from_chance(rules, seed):
    """Positions of random games on small boards."""
    while True:
        yield from random_positions({"rules": rules, "size": 11, "opening": "free"}, seed)
        seed += 1


SOURCES = {"games": from_games, "bots": from_bots, "chance": from_chance}


def claims(positions, count):
    """Claims of wins in more than one move, each with its position."""
    for position in positions:
        if count == 0:
            return
        state = state_of(position)
        if kernels()("wins_at_once", state.parts) >= 0:
            continue
        moves, point = shortest_claim(position, LONGEST, LOOK)
        if moves:
            count -= 1
            yield position, moves, point


def check_claims(positions, count):
    """Plays a number of claims out; returns the referee."""
    referee = Referee()
    for position, moves, point in claims(positions, count):
        referee.check(position, moves, moves, point)
    assert referee.claims == count
    print(f"{referee.claims} claims, the longest in {referee.longest}, {referee.replies} replies")
    return referee


STANDING = ("boat", "ninuki42")  # a five must survive the reply, so every win takes longer


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("rules", "source"),
    [
        pytest.param(
            rules, source, marks=[pytest.mark.slow] if (rules in STANDING and source != "chance") or i % 2 else []
        )
        for i, rules in enumerate(RULES)
        for source in SOURCES
    ],
)
def test_claimed_wins_are_wins(rules, source):
    standing = rules in STANDING
    assert check_claims(SOURCES[source](rules, 1), 1 if standing else 2).replies > 50


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("rules", RULES)
def test_a_thousand_claimed_wins_are_wins(rules, source):
    referee = check_claims(SOURCES[source](rules, 1000), 42)
    assert referee.longest > 2


@pytest.mark.slow
def test_claimed_wins_are_wins_with_any_options():
    chance, referee = random.Random(5), Referee()
    while referee.claims < 300:
        options = options_by_chance(chance)
        for position, moves, point in claims(random_positions(options, chance.randrange(1 << 30), most=80), 3):
            referee.check(position, moves, moves, point)


def test_a_sure_move_of_a_bot_wins():
    referee = Referee()
    for position, _, _ in claims(from_bots("pente", 50), 4):
        engine = RootSearch(position)
        engine.deepen(2)
        assert engine.wins_in
        point = position.board.point(*engine.best.move[0])
        referee.check(position, engine.wins_in, engine.wins_in, point)


# False claims of earlier versions, reduced. The defender had a reply that `answers` does not list:
# - with poof, a stone beside the point of the five makes a pair in a bracket, so that the fifth stone vanishes;
# - with double threes forbidden, the point of the five may be illegal for the attacker, so that there is no threat.
FALSE_CLAIMS = {
    "poof: J7 answers the four that K8 makes": "pente rules=poof size=13 opening=free "
    "2w10/13/13/5w2b4/6w1w4/3b1ww6/13/13/13/13/13/13/6b1b1b1b 0,0",
    "poof: J7 answers the open three too": "pente rules=poof size=13 opening=free "
    "w1w1w8/13/13/5w2b4/6w1w4/3bwww6/13/13/13/13/13/13/b1b1b1b1b1b1b 0,0",
    "freestyle: J6 is forbidden to white": "pente rules=freestyle size=13 double_three=false "
    "12b/13/b12/13/13/8w1w2/8ww3/3bwww6/13/7w5/7w5/13/2b1b1b3bbb",
    "pente: J6 is forbidden to white": "pente size=13 opening=free double_three=false "
    "12b/13/b12/13/13/8w1w2/8ww3/3bwww6/13/7w5/7w5/13/2b1b1b3bbb 0,0",
}


@pytest.mark.parametrize("text", FALSE_CLAIMS.values(), ids=FALSE_CLAIMS.keys())
def test_claims_that_were_false(text):
    position, referee = pentad.load(text), Referee()
    moves, point = shortest_claim(position, LONGEST)
    if moves:
        referee.check(position, moves, moves, point)
    assert referee.claims == bool(moves)


# A true claim, though a single limited search after H10 J10 does not find the win again: that depends on the order of
# the points, which moves made and taken back change.
HARD_TO_FIND_AGAIN = (
    "pente rules=boat opening=free 19/19/19/19/19/13b5/7w2w1w6/9bbw7/10w1b6/9wwwb6/7wbbbbw6/12b6/"
    "19/19/19/19/19/19/19 2,2"
)


@pytest.mark.slow
def test_a_win_that_is_hard_to_find_again():
    position, referee = pentad.load(HARD_TO_FIND_AGAIN), Referee()
    moves, point = shortest_claim(position, LONGEST, LOOK)
    assert (moves, str(position.board.stones[point])) == (8, "H10")
    assert not claim(position.play("H10").play("J10"), moves - 1, LOOK)[0]
    referee.check(position, moves, moves, point)
    assert referee.claims == 1


def test_the_referee_sees_through_a_false_claim():
    position = new(rules="freestyle").play("H8").play("A1").play("H9").play("A3").play("H10").play("A5")
    assert claim(position, 2)[0] == 2
    for moves, point in ((1, "H11"), (2, "C9")):
        with pytest.raises(Broken):
            Referee().check(position, moves, moves, position.board.point(*position.parse(point)[0]))
