"""Interrupts of work in another thread, as Ctrl-C interrupts that of the main thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def check() -> None:
    """Raises `KeyboardInterrupt` if this thread's work is interrupted; a search in Python calls it at each step."""
    here = threading.current_thread()
    if isinstance(here, InterruptibleThread):
        here.check()


class InterruptibleThread(threading.Thread):
    """A daemon thread whose work another thread can interrupt.

    The work looks for interrupts itself, while it waits for a kernel at most 50 ms apart. An exception set from outside
    could reach it anywhere, also in the callback of a weak reference, where it is lost and the callback's work undone.
    """

    def __init__(self, target: Callable[[], None], name: str) -> None:
        super().__init__(target=target, name=name, daemon=True)
        self._lock = threading.Lock()
        self._is_open = self._is_interrupted = False

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """A part of this thread's work that an interrupt ends with a `KeyboardInterrupt`."""
        with self._lock:
            self._is_open = True
        try:
            yield
        finally:
            with self._lock:  # an interrupt that the work has not seen ends with it
                self._is_open = self._is_interrupted = False

    def interrupt(self) -> bool:
        """Interrupts the work; returns whether there was any to interrupt."""
        with self._lock:
            self._is_interrupted = self._is_open
            return self._is_open

    def check(self) -> None:
        """Raises a `KeyboardInterrupt` for an interrupt, once."""
        if self._is_interrupted:
            with self._lock:
                self._is_interrupted = False
            raise KeyboardInterrupt
