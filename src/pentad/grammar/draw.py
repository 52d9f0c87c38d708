"""SVG pictures of grammars: start graphs, rules, type graphs, control automata and small transition systems.

Each `draw_` function returns a complete picture as text; with `style=False` it omits the style sheet, which the page
provides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from pentad.grammar.graph import Edge, GrammarError, Graph, drawers
from pentad.grammar.language.labels import (
    ADDER,
    CREATOR,
    EMBARGO,
    ERASER,
    PARAMETERS,
    READER,
    REMARK,
    SORTS,
    Label,
    label_of,
)
from pentad.grammar.lts import Lts
from pentad.grammar.pictures.layout import (
    Arrow,
    Box,
    DiagramParts,
    TextLine,
    arrange,
    bundled,
    distances,
    in_layers,
    short,
    shown,
)
from pentad.grammar.pictures.style import picture
from pentad.system.words import phrase

# CSS classes of roles, and signs that distinguish them without colours.
CLASSES = {
    READER: "reader",
    ERASER: "eraser",
    CREATOR: "creator",
    EMBARGO: "embargo",
    ADDER: "adder",
    REMARK: "remark",
}
SIGNS = {"eraser": "−", "creator": "+", "embargo": "✕", "adder": "+?", "remark": "//"}
# An edge without a role inherits the first of these that one of its ends has.
INHERITED = (REMARK, EMBARGO, ADDER, CREATOR, ERASER)

MAX_LINES_IN_BOX = 40

_QUANTIFIERS = {"forall": "∀", "forallx": "∀ ≥1", "exists": "∃", "existsx": "∃ ≥0"}
_PATH_LETTERS = frozenset(".|*+-?!")
_FIRST = ("type", "id")  # kinds of labels that stand at the top of a box


def _read(graph: Graph) -> tuple[dict[str, list[tuple[Label, str]]], list[tuple[Label, Edge]]]:
    """Returns the labels on each node, and those between two nodes."""
    loops: dict[str, list[tuple[Label, str]]] = {node: [] for node in graph.nodes}
    between: list[tuple[Label, Edge]] = []
    for edge in graph.edges:
        graph.check_ends(edge, graph.name)
        label = label_of(edge.label, graph.role)
        if edge.source == edge.target:
            loops[edge.source].append((label, edge.label))
        else:
            between.append((label, edge))
    for labels in loops.values():
        labels.sort(key=lambda each: _FIRST.index(each[0].kind) if each[0].kind in _FIRST else len(_FIRST))
    return loops, between


def _finished(boxes: dict[str, Box], arrows: list[Arrow]) -> DiagramParts:
    for box in boxes.values():
        box.lines = [TextLine(shown(line.text), line.class_) for line in box.lines] or [
            TextLine(shown(box.name), "faint")
        ]
        if len(box.lines) > MAX_LINES_IN_BOX:
            box.lines[MAX_LINES_IN_BOX - 1 :] = [TextLine(f"and {len(box.lines) - MAX_LINES_IN_BOX + 1} more", "faint")]
        box.badge = short(shown(box.badge), 16)
        box.measure()
    for arrow in arrows:
        arrow.labels = [TextLine(shown(line.text), line.class_) for line in arrow.labels if line.text]
    return DiagramParts(boxes, bundled(arrows))


# ── start graphs ─────────────────────────────────────────────────────────────────────────────────

_HOST_LINES: Mapping[str, Callable[[str], TextLine]] = {
    "type": lambda text: TextLine(text, "type"),
    "flag": lambda text: TextLine(text, "flag"),
    "id": lambda text: TextLine(f"{text}:", "faint"),
    "let": lambda text: TextLine(text),
}


def host_parts(graph: Graph) -> DiagramParts:
    """Returns the parts of a host graph; attribute values are shown in their owners' boxes."""
    loops, between = _read(graph)
    targets, sources = {edge.target for _, edge in between}, {edge.source for _, edge in between}
    values = {  # these nodes are only attributes of other nodes
        node: labels[0][0].text
        for node, labels in loops.items()
        if len(labels) == 1 and labels[0][0].kind in SORTS and labels[0][0].text and node in targets - sources
    }
    boxes = {node: Box(node) for node in graph.nodes if node not in values}
    for node, box in boxes.items():
        for label, whole in loops[node]:
            if label.kind in SORTS and not label.role:
                box.is_round, box.class_ = True, "value"
                box.lines.append(TextLine(label.text or label.kind))
            elif label.kind != "color":
                line = _HOST_LINES.get(label.kind)
                box.lines.append(line(label.text) if line and not label.role else TextLine(whole))
    arrows = []
    for label, edge in between:
        if edge.target in values:
            boxes[edge.source].lines.append(TextLine(f"{label.text} = {values[edge.target]}"))
        else:
            text = edge.label if label.role or label.kind else label.text
            arrows.append(Arrow(edge.source, edge.target, [TextLine(text)]))
    return _finished(boxes, arrows)


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def rule_parts(graph: Graph) -> DiagramParts:
    """Returns the parts of a rule; each element is in its role."""
    loops, between = _read(graph)
    boxes = {node: _rule_box(node, loops[node]) for node in graph.nodes}
    roles = {node: _role(labels) for node, labels in loops.items()}
    levels = {node for node, box in boxes.items() if box.class_ == "quantifier"}
    arrows = []
    for label, edge in between:
        ends = {roles[edge.source], roles[edge.target]}
        role = label.role if label.role in CLASSES else next((each for each in INHERITED if each in ends), READER)
        class_ = CLASSES[role]
        if levels & {edge.source, edge.target} and role != REMARK:
            class_ = "level"
        line = _marked(_edge_text(label), label, class_)
        arrows.append(Arrow(edge.source, edge.target, [line], class_))
    return _finished(boxes, arrows)


def _role(labels: list[tuple[Label, str]]) -> str:
    return next((label.role for label, _ in labels if label.is_bare and label.role in CLASSES), READER)


def _rule_box(node: str, labels: list[tuple[Label, str]]) -> Box:
    role = _role(labels)
    box = Box(node, class_=CLASSES[role], sign=SIGNS.get(CLASSES[role], ""))
    for label, _ in labels:
        if label.role in _QUANTIFIERS:
            box.class_ = "quantifier"
            box.lines.insert(0, TextLine(f"{_QUANTIFIERS[label.role]} {label.level}".strip(), "type"))
        elif label.kind in PARAMETERS:
            box.badge = ", ".join(filter(None, (box.badge, f"{PARAMETERS[label.kind]} {label.text}".strip() or "par")))
        elif label.is_bare and label.role in CLASSES:
            box.lines += [TextLine(f"@ {label.level}", "faint")] if label.level else []
        elif label.kind == "prod":
            box.is_round = True
            box.lines.append(TextLine("ƒ", "path"))
        elif label.kind in SORTS and not label.role:
            box.is_round = True
            box.lines.append(TextLine(label.text or label.kind))
        elif label.kind != "color":
            box.lines.append(_rule_line(label, role))
    return box


def _rule_line(label: Label, role: str) -> TextLine:
    """Returns the line of a label on a node, with a sign if its role differs from the node's."""
    class_ = CLASSES[label.role] if label.role in CLASSES and label.role != role else ""
    if label.kind == "let":
        name, equals, value = label.text.partition("=")
        text = f"{name.strip()} := {value.strip()}" if equals else label.text
        class_ = class_ or CLASSES[CREATOR if role == READER else role]
        return TextLine(_signed(text, label, CLASSES.get(label.role, "")), class_)
    kinds = {"type": "type", "flag": "flag", "test": "test", "id": "faint"}
    text = {"test": f"test {label.text}", "id": f"{label.text}:"}.get(label.kind, label.text)
    if label.kind not in kinds:
        line = _marked(_edge_text(label), label, class_)
        return TextLine(line.text, f"{class_} {line.class_}".strip())
    return TextLine(_signed(text, label, class_), f"{class_} {kinds[label.kind]}".strip())


def _edge_text(label: Label) -> str:
    """Returns an edge's text, with the prefix of its kind if the drawing does not show the kind."""
    if label.kind in ("", "path", "edge"):
        return label.text
    return f"{label.kind}:{label.text}"


def _signed(text: str, label: Label, class_: str) -> str:
    text = f"{SIGNS[class_]} {text}" if class_ in SIGNS else text
    return f"{text} @{label.level}" if label.level else text


def _marked(text: str, label: Label, class_: str) -> TextLine:
    is_path = not label.literal and (label.kind == "path" or bool(_PATH_LETTERS & set(label.text)))
    return TextLine(_signed(text, label, class_), "path" if is_path else "")


def changes(graph: Graph) -> bool:
    """Whether a rule deletes or creates anything."""
    labels = [label_of(edge.label, graph.role) for edge in graph.edges]
    return any(
        label.role in (ERASER, CREATOR, ADDER) or (label.kind == "let" and label.role != EMBARGO) for label in labels
    )


# ── type graphs ──────────────────────────────────────────────────────────────────────────────────


def type_parts(graph: Graph) -> DiagramParts:
    """Returns the parts of a type graph: arrows from subtypes to supertypes, multiplicities at the ends of edges."""
    loops, between = _read(graph)
    boxes = {node: _type_box(node, loops[node]) for node in graph.nodes}
    arrows = [_type_arrow(label, edge) for label, edge in between]
    for node, labels in loops.items():
        arrows += [
            _type_arrow(label, Edge(node, whole, node)) for label, whole in labels if _is_edge(label) and not label.role
        ]
    return _finished(boxes, arrows)


def _is_edge(label: Label) -> bool:
    return label.kind in ("", "edge") and bool(label.text)


def _type_box(node: str, labels: list[tuple[Label, str]]) -> Box:
    box = Box(node)
    for label, whole in labels:
        also = label.also
        if label.role == REMARK:
            box.class_, box.sign = "remark", SIGNS["remark"]
            box.lines += [TextLine(label.text, label.kind)] if label.text else []
        elif "abs" in also and label.kind in ("", "type"):
            box.class_ = "abstract"
        if label.role == REMARK or _is_edge(label) or label.kind == "color":
            continue
        if label.kind in ("type", "flag"):
            box.lines.append(TextLine(label.text, label.kind))
        elif label.kind in SORTS:
            box.is_round = box.is_round or not label.text
            box.lines.append(TextLine(f"{label.text}: {label.kind}" if label.text else label.kind))
        elif "abs" not in also:
            box.lines.append(TextLine(whole))
    if box.class_ == "abstract":
        box.lines.insert(0, TextLine("«abstract»", "faint"))
    return box


def _type_arrow(label: Label, edge: Edge) -> Arrow:
    also = label.also
    if label.role == REMARK:
        return Arrow(edge.source, edge.target, [TextLine(label.text)], "remark")
    if "sub" in also:
        return Arrow(edge.source, edge.target, [], "abstract" if "abs" in also else "sub", "triangle")
    return Arrow(
        edge.source,
        edge.target,
        [TextLine(label.text)],
        "abstract" if "abs" in also else "reader",
        has_diamond="part" in also,
        near=shown(also.get("in", "")),
        far=shown(also.get("out", "")),
    )


MAX_NODES, MAX_EDGES = 600, 4_000  # a larger graph is not drawn
MAX_STATES = 200
VERDICTS = ("success", "failure")  # a location of a control automaton has them for the calls that were tried


class Drawable(Protocol):
    """A control automaton, as far as a picture needs it."""

    def picture(self) -> tuple[Sequence[tuple[int, str, int, bool]], Sequence[tuple[int, str, int]]]:
        """Locations (number, kind, transience, whether it is a start) and edges (source, text, target)."""
        ...


def draw_graph(graph: Graph, title: str | None = None, *, style: bool = True) -> str:
    """Draws a start graph or another host graph, with nodes at their stored positions."""
    refuse_large(graph)
    return _placed(graph, host_parts(graph), graph.name or "graph" if title is None else title, [], "Graph", style)


def draw_rule(rule: Graph, title: str | None = None, *, style: bool = True) -> str:
    """Draws a rule with its quantifiers; deleted elements are marked −, created ones +, forbidden ones ✕."""
    refuse_large(rule)
    attributes = rule.attributes
    priority = attributes.get("priority", "").strip() or "0"
    default_role = "transformer" if changes(rule) or priority != "0" else "condition"
    captions = [attributes.get("actionRole", "").strip() or default_role, f"priority {priority}"]
    captions += ["injective"] if attributes.get("injective", "").strip() == "true" else []
    captions += ["not enabled"] if attributes.get("enabled", "").strip() == "false" else []
    lines = [" · ".join(captions), attributes.get("remark", "").strip()]
    return _placed(rule, rule_parts(rule), rule.name or "rule" if title is None else title, lines, "Rule", style)


def draw_type(graph: Graph, title: str | None = None, *, style: bool = True) -> str:
    """Draws a type graph, supertypes above, with hollow arrows to them."""
    refuse_large(graph)
    parts = type_parts(graph)
    name = graph.name or "types" if title is None else title
    above = [(arrow.target, arrow.source) for arrow in parts.arrows if arrow.head == "triangle"]
    if above and all(place is None for place in graph.nodes.values()):
        in_layers(parts, _heights(parts.boxes, above))
        return picture(parts, name, [], "Type graph", style)
    return _placed(graph, parts, name, [], "Type graph", style)


def draw_control(automaton: Drawable, title: str = "control", *, style: bool = True) -> str:
    """Draws a control automaton: locations in layers from the start, verdicts as dotted arrows."""
    nodes, edges = automaton.picture()
    _refuse_more("locations", len(nodes), MAX_NODES)
    _refuse_more("edges", len(edges), MAX_EDGES)
    dead = {number for number, kind, _, _ in nodes if kind == "dead"}
    drawn = [edge for edge in edges if edge[1] not in VERDICTS or edge[2] not in dead]
    unseen = dead - {target for _, _, target in drawn}
    parts = DiagramParts()
    starts = []
    for number, kind, transience, is_start in nodes:
        if number in unseen and not is_start:
            continue
        text = f"{'‹ ' * transience}{number}{' ›' * transience}"
        classes = [kind, *(["inner"] if transience else []), *(["start"] if is_start else [])]
        parts.boxes[str(number)] = _state(str(number), text, classes, "✕" if kind == "dead" else "")
        starts += [str(number)] if is_start else []
    parts.arrows = bundled(
        Arrow(str(source), str(target), [TextLine(shown(text))], "verdict" if text in VERDICTS else "reader")
        for source, text, target in drawn
    )
    in_layers(parts, _depths(parts.boxes, parts.links, starts))
    captions = ["success or failure without an arrow leads nowhere"] if len(drawn) < len(edges) else []
    return picture(parts, title, captions, "Control automaton", style)


def draw_lts(
    lts: Lts,
    limit: int = MAX_STATES,
    title: str = "transition system",
    *,
    style: bool = True,
    sizes: Sequence[int] = (),
    caption: str = "",
) -> str:
    """Draws a small transition system, in layers by distance from the start.

    `sizes` are the numbers of states that each state stands for; `caption` is a line below the title.
    """
    _refuse_more("states", lts.states, limit)
    parts = DiagramParts()
    for state in range(lts.states):
        kinds = {"start": state == 0, "final": state in lts.final, "open": state in lts.open}
        kinds["broken"] = state in lts.broken
        classes = ["state", *(name for name, is_so in kinds.items() if is_so)]
        parts.boxes[str(state)] = _state(str(state), f"s{state}", classes, "!" if state in lts.broken else "")
        parts.boxes[str(state)].lines += (
            [TextLine(f"{sizes[state]:,} states", "faint")] if sizes and sizes[state] > 1 else []
        )
        parts.boxes[str(state)].lines += [TextLine(shown(name)) for name in lts.broken.get(state, ())]
        parts.boxes[str(state)].measure()
    parts.arrows = bundled(Arrow(str(each.source), str(each.target), [TextLine(shown(each.label))]) for each in lts)
    _refuse_more("arrows", len(parts.arrows), MAX_EDGES)
    in_layers(parts, _depths(parts.boxes, parts.links, ["0"]))
    captions = [f"{lts.states} states, {lts.transitions} transitions", *([caption] if caption else [])]
    return picture(parts, title, captions, "Transition system", style)


# ── shared helpers ───────────────────────────────────────────────────────────────────────────────


def _placed(graph: Graph, parts: DiagramParts, name: str, captions: Sequence[str], kind: str, style: bool) -> str:
    # the edges of a host graph, from which the layout may recognize a board
    edges = (each for each in graph.between() if graph.role == "graph" and not label_of(each.label, graph.role).kind)
    arrange(parts, graph.nodes, edges)
    return picture(parts, name, captions, kind, style)


def refuse_large(graph: Graph) -> None:
    """Raises an error if a graph is too large for a picture."""
    _refuse_more("nodes", len(graph.nodes), MAX_NODES, graph.name)
    _refuse_more("edges", len(graph.edges), MAX_EDGES, graph.name)


def _refuse_more(things: str, count: int, most: int, where: str = "") -> None:
    if count > most:
        raise GrammarError(
            phrase(
                "A picture shows at most {most:,} {things}; this has {count:,}.", most=most, things=things, count=count
            ),
            where,
        )


def _state(name: str, text: str, classes: Iterable[str], sign: str) -> Box:
    box = Box(name, [TextLine(text)], " ".join(classes), sign, is_round=True)
    box.measure()
    return box


def _depths(names: Iterable[str], links: Iterable[tuple[str, str]], starts: Sequence[str]) -> dict[str, int]:
    """The distance of each box from the start; boxes that cannot be reached are in the first layer."""
    successors: dict[str, list[str]] = {name: [] for name in names}
    for source, target in links:
        successors[source].append(target)
    found = distances(starts, successors)
    return {name: found.get(name, 0) for name in successors}


def _heights(names: Mapping[str, Box], above: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The layer of each type: below all its supertypes, unless they form a cycle."""
    found = dict.fromkeys(names, 0)
    for _ in range(len(found)):
        changed = False
        for higher, lower in above:
            if found[lower] <= found[higher] < len(found) - 1:
                found[lower], changed = found[higher] + 1, True
        if not changed:
            break
    return found


drawers.update(graph=draw_graph, rule=draw_rule, type=draw_type)
