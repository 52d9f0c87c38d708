"""Queue places: the places of requests in the queue of the engines, as clients see them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator

from pentad.jobs.fair_queue import PlaceCallback

REPORT_SECONDS = 1.0  # the place in the queue may change faster


@contextlib.contextmanager
def at_intervals(show: PlaceCallback) -> Iterator[Callable[[int], None]]:
    """A callback for places in the queue that shows the latest one at intervals, and 0 at once after any other."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None
    due, latest, shown = loop.time(), 0, 0

    def show_latest() -> None:
        nonlocal timer, due, shown
        timer, due, shown = None, loop.time() + REPORT_SECONDS, latest
        show(shown)

    def stop() -> None:
        nonlocal timer
        if timer:
            timer.cancel()
            timer = None

    def on_place(place: int) -> None:
        nonlocal timer, latest
        latest = place
        if place and not timer:
            timer = loop.call_at(due, show_latest)
        elif not place:
            stop()
            if shown:
                show_latest()

    try:
        yield on_place
    finally:
        stop()
