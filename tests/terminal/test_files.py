"""`pentad show` and `pentad convert`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentad.record import Record, Value
from pentad.record.formats import COMMON, FORMATS
from tests.terminal.conftest import Pentad


def annotated() -> Record:
    record = Record("pentago", tags={"Seat0": "Ann", "Seat1": "Bob", "Date": "2025-01-02"})
    record.play("a2 1C").comment = "good"
    first = record.end
    record.play("c3 4A").value = Value(-0.5)
    first.play("d4 2A")
    record.play("d4 1C").clock = 61.5
    return record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.pentad"
    path.write_text(annotated().text)
    return path


# ── show ─────────────────────────────────────────────────────────────────────────────────────────


def test_show_prints_tags_board_and_moves(pentad: Pentad, file: Path):
    answer = pentad("show", str(file))
    record = annotated()
    tags, moves = record.text.split("\n\n")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{tags}\n\n{record.position}\n   ● black  ○ white\n\n{moves}"


def test_show_reads_standard_input(pentad: Pentad, file: Path):
    assert pentad("show", "-", typed=file.read_bytes()).out == pentad("show", str(file)).out


def test_show_a_ply(pentad: Pentad, file: Path):
    record = annotated()
    for node in record.end.line:
        assert str(node.position) in pentad("show", str(file), "--ply", str(node.position.ply)).out
    assert str(record.start) in pentad("show", str(file), "--ply", "0").out


def test_show_a_picture(pentad: Pentad, file: Path, tmp_path: Path):
    record = annotated()
    picture = record.main_line[1].position.svg(last="c3 4A") + "\n"
    assert pentad("show", str(file), "--ply", "2", "--svg", "-").out == picture
    out = tmp_path / "out.svg"
    assert pentad("show", str(file), "--ply", "2", "--svg", str(out)).code == 0
    assert out.read_text() == picture
    assert pentad("show", str(file), "--svg", str(out)).code == 2
    assert pentad("show", str(file), "--svg", str(out), "--force").code == 0
    assert out.read_text() == record.position.svg(last="d4 1C") + "\n"


def test_show_other_formats(pentad: Pentad, file: Path, tmp_path: Path):
    for suffix in (".json", ".txt"):
        other = str(tmp_path / f"game{suffix}")
        assert pentad("convert", str(file), other).code == 0
        assert pentad("show", other, "--moves").lines == ["a2 1C", "c3 4A", "d4 1C"]


# ── convert ──────────────────────────────────────────────────────────────────────────────────────


def test_convert_round_trip(pentad: Pentad, file: Path, tmp_path: Path):
    there, back = tmp_path / "game.json", tmp_path / "back.pentad"
    assert pentad("convert", str(file), str(there)).code == 0
    assert pentad("convert", str(there), str(back)).code == 0
    assert back.read_text() == file.read_text()


@pytest.mark.parametrize("target", [each.name for each in COMMON])
def test_convert_to_standard_output(pentad: Pentad, file: Path, target: str):
    write = FORMATS[target].write
    assert write is not None
    answer = pentad("convert", str(file), "-", "--to", target)
    assert (answer.code, answer.err, answer.out) == (0, "", write([annotated()]))
