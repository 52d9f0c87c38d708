"""Numbers with their nouns, and lists of names."""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, thing: str) -> str:
    """A number with its noun.

    >>> count(1, "node"), count(1200, "edge")
    ('1 node', '1,200 edges')
    """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def listed(things: Iterable[str]) -> str:
    """Things joined with commas and `and`.

    >>> listed(["black", "red", "green"]), listed(["black"]), listed([])
    ('black, red and green', 'black', '')
    """
    each = list(things)
    return f"{', '.join(each[:-1])} and {each[-1]}" if len(each) > 1 else "".join(each)
