"""Boxes and arrows of start graphs, rules and type graphs, from the graphs' labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pentad.grammar.graph import Edge, GrammarError, Graph
from pentad.grammar.language.label_prefixes import (
    ADDER,
    CREATOR,
    EMBARGO,
    ERASER,
    PARAMETERS,
    READER,
    REMARK,
    SORTS,
    Label,
    take_apart,
)
from pentad.grammar.pictures.diagram import Arrow, Box, Line, Parts, bundled, short, shown

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

MOST_LINES = 40  # in a box

_QUANTIFIERS = {"forall": "∀", "forallx": "∀ ≥1", "exists": "∃", "existsx": "∃ ≥0"}
_PATH_LETTERS = frozenset(".|*+-?!")
_FIRST = ("type", "id")  # kinds of labels that stand at the top of a box


def _checked(graph: Graph) -> Graph:
    for edge in graph.edges:
        for end in (edge.source, edge.target):
            if end not in graph.nodes:
                raise GrammarError("An edge leads to a missing node.", graph.name, end, edge.label)
    return graph


def _read(graph: Graph) -> tuple[dict[str, list[tuple[Label, str]]], list[tuple[Label, Edge]]]:
    """Returns the labels on each node, and those between two nodes."""
    loops: dict[str, list[tuple[Label, str]]] = {node: [] for node in graph.nodes}
    between: list[tuple[Label, Edge]] = []
    for edge in _checked(graph).edges:
        label = take_apart(edge.label)
        if edge.source == edge.target:
            loops[edge.source].append((label, edge.label))
        else:
            between.append((label, edge))
    for labels in loops.values():
        labels.sort(key=lambda each: _FIRST.index(each[0].kind) if each[0].kind in _FIRST else len(_FIRST))
    return loops, between


def _finished(boxes: dict[str, Box], arrows: list[Arrow]) -> Parts:
    for box in boxes.values():
        box.lines = [Line(shown(line.text), line.class_) for line in box.lines] or [Line(shown(box.name), "faint")]
        if len(box.lines) > MOST_LINES:
            box.lines[MOST_LINES - 1 :] = [Line(f"and {len(box.lines) - MOST_LINES + 1} more", "faint")]
        box.badge = short(shown(box.badge), 16)
        box.measure()
    for arrow in arrows:
        arrow.labels = [Line(shown(line.text), line.class_) for line in arrow.labels if line.text]
    return Parts(boxes, bundled(arrows))


# ── start graphs ─────────────────────────────────────────────────────────────────────────────────

_HOST_LINES: Mapping[str, Callable[[str], Line]] = {
    "type": lambda text: Line(text, "type"),
    "flag": lambda text: Line(text, "flag"),
    "id": lambda text: Line(f"{text}:", "faint"),
    "let": lambda text: Line(text),
}


def host_parts(graph: Graph) -> Parts:
    """Returns the parts of a host graph; attribute values are shown in their owners' boxes."""
    loops, between = _read(graph)
    values = _inner_values(loops, between)
    boxes = {node: Box(node) for node in graph.nodes if node not in values}
    for node, box in boxes.items():
        for label, whole in loops[node]:
            if label.kind in SORTS and not label.role:
                box.is_round, box.class_ = True, "value"
                box.lines.append(Line(label.text or label.kind))
            elif label.kind != "color":
                line = _HOST_LINES.get(label.kind)
                box.lines.append(line(label.text) if line and not label.role else Line(whole))
    arrows = []
    for label, edge in between:
        if edge.target in values:
            boxes[edge.source].lines.append(Line(f"{label.text} = {values[edge.target]}"))
        else:
            text = edge.label if label.role or label.kind else label.text
            arrows.append(Arrow(edge.source, edge.target, [Line(text)]))
    return _finished(boxes, arrows)


def _inner_values(loops: Mapping[str, list[tuple[Label, str]]], between: list[tuple[Label, Edge]]) -> dict[str, str]:
    """Returns the value nodes that are only attributes of other nodes, with their values."""
    targets, sources = {edge.target for _, edge in between}, {edge.source for _, edge in between}
    return {
        node: labels[0][0].text
        for node, labels in loops.items()
        if len(labels) == 1 and labels[0][0].kind in SORTS and labels[0][0].text and node in targets - sources
    }


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def rule_parts(graph: Graph) -> Parts:
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
            box.lines.insert(0, Line(f"{_QUANTIFIERS[label.role]} {label.level}".strip(), "type"))
        elif label.kind in PARAMETERS:
            box.badge = ", ".join(filter(None, (box.badge, f"{PARAMETERS[label.kind]} {label.text}".strip() or "par")))
        elif label.is_bare and label.role in CLASSES:
            box.lines += [Line(f"@ {label.level}", "faint")] if label.level else []
        elif label.kind == "prod":
            box.is_round = True
            box.lines.append(Line("ƒ", "path"))
        elif label.kind in SORTS and not label.role:
            box.is_round = True
            box.lines.append(Line(label.text or label.kind))
        elif label.kind != "color":
            box.lines.append(_rule_line(label, role))
    return box


def _rule_line(label: Label, role: str) -> Line:
    """Returns the line of a label on a node, with a sign if its role differs from the node's."""
    class_ = CLASSES[label.role] if label.role in CLASSES and label.role != role else ""
    if label.kind in ("let", "letnew"):
        name, equals, value = label.text.partition("=")
        text = f"{name.strip()} := {value.strip()}" if equals else label.text
        class_ = class_ or CLASSES[CREATOR if role == READER else role]
        return Line(_signed(text, label, CLASSES.get(label.role, "")), class_)
    kinds = {"type": "type", "flag": "flag", "test": "test", "id": "faint"}
    text = {"test": f"test {label.text}", "id": f"{label.text}:"}.get(label.kind, label.text)
    if label.kind not in kinds:
        line = _marked(_edge_text(label), label, class_)
        return Line(line.text, f"{class_} {line.class_}".strip())
    return Line(_signed(text, label, class_), f"{class_} {kinds[label.kind]}".strip())


def _edge_text(label: Label) -> str:
    """Returns an edge's text, with the prefix of its kind if the drawing does not show the kind."""
    if label.kind in ("", "path", "edge"):
        return label.text
    return f"{label.kind}:{label.text}"


def _signed(text: str, label: Label, class_: str) -> str:
    text = f"{SIGNS[class_]} {text}" if class_ in SIGNS else text
    return f"{text} @{label.level}" if label.level else text


def _marked(text: str, label: Label, class_: str) -> Line:
    is_path = not label.literal and (label.kind == "path" or bool(_PATH_LETTERS & set(label.text)))
    return Line(_signed(text, label, class_), "path" if is_path else "")


def changes(graph: Graph) -> bool:
    """Whether a rule deletes or creates anything."""
    labels = [take_apart(edge.label) for edge in graph.edges]
    return any(
        label.role in (ERASER, CREATOR, ADDER) or (label.kind in ("let", "letnew") and label.role != EMBARGO)
        for label in labels
    )


# ── type graphs ──────────────────────────────────────────────────────────────────────────────────


def type_parts(graph: Graph) -> Parts:
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
        also = dict(label.also)
        if label.role == REMARK:
            box.class_, box.sign = "remark", SIGNS["remark"]
            box.lines += [Line(label.text, label.kind)] if label.text else []
        elif "abs" in also and label.kind in ("", "type"):
            box.class_ = "abstract"
        if label.role == REMARK or _is_edge(label) or label.kind == "color":
            continue
        if label.kind in ("type", "flag"):
            box.lines.append(Line(label.text, label.kind))
        elif label.kind in SORTS:
            box.is_round = box.is_round or not label.text
            box.lines.append(Line(f"{label.text}: {label.kind}" if label.text else label.kind))
        elif "abs" not in also:
            box.lines.append(Line(whole))
    if box.class_ == "abstract":
        box.lines.insert(0, Line("«abstract»", "faint"))
    return box


def _type_arrow(label: Label, edge: Edge) -> Arrow:
    also = dict(label.also)
    if label.role == REMARK:
        return Arrow(edge.source, edge.target, [Line(label.text)], "remark")
    if "sub" in also:
        return Arrow(edge.source, edge.target, [], "abstract" if "abs" in also else "sub", "triangle")
    return Arrow(
        edge.source,
        edge.target,
        [Line(label.text)],
        "abstract" if "abs" in also else "reader",
        has_diamond="part" in also,
        near=shown(also.get("in", "")),
        far=shown(also.get("out", "")),
    )
