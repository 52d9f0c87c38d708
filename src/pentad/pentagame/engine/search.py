"""Search of Pentagame: alpha-beta for two players, and a tree for any number of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pentad.game import Move
from pentad.jit.buffers import array, zeros
from pentad.jit.program import program
from pentad.pentagame.engine import constants as k
from pentad.pentagame.engine.state import state_of, step_of
from pentad.pentagame.notation import TurnStep
from pentad.pentagame.rules import PentagamePosition
from pentad.search.stoppable import run

KERNELS = "pentad.pentagame.engine.alphabeta_kernels"
DEEPEST = 12
SLOTS = 1 << 18


class AlphaBeta:
    """A search at a position; `best` is the best turn at the deepest completed depth."""

    def __init__(
        self,
        position: PentagamePosition,
        weights: Sequence[float] = k.WEIGHTS,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        self.position = position
        self.control = zeros(k.CONTROL_SIZE, "int64")
        self.control[k.SEED], self.control[k.ROOT_SEAT] = seed, position.turn
        self.depth, self.value = 0, 0.5
        self.steps: list[int] = []
        states = zeros((k.LEVELS + 1) * k.SIZE, "int64")
        states[: k.SIZE] = state_of(position)
        self._pv = array([-1] * (k.LEVELS + 1) ** 2, "int64")
        self._search = program(KERNELS).bind(
            "search",
            states,
            zeros(k.LEVELS * k.MAX_STEPS, "int64"),
            zeros(k.LEVELS * k.MAX_STEPS * k.SEATS, "float64"),
            zeros(k.LEVELS + 1, "int64"),
            array([*seen], "int64"),
            zeros(SLOTS * k.ENTRY, "int64"),
            zeros(SLOTS, "float64"),
            array(weights, "float64"),
            zeros(k.WORK, "int64"),
            self.control,
            self._pv,
        )

    def deepen(self, depth: int = DEEPEST, seconds: float | None = None) -> None:
        """Searches one turn deep, then two, and so on, until `stop` or the time limit."""
        self.control[k.STOP] = 0

        def go() -> None:
            for ahead in range(self.depth + 1, min(depth, DEEPEST) + 1):
                value = self._search(ahead)
                if self.control[k.STOP] and self.depth:
                    return
                self.depth, self.value, self.steps = ahead, value, list(self._pv[: k.LEVELS + 1])

        run(go, self.control, seconds)

    def stop(self) -> None:
        """Stops the search."""
        self.control[k.STOP] = 1

    @property
    def nodes(self) -> int:
        return int(self.control[k.VISITED])

    @property
    def best(self) -> tuple[Move, PentagamePosition]:
        """The best turn, and the position after it."""
        steps, here = [], self.position
        for step, after in self._played():
            if here.ply > self.position.ply:
                break
            steps.append(step)
            here = after
        return Move(steps), here

    @property
    def moves(self) -> tuple[Move, ...]:
        """The principal variation as turns."""
        moves: list[Move] = []
        steps: list[TurnStep] = []
        ply = self.position.ply
        for step, after in self._played():
            steps.append(step)
            if after.ply > ply:
                moves.append(Move(steps))
                steps, ply = [], after.ply
        return tuple(moves)

    def _played(self) -> Iterator[tuple[TurnStep, PentagamePosition]]:
        """The steps of the principal variation, each with the position after it."""
        here = self.position
        for code in self.steps:
            if code < 0 or here.outcome:
                return
            step = step_of(code, here)
            here = here.after(step)
            yield step, here


WON = 1 - 1e-9  # the lowest value of a win
NODES_PER_SECOND = 500_000  # an upper bound for a fast machine
MAX_NODES = 3_000_000  # some 250 MB


@dataclass(frozen=True, slots=True)
class Found:
    """A turn with its expected continuation, its value for each seat, and its number of visits."""

    moves: tuple[Move, ...]
    value: tuple[float, ...]
    visits: int


class Tree:
    """A tree at a position, with a limit of nodes; turns to positions already `seen` count as draws."""

    def __init__(
        self,
        position: PentagamePosition,
        nodes: int,
        weights: Sequence[float] = k.WEIGHTS,
        width: int = k.MAX_CHILDREN,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        nodes = max(min(nodes, MAX_NODES), 4 * k.MAX_CHILDREN)
        self.position, self.width, self.size, self._nodes = position, width, 1, nodes
        self.control = zeros(k.CONTROL_SIZE, "int64")
        self.control[k.SEED] = seed
        self._tree, self._values = zeros(nodes * k.NODE, "int64"), zeros(nodes * k.SEATS, "float64")
        self._grow = program(KERNELS).bind(
            "grow",
            state_of(position),
            self._tree,
            self._values,
            zeros(nodes, "float64"),
            self.control,
            array(weights, "float64"),
            zeros(k.MAX_STEPS + k.WORK, "int64"),
            zeros(k.MAX_STEPS * k.SEATS, "float64"),
            array([*seen], "int64"),
            zeros(k.SIZE, "int64"),
            zeros(k.SIZE, "int64"),
            zeros(k.DEEPEST + 1, "int64"),
            zeros(k.DEEPEST + 1, "int64"),
            zeros(k.SEATS, "float64"),
        )

    @property
    def visits(self) -> int:
        return int(self.control[k.VISITED])

    @property
    def depth(self) -> int:
        """The depth in steps."""
        return int(self.control[k.DEPTH])

    @property
    def full(self) -> bool:
        """Whether the limit of nodes is reached."""
        return self.size + k.MAX_CHILDREN >= self._nodes

    def grow(self, visits: int, seconds: float | None = None) -> None:
        """Visits the tree so many times, until the time limit or `stop`."""
        self.control[k.STOP] = 0

        def go() -> None:
            self.size = self._grow(self.size, visits, self.width)

        run(go, self.control, seconds)

    def stop(self) -> None:
        """Stops the search."""
        self.control[k.STOP] = 1

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def value(self, node: int = 0) -> tuple[float, ...]:
        """The value of a node for each seat."""
        return tuple(self._values[k.SEATS * node : k.SEATS * node + self.position.players])

    @property
    def best(self) -> tuple[Move, PentagamePosition]:
        """The best steps and the position after them, at the end of the turn if the tree is deep enough."""
        move, _, after = self._turn(0, self.position)
        return move, after

    def turns(self, count: int = 1) -> list[Found]:
        """The best turns from here, each with its continuation."""
        seat = self.position.turn
        ends = sorted(self._ends(0, self.position, ()), key=lambda end: self._merit(end[0], seat), reverse=True)
        return [
            Found((Move(steps), *self._line(node, here)), self.value(node), self._visits(node))
            for node, here, steps in ends[:count]
        ]

    def _ends(
        self, node: int, here: PentagamePosition, steps: tuple[TurnStep, ...]
    ) -> list[tuple[int, PentagamePosition, tuple[TurnStep, ...]]]:
        """The nodes at the end of a turn from here, with their positions and steps."""
        ends = []
        for child in self._children(node):
            step = step_of(self._entry(child, k.STEP), here)
            after = here.after(step)
            if after.ply > here.ply:
                ends.append((child, after, (*steps, step)))
            else:
                ends += self._ends(child, after, (*steps, step))
        return ends

    def _line(self, node: int, here: PentagamePosition) -> list[Move]:
        """The expected turns from a node on, as far as the tree goes."""
        line = []
        while self._children(node) and not here.outcome:
            move, node, after = self._turn(node, here)
            if after.ply == here.ply:
                break
            line.append(move)
            here = after
        return line

    def _turn(self, node: int, here: PentagamePosition) -> tuple[Move, int, PentagamePosition]:
        """The best steps up to the end of the turn."""
        steps: list[TurnStep] = []
        ply = here.ply
        while here.ply == ply and not here.outcome and self._children(node):
            seat = here.turn
            node = max(self._children(node), key=lambda child: self._merit(child, seat))
            steps.append(step_of(self._entry(node, k.STEP), here))
            here = here.after(steps[-1])
        return Move(steps), node, here

    def _children(self, node: int) -> range:
        first = self._entry(node, k.FIRST)
        return range(first, first + self._entry(node, k.CHILDREN))

    def _merit(self, node: int, seat: int) -> tuple[bool, int, float]:
        """The sort key of nodes for a seat: a win first, then visits, then value."""
        value = self._values[k.SEATS * node + seat]
        return value >= WON, self._visits(node), value

    def _visits(self, node: int) -> int:
        return self._entry(node, k.VISITS)

    def _entry(self, node: int, column: int) -> int:
        return int(self._tree[k.NODE * node + column])
