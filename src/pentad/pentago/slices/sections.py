"""Location of a board in a slice: patterns of quadrants, sections, and the symmetries that lead to a stored board.

A quadrant is the radix-3 number of a board number (`pentad.pentago.rules`): nine cells, counted up the columns
from the bottom left. `x` is a column, and `y` a row counted from the bottom.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

QUADRANTS = 4
CELLS = 9
ROTATIONS = 4**QUADRANTS  # of all quadrants together

Quadrants = tuple[int, ...]  # one for each of the four
Counts = tuple[tuple[int, int], ...]  # black and white marbles in each quadrant: what makes a section
Cells = tuple[int, ...]  # the image of each cell of a quadrant

_POWERS = tuple(3**cell for cell in range(CELLS))
_IDENTITY: Cells = tuple(range(CELLS))


def _turned(x: int, y: int, side: int, times: int) -> tuple[int, int]:
    """A place in a square after quarter turns anti-clockwise."""
    for _ in range(times):
        x, y = side - 1 - y, x
    return x, y


_TURNS: tuple[Cells, ...] = tuple(
    tuple(3 * x + y for x, y in (_turned(*divmod(cell, 3), 3, times) for cell in range(CELLS))) for times in range(4)
)
_MIRROR: Cells = tuple(3 * (2 - cell // 3) + cell % 3 for cell in range(CELLS))


def _moved(quadrant: int, cells: Cells) -> int:
    """The image of a quadrant whose cells move to `cells`."""
    moved = 0
    for cell in cells:
        quadrant, digit = divmod(quadrant, 3)
        moved += digit * _POWERS[cell]
    return moved


def _least_turn(quadrant: int) -> int:
    return min(_moved(quadrant, turn) for turn in _TURNS)


@cache
def counts_of(quadrant: int) -> tuple[int, int]:
    """The numbers of black and white marbles in a quadrant."""
    counts = [0, 0, 0]
    while quadrant:
        quadrant, digit = divmod(quadrant, 3)
        counts[digit] += 1
    return counts[1], counts[2]


def _quadrants(black: int, white: int) -> Iterator[int]:
    """All quadrants with these counts."""
    for taken in combinations(range(CELLS), black + white):
        for blacks in combinations(taken, black):
            yield sum(_POWERS[cell] * (1 if cell in blacks else 2) for cell in taken)


@cache
def patterns(black: int, white: int) -> tuple[int, ...]:
    """The quadrants with these counts that are the least of their rotations, in the order of slice files.

    >>> patterns(1, 0)
    (1, 3, 81)
    """

    def rank(quadrant: int) -> tuple[int, int]:
        mirrored = _least_turn(_moved(quadrant, _MIRROR))
        # Mirror pairs are adjacent and precede quadrants that are their own mirror image.
        return min(quadrant, mirrored) + (3**CELLS if quadrant == mirrored else 0), quadrant

    return tuple(sorted({_least_turn(quadrant) for quadrant in _quadrants(black, white)}, key=rank))


def shape_of(counts: Counts) -> tuple[int, ...]:
    """The number of patterns of a section along each dimension."""
    return tuple(len(patterns(*each)) for each in counts)


@cache
def _pattern_indices(black: int, white: int) -> dict[int, tuple[int, int]]:
    """For each quadrant with these counts, the index of its pattern, and the quarter turns from the pattern."""
    indices: dict[int, tuple[int, int]] = {}
    for place, pattern in enumerate(patterns(black, white)):
        for times, turn in enumerate(_TURNS):
            indices.setdefault(_moved(pattern, turn), (place, times))
    return indices


# ── the symmetries ───────────────────────────────────────────────────────────────────────────────


class Symmetry(NamedTuple):
    """A symmetry of the board: the images of the quadrants and of their cells."""

    quadrants: tuple[int, ...]
    cells: Cells
    mirrored: bool

    def counts(self, counts: Counts) -> Counts:
        """The image of a section's counts."""
        return tuple(counts[self.quadrants.index(there)] for there in range(QUADRANTS))


def _symmetry(mirrored: bool, times: int) -> Symmetry:
    """An optional mirror exchange of left and right, then quarter turns anti-clockwise."""
    to = (_turned(1 - x if mirrored else x, y, 2, times) for x, y in product(range(2), repeat=2))
    mirror = _MIRROR if mirrored else _IDENTITY
    return Symmetry(tuple(2 * x + y for x, y in to), tuple(_TURNS[times][cell] for cell in mirror), mirrored)


SYMMETRIES = tuple(_symmetry(mirrored, times) for mirrored in (False, True) for times in range(4))


class Location(NamedTuple):
    """The location of a board in the image of its section under a symmetry."""

    at: tuple[int, ...]  # the pattern of each quadrant of the section
    turns: tuple[int, ...]  # the quarter turns from that pattern to the board's quadrant
    symmetry: Symmetry

    def bits(self, turns: tuple[int, ...] = (0,) * QUADRANTS) -> int:
        """The entry's bit of the board after some quarter turns anti-clockwise of its quadrants."""
        sign = -1 if self.symmetry.mirrored else 1
        bit = 0
        for quadrant, times in enumerate(turns):
            there = self.symmetry.quadrants[quadrant]
            bit += (self.turns[there] + sign * times) % 4 << 2 * there
        return bit


def quadrants_of(number: int) -> Quadrants:
    """The quadrants of a board number."""
    return tuple(number >> 16 * quadrant & 0xFFFF for quadrant in range(QUADRANTS))


def number_of(quadrants: Quadrants) -> int:
    """The board number of quadrants."""
    return sum(quadrant << 16 * k for k, quadrant in enumerate(quadrants))


def locate(quadrants: Quadrants, symmetry: Symmetry) -> Location:
    """The location of a board under a symmetry."""
    found = [(0, 0)] * QUADRANTS
    for here, there in zip(quadrants, symmetry.quadrants, strict=True):
        image = _moved(here, symmetry.cells)
        found[there] = _pattern_indices(*counts_of(image))[image]
    return Location(tuple(place for place, _ in found), tuple(times for _, times in found), symmetry)


# ── entries ──────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1 << 11)
def _order(turns: tuple[int, ...], symmetry: Symmetry) -> tuple[int, ...]:
    """For every rotation of a board, its bit in the entry."""
    here = Location((), turns, symmetry)
    return tuple(here.bits(tuple(bit >> 2 * k & 3 for k in range(QUADRANTS))) for bit in range(ROTATIONS))


def in_board_order(entry: int, location: Location) -> int:
    """The bits of an entry, reordered for the rotations of the board at a location."""
    if not entry or entry.bit_count() == ROTATIONS:
        return entry
    return sum(1 << bit for bit, there in enumerate(_order(location.turns, location.symmetry)) if entry >> there & 1)
