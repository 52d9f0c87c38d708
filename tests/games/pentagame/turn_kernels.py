"""Kernels of whole turns, made of the game's kernels: their number at a state, and random ones."""

from __future__ import annotations

from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.position_kernels import State, bits, is_over, piece_steps, play_step, pool, steps
from pentad.kernels.decorator import kernel
from pentad.kernels.types import Int64s
from pentad.search.kernels import chance, copy_state


@kernel
def count_turns(state: State, out: Int64s, copy: State) -> int:
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
def random_turns(state: State, seed: State, turns: int, out: Int64s, start: State) -> int:
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
