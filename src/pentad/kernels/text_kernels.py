"""Kernels that read and write parts of texts, which are arrays of characters' numbers that end with 0.

A place in a text is the index of a character. Those that read are for texts that are written again and compared: they
read something from any text.
"""

from __future__ import annotations

from pentad.kernels.decorator import kernel
from pentad.kernels.types import Array, Int64s

SPACE, PLUS, COMMA, HYPHEN, SLASH, DIGIT = map(ord, " +,-/0")
MOST_READ = 1_000_000  # a longer number is cut off


@kernel
def read_number(text: Int64s, at: int) -> tuple[int, int]:
    """A number without sign, 0 if there is none, and the place after it."""
    number = 0
    while DIGIT <= text[at] < DIGIT + 10 and number < MOST_READ:
        number = 10 * number + int(text[at]) - DIGIT
        at += 1
    return number, at


@kernel
def write_number(text: Int64s, at: int, number: int) -> int:
    """Writes a number without sign; returns the place after it."""
    end, rest = at + 1, number // 10
    while rest:
        end += 1
        rest //= 10
    for i in range(end - 1, at - 1, -1):
        text[i] = DIGIT + number % 10
        number //= 10
    return end


@kernel
def write_word(text: Int64s, at: int, word: Array[int]) -> int:
    """Writes the characters of a word; returns the place after it."""
    for letter in word:
        text[at] = letter
        at += 1
    return at


@kernel
def write_letter(text: Int64s, at: int, letter: int) -> int:
    """Writes a character; returns the place after it."""
    text[at] = letter
    return at + 1
