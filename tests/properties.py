"""Settings of property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

SLOW_DRAWS = (HealthCheck.too_slow, HealthCheck.data_too_large)


def some_of(count: int) -> int:
    """A count of random cases with `--slow`; in a fast run the share of it that property tests take."""
    return max(1, round(count * settings().max_examples / 100))


def properties(examples: int = 100, **more: Any) -> settings:
    """So many examples with `--slow`, new ones each time; in a fast run a seventh, the same ones for the same sources.

    tests/conftest.py loads the profile. An example that fails becomes an `@example` of its test.
    """
    return settings(max_examples=some_of(examples), **{"suppress_health_check": SLOW_DRAWS, **more})
