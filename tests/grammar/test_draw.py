"""How grammars look: all that they say is in the picture, told apart without colours, readable, and valid XML."""

from __future__ import annotations

import math
import re
from itertools import combinations
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar import draw
from pentad.grammar.control.automaton import compile_program
from pentad.grammar.control.terms import Unit
from pentad.grammar.draw import SIGNS, host_parts, rule_parts
from pentad.grammar.graph import Edge, GrammarError, Graph
from pentad.grammar.lts import Lts
from pentad.grammar.models import MODELS, new
from pentad.grammar.pictures import style
from pentad.grammar.pictures.layout import Arrow, Box, TextLine, routes, shown
from tests.grammar.groove_counts import made
from tests.properties import properties

SVG = "{http://www.w3.org/2000/svg}"
Rect = tuple[float, float, float, float]


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def classed(svg: str, name: str) -> list[ElementTree.Element]:
    return [each for each in tree(svg).iter() if name in each.get("class", "").split()]


def said(element: ElementTree.Element) -> list[str]:
    """The lines of text in an element, without what only the pointer shows."""
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def nodes(svg: str) -> dict[str, ElementTree.Element]:
    return {each.attrib["data-node"]: each for each in tree(svg).iter() if "data-node" in each.attrib}


def rect(node: ElementTree.Element) -> Rect:
    """Left, top, width and height of a box."""
    (frame,) = (each for each in node.iter(f"{SVG}rect") if each.get("class") == "frame")
    left, top, width, height = (float(frame.attrib[name]) for name in ("x", "y", "width", "height"))
    return left, top, width, height


def middle(node: ElementTree.Element) -> tuple[float, float]:
    left, top, width, height = rect(node)
    return left + width / 2, top + height / 2


def overlapping(svg: str) -> list[tuple[str, str]]:
    """The boxes that lie on each other."""
    found = []
    for (one, a), (other, b) in combinations(((name, rect(node)) for name, node in nodes(svg).items()), 2):
        if min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) > 1 and min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > 1:
            found.append((one, other))
    return found


def board(rows: int, columns: int) -> Graph:
    """Spaces in rows, without places; their names tell where they belong."""
    graph = Graph("start")
    for row in range(rows):
        for column in range(columns):
            graph.node("type:Space", name=f"{row}.{column}")
    for row in range(rows):
        for column in range(columns):
            for label, down, right in (("h", 0, 1), ("v", 1, 0), ("d", 1, 1)):
                if row + down < rows and column + right < columns:
                    graph.edge(f"{row}.{column}", label, f"{row + down}.{column + right}")
    return graph


# ── start graphs ─────────────────────────────────────────────────────────────────────────────────


def test_a_box_shows_type_flags_and_attributes():
    graph = Graph("start")
    cell = graph.node("flag:first", "type:Cell", "let:x = 5", "old")
    value = graph.node("int:7")
    graph.edge(cell, "size", value)
    svg = draw.draw_graph(graph)
    assert list(nodes(svg)) == [cell]
    assert said(nodes(svg)[cell]) == ["Cell", "first", "x = 5", "old", "size = 7"]
    kinds = [text.get("class", "").split()[-1] for text in nodes(svg)[cell].iter(f"{SVG}text")]
    assert kinds[:3] == ["type", "flag", "middle"]


def test_a_value_with_other_edges_has_its_own_box():
    graph = Graph("start")
    cell, value, alone = graph.node("type:Cell"), graph.node("int:7"), graph.node('string:"x"')
    graph.edge(cell, "size", value)
    graph.edge(value, "odd", cell)
    assert set(nodes(draw.draw_graph(graph))) == {cell, value, alone}


def test_nodes_are_drawn_at_the_positions_of_the_graph():
    graph = Graph("start")
    places = [(10, 20), (400, 20), (400, 300), (170, 90)]
    names = [graph.node("type:Space", at=place) for place in places]
    graph.edge(names[0], "h", names[1])
    found = nodes(draw.draw_graph(graph))
    (x0, y0), stretch = middle(found[names[0]]), None
    for name, (x, y) in list(zip(names, places, strict=True))[1:]:
        across, down = middle(found[name])[0] - x0, middle(found[name])[1] - y0
        stretch = stretch or across / (x - 10)
        assert across == pytest.approx(stretch * (x - 10), abs=1)
        assert down == pytest.approx(stretch * (y - 20), abs=1)


def test_edges_of_a_grid_are_laid_out_as_a_grid():
    found = {name: middle(node) for name, node in nodes(draw.draw_graph(board(3, 4))).items()}
    assert len({round(x) for x, _ in found.values()}) == 4
    assert len({round(y) for _, y in found.values()}) == 3
    for name, (x, y) in found.items():
        row, column = map(int, name.split("."))
        assert (x > found["0.0"][0]) == (column > 0)
        assert (y > found["0.0"][1]) == (row > 0)


def test_a_ring_is_not_a_grid():
    graph = Graph("start")
    ring = [graph.node("type:Process") for _ in range(6)]
    graph.chain("next", [*ring, ring[0]])
    graph.chain("before", [*reversed(ring), ring[-1]])
    svg = draw.draw_graph(graph)
    assert not overlapping(svg)
    spots = [middle(node) for node in nodes(svg).values()]
    assert max(x for x, _ in spots) - min(x for x, _ in spots) > 150
    assert max(y for _, y in spots) - min(y for _, y in spots) > 100


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("name", MODELS)
def test_boxes_of_models_do_not_overlap(name):
    grammar = new(name)
    for svg in (draw.draw_graph(grammar.start), *map(draw.draw_rule, grammar.rules.values())):
        assert overlapping(svg) == []


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["flags-plain-2x2of3-win5-p2-noiso", "sym-plain-1x2of2-win3-p2"])
def test_boxes_of_pentago_s_sizes_do_not_overlap(name):
    grammar = made(name)
    for svg in (draw.draw_graph(grammar.start), *map(draw.draw_rule, grammar.rules.values())):
        assert overlapping(svg) == []
    found = nodes(draw.draw_graph(grammar.start))
    assert set(found) == set(grammar.start.nodes)


@pytest.mark.parametrize(
    "places",
    [
        [(0, 0)] * 5,
        [(math.nan, 0), (1, 1), (2, 2), (3, 3), (4, 4)],
        [(math.inf, 0), (1, 1), (2, 2), (3, 3), (4, 4)],
        [(1e300, 1e300), (1, 1), (2, 2), (3, 3), (4, 4)],
        [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)],
        [(0, 0), (0.01, 0), None, None, None],
    ],
)
def test_unusual_positions_give_a_readable_picture(places):
    graph = Graph("start")
    for place in places:
        graph.node("type:Space", at=place)
    svg = draw.draw_graph(graph)
    assert overlapping(svg) == []
    assert 0 < float(tree(svg).attrib["width"]) < 5000
    assert "nan" not in svg.split("</style>")[-1]


def test_an_empty_graph_can_be_drawn():
    assert tree(draw.draw_graph(Graph())).tag == f"{SVG}svg"


def test_edges_are_bundled_by_direction():
    graph = Graph("start")
    one, other = graph.node("type:A", at=(0, 0)), graph.node("type:B", at=(300, 0))
    for label in ("a", "b", "a"):
        graph.edge(one, label, other)
    graph.edge(other, "back", one)
    svg = draw.draw_graph(graph)
    ways = [each.attrib["d"] for each in classed(svg, "shaft")]
    assert len(set(ways)) == 2
    assert sorted(text for each in classed(svg, "edge") for text in said(each)) == ["a, b", "back"]
    heights = [[float(y) for y in re.findall(r"-?[\d.]+ (-?[\d.]+)", way)] for way in ways]
    assert (heights[0][1] - heights[0][0]) * (heights[1][1] - heights[1][0]) < 0  # one bends up, one down


def test_an_arrow_avoids_boxes_between_its_ends():
    boxes = {name: Box(name, [TextLine(name)], x=x, y=0) for name, x in (("a", 0), ("b", 150), ("c", 300))}
    for box in boxes.values():
        box.measure()
    (route,) = routes(boxes, [Arrow("a", "c", [TextLine("far")])])
    points = [route.curve.at(i / 50) for i in range(51)]
    assert not any(boxes["b"].contains(*point) for point in points)
    assert points[0].x == pytest.approx(boxes["a"].width / 2, abs=4)
    assert points[-1].x == pytest.approx(300 - boxes["c"].width / 2, abs=4)


def test_frequent_labels_are_explained_in_the_legend():
    svg = draw.draw_graph(board(8, 8))
    assert classed(svg, "thin-key") == []
    svg = draw.draw_graph(board(12, 12))
    assert ["".join(each.itertext()) for each in classed(svg, "thin-key")] == ["─── h", "╌╌╌ v", "┈┈┈ d"]
    assert len(classed(svg, "thin-1")) == 132
    assert not any("h" in said(each) for each in classed(svg, "thin-0"))


def test_a_long_list_of_labels_is_cut_with_a_count():
    graph = Graph("start")
    one, other = graph.node(), graph.node()
    for number in range(40):
        graph.edge(one, f"label{number:08}", other)
    svg = draw.draw_graph(graph)
    (texts,) = (said(each) for each in classed(svg, "edge") if said(each))
    assert texts == [*(f"label{number:08}" for number in range(5)), "and 35 more"]
    assert "label00000039" in svg  # the pointer rests on that state


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def every_role() -> Graph:
    rule = Graph("all", "rule", attributes={"priority": "3", "actionRole": "invariant"})
    player = rule.node("type:Player", "par:0", "del:flag:free", "let:n = n + 1", "test:n < 3")
    for role in ("del", "new", "not", "cnew", "rem"):
        node = rule.node(f"{role}:", "type:Mark", name=role)
        rule.edge(player, f"to_{role}", node)
    return rule


@pytest.mark.parametrize(
    ("role", "class_"),
    [("del", "eraser"), ("new", "creator"), ("not", "embargo"), ("cnew", "adder"), ("rem", "remark")],
)
def test_roles_have_a_class_and_a_sign(role, class_):
    svg = draw.draw_rule(every_role())
    node = nodes(svg)[role]
    assert class_ in node.attrib["class"].split()
    assert said(node) == ["Mark", SIGNS[class_]]
    edges = [text for each in classed(svg, class_) if "edge" in each.get("class", "") for text in said(each)]
    assert edges == [f"{SIGNS[class_]} to_{role}"]
    assert any("key" in each.get("class", "") and SIGNS[class_] in (each.text or "") for each in classed(svg, class_))


def test_roles_differ_in_more_than_colour():
    signs = set(SIGNS.values())
    assert len(signs) == len(SIGNS) == 5
    dashes = {}
    for role in SIGNS:
        found = re.search(rf"\.{role} {{([^}}]*)}}", style.STYLE)
        assert found
        dashes[role] = re.sub(r"--own: [^;]*;", "", found[1]).strip()
    assert len(set(dashes.values())) == len(dashes)


def test_labels_of_a_node_in_a_rule():
    svg = draw.draw_rule(every_role())
    assert said(nodes(svg)["n0"]) == ["Player", "− free", "n := n + 1", "test n < 3", "0"]
    heads = [each.text for each in classed(svg, "below") if "key" not in each.get("class", "")]
    assert heads == ["invariant · priority 3"]


@pytest.mark.parametrize(
    ("labels", "attributes", "expected"),
    [
        (["type:A"], {}, "condition · priority 0"),
        (["new:flag:x"], {}, "transformer · priority 0"),
        (["let:x = 1"], {}, "transformer · priority 0"),
        (["not:let:x = 1"], {}, "condition · priority 0"),
        (["type:A"], {"priority": "2"}, "transformer · priority 2"),
        (["type:A"], {"injective": "true", "enabled": "false"}, "condition · priority 0 · injective · not enabled"),
    ],
)
def test_a_picture_of_a_rule_shows_its_properties(labels, attributes, expected):
    rule = Graph("rule", "rule", attributes=attributes)
    rule.node(*labels)
    assert expected in [each.text for each in classed(draw.draw_rule(rule), "below")]


def test_quantifiers_and_their_nodes():
    rule = Graph("all", "rule")
    every, some = rule.node("forall=q:"), rule.node("exists=e:")
    kinds = [rule.node("forallx:"), rule.node("existsx:")]
    space = rule.node("type:Space", "del=e:flag:free")
    rule.edge(some, "in", every)
    rule.edge(space, "@", every)
    rule.edge(space, "use=e:marble", rule.node("type:Player"))
    svg = draw.draw_rule(rule)
    assert [said(nodes(svg)[name]) for name in (every, some, *kinds)] == [["∀ q"], ["∃ e"], ["∀ ≥1"], ["∃ ≥0"]]
    assert said(nodes(svg)[space]) == ["Space", "− free @e"]
    dotted = [text for each in classed(svg, "level") for text in said(each)]
    assert sorted(dotted) == ["@", "in"]
    assert ["marble @e"] in [said(each) for each in classed(svg, "reader")]


@pytest.mark.parametrize(
    ("label", "is_path"),
    [("path:a.b", True), ("(a|-b)*.c", True), ("?x[^a,b]", True), ("!=", True), ("marble", False), (":a.b", False)],
)
def test_paths_have_their_own_class(label, is_path):
    rule = Graph("rule", "rule")
    rule.edge(rule.node(), label, rule.node())
    (arrow,) = rule_parts(rule).arrows
    assert (arrow.labels[0].class_ == "path") is is_path


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("", "", "reader"),
        ("del:", "", "eraser"),
        ("", "new:", "creator"),
        ("not:", "del:", "embargo"),
        ("new:", "rem:", "remark"),
        ("cnew:", "", "adder"),
    ],
)
def test_an_edge_inherits_the_role_of_its_ends(source, target, expected):
    rule = Graph("rule", "rule")
    ends = [rule.node(*([label] if label else [])) for label in (source, target)]
    rule.edge(ends[0], "x", ends[1])
    assert [arrow.class_ for arrow in rule_parts(rule).arrows] == [expected]


# ── type graphs ──────────────────────────────────────────────────────────────────────────────────


def test_a_type_graph():
    graph = Graph("types", "type")
    piece, king, square = (
        graph.node("type:Piece", "abs:"),
        graph.node("type:King", "flag:big"),
        graph.node("type:Square"),
    )
    graph.edge(king, "sub:", piece)
    graph.edge(piece, "in=0..1:out=1:at", square)
    graph.edge(square, "part:next", square)
    graph.edges.append(Edge(king, "int:age", king))
    svg = draw.draw_type(graph)
    found = nodes(svg)
    assert said(found[piece]) == ["«abstract»", "Piece"]
    assert "abstract" in found[piece].attrib["class"].split()
    assert said(found[king]) == ["King", "big", "age: int"]
    assert len(classed(svg, "hollow")) == 1
    assert middle(found[piece])[1] < middle(found[king])[1]
    assert ["at", "0..1", "1"] in [said(each) for each in classed(svg, "edge")]
    assert sum(len(each.attrib["points"].split()) == 4 for each in classed(svg, "point")) == 1


def test_cyclic_types_can_be_drawn():
    graph = Graph("types", "type")
    names = [graph.node(f"type:T{i}") for i in range(3)]
    graph.chain("sub:", [*names, names[0]])
    assert len(classed(draw.draw_type(graph), "hollow")) == 3


# ── control and transition systems ───────────────────────────────────────────────────────────────


class Program:
    """Locations as control gives them."""

    def picture(self):
        nodes = [(0, "trial", 0, True), (1, "trial", 0, False), (2, "dead", 0, False), (3, "trial", 1, False)]
        edges = [(0, "win", 2), (0, "failure", 1), (1, "move()", 3), (3, "turn", 4), (3, "back", 4), (4, "again", 0)]
        edges += [(0, "success", 2), (1, "success", 5), (1, "failure", 5)]
        return [*nodes, (4, "final", 0, False), (5, "dead", 0, False)], edges


def test_control_locations_are_distinguished():
    svg = draw.draw_control(Program())
    found = nodes(svg)
    assert {name: said(node) for name, node in found.items()} == {
        "0": ["0"],
        "1": ["1"],
        "2": ["2", "✕"],
        "3": ["‹ 3 ›"],
        "4": ["4"],
    }
    assert "start" in found["0"].attrib["class"].split()
    assert len([each for each in tree(svg).iter() if each.get("class") == "ring"]) == 1
    assert [text for each in classed(svg, "verdict") if "edge" in each.attrib["class"] for text in said(each)] == [
        "failure"
    ]
    assert ["turn, back"] in [said(each) for each in classed(svg, "edge")]
    assert [middle(found[name])[1] for name in "0134"] == sorted(middle(found[name])[1] for name in "0134")


def test_a_control_program_is_drawn():
    rules = {name: Unit(name, 0, ()) for name in ("win", "move", "turn")}
    program = compile_program({"main": "alap { try { win; halt; } else { move; turn; } }"}, ["main"], rules)
    svg = draw.draw_control(program)
    texts = [text for each in classed(svg, "edge") for text in said(each)]
    assert sorted(texts) == ["failure", "failure", "move", "turn", "win"]
    assert len(classed(svg, "start")) == 2  # the location, and the line below
    assert len(classed(svg, "dead")) == 2


def small_lts() -> Lts:
    lts = Lts([("go", ()), ("say", ("n1", "2")), ("<&>", ())], states=5, final={3}, open={4}, broken={2: ("bothWin",)})
    for source, action, target in ((0, 0, 1), (0, 1, 1), (0, 2, 2), (1, 0, 3), (2, 0, 4), (3, 0, 0), (1, 1, 1)):
        lts.add(source, action, target)
    return lts


def test_a_transition_system_in_layers():
    svg = draw.draw_lts(small_lts())
    found = nodes(svg)
    heights = {name: middle(node)[1] for name, node in found.items()}
    assert heights["0"] < heights["1"] < heights["3"]
    assert heights["3"] == pytest.approx(heights["4"], abs=1)
    kinds = {"0": "start", "2": "broken", "3": "final", "4": "open"}
    assert all(kind in found[name].attrib["class"].split() for name, kind in kinds.items())
    assert said(found["2"]) == ["s2", "bothWin", "!"]
    texts = [text for each in classed(svg, "edge") for text in said(each)]
    assert sorted(texts) == ["<&>", "go", "go", "go", "go, say(n1,2)", "say(n1,2)"]
    assert overlapping(svg) == []
    assert "5 states, 7 transitions" in [each.text for each in classed(svg, "below")]


# ── bounds, errors, and any text ─────────────────────────────────────────────────────────────────


def test_large_graphs_are_refused_in_one_line():
    huge = Graph("huge")
    for _ in range(draw.MAX_NODES + 1):
        huge.nodes[f"n{len(huge.nodes)}"] = None
    many = Graph("many")
    node = many.node()
    many.edges = [Edge(node, str(number), node) for number in range(draw.MAX_EDGES + 1)]
    for draws in (draw.draw_graph, draw.draw_rule, draw.draw_type):
        with pytest.raises(GrammarError, match=r"^huge: .* 600 nodes; this has 601"):
            draws(huge)
        with pytest.raises(GrammarError, match=r"^many: .* 4,000 edges; this has 4,001"):
            draws(many)
    with pytest.raises(GrammarError, match="at most 4 states; this has 5"):
        draw.draw_lts(small_lts(), limit=4)
    draw.draw_lts(small_lts(), limit=5)


def test_an_edge_to_a_missing_node_is_reported():
    graph = Graph("broken", edges=[Edge("a", "x", "b")], nodes={"a": None})
    for draws in (draw.draw_graph, draw.draw_rule, draw.draw_type):
        with pytest.raises(GrammarError, match=r"node b, label 'x': .* missing node"):
            draws(graph)


LABELS = st.one_of(
    st.text(max_size=12),
    st.builds(
        "{}{}".format,
        st.sampled_from(
            ["type:", "flag:", "let:", "new:", "not=q:", "int:", "par:", "sub:", "in=:", "forall:", "rem:"]
        ),
        st.text(max_size=8),
    ),
)
EDGES = st.lists(st.tuples(st.integers(0, 4), LABELS, st.integers(0, 4)), max_size=14)


@properties(40)
@given(EDGES, st.text(max_size=20), st.sampled_from([draw.draw_graph, draw.draw_rule, draw.draw_type]))
def test_any_text_gives_valid_xml(edges, name, draws):
    graph = Graph(name, attributes={"actionRole": name, "remark": name})
    for number in range(5):
        graph.node(name=f"{name}{number}")
    names = list(graph.nodes)
    for source, label, target in edges:
        graph.edge(names[source], label, names[target])
    svg = draws(graph)
    svg.encode()
    assert tree(svg).tag == f"{SVG}svg"
    assert svg == draws(graph)
    assert overlapping(svg) == []


@properties(40)
@given(st.text())
def test_characters_not_allowed_in_xml_are_replaced(text):
    texts = ElementTree.fromstring(f"<a>{escape(shown(text))}</a>").text or ""
    assert len(texts) == len(text)
    assert all(one == other or not other.isprintable() for one, other in zip(texts, text, strict=True))


def test_control_characters_are_shown():
    graph = Graph("a\x00b")
    graph.node("type:x\x1by", "flag:\ud800", "flag:two\nlines")
    svg = draw.draw_graph(graph)
    (node,) = nodes(svg).values()
    assert said(node) == ["x�y", "�", "two↵lines"]


def test_long_labels_are_cut_with_the_whole_label_in_the_title():
    graph = Graph("start")
    node = graph.node(f"type:{'long' * 50}")
    svg = draw.draw_graph(graph)
    assert rect(nodes(svg)[node])[2] < 700
    assert said(nodes(svg)[node])[0].endswith("…")
    assert "long" * 50 in svg


# ── looks ────────────────────────────────────────────────────────────────────────────────────────


def brightness(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colours", [style._LIGHT, style._DARK], ids=["light", "dark"])
def test_all_colours_have_enough_contrast(colours):
    found = dict(re.findall(r"--(\w+): (#\w+);", colours))
    assert len(found) == 10
    for name in set(found) - {"ground", "card"}:
        for behind in ("ground", "card"):
            light, dark = sorted((brightness(found[name]), brightness(found[behind])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (name, behind)


def test_a_page_may_have_its_own_style_sheet():
    graph = board(2, 2)
    assert "<style>" in draw.draw_graph(graph)
    assert "<style>" not in draw.draw_graph(graph, style=False)
    assert tree(draw.draw_graph(graph, "my title")).findtext(f"{SVG}title") == "my title"
    texts = tree(draw.draw_graph(graph)).findtext(f"{SVG}desc")
    assert texts is not None
    assert texts.startswith("Graph with 4 nodes and 5 arrows: 0.0: Space; 0.1: Space")


def test_a_box_with_too_many_lines_is_cut_with_a_count():
    graph = Graph("start")
    node = graph.node(*(f"flag:f{number}" for number in range(100)))
    texts = said(nodes(draw.draw_graph(graph))[node])
    assert texts == [*(f"f{number}" for number in range(39)), "and 61 more"]


def test_connected_components_do_not_overlap():
    graph = Graph("tangle")
    for number in range(150):
        graph.node("type:A", name=str(number))
    for number in range(1, 150):
        graph.edge(str(number), "x", str(number * 7 % 150))
    assert overlapping(draw.draw_graph(graph)) == []


def test_hosts_show_other_labels_unchanged():
    graph = Graph("start")
    one, other = graph.node("new:x"), graph.node()
    graph.edge(one, "del:y", other)
    parts = host_parts(graph)
    assert parts.boxes[one].lines == [TextLine("new:x")]
    assert [arrow.text for arrow in parts.arrows] == ["del:y"]
