"""The protocol's text: lines out of bytes, commands, coordinates, numbers. Whatever is wrong is a `ProtocolError`.

Coordinates are `x,y` from 0: x the column from the left, y the row from the top, as managers draw a board. Row 1 of
ours is at the bottom, so on 15 × 15 `0,0` is A15 and `0,14` is A1.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pentad.game import GameError, shown
from pentad.pente.board import Stone

LONGEST_LINE = 1000  # characters; what comes behind them is dropped
OWN, OTHER, MARKED = 1, 2, 3  # whose stone a line of BOARD tells of; the third kind belongs to games not played here

_POINT = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*")
_STONE = re.compile(r"\s*([0-9]{1,4}\s*,\s*[0-9]{1,4})\s*,\s*([0-9])\s*")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


class ProtocolError(GameError):
    """A line that cannot be followed; the message is what stands behind `ERROR`."""


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


class LineReader:
    """Lines out of bytes as they come; CR, LF and both end one, and empty ones are nobody's.

    A line that never ends takes no more memory than a long one: one character more than `LONGEST_LINE` tells that it
    was longer.

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
        """The line that was begun, when nothing more will come."""
        begun, self._begun = self._begun, b""
        return [_text(begun)] if begun else []


def _text(line: bytes) -> str:
    return line[: 4 * LONGEST_LINE + 4].decode("utf-8", "replace")[: LONGEST_LINE + 1]


class Command(NamedTuple):
    """A line's first word, in capitals, and what stands behind it."""

    word: str
    rest: str


def read_command(line: str) -> Command:
    """A line as a command.

    >>> read_command("turn 7,8 ")
    Command(word='TURN', rest='7,8')
    """
    if len(line) > LONGEST_LINE:
        raise ProtocolError(f"a line has at most {LONGEST_LINE} characters")
    word, _, rest = line.strip().partition(" ")
    return Command(word.upper(), rest.strip())


def plain(text: str) -> str:
    """A text as a line of the protocol may hold it: ASCII, and no line's end."""
    return "".join(sign if " " <= sign <= "~" else "?" for sign in text.replace("…", "...").replace("×", "x"))


# ── coordinates and numbers ──────────────────────────────────────────────────────────────────────


def read_point(text: str, size: int) -> Stone:
    """The stone on the point that `x,y` tells.

    >>> read_point("0,0", 15), read_point("7, 7", 15)
    (Stone(column=0, row=14), Stone(column=7, row=7))
    """
    found = _POINT.fullmatch(text)
    if not found:
        raise ProtocolError(f"{shown(text, 30)} is no point such as {size // 2},{size // 2}")
    column, row = int(found[1]), int(found[2])
    if column >= size or row >= size:
        raise ProtocolError(f"there is no point {column},{row}: both numbers are from 0 to {size - 1}")
    return Stone(column, size - 1 - row)


def write_point(stone: Stone, size: int) -> str:
    """`x,y` for a stone.

    >>> write_point(Stone(0, 14), 15)
    '0,0'
    """
    return f"{stone.column},{size - 1 - stone.row}"


def read_stone(text: str, size: int) -> tuple[Stone, int]:
    """A line of BOARD, `x,y,who`: the stone, and whether it is one's own or the other's."""
    found = _STONE.fullmatch(text)
    if not found:
        raise ProtocolError(f"{shown(text, 30)} is no stone such as {size // 2},{size // 2},1; DONE ends the stones")
    stone, who = read_point(found[1], size), int(found[2])
    if who not in (OWN, OTHER):
        kind = "marks what only continuous games and renju have" if who == MARKED else "is nobody's"
        raise ProtocolError(f"the last number of {shown(text, 30)} {kind}; {OWN} is own, {OTHER} the opponent's")
    return stone, who


def read_size(text: str) -> int:
    """The size that START asks for."""
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ProtocolError(f"the board's size is a number such as 15, not {shown(text, 30)}")
    return int(text)


def read_rectangle(text: str) -> int:
    """The size that RECTSTART asks for; only squares are boards here."""
    found = _POINT.fullmatch(text)
    if not found:
        raise ProtocolError(f"the board's width and height are numbers such as 15,15, not {shown(text, 30)}")
    width, height = int(found[1]), int(found[2])
    if width != height:
        raise ProtocolError(f"a board is as high as it is wide, not {width} by {height}")
    return width


def read_number(key: str, text: str) -> int:
    """The number of an INFO line."""
    if not _NUMBER.fullmatch(text):
        raise ProtocolError(f"{key} is a number, not {shown(text, 30)}")
    return int(text)
