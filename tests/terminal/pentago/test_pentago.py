"""`pentad pentago`: the output and the errors of lookup and info."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pentad.games.pentago.slices import VARIABLE, SliceFile
from pentad.record import Record
from pentad.terminal.pentago import pentago as command
from tests.games.pentago import slice_files
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, Terminal

B0 = "pentago ....../b...../....../....../....../......"


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with a slice of one marble: black wins but in the corners."""
    folder = tmp_path / "slices"
    folder.mkdir()
    every = (1 << 256) - 1
    corner = sum(1 << bit for bit in range(256) if bit % 4 == 2)  # turned half around it lies in the middle
    slice_files.write(folder / "one.pentago", {1: (corner, 0), 3: (every, 0), 81: (every, 0)})
    return folder


def test_the_commands(pentad: Pentad):
    output = pentad("pentago")
    assert (output.code, output.err) == (0, "")
    assert command.SUMMARIES.keys() == command.COMMANDS.keys()
    for name, summary in command.SUMMARIES.items():
        assert f"  {name:9} {summary}" in output.lines
        for words in ((name, "--help"), ("help", name)):
            answer = pentad("pentago", *words)
            assert (answer.code, answer.err) == (0, "")
            assert answer.out.startswith(f"usage: pentad pentago {name}")


# ── lookup ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_boards_of_every_kind(pentad: Pentad, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # a long path would be shortened
    record = Record("pentago")
    record.play("f0 1C")
    record.play("a5 1C")
    Path("game.pentad").write_text(record.text)
    lookup = ("pentago", "lookup", "--slices", str(made))
    answer = pentad(*lookup, "0", "1", "1m", "3", B0)
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines == [
        "0: black to move wins",
        "1: white to move draws",
        "1m: black to twist draws",
        "3: white to move loses",
        f"{B0}: white to move loses",
    ]
    assert pentad(*lookup, "game.pentad", "--ply", "1").lines == ["game.pentad: white to move draws"]
    assert pentad(*lookup, "-", "--ply", "0", typed=record.text).lines == ["-: black to move wins"]
    two = pentad(*lookup, "-", "--number", "2", "--ply", "1", typed=f"{record.text}\n{record.text}")
    assert two.lines == ["-: white to move draws"]


def test_moves(pentad: Pentad, made: Path):
    answer = pentad("pentago", "lookup", "0", "1m", "--moves", "--slices", str(made))
    assert (answer.code, answer.err) == (0, "")
    assert [line.split() for line in answer.lines[2:5]] == [
        ["a0", *["draw"] * 8],
        ["a1", *["win"] * 8],
        ["a2", "win", *["draw"] * 7],  # clockwise a2 goes to c2, one of the four spaces that win for certain
    ]
    assert len(answer.lines) == 2 + 36 + 1 + 3
    assert answer.lines[-1].split() == ["draw"] * 8


def test_a_placement_that_wins(pentad: Pentad, made: Path):
    row = "pentago bbbb.w/wwwwbb/bwbwww/wbwwww/wbbwbb/.bbbbw"
    answer = pentad("pentago", "lookup", "--slices", str(made), "--moves", row)
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0] == f"{row}: black to move wins"
    assert answer.lines[1:] == ["  a4  wins immediately", "  f0  wins immediately"]


def test_the_published_slices(pentad: Pentad):
    answer = pentad("pentago", "lookup", "0", "--moves", "--slices", str(slice_files.DATA))
    assert answer.code == 0
    assert sum(line.count("win ") + line.endswith("win") for line in answer.lines[2:]) == 192
    assert sum(line.count("draw") for line in answer.lines[2:]) == 96


# ── info ─────────────────────────────────────────────────────────────────────────────────────────


def test_info(pentad: Pentad, made: Path, monkeypatch: pytest.MonkeyPatch):
    file = made / "one.pentago"
    answer = pentad("pentago", "info", str(made))
    assert (answer.code, answer.err) == (0, "")
    heading, line = answer.lines
    assert heading.split() == ["marbles", "sections", "boards", "bytes", "file"]
    assert line.split() == ["1", "1", "3", str(file.stat().st_size), str(file)]
    assert pentad("pentago", "info", str(file)).out == answer.out
    monkeypatch.setenv(VARIABLE, str(made))
    assert pentad("pentago", "info").out == answer.out
    checked = pentad("pentago", "info", "--check").lines
    assert checked[0].split() == ["marbles", "sections", "boards", "bytes", "blocks", "file"]
    assert checked[1].split() == ["1", "1", "3", str(file.stat().st_size), "1", "sound", str(file)]


def test_info_of_the_published_slices(pentad: Pentad):
    answer = pentad("pentago", "info", "--check", str(slice_files.DATA))
    assert (answer.code, answer.err) == (0, "")
    output = [tuple(int(word.replace(",", "")) for word in line.split()[:3]) for line in answer.lines[1:]]
    assert output == [(0, 1, 1), (1, 1, 3), (2, 3, 36), (3, 7, 286), (4, 18, 2816)]
    assert all(line.split()[5] == "sound" for line in answer.lines[1:])


def test_damage_is_reported_and_the_rest_listed(pentad: Pentad, made: Path):
    data = bytearray((made / "one.pentago").read_bytes())
    data[120] ^= 255  # this byte is in the block
    (made / "damaged.pentago").write_bytes(data)
    (made / "foreign.pentago").write_text("a text that is long enough to be something else")
    plain = pentad("pentago", "info", str(made))
    assert plain.code == 2
    assert len(plain.lines) == 3
    assert plain.err.count("\n") == 1
    assert f"{made}/foreign.pentago: " in plain.err
    checked = pentad("pentago", "info", "--check", str(made))
    assert checked.code == 2
    assert len(checked.lines) == 2
    assert len(checked.err.splitlines()) == 2
    assert f"{made}/damaged.pentago: Cannot decompress a block" in checked.err


# ── readers that leave, and Ctrl-C ───────────────────────────────────────────────────────────────


def test_a_broken_pipe(made: Path):
    reader, writer = os.pipe()
    os.close(reader)
    for words in (["lookup", "0", "--moves", "--slices", str(made)], ["info", str(made)]):
        done = subprocess.run(
            [sys.executable, "-m", "pentad", "pentago", *words], stdout=writer, stderr=subprocess.PIPE
        )
        assert (done.returncode, done.stderr) == (141, b"")
    os.close(writer)


def test_ctrl_c_while_checking(pentad: Pentad, made: Path, monkeypatch: pytest.MonkeyPatch):
    slice_files.write(made / "two.pentago", {5: (0, 0)})
    check = SliceFile.check

    def stopped(self: SliceFile):
        if self.marbles == 2:
            raise KeyboardInterrupt
        return check(self)

    monkeypatch.setattr(SliceFile, "check", stopped)
    answer = pentad("pentago", "info", "--check", str(made))
    assert answer.code == 130
    assert len(answer.lines) == 2
    assert f"Stopped at {made}/two.pentago." in answer.err


def test_a_bar_on_a_terminal(made: Path):
    # 331,776 blocks that are one and the same take longer to go through than a hand to the keys.
    board = 76 + (76 << 16) + (1 << 32) + (2 << 48)
    many = slice_files.write(made / "many.pentago", {board: (0, 0)}, block_size=1, whole="alike")
    os.truncate(many, 1 << 30)
    with Terminal("pentago", "info", "--check", str(many), columns=120) as terminal:
        terminal.expect("many.pentago")
        terminal.type(CTRL_C)
        terminal.expect("The lines above are complete.")
        assert terminal.wait() == 130
