"""Stepping through a grammar by hand or by chance, with undo.

>>> simulation = Simulation(Grammar.load("ferry.gps"))  # doctest: +SKIP
>>> [str(option) for option in simulation.options]  # doctest: +SKIP
['load', 'cross']
>>> simulation.take(0)  # doctest: +SKIP
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.limits import Enough, default_memory
from pentad.grammar.matching.graph_conversion import graph_of
from pentad.grammar.matching.matcher import Match
from pentad.grammar.matching.state_index import State
from pentad.grammar.matching.state_space import Space, Successor
from pentad.grammar.matching.transition_labels import argument
from pentad.grammar.oracles import Asked
from pentad.grammar.system import Filter, System, prepare
from pentad.system_memory import used_memory

LOOK = 512  # matches between two looks at the memory


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can happen now: its action, what it is applied to, and the nodes of the graph that match."""

    action: str
    arguments: tuple[str, ...]
    nodes: tuple[tuple[str, str], ...]  # the rule's nodes with those of the graph, of the outermost level

    def __str__(self) -> str:
        return f"{self.action}({', '.join(self.arguments)})" if self.arguments else self.action


class Simulation:
    """A state of a grammar, and the way that led to it."""

    def __init__(
        self,
        grammar: Grammar,
        seed: int | None = None,
        start: Graph | None = None,
        control: str | None = None,
        filters: Mapping[str, Filter] | None = None,
        oracle: Asked | None = None,
        operations: Iterable[Callable[..., Any]] = (),
    ) -> None:
        self.system: System = prepare(grammar, start, control, filters, oracle, operations)
        self._chance = random.Random(seed)
        for finder in self.system.finders.values():
            finder.look = self._look_within
        self._within = 0
        self._way: list[tuple[Option | None, State]] = [(None, Space(self.system).start)]
        self._look(self.state)

    def _look(self, state: State) -> None:
        """Find what can happen in a state; where that cannot be found, nothing has changed."""
        self._before = used_memory()
        try:
            successors, final, broken = Space(self.system, look=self._look_within).successors(state)
            options = tuple(map(self._option, successors))
        except (Enough, MemoryError):
            raise GrammarError("The next options exceed the memory limit.") from None
        self._successors, self.final, self.broken, self.options = successors, final, broken, options

    def _look_within(self) -> None:
        """Look at the memory now and then."""
        self._within += 1
        if self._within % LOOK == 0 and used_memory() - self._before > default_memory():
            raise Enough

    @property
    def state(self) -> State:
        return self._way[-1][1]

    @property
    def steps(self) -> tuple[Option, ...]:
        """What happened so far."""
        return tuple(option for option, _ in self._way if option is not None)

    def _option(self, successor: Successor) -> Option:
        arguments = tuple(argument(self.system.world, each) for each in successor.arguments)
        return Option(successor.action, arguments, self._matched(successor.match))

    def _matched(self, match: Match | None) -> tuple[tuple[str, str], ...]:
        if match is None:
            return ()
        name_of, names = self.system.world.text, match.rule.names
        pairs = zip(names, match.found, strict=True)
        return tuple((name, name_of(node)) for name, node in pairs if isinstance(node, int))

    def leads_to(self, number: int) -> State:
        """Where the option with this number leads."""
        return self._successors[number].state

    def take(self, number: int) -> Option:
        """Let the option with this number happen."""
        if not isinstance(number, int) or not 0 <= number < len(self.options):
            count = len(self.options)
            options = f"The options are 0 to {count - 1}." if count else "There are no options here."
            raise GrammarError(f"No option {number!r}. {options}")
        option = self.options[number]
        state = self._successors[number].state
        self._look(state)
        self._way.append((option, state))
        return option

    def by_chance(self) -> Option | None:
        """Let any of the options happen; None where there is none."""
        return self.take(self._chance.randrange(len(self.options))) if self.options else None

    def undo(self) -> Option | None:
        """Take the last step back; None at the start."""
        if len(self._way) == 1:
            return None
        self._look(self._way[-2][1])
        return self._way.pop()[0]

    @property
    def graph(self) -> Graph:
        """The graph as it is now, its nodes where they were drawn in the start graph."""
        return graph_of(self.system.world, self.state.nodes, self.state.edges, self.system.start)
