"""The ladder: its rungs in every game, levels by number, name and rating, and lapses."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError, game
from pentad.play.seats import sit
from pentad.search.bot import best, bot, own_bots, rated_levels
from pentad.search.levels import HIGHEST, LOWEST, RUNGS, Level, at, ladder, of_rating, read_level
from pentad.search.report import Result

LEVELS = ladder(*(Level(nodes=10 * number, blunder_rate=0.5) for number in range(1, 10)))
ELO = dict(zip(RUNGS.values(), range(800, 2600, 200), strict=True))


def test_the_rungs_are_steps_of_half_a_level():
    assert list(RUNGS.values()) == [LOWEST + i / 2 for i in range(9)]
    assert RUNGS["best"] == HIGHEST
    assert list(LEVELS) == list(RUNGS.values())


@pytest.mark.parametrize("name", pentad.names())
def test_every_rung_plays_in_every_game(name):
    here, who = pentad.new(name), best(name)
    assert own_bots(name)[who].rungs
    for word, number in list(RUNGS.items())[:5]:  # the higher ones take longer, and play as the engines' tests say
        for asked in (word, f"{who}@{word}", f"{who}@{number:g}"):
            player = bot(name, asked, seed=1)
            assert player.name == f"{who}-{number:g}"
        assert player.choose(here) in here.legal_moves
        assert sit(game(name), word, remote=True).who == word


def test_between_two_rungs_either_plays_and_the_nearer_one_more_often():
    chance = random.Random(3)
    counted = Counter(at(LEVELS, 2.1, chance).nodes for _ in range(4000))
    assert set(counted) == {30, 40}
    assert counted[40] / 4000 == pytest.approx(0.2, abs=0.03)


def test_a_lapse_is_a_weaker_search():
    level = Level(nodes=1000, depth=4, noise=5, blunder_rate=0.2, effort=40, book=True, exact=True)
    lapse = level.lapse()
    assert (lapse.nodes, lapse.depth, lapse.noise) == (50, 1, 10)
    assert (lapse.blunder_rate, lapse.effort, lapse.book, lapse.exact) == (0, 0, False, False)
    assert Level().lapse().nodes is None  # the limit of a depth alone


@pytest.mark.parametrize("name", pentad.names())
def test_lapses_come_at_their_rate_and_every_move_has_its_level(name, monkeypatch):
    player = bot(name, "easy", seed=4)
    monkeypatch.setattr(player, "levels", {number: Level(nodes=40, depth=3, blunder_rate=0.25) for number in LEVELS})
    here, nodes = pentad.new(name), Counter[int | None]()
    move = here.legal_moves[0]
    monkeypatch.setattr(player, "_searched", lambda here, limit: Result(move))
    for _ in range(2000):
        player.choose(here)
        nodes[player.level.nodes] += 1
    assert set(nodes) == {40, 2}
    assert nodes[2] / 2000 == pytest.approx(0.25, abs=0.05)


@pytest.mark.parametrize("name", pentad.names())
def test_ratings_name_levels(name):
    rated = rated_levels(name, best(name))
    assert set(rated) == set(RUNGS.values())
    middle = (min(rated.values()) + max(rated.values())) // 2
    assert bot(name, level=middle).number == of_rating(middle, rated) == bot(name, str(middle)).number
    assert bot(name, f"{best(name)}@{middle}").number == of_rating(middle, rated)


@given(st.lists(st.integers(100, 3000), min_size=9, max_size=9), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_rating_is_a_higher_level(measured, one, other):
    """Whatever was measured: errors of measurement may exchange neighbouring rungs."""
    rated = dict(zip(RUNGS.values(), measured, strict=True))
    lowest, highest = measured[0], max(measured)
    ratings = sorted(lowest + share * (highest - lowest) for share in (one, other))
    low, high = (of_rating(elo, rated) for elo in ratings)
    assert LOWEST <= low <= high <= HIGHEST


def test_the_ratings_of_the_rungs_are_the_rungs():
    assert [of_rating(elo, ELO) for elo in ELO.values()] == list(ELO)
    for low, high in pairwise([of_rating(elo, ELO) for elo in range(800, 2401, 25)]):
        assert low < high


@pytest.mark.parametrize(
    "text", ["", ".", "meduim", "0", "0.9", "5.1", "99", "799", "2401", "1e3", "-1", "nan", "٣", "9" * 99]
)
def test_unknown_levels_are_one_line(text):
    for ask in (lambda: bot("pente", level=text), lambda: bot("pente", f"engine@{text or 'x'}")):
        with pytest.raises(GameError) as refused:
            ask()
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 250
    if text == "meduim":
        assert "Did you mean medium?" in str(refused.value)


@given(st.text())
def test_any_text_is_a_level_or_refused_in_one_line(text):
    refused = ""
    try:
        assert read_level(text, lambda: ELO) >= 0
    except GameError as error:
        refused = str(error)
    assert "\n" not in refused
