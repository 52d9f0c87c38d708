"""Names of fields, moves and turns: read, written, refused with the part that is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import InvalidMove
from pentad.games.pentagame.board import EDGE_BETWEEN, EDGES, FIELDS, OFF, Field
from pentad.games.pentagame.denomination import (
    FIGURES,
    MAX_LISTED_MOVES,
    MAX_TEXT_LENGTH,
    Shift,
    as_json,
    as_list,
    field,
    field_number,
    legacy,
    shift,
    shift_number,
    turn,
)
from tests.cases import together
from tests.line_limit import at_most
from tests.properties import properties

fields = st.sampled_from((*FIELDS, OFF))
shifts = st.builds(Shift, st.integers(0, 4), st.sampled_from(FIGURES), fields)
turns = st.lists(shifts, min_size=1, max_size=8).map(tuple)


# ── fields ───────────────────────────────────────────────────────────────────────────────────────


@together("name", [*FIELDS, OFF])
def test_every_field_in_every_form(name):
    number = field_number(name)
    for given_as in (name, tuple(name), list(name), str(name), as_json(name), number, f" {number} ", f" {[*name]} "):
        assert field(given_as) == name
        assert type(field(given_as)) is Field
    assert as_list(name) == list(name)
    assert as_json(name) == str(name) == json.dumps([*name], separators=(",", ":"))


def test_stops_are_read_from_either_end():
    """`[lo, c, hi]` is read as `[hi, n+1−c, lo]`, n being 3 or 6."""
    for edge in EDGES:
        stops = len(edge.stops)
        for counter in range(1, stops + 1):
            name = Field(edge.high, counter, edge.low)
            assert field([edge.low, stops + 1 - counter, edge.high]) == name
            assert field(f"[{edge.low},{stops + 1 - counter},{edge.high}]") == name
            assert field(edge.low * 100 + (stops + 1 - counter) * 10 + edge.high) == name


@pytest.mark.parametrize("text", ["[-1,-1,-1]", "-[1, -1, -1]", "-[1,-1,-1]", " [ -1 , -1 , -1 ] "])
def test_the_place_off_the_board(text):
    assert field(text) == OFF
    assert legacy.field(text) == OFF


def test_the_place_off_the_board_has_a_number():
    assert field(999) == field([-1, -1, -1]) == OFF
    assert field_number(OFF) == 999


def test_field_numbers_are_unique():
    assert len({field_number(name) for name in (*FIELDS, OFF)}) == 101


@pytest.mark.parametrize(
    "text", ["[5,2,2]", "[ 5 , 2 , 2 ]", "\t[5,\n2,2]\n", "[05,02,002]", "[5,2\x1f,2]", "[\u2003 5,2,2]"]
)
def test_space_and_leading_zeros_are_ignored(text):
    assert field(text) == (5, 2, 2)


# what is wrong, and what the message says of it
WRONG_FIELDS = [
    ("[12,0,0]", "The start must be a corner"),
    ("[-2,0,0]", "The start must be a corner"),
    ("[5,2,12]", "The end must be a corner"),
    ("[5,2,-1]", "The end must be a corner"),
    ("[5,9,2]", "The counter of the leg between 5"),
    ("[2,7,5]", "The counter of the leg between 2"),
    ("[5,0,2]", "The counter of the leg between"),
    ("[6,-1,5]", "The counter of the arm between 6"),
    ("[1,4,0]", "The counter of the arc between 1"),
    ("[5,2,0]", "No edge between 5 and 0"),
    ("[6,1,2]", "No edge between 6 and 2"),
    ("[0,1,2]", "No edge between 0 and 2"),
    ("[5,1,5]", "No edge between 5 and 5"),
    ("[0,1,0]", "No edge between 0 and 0"),
    ("[1,-1,-1]", "The end must be a corner"),
    ("[-1,0,0]", "The start must be a corner"),
    ("[-1,-1,0]", "The start must be a corner"),
    ("[5,0,3,0]", "Expected a field of 3 numbers, [start,counter,end], got 4"),
    ("[5,2]", "Expected a field of 3 numbers, [start,counter,end], got 2"),
    ("[6,1,2]x", "Expected a field, [start,counter,end], got '[6,1,2]x'"),
    ("x[6,1,2]", "Expected a field, [start,counter,end], got"),
    ("[[5,2,2]]", "Expected a field, [start,counter,end], got"),
    ("-[5,2,2]", "Expected a field, [start,counter,end], got"),
    ("-[-1,-1,-1]", "Expected a field, [start,counter,end], got"),
    ("[5,2,2", "Expected a field, [start,counter,end], got"),
    ("5,2,2", "Expected a field, [start,counter,end], got"),
    ("5220", "a field's number has the three digits"),
    ("-522", "Expected a field, [start,counter,end], got"),
    ("5 2 2", "Expected a field, [start,counter,end], got"),
    ("\N{ARABIC-INDIC DIGIT FIVE}22", "Expected a field, [start,counter,end], got"),
    ("5" * 5000, "Expected a field, [start,counter,end], got"),
    ("970", "No edge between 9 and 0"),
    ("[5;2;2]", "Expected a field, [start,counter,end], got"),
    ("[5,2.0,2]", "Expected a field, [start,counter,end], got"),
    ("[5,+2,2]", "Expected a field, [start,counter,end], got"),
    ("[5,,2]", "Expected a field, [start,counter,end], got"),
    ("[]", "Expected a field, [start,counter,end], got"),
    ("", "Expected a field, [start,counter,end], got ''"),
    ("[\N{ARABIC-INDIC DIGIT FIVE},2,2]", "Expected a field, [start,counter,end], got"),
    ("[\N{SUPERSCRIPT TWO},2,2]", "Expected a field, [start,counter,end], got"),
    ("[5,2,2]\x00", "Expected a field, [start,counter,end], got"),
    ("[\x1b[31m5,2,2]", "Expected a field, [start,counter,end], got"),
    ("[5000,2,2]", "Expected a field, [start,counter,end], got"),
    ("[" + "9" * 5000 + ",0,0]", "Expected a field, [start,counter,end], got"),
    ([5, 2, 2, 2], "Expected a field of 3 numbers, [start,counter,end], got 4"),
    ([], "Expected a field of 3 numbers, [start,counter,end], got 0"),
    ([5, 2, "2"], "Expected a field of whole numbers, [start,counter,end], got '2'"),
    ([5, 2.0, 2], "Expected a field of whole numbers, [start,counter,end], got 2.0"),
    ([True, 0, 0], "Expected a field of whole numbers, [start,counter,end], got True"),
    ([None, 0, 0], "Expected a field of whole numbers, [start,counter,end], got None"),
    ([10**5000, 0, 0], "The start must be a corner"),
    ([0, 10**5000, 1], "The counter of the arc between 0"),
    (None, "Expected a field, [start,counter,end], as text or a list, got None"),
    (True, "Expected a field, [start,counter,end], as text or a list"),
    (5.0, "Expected a field, [start,counter,end], as text or a list"),
    (b"[5,2,2]", "Expected a field, [start,counter,end], as text or a list"),
    ({5: 2}, "Expected a field, [start,counter,end], as text or a list"),
    (range(3), "Expected a field, [start,counter,end], as text or a list"),
    (-1, "three digits of its name, from 0 to 999, not -1"),
    (1000, "three digits of its name"),
    (10**5000, "three digits of its name"),
    (970, "No edge between 9 and 0"),
]


@together(("wrong", "part"), WRONG_FIELDS)
def test_invalid_fields_are_refused(wrong, part):
    with pytest.raises(InvalidMove) as caught:
        field(wrong)
    message = str(caught.value)
    assert part in message
    assert message.isprintable()
    assert len(message) < 160


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


@given(shifts)
def test_every_move_in_every_form(move):
    given_as = (
        move,
        tuple(as_list(move)),
        as_list(move),
        str(move),
        as_json(move),
        shift_number(move),
        f"{shift_number(move)}",
    )
    assert {shift(form) for form in given_as} == {move}
    assert all(type(shift(form)) is Shift for form in given_as)
    assert as_list(move) == [move.player, move.figure, *move.to]


def test_move_numbers_are_unique():
    moves = [Shift(player, figure, to) for player in range(5) for figure in FIGURES for to in (*FIELDS, OFF)]
    numbers = {shift_number(move) for move in moves}
    assert len(numbers) == len(moves)
    assert all(0 <= number < 500_000 for number in numbers)
    assert [shift(shift_number(move)) for move in moves] == moves


def test_the_documents_own_examples():
    """They break the document's rule: figure 5 names nothing. The prose wins, and the error says why."""
    for example in ("[4, 5, 2, 0, 0]", "[3, 5, 1, 2, 2]"):
        for read in (shift, legacy.shift):
            with pytest.raises(InvalidMove, match=r"figure 5\. .* names none"):
                read(example)
    with pytest.raises(InvalidMove, match=r"Unknown figure 16\. .* 11 to 15 black blocks\.$"):
        shift("[3,16,1,2,2]")
    assert shift("[4, 3, 2, 0, 0]") == Shift(4, 3, Field(2, 0, 0))  # a corner, not the "junction 2" of the prose
    assert shift("[3, 1, 1, 2, 2]") == Shift(3, 1, Field(2, 2, 1))


@together(
    ("wrong", "part"),
    [
        ("[5,3,5,2,2]", "Unknown player 5"),
        ("[-1,3,5,2,2]", "Unknown player -1"),
        ("[0,5,5,2,2]", "Unknown figure 5"),
        ("[0,16,5,2,2]", "Unknown figure 16"),
        ("[0,-3,5,2,2]", "Unknown figure -3"),
        ("[0,3,5,9,2]", "The counter of the leg between 5"),
        ("[0,3,10,0,0]", "The start must be a corner"),
        ("[0,3,5,2]", "Expected a move of 5 numbers, [player,figure,start,counter,end], got 4"),
        ("[0,3,5,2,2,0]", "Expected a move of 5 numbers"),
        ("-[0,3,5,2,2]", "Expected a move, [player,figure,start,counter,end], got"),
        ("[0,3,5,2,2] [0,12,4,1,0]", "Expected a move, [player,figure,start,counter,end], got"),
        ([0, 3, [5, 2, 2]], "Expected a move of 5 numbers"),
        ([0, 3, 5, 2, [2]], "Expected a move of whole numbers, [player,figure,start,counter,end],"),
        (Shift(0, 3, None), "Expected a move of 5 numbers"),
        (Shift(0, 3, (5, 2)), "Expected a move of 5 numbers"),
        ([10**5000, 3, 5, 2, 2], "Unknown player this int"),
        ([0, 10**5000, 5, 2, 2], "Unknown figure this int"),
        (Shift(0, 5, Field(5, 2, 2)), "Unknown figure 5"),
        (Shift(0, 3, Field(5, 7, 2)), "The counter of the leg between 5"),
        (500_000, "(player, two digits of figure, field), got 500000"),
        (-1, "player, two digits of figure"),
        (5522, "Unknown figure 5"),
        (False, "Expected a move, [player,figure,start,counter,end], as text or a list"),
        (None, "Expected a move, [player,figure,start,counter,end], as text or a list"),
        (object, "Expected a move, [player,figure,start,counter,end], as text or a list"),
    ],
)
def test_invalid_moves_are_refused(wrong, part):
    with pytest.raises(InvalidMove) as caught:
        shift(wrong)
    assert part in str(caught.value)
    assert str(caught.value).isprintable()


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


@given(turns)
def test_every_turn_in_every_form(moves):
    words = [str(move) for move in moves]
    for form in (
        moves,
        list(moves),
        iter(moves),
        [as_list(move) for move in moves],
        [shift_number(move) for move in moves],
        words,
        " ".join(words),
        ", ".join(words),
        "".join(words),
        "\n".join(words),
        as_json(moves),
        json.dumps(as_list(moves)),
        json.dumps(as_list(moves), indent=1),
    ):
        assert turn(form) == moves
    assert json.loads(as_json(moves)) == as_list(moves)


@together(
    ("wrong", "part"),
    [
        ("", "Expected a turn, such as [0,3,5,2,2], got ''"),
        ("hello", "got 'hello'"),
        ("[0,3,5,2,2] and [0,12,4,1,0]", "got 'and'"),
        ("[0,3,5.5,2,2]", "got '[0,3,5.5,2,2]'"),
        ("[0,3,5,2,2] [0,12,4", "got '[0,12,4'"),
        ("[0,3,5,2,2]]", "got ']'"),
        ("[[0,3,5,2,2]", "such as [0,3,5,2,2]"),
        ("[[[0,3,5,2,2]]]", "such as [0,3,5,2,2]"),
        ("[]", "such as [0,3,5,2,2]"),
        ("[[]]", "such as [0,3,5,2,2]"),
        (",", "such as [0,3,5,2,2]"),
        ("[0,3,5,2,2] -[1,-1,-1]", "got '-'"),
        ("[0,3,5,2]", "Expected a move of 5 numbers"),
        ("[0,3,5,2,2] [0,5,4,1,0]", "Unknown figure 5"),
        ("[0,3,5,2,2]" * (MAX_LISTED_MOVES + 1), "Expected a turn of at most 20 moves, got 21"),
        ("[0,3,5,2,2]" * 10_000, "Expected a turn, got a text of 110,000 characters"),
        ([], "Expected a list of moves, got an empty one"),
        ([[0, 3, 5, 2, 2]] * 21, "A turn has at most 20 moves"),
        (range(10**15), "A turn has at most 20 moves"),
        (iter(int, 1), "A turn has at most 20 moves"),
        ([[0, 3, 5, 2]], "Expected a move of 5 numbers"),
        ([None], "Expected a move, [player,figure,start,counter,end], as text or a list"),
        (Shift(0, 3, Field(5, 2, 2)), "Expected a list of moves, got"),
        (Field(5, 2, 2), "Expected a list of moves, got"),
        (b"[0,3,5,2,2]", "Expected a list of moves, got"),
        (bytearray(3), "Expected a list of moves, got"),
        ({0: 1}, "Expected a list of moves, got"),
        (3522, "Expected a list of moves, got 3522"),
        (None, "Expected a list of moves, got None"),
    ],
)
def test_invalid_turns_are_refused(wrong, part):
    with pytest.raises(InvalidMove) as caught:
        turn(wrong)
    assert part in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


# ── rubbish ──────────────────────────────────────────────────────────────────────────────────────

READERS = (field, shift, turn, legacy.field, legacy.shift)
pieces_of_text = st.sampled_from(
    ["[", "]", ",", " ", "-", "0", "1", "5", "9", "15", "x", "\n", "[0,3,5,2,2]", "[5,2,2]"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | st.binary(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=6) | st.tuples(inner, inner, inner) | st.dictionaries(st.text(max_size=2), inner)
    ),
    max_leaves=8,
)
near = st.lists(st.integers(-2, 16) | st.booleans() | st.none(), min_size=2, max_size=6)


@pytest.mark.slow
@given(st.text() | st.lists(pieces_of_text, max_size=30).map("".join) | values | near | st.lists(near, max_size=3))
@properties(1500)
def test_any_text_is_parsed_or_raises_invalid_move(rubbish):
    for reader in READERS:
        try:
            found = reader(rubbish)
        except InvalidMove as error:
            message = str(error)
        else:
            message = "read"
            if reader in (field, shift, turn):
                assert reader(as_json(found)) == found
        assert message.isprintable()
        assert len(message) < 200


@together("letters", ["[", "[0,", "9", " ", ",", "[0,3,5,2,2] ", "-[", "[ ", "é", "\n"])
@together("reader", READERS)
def test_ten_megabytes_are_refused_quickly(reader, letters):
    rubbish = letters * (10_000_000 // len(letters))
    with at_most(lines=50_000):
        for form in (rubbish, rubbish[: MAX_TEXT_LENGTH - 1]):
            with pytest.raises(InvalidMove) as caught:
                reader(form)
            assert len(str(caught.value)) < 200


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__qualname__)
def test_large_lists_are_answered_fast(reader):
    large = [0] * 5_000_000
    with at_most(lines=50_000):
        for form in (large, [large] * 3, [0, large, 0], ["x" * 5_000_000] * 3, [0, 0, 0, 0, "x" * 5_000_000]):
            with pytest.raises(InvalidMove):
                reader(form)


# ── the other convention ─────────────────────────────────────────────────────────────────────────


@together("name", [*FIELDS, OFF])
def test_legacy_names_round_trip(name):
    old = legacy.name(name)
    assert type(old) is Field
    assert legacy.field(old) == legacy.field(list(old)) == legacy.field(str(old)) == name
    if old.counter > 0:
        assert old.start < old.end  # its counters run from the lower


def test_legacy_names_are_unique():
    assert len({legacy.name(name) for name in FIELDS}) == 100


def test_legacy_numbers_of_main_fields():
    """Its junction g is ours 5+(g+3)%5, its corner g is ours g−5."""
    assert [legacy.main(g) for g in range(10)] == [8, 9, 5, 6, 7, 0, 1, 2, 3, 4]
    assert [legacy.old_main(legacy.main(g)) for g in range(10)] == [*range(10)]


def test_legacy_edges_are_edges():
    """Two of its main fields are neighbours exactly if ours are; corner g then has legs to junctions g and g+1."""
    for one, other in EDGE_BETWEEN:
        assert legacy.field([legacy.old_main(one), 1, legacy.old_main(other)])
    legs = {
        (corner, g)
        for corner in range(5, 10)
        for g in range(5)
        if (legacy.main(corner), legacy.main(g)) in EDGE_BETWEEN
    }
    assert legs == {(5 + c, (c + away) % 5) for c in range(5) for away in (4, 0)}


@pytest.mark.parametrize(
    ("old", "ours"),
    [
        ("[0,0,0]", "[8,0,0]"),
        ("[5,0,0]", "[0,0,0]"),
        ("[0,1,5]", "[8,1,0]"),
        ("[0,6,5]", "[8,6,0]"),
        ("[5,6,0]", "[8,6,0]"),
        ("[5,1,6]", "[1,3,0]"),
        ("[0,1,1]", "[9,3,8]"),
        ("[1,1,2]", "[9,1,5]"),
    ],
)
def test_legacy_fields(old, ours):
    assert legacy.field(old) == field(ours)


@given(shifts)
def test_legacy_moves_round_trip(move):
    old = legacy.name(move)
    assert (old.player, old.figure) == (move.player, move.figure)
    assert legacy.shift(as_list(old)) == legacy.shift(str(old)) == move


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        ("[12,0,0]", "The start must be a corner"),
        ("[0,1,12]", "The end must be a corner"),
        ("[0,1,7]", "No edge between 0 and 7 in the legacy convention"),
        ("[0,7,5]", "The counter of the leg between 0"),
        ("[0,0,5]", "The counter of the leg between"),
        ("[0,1]", "Expected a field of 3 numbers"),
        (522, "Expected a field, [start,counter,end], as text or a list"),
    ],
    ids=str,
)
def test_invalid_legacy_fields_are_refused(wrong, part):
    with pytest.raises(InvalidMove) as caught:
        legacy.field(wrong)
    assert part in str(caught.value)


def test_invalid_fields_have_no_legacy_name():
    for wrong in ((5, 7, 2), (2, 5, 5), None):
        with pytest.raises(InvalidMove, match=r"Unknown field"):
            legacy.name(wrong)
    for of in (legacy.main, legacy.old_main):
        for wrong in (-1, 10, None):
            with pytest.raises(InvalidMove, match="must be a corner or junction"):
                of(wrong)
