"""Monte Carlo tree search for any game and any number of players: every seat goes where it fares best itself.

The tree grows by steps of turns. What it knows of a game is one function, a `Looker`: it takes a step from a state
and tells which steps may follow, how far each is to be trusted, and what the state is worth to each seat, by random
games or exactly. `by_choices` makes one for any game, out of its choices and a function that plays random games;
an engine may have a faster one of its own, with states of its own.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from pentad.game import IllegalMove, Move, Position, Step

State = TypeVar("State")

# Mean returns for each seat of so many random games from each of these positions, by a seed.
Playouts: TypeAlias = Callable[[Sequence[Position], int, int], Sequence[tuple[float, ...]]]

CURIOSITY = 2.0  # how much a search looks around
CAUTION = 0.2  # how much worse than its parent a step is taken to be that nobody has looked at
MOST_NODES = 300_000  # of a tree, some hundreds of megabytes
WON = 1.0 - 1e-9  # a return that none is better than


class Look(NamedTuple, Generic[State]):
    """What a look at a state tells.

    `steps` are those that may follow, those with the most trust first; they are handed back to the looker as they
    are. `worth` is each seat's return, `exact` where it is proved; then there need be no steps.
    """

    state: State
    seat: int
    worth: tuple[float, ...]
    exact: bool
    steps: Sequence[Step]
    trust: Sequence[float]
    playouts: int


# Takes a step from a state (none: looks at the state itself), with a seed.
Looker: TypeAlias = Callable[[State, Step | None, int], Look[State]]


class Node(Generic[State]):
    """A state in the tree, with those of its steps that were taken; `known` is its proved worth."""

    __slots__ = ("children", "known", "look", "totals", "visits")

    def __init__(self, look: Look[State]) -> None:
        self.look = look
        self.children: list[Node[State]] = []  # in the order of the steps, as far as they were taken
        self.visits = 1
        self.totals = list(look.worth)
        self.known: tuple[float, ...] | None = look.worth if look.exact else None

    def mean(self, seat: int) -> float:
        """What it is worth to a seat, as far as is known."""
        return self.known[seat] if self.known else self.totals[seat] / self.visits

    @property
    def complete(self) -> bool:
        """Whether every step was taken."""
        return len(self.children) == len(self.look.steps)

    def settle(self) -> bool:
        """Whether its worth is proved now: by a step that wins, or as all steps are settled."""
        seat = self.look.seat
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


class Search(Generic[State]):
    """A tree that grows from a state; `run` it, then read it."""

    def __init__(
        self,
        look: Looker[State],
        state: State,
        *,
        seed: int = 0,
        curiosity: float = CURIOSITY,
        caution: float = CAUTION,
        most_nodes: int = MOST_NODES,
    ) -> None:
        self._look, self._chance = look, random.Random(seed)
        self.curiosity, self.caution, self.most_nodes = curiosity, caution, most_nodes
        self._stopped = False
        first = look(state, None, self._chance.getrandbits(60))
        self.root: Node[State] = Node(first)
        self.nodes, self.playouts = 1, first.playouts

    def stop(self) -> None:
        """End what is running, or is to run next, from another thread; the tree stays."""
        self._stopped = True

    def run(self, playouts: int | None = None, seconds: float | None = None) -> None:
        """Grow until so many random games were played in all or so long, or all is known, or `stop`.

        The tree's room is a limit in any case.
        """
        until = math.inf if seconds is None else time.monotonic() + seconds
        most = math.inf if playouts is None else playouts
        while (
            self.playouts < most
            and self.nodes < self.most_nodes
            and self.root.known is None
            and not self._stopped
            and time.monotonic() < until
        ):
            self._visit()
        self._stopped = False

    def _visit(self) -> None:
        """Walk down the tree to a step that nobody has taken, take it, and tell everyone on the way."""
        node = self.root
        path = [node]
        while True:
            child = self._choose(node)
            if child is None:
                break
            node = child
            path.append(node)
        look = self._look(node.look.state, node.look.steps[len(node.children)], self._chance.getrandbits(60))
        self.nodes += 1
        self.playouts += look.playouts
        leaf = Node(look)
        node.children.append(leaf)
        worth, proved = look.worth, look.exact
        for node in reversed(path):
            if proved:
                proved = node.settle()
                if node.known:
                    worth = node.known
            node.visits += 1
            totals = node.totals
            for seat, each in enumerate(worth):
                totals[seat] += each

    def _choose(self, node: Node[State]) -> Node[State] | None:
        """The child that promises most to the seat to move; None for the first of the steps not yet taken."""
        look, children = node.look, node.children
        seat, trust = look.seat, look.trust
        spread = self.curiosity * math.sqrt(node.visits)
        best: Node[State] | None = None
        best_score = -math.inf
        for child, trusted in zip(children, trust, strict=False):
            if child.known is None:
                score = child.totals[seat] / child.visits + spread * trusted / (1 + child.visits)
                if score > best_score:
                    best, best_score = child, score
        if len(children) < len(trust):
            fresh = node.totals[seat] / node.visits - self.caution + spread * trust[len(children)]
            if best is None or fresh > best_score:
                return None
        return best

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def best(self, node: Node[State] | None = None) -> int | None:
        """The number of the step that should be taken at a node (or the root); None where none was tried.

        What wins for certain, else what was visited most; a proved loss only where there is nothing else.
        """
        node = node or self.root
        seat = node.look.seat
        unproved = [child.mean(seat) for child in node.children if child.known is None]
        hope = max(unproved, default=-math.inf)

        def merit(number: int) -> tuple[float, float, float]:
            child = node.children[number]
            if child.known is None:
                return (0.0, child.visits, 0.0)
            worth = child.known[seat]
            if worth >= WON or worth > hope:
                return (1.0, worth, child.visits)
            return (-1.0, worth, child.visits)

        return max(range(len(node.children)), key=merit, default=None)

    def line(self) -> list[Node[State]]:
        """The nodes that are expected to follow the root."""
        found, node = [], self.root
        while (number := self.best(node)) is not None:
            node = node.children[number]
            found.append(node)
        return found

    def steps(self) -> list[Step]:
        """The steps that are expected from the root on, as far as the tree goes, and the most trusted one then."""
        found, node = [], self.root
        while (number := self.best(node)) is not None:
            found.append(node.look.steps[number])
            node = node.children[number]
        return [*found, *node.look.steps[:1]]


# ── any game ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Stage:
    """A position, perhaps within a turn, with what follows each of its steps once that was looked at."""

    position: Position
    after: dict[Step, Position]


HEAT = 0.3  # how much better a return is that is trusted e times more


def stage(position: Position) -> Stage:
    """The state that a tree over a game's choices begins with."""
    return Stage(position, {})


def by_choices(playouts: Playouts, games: int = 1) -> Looker[Stage]:
    """A looker for any game: so many random games, all at once, from all positions that one step leads to.

    Steps that lead to the same position are one. The more a step's games brought to the seat, the more it is
    trusted, and as far as that the state is worth what they are. It is for games whose turns end where they can.
    """

    def look(state: Stage, step: Step | None, seed: int) -> Look[Stage]:
        here = state.position if step is None else state.after[step]
        seat, outcome = here.turn, here.outcome
        if outcome:
            return Look(stage(here), seat, outcome.returns, True, (), (), 0)
        following: dict[Position, Step] = {}
        for each, after in _following(here):
            following.setdefault(after, each)
        going_on = [after for after in following if after.outcome is None]
        found = dict(zip(going_on, playouts(going_on, games, seed), strict=True)) if going_on else {}
        worths = [found[after] if after.outcome is None else after.outcome.returns for after in following]
        merits = [math.exp(worth[seat] / HEAT) for worth in worths]
        total = sum(merits)
        ranked = sorted(zip(merits, following.values(), following, strict=True), key=lambda way: -way[0])
        worth = tuple(
            sum(merit * each[s] for merit, each in zip(merits, worths, strict=True)) / total
            for s in range(here.players)
        )
        return Look(
            Stage(here, {each: after for _, each, after in ranked}),
            seat,
            worth,
            False,
            [each for _, each, _ in ranked],
            [merit / total for merit, _, _ in ranked],
            games * len(going_on),
        )

    return look


def _following(here: Position) -> list[tuple[Step, Position]]:
    """Every step from a position with the position then: within the turn where the turn goes on, else after it."""
    return [(choice.step, _stepped(here, choice.step)) for choice in here.choices()]


def _stepped(here: Position, step: Step) -> Position:
    try:
        return here.partial((step,))
    except IllegalMove:
        return here.play((step,))


def turn_of(position: Position, steps: Sequence[Step]) -> Move:
    """The turn that begins with these steps, up to its end; where they do not reach it, the first choices go on."""
    taken: list[Step] = []
    while choices := position.choices(taken):
        taken.append(steps[len(taken)] if len(taken) < len(steps) else choices[0].step)
    return Move(taken)
