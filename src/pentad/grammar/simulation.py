"""Simulation of a grammar: steps chosen by hand or at random, with undo.

>>> simulation = Simulation(Grammar.load("ferry.gps"))  # doctest: +SKIP
>>> [str(option) for option in simulation.options]  # doctest: +SKIP
['load', 'cross']
>>> simulation.take(0)  # doctest: +SKIP
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Edge, GrammarError, Graph
from pentad.grammar.host import bits
from pentad.grammar.limits import MemoryLimitReached, default_memory
from pentad.grammar.oracles import OracleFunction
from pentad.grammar.states.state_space import Space, State, Successor, argument
from pentad.grammar.system import Filter, System, prepare
from pentad.system.memory import used_memory
from pentad.system.words import phrase

CHECK_INTERVAL = 512  # matches between two checks of memory use


@dataclass(frozen=True, slots=True)
class PossibleStep:
    """A possible step: its action, its arguments, and the nodes of its match."""

    action: str
    arguments: tuple[str, ...]
    nodes: tuple[tuple[str, str], ...]  # pairs of a rule's node on the outermost level and a node of the graph

    def __str__(self) -> str:
        return f"{self.action}({', '.join(self.arguments)})" if self.arguments else self.action


class Simulation:
    """The current state of a grammar, and the path to it."""

    def __init__(
        self,
        grammar: Grammar,
        seed: int | None = None,
        start: Graph | None = None,
        control: str | None = None,
        filters: Mapping[str, Filter] | None = None,
        oracle: OracleFunction | None = None,
        operations: Iterable[Callable[..., Any]] = (),
    ) -> None:
        self.system: System = prepare(grammar, start, control, filters, oracle, operations)
        self._random = random.Random(seed)
        self._checks = 0
        self._watch()
        self._path: list[tuple[PossibleStep | None, State]] = [(None, Space(self.system).start)]
        self._expand(self.state)

    def _watch(self) -> None:
        for finder in self.system.finders.values():
            finder.check_limits = self._check_memory

    @contextlib.contextmanager
    def unchecked(self) -> Iterator[None]:
        """While the system is explored, which has limits of its own."""
        try:
            yield
        finally:
            self._watch()

    def _expand(self, state: State) -> None:
        """Finds the options of a state; on an error nothing changes."""
        self._before = used_memory()
        try:
            successors, final, broken = Space(self.system, check=self._check_memory).successors(state)
            options = tuple(map(self._option, successors))
        except (MemoryLimitReached, MemoryError):
            raise GrammarError("The next options exceed the memory limit.") from None
        self._successors, self.final, self.broken, self.options = successors, final, broken, options

    def _check_memory(self) -> None:
        """Checks memory use at intervals."""
        self._checks += 1
        if self._checks % CHECK_INTERVAL == 0 and used_memory() - self._before > default_memory():
            raise MemoryLimitReached

    @property
    def state(self) -> State:
        return self._path[-1][1]

    @property
    def steps(self) -> tuple[PossibleStep, ...]:
        """The steps so far."""
        return tuple(option for option, _ in self._path if option is not None)

    def _option(self, successor: Successor) -> PossibleStep:
        world, match = self.system.world, successor.match
        pairs = zip(match.rule.names, match.found, strict=True) if match is not None else ()
        return PossibleStep(
            successor.action,
            tuple(argument(world, each) for each in successor.arguments),
            tuple((name, world.text(node)) for name, node in pairs if isinstance(node, int)),
        )

    def common_nodes(self) -> dict[str, set[tuple[str, str]]]:
        """By action: the nodes that all its options have in common; none if it has one option."""
        by_action: dict[str, list[set[tuple[str, str]]]] = {}
        for option in self.options:
            by_action.setdefault(option.action, []).append(set(option.nodes))
        return {name: set.intersection(*some) if len(some) > 1 else set() for name, some in by_action.items()}

    def leads_to(self, number: int) -> State:
        """The state that the option with this number leads to."""
        return self._successors[number].state

    def effect(self, number: int) -> tuple[list[Edge], list[Edge]]:
        """The edges that the option with this number adds, and those that it removes."""
        return self.difference(self.state, self.leads_to(number))

    def difference(self, before: State, after: State) -> tuple[list[Edge], list[Edge]]:
        """The edges of one state that another does not have: those added, and those removed."""
        world = self.system.world

        def edges(numbers: int) -> list[Edge]:
            found = (world.edges[number] for number in bits(numbers))
            return [Edge(world.text(source), label, world.text(target)) for source, label, target in found]

        return edges(after.edges & ~before.edges), edges(before.edges & ~after.edges)

    def take(self, number: int) -> PossibleStep:
        """Takes the option with this number."""
        if not isinstance(number, int) or not 0 <= number < len(self.options):
            count = len(self.options)
            options = (
                phrase("The options are 0 to {count}.", count=count - 1) if count else "There are no options here."
            )
            raise GrammarError(phrase("No option {number!r}. {options}", number=number, options=options))
        option = self.options[number]
        state = self._successors[number].state
        self._expand(state)
        self._path.append((option, state))
        return option

    def by_chance(self) -> PossibleStep | None:
        """Takes a random option; None if there is none."""
        return self.take(self._random.randrange(len(self.options))) if self.options else None

    def undo(self) -> PossibleStep | None:
        """Takes back the last step; None at the start."""
        if len(self._path) == 1:
            return None
        self._expand(self._path[-2][1])
        return self._path.pop()[0]

    def restart(self) -> None:
        """Takes back all steps."""
        self._expand(self._path[0][1])
        del self._path[1:]

    @property
    def graph(self) -> Graph:
        """The current graph, with nodes at their positions in the start graph."""
        return self.system.graph(self.state.nodes, self.state.edges)
