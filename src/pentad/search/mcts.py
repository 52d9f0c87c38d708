"""Monte Carlo tree search (PUCT) for any game and any number of players; every seat maximises its own return.

The tree grows by steps of turns. An `Expander` function connects it to a game: it plays a step from a state and
returns the next steps with their prior probabilities, and the state's value for each seat, from random games or exact.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from pentad.game import Move, Position, Step
from pentad.search import interrupts

State = TypeVar("State")

EXPLORATION = 2.0  # weight of the priors in the PUCT formula
FIRST_PLAY_REDUCTION = 0.2  # how much worse than its parent an unvisited step is assumed to be
NODES_TO_FIRST_REPORT = 100
MAX_NODES = 300_000  # they take some hundreds of megabytes
WON = 1.0 - 1e-9  # the return of a certain win, less rounding errors


class Expansion(NamedTuple, Generic[State]):
    """The expansion of a state.

    `steps` are the next steps, by descending prior; they are passed back to the expander as they are. `worth` is the
    return of each seat, `exact` if it is proved; then `steps` may be empty.
    """

    state: State
    seat: int
    worth: tuple[float, ...]
    exact: bool
    steps: Sequence[Step]
    priors: Sequence[float]
    playouts: int


# Plays a step from a state (None: expands the state itself), with a seed.
Expander: TypeAlias = Callable[[State, Step | None, int], Expansion[State]]


class SearchNode(Generic[State]):
    """A node of the tree, with children for the steps tried so far; `known` is its proved value."""

    __slots__ = ("children", "expansion", "known", "totals", "visits")

    def __init__(self, expansion: Expansion[State]) -> None:
        self.expansion = expansion
        self.children: list[SearchNode[State]] = []  # the order is that of the steps, as far as they were tried
        self.visits = 1
        self.totals = list(expansion.worth)
        self.known: tuple[float, ...] | None = expansion.worth if expansion.exact else None

    @property
    def complete(self) -> bool:
        """Whether every step was tried."""
        return len(self.children) == len(self.expansion.steps)

    def update_proof(self) -> bool:
        """Updates `known` and returns whether the value is proved: by a winning step, or with all steps proved."""
        seat = self.expansion.seat
        best: tuple[float, ...] | None = None
        open_steps = not self.complete
        for child in self.children:
            if child.known is None:
                open_steps = True
            elif best is None or child.known[seat] > best[seat]:
                best = child.known
        if best is not None and (best[seat] >= WON or not open_steps):
            self.known = best
        return self.known is not None


class TreeSearch(Generic[State]):
    """A search tree that grows from a state: `run` it, then read the result."""

    def __init__(self, expand: Expander[State], state: State, *, seed: int = 0) -> None:
        self._expand, self._rng = expand, random.Random(seed)
        self._stopped = False
        first = expand(state, None, self._rng.getrandbits(60))
        self.root: SearchNode[State] = SearchNode(first)
        self.nodes, self.playouts = 1, first.playouts

    def stop(self) -> None:
        """Stops the current run, or the next one, from another thread; the tree stays."""
        self._stopped = True

    def run(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        on_growth: Callable[[], None] | None = None,
    ) -> None:
        """Grows the tree to a number of random games, for some seconds, until the root is proved, or until `stop`.

        The number of nodes is limited in any case. `on_growth` is called whenever it has doubled.
        """
        until = math.inf if seconds is None else time.monotonic() + seconds
        most = math.inf if playouts is None else playouts
        report_at = max(NODES_TO_FIRST_REPORT, self.nodes + 1)
        while (
            self.playouts < most
            and self.nodes < MAX_NODES
            and self.root.known is None
            and not self._stopped
            and time.monotonic() < until
        ):
            interrupts.check()
            self._visit()
            if on_growth and self.nodes >= report_at:
                report_at = 2 * self.nodes
                on_growth()
        self._stopped = False

    def _visit(self) -> None:
        """Selects an untried step, expands it, and updates the nodes on the path."""
        node = self.root
        path = [node]
        while True:
            child = self._choose(node)
            if child is None:
                break
            node = child
            path.append(node)
        expansion = self._expand(
            node.expansion.state, node.expansion.steps[len(node.children)], self._rng.getrandbits(60)
        )
        self.nodes += 1
        self.playouts += expansion.playouts
        leaf = SearchNode(expansion)
        node.children.append(leaf)
        worth, proved = expansion.worth, expansion.exact
        for node in reversed(path):
            if proved:
                proved = node.update_proof()
                if node.known:
                    worth = node.known
            node.visits += 1
            totals = node.totals
            for seat, each in enumerate(worth):
                totals[seat] += each

    def _choose(self, node: SearchNode[State]) -> SearchNode[State] | None:
        """The child with the highest score for the seat to move, or None for the first untried step."""
        expansion, children = node.expansion, node.children
        seat, priors = expansion.seat, expansion.priors
        spread = EXPLORATION * math.sqrt(node.visits)
        best: SearchNode[State] | None = None
        best_score = -math.inf
        for child, prior in zip(children, priors, strict=False):
            if child.known is None:
                score = child.totals[seat] / child.visits + spread * prior / (1 + child.visits)
                if score > best_score:
                    best, best_score = child, score
        if len(children) < len(priors):
            fresh = node.totals[seat] / node.visits - FIRST_PLAY_REDUCTION + spread * priors[len(children)]
            if best is None or fresh > best_score:
                return None
        return best

    # ── results ──────────────────────────────────────────────────────────────────────────────────

    def best(self, node: SearchNode[State] | None = None) -> int | None:
        """The index of the best step at a node (by default the root); None if no step was tried.

        This is a proved win, else the most visited step; a proved loss only if all are.
        """
        node = node or self.root
        seat = node.expansion.seat
        unproved = [child.totals[seat] / child.visits for child in node.children if child.known is None]
        best_unproved = max(unproved, default=-math.inf)

        def weight(number: int) -> tuple[float, float, float]:
            child = node.children[number]
            if child.known is None:
                return (0.0, child.visits, 0.0)
            worth = child.known[seat]
            if worth >= WON or worth > best_unproved:
                return (1.0, worth, child.visits)
            return (-1.0, worth, child.visits)

        return max(range(len(node.children)), key=weight, default=None)

    def steps(self) -> list[Step]:
        """The steps of the principal variation, and the step with the highest prior after it."""
        found, node = [], self.root
        while (number := self.best(node)) is not None:
            found.append(node.expansion.steps[number])
            node = node.children[number]
        return [*found, *node.expansion.steps[:1]]


def turn_of(position: Position, steps: Sequence[Step]) -> Move:
    """The turn that begins with these steps; if they do not reach its end, the first choices complete it."""
    taken: list[Step] = []
    while choices := position.choices(taken):
        taken.append(steps[len(taken)] if len(taken) < len(steps) else choices[0].step)
    return Move(taken)
