"""A line on the terminal that tells how far some long work is; nothing where nobody watches."""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType

from pentad.terminal import streams

WIDEST, NARROWEST = 24, 4  # letters of the bar itself
SHORTLY, BEAT = 0.3, 0.1  # seconds before it is shown at all; between two drawings
SURELY = 1.0  # seconds before the time that is left is told


class Bar:
    """What is being done, which share of it is done, and what there is to say besides."""

    def __init__(self, what: str = "") -> None:
        self.what = what
        self.shown = sys.stderr.isatty() and streams.can_redraw()
        self._began = time.monotonic()
        self._next = self._began + SHORTLY
        self._drawn = False

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def begin(self, what: str) -> None:
        """Something else is done from now on."""
        self.what, self._began = what, time.monotonic()

    def tell(self, done: float, of: float, more: str = "") -> None:
        """So much is done; `more` stands between the share and the time that is left."""
        if not self.shown:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + BEAT
        share = min(done / of, 1.0) if of else 0.0
        spent = now - self._began
        left = f"  {in_words(spent * (1 - share) / share)} left" if share and spent > SURELY else ""
        columns = max(shutil.get_terminal_size().columns - 1, 1)
        rest = f" {share:4.0%}{more}{left}"
        width = max(min(WIDEST, columns - len(self.what) - len(rest) - 3), NARROWEST)
        bar = f"{'█' * int(width * share):{width}}"
        self._write(f"\r{f'{self.what} │{bar}│{rest}'[:columns]}\x1b[K")
        self._drawn = True

    def clear(self) -> None:
        """Take the line away, so that something else can be said."""
        if self._drawn:
            self._write("\r\x1b[K")
            self._drawn = False

    def _write(self, text: str) -> None:
        try:
            print(text, end="", file=sys.stderr, flush=True)
        except OSError:  # whoever watched has left
            self.shown = self._drawn = False


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
