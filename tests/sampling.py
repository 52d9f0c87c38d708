"""Samples of many test cases: some in each run, all of them with `--slow`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(cases: Iterable[Any], every: int) -> list[Any]:
    """All cases; only one in `every` runs without `--slow`."""
    return [pytest.param(case, marks=[] if i % every == 0 else [pytest.mark.slow]) for i, case in enumerate(cases)]
