"""Running a kernel that can be stopped by a time limit, another thread, or Ctrl-C.

A kernel releases the GIL and checks its stop flag from time to time: `stop` of its counters, or the first number of an
array. It runs in its own thread, so that the waiting thread can be interrupted. In a page, which has no threads, the
kernel looks at the clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from pentad.kernels import libraries
from pentad.kernels.backends import HAS_THREADS
from pentad.kernels.buffers import Buffer
from pentad.kernels.types import StoppableCounters
from pentad.search import interrupts

POLL_SECONDS = 0.05


def run(kernel: Callable[[], Any], stop: StoppableCounters | Buffer, seconds: float | None = None) -> None:
    """Runs a kernel to its end or for some seconds; an exception while waiting stops it and is raised again."""
    memory = stop.memory if isinstance(stop, StoppableCounters) else stop
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
    try:
        thread.start()
        while thread.is_alive():
            interrupts.check()
            left = POLL_SECONDS if until is None else until - time.monotonic()
            if left <= 0:
                memory[0] = 1
                left = POLL_SECONDS
            thread.join(min(left, POLL_SECONDS))
    except BaseException:
        memory[0] = 1
        if thread.ident is not None:  # Ctrl-C may have come just before it was started
            thread.join()
        raise
    if failed:
        raise failed[0]
