"""Game records: `Record`, a tree of moves with comments, and its text format."""

from pentad.record.text import RecordError
from pentad.record.tree import Node, Record, Value

__all__ = ["Node", "Record", "RecordError", "Value"]
