"""How long a brain may think about a move, from the limits that its manager tells."""

from __future__ import annotations

from dataclasses import dataclass

USUAL = 5.0  # seconds a move where nobody tells a limit
AT_ONCE = 0.05  # seconds, where the limit is 0: as fast as possible
ENDLESS = 2**31 - 1  # milliseconds left, which managers write where a game has no limit
SHARE_USED, SPARE = 0.95, 0.02  # of a limit, and seconds less: for the way there and back
GAME, LEAST_TO_COME = 25, 12  # own moves of a game, as games go, and the fewest that are reckoned to come


@dataclass
class Limits:
    """What INFO has told, in milliseconds; None is what it has not."""

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None

    def seconds(self, played: int) -> float:
        """How long the next move may take, when so many own moves have been played.

        Of what is left of a game's time a move takes its share, so that the last moves have as much as the first.
        """
        allowed = [USUAL] if self.timeout_turn is None and self._left is None else []
        if self.timeout_turn is not None:
            allowed.append(max(self.timeout_turn, 0) / 1000)
        if self._left is not None:
            allowed.append(self._left / 1000 / max(GAME - played, LEAST_TO_COME))
        limit = min(allowed)
        return max(SHARE_USED * limit - SPARE, min(AT_ONCE, limit / 2) if limit else AT_ONCE)

    @property
    def _left(self) -> int | None:
        """What is left of the game's time; None where it has no limit."""
        if self.timeout_match == 0:
            return None
        left = self.timeout_match if self.time_left is None else self.time_left
        return None if left is None or left >= ENDLESS else max(left, 0)
