"""Kernels of many games of Pentago at once, on any board and for any number of players.

A state is that of `constants`; marbles, lines and twists are those of `pentad.games.pentago.playouts.kernels`.
"""

from __future__ import annotations

from pentad.games.pentago.batch.constants import (
    CELLS,
    HELD,
    LAST,
    LINE,
    MOVING,
    NUMBERS,
    PLACED,
    PLACEMENT_WINS,
    PLAYERS,
    RESULT,
    SPACES,
    STRIDE,
    TWISTS,
)
from pentad.games.pentago.playouts.constants import EMPTY, BoardRules
from pentad.games.pentago.playouts.kernels import completes, marbles_until, players_with_line, turn_sub_board
from pentad.kernels.decorator import kernel
from pentad.kernels.random_kernels import STEP, high_below, low_below, mixed
from pentad.kernels.types import Int8s, Int64s, UInt64s
from pentad.search.batch_kernels import batches, long, word
from pentad.search.constants import PLY, SEAT


@kernel
def rules_of(rules: Int64s) -> BoardRules:
    """The rules from their array."""
    cells = NUMBERS + rules[SPACES]
    moving = rules[TWISTS] * rules[MOVING]
    return BoardRules(
        rules[SPACES], rules[TWISTS], rules[LINE], rules[STRIDE], rules[PLAYERS], rules[PLACEMENT_WINS], rules[MOVING],
        rules[NUMBERS:cells], rules[cells : cells + moving], rules[cells + moving : cells + 2 * moving],
    )  # fmt: skip


@kernel
def play(rules: Int64s, state: Int64s, action: int, work: Int64s) -> None:
    """Places a marble or twists a sub-board."""
    t = rules_of(rules)
    board = state[CELLS:]
    seat = state[SEAT]
    if not state[PLACED]:
        cell = t.cells[action]
        board[cell] = seat + 1
        state[HELD] += 1
        state[LAST] = cell
        can_win = t.placement_wins and state[HELD] >= marbles_until(t.players, t.line)
        if not (can_win and completes(t, board, cell, seat + 1)):
            state[PLACED] = 1
            return
        state[RESULT] = 1 << seat
    else:
        twist = action - t.spaces
        turn_sub_board(t, board, twist, work)
        state[PLACED] = 0
        winners = (
            players_with_line(t, board, twist, state[LAST]) if state[HELD] >= marbles_until(t.players, t.line) else 0
        )
        if winners or state[HELD] == t.spaces:
            state[RESULT] = winners
    state[PLY] += 1
    state[SEAT] = (seat + 1) % t.players


@kernel
def result(rules: Int64s, state: Int64s) -> int:
    """The winners as bits, or -1."""
    return state[RESULT]


@kernel
def legal(rules: Int64s, state: Int64s, mask: Int8s, work: Int64s) -> None:
    """Marks the empty spaces, or all twists."""
    t = rules_of(rules)
    if state[PLACED]:
        mask[t.spaces :] = 1
        return
    for space in range(t.spaces):
        mask[space] = state[CELLS + t.cells[space]] == EMPTY


@kernel
def observe(rules: Int64s, state: Int64s, planes: Int8s) -> None:
    """Marks the marbles of each seat, the seat to move, and whether a twist is due."""
    t = rules_of(rules)
    seat, size = state[SEAT], t.spaces
    for space in range(size):
        owner = state[CELLS + t.cells[space]] - 1
        if owner >= 0:
            planes[(owner - seat) % t.players * size + space] = 1
    planes[t.players * size : (t.players + 1) * size] = 1
    planes[2 * t.players * size :] = state[PLACED]


@kernel
def random_step(rules: Int64s, state: Int64s, work: Int64s, counter: UInt64s) -> int:
    """An empty space or a twist; a space that wins is one turn, any other is one for each twist."""
    t = rules_of(rules)
    board = state[CELLS:]
    seat = state[SEAT]
    can_win = t.placement_wins and state[HELD] + 1 >= marbles_until(t.players, t.line)
    while True:
        counter[0] += STEP
        number = mixed(counter[0])
        twist = long(low_below(number, word(t.twists)))
        if state[PLACED]:
            return t.spaces + twist
        space = long(high_below(number, word(t.spaces)))
        cell = t.cells[space]
        if board[cell] == EMPTY and (twist == 0 or not can_win or not completes(t, board, cell, seat + 1)):
            return space


NATIVE = batches(__name__, play=play, result=result, legal=legal, observe=observe, random_step=random_step)
