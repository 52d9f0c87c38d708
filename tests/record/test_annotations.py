"""Marks of moves in records: written and read back, merged, and refused where they are unknown."""

from __future__ import annotations

import json

import pytest

from pentad.game import GameError, new
from pentad.record import Record
from pentad.record.annotations import MARKS
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
