"""The errors of requests: `GameError`, which is a `ValueError`, and its kinds."""

from __future__ import annotations


class GameError(ValueError):
    """A request of a person, a file or a program is invalid; the message is one line."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The message, or one line for each of several errors."""
        return (str(self),)


class Unavailable(GameError):
    """A valid request that this installation cannot fulfil; the message says what it lacks."""


class InvalidMove(GameError):
    """A move that cannot be read on this board."""


class IllegalMove(GameError):
    """A move that can be read but is not allowed now; the message says why."""
