"""Kernels of lines: the rotations with a line, for every set of marbles that a player may get."""

from __future__ import annotations

from pentad.games.pentago.solver.constants import LINES, PART, TURNINGS, LineTables, Numbers, Words
from pentad.games.pentago.solver.rank_kernels import after, at_rank
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Word

MEMBERS = (1 << PART) - 1


def _lanes() -> Words:
    """For each parity, the combinations of turns of the first two sub-boards whose sum has it, as bits."""
    even = sum(1 << (a | b << 2) for a in range(4) for b in range(4) if (a + b) % 2 == 0)
    found: Words = np.array([even, even ^ 0xFFFF], np.uint64)
    return found


LANES = _lanes()
PLACES: Words = np.array([1 << n for n in range(16)], np.uint64)


@kernel
def lines_missed(first: int, count: int, corner: Numbers, through: Words, out: Words) -> None:
    """For each set of `count` spaces from `first` on, the lines through any missing space, by sub-board and turns."""
    for members in range(1 << count):
        for turning in range(TURNINGS):
            out[members * TURNINGS + turning] = np.uint64(0)
        for space in range(count):
            if not members >> space & 1:
                for turns in range(4):
                    out[members * TURNINGS + corner[first + space] * 4 + turns] |= through[(first + space) * 4 + turns]


@kernel
def unbroken_lines(members: int, parts: int, lines: Word, fixed: Words, missed: Words, unbroken: Words) -> None:
    """The lines that each sub-board does not break, for each of its rotations."""
    for turning in range(TURNINGS):
        unbroken[turning] = fixed[turning]
    for part in range(parts):
        at = ((members >> part * PART & MEMBERS) + (np.int64(part) << PART)) * TURNINGS
        for turning in range(TURNINGS):
            unbroken[turning] |= missed[at + turning]
    for turning in range(TURNINGS):
        unbroken[turning] = lines & ~unbroken[turning]


@kernel
def add_states_with_line(unbroken: Words, pairs: Words, out: Words) -> None:
    """Adds to both add_states_with_line every rotation state in which no sub-board breaks some line."""
    zero = np.uint64(0)
    held = zero
    for b in range(4):
        for a in range(4):
            pair = unbroken[a] & unbroken[4 + b]
            pairs[a + 4 * b] = pair
            held |= pair
    for c in range(4):
        for d in range(4):
            rest = unbroken[8 + c] & unbroken[12 + d]
            if rest & held:
                lane = zero
                for n in range(16):
                    lane |= PLACES[n] if pairs[n] & rest != zero else zero
                kind, word = (c + d) & 1, d >> 1
                out[word] |= (lane & LANES[kind]) << np.uint64(16 * c)
                out[2 + word] |= (lane & LANES[1 - kind]) << np.uint64(16 * c)


@kernel
def lines_of_sets(count: int, size: int, start: int, end: int, lines: LineTables, work: Words, out: Words) -> int:
    """For the sets of `size` of `count` spaces, from rank `start` to `end`, the rotation states with a line.

    Results are added to `out`, so that lines may be split over calls.
    """
    parts = (count + PART - 1) // PART
    rest = parts * TURNINGS << PART
    missed, unbroken, pairs = work[:rest], work[rest : rest + TURNINGS], work[rest + TURNINGS : rest + 2 * TURNINGS]
    if start == 0:
        for part in range(parts):
            first = part * PART
            lines_missed(
                first, min(PART, count - first), lines.corner, lines.through, missed[part * TURNINGS << PART :]
            )
    members = at_rank(size, start)
    for number in range(start, end):
        unbroken_lines(members, parts, lines.all, lines.fixed, missed, unbroken)
        add_states_with_line(unbroken, pairs, out[LINES * number :])
        members = after(members)
    return 0
