"""Free threes and the double free three, against the referee and by hand."""

import random

import pytest

import pentad
from pentad.games.pente import rules
from pentad.games.pente.board import board, groups_along, points_of
from tests.cases import together
from tests.games.pente.random_games import every_way, new, played, seen
from tests.games.pente.referee import table_for

SIZES = (4, 5, 6, 7, 9, 13)


def random_boards(size, how_many):
    """Stones of both colours as masks, from sparse to dense, denser in one corner."""
    chance = random.Random(size)
    for k in range(how_many):
        density = 0.1 + 0.5 * k / how_many
        white = black = 0
        for point in range(size**2):
            near = (point % size < 7) + (point // size < 7)
            dice = chance.random()
            if dice < density * near / 2:
                white |= 1 << point
            elif dice < density * near * 0.65:
                black |= 1 << point
        yield white, black


def table_of(size, white, black):
    table = table_for("ninuki42", size=size, line=3)
    for point in range(size**2):
        if (white | black) >> point & 1:
            table.grid[point // size][point % size] = int(black >> point & 1)
    return table


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("size", SIZES)
def test_free_threes_are_what_the_referee_counts(size):
    here, most = board(size, 3), 0
    for white, black in random_boards(size, 120):
        table, empty = table_of(size, white, black), here.all_points & ~(white | black)
        for point in points_of(empty):
            x, y = point % size, point // size
            for colour, mine in enumerate((white, black)):
                count = table.free_threes_at(x, y, colour)
                bit = 1 << point
                assert rules.free_threes(here, mine | bit, empty ^ bit, point) == count
                assert rules.makes_double_three(here, mine, empty, point) == (count >= 2)
                most = max(most, count)
    assert most >= min(3, size - 5)


@pytest.mark.parametrize("size", SIZES)
def test_the_filter_of_points(size):
    """No point of a double three is left out."""
    here = board(size, 3)
    for white, black in random_boards(size, 200):
        empty = here.all_points & ~(white | black)
        for mine in (white, black):
            near = rules.near(here, mine, empty)
            assert not near & ~empty
            for point in points_of(empty & ~near):
                assert not rules.makes_double_three(here, mine, empty, point)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_no_window_fits_on_a_board_below_six(size):
    assert not any(any(along) for along in groups_along(board(size, 3), rules.WINDOW) for along in along)
    assert rules.near(board(size, 3), 0b111, board(size, 3).all_points & ~0b111) == 0


def test_windows_have_four_points_and_both_ends():
    here = board(9, 5)
    assert [len(along) for along in rules.windows_by_axis(here)] == [36, 36, 16, 16]
    for along in rules.windows_by_axis(here):
        for inner, ends in along:
            assert (inner.bit_count(), ends.bit_count(), inner & ends) == (4, 2, 0)
    for point, axes in enumerate(groups_along(here, rules.WINDOW)):
        for along, all_along in zip(axes, rules.windows_by_axis(here), strict=True):
            assert {*along} == {window for window in all_along if window.points >> point & 1}


# ── cases: a row of points after the move, and whether the x are a free three ────────────────────


@together(
    ("row", "free"),
    [
        ("..xxx..", True),
        (".xxx..", True),
        ("..xxx.", True),
        (".xxx.", False),  # no room for four with both ends empty
        ("o.xxx..", True),
        ("o.xxx.o", False),
        ("oxxx...", False),
        (".x.xx.", True),
        (".xx.x.", True),
        ("ox.xx.", False),
        (".x.xxo", False),
        ("x.xx.", False),  # the three is at the edge
        ("xxx..", False),
        (".xx..x.", False),
        (".x.x.x.", False),
        (".xxxx.", False),  # that is a four
        (".x.xxx.", False),  # this makes a four, too
        ("..xx...", False),
        (".xxo.x.", False),
        (".xoxx.", False),
    ],
)
def test_a_row(row, free):
    here = board(9, 5)
    table = table_for("ninuki42", size=9)
    points = {"x": 0, "o": 0}
    empty = here.all_points
    row = row if row[0] == "x" else "o" + row  # without the stone, the edge would be the bound
    row = row.ljust(9, "o")
    for column, cell in enumerate(row):
        if cell in points:
            points[cell] |= 1 << column
            empty &= ~(1 << column)
            table.grid[0][column] = int(cell == "o")
    for point in points_of(points["x"]):
        counted = rules.free_threes(here, points["x"], empty, point)
        assert counted == (free and row[0] != "x"), row
        table.grid[0][point] = None
        assert table.free_threes_at(point, 0, 0) == counted
        table.grid[0][point] = 0


DOUBLES = [
    ("E7 F8 H11 H12", "H10", True),  # the rules' page shows this one
    ("H8 H9 J10 K10", "H10", True),
    ("H8 H9 K10 L10", "H10", True),  # one of them is split and closed
    ("H8 H9 L10 M10", "H10", False),  # the stones are too far apart
    ("H8 H9 J11 K12", "H10", True),
    ("H8 H9 J10", "H10", False),
    ("J9 K8 J10 K10", "H10", True),
    ("J9 K8 J10 K10 H11 H12", "H10", True),
]


@every_way
@together(("stones", "point", "double"), DOUBLES)
def test_double_threes_by_hand(stones, point, double, way):
    white, others = seen(way, stones, 19).split(), "A1 A3 A5 A7 A9 A11".split()  # noqa: SIM905
    image = seen(way, point, 19)
    moves = " ".join(f"{mine} {other}" for mine, other in zip(white, edge(others, way), strict=False))
    for name in ("ninuki42", "freestyle", "lines"):
        here = played({"rules": name, "size": 19, "double_three": name == "lines"}, moves)
        forbidden = double and name != "lines"
        assert (here.parse(image) in here.legal_moves) != forbidden
        assert (image in {str(choice) for choice in here.choices()}) != forbidden
        assert len(here.legal_moves) == len(list(here.legal_moves))
        if forbidden:
            with pytest.raises(pentad.IllegalMove, match=f"{image} is not legal.* two free threes"):
                here.play(image)
        else:
            assert here.play(image).ply == here.ply + 1


def edge(points, way):
    return seen(way, " ".join(points), 19).split()


def test_a_double_three_that_captures_is_allowed():
    """The page's double three, with two black stones beside the point that can or cannot be captured."""
    here = played({"rules": "ninuki42"}, "E7 J10 F8 K10 H11 A1 H12 A3 L10 A5")
    assert here.play("H10").captures == (2, 0)
    here = played({"rules": "ninuki42"}, "E7 J10 F8 K10 H11 A1 H12 A3 M10 A5")
    with pytest.raises(pentad.IllegalMove, match="two free threes"):
        here.play("H10")


def test_a_point_forbidden_to_one_colour_is_legal_for_the_other():
    here = played({"rules": "ninuki42"}, "H8 A1 H9 A3 J10 A5 K10")
    assert here.colour_of(here.turn) == "black"
    assert here.play("H10").ply == 8
    with pytest.raises(pentad.IllegalMove):
        here.play("A7").play("H10")


def test_a_three_that_was_there_before_does_not_count():
    """The stone must be one of the three itself."""
    here = played({"rules": "ninuki42"}, "H8 A1 H9 A3 H10 A5 M4 A7 N4 A9")
    assert here.play("L4").ply == 11  # one new three beside the old one


def test_two_threes_on_one_line_are_not_forbidden():
    """One line counts once, as in the referee: E5 is in B5 C5 E5 and in E5 G5 H5."""
    here = played({"rules": "ninuki42", "size": 13}, "B5 A1 C5 A3 G5 A8 H5 A10")
    table = table_for("ninuki42", size=13)
    for name in "B5 A1 C5 A3 G5 A8 H5 A10".split():  # noqa: SIM905
        table.put(name)
    assert ("E5" in table.moves()) == (here.parse("E5") in here.legal_moves) is True


def test_forbidden_points_are_no_moves_in_any_form():
    here = played({"rules": "ninuki42"}, "E7 A1 F8 A5 H11 T3 H12 T9")
    move = here.parse("H10")
    assert move not in here.legal_moves
    assert move not in list(here.legal_moves)
    assert len(here.legal_moves) == 361 - 9
    for index in range(-352, 352):
        assert here.legal_moves[index] != move
    assert here.legal_moves[340:] == list(here.legal_moves)[340:]


def test_sizes_where_no_double_three_fits():
    """Below 6 × 6 every point is legal for both colours."""
    chance = random.Random(5)
    for size in (3, 4, 5):
        here = new(rules="ninuki42", size=size, line=3)
        while not here.outcome:
            assert len(here.legal_moves) == here.empty.bit_count()
            here = here.play(chance.choice(here.legal_moves))
