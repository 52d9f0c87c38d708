"""`pentad show` and `pentad convert`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentad.game import Outcome
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


def test_a_record_without_a_result_is_shown_and_converted(pentad: Pentad, tmp_path: Path):
    path, out = tmp_path / "typed.pentad", tmp_path / "typed.json"
    path.write_text('[Game "pentago"]\n\n1. a2 1C 2. c3 4A\n')
    assert pentad("show", str(path)).out.endswith("1. a2 1C 2. c3 4A *\n")
    assert pentad("convert", str(path), str(out)).code == 0
    assert pentad("show", str(out), "--moves").lines == ["a2 1C", "c3 4A"]


def test_show_a_ply(pentad: Pentad, file: Path):
    record = annotated()
    for node in record.end.line:
        assert str(node.position) in pentad("show", str(file), "--ply", str(node.position.ply)).out
    assert str(record.start) in pentad("show", str(file), "--ply", "0").out


def test_show_flipped(pentad: Pentad, file: Path):
    assert "5 4 3   2 1 0" in pentad("show", str(file), "--flip").out


def test_show_moves_alone(pentad: Pentad, file: Path):
    assert pentad("show", str(file), "--moves").lines == ["a2 1C", "c3 4A", "d4 1C"]


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


def test_show_lists_several_games(pentad: Pentad, tmp_path: Path):
    other = Record("pentago", players=3)
    other.ended = Outcome.of((0, 1), 3, "resigned")
    path = tmp_path / "two.pentad"
    path.write_text(annotated().text + "\n" + other.text)
    answer = pentad("show", str(path))
    assert answer.lines == [
        "1. pentago  Ann - Bob  *  3 moves  2025-01-02",
        "2. pentago  ? - ? - ?  1/2-1/2-0  0 moves",
        "Use --number N to show one of them.",
    ]
    assert pentad("show", str(path), "--number", "1").out.startswith('[Game "pentago"]\n[Seat0 "Ann"]')
    assert (
        pentad("show", str(path), "--number", "2").lines[-1]
        == "Red resigned. Black and white share the win. Result: 1/2-1/2-0."
    )
    assert pentad("show", str(path), "--number", "3").code == 2


def test_show_typed_moves(pentad: Pentad):
    answer = pentad("show", "-", "--as", "pentago", "--moves", typed="1) a2-1c 2) c3/4A\nd4, 1c")
    assert answer.lines == ["a2 1C", "c3 4A", "d4 1C"]
    typed = '[Game "Pentago"] \na2 1c'
    assert pentad("show", "-", "--moves", typed=typed).code == 2
    assert pentad("show", "-", "--lenient", "--moves", typed=typed).lines == ["a2 1C"]


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


def test_convert_from_standard_input(pentad: Pentad):
    answer = pentad("convert", "-", "-", "--from", "moves", "--as", "pentago", typed="a2 1C\nc3 4A\n")
    assert answer.out == '[Game "pentago"]\n[Result "*"]\n\n1. a2 1C 2. c3 4A *\n'


def test_convert_one_game_of_several(pentad: Pentad, tmp_path: Path):
    path = tmp_path / "two.pentad"
    path.write_text(Record("pentago").text + "\n" + annotated().text)
    answer = pentad("convert", str(path), "-", "--to", "svg")
    assert (answer.code, answer.out) == (2, "")
    assert "Expected one game, got 2." in answer.err
    assert pentad("convert", str(path), "-", "--to", "pentad", "--number", "2").out == annotated().text


def test_convert_replaces_only_with_force(pentad: Pentad, file: Path, tmp_path: Path):
    target = tmp_path / "out.txt"
    target.write_text("mine")
    assert pentad("convert", str(file), str(target)).code == 2
    assert target.read_text() == "mine"
    assert pentad("convert", str(file), str(target), "--force").code == 0
    assert target.read_text().endswith("a2 1C\nc3 4A\nd4 1C\n*\n")


def test_convert_leaves_no_partial_file(pentad: Pentad, file: Path, tmp_path: Path):
    bad = tmp_path / "bad.txt"
    bad.write_text('[Game "pentago"]\na2 2C\na2 2C\n')
    target = tmp_path / "out.json"
    assert pentad("convert", str(bad), str(target)).code == 2
    assert not target.exists()
