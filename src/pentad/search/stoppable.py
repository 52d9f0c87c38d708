"""Running a kernel that can be stopped by a time limit, another thread, or Ctrl-C.

A kernel releases the GIL and checks its stop flag from time to time: `stop` of its counters, or the first number of an
array. It runs in its own thread, so that the waiting thread can be interrupted. In a page, which has no threads, the
kernel looks at the clock.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pentad.kernels import libraries
from pentad.kernels.backends import HAS_THREADS
from pentad.kernels.buffers import Buffer
from pentad.kernels.types import StoppableCounters

POLL_SECONDS = 0.05
MAX_LOOP_STEPS = 100  # a thread raises an exception that was set within so many steps of a loop


def run(kernel: Callable[[], Any], stop: StoppableCounters | Buffer, seconds: float | None = None) -> None:
    """Runs a kernel to its end or for some seconds; an exception while waiting stops it and is raised again."""
    memory = stop.memory if isinstance(stop, StoppableCounters) else stop
    if not HAS_THREADS:
        libraries.set_deadline(seconds)
        kernel()
        return
    here = threading.current_thread()
    if isinstance(here, InterruptibleThread):
        with here.waiting():
            _run(kernel, memory, seconds, here)
    else:
        _run(kernel, memory, seconds)


def _run(
    kernel: Callable[[], Any], stop: Buffer, seconds: float | None, here: InterruptibleThread | None = None
) -> None:
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
            if here and here.is_interrupted:
                raise KeyboardInterrupt
            left = POLL_SECONDS if until is None else until - time.monotonic()
            if left <= 0:
                stop[0] = 1
                left = POLL_SECONDS
            thread.join(min(left, POLL_SECONDS))
    except BaseException:
        stop[0] = 1
        if thread.ident is not None:  # Ctrl-C may have come just before it was started
            thread.join()
        raise
    if failed:
        raise failed[0]


class InterruptibleThread(threading.Thread):
    """A daemon thread whose work another thread can interrupt, as Ctrl-C interrupts that of the main thread.

    While it waits for a kernel it looks for interrupts itself, at most 50 ms apart. In Python code it gets an exception
    before its next instruction; that would harm the locks with which it waits.
    """

    def __init__(self, target: Callable[[], None], name: str) -> None:
        super().__init__(target=target, name=name, daemon=True)
        self._lock = threading.Lock()
        self._is_open = self._is_waiting = self._is_sent = self.is_interrupted = False

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """A part of this thread's work that an interrupt ends with a `KeyboardInterrupt`."""
        with self._lock:
            self._is_open, self.is_interrupted = True, False
        try:
            yield
        finally:
            try:
                self._close()
            except KeyboardInterrupt:  # it came after the work
                self._close()
                raise

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A part of the work that looks for interrupts itself."""
        with self._lock:
            self._is_waiting = True
        try:
            yield
        finally:
            with self._lock:
                self._is_waiting = False
        if self.is_interrupted:
            raise KeyboardInterrupt

    def interrupt(self) -> bool:
        """Interrupts the work; returns whether there was any to interrupt."""
        with self._lock:
            if self._is_open and self._is_waiting:
                self.is_interrupted = True
            elif self._is_open:
                self._is_sent = True
                # This thread raises it before its next instruction.
                number = ctypes.c_ulong(self.ident or 0)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(KeyboardInterrupt))
            return self._is_open

    def _close(self) -> None:
        """Ends the work; an interrupt that has not reached it ends here.

        It is not withdrawn: with no exception set, Python 3.11 would look for one before every instruction from then
        on, in all threads, and for ever where one is traced.
        """
        with self._lock:
            self._is_open = False
            is_sent, self._is_sent = self._is_sent, False
        if is_sent:
            with suppress(KeyboardInterrupt):
                for _ in range(MAX_LOOP_STEPS):
                    pass
