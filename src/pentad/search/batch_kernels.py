"""Kernels of many games at once, around a game's own kernels: steps of all games, and random games to their end.

A game writes kernels over a state (see `constants`) and its rules, an array of numbers that all its games share:
`play`, `result`, `legal`, `observe` and `random_step`. `batches` makes the entry points of them. An action is one step
of a turn, by the number that the game's encoding has for it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.random_kernels import counter_of
from pentad.kernels.types import Float64s, Int8s, Int64s, UInt64s, Word
from pentad.search.batch_constants import BatchArrays, RandomGameArrays
from pentad.search.constants import PLAYERS, PLY, SEAT

# Each converts every number to one type, as compiled numbers of two types become floating-point ones.
long, word = np.int64, np.uint64

ONGOING = -1

# ── a game's own kernels ─────────────────────────────────────────────────────────────────────────
#
# The templates below call these functions by their names; `batches` puts a game's kernels in their place. `work` has
# room for the game's own use.


def play(rules: Int64s, state: Int64s, action: int, work: Int64s) -> None:
    """Makes a legal step."""
    raise NotImplementedError


def result(rules: Int64s, state: Int64s) -> int:
    """The winners as bits by seat, 0 for a draw without any; -1 before the end."""
    raise NotImplementedError


def legal(rules: Int64s, state: Int64s, mask: Int8s, work: Int64s) -> None:
    """Marks the legal actions of a game that is not over, in a mask of zeros."""
    raise NotImplementedError


def observe(rules: Int64s, state: Int64s, planes: Int8s) -> None:
    """Marks the places of all planes, as the seat to move sees them, in zeros."""
    raise NotImplementedError


def random_step(rules: Int64s, state: Int64s, work: Int64s, counter: UInt64s) -> int:
    """An action, so that every whole turn is equally likely; `counter` is that of the game's random generator."""
    raise NotImplementedError


# ── templates ────────────────────────────────────────────────────────────────────────────────────


@kernel
def copy_state(to: Int64s, of: Int64s) -> None:
    """Copies a state."""
    for i in range(len(of)):
        to[i] = of[i]


@kernel
def begin(state: Int64s, start: Int64s) -> None:
    """Begins a game again."""
    for i in range(len(start)):
        state[i] = start[i]


@kernel
def add_returns(winners: int, players: int, returns: Float64s) -> None:
    """Writes the returns of a game with these winners, which is not a draw."""
    count = 0
    for seat in range(players):
        count += winners >> seat & 1
    for seat in range(players):
        if count == 0 or count == players:
            returns[seat] = 0.0
        elif winners >> seat & 1:
            returns[seat] = (players - count) / (count * (players - 1.0))
        else:
            returns[seat] = -1.0 / (players - 1.0)


def show(game: int, run: BatchArrays) -> None:
    """Writes what the arrays show of a game."""
    rules, size, actions, places = run.rules, len(run.start), run.actions, run.places
    state = run.states[game * size : (game + 1) * size]
    players = state[PLAYERS]
    winners = result(rules, state)
    run.turns[game] = state[SEAT]
    run.done[game] = winners != ONGOING
    mask = run.masks[game * actions : (game + 1) * actions]
    mask[:] = 0
    returns = run.returns[game * players : (game + 1) * players]
    if winners == ONGOING:
        legal(rules, state, mask, run.work)
        returns[:] = 0.0
    else:
        add_returns(winners, players, returns)
    seen = run.planes[game * places : (game + 1) * places]
    seen[:] = 0
    observe(rules, state, seen)


def reset(run: BatchArrays, where: Int8s) -> None:
    """Begins the games of `where` again."""
    size = len(run.start)
    for game in range(len(where)):
        if where[game]:
            begin(run.states[game * size : (game + 1) * size], run.start)
            show(game, run)


def step(run: BatchArrays, where: Int8s, chosen: Int64s, resetting: int) -> int:
    """Makes the chosen steps of the games of `where`; returns a game whose step is not legal, or -1.

    If a step is not legal, nothing is changed. A game that is over begins again if `resetting`, else it stays.
    """
    size, actions = len(run.start), run.actions
    for game in range(len(where)):
        if where[game] and not run.done[game]:
            action = chosen[game]
            if action < 0 or action >= actions or not run.masks[game * actions + action]:
                return game
    for game in range(len(where)):
        if not where[game]:
            continue
        state = run.states[game * size : (game + 1) * size]
        if not run.done[game]:
            play(run.rules, state, chosen[game], run.work)
        elif resetting:
            begin(state, run.start)
        else:
            continue
        show(game, run)
    return -1


def play_out(run: RandomGameArrays, seed: Word, first: Word, games: Word) -> None:
    """Plays the games with these numbers to their end."""
    rules, start, state, work, counter, log = run.rules, run.start, run.state, run.work, run.counter, run.log
    for game in range(first, first + games):
        counter[0] = counter_of(seed, word(game))
        begin(state, start)
        made = 0
        winners = ONGOING
        while winners == ONGOING:
            action = random_step(rules, state, work, counter)
            if made < len(log):
                log[made] = word(action)
            made += 1
            play(rules, state, action, work)
            winners = result(rules, state)
        run.counts[0] += word(state[PLY] - start[PLY])
        run.counts[long(1 + winners)] += word(1)


TEMPLATES = (show, reset, step, play_out)


def batches(module: str, **own: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The table of entry points, with a game's own kernels by their names; `module` names the game's module.

    A game without `random_step` has no random games here.
    """
    names = globals() | own
    templates = TEMPLATES if "random_step" in own else TEMPLATES[:-1]
    for template in templates:
        made = FunctionType(template.__code__, names, template.__name__)
        made.__annotations__ = template.__annotations__
        made.__module__, made.__qualname__ = __name__, f"{module}.{template.__name__}"  # numba's cache goes by them
        names[template.__name__] = kernel(made)
    return {each.__name__: names[each.__name__] for each in templates if each is not show}
