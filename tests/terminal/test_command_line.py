"""The command line: start-up, error messages, and unusual standard streams."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pentad import __version__
from pentad.terminal import command_line
from pentad.terminal.command_table import COMMANDS
from tests.cases import together
from tests.terminal.conftest import Pentad

RECORD = '[Game "pentago"]\n[Seat0 "Ann"]\n[Seat1 "Bob"]\n[Result "*"]\n\n1. a2 1C 2. c3 4A *\n'


def run(*words: str, **about) -> subprocess.CompletedProcess[bytes]:
    """Run pentad in its own process."""
    return subprocess.run([sys.executable, "-m", "pentad", *words], capture_output=True, **about)


# ── start-up and help ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_help_names_every_command(pentad: Pentad, words: tuple[str, ...]):
    answer = pentad(*words)
    assert answer.code == 0
    for name, summary in COMMANDS.items():
        assert re.search(rf"^  {name} +{summary}$", answer.out, re.MULTILINE)


def test_version(pentad: Pentad):
    assert pentad("--version").out == f"pentad {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(pentad: Pentad, command: str):
    answer = pentad(command, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: pentad {command}")
    assert pentad("help", command) == answer


@together("name", [*COMMANDS, "solve", "weights", "pentago"])
def test_the_launcher_installs_before_any_command(name: str):
    assert all(command_line.runs_a_command(words) for words in ([name], [name, "--help"], ["help", name]))


def test_help_of_a_game_lists_its_options(pentad: Pentad):
    assert "--rows N" in pentad("play", "pentago", "--help").out
    assert "--no-win-on-placement" in pentad("perft", "pentago", "--help").out
    assert "--rows" not in pentad("play", "--help").out


# ── errors ───────────────────────────────────────────────────────────────────────────────────────

WON = "5211790935814378765"  # a board of Pentago
DATA = Path(__file__).parents[1] / "data" / "pentago"


@together(
    ("words", "says"),
    [
        (("show", "a\0b"), "not a file name"),
        (("show", "a\nb"), "a�b"),
        (("analyse", "a\0b"), "not a file name"),
        (("analyse", "9" * 5000), "20 digits"),
        (("solve", "a\0b"), "not a file name"),
        (("solve", "9" * 5000), "20 digits"),
        (("solve", WON, "--memory", "9" * 400 + "G"), "--memory"),
        (("grammar", "show", "a\0b"), "not a folder name"),
        (("pentago", "lookup", "0", "--slices", "a\0b"), "not a folder"),
        (("pentago", "lookup", "9" * 5000, "--slices", str(DATA)), "20 digits"),
    ],
)
def test_strange_words_take_one_line(words: tuple[str, ...], says: str, pentad: Pentad):
    answer = pentad(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("pentad: ")
    assert answer.err.count("\n") == 1
    assert says in answer.err


def test_input_that_is_too_large(pentad: Pentad, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("pentad.record.formats.MAX_FILE_BYTES", 1 << 20)
    monkeypatch.setattr("pentad.terminal.files.MAX_FILE_BYTES", 1 << 20)
    answer = pentad("show", "/dev/zero")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert "/dev/zero: The input is larger" in answer.err
    big = tmp_path / "big.txt"
    big.write_text("a2 " * 300_000)
    answer = pentad("show", str(big), "--as", "pentago")
    assert answer.code == 2
    assert "line 1, column 1: " in answer.err


def test_an_internal_error_takes_one_line_without_debug(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    def broken(words: list[str]) -> int:
        raise TypeError("oh\nno")

    monkeypatch.setattr(command_line, "_run", broken)
    answer = pentad("games")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
    assert "TypeError: oh no. Set PENTAD_DEBUG=1" in answer.err
    monkeypatch.setenv("PENTAD_DEBUG", "1")
    with pytest.raises(TypeError):
        pentad("games")


def test_ctrl_c_ends_quietly(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    def stopped(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "_run", stopped)
    assert pentad("games").code == 130


# ── unusual streams ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_broken_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    for words in (["games"], ["perft", "pentago", "1"], ["play", "pentago", "--black", "random", "--white", "random"]):
        done = subprocess.run([sys.executable, "-m", "pentad", *words], stdout=writer, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (141, b"")
    os.close(writer)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "pentad", "games"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"The disk is full." in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_closed_streams(closed: tuple[int, ...], home: Path):
    close = "".join(f"os.close({number});" for number in closed)
    words = ["play", "pentago", "--seed", "1", "--white", "random"]
    start = f"import os, sys; {close} os.execv(sys.executable, [sys.executable, '-m', 'pentad', *{words}])"
    done = subprocess.run([sys.executable, "-c", start], input=b"a2 1C\nquit\n", capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (home / "games" / "pentago-1.pentad").exists() == (0 not in closed)


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "row"), [("ascii", b" a | x o % |"), ("utf-8", " a │ ● ○ ◆ │".encode())])
def test_any_encoding(encoding: str, row: bytes):
    text = "players=3 bwr.../....../....../....../....../......"
    done = run(
        "play", "pentago", "--position", text, input=b"board\n", env={**os.environ, "PYTHONIOENCODING": encoding}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert row in done.stdout


def test_input_that_is_not_text(pentad: Pentad):
    answer = pentad("play", "pentago", "--seed", "1", typed=b"\xff\xfe\x00\n\x89PNG\nquit\n")
    assert answer.code == 0
    assert answer.err.count("\n") == 2


# ── games and perft ──────────────────────────────────────────────────────────────────────────────


def test_games_lists_options_and_bots(pentad: Pentad):
    answer = pentad("games", "pentago")
    assert answer.code == 0
    assert "--rows" in answer.out
    assert "greedy" in answer.out
    assert pentad("games", "chess").code == 2


def test_perft_counts(pentad: Pentad):
    answer = pentad("perft", "pentago", "2")
    assert [line.split(" in ")[0] for line in answer.lines] == ["depth 0: 1", "depth 1: 288", "depth 2: 80,640"]


def test_perft_divides_by_first_moves(pentad: Pentad):
    text = "pentago rows=1 cols=1 line=3 bw./.../..."
    answer = pentad("perft", "pentago", "2", "--position", text, "--divide")
    parts = [line.rpartition(": ") for line in answer.lines if not line.startswith("depth")]
    total = answer.lines[-1].split(" in ")[0]
    assert len(parts) == 14
    assert total == f"depth 2: {sum(int(count) for _, _, count in parts)}"


def test_a_stopped_perft_prints_complete_depths(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    def stopped(position: object, depth: int) -> int:
        if depth == 1:
            raise KeyboardInterrupt
        return 1

    monkeypatch.setattr("pentad.terminal.perft.perft", stopped)
    answer = pentad("perft", "pentago", "2")
    assert answer.code == 130
    assert len(answer.lines) == 2
    assert "Stopped at depth 2." in answer.err
