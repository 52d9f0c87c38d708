"""Limit of a bot's search for one move: by time, by a game clock, by nodes or by depth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pentad.game import GameError, shown

DEFAULT_SECONDS = 1.0  # a move of a bot or of another program has it if nothing else limits it
PYTHON_SECONDS = 3.0  # every level has it if the engines run as plain Python and the caller gives no time


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The limits of the search for a move; what is None is left to the bot.

    In a game with a clock, `seconds` is the time for an average move, and `most_seconds` that for a hard one. `nodes`
    and `depth`, in whole moves, take the place of those of the bot's level (`Bot.limited_by` says which it observes).

    >>> Limit(seconds=0.5, nodes=1000)
    Limit(seconds=0.5, most_seconds=None, nodes=1000, depth=None)
    """

    seconds: float | None = None
    most_seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("seconds", 0), ("most_seconds", 0), ("nodes", 1), ("depth", 1)):
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise GameError(
                    "A limit has {name} of at least {least}, got {value}.", name=name, least=least, value=shown(value)
                )

    @property
    def time(self) -> float:
        """The seconds, by default a second."""
        return DEFAULT_SECONDS if self.seconds is None else self.seconds

    def within(self, seconds: float) -> Limit:
        """The same limit with no more than so many seconds, where it has seconds."""
        average, most = (None if each is None else min(each, seconds) for each in (self.seconds, self.most_seconds))
        return replace(self, seconds=average, most_seconds=most)

    def part(self, share: float) -> Limit:
        """The same limit with a share of the seconds."""
        average, most = (None if each is None else share * each for each in (self.seconds, self.most_seconds))
        return replace(self, seconds=average, most_seconds=most)


DEFAULT_LIMIT = Limit()
