"""Time for a move, from the limits that the manager sends."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_SECONDS = 5.0  # for a move without a limit
SHORTEST = 0.05  # seconds for a limit of 0, which means as fast as possible
ENDLESS = 2**31 - 1  # milliseconds left, as managers write it for a game without a limit
SHARE_USED, SPARE = 0.95, 0.02  # the share of a limit that is used, and a margin in seconds for communication
OWN_MOVES, LEAST_LEFT = 25, 12  # own moves of a typical game, and the fewest assumed to be left


@dataclass
class Limits:
    """The limits of INFO, in milliseconds; None for one that was not sent."""

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None

    def seconds(self, played: int) -> float:
        """The seconds for the next move, by the number of own moves played.

        A move takes its share of the time left, so that the last moves have as much as the first.
        """
        allowed = [DEFAULT_SECONDS] if self.timeout_turn is None and self._left is None else []
        if self.timeout_turn is not None:
            allowed.append(max(self.timeout_turn, 0) / 1000)
        if self._left is not None:
            allowed.append(self._left / 1000 / max(OWN_MOVES - played, LEAST_LEFT))
        limit = min(allowed)
        return max(SHARE_USED * limit - SPARE, min(SHORTEST, limit / 2) if limit else SHORTEST)

    @property
    def _left(self) -> int | None:
        """The time left of the game; None for no limit."""
        if self.timeout_match == 0:
            return None
        left = self.timeout_match if self.time_left is None else self.time_left
        return None if left is None or left >= ENDLESS else max(left, 0)
