"""`--python FILE`: operations, filters and an oracle of a user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentad.grammar import Grammar, Graph
from tests.terminal.conftest import Pentad

FUNCTIONS = """
from __future__ import annotations
from typing import NamedTuple

class Price(NamedTuple):
    cents: int

    def doubled(self) -> int:
        return 2 * self.cents

def half(number: int) -> int:
    return number // 2

operations = [half, Price]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def piles(folder: Path) -> str:
    """A pile of 12, halved while it is there: 12, 6, 3, 1, 0."""
    grammar = Grammar("piles", {"start": Graph("start")}, {"halve": Graph("halve", "rule")})
    grammar.graphs["start"].node("type:Pile", "let:stones = 12")
    grammar.rules["halve"].node("type:Pile", "test:stones > 0", "let:stones = half(stones)")
    grammar.save(folder / "piles.gps")
    return "piles.gps"


def test_operations_of_a_file(pentad: Pentad, piles: str, folder: Path):
    (folder / "functions.py").write_text(FUNCTIONS, encoding="utf-8")
    answer = pentad("grammar", "explore", piles, "--python", "functions.py")
    assert answer.lines[0].startswith("5 states, 4 transitions, 1 final")
    answer = pentad("grammar", "check", piles, "EF !halve", "--python", "functions.py")
    assert answer.code == 0
    assert "EF !halve holds" in answer.out
    assert pentad("grammar", "check", piles, "--python", "functions.py").code == 0
    answer = pentad("grammar", "simulate", piles, "--python", "functions.py", typed="halve\n")
    assert "–stones→ int:6" in answer.out
    answer = pentad("grammar", "draw", piles, "states", "--python", "functions.py")
    assert answer.out.startswith("<svg")


def test_without_the_file_it_is_refused(pentad: Pentad, piles: str):
    answer = pentad("grammar", "explore", piles)
    assert (answer.code, answer.out) == (2, "")
    assert "Unknown operator 'half'" in answer.err


def test_filters_and_an_oracle(pentad: Pentad, folder: Path):
    grammar = Grammar("ask", {"start": Graph("start")}, {"ask": Graph("ask", "rule")})
    for name in ("a", "b"):
        grammar.graphs["start"].node("type:A", f'let:name = "{name}"')
    rule = grammar.rules["ask"]
    value = rule.node("int:", "ask:0")
    rule.edge(rule.node("type:A", "not:flag:done", "new:flag:done"), "new:n", value)
    rule.attributes["matchFilter"] = "java:only.Some"
    grammar.save(folder / "ask.gps")
    text = "filters = {'java:only.Some': lambda graph, match: True}\ndef oracle(rule, kind):\n    return 7\n"
    (folder / "functions.py").write_text(text, encoding="utf-8")
    assert pentad("grammar", "explore", "ask.gps").code == 2
    assert pentad("grammar", "explore", "ask.gps", "--python", "functions.py").lines[0].startswith("4 states, 4 tr")


REFUSED = {
    "no file": (None, "Cannot read functions.py: No such file."),
    "half a file": ("def half(", "functions.py: SyntaxError: '(' was never closed"),
    "an error": ("\n1 / 0", "functions.py, line 2: ZeroDivisionError: division by zero"),
    "an end": ("raise SystemExit(3)", "functions.py, line 1: SystemExit: 3"),
    "nothing": ("x = 1", "functions.py defines neither operations, filters nor oracle"),
    "operations": ("operations = [1]", "functions.py: operations must be a list of functions and classes"),
    "filters": (
        "filters = [len]",
        "functions.py: filters must be a dictionary of functions, with the names",
    ),
    "an oracle": ("oracle = 7", "functions.py: oracle must be a function of a rule's name and a type"),
    "no annotation": ("operations = [lambda a: a]", "must annotate a with int, float, str, bool"),
    "null bytes": ("\0", "Error: source code string cannot contain null bytes"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str, pentad: Pentad, piles: str, folder: Path):
    text, message = REFUSED[case]
    if text is not None:
        (folder / "functions.py").write_text(text, encoding="utf-8")
    answer = pentad("grammar", "explore", piles, "--python", "functions.py")
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_a_file_of_another_kind_is_refused(pentad: Pentad, piles: str):
    answer = pentad("grammar", "explore", piles, "--python", piles)
    assert answer.err == "pentad: piles.gps is not a Python file (.py).\n"
