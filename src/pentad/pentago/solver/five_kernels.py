"""Which rotations of a board hold a line: for every set of marbles that a player may come to have.

A rotation state says how many quarter turns each of four sub-boards has been given; 256 of them, of which those
with an even and those with an odd sum are never reached at the same ply. A half is the 128 of one kind in two
words: bits 0-1 of a place in a word are the turns of the first sub-board, 2-3 of the second, 4-5 of the third;
the word is half the turns of the fourth, whose other half follows from the kind.
"""

from __future__ import annotations

import numpy as np

from pentad.kernel import kernel
from pentad.pentago.solver.sets_kernels import Number, Numbers, Word, Words, after, at_rank

TURNINGS = 16  # four sub-boards, each turned in four ways
WORDS = 4  # of a set's lines: its even half, its odd half
PART = 9  # spaces whose sets a table has
MEMBERS = (1 << PART) - 1


def _lanes() -> Words:
    """For each parity those of sixteen places, the turns of the first two sub-boards, whose sum has it."""
    even = sum(1 << (a | b << 2) for a in range(4) for b in range(4) if (a + b) % 2 == 0)
    return np.array([even, even ^ 0xFFFF], np.uint64)


LANES = _lanes()
PLACES = np.array([1 << n for n in range(16)], np.uint64)


@kernel
def missed_by_each(first: int, count: int, corner: Numbers, through: Words, out: Words) -> None:
    """For each set of `count` spaces from one on, the lines that miss one of the others, by sub-board and turns."""
    for members in range(1 << count):
        for turning in range(TURNINGS):
            out[members * TURNINGS + turning] = np.uint64(0)
        for space in range(count):
            if not members >> space & 1:
                for turns in range(4):
                    out[members * TURNINGS + corner[first + space] * 4 + turns] |= through[(first + space) * 4 + turns]


@kernel
def complete(members: Number, parts: int, lines: Word, fixed: Words, missed: Words, kept: Words) -> None:
    """The lines whose cells are all held, for each sub-board and its turns; which no other sub-board breaks."""
    for turning in range(TURNINGS):
        kept[turning] = fixed[turning]
    for part in range(parts):
        at = ((members >> part * PART & MEMBERS) + (np.int64(part) << PART)) * TURNINGS
        for turning in range(TURNINGS):
            kept[turning] |= missed[at + turning]
    for turning in range(TURNINGS):
        kept[turning] = lines & ~kept[turning]


@kernel
def halves(kept: Words, pairs: Words, out: Words) -> None:
    """Add to both halves every rotation state in which the four sub-boards hold a line together."""
    zero = np.uint64(0)
    held = zero
    for b in range(4):
        for a in range(4):
            pair = kept[a] & kept[4 + b]
            pairs[a + 4 * b] = pair
            held |= pair
    for c in range(4):
        for d in range(4):
            rest = kept[8 + c] & kept[12 + d]
            if rest & held:
                lane = zero
                for n in range(16):
                    lane |= PLACES[n] if pairs[n] & rest != zero else zero
                kind, word = (c + d) & 1, d >> 1
                out[word] |= (lane & LANES[kind]) << np.uint64(16 * c)
                out[2 + word] |= (lane & LANES[1 - kind]) << np.uint64(16 * c)


@kernel
def lines_of_sets(
    count: int,
    size: int,
    start: int,
    end: int,
    lines: Word,
    fixed: Words,
    corner: Numbers,
    through: Words,
    work: Words,
    out: Words,
) -> int:
    """For the sets of `size` of `count` spaces, from one rank to another, the rotation states that hold a line.

    `fixed` has the lines that other marbles break; `out` is added to, so that lines may come in several lots.
    """
    parts = (count + PART - 1) // PART
    rest = parts * TURNINGS << PART
    missed, kept, pairs = work[:rest], work[rest : rest + TURNINGS], work[rest + TURNINGS : rest + 2 * TURNINGS]
    if start == 0:
        for part in range(parts):
            first = part * PART
            missed_by_each(first, min(PART, count - first), corner, through, missed[part * TURNINGS << PART :])
    members = at_rank(size, start)
    for number in range(start, end):
        complete(members, parts, lines, fixed, missed, kept)
        halves(kept, pairs, out[WORDS * number :])
        members = after(members)
    return 0
