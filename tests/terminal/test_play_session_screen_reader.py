"""The line interface as a screen reader reads it: everything that is written, in order, without control codes.

`python -m tests.terminal.test_play_session_screen_reader` writes the files with the readings.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.terminal.pseudo_terminal import Terminal

READINGS = Path(__file__).parent / "readings"

# What is typed in each game, line by line; every line is answered by a prompt.
GAMES = {
    "pentago": ("--white=random", ["a2", "1C", "z9", "moves b", "undo", "a2 1C", "board"]),
    "pente": ("--black=random", ["K10", "K10", "undoo", "N13", "undo", "redo"]),
    "pentagame": ("--seat=1=random", ["help", "list", "list", "moves R"]),
}
PROMPTS = {"pentago": "black", "pente": "white", "pentagame": "circle"}


def reading(game: str) -> str:
    """All that is written in a game, with what is typed."""
    seat, lines = GAMES[game]
    with Terminal("play", game, seat, "--seed=1", "--list", TERM="dumb") as terminal:
        for line in lines:
            terminal.expect(f"{PROMPTS[game]}> ", f"{PROMPTS[game]} a2> ")
            terminal.enter(line)
        terminal.expect(f"{PROMPTS[game]}> ")
        terminal.enter("quit")
        assert terminal.wait() == 0
        assert b"\x1b" not in terminal.raw
        return "\n".join(line.rstrip() for line in terminal.shown.splitlines()) + "\n"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("game", GAMES)
def test_the_reading_is_as_before(game: str, home: Path):
    assert reading(game) == (READINGS / f"{game}.txt").read_text(encoding="utf-8"), (
        "python -m tests.terminal.test_play_session_screen_reader"
    )


if __name__ == "__main__":
    READINGS.mkdir(exist_ok=True)
    for name in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PENTAD_HOME"] = folder
            (READINGS / f"{name}.txt").write_text(reading(name), encoding="utf-8")
