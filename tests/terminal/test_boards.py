"""The board as a list in words, for screen readers and small windows."""

from __future__ import annotations

from pathlib import Path

import pytest

import pentad as library
from pentad.game import names
from pentad.record import Record
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import Terminal

SEATS = {"pentago": ("black", "white"), "pente": ("white", "black"), "pentagame": ("circle", "square")}


def typed(*lines: str) -> str:
    return "\n".join((*lines, "quit")) + "\n"


@pytest.mark.parametrize("name", names())
def test_every_game_has_a_list(name: str) -> None:
    position = library.new(name)
    lines = position.listing()
    assert [line.split(":")[0].lower() for line in lines[:2]] == list(SEATS[name])
    status = next(text for line in position.spans() for text, kind in line if kind == "status")
    assert lines[-1] == status.strip()
    assert all(line == line.strip() and "\n" not in line for line in lines)


def test_the_list_command_while_playing(pentad: Pentad) -> None:
    hot_seat = ("play", "pentago", "--black", "human", "--white", "human")
    answer = pentad(*hot_seat, typed=typed("a2 1C", "list", "board", "list"))
    black = next(line for line in library.new("pentago").play("a2 1C").listing() if line.startswith("Black"))
    assert answer.lines.count(black) == 2  # `list` and `board` show one each, until `list` turns it off
    assert sum("┌───1" in line for line in answer.lines) == 1
    assert pentad(*hot_seat, "--list", typed=typed("board")).lines[1] == "Black: no marbles."


def test_the_list_after_a_partial_turn(pentad: Pentad) -> None:
    hot_seat = ("play", "pentagame", "--circle", "human", "--square", "human", "--list")
    answer = pentad(*hot_seat, typed=typed("3-5", "board"))
    assert "Still to be put: the black block." in answer.lines


def test_show_prints_a_list(pentad: Pentad, tmp_path: Path) -> None:
    record = Record("pentagame")
    record.play("3-5 522")
    file = tmp_path / "game.pentad"
    file.write_text(record.text)
    answer = pentad("show", str(file), "--list")
    assert (answer.code, answer.err) == (0, "")
    assert "\n".join(record.position.listing()) in answer.out
    assert "██" not in answer.out
    assert "██" in pentad("show", str(file)).out


def test_colours_as_an_option(pentad: Pentad) -> None:
    hot_seat = ("play", "pentagame", "--circle", "human", "--square", "human")
    answer = pentad(*hot_seat, "--colours", "navy,pink,purple,lime,brown", typed=typed("pink-211", "list"))
    assert answer.err == ""
    assert any("pink on the 1st stop from the purple corner" in line for line in answer.lines)


@pytest.mark.slow
def test_a_narrow_window_gets_the_list() -> None:
    words = ("play", "pentagame", "--circle", "human", "--square", "human")
    with Terminal(*words, columns=70, rows=20) as terminal:
        terminal.expect("This window is too narrow for the board, which needs 79 columns.")
        terminal.expect("Gray blocks: 5 in the pool")
        terminal.expect("circle> ")
    with Terminal(*words, columns=80, rows=40) as terminal:
        terminal.expect("■W●W")
        terminal.expect("circle> ")
        terminal.enter("3-5")
        terminal.expect("to be put")
        terminal.expect("Type moves to list them.")
