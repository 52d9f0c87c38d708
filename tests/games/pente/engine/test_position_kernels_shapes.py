"""The meanings of codes, against a classification that tries every continuation, and against the rules."""

from functools import cache, lru_cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.games.pente import rules
from pentad.games.pente.board import board
from pentad.games.pente.engine import constants as s
from pentad.games.pente.engine.position_kernels import entry_of, made, shape_of, sum_fields
from pentad.games.pente.rules import PentePosition
from pentad.games.pente.rulesets import Setup
from tests.properties import properties

OWN, FREE, SHUT = "#", ".", "x"  # along an axis, as the stone in the middle sees it
EMPTY, WHITE, BLACK, OUTSIDE = range(4)
LINES = [(line, exact) for line in range(2, 7) for exact in (False, True)]


@cache
def room_for_shapes(reach):
    return np.zeros(1 << 4 * reach, np.int32)


def entry_at(code, reach, line, overline, captures):
    """The entry of a code, with the shapes of its stones."""
    shapes, white, black = room_for_shapes(reach), code & ((1 << 2 * reach) - 1), code >> 2 * reach
    for mine, closed in ((white, black), (black, white)):
        own = mine & ~closed
        shapes[own | closed << 2 * reach] = shape_of(own, closed, reach, line, overline)
    return entry_of(code, shapes, reach, captures)


@cache
def starts(length, line):
    """The starts of the lines through the middle of a number of cells."""
    middle = length // 2
    return [first for first in range(length - line + 1) if first <= middle < first + line]


def holds_line(cells, line, exact):
    """Whether there is a line through the cell in the middle."""
    for first in starts(len(cells), line):
        if set(cells[first : first + line]) == {OWN}:
            beyond = cells[max(0, first - 1) : first] + cells[first + line : first + line + 1]
            if not exact or OWN not in beyond:
                return True
    return False


def with_one_more(cells):
    """The cells after each possible stone."""
    return [cells[:i] + OWN + cells[i + 1 :] for i, cell in enumerate(cells) if cell == FREE]


@lru_cache(maxsize=1 << 18)
def naive(cells, line, exact, ahead=3):
    """The shape of the stone in the middle, by trying a number of further stones."""
    if holds_line(cells, line, exact):
        return s.FIVE
    room = any(SHUT not in cells[first : first + line] for first in starts(len(cells), line))
    if not room:
        return s.NOTHING
    if ahead == 0:
        return s.ONE
    after = with_one_more(cells)
    ways = sum(holds_line(each, line, exact) for each in after)
    if ways:
        return s.OPEN_FOUR if ways > 1 else s.FOUR
    found = {naive(each, line, exact, ahead - 1) for each in after}
    for reached, this in (
        (s.OPEN_FOUR, s.OPEN_THREE),
        (s.FOUR, s.THREE),
        (s.OPEN_THREE, s.OPEN_TWO),
        (s.THREE, s.TWO),
    ):
        if reached in found:
            return this
    return s.ONE


def code_of(left, right):
    """The code of the cells on both sides of a point, nearest first."""
    code, reach = 0, len(left)
    for k, (a, b) in enumerate(zip(right, left, strict=True)):
        for colour in range(2):
            code |= (a >> colour & 1) << (2 * colour * reach + k)
            code |= (b >> colour & 1) << (2 * colour * reach + reach + k)
    return code


def cells_of(left, right, own):
    """The cells around a stone of one colour."""
    seen = {EMPTY: FREE, own: OWN}
    return "".join(seen.get(each, SHUT) for each in reversed(left)) + OWN + "".join(seen.get(x, SHUT) for x in right)


def taken_one_way(side, own, longest):
    """The number of captured stones on a side: two or more of the opponent's, then an own one."""
    other = 3 - own
    for length in range(2, longest + 1):
        if side[:length] == (other,) * length and side[length : length + 1] == (own,):
            return length
    return 0


def reach_for(line, exact):
    return 5 if (line, exact) == (5, True) else 4


def check_code(left, right, line, exact, captures):
    entry = entry_at(code_of(left, right), len(left), line, int(not exact), captures)
    for colour in range(2):
        own = WHITE + colour
        found = (
            entry >> 4 * colour & s.MAKES,
            entry >> (s.TAKES + 4 * colour) & 3,
            entry >> (s.TAKES + 4 * colour + 2) & 3,
        )
        expected = (
            naive(cells_of(left, right, own), line, exact),
            taken_one_way(right, own, captures),
            taken_one_way(left, own, captures),
        )
        assert found == expected, (left, right, own)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("line", "exact"), [each for each in LINES if each[0] < 6 and reach_for(*each) == 4])
@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_codes_of_four_points_each_way(line, exact, step):
    sides = tuple(product(range(4), repeat=4))
    for number, left in enumerate(sides):
        for right in sides[number % step :: step]:
            check_code(left, right, line, exact, 2 + number % 2)


@properties(40)
@given(st.data())
def test_codes_of_five_points_each_way(data):
    side = st.tuples(*[st.sampled_from((EMPTY, EMPTY, WHITE, WHITE, BLACK, OUTSIDE))] * 5)
    for _ in range(50):
        check_code(data.draw(side), data.draw(side), 5, True, data.draw(st.sampled_from((0, 2, 3))))


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(("line", "exact"), LINES)
@properties(40)
@given(st.data())
def test_shapes_in_longer_neighbourhoods(line, exact, data):
    reach = data.draw(st.integers(line if exact else line - 1, 8))
    side = st.text(alphabet=OWN * 3 + FREE * 3 + SHUT, min_size=reach, max_size=reach)
    for _ in range(20):
        cells = data.draw(side) + OWN + data.draw(side)
        own = sum(1 << i for i, cell in enumerate(cells) if cell == OWN)
        free = sum(1 << i for i, cell in enumerate(cells) if cell != SHUT)
        assert made(own, free, reach, line, int(not exact)) == naive(cells, line, exact), cells


@given(st.integers(0, 15), st.integers(0, 15), st.integers(0, 15), st.booleans(), st.integers(0, 15), st.booleans())
@properties(40)
def test_sums_have_a_field_for_each_thing(makes, others, takes, free, taken, others_free):
    makes, others = min(makes, s.FIVE), min(others, s.FIVE)
    entry = makes | others << 4 | takes << s.TAKES | taken << (s.TAKES + 4)
    entry |= int(free) << s.FREE_THREE | int(others_free) << (s.FREE_THREE + 1)
    total = sum_fields(entry)
    for colour, (each, took, three) in enumerate(((makes, takes, free), (others, taken, others_free))):
        side = total >> s.SIDE * colour
        for what, where in s.FIELD.items():
            assert side >> where & 7 == (each == what)
        assert side >> s.TAKEN & s.TAKEN_BITS == (took & 3) + (took >> 2)
        assert side >> s.FREE_THREES & 7 == three
    assert total >> s.POSSIBLE_LINES == (makes + others > 0)


# ── against the rules ────────────────────────────────────────────────────────────────────────────


def on_a_row(left, right, captures):
    """A board with these cells on both sides of a point in its middle row; the point, and both colours."""
    size = len(left) + 1 + len(right)
    here = board(size, 5)
    stones, point = [0, 0, 0], here.point(len(left), size // 2)
    for way, side in ((1, right), (-1, left)):
        for k, held in enumerate(side, 1):
            stones[held] |= 1 << point + way * k
    setup = Setup.of({"rules": "keryo" if captures == 3 else "pente", "size": 19})
    return PentePosition(Setup(setup.name, setup.rules, here)), point, stones[WHITE], stones[BLACK]


@properties(40)
@given(st.data())
def test_captures_and_free_threes_agree_with_the_rules(data):
    captures = data.draw(st.sampled_from((2, 3)))
    for _ in range(20):
        side = st.lists(st.sampled_from((EMPTY, EMPTY, WHITE, WHITE, BLACK, BLACK)), min_size=1, max_size=4)
        left, right = data.draw(side), data.draw(side)
        padded = [tuple(each + [OUTSIDE] * (4 - len(each))) for each in (left, right)]
        position, point, white, black = on_a_row(left, right, captures)
        entry = entry_at(code_of(*padded), 4, 5, 1, captures)
        for colour, (mine, theirs) in enumerate(((white, black), (black, white))):
            takes = entry >> (s.TAKES + 4 * colour) & 15
            assert (takes & 3) + (takes >> 2) == position.takes(point, mine, theirs).bit_count()
            empty = position.board.all_points & ~(mine | theirs | 1 << point)
            free = rules.free_threes(position.board, mine | 1 << point, empty, point)
            assert entry >> (s.FREE_THREE + colour) & 1 == free
