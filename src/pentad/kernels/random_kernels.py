"""Random numbers for kernels that play many games: a generator of its own for each game, by its number.

A generator is a counter whose values are mixed (SplitMix64). All numbers are `uint64`.
"""

from __future__ import annotations

from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.types import Word

STEP = np.uint64(0x9E3779B97F4A7C15)  # added to the counter for each number
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32, _LOW = (np.uint64(each) for each in (27, 30, 31, 32, (1 << 32) - 1))


@kernel
def mixed(number: Word) -> Word:
    """The random number of a counter: each bit depends on all bits of the counter."""
    number = np.uint64((number ^ (number >> _30)) * _FIRST)
    number = np.uint64((number ^ (number >> _27)) * _SECOND)
    return number ^ (number >> _31)


@kernel
def counter_of(seed: Word, game: Word) -> Word:
    """The counter with which a game begins."""
    return mixed(np.uint64(seed + mixed(game)))


@kernel
def low_below(number: Word, bound: Word) -> Word:
    """A number below a bound, from the low half of a random number; the bound has at most 32 bits."""
    return ((number & _LOW) * bound) >> _32


@kernel
def high_below(number: Word, bound: Word) -> Word:
    """A number below a bound, from the high half of a random number; the bound has at most 32 bits."""
    return ((number >> _32) * bound) >> _32
