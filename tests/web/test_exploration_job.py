"""The time limit of an exploration: a clock that the search looks at."""

import threading
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from pentad.web import exploration_job
from pentad.web.exploration_job import EarlyStop
from tests.waiting import FakeClock


class Left(Exception):
    """The process has ended."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    made = FakeClock(0.0)
    monkeypatch.setattr(exploration_job, "time", made)
    return made


def leave(found: Any, why: str) -> NoReturn:
    raise Left(found.stopped, why)


def test_a_search_that_polls_ends_in_time_without_a_thread(clock: FakeClock) -> None:
    before = threading.active_count()
    stop = EarlyStop(2.0, leave)
    assert threading.active_count() == before
    clock.now = 1.9
    assert (stop.is_asked(), stop.why) == (False, "")
    clock.now = 2.0
    assert (stop.is_asked(), stop.why) == (True, "seconds")
    stop.request("stopped")
    assert stop.why == "seconds"


def test_the_clock_is_paused_while_kernels_load(clock: FakeClock) -> None:
    stop = EarlyStop(2.0, leave)
    clock.now = 1.0
    stop.pause()
    clock.now = 50.0
    assert stop.spent == 1.0
    stop.resume()
    clock.now = 50.5
    assert (stop.is_asked(), stop.spent) == (False, 1.5)
    clock.now = 51.0
    assert stop.is_asked()


@pytest.mark.parametrize("why", ["seconds", "stopped"])
def test_a_search_that_should_end_while_kernels_load_sends_its_results_once(clock: FakeClock, why: str) -> None:
    stop, found = EarlyStop(2.0, leave), SimpleNamespace(stopped="")
    stop.keep_results(found)  # type: ignore[arg-type]
    if why == "seconds":  # the time was over before
        clock.now = 3.0
        with pytest.raises(Left, match="seconds"):
            stop.pause()
    else:
        stop.pause()
        with pytest.raises(Left, match="stopped"):
            stop.request("stopped")
    assert found.stopped == "interrupted"
    stop.pause()  # kernels that the check of a property needs
    stop.request("stopped")


def test_a_search_that_has_ended_is_not_asked_to_end(clock: FakeClock) -> None:
    stop = EarlyStop(2.0, leave)
    stop.finish()
    stop.request("stopped")
    assert stop.why == ""
