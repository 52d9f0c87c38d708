"""Prompt of `pentad play GAME --prolog`: queries line by line, answered as Prolog does.

A game's module `prolog` has the class `Queries`, whose `answer(text)` returns whether a query is true, with a text, and
whose `completions` complete a word; it raises `Halted` to leave.
"""

from __future__ import annotations

from typing import Any

from pentad.game import Game, GameError
from pentad.terminal import streams

TRUE, FALSE, WRONG = 0, 1, 2


def answer_goal(kind: Game, goal: str) -> int:
    """Answer one query; returns 0 if it is true, else 1."""
    module = kind.module("prolog")
    try:
        answer = module.Queries().answer(goal)
    except module.Halted:
        return TRUE
    print(answer.text)
    return TRUE if answer.is_true else FALSE


def run_prompt(kind: Game) -> int:
    """Answer queries until `halt` or the end of the input; returns 2 if a query of a pipe could not be answered."""
    module = kind.module("prolog")
    queries, at_terminal, code = module.Queries(), streams.is_terminal(), TRUE
    if at_terminal:
        print(f"{kind.title}, as in Prolog. Type help. for the predicates, halt. to leave.\n")
    while True:
        line: str | None = ""
        try:
            line = _read(queries, at_terminal)
            if line is None:
                break
            if line.strip():
                print(queries.answer(line).text, end="\n\n" if at_terminal else "\n", flush=True)
        except module.Halted:
            break
        except GameError as error:
            streams.print_error(str(error))
            code = WRONG
        except KeyboardInterrupt:
            if not at_terminal:
                raise
            print("\n% Execution Aborted\n" if line else "")
    return TRUE if at_terminal else code


def _read(queries: Any, at_terminal: bool) -> str | None:
    """The next line; None at the end of the input."""
    return streams.prompt("?- ", queries.completions) if at_terminal else streams.read_line()
