"""Kernels of many games of Pentago at once, on any board and for any number of players.

A state is that of `constants`; marbles, lines and twists are those of `pentad.games.pentago.playouts.kernels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pentad.games.pentago.batch.constants import CELLS, HELD, LAST, PLACED, RESULT
from pentad.games.pentago.playouts import constants as k
from pentad.games.pentago.playouts.kernels import completes, marbles_until, players_with_line, turn_sub_board
from pentad.kernels.decorator import kernel
from pentad.kernels.random_kernels import STEP, high_below, low_below, mixed
from pentad.search.batch_kernels import Flags, Ints, Word, Words, batches, long
from pentad.search.constants import PLY, SEAT


class Rules(NamedTuple):
    """The rules of a game as the kernels of the playouts want them."""

    spaces: int
    twists: int
    line: int
    stride: int
    players: int
    placement_wins: int
    moving: int
    cells: Ints
    leaves: Ints
    enters: Ints


@kernel
def rules_of(rules: Ints) -> Any:
    """The rules from their array."""
    cells = k.NUMBERS + rules[k.SPACES]
    moving = rules[k.TWISTS] * rules[k.MOVING]
    return Rules(
        rules[k.SPACES], rules[k.TWISTS], rules[k.LINE], rules[k.STRIDE], rules[k.PLAYERS], rules[k.PLACEMENT_WINS],
        rules[k.MOVING], rules[k.NUMBERS : cells], rules[cells : cells + moving],
        rules[cells + moving : cells + 2 * moving],
    )  # fmt: skip


@kernel
def play(rules: Ints, state: Ints, action: int, work: Any) -> None:
    """Places a marble or twists a sub-board."""
    t = rules_of(rules)
    board: Any = state[CELLS:]
    seat = state[SEAT]
    if not state[PLACED]:
        cell = t.cells[action]
        board[cell] = seat + 1
        state[HELD] += 1
        state[LAST] = cell
        can_win = t.placement_wins and state[HELD] >= marbles_until(t, t.line)
        if not (can_win and completes(t, board, cell, seat + 1)):
            state[PLACED] = 1
            return
        state[RESULT] = 1 << seat
    else:
        twist = action - t.spaces
        turn_sub_board(t, board, twist, work)
        state[PLACED] = 0
        winners = players_with_line(t, board, twist, state[LAST]) if state[HELD] >= marbles_until(t, t.line) else 0
        if winners or state[HELD] == t.spaces:
            state[RESULT] = winners
    state[PLY] += 1
    state[SEAT] = (seat + 1) % t.players


@kernel
def result(rules: Ints, state: Ints) -> int:
    """The winners as bits, or -1."""
    return int(state[RESULT])


@kernel
def legal(rules: Ints, state: Ints, mask: Flags, work: Ints) -> None:
    """Marks the empty spaces, or all twists."""
    t = rules_of(rules)
    if state[PLACED]:
        mask[t.spaces :] = 1
        return
    for space in range(t.spaces):
        mask[space] = state[CELLS + t.cells[space]] == k.EMPTY


@kernel
def observe(rules: Ints, state: Ints, planes: Flags) -> None:
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
def random_step(rules: Ints, state: Ints, work: Ints, counter: Words) -> int:
    """An empty space or a twist; a space that wins is one turn, any other is one for each twist."""
    t = rules_of(rules)
    board: Any = state[CELLS:]
    seat = state[SEAT]
    can_win = t.placement_wins and state[HELD] + 1 >= marbles_until(t, t.line)
    while True:
        counter[0] += STEP
        number = mixed(counter[0])
        twist = long(low_below(number, Word(t.twists)))
        if state[PLACED]:
            return int(t.spaces + twist)
        space = long(high_below(number, Word(t.spaces)))
        cell = t.cells[space]
        if board[cell] == k.EMPTY and (twist == 0 or not can_win or not completes(t, board, cell, seat + 1)):
            return space


NATIVE = batches(__name__, play=play, result=result, legal=legal, observe=observe, random_step=random_step)
