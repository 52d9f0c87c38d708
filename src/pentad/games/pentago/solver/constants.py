"""What the solver's kernels and its driver share: sizes, and records of arrays."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from pentad.kernels.types import Int64s, UInt32s, UInt64s, Word

Numbers: TypeAlias = Int64s
Small: TypeAlias = UInt32s  # ranks of sets fit into it
Words: TypeAlias = UInt64s

TURNINGS = 16  # four sub-boards, each with four rotations
LINES = 4  # words of a set's lines: its even half, its odd half
PART = 9  # spaces per table of sets


class LineTables(NamedTuple):
    """Lines of a board, as many as fit a word, and the spaces that may get marbles."""

    all: Word
    fixed: Words  # by turning, those that other marbles break
    corner: Numbers  # by space its sub-board
    through: Words  # by space and turns of the sub-board


class LevelArrays(NamedTuple):
    """The boards where the mover has `more` + 1 marbles more than at the root."""

    boards: Words
    places: Numbers  # by page, where the boards two plies later begin
    page: int  # the rows of a page
    new: int  # where these boards begin, as if there were all of them
    mover_lines: Words
    other_lines: Words
    spaces: int
    more: int
    deepest: int  # the last ply of the search
    kind: int  # the half of the rotation states of the root
    at_once: Word  # all bits set if a line wins before the rotation
    turn: Words  # by sub-board all bits set if it can be twisted
    larger: Small  # the tables that connect boards (`tables`)
    without: Small


class RowRoom(NamedTuple):
    """What a call writes for its own use."""

    boards: Words
    ranks: Small
    spaces: Numbers
    reads: Words  # the next board of each row below, then those of streams
