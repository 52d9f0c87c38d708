"""The engine of a game that has kernels of its moves and evaluation (see `kernels`).

`Engine` says what the searches need of the game. `AlphaBeta` is for two players, `GameTree` for any number of them;
both have bots at five levels, and the tree an analysis.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pentad.game import Move, Position, Step
from pentad.kernels.buffers import Buffer, array, flat, typed, zeros
from pentad.kernels.program import Program, program
from pentad.kernels.types import Float64s, Int16s, Int64s, Rows
from pentad.search import constants as k
from pentad.search.analysis import Analysis, Line, Report
from pentad.search.bot import EngineBot
from pentad.search.levels import Level, ladder
from pentad.search.move_limit import Limit
from pentad.search.report import Result
from pentad.search.stoppable import run

LONGEST_LINE = 1000  # turns of a principal variation
DEEPEST = 12  # turns, of five steps at most
SLOTS = 1 << 18
VISITS_TO_FIRST_REPORT = 500
FIRST_SEEN = 256  # room for signatures; it grows
NODES_PER_SECOND = 750_000  # a fast machine does not reach it
MAX_NODES = 3_000_000  # they take some 250 MB


LEVELS = ladder(
    Level(nodes=4, depth=1, noise=0.76, contempt=0.9),
    Level(nodes=4, depth=1, noise=0.6, contempt=0.9),
    Level(nodes=4, depth=1, noise=0.445, contempt=0.9),
    Level(nodes=4, depth=1, noise=0.31, contempt=0.9),
    Level(nodes=4, depth=1, noise=0.175, contempt=0.9),
    Level(nodes=10, depth=1, noise=0.085, contempt=0.9),
    Level(nodes=40, depth=2, noise=0.012, contempt=0.5, book=True),
    Level(nodes=300, depth=3, noise=0.004, contempt=0.3, book=True),
    Level(nodes=100_000_000, noise=0.001, contempt=0.3, book=True),
)


@dataclass(frozen=True, slots=True)
class Engine:
    """A game's kernels, the sizes of their arrays, and the conversion of positions and steps.

    `module` has the table of `kernels.searches`. `step_of` returns the step of a kernels' number at a position, and
    `after` the position after it, within the turn or at its end.
    """

    module: str
    state_of: Callable[[Any], Buffer]
    step_of: Callable[[int, Any], Step]
    after: Callable[[Any, Any], Any]
    size: int
    most_steps: int
    seats: int
    work: int = 1
    weights: Int16s = field(default_factory=lambda: zeros(1, Int16s))
    settings: k.SearchSettings = field(default_factory=k.SearchSettings)
    deepest: int = DEEPEST
    levels: Mapping[float, Level] = field(default_factory=lambda: LEVELS)

    @property
    def kernels(self) -> Program:
        return program(self.module)

    def signature(self, position: Position) -> int:
        """The hash by which repetitions are found."""
        return int(self.kernels("signature", self.state_of(position)))


class AlphaBeta:
    """A search at a position; `best` is the best turn at the deepest completed depth."""

    def __init__(
        self,
        engine: Engine,
        position: Position,
        *,
        settings: k.SearchSettings | None = None,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        self.engine, self.position = engine, position
        self.control = k.SearchControl()
        self.control.root_seat = position.turn
        known = array([*seen], Int64s)
        self.control.seen = len(known)
        self.depth, self.value = 0, 0.5
        self.steps: list[int] = []
        states = zeros((k.LEVELS + 1) * engine.size, Rows[Int64s])
        flat(states)[: engine.size] = engine.state_of(position)
        pv = array([-1] * (k.LEVELS + 1) ** 2, Rows[Int64s])
        self._pv = flat(pv)
        self._search = engine.kernels.bind(
            "search",
            k.AlphaBetaArrays(
                states=states,
                lists=zeros(k.LEVELS * engine.most_steps, Rows[Int64s]),
                evaluations=zeros(k.LEVELS * engine.most_steps * engine.seats, Rows[Rows[Float64s]]),
                keys=zeros(k.LEVELS + 1, Int64s),
                seen=known,
                table=zeros(SLOTS * k.ENTRY, Rows[Int64s]),
                table_values=zeros(SLOTS, Float64s),
                weights=engine.weights,
                settings=settings or engine.settings,
                work=zeros(engine.work, Int64s),
                seed=array([seed], Int64s),
                control=self.control,
                pv=pv,
            ),
        )

    def deepen(
        self, depth: int = k.LEVELS, seconds: float | None = None, on_depth: Callable[[], None] | None = None
    ) -> None:
        """Searches one turn deep, then two, and so on, until `stop` or the time limit.

        `on_depth` is called after each depth.
        """
        self.control.stop = 0

        def go() -> None:
            for ahead in range(self.depth + 1, min(depth, self.engine.deepest) + 1):
                value = self._search(ahead)
                if self.control.stop and self.depth:
                    return
                self.depth, self.value, self.steps = ahead, value, list(self._pv[: k.LEVELS + 1])
                if on_depth:
                    on_depth()

        run(go, self.control, seconds)

    def stop(self) -> None:
        """Stops the search."""
        self.control.stop = 1

    @property
    def nodes(self) -> int:
        return self.control.visited

    def report(self, _: int) -> Report:
        """The report on the search, with the best turn alone; its value is a share of the win from 0 to 1."""
        here, (move, _after) = self.position, self.best
        value = 2 * self.value - 1
        values = (value, -value) if here.turn == 0 else (-value, value)
        return Report(here.turn, self.depth, self.nodes, 0.0, (Line((move,), values),), exact=False)

    @property
    def best(self) -> tuple[Move, Position]:
        """The best turn, and the position after it."""
        steps: list[Step] = []
        here = self.position
        for code in self.steps:
            if code < 0 or here.outcome or here.ply > self.position.ply:
                break
            steps.append(self.engine.step_of(code, here))
            here = self.engine.after(here, steps[-1])
        return Move(steps), here


def tree_arrays(
    engine: Engine, root: Int64s, nodes: int, settings: k.SearchSettings, seen: Int64s, control: k.SearchControl
) -> k.TreeArrays:
    """The arrays of a tree."""
    return k.TreeArrays(
        root=root,
        nodes=zeros(nodes * k.NODE, Rows[Int64s]),
        values=zeros(nodes * engine.seats, Rows[Float64s]),
        priors=zeros(nodes, Float64s),
        control=control,
        weights=engine.weights,
        settings=settings,
        steps=zeros(engine.most_steps, Int64s),
        evaluations=zeros(engine.most_steps * engine.seats, Rows[Float64s]),
        seen=seen,
        state=zeros(engine.size, Int64s),
        child=zeros(engine.size, Int64s),
        path=zeros(k.DEEPEST + 1, Int64s),
        movers=zeros(k.DEEPEST + 1, Int64s),
        keys=zeros(k.DEEPEST + 1, Int64s),
        found=zeros(engine.seats, Float64s),
        work=zeros(engine.work, Int64s),
        seed=zeros(1, Int64s),
    )


class GameTree:
    """A tree at a position, with a limit of nodes; turns to positions already `seen` count as draws."""

    def __init__(
        self,
        engine: Engine,
        position: Position,
        nodes: int,
        *,
        settings: k.SearchSettings | None = None,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        nodes = max(min(nodes, MAX_NODES), 4 * k.MAX_CHILDREN)
        self.engine, self.position, self.size, self._nodes = engine, position, 1, nodes
        self.control = k.SearchControl()
        known = array([*seen], Int64s)
        self.control.room, self.control.seen = nodes, len(known)
        arrays = tree_arrays(
            engine, typed(engine.state_of(position), Int64s), nodes, settings or engine.settings, known, self.control
        )
        arrays.seed[0] = seed
        self._tree, self._values = flat(arrays.nodes), flat(arrays.values)
        self._grow = engine.kernels.bind("grow", arrays)
        self._preferred = engine.kernels.bind("preferred", arrays)

    @property
    def visits(self) -> int:
        return self.control.visited

    @property
    def depth(self) -> int:
        """The depth in steps."""
        return self.control.depth

    @property
    def full(self) -> bool:
        """Whether the limit of nodes is reached."""
        return self.size + k.MAX_CHILDREN >= self._nodes

    def grow(self, visits: int, seconds: float | None = None, on_growth: Callable[[], None] | None = None) -> None:
        """Visits the tree so many times, until the time limit or `stop`.

        `on_growth` is called after some visits, and whenever their number has doubled.
        """
        self.control.stop = 0

        def go() -> None:
            left, part = visits, VISITS_TO_FIRST_REPORT if on_growth else visits
            while left > 0 and not self.control.stop:
                self.size = self._grow(self.size, min(part, left), k.MAX_CHILDREN)
                left -= part
                part = max(self.visits, 1)
                if on_growth:
                    on_growth()

        run(go, self.control, seconds)

    def stop(self) -> None:
        """Stops the search."""
        self.control.stop = 1

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def value(self, node: int = 0) -> tuple[float, ...]:
        """The value of a node for each seat."""
        first = self.engine.seats * node
        return tuple(self._values[first : first + self.position.players])

    def returns(self, node: int = 0) -> tuple[float, ...]:
        """The value of a node as returns: the whole win is 1, an equal share 0."""
        players = self.position.players
        return tuple((players * share - 1) / (players - 1) for share in self.value(node))

    @property
    def best(self) -> tuple[Move, Position]:
        """The best steps and the position after them, at the end of the turn if the tree is deep enough."""
        move, _, after = self._turn(0, self.position)
        return move, after

    def turns(self, count: int = 1) -> list[Line]:
        """The best turns from here, each with its continuation."""
        seat = self.position.turn
        ends = sorted(self._ends(0, self.position, ()), key=lambda end: self._merit(end[0], seat), reverse=True)
        return [Line((Move(steps), *self._line(node, here)), self.returns(node)) for node, here, steps in ends[:count]]

    def report(self, longest: int) -> Report | None:
        """The report on the best turn and at most so many turns of its line, if the tree is as deep as a turn."""
        move, node, after = self._turn(0, self.position)
        if after.ply == self.position.ply:
            return None
        line = [Line((move, *self._line(node, after, longest - 1)), self.returns(node))]
        return _report(self.position, self, line, 0.0)

    def _ends(self, node: int, here: Position, steps: tuple[Step, ...]) -> list[tuple[int, Position, tuple[Step, ...]]]:
        """The nodes at the end of a turn from here, with their positions and steps."""
        ends = []
        for child in self.children(node):
            step = self.step(child, here)
            after = self.engine.after(here, step)
            if after.ply > here.ply:
                ends.append((child, after, (*steps, step)))
            else:
                ends += self._ends(child, after, (*steps, step))
        return ends

    def _line(self, node: int, here: Position, longest: int = LONGEST_LINE) -> list[Move]:
        """The expected turns from a node on, as far as the tree goes."""
        line: list[Move] = []
        while len(line) < longest and self.children(node) and not here.outcome:
            move, node, after = self._turn(node, here)
            if after.ply == here.ply:
                break
            line.append(move)
            here = after
        return line

    def _turn(self, node: int, here: Position) -> tuple[Move, int, Position]:
        """The best steps up to the end of the turn."""
        steps: list[Step] = []
        ply = here.ply
        while here.ply == ply and not here.outcome and self.children(node):
            node = self.best_child(node, here.turn)
            steps.append(self.step(node, here))
            here = self.engine.after(here, steps[-1])
        return Move(steps), node, here

    def step(self, node: int, before: Position) -> Step:
        """The step to a node from the position before it."""
        return self.engine.step_of(self._entry(node, k.STEP), before)

    def best_child(self, node: int, seat: int) -> int:
        """The child of a node that a seat prefers."""
        return int(self._preferred(node, seat))

    def children(self, node: int = 0) -> range:
        """The children of a node, the most promising first."""
        first = self._entry(node, k.FIRST)
        return range(first, first + self._entry(node, k.CHILDREN))

    def _merit(self, node: int, seat: int) -> tuple[bool, int, float]:
        """The sort key of nodes for a seat: a win first, then visits, then value."""
        value = self._values[self.engine.seats * node + seat]
        return value >= k.WON, self._visits(node), value

    def _visits(self, node: int) -> int:
        return self._entry(node, k.VISITS)

    def _entry(self, node: int, column: int) -> int:
        return int(self._tree[k.NODE * node + column])


# ── analysis ─────────────────────────────────────────────────────────────────────────────────────

FIRST_SLICE_SECONDS = 0.05  # each slice is 1.5 times as long as the one before
VISITS_OF_FIXED_REPORT = 400


def analyse(engine: Engine, position: Position, *, seconds: float, lines: int, depth: int | None) -> Analysis:
    """Analyses by tree search, for so many seconds or until the best line has so many turns."""
    return Analysis(position, _reports(engine, position, seconds, lines, depth))


def fixed_report(engine: Engine, position: Position, lines: int) -> Report:
    """The best lines of a position, by a tree search of fixed work."""
    tree = GameTree(engine, position, VISITS_OF_FIXED_REPORT * k.MAX_CHILDREN)
    tree.grow(VISITS_OF_FIXED_REPORT)
    while not (found := tree.turns(lines)) and not tree.full:  # a turn may have many steps
        tree.grow(VISITS_OF_FIXED_REPORT)
    return _report(position, tree, found, 0.0)


def _reports(engine: Engine, position: Position, seconds: float, lines: int, depth: int | None) -> Iterator[Report]:
    tree = GameTree(engine, position, int(NODES_PER_SECOND * max(seconds, 1)))
    began = time.monotonic()
    spent, slice_ = 0.0, FIRST_SLICE_SECONDS
    while True:
        tree.grow(1 << 60, max(min(slice_, seconds - spent), 0.001))
        spent, slice_ = time.monotonic() - began, slice_ * 1.5
        if found := tree.turns(lines):
            report = _report(position, tree, found, spent)
            yield report
            if (depth is not None and report.depth >= depth) or spent >= seconds or tree.full:
                return


def _report(position: Position, tree: GameTree, found: list[Line], spent: float) -> Report:
    ends_at_once = position.play(found[0].moves[0]).outcome
    exact = ends_at_once is not None and ends_at_once.returns[position.turn] > 0
    depth = len(found[0].moves)
    if exact and ends_at_once:
        found[0] = Line(found[0].moves[:1], ends_at_once.returns)
    return Report(position.turn, depth, tree.visits, spent, tuple(found), exact)


# ── bots ─────────────────────────────────────────────────────────────────────────────────────────


class KernelBot(EngineBot):
    """A bot of a game with kernels; the highest level uses all its time, by default a second.

    It remembers the positions of its game, for the detection of repetitions.
    """

    def __init__(self, engine: Engine, level: float = 5, seed: int | None = None) -> None:
        self.levels = engine.levels
        super().__init__(level, seed)
        self.engine = engine
        self._counts, self._signatures = k.SeenCounts(), zeros(FIRST_SEEN, Int64s)  # of the game's earlier positions

    @property
    def settings(self) -> k.SearchSettings:
        """The settings of the search at the move's level."""
        return self.engine.settings._replace(noise=self.level.noise, contempt=self.level.contempt)

    def _met(self, position: Position) -> None:
        """Adds an earlier position."""
        if self._counts.known == len(self._signatures):
            more = zeros(2 * len(self._signatures), Int64s)
            more[: len(self._signatures)] = self._signatures
            self._signatures = more
        self.engine.kernels("meet", self._counts, self._signatures, self.engine.state_of(position))

    @property
    def _seen(self) -> Int64s:
        """The signatures of the game's earlier positions."""
        return self._signatures[: self._counts.known]

    def _moved(self, position: Position, move: Move) -> None:
        self._met(position.play(move))

    def _searched(self, here: Position, limit: Limit) -> Result:
        move, after = self._found(here, limit)
        report = self._last_report()
        while after.ply == here.ply:  # the search did not reach the end of the turn, so a small one completes it
            more, after = self._grown(after, 1, None).best
            move = Move((*move, *more))
        return Result.of(move, report)

    @abstractmethod
    def _found(self, here: Position, limit: Limit) -> tuple[Move, Position]:
        """The best steps and the position after them, mostly at the end of the turn."""

    def _report(self, longest: int) -> Report | None:
        search = self._search
        return search.report(longest) if isinstance(search, AlphaBeta | GameTree) else None

    def _tree(self, here: Position, seconds: float) -> tuple[Move, Position]:
        """The best steps by tree search."""
        on_growth = self._deepened if self._listener else None
        return self._grown(here, self.level.nodes or MAX_NODES, seconds, on_growth).best

    def _grown(
        self, here: Position, visits: int, seconds: float | None, on_growth: Callable[[], None] | None = None
    ) -> GameTree:
        nodes = visits * k.MAX_CHILDREN
        if seconds is not None:
            nodes = min(nodes, int(NODES_PER_SECOND * seconds))
        tree = GameTree(self.engine, here, nodes, settings=self.settings, seed=self._seed(), seen=self._seen)
        self._search = tree
        tree.grow(visits, seconds, on_growth)
        return tree

    def _seed(self) -> int:
        return self.random.getrandbits(60) + 1


class TreeBot(KernelBot):
    """Plays by tree search."""

    kind = "tree"
    limited_by = frozenset({"nodes"})

    def _found(self, here: Position, limit: Limit) -> tuple[Move, Position]:
        return self._tree(here, limit.time)


class AlphaBetaBot(KernelBot):
    """Plays by alpha-beta search; by tree search with more than two players."""

    kind = "alphabeta"
    limited_by = frozenset({"depth"})

    def _found(self, here: Position, limit: Limit) -> tuple[Move, Position]:
        if here.players > 2:
            return self._tree(here, limit.time)
        search = AlphaBeta(self.engine, here, settings=self.settings, seed=self._seed(), seen=self._seen)
        self._search = search
        search.deepen(self.level.depth or k.LEVELS, limit.time, self._deepened)
        return search.best
