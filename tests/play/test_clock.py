"""Clocks: running, increments, running out of time, and invalid time controls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.play.clock import DAY, Clock, Time, written_time
from pentad.search.move_limit import Limit


def test_a_clock_runs_for_one_seat_and_adds_with_each_move() -> None:
    full = Clock.of(Time(main=60, increment=2), seats=3)
    assert full.left(5) == (60, 60, 60)
    runs = full.run(1, now=10)
    assert runs.left(15) == (60, 55, 60)
    stopped = runs.stop(now=20)
    assert stopped.left(99) == (60, 52, 60)
    assert stopped.running is None
    last = stopped.run(2, now=100)
    assert last.over(159.9) is None
    assert last.over(160) == 2
    assert last.left(1000) == (60, 52, 0)
    assert (full.left(1000), runs.left(15)) == ((60, 60, 60), (60, 55, 60))  # a clock is a value


def test_a_pause_adds_no_increment_and_a_seat_that_runs_on_loses_what_it_used() -> None:
    clock = Clock.of(Time(main=60, increment=5), seats=2).run(0, now=0)
    assert clock.run(None, now=10).left(50) == (50, 60)
    assert clock.run(0, now=10).left(13) == (47, 60)
    assert clock.run(None, now=10).run(0, now=93).left(103) == (40, 60)


def test_the_running_time_can_have_been_started_at_another_moment() -> None:
    clock = Clock.of(Time(main=60), seats=2)
    assert clock.run(0, now=100).started(90).left(100) == (50, 60)
    assert clock.started(90).left(100) == (60, 60)


def test_days_start_anew_each_turn_but_not_twice_in_a_turn() -> None:
    clock = Clock.of(Time(days=2), seats=2).run(0, now=0)
    assert clock.run(None, DAY).left(DAY) == (DAY, 2 * DAY)
    clock = clock.run(1, now=DAY).stop(now=DAY + 5).run(0, now=DAY + 5)
    assert clock.left(DAY + 5) == (2 * DAY, 2 * DAY - 5)
    assert clock.run(0, now=DAY + 10).left(DAY + 10)[0] == 2 * DAY - 5


def test_a_clock_that_stands_still_gives_no_increment() -> None:
    clock = Clock.of(Time(main=60, increment=5), seats=2).stop(now=10)
    assert clock.left(10) == (60, 60)
    assert clock.over(1000) is None


def test_a_system_clock_set_back_changes_nothing() -> None:
    clock = Clock.of(Time(main=60), seats=2).run(0, now=1000)
    assert clock.left(now=10) == (60, 60)


def test_an_increment_is_taken_back_down_to_a_second() -> None:
    clock = Clock(Time(main=60, increment=5), (4.0, 60.0)).run(0, now=0)
    assert clock.undo(0, now=1).left(1) == (1, 60)
    assert clock.undo(1, now=1).left(1) == (3, 55)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20), st.floats(0, 10))
def test_a_turn_uses_only_the_movers_time(pauses: list[float], increment: float) -> None:
    clock, now, spent = Clock.of(Time(main=10_000, increment=increment), seats=2), 0.0, [0.0, 0.0]
    for number, pause in enumerate(pauses):
        clock = clock.run(number % 2, now)
        now += pause
        spent[number % 2] += pause - increment
        clock = clock.stop(now)
    assert clock.left(now) == pytest.approx([10_000 - each for each in spent])


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"main": 0}, "from 1 second"),
        ({"main": 1e9}, "24 hours"),
        ({"main": float("nan")}, "Expected a main time"),
        ({"main": 60, "increment": -1}, "Expected an increment from 0"),
        ({"main": 60, "increment": float("nan")}, "Expected an increment from 0"),
        ({"days": 61}, "60 days"),
        ({"days": -0.5}, "60 days"),
        ({"days": 1, "main": 60}, "not both"),
        ({"days": 1, "increment": 3}, "not both"),
    ],
)
def test_invalid_times_are_refused(terms: dict[str, float], why: str) -> None:
    with pytest.raises(GameError, match=why):
        Time.of(terms)


@pytest.mark.parametrize("terms", [{"main": 1}, {"main": 86_400, "increment": 3600}, {"days": 60}])
def test_the_least_and_the_longest_times(terms: dict[str, float]) -> None:
    time = Time.of(terms)
    assert time is not None
    assert {**time.terms, **terms} == time.terms


@pytest.mark.parametrize(
    ("time", "label"),
    [
        (Time(main=30), "30 s"),
        (Time(main=600, increment=5), "10 min + 5 s"),
        (Time(main=90), "1.5 min"),
        (Time(days=1), "1 day per move"),
    ],
)
def test_labels_of_times(time: Time, label: str) -> None:
    assert time.label == label
    assert Time.labelled(label) == time
    assert Time.of(time.terms) == time
    assert Time.of({}) is None


@pytest.mark.parametrize(
    ("text", "main", "increment"), [("5+3", 300, 3), ("5", 300, 0), ("0.5+0.5", 30, 0.5), (" 1440+3600 ", 86400, 3600)]
)
def test_the_notation_of_a_time(text: str, main: float, increment: float) -> None:
    assert Time.parse(text) == Time(main=main, increment=increment)


@pytest.mark.parametrize(
    "text", ["", "x", "5+", "+3", "5+3+1", "-5", "5,5", "1e3", "5 min + 3 s", "5" * 5000, "\u0665"]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(GameError, match=r"such as 5\+3, got") as failure:
        Time.parse(text)
    assert len(str(failure.value)) < 200


@pytest.mark.parametrize("label", ["", "soon", "5", "0 s", "9999 min", "5 min + 9999 s", "90 days per move", "5 days"])
def test_labels_of_no_time(label: str) -> None:
    assert Time.labelled(label) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0"), (0.09, "0.0"), (9.99, "9.9"), (10, "0:10"), (59.1, "1:00"), (3599.5, "1:00:00"), (36_000, "10:00:00")],
)
def test_times_as_text(seconds: float, text: str) -> None:
    assert written_time(seconds) == text


def test_a_bot_spends_a_part_of_its_time() -> None:
    clock = Clock(Time(main=100, increment=2), (100.0, 3.0))
    assert clock.limit(0, now=0) == Limit(seconds=5, most_seconds=12.5)
    assert clock.limit(1, now=0) == Limit(seconds=1, most_seconds=1)  # never more than a third of it
    runs = clock.run(1, now=0)
    assert runs.limit(1, now=10) == Limit(seconds=0.05, most_seconds=0.05)
