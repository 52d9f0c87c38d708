"""The evaluation: a small neural net over the race of all seats' pieces, in integers.

Its inputs are rows of weights, one for each piece and some for the rest of the position (see `constants`). Their sum is
the first layer, and a part of the logarithms of the seats' chances to win. There is a net for each number of players.
"""

from __future__ import annotations

from itertools import accumulate

from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.position_kernels import State, pool, race
from pentad.kernels.decorator import kernel
from pentad.kernels.integer_vectors import (
    first_words,
    larger,
    last_words,
    load_shorts,
    products,
    repeat_pair,
    same_shorts,
    same_words,
    shorts_in,
    smaller,
    store,
    words_in,
)
from pentad.kernels.math_kernels import exp
from pentad.kernels.numbers import np
from pentad.kernels.types import Float64s, Int16s, Int64s

START, MIDDLE, SECOND = np.uint64(0), np.uint64(8), np.uint64(2 * k.HIDDEN)  # vectors begin at these places
HALF, LAYER = np.uint64(k.HIDDEN), np.uint64(k.LAYER)
LOGIT = 1 / (1 << (k.STEP_BITS + k.FRACTION))
FIRST = np.array([*accumulate((0, 0, 0, *k.NETS.values()))], dtype=np.int64)  # where the net for so many players begins


@kernel
def list_rows(state: State, work: Int64s, rows: Int64s) -> int:
    """Writes the numbers of the position's rows, by `race`; returns their count."""
    players, count = state[k.PLAYERS], 0
    for turns in range(players):  # until the seat moves
        seat = state[k.SEAT] + turns
        first = 5 * (seat if seat < players else seat - players)
        for piece in range(first, first + 5):
            far = min(work[k.TURNS + piece], k.FARTHEST)
            kind = (k.MAX_CHOKES + 1) * (far - 1) + work[k.CHOKED + piece] + 1 if far else 0
            rows[count] = k.KINDS * turns + kind
            count += 1
    rest = k.KINDS * players
    rows[count] = rest + k.BLACK + state[k.BLACK_DUE]
    rows[count + 1] = rest + k.GRAY + state[k.GRAYS_DUE]
    rows[count + 2] = rest + k.MOVER + state[k.SEAT] + k.SEATS * state[k.FIRST_TO_THREE]
    rows[count + 3] = rest + k.POOL + pool(state)
    return int(count + 4)


@kernel
def input_rows(state: State, work: Int64s, rows: Int64s) -> int:
    """Writes the numbers of the position's rows; returns their count."""
    race(state, work)
    return list_rows(state, work, rows)


@kernel
def estimate(state: State, weights: Int16s, value: Float64s, work: Int64s) -> None:
    """Writes each seat's chance to win, by `race`."""
    players, mover = state[k.PLAYERS], state[k.SEAT]
    first, rows, room = FIRST[players], work[k.ROWS : k.UNITS], work[k.UNITS : k.MEMO]
    units, words = shorts_in(room), words_in(room)
    biases = first + (k.KINDS * players + k.REST) * k.ROW
    sums, chances = load_shorts(weights, np.uint64(biases)), load_shorts(weights, np.uint64(biases + k.HIDDEN))
    for i in range(list_rows(state, work, rows)):
        row = np.uint64(first + rows[i] * k.ROW)
        sums = sums + load_shorts(weights, row)
        chances = chances + load_shorts(weights, row + HALF)
    none = same_shorts(0)
    store(units, START, larger(sums, none))
    place = np.uint64(biases + k.ROW)
    second = load_shorts(weights, place + LAYER)
    one = same_words(1 << k.FRACTION)
    low, high = first_words(second) * one, last_words(second) * one
    for pair in range(k.HIDDEN // 2):
        both, column = repeat_pair(units, np.uint64(2 * pair)), place + np.uint64(2 * k.HIDDEN * pair)
        low = low + products(load_shorts(weights, column), both)
        high = high + products(load_shorts(weights, column + HALF), both)
    least, most = same_words(0), same_words((1 << 15) - 1)
    store(words, START, smaller(larger(low >> k.FRACTION, least), most))
    store(words, MIDDLE, smaller(larger(high >> k.FRACTION, least), most))
    for j in range(k.HIDDEN):
        units[2 * k.HIDDEN + j] = words[j]
    logits = first_words(chances) * one
    place += LAYER + HALF
    for pair in range(k.HIDDEN // 2):
        column = place + np.uint64(2 * k.CHANCES * pair)
        logits = logits + products(load_shorts(weights, column), repeat_pair(units, SECOND + np.uint64(2 * pair)))
    store(words, START, logits)
    best, total = words[0], 0.0
    for j in range(1, players):
        best = max(best, words[j])
    for turns in range(players):
        seat = mover + turns if mover + turns < players else mover + turns - players
        value[seat] = exp((words[turns] - best) * LOGIT)
        total += value[seat]
    for seat in range(players):
        value[seat] /= total
