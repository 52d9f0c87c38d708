"""Game state: a game in play as a value: its moves, its end, its clock, and the moves taken back.

A table in the terminal and a room of the server keep one each; every change makes the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from pentad.game import Game, GameError, Move, Outcome, Position, game
from pentad.play.clock import Clock
from pentad.record import Node

# Reasons are stored in records and databases, so they do not change.
RESIGNED, FORFEIT, FLAGGED, AGREED = "resigned", "forfeit", "out of time", "agreed"
PROVED = "exact value"  # ended by a solver, before the board shows it
GAME_OVER = "The game is over."


@dataclass(frozen=True)
class GameState:
    """A game in play.

    >>> import pentad
    >>> start = pentad.new("pentago")
    >>> state = GameState(Node(start)).play(start.parse("a2 1C"))
    >>> state.seat, state.take_back(1).redo({0, 1}) == state
    (1, True)
    """

    end: Node  # the last move, or the start; each node knows those before it, and need not know those after it
    ended: Outcome | None = None  # an end that the moves do not show
    taken_back: tuple[Node, ...] = ()  # what can be redone, the next one last
    clock: Clock | None = None

    @property
    def game(self) -> Game:
        return game(self.position.game)

    @property
    def position(self) -> Position:
        return self.end.position

    @cached_property
    def line(self) -> list[Node]:
        """The start and each move."""
        return self.end.line

    @property
    def moves(self) -> int:
        """The number of moves played."""
        return len(self.line) - 1

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.end.outcome or self.ended

    @property
    def seat(self) -> int | None:
        """The seat to move, or None after the end."""
        return None if self.outcome else self.position.turn

    @property
    def timed_seat(self) -> int | None:
        """The seat whose time runs: the clock stands still until the first move, and after the end."""
        return self.seat if self.end.parent else None

    @property
    def is_lost_on_time(self) -> bool:
        """Whether a clock that ran out has ended the game."""
        return self.ended is not None and self.ended.reason == FLAGGED

    @property
    def can_redo(self) -> bool:
        """Whether there is a move to redo."""
        return bool(self.taken_back) and not self.outcome

    def moves_back(self, seats: Collection[int]) -> int:
        """The number of moves back to the last turn of one of these seats; 0 if there was none."""
        node, count = self.end, 0
        while node.parent is not None:
            node, count = node.parent, count + 1
            if node.position.turn in seats:
                return count
        return 0

    def play(self, move: Move, clock: Clock | None = None, *, comment: str = "", after: Position | None = None) -> Self:
        """The state with a move of the seat to move, as `parse` returned it; `IllegalMove` if it is illegal.

        `clock` is the clock after the move, and `after` the position, if it is known.
        """
        if self.outcome:
            raise GameError(
                "The game is over: {score}, {reason}.", score=self.outcome.score, reason=self.outcome.reason
            )
        left = round(clock.times[self.position.turn], 3) if clock else None
        end = Node(self.position.play(move) if after is None else after, move, self.end, comment=comment, clock=left)
        return replace(self, end=end, taken_back=(), clock=clock)

    def take_back(self, count: int, clock: Clock | None = None) -> Self:
        """The state without its last moves, and without an end such as a resignation; `clock` is that afterwards."""
        if count > self.moves:
            raise GameError(
                "Cannot take back {count} moves: only {moves} have been played.", count=count, moves=self.moves
            )
        kept = self.line[: self.moves + 1 - count]
        taken_back = (*self.taken_back, *self.line[: len(kept) - 1 : -1])
        return replace(self, end=kept[-1], ended=None, taken_back=taken_back, clock=clock)

    def redo(self, people: Collection[int]) -> Self:
        """The state with the moves last taken back, up to a turn of one of these seats; without seats, with one."""
        if not self.can_redo:
            raise GameError("There is no move to redo.")
        after = self
        while after.taken_back:
            *rest, node = after.taken_back
            after = replace(after, end=node, taken_back=tuple(rest))
            if after.seat is None or after.seat in people or not people:
                break
        return after

    def finish(self, winners: Iterable[int], reason: str) -> Self:
        """The state with an end that is not on the board: a draw by agreement, a clock that ran out."""
        if self.outcome:
            raise GameError(GAME_OVER)
        return replace(self, ended=Outcome.of(winners, self.position.players, reason))

    def lose(self, seat: int, reason: str) -> Self:
        """The state with a loss for a seat: all the others share the win."""
        players = self.position.players
        if not 0 <= seat < players:
            raise GameError("Unknown seat {seat}. The seats are 0 to {players}.", seat=seat, players=players - 1)
        return self.finish((other for other in range(players) if other != seat), reason)

    # ── the clock ────────────────────────────────────────────────────────────────────────────────

    def run(self, now: float) -> Self:
        """The same with the time of the seat to move running, if it runs at all."""
        return replace(self, clock=self.clock.run(self.timed_seat, now)) if self.clock else self

    def clock_after_move(self, now: float) -> Clock | None:
        """The clock after a move now."""
        return self.clock and self.clock.stop(now)

    def clock_after_take_back(self, count: int, now: float) -> Clock | None:
        """The clock without the increments of the last moves; the first move had no time of its own."""
        clock, node = self.clock, self.end
        for _ in range(count if clock else 0):
            if clock and node.parent and node.parent.parent:
                clock, node = clock.undo(node.parent.position.turn, now), node.parent
        return clock
