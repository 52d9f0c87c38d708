"""A line on the terminal that tells how far some long work is; nothing where nobody watches."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType

WIDEST, NARROWEST = 24, 4  # letters of the bar itself
SHORTLY, BEAT = 0.3, 1.0  # seconds before it is shown at all; between two drawings
SURELY, ENOUGH = 1.0, 0.02  # seconds, and the share that is done, before the time that is left is told


def can_redraw() -> bool:
    """Whether a terminal here knows colours and can move its cursor; on Windows all do, and none says so."""
    return os.name == "nt" or os.environ.get("TERM", "") not in ("", "dumb", "unknown")


class Bar:
    """What is being done, which share of it is done, and what there is to say besides.

    It is one line, however narrow the terminal is, and is drawn again only where it says something new.
    """

    def __init__(self, what: str = "", *, after: float = SHORTLY, clock: Callable[[], float] = time.monotonic) -> None:
        """`after` so many seconds it is shown."""
        self.what, self._clock = what, clock
        self.shown = sys.stderr.isatty() and can_redraw()
        self._began = clock()
        self._next = self._began + after
        self._first: float | None = None  # the share that was done when it began
        self._drawn = ""

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def begin(self, what: str) -> None:
        """Something else is done from now on."""
        self.what, self._began, self._first = what, self._clock(), None

    def update(self, done: float, of: float, more: str = "") -> None:
        """So much is done; `more` stands between the share and the time that is left."""
        if not self.shown:
            return
        now = self._clock()
        share = min(done / of, 1.0) if of else 0.0
        self._first = share if self._first is None else self._first
        if now < self._next:
            return
        spent, gained = now - self._began, share - self._first
        left = f"  {in_words(spent * (1 - share) / gained)} left" if gained >= ENOUGH and spent > SURELY else ""
        columns = max(_columns() - 1, 1)
        line = _line(self.what, share, (f"{more}{left}", more, ""), columns)
        if line == self._drawn:
            return
        self._next = now + BEAT
        self._write(f"{self._back(columns)}{line}\x1b[K")
        self._drawn = line

    def _back(self, columns: int) -> str:
        """To the beginning of what was drawn, which has several rows where the terminal has become narrower."""
        rows = (len(self._drawn) - 1) // (columns + 1) if self._drawn else 0
        return f"\x1b[{rows}A\r\x1b[J" if rows else "\r"

    def clear(self) -> None:
        """Take the line away, so that something else can be said."""
        if self._drawn:
            self._write(f"{self._back(max(_columns() - 1, 1))}\x1b[K")
            self._drawn = ""

    def _write(self, text: str) -> None:
        try:
            print(text, end="", file=sys.stderr, flush=True)
        except OSError:  # whoever watched has left
            self.shown, self._drawn = False, ""


def _line(what: str, share: float, more: tuple[str, ...], columns: int) -> str:
    """The line in so many columns: as much of the rest as leaves room for what is done, and for a bar.

    Where even that has no room, what stands behind a comma is left out.
    """
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
    """How wide the terminal is that it is drawn on, now."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or shutil.get_terminal_size().columns
    except (OSError, ValueError):
        return shutil.get_terminal_size().columns


def in_words(seconds: float) -> str:
    """A time as people say it.

    >>> in_words(3.2), in_words(75), in_words(7300)
    ('3 s', '1 min 15 s', '2 h 1 min')
    """
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
