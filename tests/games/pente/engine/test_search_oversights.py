"""Oversights: what a weak level does not notice is missing from its search, and nothing else is."""

import pytest

from pentad import new
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.bots import LEVELS, PenteBot
from pentad.games.pente.engine.search import RootSearch
from pentad.games.pente.rulesets import RULE_SETS
from tests.games.pente.engine.random_positions import random_positions

NEVER, ALWAYS = -99.0, 99.0
ATTENTIVE = [0.0] * len(k.CLEARER)
OWN_LINE, OWN_DOUBLE, OWN_CAPTURE, THEIR_LINE, THEIR_DOUBLE, THEIR_CAPTURE = range(6)

# Black to move: white has four in a row, and so has black in the second game.
ATTACKED = "K10 A1 L10 C1 M10 E1 N10"
BOTH = "K10 A1 L10 B1 M10 C1 N10 D1 A15"


def played(moves, **options):
    here = new("pente", rules="freestyle", opening="free", **options)
    for move in moves.split():
        here = here.play(move)
    return here


def searched(here, *missed):
    """A search that overlooks these kinds."""
    engine = RootSearch(here)
    normal = [NEVER if number in missed else 0.0 for number in range(len(k.CLEARER))]
    engine.overlook(NEVER / 2, normal)
    engine.deepen(2)
    return engine


def moves_of(engine):
    return {str(root.move) for root in engine.roots}


def test_an_overlooked_line_is_not_stopped():
    here = played(ATTACKED)
    assert moves_of(searched(here)) == {"J10", "O10"}
    assert not moves_of(searched(here, THEIR_LINE)) & {"J10", "O10"}
    assert moves_of(searched(here, OWN_LINE, THEIR_DOUBLE, THEIR_CAPTURE)) == {"J10", "O10"}


def test_an_overlooked_win_is_not_played_and_the_search_goes_on():
    here = played(BOTH)
    assert moves_of(searched(here)) == {"E1"}
    assert moves_of(searched(here, OWN_LINE)) == {"J10", "O10"}
    blind = searched(here, OWN_LINE, THEIR_LINE)
    assert not moves_of(blind) & {"E1", "J10", "O10"}
    assert not blind.decided


def test_a_point_with_two_threats_is_noticed_for_either():
    here = played("H3 C8 D8 H4 E8 H5 F8 H6 G8 H7")
    assert [str(stone) for stone in here.threats()[0].fours + here.threats()[1].fours] == ["H8", "H8"]
    assert moves_of(searched(here, OWN_LINE)) == moves_of(searched(here, THEIR_LINE)) == {"H8"}
    assert "H8" not in moves_of(searched(here, OWN_LINE, THEIR_LINE))


def test_overlooked_captures_are_not_made():
    here = new("pente", opening="free").play("K10").play("L10").play("A1").play("M10").play("A5")
    free = here.play("S19")
    captures = {"N10"}
    assert captures <= moves_of(searched(free))
    assert not captures & moves_of(searched(free, OWN_CAPTURE))


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_without_attention_some_legal_move_remains(rules):
    for here in random_positions({"rules": rules, "size": 9, "opening": "free"}, 7, games=4, most=90):
        engine = RootSearch(here)
        engine.overlook(ALWAYS, ATTENTIVE)
        engine.deepen(1)
        assert moves_of(engine)
        assert all(root.move in here.legal_moves for root in engine.roots)


@pytest.mark.parametrize("rules", ["pente", "gomoku"])
def test_with_attention_the_search_is_that_of_all_points(rules):
    for here in list(random_positions({"rules": rules, "opening": "free"}, 3, games=2, most=40))[::5]:
        attentive, plain = RootSearch(here), RootSearch(here)
        attentive.overlook(NEVER, ATTENTIVE)
        for engine in (attentive, plain):
            engine.deepen(3)
        assert attentive.roots == plain.roots


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("number", [1, 1.5, 2])
def test_a_level_overlooks_lines_as_often_as_it_says(number):
    here, bot, moves = played(ATTACKED), PenteBot(number, 1), 300
    missed = sum(str(bot.choose(here)) not in {"J10", "O10"} for _ in range(moves))
    assert missed / moves == pytest.approx(LEVELS[number].oversight, abs=0.08)


def test_helper_threads_overlook_the_same():
    here = played(ATTACKED)
    engine = RootSearch(here, threads=3)
    engine.overlook(ALWAYS, ATTENTIVE)
    engine.deepen(3)
    assert not moves_of(engine) & {"J10", "O10"}
