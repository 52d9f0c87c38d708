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


def test_finished_games(pentad: Pentad, made: Path):
    won = "pentago bbbbb./wwww../....../....../....../......"
    answer = pentad("pentago", "lookup", "--slices", str(made), "--moves", won, f"{won} placed")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines == [
        f"{won}: Black wins with five in a row. Result: 1-0.",
        "",
        f"{won} placed: Black wins with five in a row. Result: 1-0.",
    ]


def test_moves(pentad: Pentad, made: Path):
    answer = pentad("pentago", "lookup", "0", "1m", "--moves", "--slices", str(made))
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[:4] == [
        "0: black to move wins",
        "      1C    1A    2C    2A    3C    3A    4C    4A",
        "  a0  draw  draw  draw  draw  draw  draw  draw  draw",
        "  a1  win   win   win   win   win   win   win   win",
    ]
    # Clockwise a2 goes to c2, one of the four spaces that win for certain.
    assert answer.lines[4] == "  a2  win   draw  draw  draw  draw  draw  draw  draw"
    assert len(answer.lines) == 2 + 36 + 1 + 3
    assert answer.lines[-3:] == [
        "1m: black to twist draws",
        "    1C    1A    2C    2A    3C    3A    4C    4A",
        "    draw  draw  draw  draw  draw  draw  draw  draw",
    ]


def test_a_placement_that_wins(pentad: Pentad, made: Path):
    row = "pentago bbbb.w/wwwwbb/bwbwww/wbwwww/wbbwbb/.bbbbw"
    answer = pentad("pentago", "lookup", "--slices", str(made), "--moves", row)
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0] == f"{row}: black to move wins"
    assert answer.lines[1:] == ["  a4  wins immediately", "  f0  wins immediately"]


def test_the_folder_of_the_environment(pentad: Pentad, made: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, str(made))
    assert pentad("pentago", "lookup", "0").lines == ["0: black to move wins"]
    monkeypatch.setenv(VARIABLE, str(made / "none"))
    answer = pentad("pentago", "lookup", "0")
    assert (answer.code, answer.err) == (2, f"pentad: PENTAD_SLICES: {made}/none is not a folder.\n")
    assert pentad("pentago", "lookup", "0", "--slices", str(made)).code == 0


def test_the_published_slices(pentad: Pentad):
    answer = pentad("pentago", "lookup", "0", "--moves", "--slices", str(slice_files.DATA))
    assert answer.code == 0
    assert sum(line.count("win ") + line.endswith("win") for line in answer.lines[2:]) == 192
    assert sum(line.count("draw") for line in answer.lines[2:]) == 96


def test_a_bad_board_does_not_stop_the_others(pentad: Pentad, made: Path):
    answer = pentad("pentago", "lookup", "0", "none", "2", "7", "3", "--slices", str(made))
    assert answer.code == 2
    assert answer.lines == ["0: black to move wins", "3: white to move loses"]
    assert answer.err.splitlines() == [
        "pentad: Cannot read none: No such file.",
        "pentad: 2: The players move in turn, so 1 marbles are 1 black, 0 white, not 0 black, 1 white.",
        f"pentad: 7: {made} has no slice of 2 marbles, only of 1.",
    ]


REFUSED = {
    "no command": (("bogus",), "Unknown command 'bogus' for pentad pentago. The commands are: lookup, info."),
    "no option": (("--bogus",), "Unknown option '--bogus' for pentad pentago."),
    "no board": (("lookup",), "Missing argument: BOARD."),
    "no folder": (
        ("lookup", "0"),
        "The folder of the slice files is missing. Use --slices FOLDER or set PENTAD_SLICES.",
    ),
    "no file": (("info",), "Expected a folder or a file. For a default folder, set PENTAD_SLICES."),
    "a number too long": (("lookup", "9" * 5000, "--slices", "MADE"), "at most 20 digits, not 5,000"),
    "a number of more bits": (("lookup", "9" * 20, "--slices", "MADE"), "whole number of 64 bits"),
    "no number": (("lookup", "1n", "--slices", "MADE"), "Cannot read 1n: No such file."),
    "another game": (("lookup", "pente 19/19", "--slices", "MADE"), "pente 19/19: "),
    "other rules": (
        ("lookup", "pentago win_on_placement=false ....../....../....../....../....../......", "--slices", "MADE"),
        "win_on_placement=false",
    ),
    "no text": (("lookup", "pentago x", "--slices", "MADE"), "pentago x: "),
    "an empty word": (("lookup", "", "--slices", "MADE"), "got an empty argument."),
    "a file as folder": (("lookup", "0", "--slices", "MADE/one.pentago"), "one.pentago is not a folder"),
    "a null byte": (("lookup", "0", "--slices", "a\0b"), "is not a folder"),
    "no folder there": (("info", "MADE/none"), "none: Cannot read it: No such file"),
    "an empty folder": (("info", "MADE/.."), "has no slice files"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_errors_take_one_line(case: str, pentad: Pentad, made: Path):
    words, message = REFUSED[case]
    answer = pentad("pentago", *(word.replace("MADE", str(made)) for word in words))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("pentad: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err


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
    data[120] ^= 255  # in the block
    (made / "damaged.pentago").write_bytes(data)
    (made / "foreign.pentago").write_text("a text that is long enough to be something else")
    plain = pentad("pentago", "info", str(made))
    assert plain.code == 2
    assert len(plain.lines) == 3
    assert plain.err.splitlines() == [
        f"pentad: Slice file {made}/foreign.pentago: Not a slice file. Its first bytes are different."
    ]
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
    assert answer.err == f"pentad: Stopped at {made}/two.pentago. The lines above are complete.\n"


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
