"""Interrupts of work in another thread: they reach the work alone, at its own checks, and each one once."""

import sys
import threading
import weakref
from collections.abc import Callable
from itertools import count

import pytest

import pentad
from pentad.search import interrupts
from pentad.search.interrupts import InterruptibleThread
from pentad.search.move_limit import Limit
from tests.waiting import TIMEOUT


def test_endless_work_is_interrupted_and_the_thread_goes_on():
    begun, seen = threading.Event(), []

    def work() -> None:
        try:
            with thread.interruptible():
                while True:
                    begun.set()
                    interrupts.check()
        except KeyboardInterrupt:
            seen.append("interrupted")
        interrupts.check()
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
        interrupts.check()
        with thread.interruptible():
            interrupts.check()
        over.append(True)

    thread = InterruptibleThread(work, "test")
    thread.start()
    while thread.interrupt():
        pass
    go.set()
    thread.join(TIMEOUT)
    assert over == [True]


def test_an_interrupt_that_the_work_has_not_seen_ends_with_it():
    over = []

    def work() -> None:
        with thread.interruptible():
            assert thread.interrupt()
        with thread.interruptible():
            interrupts.check()
        over.append(True)

    thread = InterruptibleThread(work, "test")
    thread.start()
    thread.join(TIMEOUT)
    assert over == [True]


def test_interrupts_reach_neither_callbacks_nor_what_follows_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finalizers and generators run to their end, however often the work is interrupted."""
    lost: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    begun, finished, rounds = count(), count(), 100
    ends: list[str] = []

    class Thing:
        pass

    def finish() -> None:
        next(begun)
        for _ in range(20):
            pass
        next(finished)

    def generator():
        try:
            yield
        finally:
            finish()

    def work() -> None:
        for _ in range(rounds):
            try:
                with thread.interruptible():
                    while True:
                        thing = Thing()
                        weakref.finalize(thing, finish)
                        running = generator()
                        next(running)
                        del thing, running
                        interrupts.check()
            except KeyboardInterrupt:
                ends.append("interrupted")

    thread = InterruptibleThread(work, "test")
    thread.start()
    while thread.is_alive():
        thread.interrupt()
        thread.join(0.001)
    assert ends == ["interrupted"] * rounds
    assert next(begun) == next(finished)
    assert lost == []


def searched(work: Callable[[], object]) -> list[str]:
    """How work was left that is interrupted at its beginning."""
    seen: list[str] = []

    def run() -> None:
        try:
            with thread.interruptible():
                thread.interrupt()
                work()
            seen.append("ended")
        except KeyboardInterrupt:
            seen.append("interrupted")

    thread = InterruptibleThread(run, "test")
    thread.start()
    thread.join(TIMEOUT)
    return seen


@pytest.mark.parametrize("name", ["tree", "greedy", "beam-5"])
def test_bots_in_python_are_interrupted(name: str) -> None:
    game = "pente" if name.startswith("beam") else "pentago"
    bot = pentad.bot(game, name, seed=1)
    assert searched(lambda: bot.play(pentad.new(game), Limit(seconds=1e6))) == ["interrupted"]
