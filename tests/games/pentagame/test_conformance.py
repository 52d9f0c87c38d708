"""Conformance of Pentagame with the interface of games, and its table of perft counts."""

from collections import Counter

import pytest

import pentad
from pentad.games import testing
from pentad.games.testing import check_game
from tests.cases import thinned
from tests.games.pentagame import referee
from tests.games.pentagame.referee_comparison import referee_snapshot

OPTIONS = [
    {},
    {"players": 3},
    {"players": 4},
    {"players": 5},
    {"first_to_three": True},
    {"no_swap_back": True},
    {"players": 3, "first_to_three": True, "no_swap_back": True},
    {"players": 5, "no_swap_back": True, "max_ply": 100},
    {"max_ply": 1},
    {"players": 4, "max_ply": 7},
    {"colours": "pink,cyan,navy,lime,white"},
]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", thinned(OPTIONS, 3), ids=str)
def test_pentagame_conforms(options):
    report = check_game("pentagame", plays=1, **options)
    assert report.finished == 1


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pentagame_conforms_in_long_games(options):
    check_game("pentagame", plays=25, seed=1, **options)


# ── how many sequences of turns there are ────────────────────────────────────────────────────────

TABLE = testing.perft_table("pentagame")
every_row = pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row["options"]))


def orbits(start):
    """The positions after every first turn, those that a symmetry takes to each other once, with how many they are."""
    ways = start.symmetries
    found = Counter(min(way.position(start.play(move)).text for way in ways) for move in start.legal_moves)
    return [(pentad.load(text), count) for text, count in found.items()]


def by_symmetry(start, depth):
    """What perft counts from the first position, which looks the same from all ten sides."""
    return sum(count * pentad.perft(after, depth - 1) for after, count in orbits(start))


def count_turns(game, depth):
    """The same by the referee."""
    if depth == 1:
        return game.count()
    total = 0
    for turn in game.turns():
        after = game.copy()
        after.play(turn)
        total += count_turns(after, depth - 1)
    return total


def test_the_table_has_every_number_of_players():
    assert [row["options"].get("players", 2) for row in TABLE] == [2, 3, 4, 5] * 2
    assert [row["counts"][0] for row in TABLE] == [1005, 1015, 1025, 1035] * 2
    assert len({pentad.new("pentagame", **row["options"]) for row in TABLE}) == len(TABLE)


@every_row
def test_perft_of_one_turn(row):
    start = pentad.new("pentagame", **row["options"])
    assert pentad.perft(start, 1) == referee.Game(**row["options"]).count() == row["counts"][0]


@pytest.mark.slow
@pytest.mark.parametrize("row", thinned(TABLE[::3], 2), ids=lambda row: str(row["options"]))
def test_perft_of_two_turns(row):
    """By symmetry, since all the second turns after all the first take a while."""
    assert by_symmetry(pentad.new("pentagame", **row["options"]), 2) == row["counts"][1]


@pytest.mark.slow
@every_row
def test_perft_in_full_and_by_the_referee(row):
    assert pentad.perft(pentad.new("pentagame", **row["options"]), 2) == row["counts"][1]
    assert count_turns(referee.Game(**row["options"]), 2) == row["counts"][1]


@pytest.mark.slow
@every_row
def test_deep_perft(row):
    start = pentad.new("pentagame", **row["options"])
    assert by_symmetry(start, 3) == row["counts"][2]


@pytest.mark.slow
@pytest.mark.parametrize("row", TABLE[:1] + TABLE[-1:], ids=lambda row: str(row["options"]))
def test_deep_perft_by_the_referee(row):
    """From the positions after the first turn, one of each ten."""
    total = 0
    for after, count in orbits(pentad.new("pentagame", **row["options"])):
        total += count * count_turns(referee_snapshot(after), 2)
    assert total == row["counts"][2]


def test_no_swap_back_removes_only_the_reverse_swap():
    """Of the second turns: one for each swap of the first with one of the next seat's pieces."""
    for with_all, without in zip(TABLE[:4], TABLE[4:], strict=True):
        swaps = 10  # each of the mover's five swaps with the next seat's two on the corners beside it
        assert with_all["counts"][1] - without["counts"][1] == swaps
