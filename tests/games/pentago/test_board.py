"""The board: spaces, sub-boards, lines, quarter turns."""

import random

import pytest

from pentad.games.pentago.board import Board, Place, Twist, board, spaces_of
from tests.games.pentago.random_games import GAMES, every_game
from tests.games.pentago.referee import Table

CLASSIC = board(2, 2, 3, 5)
GEOMETRY = ("rows", "cols", "block", "line")


def table_and_board(options):
    """The same board as a referee's table and as a board."""
    table = Table(**options)
    return table, Board(*(getattr(table, name) for name in GEOMETRY))


def on_table(here, marbles):
    """Converts a set of spaces to the referee's rows: seat 0 or None."""
    rows = [[None] * here.width for _ in range(here.height)]
    for space in spaces_of(marbles):
        rows[space // here.width][space % here.width] = 0
    return rows


def random_sets(here, how_many=60):
    """Random sets of spaces, from sparse to dense."""
    rng = random.Random(here.size)
    for k in range(how_many):
        density = (k + 1) / (how_many + 1)
        yield sum(1 << space for space in range(here.size) if rng.random() < density)


@every_game
def test_sizes(options):
    table, here = table_and_board(options)
    assert (here.height, here.width) == (table.height, table.width)
    assert here.size == len(here.places) == table.height * table.width
    assert list(here.sub_boards) == list(range(1, table.rows * table.cols + 1))
    assert here.all_spaces == 2**here.size - 1
    assert len(here.twists) == 2 * len(here.sub_boards)


@every_game
def test_spaces_are_numbered_in_reading_order(options):
    _, here = table_and_board(options)
    assert [here.space(*place) for place in here.places] == list(range(here.size))
    assert list(here.places) == sorted(here.places)


@every_game
def test_spaces_belong_to_the_sub_board_that_turns_them(options):
    _, here = table_and_board(options)
    for number in here.sub_boards:
        top, left = here.corner(number)
        inside = {(row, column) for row, column in here.places if here.sub_board_of(row, column) == number}
        assert inside == {(top + y, left + x) for y in range(here.block) for x in range(here.block)}
        assert here.quarter_turns[Twist(number, "C")][0] == sum(1 << here.space(*place) for place in inside)


@pytest.mark.parametrize(
    ("options", "corners"),
    [
        ({}, [(0, 0), (0, 3), (3, 0), (3, 3)]),
        ({"rows": 2, "cols": 3}, [(0, 0), (0, 3), (0, 6), (3, 0), (3, 3), (3, 6)]),
        ({"rows": 1, "cols": 2, "block": 2, "line": 3}, [(0, 0), (0, 2)]),
    ],
)
def test_sub_boards_are_numbered_in_reading_order(options, corners):
    _, here = table_and_board(options)
    assert [here.corner(number) for number in here.sub_boards] == corners


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        ((2, 2, 3, 5), 32),  # 12 rows, 12 columns, 8 diagonals
        ((2, 2, 3, 6), 14),
        ((3, 3, 3, 5), 45 + 45 + 50),
        ((1, 2, 2, 3), 4),  # no column is long enough
        ((1, 1, 5, 5), 12),
        ((3, 3, 1, 3), 8),
        ((1, 4, 1, 4), 1),
        ((4, 1, 1, 3), 2),
        ((1, 1, 2, 2), 6),
        ((1, 1, 1, 2), 0),
    ],
)
def test_the_number_of_lines(shape, count):
    here = Board(*shape)
    assert len(here.lines) == len(set(here.lines)) == count
    assert all(line.bit_count() == here.line and line <= here.all_spaces for line in here.lines)


@every_game
def test_has_line(options):
    table, here = table_and_board(options)
    found = set()
    for marbles in (0, here.all_spaces, *here.lines, *random_sets(here)):
        table.spaces = on_table(here, marbles)
        assert here.has_line(marbles) == (table.with_a_line() == [0]), bin(marbles)
        found.add(here.has_line(marbles))
    assert found == {True, False}


@every_game
def test_no_line_survives_the_loss_of_a_marble(options):
    _, here = table_and_board(options)
    for line in here.lines:
        for space in spaces_of(line):
            assert not here.has_line(line & ~(1 << space))


@every_game
def test_spaces_that_complete_a_line(options):
    table, here = table_and_board(options)
    some = 0
    for marbles in random_sets(here):
        if here.has_line(marbles):
            continue
        taken = marbles | next(random_sets(here, 3))
        empty = here.all_spaces & ~taken
        want = 0
        for space in spaces_of(empty):
            table.spaces = on_table(here, marbles | 1 << space)
            want |= (table.with_a_line() == [0]) << space
        assert here.completing(marbles, empty) == want
        some |= want
    assert some


@every_game
def test_quarter_turns(options):
    table, here = table_and_board(options)
    for marbles in random_sets(here, 8):
        for twist in here.twists:
            table.spaces = on_table(here, marbles)
            table.rotate(twist.sub_board, twist.direction)
            assert on_table(here, here.twist(marbles, twist)) == table.spaces, twist


@every_game
def test_four_quarter_turns_and_inverse_turns(options):
    _, here = table_and_board(options)
    for marbles in random_sets(here, 8):
        for number in here.sub_boards:
            turned = marbles
            for _ in range(4):
                turned = here.twist(turned, Twist(number, "C"))
            assert turned == marbles
            assert here.twist(here.twist(marbles, Twist(number, "C")), Twist(number, "A")) == marbles
            assert here.twist(marbles, Twist(number, "A")).bit_count() == marbles.bit_count()


def test_a_twist_moves_rim_marbles_by_two():
    ring = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]
    for k, place in enumerate(ring):
        turned = CLASSIC.twist(1 << CLASSIC.space(*place), Twist(1, "C"))
        assert turned == 1 << CLASSIC.space(*ring[(k + 2) % 8])
    centre = 1 << CLASSIC.space(1, 1)
    assert CLASSIC.twist(centre, Twist(1, "C")) == centre


def test_a_twist_leaves_other_sub_boards():
    everything_else = CLASSIC.all_spaces & ~CLASSIC.quarter_turns[Twist(2, "A")][0]
    for marbles in random_sets(CLASSIC):
        after = CLASSIC.twist(marbles, Twist(2, "A"))
        assert after & everything_else == marbles & everything_else


def test_a_sub_board_of_one_space_does_not_change():
    here = Board(**{name: GAMES["block 1"].get(name) for name in GEOMETRY})
    for marbles in random_sets(here, 8):
        assert {here.twist(marbles, twist) for twist in here.twists} == {marbles}


@pytest.mark.parametrize(("marbles", "spaces"), [(0, []), (1, [0]), (0b1011, [0, 1, 3]), (1 << 399, [399])])
def test_the_spaces_of_a_set(marbles, spaces):
    assert list(spaces_of(marbles)) == spaces


def test_steps_are_written_as_on_the_board():
    assert [str(Place(*place)) for place in ((0, 0), (5, 5), (2, 10), (25, 0))] == ["a0", "f5", "c10", "z0"]
    assert [str(Twist(1, "C")), str(Twist(12, "A"))] == ["1C", "12A"]


def test_boards_are_equal_by_value():
    assert Board(2, 2, 3, 5) == CLASSIC
    assert hash(Board(2, 2, 3, 5)) == hash(CLASSIC)
    assert Board(2, 2, 3, 4) != CLASSIC
    assert board(2, 2, 3, 5) is CLASSIC
