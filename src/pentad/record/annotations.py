"""Annotations of moves: values, marks, clock times, and how the text format writes them in comments."""

from __future__ import annotations

import re
from dataclasses import dataclass

MARKS = ("?!", "?", "??", "!?", "!", "!!")  # inaccuracy, mistake, blunder; interesting, good, brilliant

CLOCK = re.compile(r"\[%clk ([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)\] ?")
VALUE = re.compile(r"\[%value ([+-]?(?:0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?))( exact)?\] ?")
MARK = re.compile(r"\[%mark (\?\?|\?!|\?|!\?|!!|!)\] ?")


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a move for the seat that played it, from -1 (lost) to 1 (won); exact if it is proved."""

    number: float
    exact: bool = False


def write_clock(seconds: float) -> str:
    """Seconds as `h:mm:ss`, with thousandths if needed."""
    minutes, rest = divmod(round(seconds * 1000), 60_000)
    tail = f"{rest / 1000:06.3f}".rstrip("0").rstrip(".")
    return f"{minutes // 60}:{minutes % 60:02}:{tail}"
