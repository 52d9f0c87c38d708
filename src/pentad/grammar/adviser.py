"""Adviser: the values of a simulation's options, from the solved game of its grammar.

>>> from pentad.grammar.models import new
>>> simulation = Simulation(new("tictactoe", rows=2, line=2))
>>> advice = Adviser(simulation).values()
>>> advice.value, advice.distance, advice.best, [number for number, _ in advice.moves]
(1, 6, 6, [0, 1, 2, 3, 4, 5])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pentad.grammar.exploration import explore
from pentad.grammar.graph import GrammarError
from pentad.grammar.simulation import Simulation
from pentad.grammar.solving import ValuedTransition, game_of, solve
from pentad.grammar.states.state_space import State
from pentad.system.words import phrase

MAX_SOLVED_STATES = 2_000_000


class Advice(NamedTuple):
    """The value of a state for the player to move, and its options' with their numbers, the best first."""

    mover: str
    value: int | None
    distance: int | None
    moves: list[tuple[int, ValuedTransition]]
    best: int  # how many of the moves are best


class Adviser:
    """The values of the states that a simulation can reach, as far as they are explored: at most `states` of them."""

    def __init__(
        self,
        simulation: Simulation,
        states: int | None = None,
        memory: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        game_of(simulation.system.grammar)  # faults of the grammar are found before the exploration
        self.simulation = simulation
        with simulation.unchecked():
            self.found = explore(
                simulation.system, states=states or MAX_SOLVED_STATES, memory=memory, stop=stop, isomorphism=False
            )
        self.solution = solve(self.found)

    def values(self) -> Advice:
        """The values of the current state and of its options."""
        here, solution = self._number(self.simulation.state), self.solution
        best = {(step.action, step.target) for step in solution.best(here)}
        known = {(move.transition.action, move.transition.target): move for move in solution.moves(here)}
        moves: list[tuple[int, ValuedTransition]] = []
        for number, option in enumerate(self.simulation.options):
            move = known.get((option.action, self._number(self.simulation.leads_to(number))))
            if move is not None:  # not the loop of a condition
                moves.append((number, move))

        def is_best(move: ValuedTransition) -> bool:
            return (move.transition.action, move.transition.target) in best

        moves.sort(key=lambda each: (not is_best(each[1]), -(each[1].value or 0)))
        count = sum(is_best(move) for _, move in moves)
        return Advice(solution.mover(here), solution.value(here), solution.distance(here), moves, count)

    def _number(self, state: State) -> int:
        number = None if self.found.run is None else self.found.run.find(state)
        if number is None:
            raise GrammarError(
                phrase("This state is not among the {states:,} states that were explored.", states=self.found.states)
            )
        return number
