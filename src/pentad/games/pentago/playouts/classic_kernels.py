"""Kernels of a random game of classic Pentago for two, as sets of spaces; and its wins at once.

A seat's marbles are 64 bits, sixteen for each sub-board: the eight spaces of its rim clockwise from the top left, then
its centre. A quarter turn rotates the eight bits by two.

The order in which a game fills its spaces is a shuffle made in advance, since no twist can change how likely an empty
space is. So a space is named by its place before all twists: the marble goes where the twists since then have moved
that place to. `rotations` counts the quarter turns of each sub-board, two bits each.

A space on which the mover's marble makes a line is one turn, any other space is one turn for each twist. So a random
space and twist are discarded if the space wins and the twist is not the first one. Every legal whole turn is equally
likely, unless wins at once are taken.
"""

from __future__ import annotations

from pentad.games.pentago.playouts.classic_constants import BITS, CLASSIC, EARLIEST, RIM
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.random_kernels import STEP, high_below, mixed
from pentad.kernels.types import UInt8s, UInt64s, Word

word = np.uint64

LINES = [[BITS[space] for space in range(CLASSIC.size) if line >> space & 1] for line in CLASSIC.lines]


# For each sub-board, the bits of each line's spaces there.
_PARTS = [[sum(1 << bit % 16 for bit in line if bit // 16 == sub) for line in LINES] for sub in range(4)]


def _complete(sub: int, bits: int) -> int:
    """The lines all of whose spaces in a sub-board are among its nine bits; the upper half has those that lack one."""
    lacking = [part & ~bits for part in _PARTS[sub]]
    whole = sum((each == 0) << number for number, each in enumerate(lacking))
    return whole | sum((each & (each - 1) == 0) << number for number, each in enumerate(lacking)) << 32


def _touched(sub: int, bits: int) -> int:
    """The lines with a space in a sub-board that is among its nine bits."""
    return sum((part & bits != 0) << number for number, part in enumerate(_PARTS[sub]))


def _turned(rim: int, by: int) -> int:
    """The bits of a rim that a quarter turn changes."""
    return rim ^ (rim << by | rim >> (RIM - by)) & 255


def _rotated(rotations: int, twist: int) -> int:
    """The rotations after a twist."""
    at = twist // 2 * 2
    turns = (rotations >> at) + (3 if twist % 2 else 1) & 3
    return rotations & ~(3 << at) | turns << at


def _moved(turns: int, bit: int) -> int:
    """The bit to which a number of quarter turns moves a bit."""
    sub_board, number = divmod(bit, 16)
    return 16 * sub_board + (number if number >= RIM else (number + 2 * turns) % RIM)


SPACE_BITS = np.array(BITS, np.uint8)
PARTS = np.array([_complete(sub, bits) for sub in range(4) for bits in range(512)], np.uint64)
TOUCHED = np.array([_touched(sub, bits) for sub in range(4) for bits in range(512)], np.uint32)
TURNED = np.array([_turned(rim, by) for by in (2, 6) for rim in range(256)], np.uint8)
ROTATED = np.array([_rotated(rotations, twist) for rotations in range(256) for twist in range(8)], np.uint8)
MOVED = np.array([_moved(turns, bit) for turns in range(4) for bit in range(64)], np.uint8)
_0, _1, _2, _3, _4, _6, _7, _8, _9, _16, _32, _48 = (word(each) for each in (0, 1, 2, 3, 4, 6, 7, 8, 9, 16, 32, 48))
_SUB_BOARD, _SECOND, _THIRD, _FOURTH, _BYTE = (word(each) for each in (511, 512, 1024, 1536, 255))
_LATEST = word(CLASSIC.size - EARLIEST)  # the most empty spaces with a line
_LOW = word((1 << 32) - 1)


@kernel
def lines(marbles: Word) -> Word:
    """The complete lines, as bits."""
    return word(
        PARTS[marbles & _SUB_BOARD]
        & PARTS[_SECOND + ((marbles >> _16) & _SUB_BOARD)]
        & PARTS[_THIRD + ((marbles >> _32) & _SUB_BOARD)]
        & PARTS[_FOURTH + (marbles >> _48)]
        & _LOW
    )


@kernel
def twisted(marbles: Word, twist: Word) -> Word:
    """The marbles after a twist: two for each sub-board, clockwise and anti-clockwise."""
    at = (twist >> _1) << _4
    return marbles ^ (word(TURNED[((twist & _1) << _8) + ((marbles >> at) & _BYTE)]) << at)


@kernel
def joined(one: Word, other: Word) -> Word:
    """The lines of two parts of the board: those complete in both, and those that lack one space in them at most."""
    return (one & other & _LOW) | ((((one >> _32) & other) | ((other >> _32) & one)) << _32)


@kernel
def wins_by_twist(mine: Word, theirs: Word, sub: Word, others: Word, blocked: Word) -> bool:
    """Whether a marble and a twist of a sub-board win; `others` and `blocked` are of the other three."""
    at, first = sub << _4, sub << _9
    for direction in range(2):
        turned = word(direction) << _8
        own = (mine >> at) & _SUB_BOARD
        own ^= word(TURNED[turned + (own & _BYTE)])
        near = joined(word(PARTS[first + own]), others) >> _32
        if near:
            other = (theirs >> at) & _SUB_BOARD
            other ^= word(TURNED[turned + (other & _BYTE)])
            if near & ~(blocked | word(TOUCHED[first + other])) and not lines(
                twisted(theirs, (sub << _1) + word(direction))
            ):
                return True
    return False


@kernel
def wins_at_once(mine: Word, theirs: Word, placement_wins: Word) -> bool:
    """Whether the seat that begins a turn can win alone with it; there is an empty space, and no line."""
    own = mine & _SUB_BOARD, (mine >> _16) & _SUB_BOARD, (mine >> _32) & _SUB_BOARD, mine >> _48
    a, b = word(PARTS[own[0]]), word(PARTS[_SECOND + own[1]])
    c, d = word(PARTS[_THIRD + own[2]]), word(PARTS[_FOURTH + own[3]])
    e, f = word(TOUCHED[theirs & _SUB_BOARD]), word(TOUCHED[_SECOND + ((theirs >> _16) & _SUB_BOARD)])
    g, h = word(TOUCHED[_THIRD + ((theirs >> _32) & _SUB_BOARD)]), word(TOUCHED[_FOURTH + (theirs >> _48)])
    top, bottom = joined(a, b), joined(c, d)
    if placement_wins and (joined(top, bottom) >> _32) & ~(e | f | g | h):
        return True
    return bool(
        wins_by_twist(mine, theirs, _0, joined(b, bottom), f | g | h)
        or wins_by_twist(mine, theirs, _1, joined(a, bottom), e | g | h)
        or wins_by_twist(mine, theirs, _2, joined(d, top), e | f | h)
        or wins_by_twist(mine, theirs, _3, joined(c, top), e | f | g)
    )


@kernel
def play_game(
    order: UInt8s, log: UInt64s, mover: Word, other: Word, seat: Word, placed: Word, placement_wins: Word,
    takes_wins: Word, counter: Word,
) -> Word:  # fmt: skip
    """Plays a game to the end: four times its moves, plus the winners as bits.

    `order` has the bits of the empty spaces; the game shuffles them. `log` gets the moves: eight times the bit of the
    space, plus the twist. With `takes_wins`, a seat that can win at once does so; that move is not in the log.
    """
    left = word(len(order))
    mine, theirs, rotations, made, winners, has_placed = mover, other, _0, _0, _0, placed
    while True:
        if takes_wins and left <= _LATEST + _1 and not has_placed and wins_at_once(mine, theirs, placement_wins):
            winners = _1
            made += _1
            break
        counter = word(counter + STEP)
        number = mixed(counter)
        twist = number & _7
        if has_placed:
            has_placed = _0
            log[made] = twist
        else:
            chosen = high_below(number, left)
            place = word(order[chosen])
            at = word(MOVED[(((rotations >> ((place >> _3) & _6)) & _3) << _6) + place])
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
            order[chosen], order[left] = order[left], place
        made += _1
        mine, theirs = twisted(theirs, twist), twisted(mine, twist)
        rotations = word(ROTATED[(rotations << _3) + twist])
        if left <= _LATEST:
            winners = (_2 if lines(mine) else _0) | (_1 if lines(theirs) else _0)
            if winners or left == _0:
                break
    # the bits are those of the last mover and of the other seat
    if (seat + made + _1) & _1:
        winners = (winners >> _1) | ((winners & _1) << _1)
    return (made << _2) | winners
