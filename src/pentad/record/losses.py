"""Lossy conversion: a one-line warning about what a format cannot represent."""

from __future__ import annotations

import logging
from collections import Counter

from pentad.game import shorten
from pentad.record.tree import Record

# Warnings of the library: one line on standard error unless a program configures logging.
LOG = logging.getLogger("pentad.formats")


class Losses:
    """Counts what a format cannot represent, for one warning at the end."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.counts: Counter[str] = Counter()

    def note(self, thing: str, often: int = 1) -> None:
        """Counts a loss; `thing` is a countable noun, or a phrase that begins with `the`."""
        self.counts[thing] += often

    def note_beyond_moves(self, record: Record, *, comments: bool = True) -> None:
        """Counts everything in the tree except the moves of the main line."""
        line = record.end.line
        self.note("variation", sum(max(0, len(node.children) - 1) for node in line))
        self.note("comment", comments * sum(bool(node.comment) for node in line))
        self.note("clock time", sum(node.clock is not None for node in line))
        self.note("value", sum(node.value is not None for node in line))

    def plain(self, text: str, what: str) -> str:
        """Returns the text without line breaks."""
        line = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
        if line != text:
            self.note(f"the line breaks of {what}")
        return line

    def warn(self) -> None:
        """Logs the warning, if anything was lost."""
        lost = [
            thing if thing.startswith("the ") else f"{often} {thing}{'s' if often > 1 else ''}"
            for thing, often in self.counts.items()
            if often
        ]
        if lost:
            listed = " and ".join(filter(None, (", ".join(lost[:-1]), lost[-1])))
            LOG.warning("%s cannot represent %s; left out.", self.format, shorten(listed, 300))
