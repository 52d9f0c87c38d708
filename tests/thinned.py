"""Many cases of one kind: some of them at each run, all of them with `--slow`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(cases: Iterable[Any], every: int) -> list[Any]:
    """The cases, of which each so-manieth is quick."""
    return [pytest.param(case, marks=[] if i % every == 0 else [pytest.mark.slow]) for i, case in enumerate(cases)]
