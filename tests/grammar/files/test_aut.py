"""Aldebaran files: round trips, both kinds of labels, marks, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from pentad.grammar.files import aut, exports
from pentad.grammar.files.lts_reader import action_of
from pentad.grammar.graph import GrammarError
from pentad.grammar.lts import Lts, label
from tests.cases import together
from tests.grammar.files.test_exports import small, systems, texts
from tests.properties import properties


def transitions(lts: Lts) -> list[tuple[int, str, int]]:
    return [(each.source, each.label, each.target) for each in lts]


@properties(100)
@given(systems())
def test_round_trip(lts: Lts) -> None:
    for marks in (False, True):
        again = aut.read(exports.aut(lts, marks).split("\n"))
        assert again.states == lts.states
        assert transitions(again) == transitions(lts)
        assert again.final == (lts.final if marks else set())
        assert exports.aut(again, marks) == exports.aut(lts, marks)


@given(texts)
def test_a_label_as_an_action_with_arguments_keeps_its_text(text: str) -> None:
    assert label(*action_of(text)) == text


@together(
    "text, parts",
    [
        ("go", ("go", ())),
        ("go()", ("go", ("",))),
        ("go(n1,n2)", ("go", ("n1", "n2"))),
        ('say("a, b",f(x,y),[1,2])', ("say", ('"a, b"', "f(x,y)", "[1,2]"))),
        ("GET !1 !TRUE", ("GET !1 !TRUE", ())),
        ("f(x)g(y)", ("f(x)g(y)", ())),
        ("f(x", ("f(x", ())),
        ("f(')", ("f", ("'",))),
    ],
)
def test_labels_as_actions(text: str, parts: tuple[str, tuple[str, ...]]) -> None:
    assert action_of(text) == parts


def test_both_kinds_of_labels_and_blanks() -> None:
    lines = [
        "des(0, 5 ,3)\r\n",
        "\n",
        '(0,"a b",1)\r\n',
        " ( 1 , GET !1, 2 )\n",
        '(2,"x",0)',
        "(2,f(a,b),0)",
        "(0,i,0)",
    ]
    lts = aut.read(lines)
    assert transitions(lts) == [(0, "a b", 1), (1, "GET !1", 2), (2, "x", 0), (2, "f(a,b)", 0), (0, "i", 0)]


def test_the_start_becomes_state_0() -> None:
    lts = aut.read(["des (2, 3, 3)", '(2,"a",0)', '(0,"b",1)', '(1,"$final",1)'])
    assert transitions(lts) == [(0, "a", 2), (2, "b", 1)]
    assert lts.final == {1}


HEAD = "des (0, 1, 2)"


@together(
    ("lines", "message"),
    [
        ([], "line 1: Expected des (START, TRANSITIONS, STATES), got ''."),
        (["des (0, 1)"], "line 1: Expected des (START, TRANSITIONS, STATES), got 'des (0, 1)'."),
        (["des (0, -1, 2)"], "line 1: Expected des (START, TRANSITIONS, STATES)"),
        (["des (2, 0, 2)"], "line 1: The start 2 is not one of 2 states."),
        (["des (0, 0, 0)"], "line 1: The start 0 is not one of 0 states."),
        (["des (0, 1, 99999999999)"], "line 1: 99,999,999,999 states and 1 transitions are too many"),
        (["des (0, 999999999999999, 2)"], "line 1: 2 states and 999,999,999,999,999 transitions are too many"),
        ([HEAD], "The file is incomplete: it has 0 of 1 transitions."),
        ([HEAD, '(0,"a",1)', '(0,"a",1)'], "The file is incomplete: it has 2 of 1 transitions."),
        ([HEAD, '(0,"a",2)'], "line 2: State 2 is not one of 2 states."),
        ([HEAD, '(0,"a",1'], "line 2: Expected (SOURCE, LABEL, TARGET), got '(0,\"a\",1'."),
        ([HEAD, '(0,"a",one)'], "line 2: Expected (SOURCE, LABEL, TARGET)"),
        ([HEAD, "(0,,1)"], "line 2: Expected (SOURCE, LABEL, TARGET)"),
        ([HEAD, f"({'9' * 30},a,1)"], "line 2: Expected (SOURCE, LABEL, TARGET)"),
        ([HEAD, "(" * 100_000], "line 2: Expected (SOURCE, LABEL, TARGET)"),
        ([HEAD, "PK\x03\x04"], "line 2: Expected (SOURCE, LABEL, TARGET)"),
    ],
)
def test_damaged_files_are_refused(lines: list[str], message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        aut.read(lines)
    assert str(caught.value).startswith(message)


def test_a_limit_of_memory() -> None:
    with pytest.raises(GrammarError, match=r"^line 1: 10 states and 100 transitions"):
        aut.read(["des (0, 100, 10)"], memory=1000)


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for ending in exports.READERS:
        exports.write(small(), tmp_path / f"a.{ending}")
        assert transitions(exports.read(tmp_path / f"a.{ending}")) == transitions(small())
    (tmp_path / "b.aut").write_bytes(b"des (0,0,1)\n\xff\n")
    with pytest.raises(GrammarError, match=r"^b\.aut, line 2: .* UTF-8"):
        exports.read(tmp_path / "b.aut")
    monkeypatch.setattr(exports, "MAX_LINE_BYTES", 1 << 20)
    (tmp_path / "b.aut").write_bytes(b"des (0,0,1)" + b" " * 2_000_000)
    with pytest.raises(GrammarError, match=r"^b\.aut, line 1: .* 1,048,576 bytes"):
        exports.read(tmp_path / "b.aut")
    with pytest.raises(GrammarError, match=r"^c\.aut: No such file or directory\.$"):
        exports.read(tmp_path / "c.aut")
    with pytest.raises(GrammarError, match=r"^c\.xyz: .* formats: aut,"):
        exports.read(tmp_path / "c.xyz")
