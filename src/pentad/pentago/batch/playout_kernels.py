"""Kernels of random games of classic Pentago in which every legal whole turn is equally likely.

A seat's marbles are 64 bits, sixteen for each sub-board: the eight spaces of its rim clockwise from the top left, then
its centre. A quarter turn rotates the eight bits by two.

The order in which a game fills its spaces is a shuffle made in advance, since no twist can change how likely an empty
space is. So a space is named by its place before all twists: the marble goes where the twists since then have moved
that place to. `rotations` counts the quarter turns of each sub-board, two bits each.

A space on which the mover's marble makes a line is one turn, any other space is one turn for each twist. So a random
space and twist are discarded if the space wins and the twist is not the first one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.jit.random_kernels import STEP, counter_of, high_below, mixed
from pentad.pentago.batch.constants import BITS, CLASSIC, EARLIEST, RIM

Word = np.uint64
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]


def _complete() -> NDArray[np.uint32]:
    """For each sub-board and its nine bits: the lines all of whose spaces in this sub-board are set, as bits."""
    lines = [[BITS[space] for space in range(CLASSIC.size) if line >> space & 1] for line in CLASSIC.lines]
    parts = np.array(
        [[sum(1 << bit % 16 for bit in line if bit // 16 == sub) for line in lines] for sub in range(4)], np.int64
    )
    held = np.arange(512)[None, :, None] & parts[:, None, :] == parts[:, None, :]
    return np.array((held * (1 << np.arange(len(lines)))).sum(axis=2).reshape(-1), np.uint32)


def _turned() -> NDArray[np.uint8]:
    """For each direction and the bits of a rim: the bits that a quarter turn changes."""
    rims = np.arange(256)
    return np.concatenate([rims ^ (rims << by | rims >> (RIM - by)) & 255 for by in (2, 6)]).astype(np.uint8)


def _rotated() -> NDArray[np.uint8]:
    """For all rotations and a twist: the rotations after it."""
    found = np.zeros((256, 8), np.uint8)
    for rotations in range(256):
        for twist in range(8):
            at = twist // 2 * 2
            turns = (rotations >> at) + (3 if twist % 2 else 1) & 3
            found[rotations, twist] = rotations & ~(3 << at) | turns << at
    return found.reshape(-1)


def _moved() -> NDArray[np.uint8]:
    """For a number of quarter turns and a bit: the bit to which they move it."""
    found = np.zeros((4, 64), np.uint8)
    for turns in range(4):
        for bit in range(64):
            sub_board, number = divmod(bit, 16)
            found[turns, bit] = 16 * sub_board + (number if number >= RIM else (number + 2 * turns) % RIM)
    return found.reshape(-1)


COMPLETE, TURNED, ROTATED, MOVED = _complete(), _turned(), _rotated(), _moved()
_0, _1, _2, _3, _4, _6, _7, _8, _16, _32, _48 = (Word(each) for each in (0, 1, 2, 3, 4, 6, 7, 8, 16, 32, 48))
_SUB_BOARD, _SECOND, _THIRD, _FOURTH, _BYTE = (Word(each) for each in (511, 512, 1024, 1536, 255))
_LATEST = Word(CLASSIC.size - EARLIEST)  # the most empty spaces with a line


@kernel
def lines(marbles: Word) -> np.uint32:
    """The complete lines, as bits."""
    return np.uint32(
        COMPLETE[marbles & _SUB_BOARD]
        & COMPLETE[_SECOND + ((marbles >> _16) & _SUB_BOARD)]
        & COMPLETE[_THIRD + ((marbles >> _32) & _SUB_BOARD)]
        & COMPLETE[_FOURTH + (marbles >> _48)]
    )


@kernel
def twisted(marbles: Word, twist: Word) -> Word:
    """The marbles after a twist: two for each sub-board, clockwise and anti-clockwise."""
    at = (twist >> _1) << _4
    return marbles ^ (Word(TURNED[((twist & _1) << _8) + ((marbles >> at) & _BYTE)]) << at)


@kernel
def play_classic(
    empty: Bytes, order: Bytes, log: Words, counts: Words, mover: Word, other: Word, seat: Word, placed: Word,
    placement_wins: Word, seed: Word, first: Word, games: Word,
) -> None:  # fmt: skip
    """Plays games to the end, from a position with these `empty` bits; `order` has room for as many.

    `counts` gets the moves, then the games by their winners as bits. `log` holds the moves of the last game: eight
    times the bit of the space, plus the twist.
    """
    spaces = Word(len(empty))
    moves = _0
    for game in range(first, first + games):
        counter = counter_of(seed, Word(game))
        for i in range(len(empty)):
            order[i] = empty[i]
        mine, theirs, left, rotations, made, winners, has_placed = mover, other, spaces, _0, _0, _0, placed
        while True:
            counter += STEP
            number = mixed(counter)
            twist = number & _7
            if has_placed:
                has_placed = _0
                log[made] = twist
            else:
                chosen = high_below(number, left)
                place = Word(order[chosen])
                at = Word(MOVED[(((rotations >> ((place >> _3) & _6)) & _3) << _6) + place])
                after = mine | (_1 << at)
                log[made] = (at << _3) | twist
                if placement_wins and left <= _LATEST + _1 and lines(after):
                    if twist:
                        continue
                    winners = _1
                    made += _1
                    break
                mine = after
                left -= _1
                order[chosen] = order[left]
            made += _1
            mine, theirs = twisted(theirs, twist), twisted(mine, twist)
            rotations = Word(ROTATED[(rotations << _3) + twist])
            if left <= _LATEST:
                winners = (_2 if lines(mine) else _0) | (_1 if lines(theirs) else _0)
                if winners or left == _0:
                    break
        moves += made
        # the bits are those of the last mover and of the other seat
        if (seat + made + _1) & _1:
            winners = (winners >> _1) | ((winners & _1) << _1)
        counts[_1 + winners] += _1
    counts[0] += moves


NATIVE = {"classic": (play_classic, f"uint8[] uint8[] uint64[] uint64[] {'uint64 ' * 8}")}
