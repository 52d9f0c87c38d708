"""Kernels that write the numbers of `looks` from the state of a game: what the drawing shows, and a legal step."""

from __future__ import annotations

from pentad.games.pentago.batch.constants import CELLS, PLACED, RESULT
from pentad.games.pentago.batch.step_kernels import rules_of
from pentad.games.pentago.look_constants import CHOICE, STATUSES, TURNED
from pentad.games.pentago.playouts.kernels import completes
from pentad.kernels.decorator import kernel
from pentad.kernels.types import Int64s
from pentad.search.constants import SEAT


@kernel
def look(rules: Int64s, state: Int64s, last: Int64s, count: int, numbers: Int64s) -> None:
    """Writes what the drawing shows after `count` actions of a turn, the last one or that of the seat to move."""
    t = rules_of(rules)
    board = state[CELLS:]
    players, winners = t.players, state[RESULT]
    sub_boards = t.spaces
    twists = sub_boards + t.twists // 2
    status = twists + t.twists
    numbers[:] = 0
    placed, twist = -1, -1
    for i in range(count):
        if last[i] < t.spaces:
            placed = t.cells[last[i]]
            continue
        twist = last[i] - t.spaces
        for j in range(twist * t.moving, (twist + 1) * t.moving):
            if t.leaves[j] == placed:
                placed = t.enters[j]
                break
    for space in range(t.spaces):
        cell = t.cells[space]
        holder = board[cell]
        numbers[space] = holder + 2 * (players + 1) * (cell == placed)
        if holder:
            if winners > 0 and winners >> (holder - 1) & 1 and completes(t, board, cell, holder):
                numbers[space] += players + 1
            held = status + 1 + (holder - 1) * (t.spaces + 1)
            numbers[held] += 1
            numbers[held + numbers[held]] = space
    if state[PLACED]:
        numbers[twists:status] = CHOICE
    if twist >= 0:
        numbers[sub_boards + twist // 2] = 1 + twist % 2
        if not state[PLACED]:
            numbers[twists + twist] = TURNED
    numbers[status] = STATUSES * state[SEAT] + state[PLACED] if winners < 0 else STATUSES * players + winners


@kernel
def offer(rules: Int64s, state: Int64s, action: int, numbers: Int64s, work: Int64s) -> None:
    """Writes the numbers of a legal step."""
    numbers[0], numbers[1] = action, state[SEAT]
