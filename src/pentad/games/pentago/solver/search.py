"""Exact values of a position and its moves, for the player to move.

Search by increasing depth proves quick wins and losses. If all plies are in reach, a complete pass settles the rest.
What cannot be settled within the memory and time limits raises an error; it is never guessed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from pentad.game import GameError, Move, shown
from pentad.games.pentago.board import Place, Twist
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.retrograde import (
    LOSSES,
    WHOLE,
    WINS,
    CannotSolve,
    Pass,
    PassLimits,
    PassRoot,
    Progress,
    boards,
    default_memory,
    needed,
    out_of_memory,
    plan_within,
    solver_kernels,
    state_after,
)
from pentad.search import exact
from pentad.search.exact import DRAW, LOSS, RETROGRADE, SEARCH, WIN
from pentad.system.words import count, phrase

FIRST_DEPTHS = (5, 7, 8)  # the first search depths, in plies
FEW_BOARDS = 3_000_000  # up to this many, all plies are searched immediately
SHARE = 8  # a partial search may cost this fraction of the complete one
SHARE_OF_ALL = 50  # the same if all moves' values are requested, which a partial search seldom settles
ONE_QUESTION = 0.7  # the share of the time if only the mover's wins, or only the losses, are searched
BOARDS_PER_SECOND = 60_000_000  # the least number of boards that a thread makes in a second
# Boards of a partial search if a complete one is impossible and there is no time limit: some seconds of a thread. Each
# further ply takes several times as long.
MOST_PARTIAL = 500_000_000


Solution = exact.Solution[PentagoPosition]


def solve(
    position: PentagoPosition,
    *,
    moves: bool = True,
    depth: bool = False,
    seconds: float | None = None,
    memory: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    scratch: str | Path | None = None,
) -> Solution:
    """The exact value of a position for the player to move, and of each move; with `depth` also distances to the end.

    Without `moves` the moves are those that a search for the position's value alone has settled.

    `memory` in bytes and `seconds` are limits. `CannotSolve` says what was not enough, and has the values that are
    proved nevertheless. `progress` is called from time to time with the number of boards searched and the total; it may
    raise an exception to stop. With `scratch`, searches that need more memory have their values in files, in a folder
    of their own in this one; after an interruption the same call continues.

    >>> from pentad.games.pentago import from_number
    >>> solve(from_number(4312211864716913874), moves=False).value
    1
    """
    if not isinstance(position, PentagoPosition):
        raise GameError("Only positions of Pentago can be solved, not {position}.", position=shown(position))
    _check(seconds, memory, threads, progress, scratch)
    began = time.monotonic()
    found = _by_rules(position)
    if found is None:
        solver_kernels()  # compiled, if necessary, before the time limit starts
        began = time.monotonic()
        limits = PassLimits(
            memory=default_memory() if memory is None else memory,
            until=None if seconds is None else began + seconds,
            threads=threads,
            progress=progress,
            scratch=None if scratch is None else Path(scratch),
        )
        found = SolverSearch(position, moves, depth, limits).found()
    found = replace(found, seconds=time.monotonic() - began)
    return found if depth else replace(found, turns=None, distances={})


def _check(
    seconds: float | None, memory: int | None, threads: int, progress: Progress | None, scratch: str | Path | None
) -> None:
    if seconds is not None and (type(seconds) not in (int, float) or not seconds > 0):
        raise GameError("Argument seconds must be a number above 0, not {seconds}.", seconds=shown(seconds))
    if memory is not None and (type(memory) is not int or memory <= 0):
        raise GameError("Argument memory must be a number of bytes above 0, not {memory}.", memory=shown(memory))
    if type(threads) is not int or not 1 <= threads <= 64:
        raise GameError("Argument threads must be a number from 1 to 64, not {threads}.", threads=shown(threads))
    if progress is not None and not callable(progress):
        raise GameError(
            "Argument progress must be a function of two numbers, not {progress}.", progress=shown(progress)
        )
    if scratch is not None and (not isinstance(scratch, str | Path) or not str(scratch) or "\0" in str(scratch)):
        raise GameError("Argument scratch must be the path of a folder, not {scratch}.", scratch=shown(scratch))


def _by_rules(position: PentagoPosition) -> Solution | None:
    """The solution of a finished game, or of the last rotation of a full board."""
    if position.outcome:
        worth = _sign(position.outcome.returns[position.turn])
        return Solution(position, worth, turns=0 if worth else None)
    if position.empty or not position.placed:
        return None
    moves = _final_rotations(position)
    value = max(moves.values())
    distances = {move: 1 for move, worth in moves.items() if worth}
    return Solution(position, value, moves, turns=1 if value else None, distances=distances)


def _final_rotations(position: PentagoPosition) -> dict[Move, int]:
    """The values of the rotations that end the game, in the middle of a turn."""
    ends = ((move, position.play(move).outcome) for move in position.legal_moves)
    return {move: _sign(outcome.returns[position.turn]) for move, outcome in ends if outcome}


def _sign(worth: float) -> int:
    return (worth > 0) - (worth < 0)


class SolverSearch:
    """Iterative deepening that collects proved values."""

    def __init__(self, position: PentagoPosition, all_moves: bool, depth: bool, limits: PassLimits) -> None:
        self.position = position
        self.root = PassRoot.of(position)
        self.all_moves = all_moves
        self.depth = depth
        self.limits = limits
        self.moves = list(position.legal_moves)
        self.values: dict[Move, int] = {}
        self.distances: dict[Move, int] = {}
        self.nodes = 0
        self.how = SEARCH
        self.farthest = len(self.root.spaces)
        self.searched = 0  # all depths up to this are searched, if distances are requested
        self.one_question = False
        self.rate = BOARDS_PER_SECOND * limits.threads

    def found(self) -> Solution:
        """The solution; if it cannot be found, the error has the proved values."""
        try:
            return self._found()
        except CannotSolve as error:
            error.values = self._proved
            error.distances = self.distances if self.depth else {}
            raise

    def _found(self) -> Solution:
        if self.position.placed:
            self.values = _final_rotations(self.position)
            self.distances = {move: 1 for move, worth in self.values.items() if worth}
        for plies in self._plies_ahead():
            if self._enough:
                break
            self._search_depth(plies)
        if not self._enough:
            if reason := self._why_infeasible(self.farthest):
                raise CannotSolve(reason)
            self._search_depth(self.farthest)
        value = self._value
        assert value is not None
        while self.depth and value != DRAW and not self._near_end_known(value):
            self._search_depth(self.searched + 1)
        turns = None
        if self.depth and value != DRAW:
            turns = (min if value == WIN else max)(
                distance for move, distance in self.distances.items() if self.values[move] == value
            )
        return Solution(self.position, value, self._proved, turns, self.distances, self.how, self.nodes)

    @property
    def _proved(self) -> dict[Move, int]:
        """The proved values, in the order of the moves."""
        return {move: self.values[move] for move in self.moves if move in self.values}

    @property
    def _value(self) -> int | None:
        """The value of the root, if it is proved."""
        if WIN in self.values.values():
            return WIN
        return max(self.values.values()) if len(self.values) == len(self.moves) else None

    @property
    def _enough(self) -> bool:
        return len(self.values) == len(self.moves) if self.all_moves else self._value is not None

    def _near_end_known(self, value: int) -> bool:
        """Whether the distance of the fastest win, or of every loss, is known."""
        if value == WIN:
            return any(self.values[move] == WIN for move in self.distances)
        return len(self.distances) == len(self.moves)

    # ── search depth ──────────────────────────────────────────────────────────────────────────

    def _plies_ahead(self) -> Iterator[int]:
        """The depths of partial searches: while they are cheap, or if the complete search is infeasible.

        For the root's value alone a cheap one asks one question.
        """
        if not self.farthest:
            return
        everything = boards(self.farthest, self.farthest)
        too_much = self._why_infeasible(self.farthest) is not None
        self.one_question = not (self.depth or self.all_moves or too_much)
        share = SHARE_OF_ALL if self.all_moves else SHARE
        for plies in range(1, self.farthest):
            if not self.depth and plies < max(FIRST_DEPTHS) and plies not in FIRST_DEPTHS:
                continue
            if too_much:
                takes_long = self.limits.until is None and self.nodes + self._to_make(plies) > MOST_PARTIAL
                if takes_long or self._why_infeasible(plies):
                    return
            else:
                cost = boards(self.farthest, plies) * (ONE_QUESTION if self.one_question else 1)
                if (not self.depth and everything <= FEW_BOARDS) or cost * share > everything:
                    return
            yield plies

    def _to_make(self, plies: int) -> int:
        """The number of boards of a search, in one sweep or two."""
        plan = plan_within(self.limits.memory, self.farthest, plies, self.limits.threads)
        return boards(self.farthest, plies) * (WHOLE // plan.words)

    def _why_infeasible(self, plies: int) -> str | None:
        """Why a search of so many plies is infeasible, or None."""
        marbles = self.root.board.size - self.farthest
        memory = self._memory_for(plies)
        if memory > self.limits.memory:
            if self.limits.scratch is not None:
                from pentad.games.pentago.solver.scratch import why_infeasible

                return why_infeasible(self.root, plies, self.limits)  # if time runs out, files remain
            return out_of_memory(memory, marbles, self.limits.memory)
        if self.limits.until is not None:
            seconds = self._to_make(plies) / self.rate
            left = max(0.0, self.limits.until - time.monotonic())
            if seconds > left:
                board = count(marbles, "marble")
                return phrase(
                    "A board with {board} needs about {seconds:.2g} s, but only {left:.2g} s remain.",
                    board=board,
                    seconds=seconds,
                    left=left,
                )
        return None

    def _memory_for(self, plies: int) -> int:
        """The bytes of a search in memory, or a lower bound above the limit."""
        return needed(self.limits.memory, self.farthest, plies, self.limits.threads)

    # ── results ────────────────────────────────────────────────────────────────────────────

    def _search_depth(self, plies: int) -> None:
        """Searches to a depth and stores the proved values."""
        began = time.monotonic()
        exact = plies == self.farthest
        # the last marble is the mover's, who may win with it, or the other's
        question = (WINS if plies % 2 else LOSSES) if self.one_question and not exact else None
        found = self._pass(plies, question)
        self.nodes += found.total
        if found.total > FEW_BOARDS:
            share = 1 if question is None else ONE_QUESTION
            self.rate = int(share * found.total / (time.monotonic() - began))
        if exact:
            self.how = RETROGRADE
        for move, (wins, holds) in self._states(found):
            if move not in self.values and (exact or wins or not holds):
                self.values[move] = WIN if wins else DRAW if holds else LOSS
            if move not in self.distances and plies == self.searched + 1 and (wins or not holds):
                self.distances[move] = plies + self.position.placed
        if plies == self.searched + 1:
            self.searched = plies

    def _pass(self, plies: int, question: int | None) -> Pass:
        if self.limits.scratch is None or self._memory_for(plies) <= self.limits.memory:
            return Pass(self.root, plies, self.limits, question)
        from pentad.games.pentago.solver.scratch import ScratchPass

        return ScratchPass(self.root, plies, self.limits, question)

    def _states(self, found: Pass) -> Iterator[tuple[Move, tuple[bool, bool]]]:
        """For each move, whether it wins and whether it does not lose."""
        if self.position.placed:
            won, held = found.values  # for the opponent, who moves next
            for move in self.moves:
                bit = 1 << state_after(cast(Twist, move[-1]))
                yield move, (not held & bit, not won & bit)
            return
        numbers = {space: number for number, space in enumerate(found.spaces)}
        for move in self.moves:
            if len(move) == 1:
                yield move, (True, True)
            else:
                bit = 1 << state_after(cast(Twist, move[-1]))
                won, held = found.first_marbles[numbers[self.position.board.space(*cast(Place, move[0]))]]
                yield move, (bool(won & bit), bool(held & bit))
