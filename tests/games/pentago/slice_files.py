"""Slice files for tests, written from the description of the format; and boards solved by the rules alone."""

import itertools
import struct
import zlib
from functools import cache

from pentad.games.pentago.slices import Slices
from tests.games.pentago.random_games import DATA

# the sub-board of each quadrant as board numbers count them
SUB_BOARDS = (3, 1, 4, 2)


def decoded(marbles):
    """The content of the slice of a number of marbles: (number, black's wins, white's wins), in order."""
    return list(Slices(DATA).boards(marbles))


# ── quadrants, the slow way ──────────────────────────────────────────────────────────────────────


@cache
def turned(quadrant, times=1):
    """A quadrant after anti-clockwise quarter turns."""
    for _ in range(times):
        quadrant = number({(2 - y, x): digit for (x, y), digit in digits(quadrant).items()})
    return quadrant


def mirrored(quadrant):
    return number({(2 - x, y): digit for (x, y), digit in digits(quadrant).items()})


def digits(quadrant):
    return {(cell // 3, cell % 3): quadrant // 3**cell % 3 for cell in range(9)}


def number(cells):
    return sum(digit * 3 ** (3 * x + y) for (x, y), digit in cells.items())


def least_rotation(quadrant):
    return min(turned(quadrant, times) for times in range(4))


@cache
def counts(quadrant):
    values = list(digits(quadrant).values())
    return values.count(1), values.count(2)


@cache
def patterns():
    """The patterns of every section's dimensions by counts, in order."""
    found = {}
    for quadrant in range(3**9):
        if quadrant == least_rotation(quadrant):
            found.setdefault(counts(quadrant), []).append(quadrant)
    for each in found.values():
        mirror = {quadrant: least_rotation(mirrored(quadrant)) for quadrant in each}
        each.sort(key=lambda q: (min(q, mirror[q]) + 3**9 * (q == mirror[q]), q))
    return found


def quadrants(board):
    return [board >> 16 * k & 0xFFFF for k in range(4)]


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(path, boards, *, block_size=8, kind=1, pack=zlib.compress, many=True, whole=True):
    """A slice file with these boards, {number: (black's wins, white's wins)} for the boards as they stand.

    All other entries are draws; unless it is to be `whole`, blocks without a board are not there at all, or all are
    the same one, which is `alike`.
    """
    sections = {}
    for board, wins in boards.items():
        key = tuple(counts(quadrant) for quadrant in quadrants(board))
        sections.setdefault(key, {})[board] = wins
    headers, data = [], bytearray(32 + 85 * len(sections) if many else 85)
    for key, held in sections.items():
        headers.append(write_section(data, key, held, block_size, kind, pack, whole))
    head = struct.pack("<20s3I", b"pentago sections   \n", 3, len(headers), 85) if many else b""
    data[: len(head) + 85 * len(headers)] = head + b"".join(headers)
    path.write_bytes(data)
    return path


def write_section(data, key, held, block_size, kind, pack, whole):
    """Appends the blocks and the index of a section; returns its header."""
    along = [patterns()[each] for each in key]
    shape = [len(each) for each in along]
    blocks = [-(-size // block_size) for size in shape]
    filled = {}
    for board, wins in held.items():
        at, entry = entry_of(board, wins, along, kind)
        filled.setdefault(tuple(place // block_size for place in at), []).append((at, entry))
    index = bytearray(24 * blocks[0] * blocks[1] * blocks[2] * blocks[3])
    for block in itertools.product(*map(range, blocks)) if whole is True else sorted(filled):
        sizes = [min(block_size, size - place * block_size) for size, place in zip(shape, block, strict=True)]
        entries = bytearray(64 * sizes[0] * sizes[1] * sizes[2] * sizes[3])
        for at, entry in filled.get(block, []):
            place = row_major([each % block_size for each in at], sizes)
            here = slice(64 * place, 64 * place + 64)  # another board with that pattern may already be there
            entries[here] = bytes(a | b for a, b in zip(entries[here], entry, strict=True))
        packed = pack(bytes(entries))
        struct.pack_into("<3Q", index, 24 * row_major(block, blocks), len(entries), len(packed), len(data))
        data += packed
        if whole == "alike":
            index = index[24 * row_major(block, blocks) :][:24] * (len(index) // 24)
    packed = pack(bytes(index))
    header = struct.pack(
        "<20sIBI8B4HI4HI3Q",
        b"pentago supertensor\n",
        *(3, 1, sum(map(sum, key))),
        *itertools.chain(*key),
        *(*shape, block_size, *blocks, kind),
        *(len(index), len(packed), len(data)),
    )
    data += packed
    return header


def entry_of(board, wins, along, kind):
    """The location of a board's pattern, and its entry: bit i is for the pattern, not the board, after i turns."""
    at, turns = [], []
    for quadrant, each in zip(quadrants(board), along, strict=True):
        pattern = least_rotation(quadrant)
        at.append(each.index(pattern))
        turns.append(next(times for times in range(4) if turned(pattern, times) == quadrant))
    rows = [["0"] * 256, ["0"] * 256]
    for bit, by in enumerate(rotations()):
        there = sum((a + b) % 4 * 4**k for k, (a, b) in enumerate(zip(turns, by, strict=True)))
        for row, mask in zip(rows, wins, strict=True):
            row[there] = str(mask >> bit & 1)
    if kind == 0:
        text = "".join(rows[0] + rows[1])
    else:
        text = "".join(black + white for black, white in zip(*rows, strict=True))
    return at, int(text[::-1], 2).to_bytes(64, "little")


def rotations():
    """The turns of each quadrant, by the number of the bit."""
    return [(bit % 4, bit // 4 % 4, bit // 16 % 4, bit // 64) for bit in range(256)]


def row_major(at, shape):
    place = 0
    for each, size in zip(at, shape, strict=True):
        place = place * size + each
    return place


# ── solving ──────────────────────────────────────────────────────────────────────────────────────


@cache
def solved(position):
    """The value for the player to act, by exhaustive search."""
    if position.outcome:
        return int(position.outcome.returns[position.turn])
    return max(worth(position, move) for move in position.legal_moves)


def worth(position, move):
    """The value of a move for its player."""
    after = position.play(move)
    if after.outcome:
        return int(after.outcome.returns[position.turn])
    return -solved(after)


def turned_board(position, turns):
    """A position after anti-clockwise quarter turns of its quadrants, by the rules."""
    marbles = position.marbles
    for sub_board, times in zip(SUB_BOARDS, turns, strict=True):
        twist = next(t for t in position.board.twists if t == (sub_board, "A"))
        for _ in range(times):
            marbles = tuple(position.board.twist(each, twist) for each in marbles)
    return type(position)(position.setup, marbles)


def solved_masks(position, wanted=None):
    """Black's and white's wins over all rotations of a nearly full board, or over the `wanted` ones."""
    wins = [0, 0]
    for bit, turns in enumerate(rotations()):
        board = turned_board(position, turns)
        value = solved(board) if wanted is None or board in wanted else 0
        if value:
            wins[board.turn if value > 0 else 1 - board.turn] |= 1 << bit
    return tuple(wins)
