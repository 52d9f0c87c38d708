"""The protocol's text: lines in any pieces, commands, coordinates; and no text does worse than a `ProtocolError`."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.bridges.gomocup.brain import COMMANDS, Brain
from pentad.bridges.gomocup.protocol import (
    OTHER,
    OWN,
    ProtocolError,
    read_command,
    read_number,
    read_point,
    read_rectangle,
    read_size,
    read_stone,
    write_point,
)
from pentad.bridges.text_lines import MAX_LINE_LENGTH, LineReader, plain
from pentad.games.pente.board import Stone


def test_rows_are_counted_from_the_top_as_managers_do():
    assert str(read_point("0,0", 15)) == "A15"
    assert str(read_point("0,14", 15)) == "A1"
    assert str(read_point("14,0", 15)) == "P15"
    assert str(read_point("9,9", 19)) == "K10"


@given(st.integers(3, 25), st.data())
def test_points_there_and_back(size, data):
    stone = Stone(data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1)))
    assert read_point(write_point(stone, size), size) == stone


@given(st.binary(max_size=200), st.lists(st.integers(0, 200)))
def test_lines_are_the_same_in_whatever_pieces_they_come(data, cuts):
    whole = LineReader()
    expected = [*whole.feed(data), *whole.rest()]
    pieces, at, reader = [], 0, LineReader()
    for cut in sorted(cuts):
        pieces += reader.feed(data[at:cut])
        at = max(at, cut)
    assert [*pieces, *reader.feed(data[at:]), *reader.rest()] == expected
    assert all(line and "\n" not in line and "\r" not in line for line in expected)


@pytest.mark.slow
def test_a_line_without_an_end_takes_no_more_memory_than_a_long_one():
    reader = LineReader()
    for _ in range(2000):
        assert reader.feed(b"x" * 10_000) == []
        assert len(reader._begun) < 5 * MAX_LINE_LENGTH
    (line,) = reader.feed(b"\n")
    assert len(line) == MAX_LINE_LENGTH + 1
    with pytest.raises(ProtocolError, match="longer than 1000 characters"):
        read_command(line)
    assert reader.feed(b"END\n") == ["END"]


READERS = [
    lambda text: read_command(text),
    lambda text: read_point(text, 15),
    lambda text: read_stone(text, 15),
    lambda text: read_size(text),
    lambda text: read_rectangle(text),
    lambda text: read_number("rule", text),
]
LIKELY = st.text(alphabet="0123456789,;. -+eEx\t\0é²٣", max_size=24)


@pytest.mark.parametrize("read", READERS)
@given(text=st.text(max_size=60) | LIKELY)
def test_no_text_raises_anything_else(read, text):
    with contextlib.suppress(ProtocolError):
        read(text)


WORDS = st.sampled_from(list(COMMANDS))
RESTS = LIKELY | st.sampled_from(
    ["15", "5,5", "7,7", "7,7,1", "7,8,2", "rule 1", "rule 4", "variant keryo", "variant pente line=x", "taken 1,2"]
)


@given(st.lists(st.builds("{} {}".format, WORDS, RESTS) | RESTS | st.text(max_size=30), max_size=30))
def test_a_brain_answers_every_line_in_plain_text(lines):
    brain = Brain("name")
    for line in lines:
        reply = brain.take(line)
        assert all(len(answer.splitlines()) == 1 and answer.isascii() for answer in reply.lines)
        if reply.request:
            reply = brain.move_chosen(next(iter(reply.request.position.legal_moves)))
            while reply.request:
                reply = brain.move_chosen(next(iter(reply.request.position.legal_moves)))
            assert len(reply.lines) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expected a point such as 7,7, got"),
        ("7", "Expected a point such as 7,7, got"),
        ("7;7", "Expected a point such as 7,7, got"),
        ("-1,7", "Expected a point such as 7,7, got"),
        ("7,7,7", "Expected a point such as 7,7, got"),
        ("15,0", "15,0 is not on the board; both"),
        ("0,15", "from 0 to 14"),
        ("99999,0", "Expected a point such as 7,7, got"),
        ("٣,٣", "Expected a point such as 7,7, got"),
    ],
)
def test_wrong_coordinates(text, message):
    with pytest.raises(ProtocolError, match=message):
        read_point(text, 15)


def test_stones_of_a_board():
    assert read_stone("0,14,1", 15) == (Stone(0, 0), OWN)
    assert read_stone(" 0 , 14 , 2 ", 15) == (Stone(0, 0), OTHER)
    with pytest.raises(ProtocolError, match="renju are not supported"):
        read_stone("0,0,3", 15)
    with pytest.raises(ProtocolError, match="not 0"):
        read_stone("0,0,0", 15)


def test_answers_are_plain():
    assert plain("a…b×c\nd\x1bé") == "a...bxc?d??"
