"""Search driver of the Pente engine: iterative deepening, helper threads, pondering and the transposition table."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from pentad.game import Move
from pentad.games.pente.board import Stone
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.state import (
    EngineState,
    Weights,
    board_point,
    default_weights,
    kernels,
    move_of,
    network_for,
    orders_for,
    point_of,
    state_of,
)
from pentad.games.pente.engine.vct import WinTree
from pentad.games.pente.rules import PentePosition
from pentad.kernels.buffers import array, flat, typed, zeros
from pentad.kernels.program import Call
from pentad.kernels.types import Float64s, Int16s, Rows
from pentad.search.stoppable import run

DEEPEST, ROOT_ATTACK_NODES = k.DEEPEST, k.ROOT_ATTACK_NODES
ENTRY_BYTES = 16
TABLE_ENTRIES = 1 << 20  # a transposition table has so many by default
FEW_ENTRIES = 1 << 16  # enough for searches of so few nodes as the levels but the highest have
MAX_PONDERING_SECONDS = 600.0
REFUTED_ENTRIES = 1 << 16  # the table has positions without a winning attack
# The search for a win by threes and fours: the parts of a search's nodes and of its time that it has, and its nodes at
# most. Of the time it has less, since a bot's moves gain less by it than analyses do.
WIN_SHARE, WIN_SHARE_OF_TIME, MAX_WIN_NODES = 10, 50, 100_000
MIN_WIN_NODES = 1_000  # with fewer there is none, so that levels with few nodes play in a page as elsewhere
LEAF_ATTACK_NODES = 20  # an attack from a leaf of the search has fewer
# By the number of depths at which the best move was the one before: the part of its time after which a search ends.
TIME_USED = (1.05, 0.8, 0.58, 0.37)
FALL_POINTS, FALL_FACTOR = 30, 1.3  # a move takes longer if its score falls from one depth to the next


@dataclass(frozen=True, slots=True)
class RootMove:
    """A root move: its score, and the number of own moves of a proved win."""

    move: Move
    score: int
    wins_in: int | None = None


class TimeManager:
    """Decides after each depth whether a search ends that has more time for a hard move than for an average one.

    A move is hard while the best one changes from depth to depth, or its score falls.

    >>> manager = TimeManager(10.0)
    >>> e5, f6 = (Move((stone,)) for stone in "ef")
    >>> [manager.is_over(move, 0, 7.0) for move in (e5, f6, f6, f6)]
    [False, False, False, True]
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._move: Move | None = None
        self._score, self._same = -k.FULL_WINDOW, 0

    def is_over(self, move: Move, score: int, spent: float) -> bool:
        """Whether a search ends whose last depth has given this best move, after so many seconds."""
        self._same = self._same + 1 if move == self._move else 0
        used = TIME_USED[min(self._same, len(TIME_USED) - 1)]
        if score < self._score - FALL_POINTS:
            used *= FALL_FACTOR
        self._move, self._score = move, score
        return spent >= used * self.seconds


class TranspositionTable:
    """A transposition table; it may be reused from one move of a game to the next.

    It has the greatest power of two of entries that is no more than `positions`.
    """

    def __init__(self, positions: int = TABLE_ENTRIES) -> None:
        self.positions, entries = positions, 1 << max(positions, k.BUCKET).bit_length() - 1
        self.words = zeros(2 * entries, k.Words, huge=entries >= TABLE_ENTRIES)
        self.generation = 0
        self.wins = WinTree(), WinTree()  # of white, of black

    def next_search(self) -> int:
        """Begins a new generation, so that older entries may be replaced; returns its number."""
        self.generation = self.generation % k.GENERATIONS + 1
        return self.generation


Network: TypeAlias = "tuple[k.Codes, k.Shorts, Rows[Int16s], k.Codes, k.Shorts]"  # as `SearchArrays` has it


def arrays_for(weights: Weights, reach: int) -> Network:
    """The arrays of a search that are made of weights."""
    return typed(weights.others, k.Codes), *network_for(weights.network, reach), orders_for(weights)


def arrays_of(position: k.PositionArrays, network: Network, table: k.Words) -> k.SearchArrays:
    """The arrays of a search."""
    return k.SearchArrays(
        position,
        *network,
        totals=zeros(k.LEVELS * k.ROW, Rows[k.Codes]),
        lists=zeros(k.LEVELS * k.LIST, Rows[k.Codes]),
        table=table,
        refuted=zeros(REFUTED_ENTRIES, k.Words),
        pv=zeros(k.LEVELS + 4, k.Codes),
        work=zeros(k.WORK, k.Codes),
        control=k.SearchControl(),
        roots=zeros(k.LIST, k.Codes),
        scores=zeros(k.LIST, k.Codes),
    )


class Searcher:
    """The arrays of one search thread: its position, move lists and control words."""

    def __init__(
        self, state: EngineState, weights: Weights, table: TranspositionTable, generation: int, effort: int
    ) -> None:
        self.state = state
        self.arrays = arrays = arrays_of(state.parts, arrays_for(weights, state.tables.reach), table.words)
        self.control, self.roots, self.scores, self.pv = arrays.control, arrays.roots, arrays.scores, arrays.pv
        self.control.generation, self.control.effort = generation, effort
        self._listed = flat(arrays.lists)[: k.LIST]  # the moves of the root
        call, position, parts = kernels(), state.position, state.parts
        self.make = call.bind("make", parts)
        self.unmake = call.bind("unmake", parts)
        self.wins_at_once = call.bind("wins_at_once", parts)
        self.attacked = call.bind("attacked", parts)
        self._points_free = call.bind("points_free", *position, self._listed)
        self._answers = call.bind("answers", *position, self._listed)
        self._attack = call.bind("attack", parts, arrays.lists, arrays.refuted, self.control, self.pv)
        self.list_roots = call.bind("list_roots", arrays)
        self.prepare_roots = call.bind("prepare_roots", arrays)
        self.set_win = call.bind("set_win", arrays)
        self.overlook = call.bind("overlook", parts, self._listed)
        self._search_depth = call.bind("search_depth", arrays)
        self._pick = call.bind("pick", arrays)

    @property
    def is_stopped(self) -> bool:
        return bool(self.control.stop)

    @property
    def is_truncated(self) -> bool:
        """Whether the last attack reached its limit."""
        return bool(self.control.truncated)

    def attack(self, level: int, most: int, enough: int) -> int:
        """The number of own moves in which the player to move wins by threats alone, 0 where no such win is found."""
        self.control.attack_limit = self.control.attack_nodes + enough
        self.control.truncated = 0
        return int(self._attack(level, most))

    @contextlib.contextmanager
    def after(self, point: int) -> Iterator[int]:
        """Makes a move for the length of a `with` block; gives its result."""
        result = self.make(point)
        try:
            yield result
        finally:
            self.unmake()

    def _list(self, kernel: Call) -> list[int]:
        """The points that a kernel lists."""
        count = kernel()
        return list(self._listed[:count])

    def points(self) -> list[int]:
        """The points where a stone may be placed."""
        return self._list(self._points_free)

    def replies(self) -> list[int]:
        """The replies to an attack that the attack itself considers."""
        numbers = self.state.numbers
        if not numbers[k.SIMPLE] and not numbers[k.STANDING]:
            return self.points()
        return self._list(self._answers)

    @property
    def count(self) -> int:
        """The number of root moves."""
        return self.control.count

    @property
    def depth(self) -> int:
        """The last depth that was searched to its end."""
        return self.control.depth

    def search_depth(self, depth: int, lines: int) -> None:
        """Searches to a depth; several lines one after the other."""
        self._search_depth(depth, lines)

    def picked(self, noise: float, normal: Sequence[float], points: Sequence[float]) -> int:
        """The place of the best of the first root moves, by scores with noise and points."""
        return int(self._pick(len(normal), noise, array(normal, Float64s), array(points, Float64s)))

    def take_roots(self, other: Searcher) -> None:
        """Takes the root moves, the scores and the depth of another search of the same position."""
        self.roots[:], self.scores[:] = other.roots, other.scores
        self.control.count, self.control.depth = other.count, other.depth


class RootSearch:
    """A search from a position; `roots` are its moves, the best first, as far as they have been searched."""

    def __init__(
        self,
        position: PentePosition,
        *,
        table: TranspositionTable | None = None,
        threads: int = 1,
        effort: int = LEAF_ATTACK_NODES,
        weights: Weights | None = None,
    ) -> None:
        self.position = position
        self._table = table or TranspositionTable()
        generation = self._table.next_search()
        weights = weights or default_weights(position.rules)
        first = state_of(position, weights.values)
        states = [first] + [first.copy() for _ in range(threads - 1)]
        self._searchers = [Searcher(state, weights, self._table, generation, effort) for state in states]
        self._effort, self._weights = effort, weights
        self._first = self._searchers[0]
        self._prepared = self._stop_requested = self._sought_wins = False
        self._line: list[int] = []  # the first points of a win by threes and fours

    def overlook(self, bound: float, normal: Sequence[float]) -> None:
        """Leaves points out of the search, by random numbers of the standard normal distribution below a bound."""
        for searcher in self._searchers:
            searcher.overlook(bound, array(normal, Float64s))

    # ── searching ────────────────────────────────────────────────────────────────────────────────

    def deepen(
        self,
        depth: int = DEEPEST,
        seconds: float | None = None,
        lines: int = 1,
        nodes: int | None = None,
        on_depth: Callable[[], None] | None = None,
        most_seconds: float | None = None,
    ) -> None:
        """Deepens iteratively until `stop`, the depth, the end of the time, or a decided game.

        With more `most_seconds` it takes the `seconds` on average: less where the best move stays the same, and these
        at most. `nodes` limits the positions searched, so that the result is the same on every machine. `on_depth` is
        called after each depth.
        """
        self._first.control.node_limit = self.nodes + nodes if nodes else 0
        for searcher in self._searchers:
            searcher.control.stop = self._stop_requested  # `stop` may come before the search begins
        manager = TimeManager(seconds) if seconds is not None and (most_seconds or 0) > seconds else None
        began, limit = time.monotonic(), most_seconds if manager else seconds
        if not self._prepared:
            run(self._prepare_roots, self._first.control, limit)
        if depth > 1 and not self.decided:
            share = None if seconds is None else seconds / WIN_SHARE_OF_TIME
            self._seek_win(nodes // WIN_SHARE if nodes else MAX_WIN_NODES, share)

        def go() -> None:
            helpers = [
                threading.Thread(target=self._help, args=(number,), daemon=True)
                for number in range(1, len(self._searchers))
            ]
            for helper in helpers:
                helper.start()
            try:
                while self.depth < depth and not self.decided:
                    self._first.search_depth(self.depth + 1, lines)
                    if self._first.is_stopped:
                        return
                    if on_depth:
                        on_depth()
                    if manager and manager.is_over(self.best.move, self.best.score, time.monotonic() - began):
                        return
            finally:
                for searcher in self._searchers[1:]:
                    searcher.control.stop = 1
                for helper in helpers:
                    helper.join()
                deepest = max(self._searchers, key=lambda searcher: searcher.depth)
                if self._first.is_stopped and lines == 1 and deepest.depth > self.depth:
                    self._first.take_roots(deepest)

        run(go, self._first.control, None if limit is None else max(began + limit - time.monotonic(), 0.0))
        self._stop_requested = False

    def attack_first(self, seconds: float) -> None:
        """Searches only for a win by threats alone."""
        self._first.control.stop = self._stop_requested
        began = time.monotonic()
        run(self._prepare_roots, self._first.control, seconds)
        if not self.decided:
            self._seek_win(MAX_WIN_NODES, began + seconds - time.monotonic())

    def _help(self, number: int) -> None:
        """A helper thread: searches the same position, alternately one ply deeper, to fill the shared table."""
        searcher = self._searchers[number]
        searcher.take_roots(self._first)
        ahead = number % 2
        while not searcher.is_stopped and abs(searcher.scores[0]) <= k.WON_FROM:
            searcher.search_depth(self.depth + 1 + ahead, 1)
            ahead = 1 - ahead

    def _prepare_roots(self) -> None:
        self._first.prepare_roots()
        self._prepared = True

    def _seek_win(self, nodes: int, seconds: float | None) -> None:
        """Searches once for a win by threes and fours, within so many nodes or seconds."""
        first = self._first
        if self._sought_wins or nodes < MIN_WIN_NODES or not first.control.effort or first.is_stopped:
            return
        self._sought_wins, tree = True, self._table.wins[self.position.colour]

        def go() -> None:
            if moves := first.attack(1, k.ATTACK_MOVES, nodes // WIN_SHARE):  # if the first attack was truncated
                first.set_win(first.pv[1], moves)
            elif found := tree.find(self.position.rules, first.state, first.arrays, nodes):
                first.set_win(*found)
                self._line = tree.line()

        run(go, first.control, seconds)
        first.control.stop = self._stop_requested

    @property
    def wins_in(self) -> int | None:
        """Own moves of a proved win."""
        return self._first.control.wins_in or None

    @property
    def depth(self) -> int:
        """The depth to which the moves were searched."""
        return self._first.depth

    @property
    def decided(self) -> bool:
        """Whether the winner is known."""
        return self._first.count > 0 and abs(self._first.scores[0]) > k.WON_FROM

    @property
    def forced(self) -> bool:
        """Whether there is only one move, so that no search is needed."""
        return self._first.count == 1

    def stop(self) -> None:
        """Stops the search that is running or about to begin."""
        self._stop_requested = True
        for searcher in self._searchers:
            searcher.control.stop = 1

    def ponder(self, position: PentePosition) -> Pondering:
        """Starts to search the position after a move, during the opponent's turn, until `Pondering.stop`."""
        expected = self._expected(position, state_of(position))
        after = position if expected is None else position.play(expected)
        if after.outcome:
            expected, after = None, position
        engine = RootSearch(
            after, table=self._table, threads=len(self._searchers), effort=self._effort, weights=self._weights
        )
        return Pondering(engine, expected)

    # ── results ──────────────────────────────────────────────────────────────────────────────────

    @property
    def nodes(self) -> int:
        """Positions visited by the search and by attacks."""
        return sum(each.control.nodes + each.control.attack_nodes for each in self._searchers)

    @property
    def roots(self) -> list[RootMove]:
        """The root moves, the best first; only as many are in order as lines were searched."""
        return self.leading(self._first.count)

    def leading(self, count: int) -> list[RootMove]:
        """The first root moves."""
        first = self._first
        count = min(count, first.count)
        return [
            RootMove(move_of(self.position.board, point), score, self.wins_in)
            for point, score in zip(first.roots[:count], first.scores[:count], strict=True)
        ]

    def picked(
        self, among: int, noise: float, chance: Callable[[], float], points: Callable[[Move], float]
    ) -> RootMove:
        """The best of the first root moves by scores with noise, from normal random numbers, and points."""
        roots = self.leading(among)
        if roots[0].score > k.WON_FROM:
            return roots[0]
        normal = [chance() for _ in roots]
        return roots[self._first.picked(noise, normal, [points(root.move) for root in roots])]

    def makes(self, move: Move) -> tuple[int, int]:
        """The sums of what a stone of either colour would make at a move's point: the player's, the opponent's."""
        here = self.position
        numbers = self._first.state.numbers
        total = numbers[k.SUMS + point_of(here.board, here.board.point(*cast(Stone, move[0])))]
        colours = total & (1 << k.SIDE) - 1, total >> k.SIDE & (1 << k.SIDE) - 1
        return colours[here.colour], colours[1 - here.colour]

    @property
    def best(self) -> RootMove:
        return self.leading(1)[0]

    def line(self, root: RootMove, most: int = 12) -> tuple[Move, ...]:
        """The principal variation from a root move on, as far as the table holds it."""
        moves: list[Move] = []
        here, state, move = self.position, self._first.state.copy(), root.move
        make = kernels().bind("make", *state.parts)
        while True:
            moves.append(move)
            here = here.play(move)
            if here.outcome or len(moves) >= most:
                return tuple(moves)
            make(point_of(here.board, here.board.point(*cast(Stone, move[0]))))
            if (following := self._expected(here, state)) is None:
                return tuple(moves)
            move = following

    def winning_line(self, seconds: float = math.inf) -> list[Move]:
        """The moves of a proved win against the longest defence, as far as the time allows."""
        moves: list[Move] = []
        here, left = self.position, self.wins_in or 0
        if not left or here.outcome:
            return moves
        until = time.monotonic() + seconds
        searcher = Searcher(self._first.state.copy(), self._weights, self._table, 0, LEAF_ATTACK_NODES)
        for point in self._line:
            moves.append(move_of(self.position.board, point))
            here = here.play(moves[-1])
            searcher.make(point)
        left -= len(moves) // 2
        if here.outcome or (moves and not searcher.attack(1, left, ROOT_ATTACK_NODES)):
            return moves
        point = searcher.pv[1] if moves else self._first.roots[0]
        while True:
            moves.append(move_of(self.position.board, point))
            here, left = here.play(moves[-1]), left - 1
            if here.outcome or not left:
                return moves
            searcher.make(point)
            found = self._longest_reply(searcher, left, until)
            if found is None:
                return moves
            reply, left = found
            moves.append(
                here.legal_moves[0] if reply is None else move_of(self.position.board, reply)
            )  # any, if no reply helps
            stone = cast(Stone, moves[-1][0])
            here = here.play(moves[-1])
            searcher.make(point_of(here.board, here.board.point(*stone)))
            if here.outcome or not searcher.attack(1, left, ROOT_ATTACK_NODES):
                return moves
            point = searcher.pv[1]

    def _longest_reply(self, searcher: Searcher, left: int, until: float) -> tuple[int | None, int] | None:
        """The reply that delays the win longest, and the moves that the win then takes; None if the time is over.

        The loop ends early at a reply after which no shorter attack is found, since no reply can delay the win longer.
        """
        slowest: tuple[int | None, int] = None, 0
        for point in searcher.replies():
            if time.monotonic() > until:
                return None
            with searcher.after(point) as result:
                if result != k.ONGOING:  # the reply loses at once
                    continue
                lasts = (
                    next(
                        (most for most in range(left - 1, 0, -1) if not searcher.attack(1, most, ROOT_ATTACK_NODES)),
                        0,
                    )
                    + 1
                )
            if lasts > slowest[1]:
                slowest = point, lasts
            if lasts == left:
                break
        return slowest if slowest[1] else (None, 1)

    def _expected(self, here: PentePosition, state: EngineState) -> Move | None:
        """The move at a position, which is also given as a state, by the table."""
        call = kernels()
        point = call("wins_at_once", state.parts)
        if point < 0:
            entry = call("probe", self._table.words, call("key", state.numbers))
            point = entry & k.MOVE_BITS if entry else -1
        if point < 0:
            return None
        return move_of(here.board, point) if here.points >> board_point(here.board, point) & 1 else None


class Pondering:
    """A search in the background during the opponent's turn: of the expected reply, or of all if none is expected."""

    def __init__(self, engine: RootSearch, expected: Move | None) -> None:
        self.engine, self.expected = engine, expected
        self.thread = threading.Thread(target=engine.deepen, args=(DEEPEST, MAX_PONDERING_SECONDS), daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Stops the search; its results stay in the table."""
        self.engine.stop()
        self.thread.join()
        self.engine._stop_requested = False  # if the search had already ended
