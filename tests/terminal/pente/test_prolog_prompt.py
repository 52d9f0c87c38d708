"""`pentad play pente --prolog`: a goal as an argument, queries from a pipe, and the prompt in a terminal."""

from __future__ import annotations

from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, CTRL_D, Terminal

PROMPT = ("play", "pente", "--prolog")


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
    assert "Column 14" in errors[0]
    assert "10,000 characters" in errors[3]


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
