"""Cases of parametrized tests: option sets of games, and cases that run only with `--slow`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest


def slow(*values: Any, id: str | None = None) -> Any:
    """A case that runs only with `--slow`."""
    return pytest.param(*values, marks=pytest.mark.slow, id=id)


def slow_but(cases: Iterable[Any], *fast: Any) -> list[Any]:
    """Cases of one value each, which are slow except those named."""
    return [each if each in fast else slow(each) for each in cases]


def thinned(cases: Iterable[Any], every: int) -> list[Any]:
    """All cases; only one in `every` runs without `--slow`."""
    return [pytest.param(case, marks=[] if i % every == 0 else [pytest.mark.slow]) for i, case in enumerate(cases)]


def every_game_of(games: Mapping[str, dict[str, Any]]) -> pytest.MarkDecorator:
    """Runs a test for each option set, as `options`."""
    return pytest.mark.parametrize("options", games.values(), ids=games.keys())


class Anything:
    """An object of an unrelated type."""

    def __repr__(self) -> str:
        return "Anything()"
