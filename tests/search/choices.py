"""Tree search over the choices of any game, by random games in Python: a reference for engines' expanders."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pentad.game import IllegalMove, Position, Step
from pentad.search.mcts import Expander, Expansion

# Plays some random games from each position, with a seed; gives the mean returns of each seat.
Playouts: TypeAlias = Callable[[Sequence[Position], int, int], Sequence[tuple[float, ...]]]


@dataclass(frozen=True, slots=True)
class ChoiceState:
    """A position, perhaps within a turn, and the positions after its steps once it is expanded."""

    position: Position
    after: dict[Step, Position]


TEMPERATURE = 0.3  # a softmax with it turns returns into priors


def choice_state(position: Position) -> ChoiceState:
    """The root state of a tree over a game's choices."""
    return ChoiceState(position, {})


def expand_by_choices(playouts: Playouts, games: int = 1) -> Expander[ChoiceState]:
    """An expander for any game: plays random games from all positions that one step leads to.

    Steps to the same position are merged. The priors are a softmax of the returns for the seat to move, and the
    value of the state is their weighted mean. It is for games whose turns end as soon as they can.
    """

    def expand(state: ChoiceState, step: Step | None, seed: int) -> Expansion[ChoiceState]:
        here = state.position if step is None else state.after[step]
        seat, outcome = here.turn, here.outcome
        if outcome:
            return Expansion(choice_state(here), seat, outcome.returns, True, (), (), 0)
        following: dict[Position, Step] = {}
        for each, after in _following(here):
            following.setdefault(after, each)
        unfinished = [after for after in following if after.outcome is None]
        found = dict(zip(unfinished, playouts(unfinished, games, seed), strict=True)) if unfinished else {}
        worths = [found[after] if after.outcome is None else after.outcome.returns for after in following]
        weights = [math.exp(worth[seat] / TEMPERATURE) for worth in worths]
        total = sum(weights)
        ranked = sorted(zip(weights, following.values(), following, strict=True), key=lambda item: -item[0])
        worth = tuple(
            sum(weight * each[s] for weight, each in zip(weights, worths, strict=True)) / total
            for s in range(here.players)
        )
        return Expansion(
            ChoiceState(here, {each: after for _, each, after in ranked}),
            seat,
            worth,
            False,
            [each for _, each, _ in ranked],
            [weight / total for weight, _, _ in ranked],
            games * len(unfinished),
        )

    return expand


def _following(here: Position) -> list[tuple[Step, Position]]:
    """Every step from a position with the position after it, within the turn or after its end."""
    return [(choice.step, _stepped(here, choice.step)) for choice in here.choices()]


def _stepped(here: Position, step: Step) -> Position:
    try:
        return here.partial((step,))
    except IllegalMove:
        return here.play((step,))
