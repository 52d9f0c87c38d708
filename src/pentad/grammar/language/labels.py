"""Labels in GROOVE's notation: the aspects before their text, and what each kind of graph allows.

A label is any number of aspects (`new:`, `use=q:`, `int:5`, `let:n = 1`, but not `flag:`), each with a colon, and text.
On a node, a label describes the node or is a loop; its aspects decide which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pentad.game import shown
from pentad.grammar.graph import Edge, GrammarError, Graph, Problems
from pentad.grammar.language.values import DEFAULT
from pentad.system.words import phrase

READER, ERASER, CREATOR, EMBARGO, ADDER, REMARK = "use", "del", "new", "not", "cnew", "rem"
QUANTIFIERS = ("forall", "forallx", "exists", "existsx")
SORTS = ("int", "real", "string", "bool")
PARAMETERS = {"par": "", "parin": "in", "parout": "out", "ask": "ask"}
TYPE_PREFIX, FLAG_PREFIX = "type:", "flag:"
LITERAL = ""  # the aspect of a label that begins with a colon
ROLE, NESTING, SORT, ATTRIBUTE, PARAMETER = "role", "nesting", "sort", "attribute", "parameter"

# The category of each aspect; there is one aspect of a category at most.
CATEGORIES: Mapping[str, str] = {
    REMARK: REMARK,
    **dict.fromkeys((READER, ERASER, CREATOR, ADDER, EMBARGO), ROLE),
    **dict.fromkeys((*QUANTIFIERS, "nested", "or"), NESTING),
    **dict.fromkeys((*SORTS, "user"), SORT),
    **dict.fromkeys(("arg", "prod", "test", "let"), ATTRIBUTE),
    **dict.fromkeys(PARAMETERS, PARAMETER),
    **dict.fromkeys(("path", LITERAL), "label"),
    **dict.fromkeys(("abs", "sub"), "type"),
    **{each: each for each in ("id", "color", "import", "edge", "in", "out", "part", "mult")},
}
# The categories that can be combined.
_COMBINABLE: Mapping[str, frozenset[str]] = {
    NESTING: frozenset({ROLE}),
    SORT: frozenset({ROLE}),
    ATTRIBUTE: frozenset({ROLE}),
    "id": frozenset({ROLE, NESTING, SORT}),
    PARAMETER: frozenset({ROLE, SORT, "id"}),
    "label": frozenset({REMARK, ROLE, NESTING}),
    "color": frozenset({ROLE, "id", PARAMETER}),
    "type": frozenset({"color", "label"}),
    "edge": frozenset({"color"}),
    "in": frozenset({"label", "type"}),
    "out": frozenset({SORT, "label", "type", "in"}),
    "part": frozenset({"label", "type", "in", "out"}),
    "mult": frozenset({ROLE, ATTRIBUTE, "label"}),
}
_VALUES = frozenset({*SORTS, "user"})
_ROLES = frozenset({READER, ERASER, CREATOR, ADDER, EMBARGO})
# The aspects allowed on nodes and on edges, by the kind of graph.
_NODES: Mapping[str, frozenset[str]] = {
    "graph": frozenset({REMARK, *_VALUES, "color", "id"}),
    "rule": frozenset({REMARK, *_ROLES, *_VALUES, "prod", *PARAMETERS, *QUANTIFIERS, "id", "color"}),
    "type": frozenset({REMARK, *SORTS, "abs", "import", "color", "edge"}),
}
_EDGES: Mapping[str, frozenset[str]] = {
    "graph": frozenset({REMARK, LITERAL, "let", "mult"}),
    "rule": frozenset({REMARK, *_ROLES, "or", *_VALUES, "arg", "path", LITERAL, *QUANTIFIERS, "nested", "let", "test"}),
    "type": frozenset({REMARK, *_VALUES, "abs", "sub", "in", "out", "part"}),
}
_TYPING = frozenset({"abs", "sub", "in", "out", "part"})
_VALUED = frozenset({*_VALUES, *PARAMETERS, "arg", "prod", "test", "let", "id", "color", "edge"})
_LEVELS = frozenset({*_ROLES, *QUANTIFIERS})  # aspects that may name a quantifier: `use=q:`
_SHOWN_ROLES = _LEVELS | {REMARK}
_COUNTS = frozenset({"in", "out", "mult"})  # aspects with a multiplicity: `in=0..1:`
_ALONE = frozenset({"sub", "or", "import"})  # aspects with no text after them
_WHOLE = _VALUED - {"prod"} | {"nested"}  # aspects whose value is the rest of the label
_NAME = re.compile(r"[^\W\d][\w$-]*")
_DRAWINGS = {"graph": "a host graph", "rule": "a rule", "type": "a type graph"}


class Aspect(NamedTuple):
    """An aspect with its value: the name of a quantifier, a multiplicity, or the rest of the label."""

    kind: str
    value: str = ""

    @property
    def category(self) -> str:
        return CATEGORIES[self.kind]

    def __str__(self) -> str:
        return f"{self.kind}={self.value}:" if self.kind in _LEVELS and self.value else f"{self.kind}:{self.value}"


class Aspects(dict[str, Aspect]):
    """The aspects of a label or a node, by category."""

    def kind(self, category: str) -> str:
        return self[category].kind if category in self else ""

    def value(self, category: str) -> str:
        return self[category].value if category in self else ""


class Reading(NamedTuple):
    """A parsed label: its aspects, its text, and whether it describes a node."""

    aspects: Aspects
    text: str
    on_node: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A label as a picture shows it. `level` names a quantifier; `kind` is empty for the label of an edge."""

    role: str = ""
    level: str = ""
    kind: str = ""
    text: str = ""
    also: Mapping[str, str] = field(default_factory=dict)  # aspects of type graphs, with their values
    literal: bool = False  # whether the text is taken literally

    @property
    def is_bare(self) -> bool:
        """Whether no text follows the aspects: the label is about the node as a whole."""
        return not self.text and self.kind == ""


def is_type(label: str) -> bool:
    """Whether a parsed label is a node's type."""
    return label.startswith(TYPE_PREFIX)


def is_flag(label: str) -> bool:
    """Whether a parsed label is a node's flag."""
    return label.startswith(FLAG_PREFIX)


def kind_of(label: str) -> str:
    """The kind of a parsed label: `type`, `flag`, or the empty text for binary."""
    return label[:4] if label.startswith((TYPE_PREFIX, FLAG_PREFIX)) else ""


def name_of(label: str) -> str:
    """A parsed label without its kind."""
    return label[5:] if kind_of(label) else label


def plain_name(label: str) -> str:
    """A type's name without its prefix, for messages."""
    return label.removeprefix(TYPE_PREFIX)


def is_name(text: str) -> bool:
    """Whether a text is a valid name of a field, quantifier or node."""
    return _NAME.fullmatch(text) is not None


def read_label(text: str, drawing: str) -> Reading:
    """A label's aspects and text.

    >>> reading = read_label("use=q:flag:a", "rule")
    >>> reading.aspects["role"], reading.text, reading.on_node
    (Aspect(kind='use', value='q'), 'flag:a', False)
    """
    aspects = Aspects()
    rest, after_role, done = text, False, False
    while not done and ":" in rest:
        name = rest[: next(i for i, letter in enumerate(rest) if not letter.isalpha())]
        if (not name and rest[0] != ":") or (name in ("type", "flag") and rest[len(name)] == ":"):
            break
        if name not in CATEGORIES:
            prefix = shown(rest[: rest.index(":") + 1], 30)
            raise GrammarError(
                phrase("Unknown prefix {prefix}. With a colon in front, the label is plain text.", prefix=prefix)
            )
        aspect, rest = _read_aspect(name, rest, drawing, after_role)
        _add(aspects, aspect)
        after_role = aspect.category == ROLE
        done = not after_role and aspect.kind not in (*_COUNTS, "part")
    if is_type(rest) and rest[5:] in _VALUES:
        _add(aspects, Aspect(rest[5:]))
        rest = ""
    return Reading(aspects, rest, _is_on_node(aspects, rest, drawing))


def _read_aspect(name: str, rest: str, drawing: str, after_role: bool) -> tuple[Aspect, str]:
    """An aspect, and the text after it."""
    mark, behind = rest[len(name)], rest[len(name) + 1 :]
    if name in _LEVELS or name in _COUNTS:
        if mark == "=":
            value, _, behind = behind.partition(":")
            if name in _LEVELS and not is_name(value):
                raise GrammarError(phrase("{value} is not a valid name of a quantifier.", value=shown(value, 30)))
            return Aspect(name, value), behind
        if name in _COUNTS or mark != ":":
            raise GrammarError(
                phrase("Expected {sign} after the prefix {name}.", sign="=" if name in _COUNTS else "= or :", name=name)
            )
        return Aspect(name), behind
    if name in PARAMETERS and mark == "=" and (old := re.fullmatch(r"\$([0-9]+):", behind)):
        number = int(old[1])
        return Aspect(name, "" if number == 0 else str(number - 1)), ""
    if mark != ":":
        raise GrammarError(phrase("Expected a colon after the prefix {name}.", name=name))
    if name in _ALONE and behind:
        raise GrammarError(phrase("No text is allowed after {name}:.", name=name))
    if name in _WHOLE:
        if name in _VALUES and behind and (drawing == "type" or after_role) and not is_name(behind):
            raise GrammarError(phrase("{name} is not a valid name of a field.", name=shown(behind, 30)))
        return Aspect(name, behind), ""
    return Aspect(name), behind


def _add(aspects: Aspects, aspect: Aspect) -> None:
    """Adds an aspect to those of a label or a node; raises an error if they conflict."""
    before = aspects.get(aspect.category)
    if before is not None:
        if before.kind != aspect.kind:
            raise GrammarError(phrase("{kind}: and {other}: cannot be combined.", kind=before.kind, other=aspect.kind))
        if before.value and aspect.value:
            raise GrammarError(phrase("{before} and {aspect} contradict each other.", before=before, aspect=aspect))
        if before.value:
            return
    for other in aspects.values():
        one, two = other.category, aspect.category
        if one != two and one not in _COMBINABLE.get(two, ()) and two not in _COMBINABLE.get(one, ()):
            raise GrammarError(phrase("{kind}: and {other}: cannot be combined.", kind=other.kind, other=aspect.kind))
    aspects[aspect.category] = aspect


def _is_on_node(aspects: Mapping[str, Aspect], text: str, drawing: str) -> bool:
    """Whether a label describes a node; otherwise it belongs to an edge."""
    node_only = edge_only = ""
    for aspect in aspects.values():
        for_node, for_edge = aspect.kind in _NODES[drawing], aspect.kind in _EDGES[drawing]
        if aspect.kind in _VALUES:
            of_edge = bool(aspect.value) and (
                drawing == "type" or ROLE in aspects or tuple(aspect) in DEFAULT.operators
            )
            for_node = for_node and (bool(aspect.value) if drawing == "graph" else not of_edge)
            for_edge = for_edge and of_edge
        if not for_node and not for_edge:
            raise GrammarError(
                phrase("{kind}: is not allowed in {drawing}.", kind=aspect.kind, drawing=_DRAWINGS[drawing])
            )
        if not for_edge:
            node_only = f"{aspect.kind}:"
        elif not for_node:
            edge_only = f"{aspect.kind}:"
    if node_only and (edge_only or text):
        raise GrammarError(
            phrase(
                "{node_only} and {edge_only} cannot be combined.",
                node_only=node_only,
                edge_only=edge_only or shown(text, 30),
            )
        )
    return bool(node_only) or (not edge_only and not text)


def read_labels(
    graph: Graph, drawing: str, where: str, aspects: Mapping[str, Aspects], problems: Problems
) -> Iterator[tuple[Edge, Reading]]:
    """Yields the edges of a graph with their labels, without remarks, and adds the aspects of nodes to `aspects`."""
    for edge in dict.fromkeys(graph.edges) if drawing == "rule" else graph.edges:  # a rule has no parallel edges
        with problems.collect(where, edge.source, edge.label):
            reading = read_label(edge.label, drawing)
            if not reading.on_node:
                if REMARK not in reading.aspects:
                    yield edge, reading
            elif edge.source == edge.target:
                for aspect in reading.aspects.values():
                    _add(aspects[edge.source], aspect)
            else:
                raise GrammarError("A label for a node is on an edge.")


def label_of(text: str, drawing: str) -> Label:
    """A label as a picture shows it; a label with errors is plain text.

    >>> label_of("use=e:marble", "rule")
    Label(role='use', level='e', kind='', text='marble', also={}, literal=False)
    >>> label_of("new:type:Player", "rule").kind, label_of("nwe:a", "rule").text
    ('type', 'nwe:a')
    """
    try:
        reading = read_label(text, drawing)
    except GrammarError:
        return Label(text=text)
    aspects = reading.aspects
    role = next((aspects[each] for each in (REMARK, ROLE, NESTING) if aspects.kind(each) in _SHOWN_ROLES), Aspect(""))
    also = {each.kind: each.value for each in aspects.values() if each.kind in _TYPING}
    valued = next((each for each in aspects.values() if each.kind in _VALUED), None)
    literal = aspects.kind("label") == LITERAL and "label" in aspects
    if valued is not None:
        return Label(role.kind, role.value, valued.kind, valued.value.strip(), also)
    rest = aspects.value(NESTING) if aspects.kind(NESTING) == "nested" else reading.text
    if aspects.kind("label") == "path":
        return Label(role.kind, role.value, "path", rest.strip(), also)
    if kind_of(rest) and not literal:
        return Label(role.kind, role.value, kind_of(rest), name_of(rest), also)
    unseen = "".join(str(each) for each in aspects.values() if each.kind in ("or", "mult", "import"))
    return Label(role.kind, role.value, "", unseen + rest, also, literal)
