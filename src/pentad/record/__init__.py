"""Game records: `Record`, a tree of moves with comments, and its text format."""

from pentad.record.annotations import Value
from pentad.record.scanner import RecordError
from pentad.record.text_format import Node, Record

__all__ = ["Node", "Record", "RecordError", "Value"]
