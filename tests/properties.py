"""Settings of property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

SLOW_DRAWS = (HealthCheck.too_slow, HealthCheck.data_too_large)


def some_of(count: int) -> int:
    """A count of random cases with `--slow`; in a fast run the share of it that property tests take."""
    return max(1, round(count * settings().max_examples / 100))


def properties(examples: int = 100, **more: Any) -> settings:
    """So many examples with `--slow`; in a fast run a seventh of them, by the profile that tests/conftest.py loads."""
    return settings(max_examples=some_of(examples), **{"suppress_health_check": SLOW_DRAWS, **more})
