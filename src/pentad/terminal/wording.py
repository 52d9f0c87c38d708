"""Tables of names and descriptions that fit 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 80


def table(rows: Iterable[tuple[str, str]], indent: int = 2) -> Iterator[str]:
    """The lines of a table of names and their descriptions, which are wrapped.

    >>> print(*table([("undo", "take back a move"), ("hint", "suggest a move")]), sep="\\n")
      undo  take back a move
      hint  suggest a move
    """
    entries = list(rows)
    column = indent + max((len(name) for name, _ in entries), default=0) + 2
    for name, text in entries:
        first = f"{'':{indent}}{name}".ljust(column)
        yield textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=" " * column, break_on_hyphens=False)
