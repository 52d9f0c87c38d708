"""Walks through models: a way of steps gone again from the start, and what can happen where it ends.

A way is the numbers of its options, as `Simulation` has them; they mean the same whenever it is gone. Walks are kept
for whoever goes on from where one stands.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from pentad.game import GameError, Position
from pentad.grammar.graph import Edge
from pentad.grammar.matching.host import bits
from pentad.grammar.matching.state_index import State
from pentad.grammar.models import find
from pentad.grammar.models.positions import Board, board_of
from pentad.grammar.simulation import Option, Simulation

MOST_STEPS = 400  # of a way
LONGEST_BY_CHANCE = 2.0  # seconds that steps by chance may take at once
MOST_NODES, MOST_EDGES = 250, 1500  # of a model's start graph
MOST_OPTIONS = 3000  # that are told of a state
MOST_KEPT = 12  # walks
MOST_SAID = 3  # edges that tell two options apart


class Variant:
    """A model with its options, and a name by which it is found again."""

    def __init__(self, name: str, texts: Mapping[str, str]) -> None:
        self.model = find(name)
        self.grammar = self.model.read(texts)
        self.options = self.model.check({key: self.model.options[key].read(text) for key, text in texts.items()})
        self.key = (name, *(f"{key}={value}" for key, value in self.options.items()))
        graph = self.grammar.start
        for things, count, most in (("nodes", len(graph.nodes), MOST_NODES), ("edges", len(graph.edges), MOST_EDGES)):
            if count > most:
                raise GameError(f"with these options the start graph has {count:,} {things}; at most {most:,} fit here")

    @cached_property
    def board(self) -> Board | None:
        return board_of(self.model.name, self.options, self.grammar.start)


class Told(NamedTuple):
    """An option in words, the graph's nodes that it is about, and what one touches for it on the board."""

    action: str
    words: str
    nodes: tuple[str, ...]
    targets: tuple[str, ...]


class Walk:
    """A simulation, where it has gone, and its words."""

    def __init__(self, variant: Variant, way: Sequence[int] = ()) -> None:
        self.variant = variant
        self.simulation = Simulation(variant.grammar)
        self.way: list[int] = []
        self.trace: list[str] = []
        self.came: list[str] = []  # edges that the last step made, and took
        self.went: list[str] = []
        self.changed: list[str] = []  # their nodes
        self.go(way)

    def go(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            if not 0 <= number < len(self.simulation.options):
                count = len(self.simulation.options)
                there = f"there are {count}, from 0 to {count - 1}" if count else "nothing can happen there"
                raise GameError(f"step {len(self.way) + 1} cannot be option {number}: {there}")
            self._take(number)

    def go_by_chance(self, steps: int, seed: int) -> None:
        """So many steps by chance, as far as there are any and time for them."""
        chance, until = random.Random(seed), time.monotonic() + LONGEST_BY_CHANCE
        for _ in range(min(steps, MOST_STEPS - len(self.way))):
            if not self.simulation.options or time.monotonic() > until:
                return
            self._take(chance.randrange(len(self.simulation.options)))

    def _take(self, number: int) -> None:
        simulation = self.simulation
        before, words = simulation.state, self.options[number].words
        simulation.take(number)
        known = self.kinds
        for name in ("options", "kinds"):
            self.__dict__.pop(name, None)
        self.kinds = {**known, **self.kinds}  # what is gone is told as it was
        self.way.append(number)
        self.trace.append(words)
        came, went = _difference(simulation, before, simulation.state)
        self.came, self.went = list(map(self.edge, came)), list(map(self.edge, went))
        self.changed = list(dict.fromkeys(node for edge in (*came, *went) for node in (edge.source, edge.target)))

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    def node(self, name: str) -> str:
        """A node for a person: by its place on the board, or else by its type and flags, with its name."""
        place = self.variant.board.names.get(name) if self.variant.board else None
        return place or " ".join([*self.kinds.get(name, ()), name])

    @cached_property
    def kinds(self) -> dict[str, list[str]]:
        """The types and flags of the nodes that there are."""
        told: dict[str, list[str]] = {}
        for edge in self.simulation.graph.edges:
            kind, colon, text = edge.label.partition(":")
            if colon and kind in ("type", "flag") and edge.source == edge.target:
                told.setdefault(edge.source, []).append(text)
        return {name: sorted(said, key=str.islower) for name, said in told.items()}

    def edge(self, edge: Edge) -> str:
        if edge.source == edge.target:
            return f"{self.node(edge.source)}: {edge.label}"
        return f"{self.node(edge.source)} –{edge.label}→ {self.node(edge.target)}"

    @cached_property
    def options(self) -> list[Told]:
        """What can happen now."""
        options = self.simulation.options
        alike: dict[str, list[set[tuple[str, str]]]] = {}
        for option in options:
            alike.setdefault(option.action, []).append(set(option.nodes))
        common = {action: set.intersection(*some) if len(some) > 1 else set() for action, some in alike.items()}
        return [self._told(number, option, common[option.action]) for number, option in enumerate(options)]

    def _told(self, number: int, option: Option, common: set[tuple[str, str]]) -> Told:
        nodes = [(name, _drawn(node)) for name, node in option.nodes]
        apart = [_drawn(node) for name, node in option.nodes if (name, node) not in common]
        words = ", ".join(map(self.node, apart))
        if not option.nodes:  # a recipe is told by what it makes
            came, went = _difference(self.simulation, self.simulation.state, self.simulation.leads_to(number))
            told = [f"+ {self.edge(edge)}" for edge in came] + [f"− {self.edge(edge)}" for edge in went]
            words = "; ".join(told[:MOST_SAID]) + " …" * (len(told) > MOST_SAID)
        matched = tuple(dict.fromkeys(node for _, node in nodes))
        board = self.variant.board
        targets = board.touched(option.action, matched) if board else ()
        if board and (said := board.said(option.action, matched)):
            words = said
        return Told(option.action, f"{option} {words}".rstrip(), matched, targets)

    @property
    def position(self) -> Position | None:
        """The position of the game that the graph stands for."""
        board = self.variant.board
        if board is None:
            return None
        return board.position(self.simulation.graph, {option.action for option in self.simulation.options})


def _drawn(node: str) -> str:
    """What a graph calls a node that the simulation tells of: one that was made has no name but its number."""
    return f"new{node[1:]}" if node.startswith("#") else node


def _difference(simulation: Simulation, before: State, after: State) -> tuple[list[Edge], list[Edge]]:
    """The edges that came and those that went."""
    came = _edges(simulation, after.edges & ~before.edges)
    return list(came), list(_edges(simulation, before.edges & ~after.edges))


def _edges(simulation: Simulation, edges: int) -> Iterator[Edge]:
    world = simulation.system.world
    for number in bits(edges):
        source, label, target = world.edges[number]
        yield Edge(_drawn(world.told(source)), label, _drawn(world.told(target)))


class Walks:
    """The walks that are kept, each for one who goes on with it at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[Walk] = []  # the one that was last used is the last

    def take(self, variant: Variant, way: Sequence[int]) -> Walk:
        """A walk that stands at the end of this way: it is the caller's until it is given back."""
        if len(way) > MOST_STEPS:
            raise GameError(f"a way has at most {MOST_STEPS} steps, not {len(way)}")
        walk = self._nearest(variant, way)
        if walk is None:
            return Walk(variant, way)
        walk.go(way[len(walk.way) :])
        return walk

    def give_back(self, walk: Walk) -> None:
        with self._lock:
            self._kept.append(walk)
            del self._kept[:-MOST_KEPT]

    def _nearest(self, variant: Variant, way: Sequence[int]) -> Walk | None:
        """Out of those that are kept one that stands farthest on this way."""
        with self._lock:
            fitting = [
                walk
                for walk in self._kept
                if walk.variant.key == variant.key and list(way[: len(walk.way)]) == walk.way
            ]
            if not fitting:
                return None
            walk = max(fitting, key=lambda walk: len(walk.way))
            self._kept.remove(walk)
            return walk
