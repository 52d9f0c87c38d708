"""Waiting for events with a long timeout, which only a failure reaches."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

TIMEOUT = 300.0  # seconds that only a hanging test takes


class FakeClock:
    """A fake module `time`: a clock that advances by the same step whenever it is read."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


def wait_until(condition: Callable[[], object], what: str = "it") -> None:
    """Waits until a condition holds."""
    until = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < until, f"{what} did not happen within {TIMEOUT:.0f} seconds"
        time.sleep(0.005)


def stopped(bot: Any, position: Any, is_searching: Callable[[], object]) -> Any:
    """The move of a bot with unlimited time that is stopped as soon as it searches."""
    moves: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=lambda: moves.put(bot.choose(position, seconds=1e6)), daemon=True).start()
    wait_until(is_searching, "the search")
    bot.stop()
    return moves.get(timeout=TIMEOUT)
