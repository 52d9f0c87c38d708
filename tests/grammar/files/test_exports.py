"""Transition systems, grammars and graphs in other formats, read again by what reads those."""

from __future__ import annotations

import json
import re
from array import array
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.files import exports
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Edge, GrammarError, Graph, NodePosition
from pentad.grammar.lts import Lts
from tests.cases import together
from tests.grammar.groove_counts import ROWS, made
from tests.properties import properties

quickly = properties(60)

texts = st.text(
    st.one_of(st.sampled_from('"\\,()<&\n\r\t\x00 é😀'), st.characters(exclude_categories=["Cs"])), max_size=8
)


def small():
    """Four states: one is final, one breaks an invariant, one is beyond a bound."""
    lts = Lts(labels=[("go", ()), ("say", ("n1", '"a, b"'))], states=4, final={2}, open={3}, broken={1: ("safe",)})
    for row in ((0, 0, 1), (0, 1, 2), (1, 0, 1), (1, 1, 3)):
        lts.add(*row)
    lts.depths = array("q", (0, 1, 1, 2))
    return lts


@st.composite
def systems(draw):
    states = draw(st.integers(1, 6))
    labels = draw(
        st.lists(st.tuples(texts, st.lists(texts, max_size=2).map(tuple)), min_size=1, max_size=3, unique=True)
    )
    some = st.sets(st.integers(0, states - 1))
    lts = Lts(labels=labels, states=states, final=draw(some), open=draw(some))
    lts.broken = draw(st.dictionaries(st.integers(0, states - 1), st.lists(texts, min_size=1).map(tuple), max_size=2))
    for _ in range(draw(st.integers(0, 8))):
        lts.add(*(draw(st.integers(0, most - 1)) for most in (states, len(labels), states)))
    if draw(st.booleans()):
        lts.depths = array("q", draw(st.lists(st.integers(0, 99), min_size=states, max_size=states)))
    return lts


def summary(lts):
    """What a transition system says, whatever numbers its labels have."""
    return lts.states, list(lts), lts.final, lts.open, lts.broken, lts.depths


def read_aut(text):
    """An independent reader of Aldebaran: its header and its transitions."""
    head, *rows = text.removesuffix("\n").split("\n")
    found = [re.fullmatch(r'\((\d+),"((?:[^"\\]|\\.)*)",(\d+)\)', row) for row in rows]
    unescape = {"n": "\n", "r": "\r"}
    labels = [re.sub(r"\\(.)", lambda sign: unescape.get(sign[1], sign[1]), row[2]) for row in found]
    header = tuple(map(int, re.fullmatch(r"des \((\d+), (\d+), (\d+)\)", head).groups()))
    return header, [(int(row[1]), label, int(row[3])) for row, label in zip(found, labels, strict=True)]


# ── transition systems ───────────────────────────────────────────────────────────────────────────


def test_aldebaran():
    assert exports.aut(small()) == (
        'des (0, 4, 4)\n(0,"go",1)\n(0,"say(n1,\\"a, b\\")",2)\n(1,"go",1)\n(1,"say(n1,\\"a, b\\")",3)\n'
    )
    marked = exports.aut(small(), marks=True).splitlines()
    assert marked[:3] == ["des (0, 6, 4)", '(0,"$start",0)', '(2,"$final",2)']
    assert marked[3:] == exports.aut(small()).splitlines()[1:]


@quickly
@given(systems())
def test_aldebaran_has_every_transition(lts):
    header, rows = read_aut(exports.aut(lts))
    assert header == (0, lts.transitions, lts.states)
    assert rows == [(each.source, each.label, each.target) for each in lts]


def test_gxl_is_a_graph_of_states():
    root = ElementTree.fromstring(exports.gxl(small(), "ferry"))
    (graph,) = root
    assert (graph.get("id"), graph.get("role")) == ("ferry", "lts")
    assert [node.get("id") for node in graph.iterfind("{*}node")] == ["s0", "s1", "s2", "s3"]
    edges = [
        (edge.get("from"), edge.findtext("{*}attr/{*}string"), edge.get("to")) for edge in graph.iterfind("{*}edge")
    ]
    assert edges == [
        *(("s0", "$start", "s0"), ("s2", "$final", "s2"), ("s3", "$open", "s3")),
        *(("s0", "go", "s1"), ("s0", 'say(n1,"a, b")', "s2"), ("s1", "go", "s1"), ("s1", 'say(n1,"a, b")', "s3")),
    ]


def test_dot_distinguishes_states():
    lines = exports.dot(small(), 'fe"rry').splitlines()
    assert lines[0] == 'digraph "fe\\"rry" {'
    assert lines[2:6] == [
        '  s0 [label="start"];',
        "  s1 [color=red];",
        "  s2 [shape=doublecircle];",
        "  s3 [style=dashed];",
    ]
    assert lines[7] == '  s0 -> s2 [label="say(n1,\\"a, b\\")"];'
    assert len(lines) == 11


@quickly
@given(systems())
def test_json_lines_round_trip(lts):
    lines = list(exports.json_lines(lts, "x"))
    assert all(line.endswith("\n") and line.isascii() for line in lines)
    first, *rest = map(json.loads, lines)
    assert (first["grammar"], first["states"], first["transitions"]) == ("x", lts.states, lts.transitions)
    assert len(rest) == lts.states + lts.transitions
    again = exports.read_json_lines(lines)
    assert summary(again) == summary(lts)
    assert list(exports.json_lines(again, "x")) == lines


LINES = "".join(exports.json_lines(small())).splitlines()
BROKEN = [
    ([], "line 1: This is not a transition system"),
    (["[]"], "line 1: This is not a transition system"),
    (["{"], "line 1: Invalid JSON"),
    (["[" * 100_000], "line 1: Invalid JSON"),
    ([LINES[0].replace("4", "-4")], "line 1: 'states' is -4, which is not a count."),
    ([LINES[0].replace("4", "true")], "line 1: 'states' is true, which is not a count."),
    (LINES[:3], "The file is incomplete: it has 2 of 4 states."),
    (LINES[:-1], "The file is incomplete: it has 3 of 4 transitions."),
    ([*LINES[:2], LINES[3]], "line 3: Expected state 1."),
    ([*LINES[:4], '{"state": 3}', *LINES[5:]], "Some states have a depth and some have none."),
    ([*LINES[:4], '{"state": 3, "final": 1}', *LINES[5:]], "line 5, final: Expected true or false, got 1."),
    ([*LINES[:4], '{"state": 3, "broken": [1]}', *LINES[5:]], "line 5: Expected a string, got 1."),
    ([*LINES[:5], LINES[5].replace('"to": 1', '"to": 4')], "line 6: 'to' is 4, which is not a state."),
    ([*LINES[:5], LINES[5].replace('"go"', "null")], "line 6, action: Expected a string, got null."),
    ([*LINES[:5], "7"], "line 6: Expected an object, got 7."),
]


@together(("lines", "message"), BROKEN)
def test_damaged_json_lines_are_refused(lines, message):
    with pytest.raises(GrammarError) as caught:
        exports.read_json_lines(lines)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("ending", "text"), [("aut", exports.aut), ("gxl", exports.gxl), ("dot", exports.dot)])
def test_a_file_equals_the_text(tmp_path, monkeypatch, ending, text):
    monkeypatch.setattr(exports, "LINES_OF_WRITE", 3)
    exports.write(small(), tmp_path / f"a.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes().decode() == text(small())
    exports.write(small(), tmp_path / "again", format=ending)
    assert (tmp_path / "again").read_bytes() == (tmp_path / f"a.{ending}").read_bytes()


def test_a_file_of_json_lines_and_one_with_marks(tmp_path):
    exports.write(small(), tmp_path / "a.jsonl", name="ferry")
    with (tmp_path / "a.jsonl").open() as file:
        assert summary(exports.read_json_lines(file)) == summary(small())
    exports.write(small(), tmp_path / "a.aut", marks=True)
    assert (tmp_path / "a.aut").read_text() == exports.aut(small(), marks=True)


def test_a_failed_export_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.gxl"
    path.write_text("before")
    for action, message in (("\x00", r"U\+0000 is not allowed in XML"), ("\ud800", r"U\+D800 is not allowed in XML")):
        spoilt = small()
        spoilt.labels[0] = (action, ())
        with pytest.raises(GrammarError, match=message):
            exports.write(spoilt, path)
    with pytest.raises(GrammarError, match=r"^a\.gxl: The character U\+D800 cannot be written\.$"):
        exports.write(spoilt, path, "aut")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_an_unwritable_target(tmp_path):
    with pytest.raises(GrammarError, match=r"^b\.aut: No such file or directory\.$"):
        exports.write(small(), tmp_path / "a/b.aut")
    with pytest.raises(GrammarError, match=r"^Unknown format 'pdf'.* aut, gxl,"):
        exports.write(small(), tmp_path / "b.pdf")


# ── grammars and graphs ──────────────────────────────────────────────────────────────────────────


@st.composite
def graphs(draw):
    places = st.builds(NodePosition, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
    nodes = draw(st.dictionaries(texts, st.one_of(st.none(), places), max_size=4))
    edges = [
        Edge(node, label, other) for node in nodes for other in nodes for label in draw(st.lists(texts, max_size=1))
    ]
    attributes = draw(st.dictionaries(texts, texts, max_size=2))
    return Graph(draw(texts), draw(st.sampled_from(("graph", "rule", "type"))), nodes, edges, attributes)


@quickly
@given(graphs())
def test_a_graph_round_trips_as_json(graph):
    assert exports.graph_from_json(exports.to_json(graph)) == graph


@quickly
@given(st.dictionaries(texts, graphs(), max_size=2), st.dictionaries(texts, st.binary(max_size=9), max_size=2), texts)
def test_a_grammar_round_trips_as_json(rules, others, text):
    grammar = Grammar(text, rules=rules, others=others, controls={text: text}, properties={text: text})
    assert exports.from_json(exports.to_json(grammar)) == grammar


@together("row", ROWS)
def test_pentago_s_sizes_round_trip_as_json(row):
    grammar = made(row.name)
    assert exports.from_json(exports.to_json(grammar)) == grammar


def test_notes_of_the_editor_round_trip_as_json():
    notes = {"n0": {"layout": "1 2 99 88"}, Edge("n0", "a", "n0"): {"color": "red"}}
    graph = Graph("g", "graph", {"n0": NodePosition(1, 2)}, [Edge("n0", "a", "n0")], {}, notes)
    assert exports.graph_from_json(exports.to_json(graph)) == graph


def test_any_label_in_dot():
    graph = Graph("g", "rule")
    node, other = graph.node('flag:"a\\b"', "del:"), graph.node()
    for label in ("new:a\nb", "\x00", "@", "odd:", "not=q:x"):
        graph.edge(node, label, other)
    lines = exports.dot(graph).splitlines()
    assert lines[2] == '  "n0" [label="flag:\\"a\\\\b\\"\\ndel:", color=blue, fontcolor=blue, style=dashed];'
    assert lines[3] == '  "n1" [label="n1"];'
    assert lines[4] == '  "n0" -> "n1" [label="new:a\\nb", color=green4, fontcolor=green4, style=bold];'
    assert lines[5] == '  "n0" -> "n1" [label="\ufffd"];'
    assert lines[6] == '  "n0" -> "n1" [label="@", style=dotted];'
    assert lines[7] == '  "n0" -> "n1" [label="odd:"];'
    assert "color=red" in lines[8]


def test_a_grammar_in_dot():
    grammar = Grammar("two", graphs={"start": Graph("start")}, rules={"pass": Graph("pass", "rule")})
    grammar.graphs["start"].node("type:A")
    grammar.rules["pass"].node("flag:x", "del:flag:y")  # the node itself stays
    assert exports.dot(grammar).splitlines() == [
        'digraph "two" {',
        "  node [shape=box];",
        "  subgraph cluster_0 {",
        '    label="start (graph)";',
        '    "0:n0" [label="type:A"];',
        "  }",
        "  subgraph cluster_1 {",
        '    label="pass (rule)";',
        '    "1:n0" [label="flag:x\\ndel:flag:y"];',
        "  }",
        "}",
    ]


def graph_json(**changed):
    return {"name": "g", "role": "rule", "nodes": {"a": None}, "edges": [["a", "l", "a"]], "attributes": {}} | changed


def grammar_json(**changed):
    return {"format": "pentad-grammar", "version": 1, "name": "g"} | changed


WRONG = [
    ("{", "grammar: Invalid JSON"),
    ("[" * 100_000, "grammar: Invalid JSON"),
    ("[]", "grammar: Expected an object, got []."),
    ("{}", "This is not a grammar in JSON."),
    (grammar_json(name=1), "name: Expected a string, got 1."),
    (grammar_json(version=2), "This is not a grammar in JSON."),
    (grammar_json(rules=[]), "rules: Expected an object, got []."),
    (grammar_json(controls={"a": 1}), "controls, a: Expected a string, got 1."),
    (grammar_json(others={"a": "*"}), "others, a: The content is not valid base64."),
    (grammar_json(others={"a": "ä"}), "others, a: The content is not valid base64."),
    (grammar_json(rules={"a": "x" * 99}), "rules, a: Expected an object, got " + json.dumps("x" * 38)[:-1] + "…."),
    (grammar_json(rules={"a": graph_json(role="x")}), "rules, a: Unknown role 'x'."),
    (grammar_json(rules={"a": graph_json(nodes=1)}), "rules, a, nodes: Expected an object, got 1."),
    (grammar_json(rules={"a": graph_json(nodes={"a": [1]})}), "rules, a, node a: Expected a pair, got [1]."),
    (
        grammar_json(rules={"a": graph_json(nodes={"a": ["1", 2]})}),
        'rules, a, node a: Expected a position, got ["1", 2].',
    ),
    (
        grammar_json(rules={"a": graph_json(nodes={"a": [10**400, 2]})}),
        "rules, a, node a: Expected a position, got [10000000000000000000000000000000000000….",
    ),
    (
        grammar_json(rules={"a": graph_json(nodes={"a": [float("nan"), 2]})}),
        "rules, a, node a: Expected a position, got [NaN, 2].",
    ),
    (
        grammar_json(rules={"a": graph_json(edges=[["a", "b"]])}),
        'rules, a: Expected an edge [source, label, target], got ["a", "b"].',
    ),
    (
        grammar_json(rules={"a": graph_json(edges=[["a", "b", "c"]])}),
        "rules, a, node c, label 'b': An edge leads",
    ),
    (grammar_json(rules={"a": graph_json(notes=[["a"]])}), 'rules, a, notes: Expected a pair, got ["a"].'),
]


@together(("said", "message"), WRONG)
def test_invalid_json(said, message):
    with pytest.raises(GrammarError) as caught:
        exports.from_json(said if isinstance(said, str) else json.dumps(said))
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 200
