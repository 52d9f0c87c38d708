"""Kernels that write the numbers of `looks` from the state of a game: what the drawing shows, and a legal step."""

from __future__ import annotations

from pentad.games.pente import look_constants as n
from pentad.games.pente.batch import constants as k
from pentad.games.pente.batch.step_kernels import cell_of, has_line, has_line_at, row_of, taken_by
from pentad.kernels.decorator import kernel
from pentad.kernels.types import Int64s
from pentad.search.constants import SEAT


@kernel
def winner_of(state: Int64s) -> int:
    """The stone of the colour that has won; 0 if none has."""
    winners = state[k.RESULT]
    if winners <= 0:
        return 0
    return int(k.WHITE + (winners - 1 ^ state[k.SWAPPED]))


@kernel
def status_of(rules: Int64s, state: Int64s) -> int:
    """The number of the status."""
    placed, winner = state[k.PLACED], winner_of(state)
    if winner:
        full = state[k.TAKEN + winner - k.WHITE] >= rules[k.CAPTURE_WIN] > 0
        # Where a line wins at once it comes first, else captures that the other colour has not equalled.
        if full and rules[k.FIVE] == k.AT_ONCE:
            full = not has_line(rules, state, winner)
        elif full:
            full = state[k.TAKEN + 2 * k.WHITE - winner] < rules[k.CAPTURE_WIN]
        return int((n.CAPTURED if full else n.LINED) + winner - k.WHITE)
    if state[k.RESULT] == 0:
        return n.NO_LINE if state[k.FREE] else n.FULL
    if state[k.STAGE]:
        return int(n.STAGED + 2 * state[k.STAGE] + placed % 2)
    return int(min(placed, n.OPENED - placed % 2))


@kernel
def look(rules: Int64s, state: Int64s, last: Int64s, count: int, numbers: Int64s) -> None:
    """Writes what the drawing shows after `count` actions of a turn, the last one or that of the seat to move."""
    size, winner = rules[k.SIZE], winner_of(state)
    points = size * size
    numbers[:] = 0
    point = 0
    for row in range(size):
        first = row_of(rules, row)
        for cell in range(first, first + size):
            stone = state[cell]
            numbers[point] = stone
            if stone:
                if stone == winner and has_line_at(rules, state, cell, stone):
                    numbers[point] += n.WON
                held = points + n.OTHERS + (stone - k.WHITE) * (1 + points)
                numbers[held] += 1
                numbers[held + numbers[held]] = point
            point += 1
    for i in range(count):
        if last[i] < points and numbers[last[i]] < n.LAST:
            numbers[last[i]] += n.LAST
    numbers[points] = status_of(rules, state)
    numbers[points + 1], numbers[points + 2] = state[k.TAKEN], state[k.TAKEN + 1]
    numbers[points + 3] = state[k.STAGE]


@kernel
def offer(rules: Int64s, state: Int64s, action: int, numbers: Int64s, work: Int64s) -> None:
    """Writes the numbers of a legal step."""
    colour = state[k.PLACED] % 2
    is_stone = action < rules[k.SIZE] * rules[k.SIZE]
    taken = taken_by(rules, state, cell_of(rules, action), k.WHITE + colour, work) if is_stone else 0
    numbers[0], numbers[1], numbers[2], numbers[3] = action, colour, taken, state[SEAT]
