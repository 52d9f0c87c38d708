"""Kernels that read and write the text of a position with default options, after the name of the game."""

from __future__ import annotations

from pentad.games.pente.batch import constants as k
from pentad.games.pente.batch.step_kernels import end_turn, row_of
from pentad.kernels.decorator import kernel
from pentad.kernels.text_kernels import COMMA, SLASH, SPACE, read_number, write_letter, write_number
from pentad.kernels.types import Int64s
from pentad.search.constants import PLY

LETTER_OF_WHITE, LETTER_OF_BLACK = map(ord, "wb")


@kernel
def read_rows(rules: Int64s, state: Int64s, text: Int64s, counts: Int64s) -> int:
    """Reads the rows, and counts the stones of each colour; returns the place after them, 0 if a row is incomplete."""
    size, at = rules[k.SIZE], 0
    for row in range(size - 1, -1, -1):
        cell = row_of(rules, row)
        end = cell + size
        while cell < end:
            if text[at] == LETTER_OF_WHITE or text[at] == LETTER_OF_BLACK:
                colour = int(text[at] == LETTER_OF_BLACK)
                state[cell] = k.WHITE + colour
                counts[colour] += 1
                cell += 1
                at += 1
                continue
            empty, at = read_number(text, at)
            if not empty:
                return 0
            cell += empty
        at += 1
    return at


@kernel
def read(rules: Int64s, state: Int64s, text: Int64s, work: Int64s) -> int:
    """Reads a text into the state of a new game; returns whether it can be a position.

    Not if both colours have captured enough to win, as a game may go on after that.
    """
    work[:2] = 0
    at = read_rows(rules, state, text, work)
    if not at:
        return 0
    white, at = read_number(text, at)
    black, _ = read_number(text, at + 1)
    state[k.TAKEN], state[k.TAKEN + 1] = white, black
    stones = int(work[0] + work[1])
    ahead = work[0] + black - work[1] - white
    least, most = min(white, black), max(white, black)
    if ahead < 0 or ahead > 1 or least >= rules[k.CAPTURE_WIN] or most >= rules[k.CAPTURE_WIN] + 8 * rules[k.CAPTURES]:
        return 0
    state[k.PLACED] = state[PLY] = stones + white + black
    state[k.FREE] = rules[k.SIZE] * rules[k.SIZE] - stones
    end_turn(rules, state, 0, work)
    return 1


@kernel
def write(rules: Int64s, state: Int64s, text: Int64s) -> int:
    """Writes the text of a position; returns its length."""
    size, at = rules[k.SIZE], 0
    for row in range(size - 1, -1, -1):
        first, empty = row_of(rules, row), 0
        for cell in range(first, first + size):
            if state[cell] == k.EMPTY:
                empty += 1
                continue
            if empty:
                at = write_number(text, at, empty)
            empty = 0
            at = write_letter(text, at, LETTER_OF_WHITE if state[cell] == k.WHITE else LETTER_OF_BLACK)
        if empty:
            at = write_number(text, at, empty)
        at = write_letter(text, at, SLASH if row else SPACE)
    at = write_letter(text, write_number(text, at, state[k.TAKEN]), COMMA)
    return write_number(text, at, state[k.TAKEN + 1])
