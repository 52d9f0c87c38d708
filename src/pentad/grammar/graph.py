"""Graphs as drawn: nodes, and edges with labels in GROOVE's notation; and the errors in them.

Start graphs, rules and type graphs are such graphs. The meaning of a label depends on the kind of graph
(`type:Player`, `new:marble`, `forall:`, `let:n = n + 1`); here labels are unparsed text.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, TypeVar

from pentad.game import GameError, shorten, shown
from pentad.system.words import phrase

T = TypeVar("T", bound=Hashable)
ROLES = ("graph", "rule", "type")
MOST_ERRORS = 20  # shown in one message
MAX_NAME_LENGTH = 100


class GrammarError(GameError):
    """An error in a grammar, with its file, node and label."""

    def __init__(self, what: str, where: str = "", node: str = "", label: str = "") -> None:
        self.what, self.where, self.node, self.label = what, where, node, label
        self.errors: tuple[GrammarError, ...] = (self,)
        place = [shorten(where, MAX_NAME_LENGTH)] if where else []
        place += [f"node {shorten(node, MAX_NAME_LENGTH)}"] if node else []
        place += [f"label {shown(label, MAX_NAME_LENGTH)}"] if label else []
        super().__init__(f"{', '.join(place)}: {what}" if place else what)


class GrammarErrors(GrammarError):
    """Several errors; the message has a line for each."""

    def __init__(self, errors: Sequence[GrammarError]) -> None:
        first = errors[0]
        super().__init__(first.what, first.where, first.node, first.label)
        self.errors = tuple(errors)

    @property
    def lines(self) -> tuple[str, ...]:
        lines = [str(error) for error in self.errors[:MOST_ERRORS]]
        more = len(self.errors) - len(lines)
        return (*lines, phrase("… and {more} more errors.", more=more)) if more else tuple(lines)

    def __str__(self) -> str:
        return "\n".join(self.lines)


class Problems:
    """Collects errors so that they are reported together."""

    def __init__(self) -> None:
        self.errors: list[GrammarError] = []

    def add(self, what: str, where: str, node: str = "", label: str = "") -> None:
        self.errors.append(GrammarError(what, where, node, label))

    @contextmanager
    def collect(self, where: str = "", node: str = "", label: str = "") -> Iterator[None]:
        """Collects the errors of a block; execution continues after it. Errors without a place get this one."""
        try:
            yield
        except GrammarError as error:
            for each in error.errors:
                if where and not each.where:
                    each = GrammarError(each.what, where, node, label[:80])
                self.errors.append(each)

    @property
    def distinct(self) -> list[GrammarError]:
        """The collected errors without duplicates."""
        return list({str(error): error for error in self.errors}.values())

    def check(self) -> None:
        """Raises the collected errors, if any."""
        errors = self.distinct
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise GrammarErrors(errors)


class Edge(NamedTuple):
    """A labelled edge between two nodes; a loop may also be a label of its node."""

    source: str
    label: str
    target: str


class NodePosition(NamedTuple):
    """The position of a node, in pixels from the top left."""

    x: float
    y: float


Notes: TypeAlias = dict[str | Edge, dict[str, str]]


@dataclass(slots=True)
class Graph:
    """A graph: nodes, edges, and attributes of the whole graph (`actionRole`, `priority`, …).

    >>> graph = Graph("start")
    >>> game, player = graph.node("type:Game"), graph.node("type:Player", "flag:first")
    >>> graph.edge(game, "currentPlayer", player)
    >>> graph.labels(player)
    ('type:Player', 'flag:first')
    """

    name: str = ""
    role: str = "graph"
    nodes: dict[str, NodePosition | None] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    # further data of nodes and edges in a file: `layout`, and attributes that GROOVE preserves
    notes: Notes = field(default_factory=dict, compare=False, repr=False)

    def node(self, *labels: str, name: str | None = None, at: tuple[float, float] | None = None) -> str:
        """Adds a node with these labels and returns its name."""
        if name is None:
            number = len(self.nodes)
            while f"n{number}" in self.nodes:
                number += 1
            name = f"n{number}"
        elif name in self.nodes:
            raise GrammarError("Two nodes have this name.", self.name, name)
        self.nodes[name] = None if at is None else NodePosition(*at)
        self.edges += [Edge(name, label, name) for label in labels]
        return name

    def edge(self, source: str, label: str, target: str) -> None:
        """Adds an edge."""
        edge = Edge(source, label, target)
        self.check_ends(edge, self.name)
        self.edges.append(edge)

    def check_ends(self, edge: Edge, where: str) -> None:
        """Raises an error if an edge leads to a missing node; `where` is the file in the error."""
        for end in (edge.source, edge.target):
            if end not in self.nodes:
                raise GrammarError("An edge leads to a missing node.", where, end, edge.label)

    def move(self, source: str, label: str, before: str, after: str) -> None:
        """Adds an effect to a rule: an edge with a label leads to another node afterwards."""
        self.edge(source, f"del:{label}", before)
        self.edge(source, f"new:{label}", after)

    def chain(self, label: str, nodes: Iterable[str]) -> None:
        """Adds an edge from each node to the next."""
        before = None
        for node in nodes:
            if before is not None:
                self.edge(before, label, node)
            before = node

    def labels(self, node: str) -> tuple[str, ...]:
        """The labels of a node: those of its loops."""
        return tuple(edge.label for edge in self.edges if edge.source == edge.target == node)

    def between(self) -> Iterator[Edge]:
        """The edges that are not loops."""
        return (edge for edge in self.edges if edge.source != edge.target)

    def same(self, other: Graph) -> bool:
        """Whether the nodes, edges and attributes are equal, regardless of positions and order."""
        return (
            self.role == other.role
            and set(self.nodes) == set(other.nodes)
            and sorted(self.edges) == sorted(other.edges)
            and self.attributes == other.attributes
        )

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        return drawers[self.role](self)


# The picture of a graph in a notebook, by its role; `pentad.grammar.draw` enters its functions.
drawers: dict[str, Callable[[Graph], str]] = {}


def reachable(starts: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """The starts and everything that follows them."""
    found = set(starts)
    todo = list(found)
    while todo:
        fresh = set(after(todo.pop())) - found
        found |= fresh
        todo += fresh
    return found
