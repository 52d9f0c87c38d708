"""Clocks: how long each seat has, whose time runs, whose is over. Times are seconds; `now` is told by the caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pentad.game import GameError

DAY = 86_400.0
LONGEST_MAIN, LONGEST_INCREMENT, LONGEST_DAYS = 24 * 3600.0, 3600.0, 60.0


@dataclass(frozen=True, slots=True)
class Time:
    """How long the players have: so much for the game and some more with each move, or so many days for each move.

    >>> Time(main=300, increment=3).label
    '5 min + 3 s'
    >>> Time(days=2).label
    '2 days a move'
    """

    main: float = 0.0
    increment: float = 0.0
    days: float = 0.0

    def __post_init__(self) -> None:
        if self.days:
            if self.main or self.increment:
                raise GameError("a game is played with a clock or with days for each move, not with both")
            if not 0 < self.days <= LONGEST_DAYS:
                raise GameError(f"a move may take up to {LONGEST_DAYS:.0f} days, not {self.days:g}")
            return
        if not 1 <= self.main <= LONGEST_MAIN:
            raise GameError(f"a clock has from 1 second to {LONGEST_MAIN / 3600:.0f} hours, not {self.main:g} seconds")
        if not 0 <= self.increment <= LONGEST_INCREMENT:
            raise GameError(f"a move adds from 0 to {LONGEST_INCREMENT:.0f} seconds, not {self.increment:g}")

    @classmethod
    def of(cls, terms: Mapping[str, float]) -> Time | None:
        """The time that some terms tell; None for none."""
        return cls(**{key: float(value) for key, value in terms.items()}) if terms else None

    @property
    def terms(self) -> dict[str, float]:
        """What `of` reads."""
        return {"days": self.days} if self.days else {"main": self.main, "increment": self.increment}

    @property
    def at_first(self) -> float:
        """What each seat has when the game begins."""
        return self.days * DAY if self.days else self.main

    @property
    def label(self) -> str:
        """The time as a person would say it."""
        if self.days:
            return f"{self.days:g} {'day' if self.days == 1 else 'days'} a move"
        main = f"{self.main / 60:g} min" if self.main >= 60 else f"{self.main:g} s"
        return f"{main} + {self.increment:g} s" if self.increment else main


class Clock:
    """One clock with a hand for each seat, of which one runs at most.

    >>> clock = Clock(Time(main=60, increment=2), seats=2)
    >>> clock.start(0, now=100.0)
    >>> clock.stop(now=110.0)
    >>> clock.left(now=500.0)
    (52.0, 60)
    """

    def __init__(self, time: Time, seats: int, left: Iterable[float] = ()) -> None:
        self.time = time
        self._left = list(left) or [time.at_first] * seats
        self.running: int | None = None
        self._since = 0.0

    def start(self, seat: int, now: float) -> None:
        """Let the time of a seat run; whoever has days for each move has them anew."""
        if self.time.days and seat != self.running:
            self._left[seat] = self.time.at_first
        self.running, self._since = seat, now

    def resume(self, seat: int, now: float, gone: float = 0.0) -> None:
        """Let the time of a seat run on, of which some is gone already."""
        self.running, self._since = seat, now - max(0.0, gone)

    @property
    def since(self) -> float:
        """When the time that runs was started."""
        return self._since

    def pause(self, now: float) -> None:
        """Stop the clock as it stands."""
        self._left = list(self.left(now))
        self.running = None

    def stop(self, now: float) -> None:
        """The seat whose time ran has moved: it gets what each move adds."""
        mover = self.running
        self.pause(now)
        if mover is not None:
            self._left[mover] += self.time.increment

    def undo(self, seat: int, now: float) -> None:
        """A move of this seat is taken back, and what it added, though not to the last second."""
        self._left[seat] -= min(self.time.increment, max(0.0, self.left(now)[seat] - 1.0))

    def left(self, now: float) -> tuple[float, ...]:
        """What each seat has left; a clock that is set back takes nothing away and gives nothing."""
        left = list(self._left)
        if self.running is not None:
            left[self.running] = max(0.0, left[self.running] - max(0.0, now - self._since))
        return tuple(left)

    def over(self, now: float) -> int | None:
        """The seat whose time is over."""
        seat = self.running
        return seat if seat is not None and self.left(now)[seat] <= 0 else None

    def copy(self) -> Clock:
        """Another clock that stands like this one."""
        other = Clock(self.time, len(self._left), self._left)
        other.running, other._since = self.running, self._since
        return other
