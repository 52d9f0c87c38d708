"""Driver of the alpha-beta search: iterative deepening from the root, with the best moves so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pentad.game import Move
from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine.state import canonical_key, kernels, key_of, move_of, tables
from pentad.games.pentago.rules import PentagoPosition
from pentad.kernels.buffers import flat, zeros
from pentad.kernels.types import Int16s, Int64s, Rows
from pentad.search.stoppable import run

SLOTS = 1 << 20
DEEPEST = 36
FULL_DEPTH_MOVES = 12  # at the root, later moves may be searched less deep


def table_of(slots: int) -> Rows[Int64s]:
    """An empty transposition table."""
    return zeros(slots * k.ENTRY, Rows[Int64s], huge=True)


@dataclass(slots=True)
class RootMove:
    """A move at the root, the board after it (-1: the game is over), and its score for the player who moves."""

    move: Move
    key: int
    score: int = 0
    depth: int = 0
    static: int = 0  # the score at depth 1


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
        self.table = table_of(slots) if table is None else table
        self.control = control = k.SearchControl()
        control.extended, control.broad = k.MOST_FORCED, k.MOST_TURNS
        control.placement = position.setup.win_on_placement
        control.selective, control.generation = selective, position.ply
        lists = zeros(k.LEVELS * k.LISTS * k.ROOM, Rows[Rows[Int64s]])
        arrays = k.SearchArrays(
            tables().rules, net, zeros(k.LEVELS * 4, Rows[Int64s]), lists, self.table, control,
            zeros(k.PARTS * k.ROW, Rows[Int16s]), zeros(k.WIDTH, Int16s),
        )  # fmt: skip
        call = kernels()
        self._list = call.bind("roots", arrays, tables().symmetries)
        self._search = call.bind("search", arrays)
        self._first_score = call.bind("score", arrays)
        self._results = call.bind("results", arrays)
        self._best_turn = call.bind("best_turn", arrays)
        self._keys, self._turns, self._scores = (flat(lists)[k.ROOM * i : k.ROOM * (i + 1)] for i in range(3))
        self.depth = 0
        self.roots = self._list_roots()

    def _list_roots(self) -> list[RootMove]:
        position = self.position
        count = -1 if position.placed else self._list(key_of(position), position.ply)
        if count >= 0:
            return sorted(map(self._root, range(count)), key=lambda root: -root.score)
        roots: dict[int, RootMove] = {}  # there are none in the middle of a turn, or if a move wins at once
        for move in position.legal_moves:
            after = position.play(move)
            key = key_of(after)
            if after.outcome:
                value = after.outcome.returns[position.turn]
                roots.setdefault(-2 - len(roots), RootMove(move, -1, int(value) * (k.WON - 1), 99))
                if value > 0:
                    break
            else:
                roots.setdefault(canonical_key(key), RootMove(move, key))
        return sorted(roots.values(), key=lambda root: -root.score)

    def _root(self, number: int) -> RootMove:
        """The root that the kernel has listed."""
        turn, score = self._turns[number], self._scores[number]
        if turn & k.OVER or score == 1 - k.WON:
            return RootMove(move_of(turn & k.TURN_BITS), -1, score, 99)
        return RootMove(move_of(turn), self._keys[number])

    def only(self, moves: Iterable[Move]) -> None:
        """Restricts the search to these moves, or to equivalent ones."""
        keys = {canonical_key(key_of(self.position.play(move))) for move in moves}
        self.roots = [root for root in self.roots if root.key >= 0 and canonical_key(root.key) in keys] or self.roots
        self.depth = 0

    @property
    def decided(self) -> bool:
        """Whether a deeper search cannot change the best move's result."""
        best = self.roots[0]
        return abs(best.score) > k.PROVED or len(self.roots) == 1 or all(root.key < 0 for root in self.roots)

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
            most = min(depth, k.SPACES - self.position.ply)
            while self.depth < most and not (self.decided and self.depth) and self._round(self.depth + 1, lines):
                self.depth += 1
                if on_depth:
                    on_depth()

        run(go, self.control, seconds)

    def _round(self, depth: int, lines: int) -> bool:
        """Searches every move to a depth; after a stop, the scores so far are kept."""
        best: list[int] = []
        for number, root in enumerate(self.roots):
            alpha = -k.WON if len(best) < lines else best[-1]
            if abs(root.score) < k.PROVED and root.key >= 0:
                score = (
                    -self._first_score(root.key, self.position.ply + 1)
                    if depth == 1
                    else self._deeper(root, depth, alpha, number)
                )
                if self.control.stop:
                    break
                root.score = score
                root.static = score if depth == 1 else root.static
            root.depth = depth
            best = sorted([*best, root.score], reverse=True)[:lines]
        if best:
            self.roots.sort(key=lambda root: -root.score if root.depth == depth else k.WON)
        return not self.control.stop

    def _deeper(self, root: RootMove, depth: int, alpha: int, number: int) -> int:
        if alpha == -k.WON:
            return self._score(root, depth, -k.WON, k.WON)
        less = 1 if depth > 3 and number >= FULL_DEPTH_MOVES else 0
        score = self._score(root, depth - less, alpha, alpha + 1)
        if score > alpha and less and not self.control.stop:
            score = self._score(root, depth, alpha, alpha + 1)
        if score > alpha and not self.control.stop:
            score = self._score(root, depth, alpha, k.WON)
        return score

    def _score(self, root: RootMove, depth: int, alpha: int, beta: int) -> int:
        return -int(self._search(root.key, self.position.ply + 1, 1, depth - 1, -beta, -alpha, -root.static))

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
