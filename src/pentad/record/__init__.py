"""Game records: `Record`, a tree of moves with comments, and its text format."""

from pentad.record.annotations import Value
from pentad.record.text_format import Node, Record, RecordError

__all__ = ["Node", "Record", "RecordError", "Value"]
