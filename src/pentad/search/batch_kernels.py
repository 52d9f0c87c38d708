"""Kernels of many games at once, around a game's own kernels: steps of all games, and random games to their end.

A game writes kernels over a state (see `constants`) and its rules, an array of numbers that all its games share:
`play`, `result`, `legal`, `observe` and `random_step`. `batches` makes the entry points of them. An action is one step
of a turn, by the number that the game's encoding has for it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pentad.kernels.compiler import kernel
from pentad.kernels.random_kernels import counter_of
from pentad.search.constants import PLAYERS, PLY, SEAT

Ints = NDArray[np.int64]
Flags = NDArray[np.int8]
Floats = NDArray[np.float64]
Word = np.uint64
Words = NDArray[np.uint64]

# Converts every number to one type, as compiled numbers of two types become floating-point ones.
long = cast("type[int]", np.int64)

ONGOING = -1

# ── a game's own kernels ─────────────────────────────────────────────────────────────────────────
#
# The templates below call these functions by their names; `batches` puts a game's kernels in their place. `work` has
# room for the game's own use.


def play(rules: Ints, state: Ints, action: int, work: Ints) -> None:
    """Makes a legal step."""
    raise NotImplementedError


def result(rules: Ints, state: Ints) -> int:
    """The winners as bits by seat, 0 for a draw without any; -1 before the end."""
    raise NotImplementedError


def legal(rules: Ints, state: Ints, mask: Flags, work: Ints) -> None:
    """Marks the legal actions of a game that is not over, in a mask of zeros."""
    raise NotImplementedError


def observe(rules: Ints, state: Ints, planes: Flags) -> None:
    """Marks the places of all planes, as the seat to move sees them, in zeros."""
    raise NotImplementedError


def random_step(rules: Ints, state: Ints, work: Ints, counter: Words) -> int:
    """An action, so that every whole turn is equally likely; `counter` is that of the game's random generator."""
    raise NotImplementedError


# ── templates ────────────────────────────────────────────────────────────────────────────────────


@kernel
def copy_state(to: Ints, of: Ints) -> None:
    """Copies a state."""
    for i in range(len(of)):
        to[i] = of[i]


@kernel
def add_returns(winners: int, players: int, returns: Floats) -> None:
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


def show(
    rules: Ints, states: Ints, masks: Flags, planes: Flags, turns: Ints, done: Flags, returns: Floats, work: Ints,
    game: int, size: int, actions: int, places: int,
) -> None:  # fmt: skip
    """Writes what the arrays show of a game."""
    state = states[game * size : (game + 1) * size]
    players = state[PLAYERS]
    winners = result(rules, state)
    turns[game] = state[SEAT]
    done[game] = winners != ONGOING
    mask = masks[game * actions : (game + 1) * actions]
    mask[:] = 0
    if winners == ONGOING:
        legal(rules, state, mask, work)
        returns[game * players : (game + 1) * players] = 0.0
    else:
        add_returns(winners, players, returns[game * players : (game + 1) * players])
    seen = planes[game * places : (game + 1) * places]
    seen[:] = 0
    observe(rules, state, seen)


def reset(
    rules: Ints, start: Ints, states: Ints, masks: Flags, planes: Flags, turns: Ints, done: Flags, returns: Floats,
    work: Ints, where: Flags, actions: int, places: int,
) -> None:  # fmt: skip
    """Begins the games of `where` again."""
    size = len(start)
    for game in range(len(where)):
        if where[game]:
            copy_state(states[game * size : (game + 1) * size], start)
            show(rules, states, masks, planes, turns, done, returns, work, game, size, actions, places)


def step(
    rules: Ints, start: Ints, states: Ints, masks: Flags, planes: Flags, turns: Ints, done: Flags, returns: Floats,
    work: Ints, where: Flags, chosen: Ints, actions: int, places: int, resetting: int,
) -> int:  # fmt: skip
    """Makes the chosen steps of the games of `where`; returns a game whose step is not legal, or -1.

    If a step is not legal, nothing is changed. A game that is over begins again if `resetting`, else it stays.
    """
    size = len(start)
    for game in range(len(where)):
        if where[game] and not done[game]:
            action = chosen[game]
            if action < 0 or action >= actions or not masks[game * actions + action]:
                return game
    for game in range(len(where)):
        if not where[game]:
            continue
        state = states[game * size : (game + 1) * size]
        if not done[game]:
            play(rules, state, chosen[game], work)
        elif resetting:
            copy_state(state, start)
        else:
            continue
        show(rules, states, masks, planes, turns, done, returns, work, game, size, actions, places)
    return -1


def play_out(
    rules: Ints, start: Ints, state: Ints, work: Ints, counter: Words, log: Words, counts: Words, seed: Word,
    first: Word, games: Word,
) -> None:  # fmt: skip
    """Plays the games with these numbers to their end; `log` has the actions of the last one, as far as it has room."""
    for game in range(first, first + games):
        counter[0] = counter_of(seed, Word(game))
        copy_state(state, start)
        made = 0
        winners = ONGOING
        while winners == ONGOING:
            action = random_step(rules, state, work, counter)
            if made < len(log):
                log[made] = Word(action)
            made += 1
            play(rules, state, action, work)
            winners = result(rules, state)
        counts[0] += Word(state[PLY] - start[PLY])
        counts[long(1 + winners)] += Word(1)


TEMPLATES = (show, reset, step, play_out)
_ARRAYS = "int64[] int64[] int64[] int8[] int8[] int64[] int8[] float64[] int64[] int8[]"


def batches(module: str, **own: Callable[..., Any]) -> dict[str, tuple[Callable[..., Any], str]]:
    """The table of entry points, with a game's own kernels by their names; `module` names the game's module.

    A game without `random_step` has no random games here.
    """
    names = globals() | own
    for template in TEMPLATES if "random_step" in own else TEMPLATES[:-1]:
        made = FunctionType(template.__code__, names, template.__name__)
        made.__module__, made.__qualname__ = __name__, f"{module}.{template.__name__}"  # numba's cache goes by them
        names[template.__name__] = kernel(made)
    table = {
        "reset": (names["reset"], f"{_ARRAYS} int64 int64"),
        "step": (names["step"], f"{_ARRAYS} int64[] int64 int64 int64"),
    }
    if "random_step" in own:
        table["play_out"] = (
            names["play_out"],
            "int64[] int64[] int64[] int64[] uint64[] uint64[] uint64[] uint64 uint64 uint64",
        )
    return table
