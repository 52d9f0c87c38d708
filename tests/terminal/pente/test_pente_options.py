"""`pentad play pente`: the options of the document on the command line."""

from __future__ import annotations

import io
import sys

import pytest

from pentad.terminal import main


@pytest.fixture
def typed(capsys, monkeypatch):
    """Runs `pentad play pente` with these arguments; returns the exit code, the output and the errors."""

    def run(words, lines="quit\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main(["play", "pente", *words.split()])
        return code, *capsys.readouterr()

    return run


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("words", "seats"),
    [
        ("", "white: human, black: engine@medium"),
        ("--size 13 --difficulty 1 --no-tournament-rule --flip", "white: human, black: beam-1"),
        ("--board-size 13 --difficulty 5 --no-rule --flip-board", "white: human, black: beam-5"),
        ("--rule --depth 4 --padding 1 --width 4,3", "white: human, black: beam:depth=4,padding=1,width=4-3"),
        ("--black human --difficulty 2", "white: beam-2, black: human"),
        ("--black bot", "white: human, black: beam-3"),
        ("--white greedy --black bot --width 2", "white: greedy, black: beam:width=2"),
        ("--white human --black human", "white: human, black: human"),
        ("--seat 1=bot --difficulty 4", "white: human, black: beam-4"),
        ("--white beam@2", "white: beam@2, black: human"),
    ],
)
def test_seats(typed, words, seats):
    code, out, err = typed(words)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"pente. {seats}"


def boards_seen(out):
    """For each printed 7 × 7 board, whether it is seen from Black's side."""
    rows = [line.split()[0] for line in out.splitlines() if "┼" in line or "┬" in line or "┴" in line]
    boards = ["".join(rows[i : i + 7]) for i in range(0, len(rows), 7)]
    return [{"7654321": False, "1234567": True}[board] for board in boards]


def test_the_board_is_that_of_the_options(typed):
    _, out, _ = typed("--board-size 7 --white human --black human --no-rule --flip-board", "board\nD4\nboard\n")
    assert "pente size=7 opening=centre" in out or "pente size=7 tournament_rule=false" in out
    assert boards_seen(out) == [False, True]


@pytest.mark.parametrize(
    ("words", "lines", "seen"),
    [
        ("--flip", "board\nD4\nboard\nD5\nboard\nundo\nboard", [False, True, False, True]),
        ("", "board\nD4\nboard", [False, False]),
        ("--flip", "flip\nD4\nboard\nflip", [True, False, True]),  # the command rotates the board
        ("", "flip\nD4\nboard", [True, True]),
        ("--flip", "D4\nresign\nboard", [True]),
        # In swap2 the colours may change seats; the board is rotated on Black's turns.
        ("--flip --opening swap2", "board\nA1\nboard\nA1 B2 C3\nboard\nblack\nboard\nA2\nboard", [0, 0, 1, 1, 0]),
        ("--flip --opening swap2", "A1 B2 C3\nwhite\nboard\nA2\nboard", [1, 0]),
    ],
)
def test_the_board_turns_while_black_is_to_move(typed, words, lines, seen):
    code, out, _ = typed(f"--size 7 --no-rule --white human --black human {words}", lines)
    assert code == 0
    assert boards_seen(out) == seen


def test_help_describes_flip(typed, capsys):
    assert "while black is to move" in typed("--help")[1]
    assert main(["play", "pentago", "--help"]) == 0
    assert "show the board from the other side" in capsys.readouterr().out


def test_a_saved_game_continues_with_its_bot(typed):
    _, out, _ = typed("--size 7 --depth 0 --no-rule", "D4\nquit\n")
    code, out, err = typed("--resume", "quit\n")
    assert (code, err) == (0, "")
    assert "black: beam:depth=0" in out
    code, _, err = typed("--resume --difficulty 2", "quit\n")
    assert code == 2
    assert "needs a seat with a bot" in err


def test_help_lists_the_settings(typed):
    code, out, _ = typed("--help")
    assert code == 0
    for each in ("--difficulty D", "--depth D", "--padding P", "--width W", "--board-size", "--rule", "--flip-board"):
        assert each in out
