"""Exact values: what a position is worth to the one to move, and each of his moves.

Looking ahead a ply more at a time proves the wins and losses that are near; where all plies can be looked at,
that settles the rest. What cannot be settled within the memory and the time allowed is said, never guessed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from pentad import native
from pentad.game import GameError, Move, shown
from pentad.pentago.board import Place, Twist
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import NotThere, configured
from pentad.pentago.solver.retrograde import (
    KERNELS,
    WHOLE,
    CannotSolve,
    Limits,
    Pass,
    Progress,
    boards,
    needed,
    needs,
    plan_within,
    usual_memory,
)
from pentad.pentago.solver.root import Root, state_after
from pentad.pentago.values import DRAW, LOSS, WIN

FIRST_LOOKS = (5, 7, 8)  # plies ahead
FEW_BOARDS = 3_000_000  # so many are all looked at at once
SHARE = 12  # looking ahead may cost one part in so many of looking at everything
SHARE_OF_ALL = 50  # and where every move's value is asked, for which it seldom is enough
A_SECOND = 60_000_000  # boards that are made in a second, at the least, by a thread
# Boards that looking ahead may make where looking at everything is impossible and nobody says how long it may take:
# some seconds of a thread. Whoever wants to wait longer says so; each further ply takes several times as long.
MOST_AHEAD = 500_000_000


@dataclass(frozen=True)
class Solution:
    """What a position is worth to the one to move: 1 a win, 0 a draw, -1 a loss; and his moves, where they were asked.

    `turns` is how many turns, of both players, the end is away if one forces it as soon and the other puts it off
    as long as may be: 0 where a player has won already, None where nobody can force it; `distances` the same for moves,
    counted from before the move, as far as it was needed. Both are told where depth was asked.
    """

    position: PentagoPosition
    value: int
    moves: Mapping[Move, int] = field(default_factory=dict)
    turns: int | None = None
    distances: Mapping[Move, int] = field(default_factory=dict)
    how: str = "rules"  # or: database, search (looking ahead some plies), retrograde (all of them)
    nodes: int = 0
    seconds: float = 0.0

    @property
    def best(self) -> list[Move]:
        """The moves that keep the value: of those that win the soonest, of those that lose the latest, if known."""
        keep = [move for move, value in self.moves.items() if value == self.value]
        known = [self.distances[move] for move in keep if move in self.distances]
        if not known or self.value == DRAW:
            return keep
        wanted = min(known) if self.value == WIN else max(known)
        return [move for move in keep if self.distances.get(move) == wanted]


def solve(
    position: PentagoPosition,
    *,
    moves: bool = True,
    depth: bool = False,
    seconds: float | None = None,
    memory: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Solution:
    """The exact value of a position for the one to move, and of each of his moves; `depth`: and how far the end is.

    `memory` in bytes and `seconds` bound what it may take; `CannotSolve` says what was not enough, and has what is
    proved of moves nevertheless. `progress` is told now and then how many boards have been looked at, of how many, and
    may raise to stop.

    >>> from pentad.pentago import from_number
    >>> solve(from_number(4312211864716913874), moves=False).value
    1
    """
    if not isinstance(position, PentagoPosition):
        raise GameError(f"only positions of Pentago can be solved here, not {shown(position)}")
    _check(seconds, memory, threads, progress)
    native.program(KERNELS)  # which may have to be compiled, before the clock runs
    began = time.monotonic()
    found = _by_rules(position) or (None if depth else by_database(position, moves))
    if found is None:
        limits = Limits(
            memory=usual_memory() if memory is None else memory,
            until=None if seconds is None else began + seconds,
            threads=threads,
            progress=progress,
        )
        found = Search(position, moves, depth, limits).found()
    return Solution(
        found.position, found.value, found.moves if moves else {}, found.turns if depth else None,
        found.distances if depth else {}, found.how, found.nodes, time.monotonic() - began,
    )  # fmt: skip


def _check(seconds: float | None, memory: int | None, threads: int, progress: Progress | None) -> None:
    if seconds is not None and (type(seconds) not in (int, float) or not seconds > 0):
        raise GameError(f"seconds are a number more than 0, not {shown(seconds)}")
    if memory is not None and (type(memory) is not int or memory <= 0):
        raise GameError(f"memory is a number of bytes more than 0, not {shown(memory)}")
    if type(threads) is not int or not 1 <= threads <= 64:
        raise GameError(f"threads are a number from 1 to 64, not {shown(threads)}")
    if progress is not None and not callable(progress):
        raise GameError(f"progress is a function that is told two numbers, not {shown(progress)}")


def _by_rules(position: PentagoPosition) -> Solution | None:
    """What is over is worth what the rules say, and so is a last rotation."""
    seat = position.turn
    if position.outcome:
        worth = sign(position.outcome.returns[seat])
        return Solution(position, worth, turns=0 if worth else None)
    if position.empty or not position.placed:
        return None
    moves = {}
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        assert outcome is not None
        moves[move] = sign(outcome.returns[seat])
    value = max(moves.values())
    distances = {move: 1 for move, worth in moves.items() if worth}
    return Solution(position, value, moves, turns=1 if value else None, distances=distances)


def sign(worth: float) -> int:
    return (worth > 0) - (worth < 0)


def by_database(position: PentagoPosition, moves: bool) -> Solution | None:
    """What the slices know that the user has pointed to, if this board is among them."""
    slices = configured()
    if slices is None or position.options != PENTAGO_OF_SLICES:
        return None
    try:
        if not moves:
            return Solution(position, slices.value(position), how="database")
        values = slices.values(position)
        return Solution(position, max(values.values()), values, how="database")
    except NotThere:
        return None


PENTAGO_OF_SLICES = {"rows": 2, "cols": 2, "block": 3, "players": 2, "line": 5, "win_on_placement": True}


class Search:
    """Looks ahead further and further, and notes what is proved on the way."""

    def __init__(self, position: PentagoPosition, all_moves: bool, depth: bool, limits: Limits) -> None:
        self.position = position
        self.root = Root.of(position)
        self.all_moves = all_moves
        self.depth = depth
        self.limits = limits
        self.moves = list(position.legal_moves)
        self.values: dict[Move, int] = {}
        self.distances: dict[Move, int] = {}
        self.nodes = 0
        self.how = "search"
        self.farthest = len(self.root.spaces)
        self.looked = 0  # every number of plies up to this, where distances are asked
        self.rate = A_SECOND * limits.threads

    def found(self) -> Solution:
        """The solution, when enough is known; where that cannot be, the error has what is proved."""
        try:
            return self._found()
        except CannotSolve as error:
            error.values = self._proved
            error.distances = self.distances if self.depth else {}
            raise

    def _found(self) -> Solution:
        if self.position.placed:
            self._note_rotations_that_end()
        for plies in self._plies_ahead():
            if self._enough:
                break
            self._look(plies)
        if not self._enough:
            self._look_at_all()
        value = self._value
        assert value is not None
        while self.depth and value != DRAW and not self._near_end_known(value):
            self._look(self.looked + 1)
        turns = None
        if self.depth and value != DRAW:
            turns = (min if value == WIN else max)(
                distance for move, distance in self.distances.items() if self.values[move] == value
            )
        return Solution(self.position, value, self._proved, turns, self.distances, self.how, self.nodes)

    @property
    def _proved(self) -> dict[Move, int]:
        """The values that are known, in the order of the moves."""
        return {move: self.values[move] for move in self.moves if move in self.values}

    @property
    def _value(self) -> int | None:
        """What the root is worth, as far as that is proved."""
        if WIN in self.values.values():
            return WIN
        return max(self.values.values()) if len(self.values) == len(self.moves) else None

    @property
    def _enough(self) -> bool:
        return len(self.values) == len(self.moves) if self.all_moves else self._value is not None

    def _near_end_known(self, value: int) -> bool:
        """Whether it is known how soon a win can be forced, or how long each way to lose can last."""
        if value == WIN:
            return any(self.values[move] == WIN for move in self.distances)
        return len(self.distances) == len(self.moves)

    # ── how far to look ──────────────────────────────────────────────────────────────────────────

    def _plies_ahead(self) -> Iterator[int]:
        """How many plies to look ahead, before all of them: while that costs little beside it, or it is too much."""
        if not self.farthest:
            return
        everything = boards(self.farthest, self.farthest)
        too_much = self._hindrance(self.farthest) is not None
        share = SHARE_OF_ALL if self.all_moves else SHARE
        for plies in range(1, self.farthest):
            if not self.depth and plies < max(FIRST_LOOKS) and plies not in FIRST_LOOKS:
                continue
            if too_much:
                if self._hindrance(plies) or self._takes_long(plies):
                    return
            elif (not self.depth and everything <= FEW_BOARDS) or boards(self.farthest, plies) * share > everything:
                return
            yield plies

    def _takes_long(self, plies: int) -> bool:
        """Whether it takes longer to look so many plies ahead than anybody has allowed."""
        return self.limits.until is None and self.nodes + self._to_make(plies) > MOST_AHEAD

    def _to_make(self, plies: int) -> int:
        """How many boards are made when so many plies are looked at, in one sweep or two."""
        plan = plan_within(self.limits.memory, self.farthest, plies, self.limits.threads)
        return boards(self.farthest, plies) * (WHOLE // plan.words)

    def _look_at_all(self) -> None:
        hindrance = self._hindrance(self.farthest)
        if hindrance:
            raise CannotSolve(hindrance)
        self._look(self.farthest)

    def _hindrance(self, plies: int) -> str | None:
        """Why so many plies cannot be looked at, if they cannot."""
        marbles = self.root.board.size - self.farthest
        memory = needed(self.limits.memory, self.farthest, plies, self.limits.threads)
        if memory > self.limits.memory:
            return needs(memory, marbles, self.limits.memory)
        if self.limits.until is not None:
            seconds = self._to_make(plies) / self.rate
            left = max(0.0, self.limits.until - time.monotonic())
            if seconds > left:
                return f"needs about {seconds:.2g} s for {marbles} marbles; {left:.2g} s are left"
        return None

    # ── what is found ────────────────────────────────────────────────────────────────────────────

    def _look(self, plies: int) -> None:
        """Look so many plies ahead, and note what that proves."""
        began = time.monotonic()
        found = Pass(self.root, plies, self.limits)
        self.nodes += found.total
        if found.total > FEW_BOARDS:
            self.rate = int(found.total / (time.monotonic() - began))
        exact = plies == self.farthest
        if exact:
            self.how = "retrograde"
        for move, (wins, holds) in self._states(found):
            if move not in self.values and (exact or wins or not holds):
                self.values[move] = WIN if wins else DRAW if holds else LOSS
            if move not in self.distances and plies == self.looked + 1 and (wins or not holds):
                self.distances[move] = plies + self.position.placed
        if plies == self.looked + 1:
            self.looked = plies

    def _states(self, found: Pass) -> Iterator[tuple[Move, tuple[bool, bool]]]:
        """For each move whether it wins, and whether it does not lose."""
        numbers = {space: number for number, space in enumerate(found.spaces)}
        rival = found.values if self.position.placed else (0, 0)
        for move in self.moves:
            twist = move[-1]
            if self.position.placed:
                bit = 1 << state_after(cast(Twist, twist))
                yield move, (not rival[1] & bit, not rival[0] & bit)
            elif len(move) == 1:
                yield move, (True, True)
            else:
                bit = 1 << state_after(cast(Twist, twist))
                won, held = found.first_marble(numbers[self.position.board.space(*cast(Place, move[0]))])
                yield move, (bool(won & bit), bool(held & bit))

    def _note_rotations_that_end(self) -> None:
        """In the middle of a turn a rotation may end the game."""
        seat = self.position.turn
        for move in self.moves:
            outcome = self.position.play(move).outcome
            if outcome:
                self.values[move] = sign(outcome.returns[seat])
                if self.values[move]:
                    self.distances[move] = 1
