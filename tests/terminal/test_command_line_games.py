"""Commands that games bring, found by their place."""

import re
import sys

import pytest

from pentad import game
from pentad.terminal.command_table import command_of_game
from tests.terminal.conftest import Pentad

HELLO = """
COMMANDS = {"hello": "greet somebody"}
"""
MODULE = """
def add_arguments(parser):
    parser.add_argument("name")

def run(args):
    print(f"Hello, {args.name}!")
    return 0
"""
RULES = """
from dataclasses import replace
from pentad.games.pentago.rules import GAME as PENTAGO
GAME = replace(PENTAGO, name="trial", short_form="", read_short=lambda text: None)
"""


@pytest.fixture
def trial(tmp_path, monkeypatch):
    """A game with a command of its own."""
    commands = tmp_path / "trial_game" / "commands"
    commands.mkdir(parents=True)
    (commands.parent / "__init__.py").touch()
    (commands.parent / "rules.py").write_text(RULES)
    (commands / "__init__.py").write_text(HELLO)
    (commands / "hello.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(game.PACKAGES, "trial", "trial_game")
    yield commands
    for name in [name for name in sys.modules if name.startswith("trial_game")]:
        del sys.modules[name]


def test_a_game_brings_its_commands(trial, pentad: Pentad):
    assert re.search(r"^  hello +greet somebody$", pentad("--help").out, re.MULTILINE)
    assert pentad("hello", "Ada").out == "Hello, Ada!\n"
    assert "usage: pentad hello" in pentad("help", "hello").out
    assert pentad("helo").err == "pentad: Unknown command 'helo'. Did you mean hello?\n"


def test_a_command_of_pentad_is_not_replaced(trial, pentad: Pentad):
    (trial / "__init__.py").write_text('COMMANDS = {"games": "another list", "show": "another"}\n')
    assert "another list" not in pentad("--help").out
    assert "list the games" in pentad("games", "--help").out


def test_broken_commands_are_one_line(trial, pentad: Pentad):
    (trial / "__init__.py").write_text("raise OSError('two\\nlines')\n")
    help_ = pentad("--help")
    assert help_.code == 0
    assert "  play " in help_.out
    assert "hello" not in help_.out
    assert help_.err.startswith("pentad: ")
    assert "game trial cannot be loaded: two lines\n" in help_.err


def test_games_without_commands_are_left_out():
    assert command_of_game("pentagame") is None
    assert command_of_game("pentago", "cookies") is None
    assert command_of_game("pentago", "solve").__name__ == "pentad.terminal.pentago.solve"
