"""Immediate wins and replies to threats, against trying every move by the rules."""

import random

import pytest

import pentad
from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import REFUTED_ENTRIES
from pentad.games.pente.engine.state import board_point, kernels, state_of
from pentad.games.pente.rulesets import AT_ONCE, RULE_SETS
from pentad.kernels.buffers import zeros
from tests.cases import thinned
from tests.games.pente.engine.claim_referee import attack
from tests.games.pente.engine.random_positions import (
    new,
    options_by_chance,
    random_positions,
    winner,
    winning_points,
)
from tests.properties import some_of

SMALL = [{"rules": rules, "size": 9, "opening": "free"} for rules in RULE_SETS]
AT_ONCE_SETS = [options for options in SMALL if RULE_SETS[options["rules"]].five == AT_ONCE]
STANDING_SETS = [options for options in SMALL if RULE_SETS[options["rules"]].five != AT_ONCE]
NEAR_THE_LAST = {"capture_win": 4}  # wins by capture are frequent then


def named(options):
    return " ".join(map(str, options.values()))


def engine_win(position):
    """The point on which the engine would win at once, or -1."""
    point = kernels()("wins_at_once", state_of(position).parts)
    return board_point(position.board, point) if point >= 0 else -1


def check_wins(position):
    """The engine finds a win at once if there is one by the rules, and only then."""
    points, point = winning_points(position), engine_win(position)
    assert (point in points) if points else (point == -1), (position.text, point)
    return bool(points)


def capturing(options):
    return RULE_SETS[options["rules"]].captures > 0


def both_goals(every):
    """The options, and those with captures also with a low capture_win."""
    return every + [options | NEAR_THE_LAST for options in every if capturing(options)]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", thinned(both_goals(AT_ONCE_SETS), 3), ids=named)
def test_immediate_wins_agree_with_the_rules(options):
    wins = [check_wins(position) for position in random_positions(options, 3, games=5)]
    assert any(wins)
    assert not all(wins)


def stands(position, point):
    """Whether a stone there wins against every reply."""
    me = position.colour
    after = position.play(position.board.stones[point])
    if after.outcome:
        return winner(after) == me
    return all(winner(after.play(after.board.stones[reply])) == me for reply in points_of(after.points))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", both_goals(STANDING_SETS), ids=named)
def test_immediate_wins_where_a_line_must_survive(options):
    wins = 0
    for position in random_positions(options, 5, games=8):
        point = engine_win(position)
        if point >= 0:
            assert position.points >> point & 1, position.text
            assert stands(position, point), position.text
            wins += 1
    assert wins > 0


def random_at_once(seed, count, simple):
    """Positions of games with any options where a line wins at once.

    Simple ones know no poof, nothing forbidden, no captures where six are no line or where a tie comes early, and no
    opening that a line could come into.
    """
    chance = random.Random(seed)
    while count:
        options = options_by_chance(chance)
        rules = new(**options).rules
        odd = rules.poof or not rules.double_three or (rules.captures and (rules.blocked_tie or not rules.overline))
        odd = odd or (rules.line < 4 and rules.opening != "free")
        if rules.five == AT_ONCE and rules.size <= 9 and bool(odd) != simple:
            count -= 1
            yield from random_positions(options, chance.randrange(1 << 30), most=80)


@pytest.mark.slow
def test_immediate_wins_with_any_options():
    games = some_of(60)
    wins = [check_wins(position) for position in random_at_once(8, games, simple=True)]
    assert games // 3 < sum(wins) < len(wins)


@pytest.mark.slow
@pytest.mark.parametrize("simple", [True, False])
def test_immediate_wins_with_any_options_in_many_games(simple):
    wins = [check_wins(position) for position in random_at_once(9, 1000, simple=simple)]
    assert 20 < sum(wins) < len(wins)


# Immediate wins that were missed with poof: if the first capture that would win also gives the opponent enough, the
# others were not tried (F4 after C7, B8); if overlines do not count, vanishing stones may leave a five (C7); and a list
# was read while moves were made and taken back, which changes its order, so that a five was skipped (B5 after C3).
MISSED = {
    "F4": "pente rules=poof size=7 opening=free line=7 capture_win=4 "
    "wb1wwb1/1bw2w1/1w1b1ww/wbbbw2/2w1w1b/b1wbw2/1bw1bbb 2,2",
    "B8": "pente rules=poof size=9 opening=centre "
    "4w1wbb/w1wwwbwb1/b1wb2bw1/1bbwwww1b/wbbbw1wb1/4wbw2/4b1bww/b2b3bb/b1w2b3 2,4",
    "C7": "pente rules=gomoku size=7 captures=3 poof=true bw1b2w/bw1b3/1w1bb2/1wwb1bw/1bbw1wb/2bwww1/bw2w2 0,0",
    "B5": "pente rules=keryo size=7 opening=free poof=true 2bw1w1/bw4b/3wb2/1w1b1b1/ww1wwww/bw5/bb3bw 5,2",
}


@pytest.mark.parametrize("text", MISSED.values(), ids=MISSED.keys())
def test_immediate_wins_that_were_missed(text):
    assert check_wins(pentad.load(text))


# ── answers ──────────────────────────────────────────────────────────────────────────────────────


def answers(position):
    """The engine's replies."""
    out = zeros(k.LIST, "int32")
    count = kernels()("answers", *state_of(position).position, out)
    found = [board_point(position.board, point) for point in out[:count]]
    assert len(set(found)) == count
    assert all(position.points >> point & 1 for point in found), position.text
    return found


def other_threatens(position):
    return bool(kernels()("threatens", *state_of(position).position, 1 - position.colour))


def check_answers(position):
    """Checks that the attacker wins after every other legal reply; returns the number of those replies."""
    found, stones, first, lost = answers(position), position.board.stones, [], 0
    for reply in points_of(position.points):
        if reply in found:
            continue
        after = position.play(stones[reply])
        assert after.outcome is None, position.text
        first = [p for p in first if after.points >> p & 1 and winner(after.play(stones[p])) == after.colour]
        first = first or winning_points(after)
        assert first, (position.text, str(stones[reply]))
        lost += 1
    return lost


def check_all_answers(positions):
    lost = 0
    for position in positions:
        if other_threatens(position) and not winning_points(position):
            lost += check_answers(position)
    return lost


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", thinned(both_goals([o for o in AT_ONCE_SETS if o["rules"] != "poof"]), 3), ids=named
)
def test_any_other_reply_loses_at_once(options):
    assert check_all_answers(random_positions(options, 7, games=6)) > 50


@pytest.mark.slow
def test_any_other_reply_loses_at_once_with_any_options():
    assert check_all_answers(random_at_once(10, 300, simple=True)) > 1000


def is_lost(position):
    """Whether the search gives up without a reply: the opponent has two points of a line."""
    return bool(kernels()("wins_next", state_of(position).numbers, 1 - position.colour))


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("options", [o for o in AT_ONCE_SETS if o["rules"] != "poof"], ids=named)
def test_after_two_points_of_a_line_every_reply_loses_at_once(options):
    lost = [each for each in random_positions(options, 11, games=40) if is_lost(each) and not winning_points(each)]
    assert lost
    for position in lost[:30]:
        for reply in points_of(position.points):
            after = position.play(position.board.stones[reply])
            assert after.outcome is None
            assert winning_points(after), (position.text, reply)


# With captures and blocked ties, a stone anywhere may be a reply (B1).
def test_a_tie_is_an_answer():
    position = pentad.load("pente size=5 opening=free capture_win=1 blocked_tie=true w2bw/wbbbw/w1wb1/3wb/b4 0,0")
    state = state_of(position)
    assert position.board.point(1, 0) not in answers(position)
    assert position.play("B1").outcome.reason == "no line left"
    assert not state.numbers[k.SIMPLE]  # all points are tried then


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("options", AT_ONCE_SETS, ids=named)
def test_a_selective_attack_finds_some_of_the_wins_in_fewer_nodes(options):
    nodes, wins = [0, 0], [0, 0]
    for position in random_positions(options, 7, games=20):
        refuted = zeros(REFUTED_ENTRIES, "int64")
        some = attack(state_of(position), 6, refuted, selective=1)
        all_fours = attack(state_of(position), 6, refuted)
        alone = attack(state_of(position), 6, zeros(REFUTED_ENTRIES, "int64"))
        assert all_fours[0] == alone[0]  # what the first refuted is its own
        assert all_fours[0] or not some[0], position.text
        for which, (won, _, visited) in enumerate((some, all_fours)):
            wins[which] += won > 0
            nodes[which] += visited
    assert 0 < wins[0] <= wins[1]
    assert nodes[0] < nodes[1]
