"""Stopping a kernel by time, by another thread, by an interrupt; and errors of the kernel."""

import subprocess
import sys
import threading
import time

import pytest

from pentad.search import stoppable
from pentad.search.stoppable import InterruptibleThread, run
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


# ── interruptible threads ──────────────────────────────────────────────────────────────────────────


def test_endless_work_is_interrupted_and_the_thread_goes_on():
    begun, seen = threading.Event(), []

    def work() -> None:
        try:
            with thread.interruptible():
                while True:
                    begun.set()
        except KeyboardInterrupt:
            seen.append("interrupted")
        seen.append("went on")

    thread = InterruptibleThread(work, "test")
    assert not thread.interrupt()
    thread.start()
    assert begun.wait(TIMEOUT)
    assert thread.interrupt()
    thread.join(TIMEOUT)
    assert seen == ["interrupted", "went on"]


def test_other_work_is_not_interrupted():
    go, over = threading.Event(), []

    def work() -> None:
        with thread.interruptible():
            pass
        go.wait(TIMEOUT)
        over.append(True)

    thread = InterruptibleThread(work, "test")
    thread.start()
    assert not thread.interrupt()
    go.set()
    thread.join(TIMEOUT)
    assert over == [True]


def test_a_kernel_is_stopped():
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


TRACED = """
import sys, threading
from pentad.search.stoppable import InterruptibleThread

def work():
    for _ in range(200):
        try:
            with threads[0].interruptible():
                begun.set()
        except KeyboardInterrupt:
            pass

begun, threads = threading.Event(), []
threads.append(InterruptibleThread(work, "work"))
threads[0].start()
begun.wait()
while threads[0].is_alive():
    threads[0].interrupt()
def trace(frame, event, argument):
    return trace
sys.settrace(trace)
def loop():
    for _ in range(1000):
        pass
loop()
print("ended")
"""


def test_no_thread_looks_for_an_interrupt_that_is_gone():
    """Python 3.11 would, for ever, where an exception that was set is withdrawn and a function is traced."""
    done = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")
