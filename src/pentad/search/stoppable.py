"""Running a kernel that can be stopped by a time limit, another thread, or Ctrl-C.

A kernel releases the GIL and checks its stop flag, the first number of an array, from time to time. It runs in its own
thread, so that the waiting thread can be interrupted. In a page, which has no threads, the kernel looks at the clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from pentad.jit import libraries
from pentad.jit.backends import HAS_THREADS

POLL = 0.05  # seconds between two checks of the waiting thread


def run(kernel: Callable[[], Any], stop: Any, seconds: float | None = None) -> None:
    """Runs a kernel to its end or for some seconds; an exception while waiting stops it and is raised again."""
    if not HAS_THREADS:
        libraries.set_deadline(seconds)
        kernel()
        return
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
