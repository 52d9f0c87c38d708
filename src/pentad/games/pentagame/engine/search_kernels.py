"""Search kernels of Pentagame: the evaluation of positions, and both searches around it.

Each search takes a turn by its stages: a piece, a black block, gray ones.
"""

from __future__ import annotations

from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.net_kernels import estimate, input_rows
from pentad.games.pentagame.engine.position_kernels import State, home, is_over, play_step, race, signature, steps
from pentad.kernels.decorator import kernel
from pentad.kernels.types import Float64s, Int16s, Int64s
from pentad.search.kernels import entries, kernels_of


@kernel
def evaluate(state: State, weights: Int16s, value: Float64s, work: Int64s) -> None:
    """Writes each seat's share of the win, estimated from the race; `work` has `WORK` entries."""
    players = state[k.PLAYERS]
    over = is_over(state)
    if over:
        winners = 0
        for seat in range(players):
            winners += home(state, seat) >= k.HOME_WINS
        for seat in range(players):
            if over == 2:
                value[seat] = 1.0 / players
            else:
                value[seat] = 1.0 / winners if home(state, seat) >= k.HOME_WINS else 0.0
        return
    race(state, work)
    if not share_win(state, value, work):
        estimate(state, weights, value, work)


@kernel
def share_win(state: State, value: Float64s, work: Int64s) -> bool:
    """In the last round, when a seat has three pieces home, writes the expected shares of the win, by `race`.

    A seat that needs one more piece, can bring it home and still moves in this round shares the win.
    """
    winners = 0.0
    for seat in range(state[k.PLAYERS]):
        at_home, near = 0, 0
        for piece in range(5 * seat, 5 * seat + 5):
            at_home += work[k.TURNS + piece] == 0
            near += work[k.TURNS + piece] == 1
        value[seat] = 0.0
        if at_home >= k.HOME_WINS:
            value[seat] = 1.0
            winners += 1.0
        elif at_home == k.HOME_WINS - 1 and near and seat >= state[k.SEAT] and not state[k.FIRST_TO_THREE]:
            value[seat] = -1.0
    if winners == 0:
        return False
    for seat in range(state[k.PLAYERS]):
        if value[seat] < 0:
            value[seat] = 1.0
            winners += 1.0
    for seat in range(state[k.PLAYERS]):
        value[seat] /= winners
    return True


@kernel
def is_within_turn(state: State) -> bool:
    """Whether blocks are due."""
    return bool(state[k.BLACK_DUE] + state[k.GRAYS_DUE] > 0)


@kernel
def width(depth: int, within: bool) -> int:
    """The number of steps that alpha-beta searches: pieces and their fields, or fields of a block."""
    if depth > 2:
        return 6 if within else 24
    return 4 if within else 16


KERNELS = kernels_of(
    __name__,
    steps=steps,
    play=play_step,
    evaluate=evaluate,
    is_over=is_over,
    signature=signature,
    is_within_turn=is_within_turn,
    width=width,
    size=k.SIZE,
    most_steps=k.MAX_STEPS,
    seats=k.SEATS,
)
NATIVE = {**entries(KERNELS), "input_rows": input_rows}
