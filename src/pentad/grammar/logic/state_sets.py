"""Sets of the states of a transition system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, count


@dataclass(frozen=True)
class StateSet:
    """A set of states, as one number with a byte for each state: 1 if the state is in the set, and otherwise 0.

    >>> even, low = StateSet.of(6, (0, 2, 4)), StateSet.of(6, range(3))
    >>> sorted(even & low), sorted(~(even | low)), len(even), 4 in even
    ([0, 2], [3, 5], 3, True)
    """

    size: int  # the number of states in the system
    number: int

    @staticmethod
    def of(size: int, states: Iterable[int]) -> StateSet:
        """The set of these states."""
        column = bytearray(size)
        for state in states:
            column[state] = 1
        return StateSet.read(column)

    @staticmethod
    def read(column: Iterable[int]) -> StateSet:
        """The set of a column with 1 for each state in it."""
        data = bytes(column)
        return StateSet(len(data), int.from_bytes(data, "little"))

    @staticmethod
    def all(size: int) -> StateSet:
        """The set of all states."""
        return StateSet(size, _ones(size))

    @cached_property
    def column(self) -> bytes:
        """A byte for each state."""
        return self.number.to_bytes(self.size, "little")

    def first(self, size: int) -> StateSet:
        """The set within a system that has the first states alone."""
        return StateSet(size, self.number & _ones(size))

    def __invert__(self) -> StateSet:
        return StateSet(self.size, self.number ^ _ones(self.size))

    def __and__(self, other: StateSet) -> StateSet:
        return StateSet(self.size, self.number & other.number)

    def __or__(self, other: StateSet) -> StateSet:
        return StateSet(self.size, self.number | other.number)

    def __bool__(self) -> bool:
        return self.number != 0

    def __len__(self) -> int:
        return self.number.bit_count()

    def __contains__(self, state: int) -> bool:
        return 0 <= state < self.size and self.column[state] == 1

    def __iter__(self) -> Iterator[int]:
        return compress(count(), self.column)

    @property
    def has_start(self) -> bool:
        """Whether the start, state 0, is in the set."""
        return bool(self.number & 1)


@lru_cache(maxsize=2)
def _ones(size: int) -> int:
    return int.from_bytes(b"\1" * size, "little")
