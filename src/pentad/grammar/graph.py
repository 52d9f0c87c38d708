"""Graphs as a person draws them: nodes, and edges with labels in GROOVE's notation.

Everything a grammar is drawn with is such a graph: a start graph, a rule, a type graph. What a label means depends
on where it stands (`type:Player`, `new:marble`, `forall:`, `let:n = n + 1`); here it is text, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from pentad.game import GameError, shorten, shown

ROLES = ("graph", "rule", "type")
MOST_LINES = 20  # errors
LONG = 100  # letters of a name in an error


class GrammarError(GameError):
    """Something in a grammar that cannot be read or used: in which file, at which node, which label."""

    def __init__(self, what: str, where: str = "", node: str = "", label: str = "") -> None:
        self.what, self.where, self.node, self.label = what, where, node, label
        self.errors: tuple[GrammarError, ...] = (self,)
        place = [shorten(where, LONG)] if where else []
        place += [f"node {shorten(node, LONG)}"] if node else []
        place += [f"label {shown(label, LONG)}"] if label else []
        super().__init__(f"{', '.join(place)}: {what}" if place else what)


class GrammarErrors(GrammarError):
    """Several things that are wrong; told one after the other, a line each."""

    def __init__(self, errors: Sequence[GrammarError]) -> None:
        first = errors[0]
        super().__init__(first.what, first.where, first.node, first.label)
        self.errors = tuple(errors)

    @property
    def lines(self) -> tuple[str, ...]:
        lines = [str(error) for error in self.errors[:MOST_LINES]]
        more = len(self.errors) - len(lines)
        return (*lines, f"… and {more} more errors.") if more else tuple(lines)

    def __str__(self) -> str:
        return "\n".join(self.lines)


class Problems:
    """Collects errors, so that a person is told all of them at once."""

    def __init__(self) -> None:
        self.errors: list[GrammarError] = []

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Keep what is wrong in a block, and go on behind it."""
        try:
            yield
        except GrammarError as error:
            self.errors += error.errors

    @property
    def distinct(self) -> list[GrammarError]:
        """What was noted, each thing once."""
        return list({str(error): error for error in self.errors}.values())

    def check(self) -> None:
        """Raise what was noted, if anything was."""
        errors = self.distinct
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise GrammarErrors(errors)


class Edge(NamedTuple):
    """A labelled edge between two nodes; from a node to itself it says something of the node."""

    source: str
    label: str
    target: str


class Place(NamedTuple):
    """Where a node is drawn, in pixels from the top left."""

    x: float
    y: float


Notes: TypeAlias = dict[str | Edge, dict[str, str]]


@dataclass(slots=True)
class Graph:
    """A graph by its nodes and edges, with attributes of its own (`actionRole`, `priority`, …).

    >>> graph = Graph("start")
    >>> game, player = graph.node("type:Game"), graph.node("type:Player", "flag:first")
    >>> graph.edge(game, "currentPlayer", player)
    >>> graph.labels(player)
    ('type:Player', 'flag:first')
    """

    name: str = ""
    role: str = "graph"
    nodes: dict[str, Place | None] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    # what else a file says of nodes and edges: `layout`, and attributes that GROOVE passes on
    notes: Notes = field(default_factory=dict, compare=False, repr=False)

    def node(self, *labels: str, name: str | None = None, at: tuple[float, float] | None = None) -> str:
        """A new node with these labels; its name."""
        if name is None:
            number = len(self.nodes)
            while f"n{number}" in self.nodes:
                number += 1
            name = f"n{number}"
        elif name in self.nodes:
            raise GrammarError("Two nodes have this name.", self.name, name)
        self.nodes[name] = None if at is None else Place(*at)
        self.edges += [Edge(name, label, name) for label in labels]
        return name

    def edge(self, source: str, label: str, target: str) -> None:
        """A new edge."""
        for end in (source, target):
            if end not in self.nodes:
                raise GrammarError("An edge leads to a missing node.", self.name, end, label)
        self.edges.append(Edge(source, label, target))

    def chain(self, label: str, nodes: Iterable[str]) -> None:
        """Edges from each node to the next."""
        before = None
        for node in nodes:
            if before is not None:
                self.edge(before, label, node)
            before = node

    def labels(self, node: str) -> tuple[str, ...]:
        """What is said of a node alone."""
        return tuple(edge.label for edge in self.edges if edge.source == edge.target == node)

    def between(self) -> Iterator[Edge]:
        """The edges that are not loops."""
        return (edge for edge in self.edges if edge.source != edge.target)

    def same(self, other: Graph) -> bool:
        """Whether it has the same nodes, edges and attributes, wherever they are drawn and in whatever order."""
        return (
            self.role == other.role
            and set(self.nodes) == set(other.nodes)
            and sorted(self.edges) == sorted(other.edges)
            and self.attributes == other.attributes
        )

    def _repr_svg_(self) -> str:
        """A notebook draws it as what it is."""
        from pentad.grammar import draw

        return {"graph": draw.draw_graph, "rule": draw.draw_rule, "type": draw.draw_type}[self.role](self)
