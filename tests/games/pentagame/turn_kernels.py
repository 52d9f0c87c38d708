"""Kernels of whole turns, made of the game's kernels: their number at a state, and random ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.position_kernels import State, bits, is_over, piece_steps, play_step, pool, steps
from pentad.kernels.decorator import kernel
from pentad.search import kernels

# With the types of this game's kernels.
copy_state = cast("Callable[[State, State], None]", kernels.copy_state)
chance = cast("Callable[[State, int], int]", kernels.chance)


@kernel
def count_turns(state: State, out: NDArray[np.int64], copy: State) -> int:
    """The number of whole turns: first steps, each with the ways to put the due blocks."""
    if is_over(state):
        return 0
    total = 0
    for i in range(piece_steps(state, out)):
        copy_state(copy, state)
        play_step(copy, out[i])
        empty = 100 - bits(copy[k.LOW]) - bits(copy[k.HIGH])
        in_pool = pool(copy)
        placements = 1
        if copy[k.PLY] == state[k.PLY]:
            for _ in range(copy[k.BLACK_DUE]):
                placements *= empty
                empty -= 1
            for _ in range(copy[k.GRAYS_DUE]):
                if in_pool:
                    placements *= empty
                    empty -= 1
                    in_pool -= 1
                else:
                    placements *= 5 * empty
        total += placements
    return total


@kernel
def random_turns(state: State, seed: State, turns: int, out: NDArray[np.int64], start: State) -> int:
    """Plays random turns, restarting from `start` after the end of a game; returns the number of finished games."""
    finished = 0
    for _ in range(turns):
        ply = state[k.PLY]
        while state[k.PLY] == ply:
            count = steps(state, out)
            play_step(state, out[chance(seed, count)])
        if is_over(state):
            finished += 1
            copy_state(state, start)
    return finished
