"""The progress bar of all long work in the terminal: the share done, the rate and the time left."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

WIDEST, NARROWEST = 24, 4  # columns of the bar itself
DELAY_SECONDS, REDRAW_SECONDS = 0.3, 1.0  # work that is done within the delay shows no bar
MIN_SECONDS, MIN_SHARE = 1.0, 0.02  # an earlier estimate of the remaining time would be a guess


def can_redraw() -> bool:
    """Whether the terminal supports colours and cursor movement; on Windows every terminal does."""
    return os.name == "nt" or os.environ.get("TERM", "") not in ("", "dumb", "unknown")


class Bar:
    """A progress bar: the operation, the share done, and further text.

    It is one line, however narrow the terminal is, and is redrawn only if it has changed.
    """

    def __init__(
        self, what: str = "", *, after: float = DELAY_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """The bar is shown after `after` seconds."""
        self.what, self._clock = what, clock
        self.shown = sys.stderr.isatty() and can_redraw()
        self._began = clock()
        self._next = self._began + after
        self._first: float | None = None  # the share done at the beginning
        self._drawn = ""

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def begin(self, what: str) -> None:
        """Starts another operation on the same bar."""
        self.what, self._began, self._first = what, self._clock(), None

    def update(self, done: float, of: float, more: str = "") -> None:
        """Updates the share done; `more` is shown between the share and the remaining time.

        Where `of` is 0, the total is unknown, and there is only text.
        """
        if not self.shown:
            return
        now = self._clock()
        share = min(done / of, 1.0) if of else 0.0
        self._first = share if self._first is None else self._first
        if now < self._next:
            return
        spent, gained = now - self._began, share - self._first
        left = ""
        if gained >= MIN_SHARE and spent > MIN_SECONDS:
            left = f"  {format_duration(spent * (1 - share) / gained)} left"
        columns = max(_columns() - 1, 1)
        line = _line(self.what, share if of else None, (f"{more}{left}", more, ""), columns)
        if line == self._drawn:
            return
        self._next = now + REDRAW_SECONDS
        self._write(f"{self._back(columns)}{line}\x1b[K")
        self._drawn = line

    def each(self, items: Iterable[Item], of: int) -> Iterator[Item]:
        """The same items; the bar shows how many of them have been used."""
        began = self._clock()
        for done, item in enumerate(items):
            rate = done / max(self._clock() - began, 0.001)
            self.update(done, of, f"  {done:,} of {of:,}  {format_rate(rate)}")
            yield item

    def _back(self, columns: int) -> str:
        """Moves to the beginning of the drawn line, which has several rows after the terminal became narrower."""
        rows = (len(self._drawn) - 1) // (columns + 1) if self._drawn else 0
        return f"\x1b[{rows}A\r\x1b[J" if rows else "\r"

    def clear(self) -> None:
        """Clears the line, so that other output can follow."""
        if self._drawn:
            self._write(f"{self._back(max(_columns() - 1, 1))}\x1b[K")
            self._drawn = ""

    def _write(self, text: str) -> None:
        try:
            print(text, end="", file=sys.stderr, flush=True)
        except OSError:  # the terminal is gone
            self.shown, self._drawn = False, ""


def _line(what: str, share: float | None, more: tuple[str, ...], columns: int) -> str:
    """Fits the line into a number of columns: as much of the further text as fits beside the operation and the bar.

    If even that does not fit, the operation is cut at its comma.
    """
    if share is None:
        rest = next(each for each in more if len(what) + len(each) <= columns or not each)
        return f"{what}{rest}"[:columns]
    percent = f" {share:4.0%}"
    frame = NARROWEST + 3
    what = what if len(what) + frame + len(percent) <= columns else what.partition(", ")[0]
    rest = next((percent + each for each in more if len(what) + frame + len(percent) + len(each) <= columns), percent)
    room = columns - len(rest)
    if len(what) + frame > room:
        return f"{what[: max(room, 0)]}{rest}".strip()[:columns]
    width = min(WIDEST, room - len(what) - 3)
    return f"{what} │{'█' * int(width * share):{width}}│{rest}"


def _columns() -> int:
    """The current width of the terminal."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or shutil.get_terminal_size().columns
    except (OSError, ValueError):
        return shutil.get_terminal_size().columns


def format_rate(rate: float) -> str:
    """Formats a number a second.

    >>> format_rate(3.25), format_rate(12_345.6)
    ('3.2/s', '12,346/s')
    """
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"


def format_duration(seconds: float) -> str:
    """Formats a duration.

    >>> format_duration(3.2), format_duration(75), format_duration(7300)
    ('3 s', '1 min 15 s', '2 h 1 min')
    """
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
