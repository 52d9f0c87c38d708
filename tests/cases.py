"""Cases of parametrized tests: option sets of games, and cases that run only with `--slow`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from pentad.game import shorten

Test = Callable[..., None]
ParameterSet = type(pytest.param())

LONGEST_VALUE = 200  # characters of a value in a message


def slow(*values: Any, id: str | None = None) -> Any:
    """A case that runs only with `--slow`."""
    return pytest.param(*values, marks=pytest.mark.slow, id=id)


def slow_but(cases: Iterable[Any], *fast: Any) -> list[Any]:
    """Cases of one value each, which are slow except those named."""
    return [each if each in fast else slow(each) for each in cases]


def thinned(cases: Iterable[Any], every: int) -> list[Any]:
    """All cases; only one in `every` runs without `--slow`."""
    return [pytest.param(case, marks=[] if i % every == 0 else [pytest.mark.slow]) for i, case in enumerate(cases)]


def together(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but one test runs all cases, and names each one that fails.

    For many quick cases, because a test by itself costs milliseconds. The cases share the fixtures.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [
        case if isinstance(case, ParameterSet) else pytest.param(*(case if len(keys) > 1 else (case,)))
        for case in cases
    ]
    assert rows, "there are no cases"
    assert not any(row.marks for row in rows), "a case among others cannot be slow"
    assert all(len(row.values) == len(keys) for row in rows), "a case has a value for each name"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def every_case(**fixtures: Any) -> None:
            failures: list[tuple[Any, BaseException]] = []
            for row in rows:
                try:
                    test(**dict(zip(keys, row.values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    failures.append((row, error))
            if failures:
                lines = [f"{_named(row)}: {type(error).__name__}: {error}" for row, error in failures]
                title = f"{len(failures)} of {len(rows)} cases failed"
                raise AssertionError("\n".join([title, *lines])) from failures[0][1]

        parameters = inspect.signature(test).parameters
        assert parameters.keys() >= set(keys), "the test takes a value for each name"
        fixtures = [each for name, each in parameters.items() if name not in keys]
        every_case.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return every_case

    return decorate


def _named(row: Any) -> str:
    """The name of a case in a message: its id, or the beginnings of its values."""
    return str(row.id or ", ".join(shorten(repr(value), LONGEST_VALUE) for value in row.values))


def every_game_of(games: Mapping[str, dict[str, Any]]) -> pytest.MarkDecorator:
    """Runs a test for each option set, as `options`."""
    return pytest.mark.parametrize("options", games.values(), ids=games.keys())


class Anything:
    """An object of an unrelated type."""

    def __repr__(self) -> str:
        return "Anything()"
