"""GROOVE's files: what is read is written again, nothing is lost, and what is wrong is said in a line."""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar import grammar as gps
from pentad.grammar.files import gxl
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Edge, GrammarError, Graph, NodePosition
from tests.cases import together
from tests.grammar.groove_counts import ROWS, WRITTEN, made
from tests.properties import properties

quickly = properties(60)


def graph_file(inside, role="graph", head='<?xml version="1.0" encoding="UTF-8"?>', more=""):
    graph = f'<graph id="g" role="{role}" {more}>{inside}</graph>'
    return f'{head}<gxl xmlns="http://www.gupro.de/GXL/gxl-1.0.dtd">{graph}</gxl>'


def said(key, value, kind="string"):
    return f'<attr name="{key}"><{kind}>{value}</{kind}></attr>'


NODES = '<node id="n0"/><node id="n1"/>'
EDGE = f'<edge from="n0" to="n1">{said("label", "a")}</edge>'


def read(text, role="graph", name="start"):
    return gxl.read(text.encode() if isinstance(text, str) else text, name, role, "start.gst")


def put(folder, files):
    """A folder with these files, by their paths."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def small():
    """A grammar with something of every kind."""
    grammar = Grammar("small", properties={"startGraph": "start", "remark": "für alle: #1"})
    start = grammar.graphs["start"] = Graph("start")
    start.edge(start.node("type:Game", at=(10, 20)), "turn", start.node("type:Player"))
    rule = grammar.rules["sub.pass"] = Graph("sub.pass", "rule", attributes={"priority": "2"})
    rule.edge(rule.node("type:Game"), "del:turn", rule.node())
    types = grammar.types["all"] = Graph("all", "type")
    types.edge(types.node("type:Game"), "turn", types.node("type:Player"))
    grammar.controls["main"] = "alap sub.pass;\r\n// ✓\n"
    grammar.others |= {"notes.pro": b"\x00\xff", "doc/read.me": b"hello"}
    return grammar


# ── what is read is written again ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("folder", WRITTEN, ids=lambda folder: folder.stem)
def test_grammars_are_written_unchanged(folder, tmp_path):
    grammar = Grammar.load(folder)
    assert grammar.name == folder.stem
    grammar.save(tmp_path / folder.name)
    assert contents(tmp_path / folder.name) == contents(folder)
    assert Grammar.load(tmp_path / folder.name) == grammar


@together("row", ROWS)
def test_grammars_are_read_label_by_label(row, tmp_path):
    folder = tmp_path / f"{row.name}.gps"
    made(row.name).save(folder)
    grammar = Grammar.load(folder)
    assert grammar == made(row.name)
    graphs = {".gst": grammar.graphs, ".gpr": grammar.rules, ".gty": grammar.types}
    files = [path for path in folder.iterdir() if path.suffix in graphs]
    assert len(files) == sum(map(len, graphs.values()))
    for path in files:
        graph = graphs[path.suffix][path.stem]
        labels = [text.text for text in ElementTree.parse(path).iterfind(".//{*}edge/{*}attr/{*}string")]
        assert Counter(edge.label for edge in graph.edges) == Counter(labels)


def test_a_grammar_of_every_kind_of_file(tmp_path):
    grammar = small()
    grammar.save(tmp_path / "small.gps")
    files = contents(tmp_path / "small.gps")
    assert set(files) == {
        *("start.gst", "sub/pass.gpr", "all.gty", "main.gcp", "system.properties", "notes.pro", "doc/read.me"),
    }
    assert files["main.gcp"] == "alap sub.pass;\r\n// ✓\n".encode()
    assert files["system.properties"] == b"startGraph=start\nremark=f\\u00fcr alle: #1\n"
    again = Grammar.load(tmp_path / "small.gps")
    assert again == grammar
    again.save(tmp_path / "again.gps")
    assert contents(tmp_path / "again.gps") == files


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
odd = st.sampled_from(['"', "<a & b>", "]]>", " a\r\n\tb ", "\r", "\U0001f600", "ä", "'", ""])
writable = st.one_of(texts, odd).filter(lambda text: not gxl._UNWRITABLE.search(text))
node_names = st.one_of(st.from_regex("n[0-9]{1,3}", fullmatch=True), writable.filter(bool))


@st.composite
def graphs(draw, role="graph"):
    names = draw(st.lists(node_names, max_size=5, unique=True))
    pixels = st.integers(-9999, 9999).map(float)
    nodes = {name: draw(st.one_of(st.none(), st.builds(NodePosition, pixels, pixels))) for name in names}
    edge = st.builds(Edge, st.sampled_from(names), writable, st.sampled_from(names)) if names else st.nothing()
    edges = draw(st.lists(edge, max_size=8)) if names else []
    keys = writable.filter(lambda key: key != "$version")
    return Graph("g", role, nodes, edges, draw(st.dictionaries(keys, writable, max_size=3)))


@quickly
@given(graphs())
def test_any_graph_round_trips(graph):
    text = gxl.write(graph)
    again = gxl.read(text.encode(), "g", "graph")
    assert again == graph  # order and places too
    assert gxl.write(again) == text


@quickly
@given(st.dictionaries(texts, texts, max_size=4))
def test_any_settings_round_trip(properties):
    text = gps.write_properties(properties)
    assert text.isascii()
    assert gps.read_properties(text) == properties


JAVA = [
    ("a=1\r\nb = 2\rc:3\nd 4\ne", {"a": "1", "b": "2", "c": "3", "d": "4", "e": ""}),
    ("# no\n  ! no = x\\\na=1", {"a": "1"}),
    ("a = x, \\\n     y, \\\r\n\tz", {"a": "x, y, z"}),
    ("a\\ b\\=c\\:d=e=f:g", {"a b=c:d": "e=f:g"}),
    ("k\\u00e4 = \\u4e2d\\ud83d\\ude00\\t\\q\\\\", {"kä": "中😀\tq\\"}),
    ("a=1\n\n\na=2 \n", {"a": "2 "}),
    ("long\\\n   key=v", {"longkey": "v"}),
    ("end=a\\", {"end": "a"}),
    ("a : = b", {"a": "= b"}),
    ("=x", {"": "x"}),
]


@pytest.mark.parametrize(("text", "properties"), JAVA)
def test_properties_are_parsed_as_in_java(text, properties):
    assert gps.read_properties(text) == properties


@pytest.mark.parametrize("text", ["a=1\nb=\\u00", "a=1\nb=\\ud83d", "a=1\n\\uzzzz=1"])
def test_settings_that_are_not_text(text):
    with pytest.raises(GrammarError, match=r"^system\.properties: Line 2: Invalid \\u escape\.$"):
        gps.read_properties(text, "system.properties")


@pytest.mark.parametrize("data", ["a=ä".encode(), "a=ä".encode("latin-1"), b"\xef\xbb\xbfa=\\u00E4"])
def test_properties_in_every_encoding_of_java(tmp_path, data):
    put(tmp_path / "g.gps", {"system.properties": data})
    assert Grammar.load(tmp_path / "g.gps").properties == {"a": "ä"}


# ── older files, and what the editor keeps ───────────────────────────────────────────────────────


def test_a_file_without_a_version_a_name_space_or_a_role():
    text = '<gxl><graph id="x"><edge from="a" to="b"><attr name="label"><string>l</string></attr></edge>'
    graph = read(text + '<node id="b"/><node id="a"/></graph></gxl>', "rule")
    assert (graph.role, list(graph.nodes), graph.edges) == ("rule", ["b", "a"], [Edge("a", "l", "b")])


def test_attributes_of_a_graph_of_every_type():
    inside = (
        said("$version", "curly") * 2 + said("priority", 3, "int") + said("enabled", "true", "bool") + said("x", "")
    )
    graph = read(graph_file(inside, "rule"), "rule")
    assert graph.attributes == {"priority": "3", "enabled": "true", "x": ""}


def test_layout_and_other_attributes_are_kept():
    inside = f'<node id="n0">{said("layout", "12 -3 40 18")}{said("color", "red")}</node><node id="n1"/>'
    edge = f'<edge from="n0" to="n1">{said("label", "a")}{said("layout", "500 0 1 2 3 4 11")}</edge>'
    graph = read(graph_file(inside + edge))
    assert graph.nodes == {"n0": NodePosition(12, -3), "n1": None}
    text = gxl.write(graph)
    for kept in ("12 -3 40 18", "red", "500 0 1 2 3 4 11"):
        assert f"<string>{kept}</string>" in text
    assert read(text) == graph
    graph.nodes["n0"] = NodePosition(7, 8)  # moved: it keeps its size
    assert "<string>7 8 40 18</string>" in gxl.write(graph)
    graph.nodes["n0"] = None
    assert "40 18" not in gxl.write(graph)


def test_a_layout_beside_the_graph(tmp_path):
    files = {
        "start.gst": graph_file(NODES + f'<edge from="n0" to="n1">{said("label", "a b")}</edge>'),
        "start.gst.gl": 'v 2\nn n0 1 2 3 4\nn gone 1 2 3 4\nn n1 one 2 3 4\ne n0 n1 "a b" 5 6 1 2 3 4 11\n# no\n',
        "gone.gst.gl": "n n0 1 2 3 4\n",
    }
    grammar = Grammar.load(put(tmp_path / "g.gps", files))
    assert grammar.graphs["start"].nodes == {"n0": NodePosition(1, 2), "n1": None}
    assert list(grammar.others) == ["gone.gst.gl"]
    grammar.save(tmp_path / "g.gps")
    assert not (tmp_path / "g.gps/start.gst.gl").exists()
    text = (tmp_path / "g.gps/start.gst").read_text()
    assert "1 2 3 4</string>" in text
    assert "5 6 1 2 3 4 11</string>" in text
    assert Grammar.load(tmp_path / "g.gps") == grammar


def test_a_layout_of_the_first_version_keeps_its_points():
    graph = gxl.put_layout(read(graph_file(NODES + EDGE)), 'e n0 n1 "a" 250 30 1 2 3 4 11')
    assert "<string>500 0 1 2 3 4 11</string>" in gxl.write(graph)


def test_names_of_older_grammars(tmp_path):
    files = {
        "2.first.gpr": graph_file(NODES, "rule"),
        "sub/10.second.gpr": graph_file(said("priority", 1), "rule"),
        "g.properties": "transitionParameters=0\nstartGraph=start",
    }
    grammar = Grammar.load(put(tmp_path / "g.gps", files))
    assert {name: rule.attributes for name, rule in grammar.rules.items()} == {
        "first": {"priority": "2"},
        "sub.second": {"priority": "1"},
    }
    assert grammar.properties == {"transitionParameters": "false", "startGraph": "start"}
    assert grammar.others == {}
    grammar.save(tmp_path / "g.gps")
    assert set(contents(tmp_path / "g.gps")) == {"first.gpr", "sub/second.gpr", "system.properties"}
    assert Grammar.load(tmp_path / "g.gps") == grammar


def test_old_settings_are_another_file_if_there_are_new_ones(tmp_path):
    folder = put(tmp_path / "g.gps", {"g.properties": "a=1", "system.properties": "a=2"})
    grammar = Grammar.load(folder)
    assert (grammar.properties, grammar.others) == ({"a": "2"}, {"g.properties": b"a=1"})
    grammar.save(folder)
    assert contents(folder) == {"g.properties": b"a=1", "system.properties": b"a=2\n"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_encodings_of_graphs(encoding):
    text = graph_file(f'<node id="n0"/><edge from="n0" to="n0">{said("label", "ä")}</edge>', head="")
    data = f'<?xml version="1.0" encoding="{encoding}"?>{text}'.encode(encoding)
    assert read(data).labels("n0") == ("ä",)


def test_comments_are_ignored():
    label = said("label", "a<!-- and -->b")
    text = graph_file(
        f'<node id="n0"/><edge from="n0" to="n0">{label}</edge>', head='<?xml version="1.0"?><!-- by hand -->'
    )
    assert read(text).labels("n0") == ("ab",)


# ── zips ─────────────────────────────────────────────────────────────────────────────────────────


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("around", ["", "small.gps/", "download/small.gps/"])
def test_a_zip_is_a_grammar(tmp_path, around):
    files = gps.to_files(small())
    extra = [("__MACOSX/x", b""), (f"{around}.DS_Store", b"")] if around else []
    path = zipped(tmp_path / "small.gps.zip", [(around + name, data) for name, data in files.items()] + extra)
    assert Grammar.load(path) == small()


ZIPS = [
    ([("../x.gpr", b"")], "g.zip: '../x.gpr' cannot be the name of a file in a grammar."),
    ([("/x.gpr", b"")], "g.zip: '/x.gpr' cannot be the name of a file in a grammar."),
    ([("a\\b.gpr", b"")], "g.zip: 'a\\\\b.gpr' cannot be the name of a file in a grammar."),
    (
        [("x" * 5_000 + ".gcp", b"")],
        f"g.zip: '{'x' * 39}… is too long for the name of a file, which has at most 240 bytes.",
    ),
    ([("a.gps/x.gcp", b""), ("b.gps/x.gcp", b"")], "a.gps/x.gcp: This zip has several grammars."),
    ([("x.gcp", b"a"), ("x.gcp", b"b")], "x.gcp: Two files have this name."),
    ([("x.gst", b" " * (65 * 2**20))], "x.gst: The file is too large. A file of a grammar has at most 64 MB."),
]


@pytest.mark.parametrize(("files", "message"), ZIPS)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_invalid_zips_are_refused(tmp_path, files, message):
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        Grammar.load(zipped(tmp_path / "g.zip", files))


def test_an_encrypted_zip_is_refused(tmp_path):
    path = zipped(tmp_path / "g.zip", [("x.gcp", b"halt;")])
    data = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + flags] |= 1
    path.write_bytes(data)
    with pytest.raises(GrammarError, match=r"^g\.zip: This zip is encrypted\.$"):
        Grammar.load(path)


def test_a_name_that_is_too_long_is_refused_before_anything_is_written(tmp_path):
    grammar = Grammar("long", {"start": Graph("start")}, controls={"é" * 121: "halt;"})
    with pytest.raises(GrammarError, match=r"too long .* 240 bytes"):
        grammar.save(tmp_path / "long.gps")
    assert not (tmp_path / "long.gps").exists()


def test_damaged_zips_are_refused(tmp_path):
    path = zipped(tmp_path / "g.zip", [("x.gcp", b"halt;" * 99)])
    data = path.read_bytes()
    for number, spoilt in enumerate((data[:40], data[:31] + b"????????" + data[39:], b"")):
        broken = tmp_path / f"b{number}.zip"
        broken.write_bytes(spoilt)
        with pytest.raises(GrammarError, match=rf"^b{number}\.zip: (Cannot read this zip|This is neither)"):
            Grammar.load(broken)


@pytest.mark.parametrize(("name", "shown"), [("QQx.gcp", r"\x00\x00x.gcp"), ("xQQ.gcp", r"x\x00\x00.gcp")])
def test_names_with_a_nul_are_refused(tmp_path, name, shown):
    path = zipped(tmp_path / "g.zip", [("start.gcp", b"halt;"), (name, b"halt;")])
    path.write_bytes(path.read_bytes().replace(b"QQ", b"\0\0"))
    with pytest.raises(GrammarError) as error:
        Grammar.load(path)
    assert str(error.value) == f"g.zip: '{shown}' cannot be the name of a file in a grammar."


@pytest.mark.parametrize("name", ["QQ/", "aQQ/"])
def test_folders_with_a_nul_in_their_names_are_refused(tmp_path, name):
    path = zipped(tmp_path / "g.zip", [("start.gcp", b"halt;"), (name, b"")])
    path.write_bytes(path.read_bytes().replace(b"QQ", b"\0\0"))
    assert list(Grammar.load(path).controls) == ["start"]


# ── what is wrong is said in a line ──────────────────────────────────────────────────────────────

WRONG = [
    ("", "Invalid XML: no element found"),
    ("<gxl><graph>", "Invalid XML: no element found"),
    ("<gxl><graph></gxl>", "Invalid XML: mismatched tag"),
    ("<gxl>\x01</gxl>", "Invalid XML: not well-formed"),
    ('<?xml version="1.0" encoding="klingon"?><gxl/>', "Invalid XML"),
    (
        '<!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd"><gxl><graph/></gxl>',
        "sub/start.gst: The file has a document type (<!DOCTYPE gxl …>)",
    ),
    ("<html/>", "sub/start.gst: Unexpected <html> in the document."),
    ("<gxl/>", "sub/start.gst: The file has no graph."),
    ("<gxl><graph/><graph/></gxl>", "sub/start.gst: The file has a second graph."),
    (graph_file("<rel/>"), "sub/start.gst: Unexpected <rel> in <graph>."),
    (graph_file('<node id="n0"><graph/></node>'), "sub/start.gst: Unexpected <graph> in <node>."),
    (graph_file("<attr name='a'><seq/></attr>"), "sub/start.gst: Unexpected <seq> in <attr>."),
    (graph_file("text"), "sub/start.gst: Unexpected text in <graph>: 'text'."),
    (graph_file("", "banana"), "sub/start.gst: Unknown role 'banana'. The roles are graph, rule, type."),
    (graph_file("", "rule"), "sub/start.gst: Its role is 'rule', but its name"),
    (graph_file("", "lts"), "sub/start.gst: Its role is 'lts', but its name"),
    (
        graph_file("", more='edgemode="undirected"'),
        "sub/start.gst: edgemode='undirected' is not supported. Use 'directed'.",
    ),
    (
        graph_file(said("$version", "2031")),
        "sub/start.gst: Unsupported format version '2031'. The supported version is 'curly'.",
    ),
    (graph_file("<node/>"), "sub/start.gst: A node has no id."),
    (graph_file(NODES + NODES), "sub/start.gst, node n0: Two nodes have this name."),
    (
        graph_file(NODES + EDGE.replace("n1", "n7")),
        "sub/start.gst, node n7, label 'a': An edge leads to a missing node.",
    ),
    (graph_file(NODES + '<edge from="n0" to="n1"/>'), "sub/start.gst, node n0: The edge from n0 to n1 has no label."),
    (graph_file(NODES + '<edge from="n0"/>'), "sub/start.gst, node n0: An edge has no to."),
    (graph_file('<attr name="a"/>'), "sub/start.gst: The attribute 'a' has no value."),
    (graph_file('<attr name="a"><int>1</int><int>1</int></attr>'), "sub/start.gst: The attribute 'a' has two values."),
    (graph_file(said("a", 1) + said("a", 2)), "sub/start.gst: The attribute 'a' occurs twice, as '1' and '2'."),
    ("<gxl>" + "<graph>" * 100_000, "sub/start.gst: Unexpected <graph> in <graph>."),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_invalid_graphs(tmp_path, text, message):
    put(tmp_path / "g.gps", {"sub/start.gst": text})
    with pytest.raises(GrammarError) as caught:
        Grammar.load(tmp_path / "g.gps")
    assert str(caught.value).startswith("sub/start.gst")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("label", ["\x00", "a\x07b", "\ufffe", "\ud800"])
def test_characters_that_xml_does_not_allow(tmp_path, label):
    grammar = small()
    node = grammar.rules["sub.pass"].node(label)
    with pytest.raises(
        GrammarError, match=rf"^sub/pass\.gpr, node {node}, label .*: The character U\+\w{{4}} "
    ) as caught:
        grammar.save(tmp_path / "g.gps")
    assert str(caught.value).isprintable()
    assert not (tmp_path / "g.gps").exists()


def spoilt(change):
    grammar = small()
    change(grammar)
    return grammar


BAD_NAMES = ["../x", "..", "", "a..b", ".hidden", "a/b", "a\\b", "a\x00b", "sub.", "\udc80"]
BAD_PATHS = ["../x", "/etc/x", "a//b", "a/../../b", "", ".git/config"]
UNNAMED = "cannot be the name of a file in a grammar"
UNWRITABLE = [
    *((spoilt(lambda g, name=name: g.types.update({name: Graph("", "type")})), UNNAMED) for name in BAD_NAMES),
    *((spoilt(lambda g, name=name: g.controls.update({name: ""})), UNNAMED) for name in BAD_NAMES),
    *((spoilt(lambda g, path=path: g.others.update({path: b""})), UNNAMED) for path in BAD_PATHS),
    (spoilt(lambda g: g.others.update({"x.gpr": b""})), "This name is reserved for a file"),
    (
        spoilt(lambda g: g.others.update({"start.gst.gl": b""})),
        "This name is reserved for a file",
    ),
    (
        spoilt(lambda g: g.rules.update(x=Graph("x"))),
        "x.gpr: A graph with the role 'graph' is among the grammar's rules.",
    ),
    (spoilt(lambda g: g.graphs["start"].edges.append(Edge("n0", "a", "no"))), "An edge leads to a missing node"),
    (
        spoilt(lambda g: g.graphs["start"].nodes.update(n0=NodePosition(float("nan"), 0))),
        "node n0: The position nan, 0",
    ),
    (spoilt(lambda g: g.controls.update(x="\ud800")), "x.gcp: The character U+D800 cannot be written."),
    (spoilt(lambda g: g.properties.update(a="\ud800")), r"system.properties: '\ud800' cannot be written."),
]


@pytest.mark.parametrize(("grammar", "message"), UNWRITABLE, ids=range(len(UNWRITABLE)))
def test_grammars_with_invalid_content_are_not_written(tmp_path, grammar, message):
    with pytest.raises(GrammarError) as caught:
        grammar.save(tmp_path / "in/g.gps")
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_folders_that_are_not_grammars(tmp_path):
    (tmp_path / "file.gps").write_text("")
    put(tmp_path / "plain", {"notes.txt": ""})
    cases = {
        "nothing.gps": "No such folder.",
        "file.gps": "file.gps: This is neither a folder of GROOVE's files nor a zip of one.",
        "plain": "plain: This folder has no grammar",
        "a\x00b": "No such folder.",
    }
    for name, message in cases.items():
        with pytest.raises(GrammarError) as caught:
            Grammar.load(tmp_path / name)
        assert message in str(caught.value)


def test_a_file_with_an_invalid_name(tmp_path):
    try:
        put(tmp_path / "g.gps", {os.fsdecode(b"a\xff\n.gcp"): ""})
    except OSError:
        pytest.skip("there can be no such file here")
    with pytest.raises(GrammarError, match=r"^'a\\udcff\\n\.gcp' cannot be the name"):
        Grammar.load(tmp_path / "g.gps")


def test_two_files_with_the_same_name(tmp_path):
    put(tmp_path / "g.gps", {"a.b.gcp": "", "a/b.gcp": ""})
    with pytest.raises(GrammarError, match=r"^a/b\.gcp: .* same name as a\.b\.gcp: a\.b\."):
        Grammar.load(tmp_path / "g.gps")


def test_limits_of_size_and_number(tmp_path, monkeypatch):
    folder = put(tmp_path / "g.gps", {"a.txt": b"123456", "b.txt": b"123456"})
    with (folder / "large.gst").open("wb") as file:
        file.truncate(200 * 2**20)  # a hole: it takes no room
    with pytest.raises(GrammarError, match=r"^large\.gst: .* 64 MB"):
        Grammar.load(folder)
    (folder / "large.gst").unlink()
    monkeypatch.setattr(gps, "MAX_GRAMMAR_BYTES", 10)
    with pytest.raises(GrammarError, match=r"A grammar has at most 0 MB"):
        Grammar.load(folder)
    monkeypatch.setattr(gps, "MAX_FILES", 1)
    with pytest.raises(GrammarError, match=r"^g\.gps: Too many files"):
        Grammar.load(folder)


def test_deeply_nested_folders_are_refused(tmp_path):
    deep = tmp_path / "g.gps"
    for _ in range(60):
        deep /= "a"
    deep.mkdir(parents=True)
    with pytest.raises(
        GrammarError, match=r"^'a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/'… is nested more than 50 folders deep\.$"
    ):
        Grammar.load(tmp_path / "g.gps")
    grammar = spoilt(lambda g: g.controls.update({"a." * 1900 + "a": ""}))
    with pytest.raises(
        GrammarError,
        match=r"^'a\.a\.a[.a]*'… is nested more than 50 folders deep\.$",
    ):
        grammar.save(tmp_path / "h.gps")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(put(tmp_path / "g.gps", {"a.gcp": ""}) / "b.gcp")
    with pytest.raises(GrammarError, match=r"^b\.gcp: This is not a regular file\.$"):
        Grammar.load(tmp_path / "g.gps")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_an_unreadable_file_is_reported(tmp_path):
    (put(tmp_path / "g.gps", {"a.gcp": ""}) / "a.gcp").chmod(0)
    with pytest.raises(GrammarError, match=r"^a\.gcp: Permission denied\.$"):
        Grammar.load(tmp_path / "g.gps")


def test_errors_of_the_operating_system_are_reported(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    folder = put(tmp_path / "g.gps", {"a.gcp": ""})
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(GrammarError, match=r"^a\.gcp: Permission denied\.$"):
        Grammar.load(folder)
    with pytest.raises(GrammarError, match=r"Permission denied\.$"):
        small().save(tmp_path / "h.gps")


# ── saving over what is there ────────────────────────────────────────────────────────────────────


def test_saving_again_removes_obsolete_files_and_keeps_others(tmp_path):
    folder, grammar = tmp_path / "small.gps", small()
    grammar.save(folder)
    put(
        folder,
        {
            ".git/config": "x",
            "sub/log.txt": "x",
            "in.gps/start.gst": "x",
            "deep/er/old.gpr": "x",
            "old.gpr.gl": "x",
            "result.aut": "x",
        },
    )
    before = (folder / "start.gst").stat()
    del grammar.rules["sub.pass"]
    grammar.save(folder)
    assert set(contents(folder)) == {
        *("start.gst", "all.gty", "main.gcp", "system.properties", "notes.pro", "doc/read.me"),
        *(".git/config", "sub/log.txt", "result.aut", "in.gps/start.gst"),
    }
    assert not (folder / "deep").exists()
    assert (folder / "start.gst").stat().st_mtime_ns == before.st_mtime_ns  # it says the same, so it is left alone


def test_saving_keeps_permissions_and_leaves_no_temporary_files(tmp_path):
    folder, grammar = tmp_path / "small.gps", small()
    grammar.save(folder)
    (folder / "main.gcp").chmod(0o640)
    grammar.controls["main"] = "halt;"
    grammar.save(folder)
    assert stat.S_IMODE((folder / "main.gcp").stat().st_mode) == 0o640
    assert set(contents(folder)) == set(gps.to_files(grammar))


def test_saving_to_an_unsuitable_target(tmp_path):
    put(tmp_path / "letters", {"dear.txt": "x"})
    (tmp_path / "file").write_text("x")
    for name, message in {
        "letters": "letters: .* neither empty nor a grammar",
        "file": "file: .* must be a folder",
        "new.zip": r"new\.zip: .* must be a folder",
        "file/under": r"under: Not a directory\.$",
    }.items():
        with pytest.raises(GrammarError, match=f"^{message}"):
            small().save(tmp_path / name)
    assert contents(tmp_path) == {"letters/dear.txt": b"x", "file": b"x"}
    (tmp_path / "letters/sub.gps").mkdir()
    put(tmp_path / "letters", {"ada.gpr": "x", "sub.gps/start.gst": "x"})  # still none: those are of others
    with pytest.raises(GrammarError, match="neither empty nor a grammar"):
        small().save(tmp_path / "letters")
    (tmp_path / "empty").mkdir()
    small().save(tmp_path / "empty")
    assert Grammar.load(tmp_path / "empty").rules.keys() == small().rules.keys()


def test_links_out_of_the_folder_are_refused(tmp_path):
    outside = put(tmp_path / "outside", {"main.gcp": "mine"})
    folder = put(tmp_path / "g.gps", {"a.gcp": ""})
    (folder / "main.gcp").symlink_to(outside / "main.gcp")
    with pytest.raises(GrammarError, match=r"^main\.gcp: .* out of the grammar"):
        small().save(folder)
    (folder / "main.gcp").unlink()
    (folder / "sub").symlink_to(outside)
    for act in (lambda: small().save(folder), lambda: Grammar.load(folder)):
        with pytest.raises(GrammarError, match=r"^sub: Links to folders"):
            act()
    assert contents(outside) == {"main.gcp": b"mine"}
