"""Imports of optional packages: one line says what to install if they are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Turns the failed import of a package into an `ImportError` that names the extra of pentad that brings it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        raise ImportError(f'{what} need {package}, which is not installed: pip install "pentad[{extra}]"') from None
