"""Where a board lies in a slice: patterns of quadrants, sections, and the symmetries that lead to a stored one.

A quadrant is the radix-3 number that a board number has for it (`pentad.pentago.board_numbers`): nine cells counted up
its columns from the bottom left. Here `x` is a column and `y` a row counted from the bottom.
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
Cells = tuple[int, ...]  # where each cell of a quadrant goes

_POWERS = tuple(3**cell for cell in range(CELLS))
_AS_IT_STANDS: Cells = tuple(range(CELLS))


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
    """A quadrant whose marbles have gone where `cells` say."""
    moved = 0
    for cell in cells:
        quadrant, digit = divmod(quadrant, 3)
        moved += digit * _POWERS[cell]
    return moved


def _least_turn(quadrant: int) -> int:
    return min(_moved(quadrant, turn) for turn in _TURNS)


@cache
def counts_of(quadrant: int) -> tuple[int, int]:
    """How many black and how many white marbles a quadrant holds."""
    counts = [0, 0, 0]
    while quadrant:
        quadrant, digit = divmod(quadrant, 3)
        counts[digit] += 1
    return counts[1], counts[2]


def _quadrants(black: int, white: int) -> Iterator[int]:
    """Every quadrant with these counts."""
    for taken in combinations(range(CELLS), black + white):
        for blacks in combinations(taken, black):
            yield sum(_POWERS[cell] * (1 if cell in blacks else 2) for cell in taken)


@cache
def patterns(black: int, white: int) -> tuple[int, ...]:
    """The quadrants with these counts that are the least of their rotations, in the order of a slice file.

    >>> patterns(1, 0)
    (1, 3, 81)
    """

    def rank(quadrant: int) -> tuple[int, int]:
        mirrored = _least_turn(_moved(quadrant, _MIRROR))
        # Mirror pairs stand together and come before those that are their own image.
        return min(quadrant, mirrored) + (3**CELLS if quadrant == mirrored else 0), quadrant

    return tuple(sorted({_least_turn(quadrant) for quadrant in _quadrants(black, white)}, key=rank))


def shape_of(counts: Counts) -> tuple[int, ...]:
    """How many patterns a section has along each of its dimensions."""
    return tuple(len(patterns(*each)) for each in counts)


@cache
def _spots(black: int, white: int) -> dict[int, tuple[int, int]]:
    """For each quadrant with these counts the place of its pattern, and how often that is turned to be it."""
    spots: dict[int, tuple[int, int]] = {}
    for place, pattern in enumerate(patterns(black, white)):
        for times, turn in enumerate(_TURNS):
            spots.setdefault(_moved(pattern, turn), (place, times))
    return spots


# ── the symmetries ───────────────────────────────────────────────────────────────────────────────


class Way(NamedTuple):
    """A symmetry of the board: where each quadrant goes, and how its cells change."""

    quadrants: tuple[int, ...]
    cells: Cells
    mirrored: bool

    def counts(self, counts: Counts) -> Counts:
        """A section seen this way."""
        return tuple(counts[self.quadrants.index(there)] for there in range(QUADRANTS))


def _way(mirrored: bool, times: int) -> Way:
    """A mirror exchanges left and right, if there is one; quarter turns anti-clockwise follow."""
    to = (_turned(1 - x if mirrored else x, y, 2, times) for x, y in product(range(2), repeat=2))
    mirror = _MIRROR if mirrored else _AS_IT_STANDS
    return Way(tuple(2 * x + y for x, y in to), tuple(_TURNS[times][cell] for cell in mirror), mirrored)


WAYS = tuple(_way(mirrored, times) for mirrored in (False, True) for times in range(4))


class Spot(NamedTuple):
    """Where a board lies in a section that one of the symmetries leads to, and how it is turned there."""

    at: tuple[int, ...]  # the pattern of each quadrant of the section
    turns: tuple[int, ...]  # how often that pattern is turned to be what the board has there
    way: Way

    def bits(self, turns: tuple[int, ...] = (0,) * QUADRANTS) -> int:
        """Which bit of the entry is for the board after some quarter turns anti-clockwise of its quadrants."""
        sign = -1 if self.way.mirrored else 1
        bit = 0
        for quadrant, times in enumerate(turns):
            there = self.way.quadrants[quadrant]
            bit += (self.turns[there] + sign * times) % 4 << 2 * there
        return bit


def quadrants_of(number: int) -> Quadrants:
    """The quadrants of a board number."""
    return tuple(number >> 16 * quadrant & 0xFFFF for quadrant in range(QUADRANTS))


def number_of(quadrants: Quadrants) -> int:
    """The board number of quadrants."""
    return sum(quadrant << 16 * k for k, quadrant in enumerate(quadrants))


def spot(quadrants: Quadrants, way: Way) -> Spot:
    """Where a board lies in the section that a symmetry leads to."""
    found = [(0, 0)] * QUADRANTS
    for here, there in zip(quadrants, way.quadrants, strict=True):
        image = _moved(here, way.cells)
        found[there] = _spots(*counts_of(image))[image]
    return Spot(tuple(place for place, _ in found), tuple(times for _, times in found), way)


# ── what an entry holds ──────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1 << 11)
def _order(turns: tuple[int, ...], way: Way) -> tuple[int, ...]:
    """For every rotation of a board the bit that it has in its entry."""
    here = Spot((), turns, way)
    return tuple(here.bits(tuple(bit >> 2 * k & 3 for k in range(QUADRANTS))) for bit in range(ROTATIONS))


def as_it_stands(entry: int, spot: Spot) -> int:
    """The mask of an entry, put in order for the rotations of the board that was looked up."""
    if not entry or entry.bit_count() == ROTATIONS:
        return entry
    return sum(1 << bit for bit, there in enumerate(_order(spot.turns, spot.way)) if entry >> there & 1)
