"""The analysis beside the board: a thread that looks at one position at a time, until another one is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable

from pentad.game import GameError, Position
from pentad.search.analysis import Report, analyse
from pentad.search.interrupts import InterruptibleThread

SECONDS, LINES = 60.0, 3


class Analyst:
    """An analysis of the position shown last; `report` gets its reports, in the analyst's thread."""

    def __init__(self, report: Callable[[Position, Report], None], failed: Callable[[str], None]) -> None:
        self._report, self._failed = report, failed
        self._wanted: Position | None = None
        self._news = threading.Event()
        self._is_over = False
        self._thread = InterruptibleThread(self._work, "pentad-analysis")

    def look_at(self, position: Position | None) -> None:
        """Analyse a position in place of the last one; None for nothing."""
        if position == self._wanted:
            return
        self._wanted = position
        if self._thread.ident is None:
            self._thread.start()
        self._news.set()
        self._thread.interrupt()

    def close(self) -> None:
        """End the analysis, and wait for its end."""
        self._is_over = True
        if self._thread.ident is not None:
            self._news.set()
            self._thread.interrupt()
            self._thread.join()

    def _work(self) -> None:
        while True:
            self._news.wait()
            self._news.clear()
            try:
                with self._thread.interruptible():
                    if self._is_over:
                        return
                    if self._wanted is not None:
                        self._look(self._wanted)
            except KeyboardInterrupt:
                continue
            except GameError as error:
                self._failed(str(error))

    def _look(self, position: Position) -> None:
        for report in analyse(position, seconds=SECONDS, lines=LINES):
            if self._wanted is not position:
                return
            self._report(position, report)
