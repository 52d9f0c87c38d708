"""Work, counted in lines of Python that run: the same on a slow machine as on a fast one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def at_most(lines: int) -> Iterator[None]:
    """Fail as soon as this thread runs more lines of Python than these."""
    count, before = 0, sys.gettrace()

    def trace(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if count > lines:
                sys.settrace(before)
                raise AssertionError(f"more than {lines:,} lines of Python")
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
    assert count <= lines, f"{count:,} lines of Python, at most {lines:,} are allowed"
