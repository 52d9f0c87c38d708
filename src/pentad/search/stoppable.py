"""Running a kernel so that it can be stopped: by the clock, by another thread, by Ctrl-C.

A kernel runs without Python's lock and looks at its stop flag, the first number of an array, now and then.
It runs in a thread of its own, so that whoever waits for it can be interrupted.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

POLL = 0.05  # seconds between two looks of whoever waits, where no signal wakes him


def run(kernel: Callable[[], Any], stop: Any, seconds: float | None = None) -> None:
    """Run a kernel to its end, or until the seconds are over; an exception stops it first and then goes on."""
    failed: list[BaseException] = []

    def go() -> None:
        try:
            kernel()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=go, daemon=True)
    until = None if seconds is None else time.monotonic() + seconds
    thread.start()
    try:
        while thread.is_alive():
            left = POLL if until is None else until - time.monotonic()
            if left <= 0:
                stop[0] = 1
                left = POLL
            thread.join(min(left, POLL))
    except BaseException:
        stop[0] = 1
        thread.join()
        raise
    if failed:
        raise failed[0]
