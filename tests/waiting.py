"""Waiting for something that must come: long enough for a busy machine, since only a failure waits to the end."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

TIMEOUT = 120.0  # seconds


class Ticking:
    """In place of the module `time`: a clock that goes on by the same step whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


def wait_until(happened: Callable[[], object], what: str = "it") -> None:
    """Wait until something has happened, which another thread or process sees to."""
    until = time.monotonic() + TIMEOUT
    while not happened():
        assert time.monotonic() < until, f"{what} has not happened within {TIMEOUT:.0f} seconds"
        time.sleep(0.005)


def stopped(bot: Any, position: Any, thinks: Callable[[], object]) -> Any:
    """The move of a bot that is stopped as soon as it thinks; its time alone would never end."""
    moves: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=lambda: moves.put(bot.choose(position, seconds=1e6)), daemon=True).start()
    wait_until(thinks, "the search")
    bot.stop()
    return moves.get(timeout=TIMEOUT)
