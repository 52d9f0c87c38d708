"""The engine as Python sees it: a search at a position, deeper and deeper until it is stopped."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from pentad.game import Move
from pentad.kernel import prepare
from pentad.pente.board import Stone
from pentad.pente.engine import compile_steps, position_kernels, threat_kernels
from pentad.pente.engine import search_kernels as k
from pentad.pente.engine.shape_kernels import Codes, Words
from pentad.pente.engine.state import State, board_point, point_of, state_of
from pentad.pente.engine.weights import Weights, usual_weights
from pentad.pente.rules import PentePosition
from pentad.search.stoppable import run

KERNELS = compile_steps.KERNELS
DEEPEST = 60
REMEMBERED = 16  # bytes of a position that is remembered
MEMORY = 1 << 20  # positions that are remembered
LONGEST_PONDERING = 600.0  # seconds of the other's time that are thought in
KNOWN = 1 << 16  # positions of which it is known that no attack wins
LONGEST_ATTACK = 30  # moves
ATTACK = 20_000  # positions that an attack from the root looks at, at most
EFFORT = 40  # and from where the search ends
WINDOW = 40  # how far from the last score the next is expected


@dataclass(frozen=True, slots=True)
class Root:
    """A move of the root: its score, the depth at which it was found, and in how many own moves it wins for certain."""

    move: Move
    score: int
    depth: int
    wins_in: int | None = None


class Memory:
    """What is remembered of positions; it may be kept from one move of a game to the next."""

    def __init__(self, positions: int = MEMORY) -> None:
        self.positions = positions
        self.words: Words = np.zeros(2 * positions, np.int64)
        self.generation = 0

    def next_search(self) -> int:
        """What was remembered before is older from now on."""
        self.generation = self.generation % 250 + 1
        return self.generation


class Searcher:
    """One thread's own arrays: the position it stands at, its lists, what it was told."""

    def __init__(self, state: State, weights: Codes, memory: Memory, generation: int, effort: int) -> None:
        self.state, self.memory, self.weights = state, memory.words, weights
        self.told = np.zeros(threat_kernels.TOLD, np.int64)
        self.told[threat_kernels.GENERATION], self.told[threat_kernels.EFFORT] = generation, effort
        self.known = np.zeros(KNOWN, np.int64)
        self.lists = np.zeros((threat_kernels.LEVELS, threat_kernels.LIST), np.int32)
        self.line = np.zeros(threat_kernels.LEVELS + 4, np.int32)
        self.work = np.zeros(k.WORK, np.int32)
        self.roots = self.scores = np.zeros(0, np.int32)

    @property
    def stopped(self) -> bool:
        return bool(self.told[threat_kernels.STOP])

    def attack(self, level: int, most: int, enough: int) -> int:
        """In how many own moves the one to move wins by threats alone, 0 where none is found."""
        self.told[threat_kernels.ENOUGH] = self.told[threat_kernels.ATTACKED] + enough
        self.told[threat_kernels.CUT] = 0
        return int(threat_kernels.attack(*self.state.parts, self.lists, self.known, self.told, self.line, level, most))

    def play(self, point: int) -> int:
        """Place a stone; gives where that led."""
        state = self.state
        return int(position_kernels.make(*state.parts, point))

    @contextlib.contextmanager
    def after(self, point: int) -> Iterator[int]:
        """One move further, and back again; gives where it led."""
        board, numbers, _, sums, worths = self.state.parts
        led = self.play(point)
        try:
            yield led
        finally:
            position_kernels.unmake(board, numbers, sums, worths)

    def replies(self) -> list[int]:
        """What might be played against an attack, by the same measure as the attack itself has."""
        board, numbers, *_ = self.state.parts
        out = self.lists[0]
        anything = not numbers[position_kernels.SIMPLE] and not numbers[position_kernels.STANDING]
        listed = position_kernels.points_free if anything else threat_kernels.answers
        count = listed(board, numbers, out)
        return [int(point) for point in out[:count]]

    def look(self, first: int, depth: int, alpha: int, beta: int) -> int:
        """Search the roots from the `first` on; the best comes there."""
        return int(
            k.search_roots(
                *self.state.parts, self.weights, self.lists, self.memory, self.known, self.line, self.work, self.told,
                self.roots, self.scores, first, depth, alpha, beta,
            )
        )  # fmt: skip

    def deeper(self, depth: int, lines: int) -> None:
        """Search so deep; several lines one after the other."""
        for first in range(min(lines, len(self.roots))):
            guess = int(self.scores[first])
            low, high = guess - WINDOW, guess + WINDOW
            if depth < 4 or abs(guess) >= k.LIMIT:
                low, high = -k.WIN, k.WIN
            score = self.look(first, depth, low, high)
            if not low < score < high and not self.stopped:
                self.look(first, depth, -k.WIN, k.WIN)
            if self.stopped:
                return
        order = np.argsort(-self.scores[:lines], kind="stable")
        self.roots[:lines], self.scores[:lines] = self.roots[order], self.scores[order]


class Engine:
    """A search at a position; `roots` are its moves, the best first, as far as they have been searched."""

    def __init__(
        self,
        position: PentePosition,
        *,
        memory: Memory | None = None,
        threads: int = 1,
        effort: int = EFFORT,
        weights: Weights | None = None,
        prepared: bool = False,
    ) -> None:
        if not prepared:
            prepare(KERNELS)
        self.position = position
        self.depth = 0
        self.wins_in: int | None = None  # own moves, where that is certain
        self._memory = memory or Memory()
        generation = self._memory.next_search()
        weights = weights or usual_weights(position.rules)
        first = state_of(position, weights.worths)
        states = [first] + [first.copy() for _ in range(threads - 1)]
        self._searchers = [Searcher(state, weights.others, self._memory, generation, effort) for state in states]
        self._effort = effort
        self._first = self._searchers[0]
        self._begun = self._asked_to_stop = False

    # ── searching ────────────────────────────────────────────────────────────────────────────────

    def deepen(
        self, depth: int = DEEPEST, seconds: float | None = None, lines: int = 1, nodes: int | None = None
    ) -> None:
        """Look one move ahead, then two, and so on, until `stop`, the time is over or nothing is left to find out.

        With `nodes` until so many positions have been looked at, which is the same on every machine.
        """
        self._first.told[threat_kernels.MOST] = self.nodes + nodes if nodes else 0
        for searcher in self._searchers:
            searcher.told[threat_kernels.STOP] = self._asked_to_stop  # which may have been before it began

        def go() -> None:
            if not self._begun:
                self._begin()
            helpers = [
                threading.Thread(target=self._help, args=(number,), daemon=True)
                for number in range(1, len(self._searchers))
            ]
            for helper in helpers:
                helper.start()
            try:
                while self.depth < depth and not self.decided:
                    self._first.deeper(self.depth + 1, lines)
                    if self._first.stopped:
                        return
                    self.depth += 1
            finally:
                for searcher in self._searchers[1:]:
                    searcher.told[threat_kernels.STOP] = 1
                for helper in helpers:
                    helper.join()

        run(go, self._first.told, seconds)
        self._asked_to_stop = False

    def attack_first(self, seconds: float) -> None:
        """Look only for a win by threats alone."""
        self._first.told[threat_kernels.STOP] = self._asked_to_stop
        run(self._begin, self._first.told, seconds)

    def _help(self, number: int) -> None:
        """What the other threads do: search the same, by turns one move deeper, for the memory that all share."""
        searcher = self._searchers[number]
        searcher.roots, searcher.scores = self._first.roots.copy(), self._first.scores.copy()
        ahead = number % 2
        while not searcher.stopped and abs(int(searcher.scores[0])) <= k.WON_FROM:
            searcher.deeper(self.depth + 1 + ahead, 1)
            ahead = 1 - ahead

    def _begin(self) -> None:
        """The moves there are; a win by threats alone is looked for first, the shortest."""
        first = self._first
        board, numbers, *_ = first.state.parts
        at_once = threat_kernels.wins_at_once(*first.state.parts)
        if at_once >= 0:
            self._won(at_once, 1)
            return
        other = 1 - int(numbers[position_kernels.MOVER])
        simple = bool(numbers[position_kernels.SIMPLE])
        if numbers[position_kernels.STANDING] or (simple and threat_kernels.threatens(board, numbers, other)):
            count = threat_kernels.answers(board, numbers, first.lists[0])
        else:
            count = 0
        if count == 0:
            count = k.first_moves(board, numbers, first.lists, first.work)
        first.roots = first.lists[0, :count].copy()
        first.scores = np.full(count, -k.LIMIT, np.int32)  # until they have been looked at
        self._begun = True
        if first.told[threat_kernels.EFFORT] == 0:
            return
        for most in range(2, LONGEST_ATTACK):
            won = first.attack(1, most, ATTACK)
            if won:
                self._won(int(first.line[1]), won)
            if won or first.told[threat_kernels.CUT]:
                return

    def _won(self, point: int, moves: int) -> None:
        self._begun, self.wins_in = True, moves
        self._first.roots = np.array([point], np.int32)
        self._first.scores = np.array([k.WIN - 2 * moves + 1], np.int32)

    @property
    def decided(self) -> bool:
        """Whether it is found out who wins."""
        scores = self._first.scores
        return len(scores) > 0 and abs(int(scores[0])) > k.WON_FROM

    @property
    def forced(self) -> bool:
        """Whether there is but one move, so that nothing need be found out about it."""
        return len(self._first.roots) == 1

    def stop(self) -> None:
        """End what is going on now, or is about to begin."""
        self._asked_to_stop = True
        for searcher in self._searchers:
            searcher.told[threat_kernels.STOP] = 1

    def ponder(self, position: PentePosition) -> Pondering:
        """Think on the other's time, about the position that one's move has led to, until told to stop."""
        expected = self._expected(position)
        after = position if expected is None else position.play(expected)
        if after.outcome:
            expected, after = None, position
        engine = Engine(after, memory=self._memory, threads=len(self._searchers), effort=self._effort)
        return Pondering(engine, expected)

    # ── what was found ───────────────────────────────────────────────────────────────────────────

    @property
    def nodes(self) -> int:
        """Positions looked at, by the search and by attacks."""
        return sum(
            int(each.told[threat_kernels.VISITED] + each.told[threat_kernels.ATTACKED]) for each in self._searchers
        )

    @property
    def roots(self) -> list[Root]:
        """The moves, the best first; only so many of them as lines were asked are in order."""
        return self.leading(len(self._first.roots))

    def leading(self, count: int) -> list[Root]:
        """The first of the moves."""
        first = self._first
        return [
            Root(self._move(int(point)), int(score), self.depth, self.wins_in)
            for point, score in zip(first.roots[:count], first.scores[:count], strict=True)
        ]

    @property
    def best(self) -> Root:
        return self.leading(1)[0]

    def line(self, root: Root, most: int = 12) -> tuple[Move, ...]:
        """The moves expected from a move of the root on, as far as they are remembered."""
        moves, here = [root.move], self.position.play(root.move)
        while not here.outcome and len(moves) < most and (move := self._expected(here)):
            moves.append(move)
            here = here.play(move)
        return tuple(moves)

    def winning_line(self, seconds: float = math.inf) -> list[Move]:
        """The moves of a win that is proved, as far as there is time: the other puts it off as long as he can."""
        moves: list[Move] = []
        here, left = self.position, self.wins_in or 0
        if not left or here.outcome:
            return moves
        until = time.monotonic() + seconds
        searcher = Searcher(self._first.state.copy(), self._first.weights, self._memory, 0, EFFORT)
        point = int(self._first.roots[0])
        while True:
            moves.append(self._move(point))
            here, left = here.play(moves[-1]), left - 1
            if here.outcome or not left:
                return moves
            searcher.play(point)
            found = self._longest_reply(searcher, left, until)
            if found is None:
                return moves
            reply, left = found
            moves.append(here.legal_moves[0] if reply is None else self._move(reply))  # where nothing helps, any
            stone = cast(Stone, moves[-1][0])
            here = here.play(moves[-1])
            searcher.play(point_of(here.board, here.board.point(*stone)))
            if here.outcome or not searcher.attack(1, left, ATTACK):
                return moves
            point = int(searcher.line[1])

    def _longest_reply(self, searcher: Searcher, left: int, until: float) -> tuple[int | None, int] | None:
        """The reply that puts the win off longest, and in how many moves it comes then; None for no time.

        A reply after which no shorter attack is found leaves all the moves that there are, and no other leaves more.
        """
        slowest: tuple[int | None, int] = None, 0
        for point in searcher.replies():
            if time.monotonic() > until:
                return None
            with searcher.after(point) as led:
                if led != position_kernels.ON:  # a stone that loses at once
                    continue
                lasts = next((most for most in range(left - 1, 0, -1) if not searcher.attack(1, most, ATTACK)), 0) + 1
            if lasts > slowest[1]:
                slowest = point, lasts
            if lasts == left:
                break
        return slowest if slowest[1] else (None, 1)

    def _expected(self, here: PentePosition) -> Move | None:
        state = state_of(here)
        point = int(threat_kernels.wins_at_once(*state.parts))
        if point < 0:
            known = int(k.remembered(self._memory.words, position_kernels.key(state.numbers)))
            point = known & k.MOVE_BITS if known >= 0 else -1
        if point < 0:
            return None
        stone = here.board.stones[board_point(here.board, point)]
        return Move((stone,)) if here.points >> here.board.point(*stone) & 1 else None

    def _move(self, point: int) -> Move:
        board = self.position.board
        return Move((board.stones[board_point(board, point)],))


class Pondering:
    """Thinking that goes on by itself while the other does: about the reply that is expected, or else about all."""

    def __init__(self, engine: Engine, expected: Move | None) -> None:
        self.engine, self.expected = engine, expected
        self._thread = threading.Thread(target=engine.deepen, args=(DEEPEST, LONGEST_PONDERING), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it; what was found is remembered."""
        self.engine.stop()
        self._thread.join()
        self.engine._asked_to_stop = False  # where it had ended by itself

    def hit(self, move: Move) -> Engine | None:
        """End it; the search after this reply, which has come far already, or None where another was expected."""
        self.stop()
        return self.engine if move == self.expected else None
