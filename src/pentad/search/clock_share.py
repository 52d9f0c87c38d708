"""Time of a move, from the limits of a game clock or of the manager of a match."""

from __future__ import annotations

from pentad.search.move_limit import DEFAULT_SECONDS, Limit

MIN_SECONDS = 0.05  # a limit of 0 means as fast as possible
SHARE_USED, SPARE = 0.95, 0.02  # the share of a limit that is used, and a margin in seconds for communication
OWN_MOVES, LEAST_LEFT = 25, 12  # own moves of a typical game, and the fewest assumed to be left
HARD_MOVE_FACTOR, MAX_PART_OF_TIME_LEFT = 2.5, 1 / 8


def managed(*, turn: float | None, left: float | None, increment: float = 0.0, played: int = 0) -> Limit:
    """The limit of the next move by a manager's limits of a move and of the game; None for one that it does not set.

    `left` are the seconds of the game, `played` the number of own moves.

    >>> managed(turn=2.0, left=None), managed(turn=None, left=100.0)
    (Limit(seconds=1.88, most_seconds=None, nodes=None, depth=None), \
Limit(seconds=3.78, most_seconds=9.48, nodes=None, depth=None))
    """
    turns = [] if turn is None else [turn]
    if left is None:
        return Limit(seconds=within(min(turns, default=DEFAULT_SECONDS)))
    average = min(share(left, played) + increment, left)
    most = min([*turns, for_hard_move(average, left)])
    return Limit(seconds=within(min([*turns, average])), most_seconds=within(most))


def within(limit: float) -> float:
    """The seconds of a search whose move has to be there within a limit."""
    return max(SHARE_USED * limit - SPARE, min(MIN_SECONDS, limit / 2) if limit else MIN_SECONDS)


def share(left: float, played: int) -> float:
    """A move's share of the time left, by the number of own moves played: the last moves have as much as the first.

    >>> share(50.0, 0), share(24.0, 40)
    (2.0, 2.0)
    """
    return left / max(OWN_MOVES - played, LEAST_LEFT)


def for_hard_move(share: float, left: float) -> float:
    """The seconds for a hard move, by the share of the time left that an average one has.

    >>> for_hard_move(2.0, 50.0), for_hard_move(2.0, 24.0), for_hard_move(3.0, 4.0)
    (5.0, 3.0, 3.0)
    """
    return max(share, min(HARD_MOVE_FACTOR * share, MAX_PART_OF_TIME_LEFT * left))
