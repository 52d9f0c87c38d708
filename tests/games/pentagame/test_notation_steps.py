"""The steps of a turn, and a whole turn as one integer."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import InvalidMove, Move, shown
from pentad.games.pentagame.board import FIELDS, OFF, Field, goal
from pentad.games.pentagame.denomination import BLACKS, GRAYS, PIECES
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep, is_step, turn_number, turn_of_number
from tests.cases import together
from tests.games.pentagame.random_play import random_turn
from tests.line_limit import at_most
from tests.properties import properties

CORNERS, JUNCTIONS = FIELDS[:5], FIELDS[5:10]
seats, pieces = st.integers(0, 4), st.sampled_from(PIECES)
fields = st.sampled_from(FIELDS)
blacks = st.lists(st.tuples(st.sampled_from(BLACKS), fields), max_size=1)
grays = st.lists(st.tuples(st.sampled_from(GRAYS), fields), max_size=2)


@st.composite
def turns(draw):
    """Any turn that can be written, legal or not."""
    seat, piece = draw(seats), draw(pieces)
    start, to = draw(st.lists(fields, min_size=2, max_size=2, unique=True))
    step = draw(st.sampled_from((PieceStep(seat, piece, start, to), LeaveStep(seat, piece), None)))
    head = step or PieceStep(seat, piece, start, to, (draw(seats), draw(pieces)))
    return Move((head, *(BlockStep(seat, *block) for block in draw(blacks) + draw(grays))))


# ── the steps ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (PieceStep(0, 3, FIELDS[3], Field(7, 0, 0)), "[0,3,7,0,0]"),
        (PieceStep(0, 3, FIELDS[3], Field(1, 0, 0), (1, 2)), "[0,3,1,0,0] [1,2,3,0,0]"),
        (BlockStep(0, 12, Field(4, 1, 0)), "[0,12,4,1,0]"),
        (LeaveStep(0, 3), "[0,3,-1,-1,-1]"),
    ],
    ids=str,
)
def test_steps_are_written_in_the_denomination(step, text):
    assert str(step) == text
    assert is_step(step, 2)


def test_pieces_that_leave_after_a_step():
    red = JUNCTIONS[3]
    assert PieceStep(0, 3, FIELDS[50], red).leaving == ((0, 3),)
    assert PieceStep(0, 2, FIELDS[50], red).leaving == ()
    # swapped with a piece that stood on the mover's goal
    assert PieceStep(0, 3, FIELDS[50], red, (1, 2)).leaving == ((0, 3),)
    # the other comes to its own goal: it leaves if the mover's piece does too, or if it is the mover's
    assert PieceStep(0, 3, JUNCTIONS[2], red, (1, 2)).leaving == ((0, 3), (1, 2))
    assert PieceStep(0, 3, JUNCTIONS[2], FIELDS[50], (1, 2)).leaving == ()
    assert PieceStep(0, 3, JUNCTIONS[4], FIELDS[50], (0, 4)).leaving == ((0, 4),)
    assert PieceStep(0, 3, JUNCTIONS[4], red, (0, 4)).leaving == ((0, 3), (0, 4))
    assert [goal(piece) for piece in PIECES] == [5, 6, 7, 8, 9]


def test_black_and_gray():
    assert all(BlockStep(0, figure, FIELDS[0]).is_black for figure in BLACKS)
    assert not any(BlockStep(0, figure, FIELDS[0]).is_black for figure in GRAYS)


@together(
    "thing",
    [
        None,
        "[0,3,7,0,0]",
        (0, 3, FIELDS[3], FIELDS[7], None),
        (0, 3),
        PieceStep(2, 3, FIELDS[3], FIELDS[7]),
        PieceStep(-1, 3, FIELDS[3], FIELDS[7]),
        PieceStep(0, 5, FIELDS[3], FIELDS[7]),
        PieceStep(0, -1, FIELDS[3], FIELDS[7]),
        PieceStep(True, 3, FIELDS[3], FIELDS[7]),
        PieceStep(0, 3.0, FIELDS[3], FIELDS[7]),
        PieceStep(0, 3, (3, 0, 0), FIELDS[7]),
        PieceStep(0, 3, FIELDS[3], (7, 0, 0)),
        PieceStep(0, 3, FIELDS[3], Field(7.0, 0, 0)),
        PieceStep(0, 3, FIELDS[3], Field(7, 0, False)),
        PieceStep(0, 3, FIELDS[3], OFF),
        PieceStep(0, 3, OFF, FIELDS[7]),
        PieceStep(0, 3, 3, 7),
        PieceStep(0, 3, FIELDS[3], Field(2, 5, 5)),
        PieceStep(0, 3, FIELDS[3], Field([], 0, 0)),
        PieceStep(0, 3, FIELDS[3], FIELDS[7], (1,)),
        PieceStep(0, 3, FIELDS[3], FIELDS[7], (1, 5)),
        PieceStep(0, 3, FIELDS[3], FIELDS[7], (2, 0)),
        PieceStep(0, 3, FIELDS[3], FIELDS[7], (1, True)),
        PieceStep(0, 3, FIELDS[3], FIELDS[7], [1, 2]),
        PieceStep(0, 3, FIELDS[3], FIELDS[7], 1),
        PieceStep(0, 3, FIELDS[3], FIELDS[7], False),
        BlockStep(2, 11, FIELDS[7]),
        BlockStep(0, 5, FIELDS[7]),
        BlockStep(0, 0, FIELDS[7]),
        BlockStep(0, 16, FIELDS[7]),
        BlockStep(0, 11.0, FIELDS[7]),
        BlockStep(0, 11, OFF),
        BlockStep(0, 11, None),
        LeaveStep(2, 0),
        LeaveStep(0, 5),
        LeaveStep(0, "0"),
    ],
)
def test_invalid_steps_are_refused(thing):
    """Also what equals a step but would be written otherwise."""
    assert not is_step(thing, 2)
    start = pentad.new("pentagame")
    for call in (start.play, start.partial, start.choices):
        with pytest.raises(pentad.InvalidMove, match="Expected a step of a turn"):
            call((thing,))
    assert (thing,) not in start.legal_moves


# ── a turn as one integer ────────────────────────────────────────────────────────────────────────


@given(turns())
@properties(1000)
def test_a_turn_is_one_integer_and_back(move):
    number = turn_number(move)
    assert 0 <= number < 10**17 < 2**63
    again = turn_of_number(number)
    assert again == move
    assert isinstance(again, Move)
    assert [type(step) for step in again] == [type(step) for step in move]


def test_legal_turns_have_different_numbers():
    chance = random.Random(1)
    here = pentad.new("pentagame", players=5)
    seen = {}
    for _ in range(60):
        for move in itertools.islice(here.legal_moves, 0, None, 7):
            assert seen.setdefault(turn_number(move), move) == move
            assert turn_of_number(turn_number(move)) == move
        here = here.play(random_turn(here, chance))
    assert len(seen) > 1000


@given(st.integers(0, 10**17 - 1) | st.builds(lambda n, shift: n * 10**shift, st.integers(0, 10**8), st.integers(0, 9)))
@properties(1000)
def test_an_integer_is_the_number_of_one_turn_or_of_none(number):
    try:
        move = turn_of_number(number)
    except InvalidMove as error:
        message = str(error)
    else:
        message = str(move)
        assert turn_number(move) == number
    assert message.isprintable()


@pytest.mark.parametrize(
    ("number", "part"),
    [
        (0, "Expected a turn's number"),  # a piece that stays where it is
        (-1, "Expected a turn's number of at most 17 digits, got"),
        (10**17, "Expected a turn's number of at most 17 digits, got"),
        (10**5000, "Expected a turn's number of at most 17 digits"),
        (True, "Expected a turn's number of at most 17 digits, got"),
        (1.0, "Expected a turn's number of at most 17 digits, got"),
        ("1", "Expected a turn's number of at most 17 digits, got"),
        (None, "Expected a turn's number of at most 17 digits, got"),
    ],
    ids=lambda value: shown(value, 20),
)
def test_invalid_turn_numbers_are_refused(number, part):
    with at_most(lines=10_000):
        with pytest.raises(InvalidMove) as caught:
            turn_of_number(number)
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("digits", "why"),
    [
        ("5_0_01_0_0_02_000_000_000", "seat 5"),
        ("0_5_01_0_0_02_000_000_000", "piece 5"),
        ("0_0_01_6_0_02_000_000_000", "partner of seat 5"),
        ("0_0_01_1_5_02_000_000_000", "partner's piece 5"),
        ("0_0_01_0_1_02_000_000_000", "a partner's piece without its seat"),
        ("0_0_01_9_0_00_000_000_000", "a piece that leaves and goes"),
        ("0_0_01_0_0_02_601_000_000", "black block 16"),
        ("0_0_01_0_0_02_000_601_000", "gray block 11"),
        ("0_0_01_0_0_02_001_000_000", "no block, but its field"),
        ("0_0_01_0_0_02_000_000_101", "the second gray block alone"),
    ],
)
def test_invalid_digits_of_turn_numbers_are_refused(digits, why):
    with pytest.raises(InvalidMove, match="Expected a turn's number"):
        turn_of_number(int(digits))


STEP = PieceStep(0, 3, FIELDS[3], FIELDS[7])
BLACK, GRAY = BlockStep(0, 11, FIELDS[20]), BlockStep(0, 6, FIELDS[21])


NO_TURNS = [
    (),
    (BLACK,),
    (GRAY, STEP),
    (STEP, STEP),
    (STEP, GRAY, BLACK),
    (STEP, BLACK, BLACK),
    (STEP, GRAY, GRAY, GRAY),
    (7,),
]


@pytest.mark.parametrize("move", NO_TURNS, ids=str)
def test_a_partial_turn_has_no_number(move):
    with pytest.raises(InvalidMove, match=r"Expected a turn that|Expected a black block"):
        turn_number(Move(move))


def test_the_longest_turns():
    blocks = (BlockStep(4, 15, FIELDS[99]), BlockStep(4, 10, FIELDS[98]), BlockStep(4, 10, FIELDS[97]))
    longest = Move((PieceStep(4, 4, FIELDS[99], FIELDS[98], (4, 3)), *blocks))
    assert turn_number(longest) == 44_98_53_99_599_598_597
    assert turn_of_number(turn_number(longest)) == longest
    leave = Move((LeaveStep(4, 4), BlockStep(4, 6, FIELDS[0])))
    assert turn_number(leave) == 44_00_90_00_000_100_000
    assert turn_of_number(turn_number(leave)) == leave
