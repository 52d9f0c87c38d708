"""Kernels of the training: the loss of the evaluation over games, and its gradient.

The parameters are one array: the vectors of the rows, a value for each row, the other linear weights, and the layers,
in the order of `constants`. They are floating-point numbers whose unit is 1.0, where those of the search are integers.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import Codes, PositionArrays, Shorts, Words
from pentad.games.pente.engine.net_kernels import race_step
from pentad.games.pente.engine.position_kernels import make, set_up, unmake
from pentad.games.pente.engine.search_kernels import strongest
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Float32s, Float64s, Int8s, Int16s

Floats: TypeAlias = Float32s
Doubles: TypeAlias = Float64s
STEPS, FARTHEST = 128, 16  # of the tables of curves: steps for each unit, and the last unit
TOTAL, CHANGE, UNITS, FEATURES = 0, k.ROW, 2 * k.ROW, 2 * k.ROW + k.HIDDEN  # parts of `scratch`
VECTORS = FEATURES + k.WEIGHTS  # the vectors of all points, before they are clipped
_0, _1 = np.float32(0), np.float32(1)


@kernel
def points_seen(board: Codes, state: Words, rows: Shorts, seen: Codes) -> int:
    """Writes the rows of the four codes of each empty point that sees a stone; returns the number of points."""
    size, count = state[k.SIZE], 0
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] != k.EMPTY:
                continue
            any_row = 0
            for axis in range(k.AXES):
                found = rows[board[k.CODES + k.AXES * point + axis]]
                seen[k.AXES * count + axis] = found
                any_row |= found
            if any_row:
                count += 1
    return count


@kernel
def other_features(state: Words, features: Floats) -> None:
    """Writes the features of the linear evaluation other than codes, in the order of the search's weights."""
    me = state[k.MOVER]
    other = 1 - me
    features[:] = 0
    features[k.TEMPO] = 1
    features[k.RACE + race_step(state, me)] += _1
    features[k.RACE + race_step(state, other)] -= _1
    features[k.MY_KINDS + strongest(state, me)] = 1
    features[k.THEIR_KINDS + strongest(state, other)] = 1
    features[k.MY_TAKES] = state[k.COUNTS + me * k.KINDS + k.TAKING]
    features[k.THEIR_TAKES] = state[k.COUNTS + other * k.KINDS + k.TAKING]


@kernel
def interpolated(table: Doubles, guess: float) -> float:
    """The value of a curve, tabulated from -`FARTHEST` to `FARTHEST`."""
    place = (min(max(guess, -float(FARTHEST)), float(FARTHEST)) + FARTHEST) * STEPS
    first = min(int(place), len(table) - 2)
    return float(table[first] + (table[first + 1] - table[first]) * (place - first))


@kernel
def add_vector(parameters: Floats, swapped: Codes, seen: Codes, point: int, vector: Floats, total: Floats) -> None:
    """Writes a point's vector before clipping, and adds it to the sums."""
    vector[:] = 0
    for axis in range(k.AXES):
        row = seen[k.AXES * point + axis]
        mine, theirs = k.WIDTH * row, k.WIDTH * swapped[row]
        for j in range(k.WIDTH):
            vector[j] += parameters[mine + j]
        for j in range(k.WIDTH):
            vector[k.WIDTH + j] += parameters[theirs + j]
    for j in range(k.ROW):
        total[j] += min(max(vector[j], _0), _1)


@kernel
def spread_vector(slopes: Floats, swapped: Codes, seen: Codes, point: int, vector: Floats, change: Floats) -> None:
    """Adds the gradient of the sums to that of a point's rows, where the vector was not clipped."""
    for j in range(k.ROW):
        vector[j] = change[j] if _0 < vector[j] < _1 else _0
    for axis in range(k.AXES):
        row = seen[k.AXES * point + axis]
        if row == 0:
            continue
        mine, theirs = k.WIDTH * row, k.WIDTH * swapped[row]
        for j in range(k.WIDTH):
            slopes[mine + j] += vector[j]
        for j in range(k.WIDTH):
            slopes[theirs + j] += vector[k.WIDTH + j]


@kernel
def biases_of(state: Words, head: int) -> tuple[int, int, int, int]:
    """The places of the hidden layer's biases: by the strongest threats of both, and by the captures of both."""
    me = state[k.MOVER]
    first = head + k.BIASES
    return (
        first + k.HIDDEN * strongest(state, me),
        first + k.HIDDEN * (k.KINDS + strongest(state, 1 - me)),
        first + k.HIDDEN * (2 * k.KINDS + race_step(state, me)),
        first + k.HIDDEN * (2 * k.KINDS + k.RACE_STEPS + race_step(state, 1 - me)),
    )


@kernel
def guess_of(
    state: Words, swapped: Codes, seen: Codes, found: int, parameters: Floats, scratch: Floats
) -> float:  # fmt: skip
    """The evaluation for the player to move, in units of the logistic function; what led to it stays in `scratch`."""
    count = len(swapped)
    linear = k.WIDTH * count
    others, head = linear + count, linear + count + k.WEIGHTS
    total, units = scratch[TOTAL : TOTAL + k.ROW], scratch[UNITS : UNITS + k.HIDDEN]
    features = scratch[FEATURES : FEATURES + k.WEIGHTS]
    me = state[k.MOVER]
    total[:] = 0
    worth = _0
    for point in range(found):
        place = VECTORS + k.ROW * point
        add_vector(parameters, swapped, seen, point, scratch[place : place + k.ROW], total)
        for axis in range(k.AXES):
            row = seen[k.AXES * point + axis]
            worth += parameters[linear + row] - parameters[linear + swapped[row]]
    other_features(state, features)
    guess = parameters[head + k.OUT + k.HIDDEN] + (-worth if me else worth)
    for i in range(k.WEIGHTS):
        guess += parameters[others + i] * features[i]
    mine, theirs = k.WIDTH * me, k.WIDTH * (1 - me)
    biases = biases_of(state, head)
    for unit in range(k.HIDDEN):
        value = _0
        for bias in biases:
            value += parameters[bias + unit]
        for j in range(k.WIDTH):
            value += total[mine + j] * parameters[head + k.HIDDEN * j + unit]
            value += total[theirs + j] * parameters[head + k.HIDDEN * (k.WIDTH + j) + unit]
        units[unit] = value
        guess += max(value, _0) * parameters[head + k.OUT + unit]
    return float(guess)


@kernel
def spread_error(
    state: Words, swapped: Codes, seen: Codes, found: int, wrong: float, parameters: Floats, slopes: Floats,
    scratch: Floats,
) -> None:  # fmt: skip
    """Adds the gradient of a position's loss, after `guess_of`; `wrong` is that of the guess."""
    count = len(swapped)
    linear = k.WIDTH * count
    others, head = linear + count, linear + count + k.WEIGHTS
    total, change = scratch[TOTAL : TOTAL + k.ROW], scratch[CHANGE : CHANGE + k.ROW]
    me = state[k.MOVER]
    mine, theirs = k.WIDTH * me, k.WIDTH * (1 - me)
    biases = biases_of(state, head)
    error = np.float32(wrong)
    change[:] = 0
    for unit in range(k.HIDDEN):
        value = scratch[UNITS + unit]
        if value <= 0:
            continue
        slopes[head + k.OUT + unit] += error * value
        slope = error * parameters[head + k.OUT + unit]
        for bias in biases:
            slopes[bias + unit] += slope
        for j in range(k.WIDTH):
            my_weight, their_weight = head + k.HIDDEN * j + unit, head + k.HIDDEN * (k.WIDTH + j) + unit
            slopes[my_weight] += slope * total[mine + j]
            slopes[their_weight] += slope * total[theirs + j]
            change[mine + j] += slope * parameters[my_weight]
            change[theirs + j] += slope * parameters[their_weight]
    slopes[head + k.OUT + k.HIDDEN] += error
    for i in range(k.WEIGHTS):
        slopes[others + i] += error * scratch[FEATURES + i]
    lean = -error if me else error
    for point in range(found):
        place = VECTORS + k.ROW * point
        spread_vector(slopes, swapped, seen, point, scratch[place : place + k.ROW], change)
        for axis in range(k.AXES):
            row = seen[k.AXES * point + axis]
            slopes[linear + row] += lean
            slopes[linear + swapped[row]] -= lean


class Games(NamedTuple):
    """Moves of games, with the targets of the positions before them, and of those beside them."""

    points: Int16s
    targets: Floats
    uses: Int8s
    beside: Int16s
    beside_targets: Floats
    ends: Words  # of games


class Fit(NamedTuple):
    """Parameters with their gradient, and what it is computed with."""

    rows: Shorts
    swapped: Codes
    logistic: Doubles
    softplus: Doubles
    parameters: Floats
    slopes: Floats
    scratch: Floats
    seen: Codes
    losses: Doubles


@kernel
def fit_to(position: PositionArrays, fit: Fit, target: float) -> None:
    """Adds the loss of a position, and the gradient where there is room for it."""
    state, losses = position.state, fit.losses
    found = points_seen(position.board, state, fit.rows, fit.seen)
    guess = guess_of(state, fit.swapped, fit.seen, found, fit.parameters, fit.scratch)
    losses[0] += interpolated(fit.softplus, guess) - target * guess
    losses[1] += 1
    if len(fit.slopes):
        wrong = interpolated(fit.logistic, guess) - target
        spread_error(state, fit.swapped, fit.seen, found, wrong, fit.parameters, fit.slopes, fit.scratch)


@kernel
def descend(position: PositionArrays, games: Games, fit: Fit, chosen: Words, first: int, last: int) -> None:
    """Plays the games `chosen[first:last]`; adds up the loss of their positions in use, their number, and the gradient.

    The loss is the cross-entropy of the evaluation and the target, both for the player to move. Without room for
    slopes there is no gradient.
    """
    for number in range(first, last):
        game = chosen[number]
        set_up(position)
        for ply in range(games.ends[game - 1] if game else 0, games.ends[game]):
            if games.uses[ply]:
                fit_to(position, fit, games.targets[ply])
            if games.uses[ply] and games.beside[ply]:
                make(position, games.beside[ply])
                fit_to(position, fit, games.beside_targets[ply])
                unmake(position)
            make(position, games.points[ply])


NATIVE = {"descend": descend}
