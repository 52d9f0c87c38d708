"""`pentad play pente --prolog`: a goal as an argument, queries from a pipe, and the prompt in a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentad.games.pente.beam import options_help
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, CTRL_D, Terminal
from tests.terminal.sessions import run_sessions

PAGE = Path(__file__).parents[3] / "docs" / "beam.md"
PROMPT = ("play", "pente", "--prolog")


def test_the_page_shows_what_the_program_prints(pentad: Pentad):
    assert run_sessions(PAGE, pentad) == 3


@pytest.mark.parametrize(
    ("goal", "code", "last"),
    [
        ("start([size(7)], G), game_over(G, w).", 1, "false."),
        ("start([size(7)], game(_, P, _, _, _))", 0, "P = w."),
        ("help", 0, "true."),
        ("halt.", 0, ""),
    ],
)
def test_a_goal_as_an_argument(pentad: Pentad, goal: str, code: int, last: str):
    answer = pentad(*PROMPT, goal)
    assert (answer.code, answer.err) == (code, "")
    assert ([*answer.lines, ""][-2 if answer.out else 0]) == last
    assert answer.out.startswith(options_help()) == (goal == "help")


def test_the_line_of_the_document_as_an_argument(pentad: Pentad):
    answer = pentad(*PROMPT, "play([size(13), difficulty(1), rule(false)])", typed="G7\nquit\n")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[:2] == ["pente. white: human, black: beam-1", "1. white G7"]
    assert answer.lines[-1] == "true."


def test_queries_from_a_pipe(pentad: Pentad):
    lines = [
        "start([size(7)], G), value(G, 0).",
        "game_over($G, w).",
        "",
        "play([size(7), black(human)])",
        "D4",
        "quit",
    ]
    answer = pentad(*PROMPT, typed="\n".join([*lines, "move($G, a1, _)", "halt", "nonsense"]))
    assert (answer.code, answer.err) == (0, "")
    assert [line for line in answer.lines if not line.startswith(("G = ", "Saved as"))] == [
        "false.",
        "pente. white: human, black: human",
        "1. white D4",
        "true.",
        "% A1 is not legal. The first stone goes to the centre, D4.",
        "false.",
    ]


def test_the_defaults_of_the_document_hold_at_the_prompt(pentad: Pentad):
    assert "white: human, black: beam-3" in pentad(*PROMPT, typed="play.\nquit\n").lines[0]


def test_what_cannot_be_read_takes_one_line_and_the_next_query_is_answered(pentad: Pentad):
    typed = (
        b"play([size(13\n\xff\xfe\x00\n"
        + b"[" * 9000
        + b"\n"
        + b"a" * 20_000
        + b"\nnonsense.\nstart([size(7)], _).\nhalf("
    )
    answer = pentad(*PROMPT, typed=typed)
    assert (answer.code, answer.out) == (2, "true.\n")
    errors = answer.err.splitlines()
    assert len(errors) == 6
    assert all(error.startswith("pentad: ") for error in errors)
    assert errors[0] == "pentad: Column 14: Expected a comma or ), got the end of the line."
    assert errors[3] == "pentad: The line is longer than 10,000 characters."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("play", "pente", "--prolog", "play([size(13"), "Column 14: Expected a comma or ), got the end of the line."),
        (("play", "pente", "--prolog", "nonsense"), "Unknown predicate 'nonsense'."),
        (("play", "pente", "--prolog", "play([size(8)])"), "size must be an odd number from 7 to 25, not 8."),
        (("play", "pente", "--prolog", "--size", "13"), "--size cannot be used with --prolog."),
        (("play", "pente", "--prolog", "--white", "bot"), "--white cannot be used with --prolog."),
        (("play", "pente", "--prolog", "help", "--difficulty", "3"), "--difficulty cannot be used with --prolog."),
        (("play", "pente", "--prolog", "--lines"), "--lines cannot be used with --prolog."),
        (("play", "pente", "--prolog", "--resume"), "--resume cannot be used with"),
        (("play", "--prolog", "pente"), "Name the game before --prolog, as in: pentad play pente --prolog"),
        (("play", "pentago", "--prolog"), "Unknown option --prolog."),
    ],
)
def test_errors_take_one_line(pentad: Pentad, words: tuple[str, ...], message: str):
    answer = pentad(*words)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_the_prompt_in_a_terminal():
    with Terminal(*PROMPT, COLUMNS="120") as terminal:
        terminal.expect("Pente, as in Prolog.")
        terminal.expect("?- ")
        terminal.enter("start([size(7)], game(_, P, _, Turn, _)).")
        terminal.expect("P = w,", "Turn = 0.")
        terminal.expect("?- ")
        terminal.enter("play([size(13)")
        terminal.expect("pentad: Column 15: Expected a comma or ], got the end of the line.")
        terminal.expect("?- ")
        terminal.type("half a que")
        terminal.interrupt()  # leaves the line, not the prompt
        terminal.expect("?- ")
        terminal.enter("")  # so does an empty line
        terminal.expect("?- ")
        terminal.enter(
            "start([size(19), depth(200), width(9)], G), move(G, k10, N), move(N, k11, M), choose_move(M, X)."
        )
        terminal.works()
        terminal.type(CTRL_C)
        terminal.expect("% Execution Aborted")
        terminal.expect("?- ")
        terminal.type(CTRL_D)
        assert terminal.wait() == 0


def test_halt_leaves_the_prompt():
    with Terminal(*PROMPT) as terminal:
        terminal.expect("?- ")
        terminal.enter("halt.")
        assert terminal.wait() == 0
