"""Game records: `Record`, a tree of moves with comments, and its text format."""

from pentad.record.text import Node, Record, RecordError, Value

__all__ = ["Node", "Record", "RecordError", "Value"]
