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


def test_minimise_as_json(pentad: Pentad) -> None:
    data = json.loads(pentad("grammar", "minimise", "tea.aut", "--weak", "--hide", "coin", "--json").out)
    assert data == {
        "file": "tea.aut",
        "states": 4,
        "transitions": 4,
        "final": 0,
        "bisimulation": "weak",
        "minimised": {"states": 2, "transitions": 1, "final": 0},
    }


def test_what_minimise_refuses(pentad: Pentad, folder: Path) -> None:
    (folder / "large.aut").write_text("des (0,100000000,100000000)\n", encoding="utf-8")
    for arguments, message in (
        (("tea.aut", "--depth", "3"), "--depth needs a grammar; tea.aut is a transition system."),
        (("tea.aut", "--hide", "milk"), "--hide: Unknown rule or label 'milk'. Known: coin, tea."),
        (("none.aut",), "none.aut: No such file or directory"),
        (("tea.aut", "--weak", "--branching"), "--branching cannot be used with --weak."),
        (("tea.aut", "-o", "tea.aut"), "tea.aut already exists. Use --force to replace it."),
        (("large.aut", "--memory", "1G"), "large.aut, line 1: 100,000,000 states and 100,000,000 transitions are too"),
    ):
        done = pentad("grammar", "minimise", *arguments)
        assert done.code == 2
        assert message in done.err
        assert done.out == ""


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
    assert done.lines[2:] == [
        "not equivalent by strong bisimulation: they differ after 2 steps",
        "holds in the first only: <coin> <'tea'> true",
    ]
    data = json.loads(pentad("grammar", "compare", "tea.aut", "milk.aut", "--json").out)
    assert [each["file"] for each in data.pop("systems")] == ["tea.aut", "milk.aut"]
    formula = data.pop("formula")
    assert data == {"bisimulation": "strong", "equivalent": False, "depth": 2, "why": ""}
    assert ctl.check(formula, read(folder / "tea.aut")).holds
    assert not ctl.check(formula, read(folder / "milk.aut")).holds
    hidden = pentad("grammar", "compare", "tea.aut", "milk.aut", "--weak", "--hide", "tea", "--hide", "milk")
    assert (hidden.code, hidden.lines[2]) == (0, "equivalent by weak bisimulation")


def test_compare_systems_that_are_not_explored(pentad: Pentad, folder: Path) -> None:
    new("ferry", cabbages=2).save(folder / "two.gps")
    done = pentad("grammar", "compare", "ferry.gps", "two.gps", "--depth", "1")
    assert done.code == 0
    assert done.lines[-2:] == [
        "equivalent by strong bisimulation",
        "as far as was explored: ferry.gps and two.gps",
    ]
    missing = pentad("grammar", "compare", "ferry.gps", "none.aut")
    assert (missing.code, missing.err) == (2, "pentad: none.aut: No such file or directory\n")


def test_check_a_system_in_a_file(pentad: Pentad) -> None:
    done = pentad("grammar", "check", "tea.aut", "AX tea", "<coin> <tea> true", "--ltl", "F tea")
    assert (done.code, done.err) == (0, "")
    assert done.lines == [
        "tea.aut: 4 states, 4 transitions, 0 final",
        "AX tea holds; true in 2 of 4 states",
        "<coin> <tea> true holds; true in 1 of 4 states",
        "F tea holds",
    ]
    wrong = pentad("grammar", "check", "tea.aut", "AG coin", "--json")
    assert wrong.code == 1
    (verdict,) = json.loads(wrong.out)["verdicts"]
    assert (verdict["holds"], verdict["witness"]["steps"][0]["action"]) == (False, "coin")
    nothing = pentad("grammar", "check", "tea.aut")
    assert (nothing.code, nothing.err) == (
        2, "pentad: Expected a formula: a transition system has no invariants.\n"
    )  # fmt: skip


def test_export_a_system(pentad: Pentad, folder: Path) -> None:
    assert pentad("grammar", "export", "tea.aut", "tea.fsm").lines == ["tea.fsm: tea.aut as fsm"]
    assert pentad("grammar", "export", "tea.fsm", "-", "--to", "tra").lines == [
        "4 5", "0 1 0.5", "0 2 0.5", "1 3 1.0", "2 3 1.0", "3 3 1.0",
    ]  # fmt: skip
    assert pentad("grammar", "export", "tea.fsm", "again.aut").code == 0
    assert read(folder / "again.aut").transitions == 4
    for arguments, message in (
        (("tea.aut", "tea.pdf"), "Unknown format 'pdf'. The formats of transition systems are: aut, gxl,"),
        (("tea.aut", "tea.fsm"), "tea.fsm already exists. Use --force to replace it."),
    ):
        done = pentad("grammar", "export", *arguments)
        assert (done.code, message in done.err) == (2, True)


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
    assert (wrong.code, wrong.err) == (2, "pentad: eat: The weight 'x' is not a positive number.\n")


def test_statistics(pentad: Pentad) -> None:
    lines = pentad("grammar", "show", "tea.aut").lines
    assert lines == [
        "tea.aut: 4 states, 4 transitions, 0 final",
        "out-degree: 0 to 2, 1.00 on average; 1.33 where it is not 0",
        "states by out-degree: 1 2 1",
        "states by depth: 1 2 1",
        "deadlocks: 1",
        "strongly connected components: 4, the largest of 1 state; 0 states on cycles",
        "states with two transitions of one label: 1",
        "transitions by action: coin 2, tea 2",
    ]
    data = json.loads(pentad("grammar", "show", "tea.aut", "--json").out)
    assert (data["degrees"], data["depths"], data["actions"]) == ([1, 2, 1], [1, 2, 1], {"coin": 2, "tea": 2})
    explored = pentad("grammar", "explore", "ferry.gps", "--statistics")
    assert explored.lines[-1] == "transitions by action: carry 38, cross 28, eat 10, allAcross 8"
    data = json.loads(pentad("grammar", "explore", "ferry.gps", "--statistics", "--json").out)
    assert sum(data["statistics"]["depths"]) == 36
    part = pentad("grammar", "show", "tea.aut", "coin")
    assert (part.code, part.err) == (2, "pentad: tea.aut is a transition system, which has no parts.\n")


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
    monkeypatch.setattr(draw, "MOST_EXPLORED", 20)
    for arguments, message in (
        (("chain.aut",), "A picture can show at most 200 states; there are 301, and 301 up to strong bisimulation."),
        (("ferry.gps", "states"), "A picture can show at most 200 states; there are more than 20. Use --depth N"),
        (("ring.aut", "start"), "ring.aut is a transition system, which has no parts"),
        (("ring.aut", "--hide", "b"), "--hide: Unknown rule or label 'b'. Known: a."),
    ):
        done = pentad("grammar", "draw", *arguments)
        assert (done.code, message in done.err) == (2, True)
