"""Stopping a kernel by time, by another thread, by an interrupt; and errors of the kernel."""

import threading
import time

import pytest

from pentad.search import stoppable
from pentad.search.interrupts import InterruptibleThread
from pentad.search.stoppable import run
from tests.waiting import TIMEOUT, FakeClock


class Loop:
    """Runs until its stop flag is set."""

    def __init__(self):
        self.stop = [0]
        self.ended = False

    def __call__(self):
        while not self.stop[0]:
            time.sleep(0.001)
        self.ended = True


def test_a_kernel_runs_to_its_end():
    done = []
    run(lambda: done.append(1), [0])
    assert done == [1]


def test_the_time_limit_stops_a_kernel(monkeypatch):
    """With a clock that advances by a second whenever it is read."""
    clock, loop = FakeClock(1.0), Loop()
    monkeypatch.setattr(stoppable, "time", clock)
    stopped = []
    monkeypatch.setattr(threading.Thread, "join", lambda thread, timeout: stopped.append((clock.now, loop.stop[0])))
    run(loop, loop.stop, seconds=5.0)
    assert loop.ended
    first = next(now for now, stop in stopped if stop)
    assert 5.0 <= first <= 7.0


def test_another_thread_stops_a_kernel():
    loop = Loop()
    threading.Timer(0.05, lambda: loop.stop.__setitem__(0, 1)).start()  # possibly before it runs
    run(loop, loop.stop)
    assert loop.ended


def test_an_interrupt_stops_a_kernel_and_is_raised(monkeypatch):
    loop = Loop()
    join = threading.Thread.join
    calls = []

    def interrupted(thread, timeout=None):
        calls.append(timeout)
        if len(calls) == 1:
            raise KeyboardInterrupt
        join(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(loop, loop.stop)
    assert loop.ended


def test_an_error_of_the_kernel_is_raised():
    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        run(fail, [0], seconds=5)


def test_an_interrupt_from_another_thread_stops_a_kernel():
    begun, stop, seen = threading.Event(), [0], []

    def kernel() -> None:
        while not stop[0]:
            begun.set()

    def work() -> None:
        try:
            with thread.interruptible():
                run(kernel, stop)
        except KeyboardInterrupt:
            seen.append(stop[0])

    thread = InterruptibleThread(work, "test")
    thread.start()
    assert begun.wait(TIMEOUT)
    assert thread.interrupt()
    thread.join(TIMEOUT)
    assert seen == [1]
