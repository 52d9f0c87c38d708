"""Threats of each side, against the referee and by hand."""

import pytest

import pentad
from tests.cases import thinned
from tests.games.pente.random_games import GAMES, SMALL, new, played, random_game


def expected(table, colour):
    """Fours, threes and captures of a colour, found by trying every empty point."""
    fours, captures = [], {}
    before = table.has_five(colour)
    for x, y in table.empties():
        table.grid[y][x] = colour
        if not before and table.has_five(colour):
            fours.append(table.name(x, y))
        table.grid[y][x] = None
        if taken := table.captured_from(x, y, colour):
            captures[table.name(x, y)] = sorted(table.name(*point) for point in taken)
    return fours, captures


def opening_fours(table, colour):
    """The points that turn a free three into four in a row with both ends empty."""
    found = set()
    for x in range(table.size):
        for y in range(table.size):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                points = [(x + k * dx, y + k * dy) for k in range(-1, 5)]
                cells = [table.at(*point) for point in points]
                four = cells[1:5]
                if (cells[0], cells[5]) == (None, None) and (four.count(colour), four.count(None)) == (3, 1):
                    found.add(points[1 + four.index(None)])
    return [table.name(*point) for point in table.empties() if point in found]


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("name", thinned([name for name in SMALL if GAMES[name].get("size") != 3], 3))
def test_threats_are_what_the_referee_finds(name):
    some = 0
    for seed in (2, 3):
        for position, table in random_game(GAMES[name], seed):
            if table.over or table.ply % 3:
                continue
            for seat, threats in enumerate(position.threats()):
                colour = table.seats.index(seat)
                fours, captures = expected(table, colour)
                if not table.has_five(colour):
                    assert list(threats.fours) == fours, position.text
                assert list(threats.threes) == opening_fours(table, colour), position.text
                assert {point: sorted(taken) for point, taken in threats.captures.items()} == captures, position.text
                some += len(fours) + len(captures)
    assert some or name == "lines 7, two"


def test_by_hand():
    mine, theirs = pentad.load("pente size=9 opening=free 9/9/9/5b3/4b4/3w5/9/9/9 0,2").threats()
    assert (mine.fours, mine.threes, dict(mine.captures)) == ((), (), {"G7": ("E5", "F6")})
    assert (theirs.fours, theirs.threes, dict(theirs.captures)) == ((), (), {})


def test_a_three_and_a_four():
    mine, theirs = played({"opening": "free"}, "E5 E9 F5 F9 G5 G9 H5").threats()
    assert mine.fours == ("D5", "J5")
    assert mine.threes == ()  # a four is no three
    assert theirs.threes == ("D9", "H9")


def test_gomoku_threatens_no_six():
    """A stone in the gap would make six in a row."""
    options = {"rules": "gomoku", "size": 9}
    here = played(options, "A5 A1 B5 C1 C5 E1 D5 G1 F5 J1")
    assert here.threats()[0].fours == ()
    assert played({**options, "rules": "freestyle"}, "A5 A1 B5 C1 C5 E1 D5 G1 F5 J1").threats()[0].fours == ("E5",)


def test_no_threats_on_an_empty_board():
    for here in (new(), new(rules="gomoku", opening="swap2"), new(rules="lines", size=3, line=3)):
        for threats in here.threats():
            assert (threats.fours, threats.threes, dict(threats.captures)) == ((), (), {})


def test_threats_go_by_seat():
    here = played({"rules": "gomoku", "opening": "swap2"}, "E5 A1 F5,white,A3,G5,A7")
    assert here.colour_of(1) == "white"
    assert here.threats()[1].threes == ("D5", "H5")
    assert here.threats()[0].threes == ()
