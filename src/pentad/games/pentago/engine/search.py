"""Driver of the alpha-beta search: iterative deepening from the root, with the best moves so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pentad.game import Move
from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine.state import canonical_key, kernels, key_of, move_of, tables
from pentad.games.pentago.rules import PentagoPosition
from pentad.kernels.buffers import array, flat, zeros
from pentad.kernels.types import Float64s, Int16s, Int64s, Rows
from pentad.search.stoppable import run

SLOTS = 1 << 20
DEEPEST = 36


def table_of(slots: int) -> Rows[Int64s]:
    """An empty transposition table."""
    return zeros(slots * k.ENTRY, Rows[Int64s], huge=True)


def arrays_of(rules: k.Rules, net: k.Net, table: Rows[Int64s]) -> k.SearchArrays:
    """The arrays of a search."""
    return k.SearchArrays(
        rules=rules,
        net=net,
        boards=zeros(k.LEVELS * 4, Rows[Int64s]),
        lists=zeros(k.LEVELS * k.LISTS * k.ROOM, Rows[Rows[Int64s]]),
        table=table,
        control=k.SearchControl(),
        parts=zeros(k.PARTS * k.ROW, Rows[Int16s]),
        units=zeros(k.WIDTH, Int16s),
        roots=zeros(k.ROOT_ROWS * k.ROOM, Rows[Int64s]),
        best=zeros(k.MOST_TURNS, Int64s),
    )


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move at the root, the board after it (-1: the game is over), and its score for the player who moves."""

    move: Move
    key: int
    score: int


class RootSearch:
    """A search from a position; `roots` are its different moves, the best first, scored at `depth`."""

    def __init__(
        self,
        position: PentagoPosition,
        net: k.Net,
        slots: int = SLOTS,
        *,
        selective: bool = True,
        table: Rows[Int64s] | None = None,
    ) -> None:
        self.position = position
        arrays = arrays_of(tables().rules, net, table_of(slots) if table is None else table)
        self.table, self.control, self._roots = arrays.table, arrays.control, flat(arrays.roots)
        control = self.control
        control.extended, control.broad = k.MOST_FORCED, k.MOST_TURNS
        control.placement = position.setup.win_on_placement
        control.selective, control.generation = selective, position.ply
        call = kernels()
        call("list_roots", arrays, tables().symmetries, key_of(position), position.ply, position.placed)
        self._deepen = call.bind("deepen", arrays, position.ply)
        self._is_decided = call.bind("is_decided", arrays)
        self._pick = call.bind("pick", arrays)
        self._first_score = call.bind("score", arrays)
        self._results = call.bind("results", arrays)
        self._best_turn = call.bind("best_turn", arrays)
        self._turns = flat(arrays.lists)[k.ROOM : 2 * k.ROOM]

    @property
    def depth(self) -> int:
        """The last depth to which all moves were searched."""
        return self.control.depth

    @property
    def roots(self) -> list[RootMove]:
        """The moves, the best first."""
        keys, turns, scores = (self._row(row)[: self.control.roots] for row in (k.ROOT_KEY, k.ROOT_TURN, k.ROOT_SCORE))
        begun = 1 if self.position.placed else 0
        moves = (Move(move_of(turn)[begun:]) for turn in turns)
        return list(map(RootMove, moves, keys, scores))

    def _row(self, row: int) -> Int64s:
        return self._roots[k.ROOM * row : k.ROOM * (row + 1)]

    def only(self, moves: Iterable[Move]) -> None:
        """Restricts the search to these moves, or to equivalent ones."""
        keys = {canonical_key(key_of(self.position.play(move))) for move in moves}
        rows = [self._row(row) for row in range(k.ROOT_ROWS)]
        places = range(self.control.roots)
        kept = [place for place in places if (key := rows[k.ROOT_KEY][place]) >= 0 and canonical_key(key) in keys]
        for row in rows:
            row[: len(kept)] = array([row[place] for place in kept], Int64s)
        self.control.roots, self.control.depth = len(kept or places), 0

    @property
    def decided(self) -> bool:
        """Whether a deeper search cannot change the best move's result."""
        return bool(self._is_decided())

    def deepen(
        self,
        depth: int = DEEPEST,
        seconds: float | None = None,
        lines: int = 1,
        on_depth: Callable[[], None] | None = None,
    ) -> None:
        """Searches one turn ahead, then two, and so on, until `stop`, the time limit or a decided result.

        `on_depth` is called after each depth.
        """
        self.control.stop = 0

        def go() -> None:
            for ahead in range(self.depth + 1, min(depth, k.SPACES - self.position.ply) + 1):
                self._deepen(ahead, lines)
                if self.depth < ahead:
                    return
                if on_depth:
                    on_depth()

        run(go, self.control, seconds)

    def picked(self, among: int, noise: float, normal: Sequence[float]) -> RootMove:
        """The best of the first moves by scores with noise: random numbers of the standard normal distribution."""
        return self.roots[self._pick(among, noise, array(normal, Float64s))]

    def principal_variation(self, root: RootMove, most: int) -> tuple[Move, ...]:
        """The principal variation of a root move, as far as the transposition table has it."""
        moves, here = [root.move], self.position.play(root.move)
        while not here.outcome and len(moves) < most and (move := self._expected(here)):
            moves.append(move)
            here = here.play(move)
        return tuple(moves)

    def _expected(self, here: PentagoPosition) -> Move | None:
        key = key_of(here)
        if self._first_score(key, here.ply) > k.PROVED:
            ends = ((move, here.play(move).outcome) for move in here.legal_moves)
            return next(move for move, outcome in ends if outcome and outcome.winners == (here.turn,))
        turn = self._best_turn(key)
        return move_of(turn) if turn >= 0 and turn in self._turns[: self._results(key)] else None

    def stop(self) -> None:
        """Stops the search."""
        self.control.stop = 1

    @property
    def best(self) -> RootMove:
        return self.roots[0]

    @property
    def nodes(self) -> int:
        """Positions visited or evaluated."""
        return self.control.visited + self.control.evaluated
