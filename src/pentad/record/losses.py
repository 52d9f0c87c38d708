"""What a format has no place for, said in one line when a record has been written in it."""

from __future__ import annotations

import logging
from collections import Counter

from pentad.game import shorten
from pentad.record.tree import Record

# The library's way to say something in passing: one line on standard error, unless a program sends it elsewhere.
LOG = logging.getLogger("pentad.formats")


class Losses:
    """What a format has no place for, told in one line when all is written."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.counts: Counter[str] = Counter()

    def note(self, thing: str, often: int = 1) -> None:
        """`thing` is a noun that can be counted, or a phrase that begins with `the`."""
        self.counts[thing] += often

    def note_beyond_moves(self, record: Record, *, comments: bool = True) -> None:
        """Whatever the tree holds beyond the moves of the main line."""
        line = record.end.line
        self.note("variation", sum(max(0, len(node.children) - 1) for node in line))
        self.note("comment", comments * sum(bool(node.comment) for node in line))
        self.note("clock time", sum(node.clock is not None for node in line))
        self.note("value", sum(node.value is not None for node in line))

    def plain(self, text: str, what: str) -> str:
        """A text without line breaks."""
        line = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
        if line != text:
            self.note(f"the line breaks of {what}")
        return line

    def tell(self) -> None:
        told = [
            thing if thing.startswith("the ") else f"{often} {thing}{'s' if often > 1 else ''}"
            for thing, often in self.counts.items()
            if often
        ]
        if told:
            listed = " and ".join(filter(None, (", ".join(told[:-1]), told[-1])))
            LOG.warning("%s has no place for %s: left out", self.format, shorten(listed, 300))
