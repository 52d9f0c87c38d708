"""SVG pictures of grammars: start graphs, rules, type graphs, control automata and small transition systems.

Each `draw_` function returns a complete picture as text; with `style=False` it omits the style sheet, which the page
provides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pentad.grammar.graph import Edge, GrammarError, Graph
from pentad.grammar.language.label_prefixes import take_apart
from pentad.grammar.lts import Lts
from pentad.grammar.pictures.diagram import Arrow, Box, Line, Parts, bundled, shown
from pentad.grammar.pictures.graph_labels import changes, host_parts, rule_parts, type_parts
from pentad.grammar.pictures.layout import arrange, in_layers
from pentad.grammar.pictures.style import picture

MOST_NODES, MOST_EDGES = 600, 4_000  # of a graph
MOST_STATES = 200
VERDICTS = ("success", "failure")  # of the calls that were tried at a location of a control automaton


class Drawable(Protocol):
    """A control automaton, as far as a picture needs it."""

    def picture(self) -> tuple[Sequence[tuple[int, str, int, bool]], Sequence[tuple[int, str, int]]]:
        """Locations (number, kind, transience, whether it is a start) and edges (source, text, target)."""
        ...


def draw_graph(graph: Graph, title: str | None = None, *, style: bool = True) -> str:
    """Draws a start graph or another host graph, with nodes at their stored positions."""
    _refuse_large(graph)
    return _placed(graph, host_parts(graph), graph.name or "graph" if title is None else title, [], "Graph", style)


def draw_rule(rule: Graph, title: str | None = None, *, style: bool = True) -> str:
    """Draws a rule with its quantifiers; deleted elements are marked −, created ones +, forbidden ones ✕."""
    _refuse_large(rule)
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
    _refuse_large(graph)
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
    _refuse_more("locations", len(nodes), MOST_NODES)
    _refuse_more("edges", len(edges), MOST_EDGES)
    dead = {number for number, kind, _, _ in nodes if kind == "dead"}
    drawn = [edge for edge in edges if edge[1] not in VERDICTS or edge[2] not in dead]
    unseen = dead - {target for _, _, target in drawn}
    parts = Parts()
    starts = []
    for number, kind, transience, is_start in nodes:
        if number in unseen and not is_start:
            continue
        text = f"{'‹ ' * transience}{number}{' ›' * transience}"
        classes = [kind, *(["inner"] if transience else []), *(["start"] if is_start else [])]
        parts.boxes[str(number)] = _state(str(number), text, classes, "✕" if kind == "dead" else "")
        starts += [str(number)] if is_start else []
    parts.arrows = bundled(_control_arrow(*edge) for edge in drawn)
    in_layers(parts, _depths(parts.boxes, parts.links, starts))
    captions = ["success or failure without an arrow leads nowhere"] if len(drawn) < len(edges) else []
    return picture(parts, title, captions, "Control automaton", style)


def draw_lts(lts: Lts, limit: int = MOST_STATES, title: str = "transition system", *, style: bool = True) -> str:
    """Draws a small transition system, in layers by distance from the start."""
    _refuse_more("states", lts.states, limit)
    parts = Parts()
    for state in range(lts.states):
        kinds = {"start": state == 0, "final": state in lts.final, "open": state in lts.open}
        kinds["broken"] = state in lts.broken
        classes = ["state", *(name for name, is_so in kinds.items() if is_so)]
        parts.boxes[str(state)] = _state(str(state), f"s{state}", classes, "!" if state in lts.broken else "")
        parts.boxes[str(state)].lines += [Line(shown(name)) for name in lts.broken.get(state, ())]
        parts.boxes[str(state)].measure()
    parts.arrows = bundled(Arrow(str(each.source), str(each.target), [Line(shown(each.label))]) for each in lts)
    _refuse_more("arrows", len(parts.arrows), MOST_EDGES)
    in_layers(parts, _depths(parts.boxes, parts.links, ["0"]))
    captions = [f"{lts.states} states, {lts.transitions} transitions"]
    return picture(parts, title, captions, "Transition system", style)


# ── shared helpers ───────────────────────────────────────────────────────────────────────────────


def _placed(graph: Graph, parts: Parts, name: str, captions: Sequence[str], kind: str, style: bool) -> str:
    arrange(parts, graph.nodes, _plain(graph))
    return picture(parts, name, captions, kind, style)


def _plain(graph: Graph) -> Iterable[Edge]:
    """The edges of a host graph from which the layout may recognize a board; none for rules and type graphs."""
    return (edge for edge in graph.between() if graph.role == "graph" and not take_apart(edge.label).kind)


def _refuse_large(graph: Graph) -> None:
    _refuse_more("nodes", len(graph.nodes), MOST_NODES, graph.name)
    _refuse_more("edges", len(graph.edges), MOST_EDGES, graph.name)


def _refuse_more(things: str, count: int, most: int, where: str = "") -> None:
    if count > most:
        raise GrammarError(f"A picture shows at most {most:,} {things}; this has {count:,}.", where)


def _state(name: str, text: str, classes: Iterable[str], sign: str) -> Box:
    box = Box(name, [Line(text)], " ".join(classes), sign, is_round=True)
    box.measure()
    return box


def _control_arrow(source: int, text: str, target: int) -> Arrow:
    class_ = "verdict" if text in VERDICTS else "reader"
    return Arrow(str(source), str(target), [Line(shown(text))], class_)


def _depths(names: Iterable[str], links: Iterable[tuple[str, str]], starts: Sequence[str]) -> dict[str, int]:
    """The distance of each box from the start; boxes that cannot be reached are in the first layer."""
    successors: dict[str, list[str]] = {}
    for source, target in links:
        successors.setdefault(source, []).append(target)
    found = dict.fromkeys(starts, 0)
    queue = deque(starts)
    while queue:
        at = queue.popleft()
        for to in successors.get(at, ()):
            if to not in found:
                found[to] = found[at] + 1
                queue.append(to)
    return {name: found.get(name, 0) for name in names}


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
