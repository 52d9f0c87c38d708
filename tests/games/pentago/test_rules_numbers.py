"""Board numbers, as the published solution counts them."""

import pytest
from hypothesis import given

import pentad
from pentad.games.pentago import from_number, to_number
from tests.cases import together
from tests.games.pentago import slice_files
from tests.games.pentago.random_games import data, positions
from tests.properties import properties


@pytest.mark.parametrize(
    ("space", "number"),
    [
        ("f0", 1),  # quadrant 0 is bottom left, and its first cell the bottom left one
        ("e0", 3),
        ("d0", 9),
        ("f1", 27),
        ("d2", 3**8),
        ("c0", 1 << 16),  # quadrant 1 is top left
        ("a0", 9 << 16),
        ("f3", 1 << 32),  # quadrant 2 is bottom right
        ("c3", 1 << 48),  # quadrant 3 is top right
        ("a5", 3**8 << 48),
    ],
)
def test_where_the_cells_are(space, number):
    half = pentad.new("pentago").partial(space)
    assert to_number(half) == number
    assert from_number(number, placed=True) == half


def test_which_digit_is_which_colour():
    position = pentad.new("pentago").play("f0 4C").play("e0 4C")
    assert to_number(position) == 1 + 2 * 3
    assert from_number(7) == position


def test_the_empty_board_is_zero():
    assert from_number(0) == pentad.new("pentago")
    assert to_number(pentad.new("pentago")) == 0


@properties(60)
@given(positions(["classic"]))
def test_positions_of_play_round_trip(position):
    number = to_number(position)
    assert from_number(number, placed=position.placed) == position
    assert to_number(from_number(number, placed=position.placed)) == number


@pytest.mark.parametrize("name", ["games.json", "rotations.json", "below_18.json"])
def test_numbers_round_trip(name):
    numbers = numbers_in(data(name))
    assert len(numbers) > 30
    for text in numbers:
        position = from_number(int(text.rstrip("m")), placed=text.endswith("m"))
        assert str(to_number(position)) == text.rstrip("m")
        assert position.turn == position.ply % 2
        assert pentad.load(position.text) == position


def numbers_in(found):
    """The keys of a file, or of its parts, which are board numbers."""
    return [key for name, value in found.items() for key in (value if isinstance(value, dict) else [name])]


def test_the_boards_of_a_slice_round_trip():
    numbers = [number for number, _, _ in slice_files.decoded(4)]
    assert len(numbers) > 1000
    for number in numbers:
        position = from_number(number)
        assert position.ply == 4
        assert to_number(position) == number


@properties(60)
@given(positions(["classic"]))
def test_children_by_the_digits_of_quadrants(position):
    if position.outcome:
        return
    parts = slice_files.quadrants(to_number(position))
    if position.placed:
        got = {to_number(position.play(move)) for move in position.legal_moves}
        changed = [(k, slice_files.turned(part, times)) for k, part in enumerate(parts) for times in (1, 3)]
    else:
        got = {to_number(position.partial(choice)) for choice in position.choices()}
        digit = position.turn + 1
        changed = [(k, part + digit * 3**cell) for k, part in enumerate(parts) for cell in range(9)
                   if part // 3**cell % 3 == 0]  # fmt: skip
    assert got == {to_number(position) + (after - parts[k] << 16 * k) for k, after in changed}


def test_the_option_of_another_package():
    position = from_number(0, win_on_placement=False)
    assert position == pentad.new("pentago", win_on_placement=False)
    assert to_number(position) == 0


@together(
    ("number", "expected"),
    [
        (-1, "whole number of 64 bits, not -1"),
        (1 << 64, "whole number of 64 bits"),
        (10**100, "whole number of 64 bits"),
        (True, "not True"),
        (None, "not None"),
        (1.0, "not 1.0"),
        (float("nan"), "not nan"),
        ("0", "not '0'"),
        ("589824m", "not '589824m'"),
        (b"0", "whole number"),
        ([0], "whole number"),
        (3**9, "Quadrant 0 holds 19683"),
        (3**9 << 16, "Quadrant 1 holds 19683"),
        (0xFFFF << 48, "Quadrant 3 holds 65535"),
        (2, "1 black, 0 white, not 0 black, 1 white"),
        (1 + 3, "1 black, 1 white, not 2 black, 0 white"),
        ((3**9 - 1) << 16, "0 black, 9 white"),
    ],
)
def test_invalid_numbers(number, expected):
    with pytest.raises(pentad.GameError) as caught:
        from_number(number)
    assert expected in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 160


def test_a_number_too_long_to_print_is_refused():
    with pytest.raises(pentad.GameError):
        from_number(10**5000)


def test_an_empty_board_is_not_in_the_middle_of_a_turn():
    with pytest.raises(pentad.GameError, match="none has just been placed"):
        from_number(0, placed=True)


def test_the_seat_of_a_position_in_the_middle_of_a_turn():
    assert from_number(1).turn == 1
    assert from_number(1, placed=True).turn == 0
    assert len(from_number(1, placed=True).legal_moves) == 8
    five = from_number(3**2 + 3**5 + 3**8 + (3**2 + 3**5 << 32) + 2 * (3**0 + 3**3 + 3**6 + (3**0 << 32)), placed=True)
    assert five.text.split()[1].split("/")[3] == "bbbbb."
    assert (five.turn, five.outcome.winners) == (0, (0,))


@pytest.mark.parametrize(
    "options",
    [
        {"players": 3},
        {"rows": 3},
        {"rows": 3, "cols": 3},
        {"line": 4},
        {"block": 6, "rows": 1, "cols": 1},
        {"block": 2, "rows": 3, "cols": 3},
    ],
    ids=str,
)
def test_only_classic_boards_have_a_number(options):
    with pytest.raises(pentad.GameError, match="Only boards of classic Pentago"):
        to_number(pentad.new("pentago", **options))
