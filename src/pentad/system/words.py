"""Messages with gaps, numbers with their nouns, lists of names, and tables of names with their descriptions."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 80  # columns of a table


def phrase(template: str, /, **gaps: object) -> str:
    """A message, or a part of one, with its gaps filled, if any. The template is a literal: a catalogue can hold it.

    >>> phrase("Expected {count:,} points, got {what}.", count=1200, what="none")
    'Expected 1,200 points, got none.'
    """
    return template.format_map(gaps) if gaps else template


def count(number: int, thing: str) -> str:
    """A number with its noun.

    >>> count(1, "node"), count(1200, "edge")
    ('1 node', '1,200 edges')
    """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def amount(size: int) -> str:
    """A number of bytes, such as of memory.

    >>> amount(60 << 20), amount(3 << 29), amount(100)
    ('60 MiB', '1.5 GiB', '0.1 KiB')
    """
    unit, name = next((each for each in ((1 << 30, "GiB"), (1 << 20, "MiB")) if size >= each[0]), (1 << 10, "KiB"))
    return f"{size / unit:,.1f}".removesuffix(".0") + f" {name}"


def listed(things: Iterable[str]) -> str:
    """Things joined with commas and `and`.

    >>> listed(["black", "red", "green"]), listed(["black"]), listed([])
    ('black, red and green', 'black', '')
    """
    each = list(things)
    return f"{', '.join(each[:-1])} and {each[-1]}" if len(each) > 1 else "".join(each)


def uncapitalized(words: str) -> str:
    """Words in the middle of a sentence; a name in capitals or with digits stays.

    >>> uncapitalized("Place at K10"), uncapitalized("K10")
    ('place at K10', 'K10')
    """
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


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
