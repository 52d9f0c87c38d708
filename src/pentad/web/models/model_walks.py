"""WalkCache through models: paths of steps from the start of a simulation, and the options at their end.

A path is a list of option numbers of `Simulation`; equal paths always lead to the same state. Recent walks are cached,
so that the next step need not repeat the path.
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
from pentad.grammar.host import bits
from pentad.grammar.language.labels import kind_of, name_of
from pentad.grammar.models import find
from pentad.grammar.models.positions import Board, board_of
from pentad.grammar.simulation import Option, Simulation
from pentad.grammar.states.state_space import State

MOST_STEPS = 400  # of a path
RANDOM_STEPS_TIME = 2.0  # seconds for random steps in one request
MOST_NODES, MOST_EDGES = 250, 1500  # of a model's start graph
MOST_OPTIONS = 3000  # of a state in a response
MOST_CACHED = 12  # walks
MOST_EDGES_NAMED = 3  # in the words of a recipe


class Variant:
    """A model with its options, and a key for caches."""

    def __init__(self, name: str, texts: Mapping[str, str]) -> None:
        self.model = find(name)
        self.grammar = self.model.read(texts)
        self.options = self.model.check({key: self.model.options[key].read(text) for key, text in texts.items()})
        self.key = (name, *(f"{key}={value}" for key, value in self.options.items()))
        graph = self.grammar.start
        for things, count, most in (("nodes", len(graph.nodes), MOST_NODES), ("edges", len(graph.edges), MOST_EDGES)):
            if count > most:
                raise GameError(
                    f"Expected at most {most:,} {things} in the start graph, got {count:,} with these options."
                )

    @cached_property
    def board(self) -> Board | None:
        return board_of(self.model.name, self.options, self.grammar.start)


class WalkOption(NamedTuple):
    """An option in words, its nodes of the graph, and its targets on the board."""

    action: str
    words: str
    nodes: tuple[str, ...]
    targets: tuple[str, ...]


class Walk:
    """A simulation, the path taken, and its steps in words."""

    def __init__(self, variant: Variant, path: Sequence[int] = ()) -> None:
        self.variant = variant
        self.simulation = Simulation(variant.grammar)
        self.path: list[int] = []
        self.trace: list[str] = []
        self.came: list[str] = []  # edges that the last step added, and removed
        self.went: list[str] = []
        self.changed: list[str] = []  # their nodes
        self.follow(path)

    def follow(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            if not 0 <= number < len(self.simulation.options):
                count = len(self.simulation.options)
                allowed = f"Expected 0 to {count - 1}." if count else "There are no options."
                raise GameError(f"Step {len(self.path) + 1} cannot be option {number}. {allowed}")
            self._take(number)

    def add_random_steps(self, steps: int, seed: int) -> None:
        """Takes random steps, as far as options and time allow."""
        chance, until = random.Random(seed), time.monotonic() + RANDOM_STEPS_TIME
        for _ in range(min(steps, MOST_STEPS - len(self.path))):
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
        self.kinds = {**known, **self.kinds}  # removed nodes keep their last description
        self.path.append(number)
        self.trace.append(words)
        came, went = _difference(simulation, before, simulation.state)
        self.came, self.went = list(map(self.describe_edge, came)), list(map(self.describe_edge, went))
        self.changed = list(dict.fromkeys(node for edge in (*came, *went) for node in (edge.source, edge.target)))

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    def describe_node(self, name: str) -> str:
        """A node for a person: its place on the board, or its type, flags and name."""
        place = self.variant.board.names.get(name) if self.variant.board else None
        return place or " ".join([*self.kinds.get(name, ()), name])

    @cached_property
    def kinds(self) -> dict[str, list[str]]:
        """The types and flags of all nodes."""
        kinds: dict[str, list[str]] = {}
        for edge in self.simulation.graph.edges:
            if kind_of(edge.label) and edge.source == edge.target:
                kinds.setdefault(edge.source, []).append(name_of(edge.label))
        return {name: sorted(each, key=str.islower) for name, each in kinds.items()}

    def describe_edge(self, edge: Edge) -> str:
        if edge.source == edge.target:
            return f"{self.describe_node(edge.source)}: {edge.label}"
        return f"{self.describe_node(edge.source)} –{edge.label}→ {self.describe_node(edge.target)}"

    @cached_property
    def options(self) -> list[WalkOption]:
        """The options of the current state."""
        options = self.simulation.options
        by_action: dict[str, list[set[tuple[str, str]]]] = {}
        for option in options:
            by_action.setdefault(option.action, []).append(set(option.nodes))
        common = {action: set.intersection(*some) if len(some) > 1 else set() for action, some in by_action.items()}
        return [self._describe(number, option, common[option.action]) for number, option in enumerate(options)]

    def _describe(self, number: int, option: Option, common: set[tuple[str, str]]) -> WalkOption:
        nodes = [(name, _drawn(node)) for name, node in option.nodes]
        apart = [_drawn(node) for name, node in option.nodes if (name, node) not in common]
        words = ", ".join(map(self.describe_node, apart))
        if not option.nodes:  # a recipe is described by its effect
            came, went = _difference(self.simulation, self.simulation.state, self.simulation.leads_to(number))
            effect = [f"+ {self.describe_edge(edge)}" for edge in came] + [
                f"− {self.describe_edge(edge)}" for edge in went
            ]
            words = "; ".join(effect[:MOST_EDGES_NAMED]) + " …" * (len(effect) > MOST_EDGES_NAMED)
        matched = tuple(dict.fromkeys(node for _, node in nodes))
        board = self.variant.board
        targets = board.targets(option.action, matched) if board else ()
        if board and (label := board.label(option.action, matched)):
            words = label
        return WalkOption(option.action, f"{option} {words}".rstrip(), matched, targets)

    @property
    def position(self) -> Position | None:
        """The game's position that the graph represents."""
        board = self.variant.board
        if board is None:
            return None
        return board.position(self.simulation.graph, {option.action for option in self.simulation.options})


def _drawn(node: str) -> str:
    """The name of a node in a drawing; a new node has only a number."""
    return f"new{node[1:]}" if node.startswith("#") else node


def _difference(simulation: Simulation, before: State, after: State) -> tuple[list[Edge], list[Edge]]:
    """The added and the removed edges."""
    came = _edges(simulation, after.edges & ~before.edges)
    return list(came), list(_edges(simulation, before.edges & ~after.edges))


def _edges(simulation: Simulation, edges: int) -> Iterator[Edge]:
    world = simulation.system.world
    for number in bits(edges):
        source, label, target = world.edges[number]
        yield Edge(_drawn(world.text(source)), label, _drawn(world.text(target)))


class WalkCache:
    """A cache of walks, each used by one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: list[Walk] = []  # the last used one is last

    def take(self, variant: Variant, path: Sequence[int]) -> Walk:
        """A walk at the end of a path; the caller owns it until it gives it back."""
        if len(path) > MOST_STEPS:
            raise GameError(f"Expected at most {MOST_STEPS} steps, got {len(path)}.")
        walk = self._nearest(variant, path)
        if walk is None:
            return Walk(variant, path)
        walk.follow(path[len(walk.path) :])
        return walk

    def give_back(self, walk: Walk) -> None:
        with self._lock:
            self._cached.append(walk)
            del self._cached[:-MOST_CACHED]

    def _nearest(self, variant: Variant, path: Sequence[int]) -> Walk | None:
        """The cached walk that is furthest along a path."""
        with self._lock:
            fitting = [
                walk
                for walk in self._cached
                if walk.variant.key == variant.key and list(path[: len(walk.path)]) == walk.path
            ]
            if not fitting:
                return None
            walk = max(fitting, key=lambda walk: len(walk.path))
            self._cached.remove(walk)
            return walk
