"""Syntax of the Gomocup protocol: lines from bytes, commands, coordinates and numbers; errors are `ProtocolError`.

Coordinates are `x,y` from 0: x is the column from the left, y the row from the top. Pentad's row 1 is at the bottom, so
on 15 × 15 `0,0` is A15 and `0,14` is A1.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pentad.game import GameError, shown
from pentad.pente.board import Stone

LONGEST_LINE = 1000  # characters; the rest is dropped
OWN, OTHER, MARKED = 1, 2, 3  # the owner of a stone in BOARD; the third kind belongs to games not supported

_POINT = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*")
_STONE = re.compile(r"\s*([0-9]{1,4}\s*,\s*[0-9]{1,4})\s*,\s*([0-9])\s*")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


class ProtocolError(GameError):
    """A line that cannot be executed; the message follows `ERROR`."""


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


class LineReader:
    """Splits a byte stream into lines; CR, LF or both end a line, and empty lines are dropped.

    A line without an end takes no more memory than a long one: it is cut to one character more than `LONGEST_LINE`.

    >>> lines = LineReader()
    >>> lines.feed(b"START 15\\r\\nBE"), lines.feed(b"GIN\\n"), lines.feed(b"END"), lines.rest()
    (['START 15'], ['BEGIN'], [], ['END'])
    """

    def __init__(self) -> None:
        self._begun = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that these bytes complete."""
        *whole, begun = re.split(rb"[\r\n]+", self._begun + data)
        self._begun = begun[: 4 * LONGEST_LINE + 4]  # a character has four bytes at most
        return [_text(line) for line in whole if line]

    def rest(self) -> list[str]:
        """The incomplete line at the end of the stream."""
        begun, self._begun = self._begun, b""
        return [_text(begun)] if begun else []


def _text(line: bytes) -> str:
    return line[: 4 * LONGEST_LINE + 4].decode("utf-8", "replace")[: LONGEST_LINE + 1]


class Command(NamedTuple):
    """A line's first word, in capitals, and the rest."""

    word: str
    rest: str


def read_command(line: str) -> Command:
    """Parses a line as a command.

    >>> read_command("turn 7,8 ")
    Command(word='TURN', rest='7,8')
    """
    if len(line) > LONGEST_LINE:
        raise ProtocolError(f"The line is longer than {LONGEST_LINE} characters.")
    word, _, rest = line.strip().partition(" ")
    return Command(word.upper(), rest.strip())


def plain(text: str) -> str:
    """A text in printable ASCII, as a line of the protocol may hold it."""
    return "".join(sign if " " <= sign <= "~" else "?" for sign in text.replace("…", "...").replace("×", "x"))


# ── coordinates and numbers ──────────────────────────────────────────────────────────────────────


def read_point(text: str, size: int) -> Stone:
    """Parses a point `x,y`.

    >>> read_point("0,0", 15), read_point("7, 7", 15)
    (Stone(column=0, row=14), Stone(column=7, row=7))
    """
    found = _POINT.fullmatch(text)
    if not found:
        raise ProtocolError(f"Expected a point such as {size // 2},{size // 2}, got {shown(text, 30)}.")
    column, row = int(found[1]), int(found[2])
    if column >= size or row >= size:
        raise ProtocolError(f"{column},{row} is not on the board; both numbers are from 0 to {size - 1}.")
    return Stone(column, size - 1 - row)


def write_point(stone: Stone, size: int) -> str:
    """A stone as `x,y`.

    >>> write_point(Stone(0, 14), 15)
    '0,0'
    """
    return f"{stone.column},{size - 1 - stone.row}"


def read_stone(text: str, size: int) -> tuple[Stone, int]:
    """Parses a line of BOARD, `x,y,owner`."""
    found = _STONE.fullmatch(text)
    if not found:
        raise ProtocolError(f"Expected a stone such as {size // 2},{size // 2},1 or DONE, got {shown(text, 30)}.")
    stone, who = read_point(found[1], size), int(found[2])
    if who not in (OWN, OTHER):
        note = " Continuous games and renju are not supported." if who == MARKED else ""
        raise ProtocolError(
            f"The owner in {shown(text, 30)} must be {OWN} for own or {OTHER} for the opponent, not {who}.{note}"
        )
    return stone, who


def read_size(text: str) -> int:
    """Parses the size of START."""
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ProtocolError(f"The board's size must be a number such as 15, not {shown(text, 30)}.")
    return int(text)


def read_rectangle(text: str) -> int:
    """Parses the size of RECTSTART; only square boards are supported."""
    found = _POINT.fullmatch(text)
    if not found:
        raise ProtocolError(f"The board's width and height must be numbers such as 15,15, not {shown(text, 30)}.")
    width, height = int(found[1]), int(found[2])
    if width != height:
        raise ProtocolError(f"The board must be square, not {width} by {height}.")
    return width


def read_number(key: str, text: str) -> int:
    """Parses the number of an INFO line."""
    if not _NUMBER.fullmatch(text):
        raise ProtocolError(f"{key} must be a number, not {shown(text, 30)}.")
    return int(text)
