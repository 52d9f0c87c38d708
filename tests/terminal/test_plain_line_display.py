"""Terminals without the packages of the extra `terminal`: play by lines, and plain text in place of colours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pentad.record import Record
from pentad.system.extras import installing_command
from pentad.terminal import contest
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_D, Terminal

WITHOUT = "import sys; sys.modules |= dict.fromkeys(('rich', 'textual'))\n"
BARE = ("-c", f"{WITHOUT}from pentad.terminal import main; sys.exit(main(sys.argv[1:]))")
HOT_SEAT = ("play", "pentago", "--black", "human", "--white", "human")
MISSING = f"textual is not installed. For the full screen, run: {installing_command('terminal')}"


def test_a_game_is_played_by_lines_unasked(home: Path):
    with Terminal(*BARE, *HOT_SEAT, "--time", "5+3") as terminal:
        terminal.expect("Pentago  (black: human, white: human)")
        terminal.expect("Time left: black 5:0")
        terminal.expect("Black to move. Place a marble.")
        terminal.expect("black 5:0")
        terminal.enter("a2")
        terminal.expect("Begun: a2. Choices: 1C 1A 2C 2A 3C 3A 4C 4A")
        terminal.expect("black a2 ")
        terminal.enter("1C")
        terminal.expect("1. a2 1C: Black plays a2 and twists sub-board 1 clockwise.")
        terminal.expect("white 5:0")
        terminal.enter("z9 1C")
        terminal.expect("z9")
        terminal.expect("white 5:0")
        assert "\x1b[" not in terminal.shown
        terminal.enter("quit")
        terminal.expect("pentad play --resume")
        assert terminal.wait() == 0
    assert len(Record.read((home / "games" / "pentago-1.pentad").read_text()).moves) == 1


def test_a_bot_answers_and_the_end_of_the_input_ends_the_session():
    with Terminal(*BARE, "play", "pentago", "--white", "greedy", "--seed", "1") as terminal:
        terminal.expect("black> ")
        terminal.enter("a2 1C")
        terminal.expect("White (greedy) is thinking…")
        terminal.expect("2. ")
        terminal.expect("black> ")
        terminal.type(CTRL_D)
        terminal.expect("To continue it, run: pentad play --resume")
        assert terminal.wait() == 0


def test_the_full_screen_names_the_extra():
    with Terminal(*BARE, *HOT_SEAT, "--screen") as terminal:
        terminal.expect(f"pentad: {MISSING}")
        assert terminal.wait() == 1


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal without the packages."""
    for name in ("rich", "textual"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)


@pytest.mark.parametrize(
    "words",
    ["show game.pentad", "analyse pentago --depth 1 --estimate", "weights --size 7 --line 5"],
)
def test_output_on_a_terminal_is_that_of_a_pipe(
    words: str, pentad: Pentad, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("game.pentad").write_text('[Game "pentago"]\n[Result "*"]\n\n1. a2 1C 2. c3 4A *\n', encoding="utf-8")
    expected = pentad(*words.split())
    assert (expected.code, expected.err) == (0, "")
    request.getfixturevalue("plain")
    assert pentad(*words.split()).out.splitlines()[1:] == expected.out.splitlines()[1:]


def test_a_contest_is_shown_by_lines(plain: None, capsys: pytest.CaptureFixture[str]):
    now = 0.0
    view = contest.ContestView("A match", clock=lambda: now)
    now = 20.0
    view.update(1, 2, is_saved=False, table=list)
    assert capsys.readouterr().err.startswith("A match: 1 of 2 games")
