"""The errors of requests: `GameError`, which is a `ValueError`, and its kinds."""

from __future__ import annotations

from pentad.system.words import phrase


class GameError(ValueError):
    """A request of a person, a file or a program is invalid; the message is one line.

    >>> raise GameError("Expected a number from {least} to {most}.", least=1, most=5)
    Traceback (most recent call last):
    pentad.system.errors.GameError: Expected a number from 1 to 5.
    """

    def __init__(self, message: object = "", /, **gaps: object) -> None:
        super().__init__(phrase(str(message), **gaps))

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
