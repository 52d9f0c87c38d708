"""Records that the kernels of many games at once share with their driver."""

from __future__ import annotations

from typing import NamedTuple

from pentad.kernels.types import Float64s, Int8s, Int64s, UInt64s


class BatchArrays(NamedTuple):
    """All games of a batch, one after the other in each array."""

    rules: Int64s  # numbers that all games share
    start: Int64s
    states: Int64s
    masks: Int8s  # the legal actions of each game
    planes: Int8s  # the observations of each game
    turns: Int64s
    done: Int8s
    returns: Float64s
    work: Int64s
    actions: int  # the length of a mask
    places: int  # the places of all planes


class RandomGameArrays(NamedTuple):
    """What random games read and write."""

    rules: Int64s
    start: Int64s
    state: Int64s
    work: Int64s
    counter: UInt64s  # the state of the random generator
    log: UInt64s  # the actions of the last game, as far as it has room
    counts: UInt64s  # the moves, then the games by their winners as bits
