"""`pentad grade`: the moves of recorded games, graded by the chance to win that they gave away, and by exact values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pentad import load, new
from pentad.record import Record
from pentad.record.formats import FORMATS, write
from pentad.terminal import grade as command

WON = "pentago bbbb../wwww../....../....../....../......"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two games: Ann misses a win and Bob does not; then they play with other seats, and stop early."""
    first, second = Record(load(WON)), Record(new("pente"))
    first.tags |= {"Seat0": "Ann", "Seat1": "Bob"}
    second.tags |= {"Seat0": "Bob", "Seat1": "Ann"}
    for move in ("f5 4C", "b4"):
        first.end.play(move)
    second.end.play("K10")
    file = tmp_path / "games.pentad"
    file.write_text(write([first, second], FORMATS["pentad"]), encoding="utf-8")
    return file


def test_json(games, pentad):
    first, second, last = map(json.loads, pentad("grade", str(games), "--json").lines)
    assert (first["file"], first["number"], first["players"]) == (str(games), 1, ["Ann", "Bob"])
    assert first["moves"][0] == {
        "ply": 8, "seat": 0, "player": "Ann", "move": "f5 4C", "chances": [1.0, 0.0], "loss": 1.0,
        "mark": "blunder", "better": "a4", "before": 1, "after": -1, "regret": 2,
    }  # fmt: skip
    assert [move["before"] for move in second["moves"]] == [None]
    assert (second["moves"][0]["mark"], first["accuracies"][1]) == (None, 100.0)
    assert last["scores"]["Ann"] == {
        "moves": 1, "accuracy": first["accuracies"][0], "marks": {"inaccuracy": 0, "mistake": 0, "blunder": 1},
        "graded": 1, "unknown": 0, "mistakes": 1, "regret": 2,
    }  # fmt: skip


@pytest.mark.slow
def test_other_formats_and_several_files(games, pentad, tmp_path):
    sgf, psq = tmp_path / "game.sgf", tmp_path / "game.psq"
    sgf.write_text("(;GM[4]SZ[15]PW[Cid]PB[Dora];B[hh];W[aa];B[hi];W[ba];B[hj];W[ca];B[hk];W[da];B[hl])")
    assert pentad("convert", str(sgf), str(psq)).code == 0
    lines = pentad("grade", str(sgf), str(psq)).lines
    assert sum("game 1: " in line for line in lines) == 2
    assert any("  win" in line for line in lines)
    typed = pentad("grade", "-", "--from", "pentad", typed=games.read_text(encoding="utf-8"))
    assert typed.lines[-1].startswith("Bob ")
    moves = pentad("grade", "-", "--as", "pentago", "--from", "moves", typed="a0 1C a1 1C")
    assert moves.lines[-1].split()[:2] == ["white", "1"]


@pytest.mark.parametrize(
    ("text", "error"),
    [(None, "Cannot read "), ("", ""), ("[Game chess]", ""), ('[Game "pentago"]\n\n1. a0 1C 2. z9 *\n', "")],
)
def test_invalid_files(text, error, games, pentad, tmp_path):
    file = tmp_path / "wrong.pentad"
    if text is not None:
        file.write_text(text)
    answer = pentad("grade", str(games), str(file))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"pentad: {error or file}")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_stopped_command_prints_the_games_that_are_done(words, games, pentad, monkeypatch):
    real = command.grade

    def grade(record, progress):
        if record.start == new("pente"):
            raise KeyboardInterrupt
        return real(record, progress)

    monkeypatch.setattr(command, "grade", grade)
    answer = pentad("grade", str(games), *words)
    assert answer.code == 130
    if words:
        assert json.loads(answer.lines[-1])["scores"]["Bob"]["moves"] == 1
    else:
        assert answer.lines[-1] == "Bob         1       100   0  0   0       1        0         0       0"
