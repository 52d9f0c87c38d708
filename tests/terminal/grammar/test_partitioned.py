"""`pentad grammar explore --scratch`: its results, what cannot be combined with it, and what Ctrl-C leaves."""

import json
import re

import pytest

from pentad.grammar.models import new
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, Terminal


@pytest.fixture
def small(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new("pentago", rows=1, cols=2, block=2, line=3, iso=False).save(tmp_path / "small.gps")
    return "small.gps"


@pytest.mark.slow
def test_states_are_counted_with_files(pentad: Pentad, small, tmp_path):
    answer = pentad("grammar", "explore", small, "--scratch", "files", "--memory", "20MB")
    assert answer.code == 0, answer.err
    assert answer.lines[0] == "6,505 states, 16,171 transitions, 43 final"
    assert re.fullmatch(r"1 process: \d+\.\d\d s, [\d,]+ states/s; 26 levels", answer.lines[1])
    assert not list((tmp_path / "files").iterdir())


def test_a_depth_can_be_continued(pentad: Pentad, small, tmp_path):
    near = json.loads(pentad("grammar", "explore", small, "--scratch", "files", "--depth", "3", "--json").out)
    (folder,) = (tmp_path / "files").iterdir()
    assert (near["stopped"], near["folder"], near["open"]) == ("depth", str(folder), near["levels"][-1])
    words = pentad("grammar", "explore", small, "--scratch", "files", "--depth", "4", "--iso", "no").lines
    assert words[-2].startswith("stopped by --depth; ")
    assert str(folder) in words[-1]
    far = json.loads(pentad("grammar", "explore", small, "--scratch", "files", "--json").out)
    assert (far["states"], far["stopped"], far["folder"]) == (6505, "", None)


@pytest.mark.slow
def test_ctrl_c_says_how_to_continue(tmp_path):
    new("pentago", rows=2, cols=2, block=2, line=3, iso=False).save(tmp_path / "large.gps")
    words = ("grammar", "explore", str(tmp_path / "large.gps"), "--scratch", str(tmp_path / "files"), "--farm", "2")
    with Terminal(*words, columns=160) as terminal:
        terminal.expect(" open")
        terminal.type(CTRL_C)
        for text in ("stopped by Ctrl-C; ", "not explored", "The files are in "):
            terminal.expect(text)
        assert terminal.wait() == 130
    assert list((tmp_path / "files").iterdir())


# ── solving ──────────────────────────────────────────────────────────────────────────────────────


def test_a_game_is_solved_with_files(pentad: Pentad, small, tmp_path):
    answer = pentad("grammar", "solve", small, "--scratch", "files", "--memory", "20MB")
    assert answer.code == 0, answer.err
    assert answer.lines[0] == "6,505 states, 16,171 transitions, 43 final"
    assert re.fullmatch(r"solved: \d+\.\d\d s, [\d,]+ states/s", answer.lines[2])
    assert answer.lines[3].endswith("2,104 won, 2,284 drawn, 2,117 lost")
    assert answer.lines[4:] == ["start: n1 wins"]
    assert not list((tmp_path / "files").iterdir())
    here = json.loads(pentad("grammar", "solve", small, "--json").out)["solution"]
    found = json.loads(pentad("grammar", "solve", small, "--scratch", "files", "--json").out)["solution"]
    assert {key: here[key] for key in found if key != "seconds"} == {
        key: found[key] for key in found if key != "seconds"
    }
