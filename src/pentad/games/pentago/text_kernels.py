"""Kernels that read and write the text of a position with default options, after the name of the game."""

from __future__ import annotations

from pentad.games.pentago.batch.constants import CELLS, HELD, LAST, NUMBERS, PLACED, RESULT
from pentad.games.pentago.batch.step_kernels import rules_of
from pentad.games.pentago.playouts.kernels import completes
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.text_kernels import SLASH, write_letter, write_word
from pentad.kernels.types import Int64s
from pentad.search.constants import PLY, SEAT

MARBLES = np.array(list(map(ord, ".bwrgyp")), dtype=np.int64)  # by what is on a cell
MIDDLE = np.array(list(map(ord, " placed")), dtype=np.int64)


@kernel
def begins_row(rules: Int64s, space: int) -> bool:
    """Whether a space is the first one of a row below another."""
    cell = NUMBERS + space
    return bool(space > 0 and rules[cell] != rules[cell - 1] + 1)


@kernel
def winners_of(rules: Int64s, board: Int64s) -> int:
    """The seats with a line as bits."""
    t, winners = rules_of(rules), 0
    for space in range(t.spaces):
        owner = int(board[t.cells[space]])
        if owner and completes(t, board, t.cells[space], owner):
            winners |= 1 << owner - 1
    return winners


@kernel
def read(rules: Int64s, state: Int64s, text: Int64s, work: Int64s) -> int:
    """Reads a text into the state of a new game; returns whether it can be a position.

    Not the turn that a line ends before its twist.
    """
    t = rules_of(rules)
    board, at, held = state[CELLS:], 0, 0
    work[: t.players + 1] = 0
    for space in range(t.spaces):
        if begins_row(rules, space):
            at += 1
        owner = 0
        for each in range(1, t.players + 1):
            if text[at] == MARBLES[each]:
                owner = each
        board[t.cells[space]] = owner
        work[owner] += 1
        held += owner > 0
        at += 1
    placed = int(text[at] != 0)
    for seat in range(t.players):
        if work[1 + seat] != (held + t.players - 1 - seat) // t.players:
            return 0
    winners = winners_of(rules, board)
    if placed and (winners or not held):
        return 0
    state[PLACED], state[HELD], state[LAST], state[PLY] = placed, held, -1, held - placed
    state[SEAT] = state[PLY] % t.players
    if winners or (held == t.spaces and not placed):
        state[RESULT] = winners
    return 1


@kernel
def write(rules: Int64s, state: Int64s, text: Int64s) -> int:
    """Writes the text of a position; returns its length."""
    t = rules_of(rules)
    at = 0
    for space in range(t.spaces):
        if begins_row(rules, space):
            at = write_letter(text, at, SLASH)
        at = write_letter(text, at, MARBLES[state[CELLS + t.cells[space]]])
    return write_word(text, at, MIDDLE) if state[PLACED] else at
