"""Hints: proved wins with their threats, within the time limit and the length of a claim."""

import re

import pytest

import pentad
from pentad.games.pente.engine.hints import FEW_SECONDS, MAX_CLAIM_LENGTH, prove
from pentad.games.pente.engine.search import RootSearch
from pentad.play.table import Table
from pentad.record import Record
from tests.cases import thinned
from tests.games.pente.engine.random_positions import new
from tests.games.pente.engine.test_search_proofs import RULES, claims, from_chance
from tests.games.pente.random_games import played

QUIET = "K10 L11 G8 K8 N9"
CLAIMS = {
    "a five": ({"tournament_rule": False}, "K10 A1 L10 A3 M10 A5 N10 A7", "wins in 1 move: J10 makes five"),
    "four in a row": ({"rules": "lines", "line": 4}, "C3 A1 D3 A3 E3 A5", "wins in 1 move: B3 makes 4 in a row"),
    "the last pair": (
        {"tournament_rule": False, "capture_win": 2},
        "K10 L10 A1 M10",
        "wins in 1 move: N10 captures enough stones",
    ),
    "an open four": (
        {"rules": "freestyle"},
        "H8 A1 J8 A3 K8 A5",
        "wins in 2 moves: L8 threatens G8 and M8; after G8, M8 makes five",
    ),
}
THREATS = (
    "pente opening=free 19/19/19/19/19/19/5w1w11/7b11/6wbw2b7/4b2b1w2w6/4b2bb1w1b6/4bwwwwb1wb6/4w2b1ww1b6"
    "/19/19/19/19/19/19 4,4"
)


@pytest.mark.parametrize("name", CLAIMS)
def test_claims(name):
    options, moves, expected = CLAIMS[name]
    found = prove(played(options, moves))
    move, claim = found.move, found.claim
    pattern = re.sub(r"\b[A-T]\d+\b", "POINT", expected)  # any of several equal points
    assert re.sub(r"\b[A-T]\d+\b", "POINT", claim) == pattern
    assert str(move) == re.search(r"\b[A-T]\d+\b", claim)[0]


def test_captures_are_threats_and_long_claims_end_in_dots():
    found = prove(pentad.load(THREATS))
    move, claim = found.move, found.claim
    assert claim.startswith(f"wins in 6 moves: {move} threatens F9; after F9, ")
    assert re.search(r" threatens to capture at [A-T]\d+; ", claim)
    assert claim.endswith("; …")
    assert len(claim) <= MAX_CLAIM_LENGTH + len("; …")


def test_nothing_is_claimed_where_nothing_is_proved():
    for position in (new(), played({}, QUIET), new(opening="swap2")):
        assert prove(position) is None
    assert prove(played({"rules": "freestyle"}, "H8 A1 J8 A3 K8 A5 L8 A7 M8")) is None


@pytest.mark.parametrize("seconds", [0.001, 1.0, None])
def test_proofs_respect_the_time_limit(seconds, monkeypatch):
    """No search gets more than the time that is left."""
    given, most = [], min(seconds or FEW_SECONDS, FEW_SECONDS)
    for name in ("attack_first", "winning_line"):
        search = getattr(RootSearch, name)
        monkeypatch.setattr(
            RootSearch, name, lambda engine, seconds, search=search: given.append(seconds) or search(engine, seconds)
        )
    for position in (played({}, QUIET), pentad.load(THREATS)):
        prove(position, seconds=seconds)
    assert given.count(most) == 2
    assert max(given) <= most


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", thinned(RULES, 3))
def test_the_moves_of_a_claim_can_be_played_and_win(rules):
    """Each move of a claim is legal, and the last one wins unless the claim is cut off."""
    for position, *_ in claims(from_chance(rules, 3), 6):
        found = prove(position)
        assert "\n" not in found.claim
        here, wins_in = position, found.moves
        steps = found.threats.removesuffix("; …").split("; ")
        assert steps[0].startswith(f"{found.move} ")
        for step in steps:
            for name in re.findall(r"^(?:after ([A-Z]\d+), )?([A-Z]\d+) ", step)[0]:
                here = here.play(name) if name else here
            last = step
        assert (here.ply - position.ply + 1) // 2 <= wins_in
        assert "threatens" in last or here.outcome or "cannot be broken" in last


def test_the_table_gives_it_and_else_a_bots_move():
    table = Table(Record(pentad.load(THREATS)), ["human", "human"])
    assert table.hint().claim.startswith("wins in 6 moves: ")
    hint = Table(Record("pente"), ["human", "human"]).hint(0.1)
    assert (str(hint.move), hint.claim) == ("K10", "")


# A line must survive the reply, so any move may delay the end.
STANDING = (
    "pente rules=ninuki42 19/19/19/19/19/19/8b10/7w11/6w12/5w1bwwwwb6/8bb9/8bbw8/6wbbbbw7/11w7/7ww10/19/19/19/19 2,0"
)


def test_a_line_that_may_not_be_the_longest_says_at_most():
    position = pentad.load(STANDING)
    found = prove(position)
    assert found.claim.startswith(("wins in 5 moves at most: ", "wins in 5 moves: "))
    assert (found.value, found.moves) == (1, 5)
    assert found.move in position.legal_moves


def test_the_winning_line_is_as_long_as_is_claimed():
    engine = RootSearch(pentad.load(STANDING))
    engine.attack_first(2)
    assert (len(engine.winning_line()) + 1) // 2 == engine.wins_in


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", thinned(RULES, 3))
def test_a_winning_line_is_as_long_as_its_claim_in_every_rule_set(rules):
    for position, *_ in claims(from_chance(rules, 9), 3):
        engine = RootSearch(position)
        engine.attack_first(60)
        line = engine.winning_line()
        assert line[0] == engine.best.move
        assert (len(line) + 1) // 2 == engine.wins_in


def test_without_time_for_the_line_the_claim_stands():
    engine = RootSearch(pentad.load(THREATS))
    engine.attack_first(2)
    assert engine.winning_line(0) == engine.winning_line()[:1]


def test_a_line_that_is_cut_off_ends_in_dots(monkeypatch):
    whole = RootSearch.winning_line
    monkeypatch.setattr(RootSearch, "winning_line", lambda self, seconds: whole(self)[:2])
    assert prove(pentad.load(THREATS)).claim == "wins in 6 moves: G9 threatens F9; …"


def test_a_stopped_proof_claims_nothing(monkeypatch):
    """An interrupt ends a hint."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(RootSearch, "attack_first", interrupted)
    with pytest.raises(KeyboardInterrupt):
        prove(pentad.load(THREATS))
