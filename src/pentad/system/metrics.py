"""Metrics of this process: counters, gauges and histograms that monitoring can read, without any package.

A metric is defined once, in the module that counts, and is then in `ALL`. Its name has its unit at the end, as
Prometheus expects it. The values of its labels come from small sets that the program knows: no names, no addresses.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple, TypeAlias

Labels: TypeAlias = tuple[str, ...]

# Upper bounds of buckets: seconds of work and of waits, and counts of things.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
COUNTS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)

ALL: dict[str, Metric] = {}  # those of the modules that are loaded


class Metric:
    """A number, or several by the values of their labels."""

    kind: ClassVar[str]

    def __init__(self, name: str, about: str, *labels: str) -> None:
        if name in ALL:
            raise ValueError(name)
        self.name, self.about, self.labels = name, about, labels
        self._lock = threading.Lock()  # threads count things, too
        ALL[name] = self


class CounterMetric(Metric):
    """A number that only grows."""

    kind = "counter"

    def __init__(self, name: str, about: str, *labels: str, values: Iterable[str] = ()) -> None:
        """`values` are those of a single label that is known beforehand: they are 0 from the beginning."""
        super().__init__(name, about, *labels)
        self._counts: dict[Labels, float] = {(each,): 0 for each in values} if labels else {(): 0}

    def add(self, *values: str) -> None:
        """Counts one more, for these values of the labels."""
        with self._lock:
            self._counts[values] = self._counts.get(values, 0) + 1

    def counts(self) -> Mapping[Labels, float]:
        """The counts by the values of the labels."""
        with self._lock:
            return dict(self._counts)


class Gauge(Metric):
    """A number that grows and shrinks."""

    kind = "gauge"

    def __init__(self, name: str, about: str, *labels: str) -> None:
        super().__init__(name, about, *labels)
        self._numbers: dict[Labels, float] = {} if labels else {(): 0}

    def add(self, by: float, *values: str) -> None:
        """Adds to the number, for these values of the labels."""
        with self._lock:
            self._numbers[values] = self._numbers.get(values, 0) + by

    def numbers(self) -> Mapping[Labels, float]:
        """The numbers by the values of the labels."""
        with self._lock:
            return dict(self._numbers)


class Distribution(NamedTuple):
    """How many observations are in each bucket, the last of which has no bound, and their sum."""

    counts: tuple[int, ...]
    sum: float


class Histogram(Metric):
    """Observed values: how many lie below each of some bounds."""

    kind = "histogram"

    def __init__(self, name: str, about: str, *labels: str, bounds: tuple[float, ...] = SECONDS) -> None:
        super().__init__(name, about, *labels)
        self.bounds = bounds
        self._counts: dict[Labels, list[int]] = {}
        self._sums: dict[Labels, float] = {}
        if not labels:
            self._start(())

    def _start(self, values: Labels) -> list[int]:
        self._sums[values] = 0.0
        counts = self._counts[values] = [0] * (len(self.bounds) + 1)
        return counts

    def observe(self, value: float, *values: str) -> None:
        """Counts a value, for these values of the labels."""
        bucket = bisect_left(self.bounds, value)
        with self._lock:
            counts = self._counts.get(values) or self._start(values)
            counts[bucket] += 1
            self._sums[values] += value

    def distributions(self) -> Mapping[Labels, Distribution]:
        """The observations by the values of the labels."""
        with self._lock:
            return {values: Distribution(tuple(counts), self._sums[values]) for values, counts in self._counts.items()}
