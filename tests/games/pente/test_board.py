"""The board: points, lines, brackets and groups, sets of points."""

import itertools
import random

import pytest

from pentad.games.pente.board import LETTERS, Board, Side, Stone, board, brackets, groups_through, nth_point, points_of
from tests.cases import together
from tests.games.pente.random_games import RULES
from tests.games.pente.referee import EIGHT, FOUR, table_for

SHAPES = [(3, 2), (3, 3), (4, 3), (5, 5), (6, 4), (7, 5), (7, 7), (9, 5), (12, 6), (13, 5)]
every_shape = pytest.mark.parametrize(("size", "line"), SHAPES, ids=str)


def random_sets(size, how_many=50):
    """Sets of points, from sparse to dense."""
    chance = random.Random(size)
    for k in range(how_many):
        density = (k + 1) / (how_many + 1)
        yield sum(1 << point for point in range(size**2) if chance.random() < density)


def on_table(table, stones, colour=0):
    for point in range(table.size**2):
        if stones >> point & 1:
            table.grid[point // table.size][point % table.size] = colour
    return table


def test_the_alphabet_has_no_i():
    assert "".join(sorted({*"ABCDEFGHIJKLMNOPQRSTUVWXYZ"} - {"I"})) == LETTERS


@together("size", range(3, 26))
def test_points_are_numbered_row_by_row_from_the_bottom_left(size):
    here = board(size, 3)
    table = table_for("lines", size=size)
    assert [here.point(*stone) for stone in here.stones] == list(range(size**2))
    assert [str(stone) for stone in here.stones] == [table.name(x, y) for y in range(size) for x in range(size)]
    assert here.all_points == 2 ** (size**2) - 1
    for column, row in ((-1, 0), (0, -1), (size, 0), (0, size)):
        assert not here.on_board(column, row)
        assert here.bit(column, row) == 0


@every_shape
def test_lines_are_what_the_referee_finds(size, line):
    here, table = Board(size, line), table_for("lines", size=size, line=line)
    lines = {frozenset(points_of(points)) for points, _ in here.lines}
    assert len(lines) == len(here.lines)
    assert lines == {frozenset(y * size + x for x, y in points) for points in table.all_lines()}


@every_shape
def test_every_line_has_a_start(size, line):
    here = Board(size, line)
    assert sum(starts.bit_count() for _, starts in here.starts) == len(here.lines)


@every_shape
def test_the_points_beyond_the_ends_of_a_line(size, line):
    here = Board(size, line)
    for points, beyond in here.lines:
        rows, columns = zip(*(divmod(point, size) for point in points_of(points)), strict=True)
        up = (rows[-1] - rows[0]) // (line - 1)
        right = (columns[-1] - columns[0]) // (line - 1)
        ends = [(columns[0] - right, rows[0] - up), (columns[-1] + right, rows[-1] + up)]
        assert beyond == sum(here.bit(*end) for end in ends)
        assert not points & beyond


@every_shape
def test_lines_through_a_point(size, line):
    here = Board(size, line)
    for point in range(size**2):
        through = [number for number, (points, _) in enumerate(here.lines) if points >> point & 1]
        assert list(here.lines_through[point]) == [here.lines[number] for number in through]
        assert list(points_of(here.line_numbers_through[point])) == through


@every_shape
@together("overline", [True, False])
def test_who_has_a_line(size, line, overline):
    here = Board(size, line)
    found = set()
    some = [points for points, _ in here.lines[:: max(1, len(here.lines) // 30)]]
    for stones in (0, *some, *random_sets(size)):
        table = on_table(table_for("lines", size=size, line=line, overline=overline), stones)
        has = table.has_five(0)
        assert here.has_line(stones, overline=overline) == has, bin(stones)
        through = [here.has_line(stones, overline=overline, through=point) for point in range(size**2)]
        assert any(through) == has
        for point in range(size**2):
            if not stones >> point & 1:
                assert not through[point]
        found.add(has)
    assert found == {True, False}


@every_shape
def test_a_line_through_its_points_and_no_others(size, line):
    here = Board(size, line)
    for points, _ in here.lines[::3]:
        for point in range(size**2):
            assert here.has_line(points, overline=False, through=point) == bool(points >> point & 1)
        for point in points_of(points):
            assert not here.has_line(points & ~(1 << point), overline=True)


def test_no_line_goes_around_the_edge():
    """Points with consecutive numbers on two rows of the board are no line."""
    for size in (5, 7, 19):
        here = board(size, 5)
        for start in range(size**2 - 5 * size):
            for step in (1, size - 1, size, size + 1):
                points = sum(1 << start + k * step for k in range(5))
                columns = [(start + k * step) % size for k in range(5)]
                straight = len({b - a for a, b in itertools.pairwise(columns)}) == 1
                assert here.has_line(points, overline=True) == straight


@pytest.mark.parametrize("size", [3, 4, 5, 7, 8])
@pytest.mark.parametrize("length", [2, 3])
def test_brackets_are_those_of_the_eight_directions(size, length):
    here = Board(size, 3)
    for point, found in enumerate(brackets(here, length)):
        y, x = divmod(point, size)
        expected = set()
        for dx, dy in EIGHT:
            between = [here.bit(x + k * dx, y + k * dy) for k in range(1, length + 1)]
            if end := here.bit(x + (length + 1) * dx, y + (length + 1) * dy):
                expected.add((sum(between), end))
        assert {tuple(bracket) for bracket in found} == expected
        assert len(found) == len(expected)


@pytest.mark.parametrize("size", [3, 4, 5, 7, 8])
@pytest.mark.parametrize("length", [2, 3])
def test_groups_and_their_ends(size, length):
    here = Board(size, 3)
    expected = {point: set() for point in range(size**2)}
    for y in range(size):
        for x in range(size):
            for dx, dy in FOUR:
                group = [here.bit(x + k * dx, y + k * dy) for k in range(-1, length + 1)]
                if all(group):
                    for bit in group[1:-1]:
                        expected[bit.bit_length() - 1].add((sum(group[1:-1]), group[0] | group[-1]))
    for point, found in enumerate(groups_through(here, length)):
        assert {tuple(group) for group in found} == expected[point]
        assert len(found) == len(expected[point])


def test_the_number_of_brackets_of_a_point():
    """On a large board: eight from the middle, five from the edge, three from a corner."""
    found = brackets(board(19, 5), 2)
    assert [len(found[point]) for point in (0, 9, 9 * 19 + 9, 18, 360, 18 * 19 + 9)] == [3, 5, 8, 3, 3, 5]


@together("size", range(3, 26, 2))
def test_distances_to_the_centre(size):
    here, table = board(size, 3), table_for("lines", size=size)
    for distance in range(size):
        within = {
            point for point in range(size**2) if table.distance_from_centre(*divmod(point, size)[::-1]) <= distance
        }
        assert set(points_of(here.within(distance))) == within
    assert list(points_of(here.within(0))) == [here.centre]


@pytest.mark.parametrize("size", range(4, 25, 2))
def test_distances_in_half_steps_on_even_boards(size):
    here = board(size, 3)
    nearest = [point for point in range(size**2) if here.distance_to_centre(point) == 1]
    assert [divmod(point, size) for point in nearest] == [
        (row, column) for row in (size // 2 - 1, size // 2) for column in (size // 2 - 1, size // 2)
    ]
    assert here.distance_to_centre(0) == size - 1


@pytest.mark.parametrize(("size", "names"), [(19, "K13 K14 K7 K6 N10 O10 G10 F10"), (7, "D1 D7 A4 G4")])
def test_the_arms_of_the_centre(size, names):
    here = board(size, 5)
    assert {str(here.stones[point]) for point in points_of(here.arms)} == {*names.split()}


@pytest.mark.parametrize(("points", "numbers"), [(0, []), (1, [0]), (0b1011, [0, 1, 3]), (1 << 624, [624])])
def test_the_points_of_a_set(points, numbers):
    assert list(points_of(points)) == numbers


@pytest.mark.parametrize("size", [3, 9, 19, 25])
def test_the_nth_point_of_a_set(size):
    for points in random_sets(size, 20):
        numbers = list(points_of(points))
        assert [nth_point(points, n) for n in range(len(numbers))] == numbers
    assert nth_point(1 << 624, 0) == 624


def test_steps_are_written_as_on_the_board():
    assert [str(Stone(*at)) for at in ((0, 0), (7, 7), (8, 8), (24, 24), (9, 9))] == ["A1", "H8", "J9", "Z25", "K10"]
    assert str(Side("more")) == "more"


def test_boards_are_equal_by_value():
    assert Board(19, 5) == board(19, 5)
    assert hash(Board(19, 5)) == hash(board(19, 5))
    assert Board(19, 5) != board(19, 4)
    assert board(19, 5) is board(19, 5)


def test_every_rule_set_is_known_to_the_referee():
    from pentad.games.pente.rulesets import RULE_SETS

    assert {*RULE_SETS} == {*RULES}
