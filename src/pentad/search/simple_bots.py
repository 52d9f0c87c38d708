"""Two bots for any game: a random bot, and a greedy bot that searches one move ahead."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable

from pentad.game import Move, Position
from pentad.search import interrupts
from pentad.search.bot import Bot
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.search.report import Result

# The value of a position for a seat: any number, higher is better.
Evaluation = Callable[[Position, int], float]


MOST_MOVES = 3000  # the most moves to search; a turn with several free choices can have millions


def some_moves(position: Position, rng: random.Random) -> Iterable[Move]:
    """The legal moves, or a random sample if there are too many to search."""
    legal = position.legal_moves
    count = len(legal)
    if count <= MOST_MOVES:
        return legal
    return [legal[index] for index in rng.sample(range(count), MOST_MOVES // 10)]


class RandomBot(Bot):
    """Plays a random legal move."""

    name = "random"
    limited_by = frozenset({"nodes"})  # it searches no nodes at all

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        return Result(self.random.choice(position.legal_moves))


def seat_to_move_can_win(position: Position) -> bool:
    """Whether the seat to move has an immediate win, found by playing all moves."""
    seat = position.turn
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome and outcome.returns[seat] > 0:
            return True
    return False


class GreedyBot(Bot):
    """Takes a win, prevents the next seat's win if possible, else plays the move with the best evaluation."""

    name = "greedy"

    def __init__(
        self,
        evaluate: Evaluation,
        seed: int | None = None,
        can_win: Callable[[Position], bool] = seat_to_move_can_win,
    ) -> None:
        super().__init__(seed)
        self.evaluate = evaluate
        self.can_win = can_win
        self._deadline = math.inf

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        self._deadline = math.inf if limit.seconds is None else time.monotonic() + limit.seconds
        return Result(self._best(position))

    def _best(self, position: Position) -> Move:
        seat = position.turn
        results: dict[Position, Move] = {}
        ranks: dict[Position, tuple[float, float]] = {}
        for move in some_moves(position, self.random):
            interrupts.check()
            after = position.play(move)
            if after not in results:
                results[after], ranks[after] = move, self._rank(after, seat)
                if time.monotonic() > self._deadline:
                    break
        ranked = sorted(results.items(), key=lambda item: (ranks[item[0]], self.random.random()))
        best_after, best = ranked[-1]
        for after, move in reversed(ranked):
            interrupts.check()
            if after.outcome or time.monotonic() > self._deadline:
                break  # after a win or a draw there is no reply, and lower-ranked moves are not better
            if not self.can_win(after):
                return move
        drawn = [move for after, move in ranked if after.outcome and after.outcome.returns[seat] >= 0]
        return drawn[-1] if drawn and not best_after.outcome else best

    def stop(self) -> None:
        """Ends the search; `play` then returns the best move so far."""
        self._deadline = -math.inf

    def _rank(self, after: Position, seat: int) -> tuple[float, float]:
        """Ranks a win highest, then unfinished positions, then a draw, and a loss lowest."""
        outcome = after.outcome
        if outcome:
            worth = outcome.returns[seat]
            return (2.0 if worth > 0 else -2.0 if worth < 0 else -1.0, worth)
        return (0.0, self.evaluate(after, seat))
