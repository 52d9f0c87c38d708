"""Keys of positions: numbers of 64 bits that symmetric positions share, of one position or of arrays of many.

A key is the least of the sums over the symmetries: each bit of a position's planes (see `pentad.games.encoding`) has a
fixed random number, and a symmetry of the game exchanges them. A symmetry counts if it maps the board's grid to itself.

>>> from pentad import new
>>> start = new("pentago")
>>> keys = Keys(start)
>>> keys.of(start.play("a1 1C")) == keys.of(start.play("f4 4C")) != keys.of(start.play("a2 1C"))
True
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from pentad.game import Position, bit_numbers
from pentad.games.encoding import encoding

WORDS = NDArray[np.uint64]
SAMPLES, LONGEST = 3, 12  # random positions that test a symmetry, and their moves

_Map = Callable[[NDArray[np.int64]], NDArray[np.int64]]
# The symmetries of a rectangle, of an array of its cells; the last four are those of a square only.
GRID: tuple[_Map, ...] = (
    lambda cells: cells,
    lambda cells: cells[::-1, ::-1],
    lambda cells: cells[:, ::-1],
    lambda cells: cells[::-1],
    lambda cells: cells.T,
    lambda cells: np.rot90(cells),
    lambda cells: np.rot90(cells, 3),
    lambda cells: np.rot90(cells, 2).T,
)


def scrambled(count: int) -> WORDS:
    """Fixed random numbers (SplitMix64)."""
    words = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


class Keys:
    """The keys of positions of a game with the options of a position."""

    def __init__(self, start: Position) -> None:
        self._encoding = encoding(start)
        self.shape = self._encoding.shape(start)
        self.planes = len(self._encoding.planes(start, start.turn))
        cells = self.shape[0] * self.shape[1]
        words = scrambled(self.planes * cells).reshape(self.planes, cells)
        sums = np.stack([words[:, each].ravel() for each in self._symmetries(start)], axis=1)
        sums = np.concatenate([sums, np.zeros((-len(sums) % 8, sums.shape[1]), np.uint64)])
        self._tables = np.zeros((len(sums) // 8, 256, sums.shape[1]), np.uint64)  # each byte of the planes has a table
        for bit in range(8):
            has = (np.arange(256) >> bit & 1).astype(bool)
            self._tables[:, has] += sums[bit::8, None]
        salt = blake2b(f"{start.game} {sorted(start.options.items())}".encode(), digest_size=8).digest()
        self._salt = np.uint64(int.from_bytes(salt, "little"))

    @property
    def symmetries(self) -> int:
        """The number of symmetries that count."""
        return int(self._tables.shape[2])

    def of(self, here: Position) -> int:
        """The key of a position."""
        return int(self.of_all([here])[0])

    def of_all(self, positions: Sequence[Position]) -> WORDS:
        """The keys of positions."""
        return self.of_planes(np.stack([self._bits(here) for here in positions]))

    def of_planes(self, planes: NDArray[np.int8]) -> WORDS:
        """The keys of positions, by what the seats to move see: `planes[position, plane, row, column]`."""
        bits = planes.reshape(len(planes), self.planes * self.shape[0] * self.shape[1])
        packed = np.packbits(bits, axis=1, bitorder="little")
        sums = np.zeros((len(planes), self.symmetries), np.uint64)
        for byte, table in enumerate(self._tables):
            sums += table[packed[:, byte]]
        found: WORDS = sums.min(axis=1) ^ self._salt
        return found

    def _bits(self, here: Position) -> NDArray[np.int8]:
        found = np.zeros((self.planes, self.shape[0] * self.shape[1]), np.int8)
        for plane, places in enumerate(self._encoding.planes(here, here.turn).values()):
            found[plane, list(bit_numbers(places))] = 1
        return found.reshape(self.planes, *self.shape)

    def _symmetries(self, start: Position) -> list[NDArray[np.int64]]:
        """For each symmetry of the game that maps the grid to itself, the cells in the order of their images."""
        height, width = self.shape
        cells = np.arange(height * width).reshape(height, width)
        maps = [each(cells).ravel() for each in GRID[: 8 if height == width else 4]]
        samples = list(_samples(start))
        found = [maps[0]]
        for symmetry in start.symmetries:
            pairs = [(self._flat(here), self._flat(symmetry.position(here))) for here in samples]
            fitting = (each for each in maps if all(np.array_equal(image[:, each], own) for own, image in pairs))
            one = next(fitting, None)
            if one is not None and not any(np.array_equal(one, each) for each in found):
                found.append(one)
        return found

    def _flat(self, here: Position) -> NDArray[np.int8]:
        return self._bits(here).reshape(self.planes, -1)


def _samples(start: Position) -> Iterable[Position]:
    """Positions of random games."""
    for number in range(SAMPLES):
        rng, here = random.Random(number), start
        for _ in range(LONGEST):
            if here.outcome:
                break
            before, here = here, here.play(rng.choice(list(here.legal_moves)))
        yield before if here.outcome else here
