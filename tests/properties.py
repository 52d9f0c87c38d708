"""Settings of property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

SLOW_DRAWS = (HealthCheck.too_slow, HealthCheck.data_too_large)


def properties(examples: int = 100, **more: Any) -> settings:
    """So many examples with `--slow`; in a fast run a quarter of them, by the profile that tests/conftest.py loads."""
    share = settings().max_examples / 100
    return settings(max_examples=max(1, round(examples * share)), **{"suppress_health_check": SLOW_DRAWS, **more})
