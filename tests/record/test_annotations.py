"""Marks of moves in records: written and read back, merged, and refused where they are unknown."""

from __future__ import annotations

import json

import pytest

from pentad.game import GameError, new
from pentad.record import Record
from pentad.record.annotations import CLOCK, MARKS, VALUE, Value, write_clock
from pentad.record.formats import FORMATS, read, write


def marked(mark: str) -> Record:
    record = Record(new("pente", rules="freestyle"))
    record.play("H8").mark = mark
    record.end.comment = "[%x close"
    record.play("H9")
    return record


@pytest.mark.parametrize("name", ["pentad", "json", "sgf"])
@pytest.mark.parametrize("mark", ["", *MARKS])
def test_a_mark_is_written_and_read_back(name, mark):
    text = write([marked(mark)], FORMATS[name])
    (again,) = read(text, FORMATS[name])
    assert [node.mark for node in again.main_line] == [mark, ""]
    assert again.main_line[0].comment == "[%x close"


def test_the_marks() -> None:
    assert sorted(MARKS) == ["!", "!!", "!?", "?", "?!", "??"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00:00"),
        (0.05, "0:00:00.05"),
        (9.9994, "0:00:09.999"),
        (59.9996, "0:01:00"),
        (298.5, "0:04:58.5"),
        (3599, "0:59:59"),
        (3600, "1:00:00"),
        (360_010, "100:00:10"),
    ],
)
def test_clock_times_as_text(seconds, text):
    assert write_clock(seconds) == text
    found = CLOCK.match(f"[%clk {text}] more")
    assert found
    hours, minutes, rest = found.groups()
    assert int(hours) * 3600 + int(minutes) * 60 + float(rest) == pytest.approx(seconds, abs=0.0005)
    assert found.end() == len(f"[%clk {text}] ")


@pytest.mark.parametrize("text", ["0:00", "0:60:00", "0:00:60", "0:0:0", "0:00:00.", "0:00:00.1234", "1234567:00:00"])
def test_what_is_no_clock_time(text):
    assert not CLOCK.match(f"[%clk {text}]")


@pytest.mark.parametrize(
    ("text", "is_value"),
    [("0", True), ("-1", True), ("+0.25", True), ("1.000", True), ("0.123456789", True), ("-0.5 exact", True)]
    + [(text, False) for text in ("1.001", "2", "0.", ".5", "0.1234567890", "nan", "0.5  exact", "0.5 Exact", "")],
)
def test_values_as_text(text, is_value):
    assert bool(VALUE.match(f"[%value {text}]")) == is_value


def test_a_value_is_exact_only_if_it_says_so():
    assert not Value(0.5).exact


@pytest.mark.parametrize("name", ["psq"])
def test_a_format_without_marks_says_so(name, caplog):
    write([marked("??")], FORMATS[name])
    assert "1 mark" in caplog.text


def test_an_unknown_mark_is_refused():
    holder = json.loads(write([marked("??")], FORMATS["json"]))
    holder["games"][0]["moves"][0]["mark"] = "???"
    with pytest.raises(GameError, match=r"games\[0\].moves\[0\].mark: .* got '\?\?\?'"):
        read(json.dumps(holder), FORMATS["json"])


def test_merging_keeps_a_mark():
    one, other = marked(""), marked("?")
    one.merge(other)
    assert one.main_line[0].mark == "?"
