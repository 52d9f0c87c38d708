"""Transition systems in FSM, GXL, PRISM and GraphML: round trips, what other programs read, and what is refused."""

from __future__ import annotations

import itertools
import math
from array import array
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.files import exports, fsm, prism
from pentad.grammar.files.exports import READERS, SYSTEM_FORMATS
from pentad.grammar.graph import GrammarError
from pentad.grammar.lts import Lts
from pentad.grammar.models import new
from tests.cases import together
from tests.grammar.files.test_exports import small, systems
from tests.grammar.logic.test_bisimulation import system
from tests.properties import properties


def transitions(lts: Lts) -> list[tuple[int, str, int]]:
    return [(each.source, each.label, each.target) for each in lts]


def lines_of(lts: Lts, kind: str) -> list[str]:
    return list(SYSTEM_FORMATS[kind](lts, "x", False))


def printable(lts: Lts) -> Lts:
    """The system with only such characters as XML allows."""

    def clean(text: str) -> str:
        return "".join(sign if sign.isprintable() or sign in "\t\n\r" else "?" for sign in text)

    broken = {state: tuple(map(clean, rules)) for state, rules in lts.broken.items()}
    return replace(
        lts, labels=[(clean(action), tuple(map(clean, arguments))) for action, arguments in lts.labels], broken=broken
    )


# ── reading what was written ─────────────────────────────────────────────────────────────────────


@properties(100)
@given(systems())
def test_fsm_round_trip(lts: Lts) -> None:
    for state, rules in lts.broken.items():
        lts.broken[state] = tuple(sorted({"a.b", "c"[: len(rules)]}))
    lines = lines_of(lts, "fsm")
    again = fsm.read(lines)
    assert (again.states, transitions(again)) == (lts.states, transitions(lts))
    assert (again.final, again.open, again.broken) == (lts.final, lts.open, lts.broken)
    assert lines_of(again, "fsm") == lines


@properties(100)
@given(systems())
def test_gxl_round_trip(lts: Lts) -> None:
    lts = printable(lts)
    lines = lines_of(lts, "gxl")
    again = READERS["gst"](lines, None)
    assert (again.states, sorted(transitions(again))) == (lts.states, sorted(transitions(lts)))
    assert (again.final, again.open) == (lts.final, lts.open)


def test_a_file_of_another_program() -> None:
    """In GXL, names and order of the nodes are free, and the start may come last."""
    text = """<gxl><graph id="lts" role="graph" edgeids="false" edgemode="directed">
        <node id="b"/><node id="a"/>
        <edge from="a" to="a"><attr name="label"><string>$start</string></attr></edge>
        <edge from="b" to="b"><attr name="label"><string>$final</string></attr></edge>
        <edge from="a" to="b"><attr name="label"><string>go(1)</string></attr></edge>
    </graph></gxl>"""
    lts = READERS["gxl"]([text], None)
    assert (transitions(lts), lts.final) == ([(0, "go(1)", 1)], {1})
    bare = READERS["gxl"]([text.replace("$start", "start").replace("$final", "final")], None)
    assert (transitions(bare), bare.final) == ([(0, "go(1)", 1)], {1})
    mixed = READERS["gxl"]([text.replace("$final", "final")], None)
    assert (transitions(mixed), mixed.final) == ([(1, "final", 1), (0, "go(1)", 1)], set())


def test_fsm_of_another_program() -> None:
    lines = (
        'b(2) Bool # Bool -> Nat  "F" "T"\nopen(3) Nat "0" "1" "2"\nn(0) Nat\n---\n0 1\n1 2\n---\n1 2 "up"\n2 1 down\n'
    )
    lts = fsm.read(lines.splitlines())
    assert (lts.states, transitions(lts), lts.open) == (2, [(0, "up", 1), (1, "down", 0)], set())
    assert fsm.read(["---", "", "", "---", '1 2 "a b"']).states == 2


@together(
    ("lines", "message"),
    [
        ([], "The file is incomplete: it has no ---."),
        (["---"], "The file is incomplete: it has no second ---."),
        (["---", "---"], "The system has no states."),
        (["x"], "line 1: Expected a parameter or ---, got 'x'."),
        (["b(2) Bool F T"], ""),
        (["---", "a"], "line 2: Expected the values of a state, got 'a'."),
        (["---", "0", "---", "1 2 a"], "line 4: State 1 is not one of 1 states."),
        (["---", "0", "---", "0 1 a"], "line 4: State -1 is not one of 1 states."),
        (["---", "0", "---", "1 1"], "line 4: Expected SOURCE TARGET LABEL, got '1 1'."),
        (["---", "0", "---", f"1 {'9' * 40} a"], "line 4: Expected SOURCE TARGET LABEL"),
    ],
)
def test_damaged_fsm_is_refused(lines: list[str], message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        fsm.read(lines)
    assert str(caught.value).startswith(message)


@together(
    ("text", "message"),
    [
        ("", "Invalid XML"),
        ("<gxl>", "Invalid XML"),
        ("<gxl><graph id='x' role='rule'/></gxl>", "Its role is 'rule', but its name"),
        ("<gxl><graph id='x'/></gxl>", "The system has no states."),
        ("<!DOCTYPE x [<!ENTITY y 'z'>]><gxl>&y;</gxl>", "The file has a document type (<!DOCTYPE x …>)"),
    ],
)
def test_damaged_gxl_is_refused(text: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        READERS["gxl"]([text], None)
    assert str(caught.value).startswith(message)


def test_two_starts() -> None:
    lines = "".join(lines_of(system(2, (0, "a", 1)), "gxl"))
    start = next(line for line in lines.splitlines() if "$start" in line)
    more = lines.replace("    </graph>", start.replace("s0", "s1") + "\n    </graph>")
    with pytest.raises(GrammarError, match="2 start states"):
        READERS["gxl"]([more], None)


def test_limits_of_memory() -> None:
    many = system(2, *((0, "a", 1) for _ in range(100)))
    for kind in READERS:
        assert READERS[kind](lines_of(many, kind), 10**6).transitions == 100
        with pytest.raises(GrammarError, match=r"memory limit of 0\.5 KiB"):
            READERS[kind](lines_of(many, kind), 500)


def test_large_gxl_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "MAX_GXL_LENGTH", 1 << 20)
    with pytest.raises(GrammarError, match=r"^The file is larger than 1 MiB\.$"):
        READERS["gxl"](("<gxl>" for _ in range(10**9)), None)


def test_gxl_of_more_than_256_mebibytes_is_refused() -> None:
    line = " " * (1 << 20)
    with pytest.raises(GrammarError, match=r"^The file is larger than 256 MiB\.$"):
        READERS["gxl"](itertools.chain(["<gxl>"], itertools.repeat(line)), None)


# ── Markov chains ────────────────────────────────────────────────────────────────────────────────


@properties(100)
@given(systems(), st.integers(1, 5))
def test_probabilities(lts: Lts, weight: int) -> None:
    lts.weights = {lts.labels[0][0]: float(weight)}
    expected: dict[tuple[int, int], Fraction] = {}
    for state in range(lts.states):
        leaving = [each for each in lts if each.source == state]
        weights = [weight if each.action == lts.labels[0][0] else 1 for each in leaving]
        for each, its in zip(leaving, weights, strict=True):
            expected.setdefault((state, each.target), Fraction())
            expected[state, each.target] += Fraction(its, sum(weights))
        if not leaving:
            expected[state, state] = Fraction(1)
    head, *lines = (line.split() for line in lines_of(lts, "tra"))
    assert list(map(int, head)) == [lts.states, len(expected)]
    found = {(int(source), int(target)): float(chance) for source, target, chance in lines}
    assert list(found) == sorted(expected)
    assert found == pytest.approx({key: float(chance) for key, chance in expected.items()})


def test_labels_of_states() -> None:
    assert lines_of(small(), "lab") == [
        '0="init" 1="deadlock" 2="final" 3="open" 4="broken"\n',
        "0: 0\n",
        "1: 4\n",
        "2: 1 2\n",
        "3: 1 3\n",
    ]


def test_weights_of_rules() -> None:
    grammar = new("ferry")
    grammar.rules["eat"].attributes["weight"] = " 2.5 "
    assert prism.weights_of(grammar) == {"eat": 2.5}
    for wrong in ("many", "-1", "0", "inf", "nan"):
        grammar.rules["eat"].attributes["weight"] = wrong
        with pytest.raises(GrammarError, match=rf"^eat: The weight '{wrong}'"):
            prism.weights_of(grammar)
    assert math.isclose(sum(prism.weights_of(new("ferry")).values()), 0)


# ── GraphML ──────────────────────────────────────────────────────────────────────────────────────


def test_graphml_is_a_graph_of_states() -> None:
    root = ElementTree.fromstring("".join(lines_of(small(), "graphml")))
    graph = root.find("{*}graph")
    assert graph is not None
    nodes = {
        node.get("id"): {data.get("key"): data.text for data in node.iterfind("{*}data")}
        for node in graph.iterfind("{*}node")
    }
    assert nodes == {"s0": {"start": "true"}, "s1": {"broken": "safe"}, "s2": {"final": "true"}, "s3": {"open": "true"}}
    edges = [(edge.get("source"), edge.findtext("{*}data"), edge.get("target")) for edge in graph.iterfind("{*}edge")]
    assert edges == [(f"s{source}", label, f"s{target}") for source, label, target in transitions(small())]


@properties(50)
@given(systems())
def test_networkx_reads_graphml(lts: Lts) -> None:
    networkx = pytest.importorskip("networkx")
    lts = printable(lts)
    graph = networkx.parse_graphml("".join(lines_of(lts, "graphml")), force_multigraph=True)
    assert graph.is_directed()
    for state in range(lts.states):
        marks = graph.graph["node_default"] | graph.nodes[f"s{state}"]
        assert (marks["start"], marks["final"], marks["open"]) == (state == 0, state in lts.final, state in lts.open)
    edges = sorted(
        (int(one[1:]), data.get("label") or "", int(other[1:])) for one, other, data in graph.edges(data=True)
    )
    assert edges == sorted(transitions(lts))


def test_a_label_that_xml_does_not_allow(tmp_path: Path) -> None:
    with pytest.raises(GrammarError, match=r"U\+0001 is not allowed in XML"):
        exports.write(Lts([("\x01", ())], array("q", [0]), array("q", [0]), array("q", [0]), 1), tmp_path / "a.graphml")
