"""Counters and histograms: exact under threads, and each name defined once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from pentad.system import metrics
from pentad.system.metrics import CounterMetric, Distribution, Gauge, Histogram


@pytest.fixture(autouse=True)
def own_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Metrics of these tests are not those of the process."""
    monkeypatch.setattr(metrics, "ALL", {})


def test_a_counter_counts_by_its_labels() -> None:
    moves = CounterMetric("moves_total", "Moves.", "game", "player")
    for game in ("pente", "pentago", "pente"):
        moves.add(game, "bot")
    assert moves.counts() == {("pente", "bot"): 2, ("pentago", "bot"): 1}


def test_a_counter_without_labels_is_there_from_the_beginning() -> None:
    assert CounterMetric("failures_total", "Failures.").counts() == {(): 0}


def test_known_values_of_a_label_are_there_from_the_beginning() -> None:
    failures = CounterMetric("failures_total", "Failures.", "operation", values=("read", "write"))
    failures.add("read")
    assert failures.counts() == {("read",): 1, ("write",): 0}


def test_a_gauge_grows_and_shrinks() -> None:
    sockets = Gauge("sockets", "Sockets.", "route")
    for by in (1, 1, -1):
        sockets.add(by, "/play")
    assert sockets.numbers() == {("/play",): 1}
    assert Gauge("rooms", "Rooms.").numbers() == {(): 0}


def test_a_histogram_counts_what_is_at_most_each_bound() -> None:
    seconds = Histogram("wait_seconds", "Waits.", "queue", bounds=(0.1, 1.0))
    for value in (0.0, 0.1, 0.5, 1.0, 1.5, 100.0):
        seconds.observe(value, "quick")
    assert seconds.distributions() == {("quick",): Distribution((2, 2, 2), 103.1)}


def test_a_histogram_without_labels_is_there_from_the_beginning() -> None:
    assert Histogram("commit_seconds", "Commits.", bounds=(1.0,)).distributions() == {(): Distribution((0, 0), 0.0)}


def test_no_count_of_a_thread_is_lost() -> None:
    moves, seconds = CounterMetric("moves_total", "Moves."), Histogram("move_seconds", "Moves.")

    def count(_: int) -> None:
        for _ in range(2000):
            moves.add()
            seconds.observe(1.0)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count, range(8)))
    assert moves.counts() == {(): 16_000}
    assert sum(seconds.distributions()[()].counts) == seconds.distributions()[()].sum == 16_000


def test_what_was_read_does_not_change() -> None:
    moves = CounterMetric("moves_total", "Moves.")
    before = moves.counts()
    moves.add()
    assert before == {(): 0}


def test_a_name_is_defined_once() -> None:
    CounterMetric("moves_total", "Moves.")
    with pytest.raises(ValueError, match="moves_total"):
        Histogram("moves_total", "Moves.")
