"""`pentad grammar minimise` and other commands that work with transition systems, of grammars and in files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pentad.grammar.files.exports import read
from pentad.grammar.logic import ctl
from pentad.grammar.models import new
from pentad.terminal.grammar import draw
from tests.terminal.conftest import Pentad


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tests work, with the ferry's grammar and a system in a file."""
    monkeypatch.chdir(tmp_path)
    new("ferry").save(tmp_path / "ferry.gps")
    (tmp_path / "tea.aut").write_text(
        'des (0, 4, 4)\n(0,"coin",1)\n(0,"coin",2)\n(1,"tea",3)\n(2,"tea",3)\n', encoding="utf-8"
    )
    return tmp_path


def test_minimise_a_grammar(pentad: Pentad, folder: Path) -> None:
    lines = pentad("grammar", "minimise", "ferry.gps", "-o", "small.aut").lines
    assert lines[0] == "36 states, 84 transitions, 0 final, isomorphic states merged"
    assert lines[2:] == [
        "minimised by strong bisimulation: 32 states, 72 transitions, 0 final",
        "written to small.aut",
    ]
    small = read(folder / "small.aut")
    assert (small.states, small.transitions) == (32, 72)
    again = pentad("grammar", "minimise", "small.aut", "-o", "small.aut", "--force").lines
    assert again == [
        "small.aut: 32 states, 72 transitions, 0 final",
        "minimised by strong bisimulation: 32 states, 72 transitions, 0 final",
        "written to small.aut",
    ]


def test_compare_a_grammar_with_a_file(pentad: Pentad) -> None:
    pentad("grammar", "minimise", "ferry.gps", "-o", "small.aut")
    for kind in ((), ("--branching",), ("--weak", "--hide", "cross")):
        same = pentad("grammar", "compare", "ferry.gps", "small.aut", *kind)
        assert (same.code, same.err) == (0, "")
        assert same.lines[0] == "ferry.gps:"
        assert same.lines[1] == "36 states, 84 transitions, 0 final, isomorphic states merged"
        assert same.lines[3] == "small.aut: 32 states, 72 transitions, 0 final"
        assert same.lines[4].startswith("equivalent by ")


def test_compare_different_systems(pentad: Pentad, folder: Path) -> None:
    (folder / "milk.aut").write_text('des (0, 2, 3)\n(0,"coin",1)\n(1,"milk",2)\n', encoding="utf-8")
    done = pentad("grammar", "compare", "tea.aut", "milk.aut")
    assert (done.code, done.err) == (1, "")
    data = json.loads(pentad("grammar", "compare", "tea.aut", "milk.aut", "--json").out)
    assert [each["file"] for each in data.pop("systems")] == ["tea.aut", "milk.aut"]
    formula = data.pop("formula")
    assert data == {"bisimulation": "strong", "equivalent": False, "depth": 2, "why": ""}
    assert ctl.check(formula, read(folder / "tea.aut")).holds
    assert not ctl.check(formula, read(folder / "milk.aut")).holds
    hidden = pentad("grammar", "compare", "tea.aut", "milk.aut", "--weak", "--hide", "tea", "--hide", "milk")
    assert (hidden.code, hidden.lines[2]) == (0, "equivalent by weak bisimulation")


def test_check_a_system_in_a_file(pentad: Pentad) -> None:
    wrong = pentad("grammar", "check", "tea.aut", "AG coin", "--json")
    assert wrong.code == 1
    (verdict,) = json.loads(wrong.out)["verdicts"]
    assert (verdict["holds"], verdict["witness"]["steps"][0]["action"]) == (False, "coin")


def test_export_a_system(pentad: Pentad, folder: Path) -> None:
    assert pentad("grammar", "export", "tea.aut", "tea.fsm").code == 0
    assert pentad("grammar", "export", "tea.fsm", "again.aut").code == 0
    assert read(folder / "again.aut").transitions == 4


def test_several_files_and_weights(pentad: Pentad, folder: Path) -> None:
    grammar = new("ferry")
    grammar.rules["eat"].attributes["weight"] = "3"
    grammar.save(folder / "heavy.gps")
    done = pentad("grammar", "explore", "heavy.gps", "-o", "a.tra", "-o", "a.lab", "--json")
    assert json.loads(done.out)["files"] == ["a.tra", "a.lab"]
    assert pentad("grammar", "explore", "ferry.gps", "-o", "b.tra").code == 0
    heavy, even = ((folder / name).read_text(encoding="utf-8").splitlines() for name in ("a.tra", "b.tra"))
    assert heavy[0] == even[0]
    assert heavy != even
    grammar.rules["eat"].attributes["weight"] = "x"
    grammar.save(folder / "wrong.gps")
    wrong = pentad("grammar", "explore", "wrong.gps", "-o", "c.tra")
    assert wrong.code == 2
    assert "eat: The weight 'x'" in wrong.err


def test_statistics(pentad: Pentad) -> None:
    data = json.loads(pentad("grammar", "show", "tea.aut", "--json").out)
    assert (data["degrees"], data["depths"], data["actions"]) == ([1, 2, 1], [1, 2, 1], {"coin": 2, "tea": 2})
    explored = pentad("grammar", "explore", "ferry.gps", "--statistics")
    assert explored.lines[-1] == "transitions by action: carry 38, cross 28, eat 10, allAcross 8"
    data = json.loads(pentad("grammar", "explore", "ferry.gps", "--statistics", "--json").out)
    assert sum(data["statistics"]["depths"]) == 36


def test_pictures_of_quotients(pentad: Pentad, folder: Path) -> None:
    plain = pentad("grammar", "draw", "tea.aut").out
    assert "4 states, 4 transitions" in plain
    assert "merged" not in plain
    small = pentad("grammar", "draw", "tea.aut", "states", "--quotient").out
    assert "3 states, 2 transitions" in small
    assert "4 states and 4 transitions, merged by strong bisimulation" in small
    assert ">2 states<" in small
    weak = pentad("grammar", "draw", "ferry.gps", "states", "--weak", "--hide", "cross", "-o", "weak.svg")
    assert weak.lines == ["weak.svg"]
    assert "36 states and 84 transitions, merged by weak bisimulation" in (folder / "weak.svg").read_text("utf-8")


def test_a_large_system_is_drawn_minimised(pentad: Pentad, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = "".join(f'({state},"a",{(state + 1) % 300})\n' for state in range(300))
    (folder / "ring.aut").write_text(f"des (0,300,300)\n{ring}", encoding="utf-8")
    assert "300 states and 300 transitions, merged by strong bisimulation" in pentad("grammar", "draw", "ring.aut").out
    chain = "".join(f'({state},"a",{state + 1})\n' for state in range(300))
    (folder / "chain.aut").write_text(f"des (0,300,301)\n{chain}", encoding="utf-8")
    monkeypatch.setattr(draw, "MAX_STATES", 20)
    for arguments, message in (
        (("chain.aut",), "there are 301, and 301"),
        (("ferry.gps", "states"), "more than 20. Use --depth N"),
    ):
        done = pentad("grammar", "draw", *arguments)
        assert (done.code, message in done.err) == (2, True)
