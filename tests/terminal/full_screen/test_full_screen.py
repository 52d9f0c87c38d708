"""The full screen in a real terminal: what is written, and the terminal afterwards."""

from __future__ import annotations

import signal
import termios
from pathlib import Path

import pytest

from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import Terminal
from tests.waiting import wait_until

PENTE = ("play", "pente", "--screen", "--black", "random", "--seed", "1")


def drawn_since(terminal: Terminal, before: int, text: bytes) -> bool:
    terminal.read_until_quiet(0.1)
    return text in terminal.raw[before:]


@pytest.mark.slow
def test_a_move_redraws_only_what_has_changed(home: Path):
    saved = home / "games" / "pente-1.pentad"
    with Terminal(*PENTE) as terminal:
        terminal.expect("White to move.")
        terminal.type("\r")
        terminal.expect("Black plays")
        terminal.read_until_quiet()
        before = len(terminal.raw)
        terminal.type("\r")
        wait_until(lambda: "4. " in saved.read_text() or "2. " in saved.read_text(), "the reply")
        terminal.read_until_quiet()
        move = len(terminal.raw) - before
        before = len(terminal.raw)
        terminal.resize(81, 24)
        wait_until(lambda: drawn_since(terminal, before, b"Quit"), "the last row")
        whole = len(terminal.raw) - before
        assert move > 100
        assert move * 3 < whole, (move, whole)
        terminal.type("qy")
        assert terminal.wait() == 0
        terminal.expect("The game is saved as pente-1.")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_a_signal_leaves_the_terminal_as_it_was(home: Path, number: signal.Signals):
    with Terminal(*PENTE) as terminal:
        before = termios.tcgetattr(terminal.master)
        terminal.expect("White to move.")
        assert termios.tcgetattr(terminal.master) != before
        terminal.type("\r")
        terminal.expect("Black plays")
        terminal.process.send_signal(number)
        assert terminal.wait() == 128 + number
        assert termios.tcgetattr(terminal.master) == before
        assert b"\x1b[?1049l" in terminal.raw  # the shell's screen is back
        assert b"\x1b[?1000l" in terminal.raw  # the mouse is off again
    assert (home / "games" / "pente-1.pentad").exists()


@pytest.mark.slow
def test_without_a_mouse(home: Path):
    with Terminal(*PENTE, "--no-mouse") as terminal:
        terminal.expect("White to move.")
        terminal.type("\x03")
        terminal.expect("Quit?")
        terminal.type("\x03")
        assert terminal.wait() == 0
        assert b"\x1b[?1000h" not in terminal.raw


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": "xterm", "rows": 8}])
def test_a_terminal_that_cannot_gets_lines(environment: dict[str, str | int]):
    rows = int(environment.pop("rows", 24))
    code = "from pentad.terminal import main; main(['play', 'pente', '--white=human', '--black=human'])"
    with Terminal("-c", code, rows=rows, **{name: str(value) for name, value in environment.items()}) as terminal:
        terminal.expect("white> ")


def test_a_pipe_cannot_be_filled(pentad: Pentad):
    answer = pentad("play", "pente", "--screen")
    assert (answer.code, answer.out) == (2, "")
    assert "--screen needs an interactive terminal" in answer.err
