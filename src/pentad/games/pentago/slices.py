"""The published strong solution of Pentago: exact values of boards and moves, read from a folder of slice files.

A slice has the boards with one number of marbles. Its sections are the boards with the same counts in each quadrant;
a board is found through its quadrants' patterns and a symmetry. A quadrant is the radix-3 number of a board number
(`pentad.games.pentago.rules`): nine cells, counted up the columns from the bottom left; `x` is a column, and `y` a row
counted from the bottom.

A slice may have gigabytes, and a file may be damaged or malicious. So nothing is read before it is needed, every size
is checked before memory is allocated, and every fault raises a `GameError` with the file's name. Integers are
little-endian; offsets count from the start of the file.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations, product
from math import prod
from pathlib import Path
from struct import Struct
from threading import Lock
from typing import Any, NamedTuple

from pentad.game import GameError, Move, shorten, shown
from pentad.games.pentago.board import Twist, spaces_of
from pentad.games.pentago.rules import PentagoPosition, to_number
from pentad.system.words import phrase

# ── quadrants and their patterns ──────────────────────────────────────────────────────────────────

QUADRANTS = 4
CELLS = 9
ROTATIONS = 4**QUADRANTS  # each quadrant has four

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


def _turns_of(quadrant: int) -> Iterator[int]:
    """A quadrant after 0 to 3 quarter turns."""
    return (_moved(quadrant, turn) for turn in _TURNS)


@cache
def counts_of(quadrant: int) -> tuple[int, int]:
    """The numbers of black and white marbles in a quadrant."""
    counts = [0, 0, 0]
    while quadrant:
        quadrant, digit = divmod(quadrant, 3)
        counts[digit] += 1
    return counts[1], counts[2]


@cache
def patterns(black: int, white: int) -> tuple[int, ...]:
    """The quadrants with these counts that are the least of their rotations, in the order of slice files.

    >>> patterns(1, 0)
    (1, 3, 81)
    """

    def rank(quadrant: int) -> tuple[int, int]:
        mirrored = min(_turns_of(_moved(quadrant, _MIRROR)))
        # Mirror pairs are adjacent and precede quadrants that are their own mirror image.
        return min(quadrant, mirrored) + (3**CELLS if quadrant == mirrored else 0), quadrant

    quadrants = (
        sum(_POWERS[cell] * (1 if cell in blacks else 2) for cell in taken)
        for taken in combinations(range(CELLS), black + white)
        for blacks in combinations(taken, black)
    )
    return tuple(sorted({min(_turns_of(quadrant)) for quadrant in quadrants}, key=rank))


def shape_of(counts: Counts) -> tuple[int, ...]:
    """The number of patterns of a section along each dimension."""
    return tuple(len(patterns(*each)) for each in counts)


@cache
def _pattern_indices(black: int, white: int) -> dict[int, tuple[int, int]]:
    """For each quadrant with these counts, the index of its pattern, and the quarter turns from the pattern."""
    indices: dict[int, tuple[int, int]] = {}
    for place, pattern in enumerate(patterns(black, white)):
        for times, turned in enumerate(_turns_of(pattern)):
            indices.setdefault(turned, (place, times))
    return indices


# ── symmetries ───────────────────────────────────────────────────────────────────────────────────


class SliceSymmetry(NamedTuple):
    """A symmetry of the board: the images of the quadrants and of their cells."""

    quadrants: tuple[int, ...]
    cells: Cells
    mirrored: bool

    def counts(self, counts: Counts) -> Counts:
        """The image of a section's counts."""
        return tuple(counts[self.quadrants.index(there)] for there in range(QUADRANTS))


def _symmetry(mirrored: bool, times: int) -> SliceSymmetry:
    """An optional mirror exchange of left and right, then quarter turns anti-clockwise."""
    to = (_turned(1 - x if mirrored else x, y, 2, times) for x, y in product(range(2), repeat=2))
    mirror = _MIRROR if mirrored else _IDENTITY
    return SliceSymmetry(tuple(2 * x + y for x, y in to), tuple(_TURNS[times][cell] for cell in mirror), mirrored)


SYMMETRIES = tuple(_symmetry(mirrored, times) for mirrored in (False, True) for times in range(4))


class BoardLocation(NamedTuple):
    """The location of a board in the image of its section under a symmetry."""

    at: tuple[int, ...]  # the pattern of each quadrant of the section
    turns: tuple[int, ...]  # the quarter turns from that pattern to the board's quadrant
    symmetry: SliceSymmetry

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


def locate(quadrants: Quadrants, symmetry: SliceSymmetry) -> BoardLocation:
    """The location of a board under a symmetry."""
    found = [(0, 0)] * QUADRANTS
    for here, there in zip(quadrants, symmetry.quadrants, strict=True):
        image = _moved(here, symmetry.cells)
        found[there] = _pattern_indices(*counts_of(image))[image]
    return BoardLocation(tuple(place for place, _ in found), tuple(times for _, times in found), symmetry)


# ── files ────────────────────────────────────────────────────────────────────────────────────────


class BlockCache:
    """Blocks of files by key; the least recently used is dropped first. The newest stays, however large it is."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._blocks: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, read: Callable[[], bytes]) -> bytes:
        """Returns the block of a key, and reads it if it is not cached."""
        with self._lock:
            if key in self._blocks:
                self._blocks.move_to_end(key)
                return self._blocks[key]
        block = read()  # outside of the lock: two threads may read the same block, but none waits for another's file
        with self._lock:
            self._bytes += len(block) - len(self._blocks.pop(key, b""))
            self._blocks[key] = block
            while self._bytes > self.most_bytes and len(self._blocks) > 1:
                _, oldest = self._blocks.popitem(last=False)
                self._bytes -= len(oldest)
        return block


MANY, ONE = b"pentago sections   \n", b"pentago supertensor\n"  # magic bytes: several sections, one section
MAGIC_SIZE = len(MANY)
VERSION = 3
ENTRY_BYTES = 2 * ROTATIONS // 8  # a bit for each rotation in which black wins, and as many for white
MOST_SECTIONS = 64_405  # the number for 24 marbles, without reduction by symmetry
MOST_BLOCK = 64 << 20  # the most bytes of a block; published blocks have a quarter of a MiB
XZ_MAGIC, XZ_MEMORY = b"\xfd7zXZ\x00", 128 << 20

_HEAD = Struct(f"<{MAGIC_SIZE}s3I")
_SECTION = Struct(f"<{MAGIC_SIZE}sIBI8B4HI4HI3Q")
_BLOB = Struct("<3Q")

PLAIN, INTERLEAVED = 0, 1


class Blob(NamedTuple):
    """A compressed piece of a file; `size` is that of the data, `packed` that in the file."""

    size: int
    packed: int
    offset: int


@dataclass(frozen=True, slots=True)
class Section:
    """All boards with the same counts in each quadrant: a four-dimensional array of entries, in blocks."""

    counts: Counts
    shape: tuple[int, ...]
    block_size: int
    filter: int
    index: Blob

    @property
    def marbles(self) -> int:
        """The number of marbles on the boards."""
        return sum(map(sum, self.counts))

    @property
    def blocks(self) -> tuple[int, ...]:
        """The number of blocks along each dimension."""
        return tuple(-(-size // self.block_size) for size in self.shape)

    def block_shape(self, block: tuple[int, ...]) -> tuple[int, ...]:
        """The number of entries of a block along each dimension; blocks at the ends have fewer."""
        sizes = zip(self.shape, block, strict=True)
        return tuple(min(self.block_size, size - number * self.block_size) for size, number in sizes)

    def find(self, at: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """The block of an entry, and the entry's index in it."""
        block = tuple(place // self.block_size for place in at)
        return block, _row_major(tuple(place % self.block_size for place in at), self.block_shape(block))


class SliceFile:
    """A slice file, opened for each read."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._first, self._number = self._begin()
        self.marbles = next(self._sections(1)).marbles

    def error(self, what: str) -> GameError:
        """An error about this file."""
        return GameError(f"Slice file {shorten(str(self.path), 160)}: {what}")

    def _unreadable(self, error: OSError) -> GameError:
        return self.error(phrase("Cannot read it: {reason}.", reason=error.strerror or error))

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _read(self, offset: int, size: int, what: str) -> bytes:
        try:
            with self.path.open("rb") as file:
                end = os.fstat(file.fileno()).st_size
                if offset + size > end:
                    raise self.error(
                        phrase("The file ends after {end:,} bytes, before the end of {what}.", end=end, what=what)
                    )
                file.seek(offset)
                data = file.read(size)
        except OSError as error:
            raise self._unreadable(error) from None
        if len(data) < size:
            raise self.error(phrase("The file ends before the end of {what}.", what=what))
        return data

    def _unpacked(self, blob: Blob, size: int, what: str) -> bytes:
        """A piece of the file, decompressed to the expected size."""
        if blob.size != size:
            raise self.error(
                phrase(
                    "Expected {size:,} bytes for {what}, got {blob_size:,}.", size=size, what=what, blob_size=blob.size
                )
            )
        if blob.packed > size + size // 8 + 1024:
            raise self.error(
                phrase("Impossible size of {packed:,} compressed bytes for {what}.", packed=blob.packed, what=what)
            )
        try:
            unpacked, whole = _decompressed(self._read(blob.offset, blob.packed, what), size)
        except zlib.error as error:
            raise self.error(
                phrase("Cannot decompress {what}: {error}.", what=what, error=shorten(str(error)))
            ) from None
        except MemoryError:
            raise self.error(phrase("Not enough memory for {what} of {size:,} bytes.", what=what, size=size)) from None
        if not whole or len(unpacked) != size:
            raise self.error(phrase("Cannot decompress {what} to {size:,} bytes.", what=what, size=size))
        return unpacked

    # ── sections ─────────────────────────────────────────────────────────────────────────────────

    def _begin(self) -> tuple[int, int]:
        """The offset of the first section's header, and the number of sections."""
        try:
            plain = stat.S_ISREG(self.path.stat().st_mode)
        except OSError as error:
            raise self._unreadable(error) from None
        except ValueError:  # a null byte in the name
            raise self.error("The name is not a file name.") from None
        if not plain:  # a pipe could block for ever
            raise self.error("Not a regular file.")
        magic = self._read(0, MAGIC_SIZE, "its first line")
        if magic == ONE:
            return 0, 1
        if magic != MANY:
            raise self.error("Not a slice file. Its first bytes are different.")
        _, version, number, size = _HEAD.unpack(self._read(0, _HEAD.size, "its first line"))
        self._check_version(version)
        if size != _SECTION.size:
            raise self.error(
                phrase("Expected {size} bytes for a section's header, got {got:,}.", size=_SECTION.size, got=size)
            )
        if not 0 < number <= MOST_SECTIONS:
            raise self.error(
                phrase(
                    "Expected 1 to {most_sections:,} sections, got {number:,}.",
                    most_sections=MOST_SECTIONS,
                    number=number,
                )
            )
        return _HEAD.size, number

    def _check_version(self, version: int) -> None:
        if version != VERSION:
            raise self.error(
                phrase(
                    "Unsupported format version {version}. Only {supported} is supported.",
                    version=version,
                    supported=VERSION,
                )
            )

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections of this file, in order."""
        sections = tuple(self._sections(self._number))
        if any(section.marbles != self.marbles for section in sections):
            raise self.error("The sections have different numbers of marbles.")
        if len({section.counts for section in sections}) < len(sections):
            raise self.error("Two sections are the same.")
        return sections

    def _sections(self, number: int) -> Iterator[Section]:
        """The first sections."""
        headers = self._read(self._first, number * _SECTION.size, "its sections' headers")
        return map(self._section, _SECTION.iter_unpack(headers))

    def _section(self, fields: tuple[Any, ...]) -> Section:
        """Parses the header of a section."""
        magic, version, finished, marbles = fields[:4]
        numbers, shape, block_size, blocks, kind = fields[4:12], fields[12:16], fields[16], fields[17:21], fields[21]
        if magic != ONE:
            raise self.error("Expected a section's header, got other data.")
        self._check_version(version)
        if finished != 1:
            raise self.error("The file is incomplete: its writer has not finished it.")
        counts = tuple((numbers[2 * k], numbers[2 * k + 1]) for k in range(QUADRANTS))
        self._check_counts(counts, marbles)
        if shape != shape_of(counts):
            raise self.error(
                phrase(
                    "Expected {expected} patterns with these counts, got {got}.",
                    expected=_joined(shape_of(counts)),
                    got=_joined(shape),
                )
            )
        if kind not in _SPLIT:
            raise self.error(
                phrase(
                    "Unknown filter {kind}. The filters are {plain} and {interleaved}.",
                    kind=kind,
                    plain=PLAIN,
                    interleaved=INTERLEAVED,
                )
            )
        section = Section(counts, shape, block_size, kind, Blob(*fields[22:]))
        if not block_size or prod(section.block_shape((0,) * QUADRANTS)) * ENTRY_BYTES > MOST_BLOCK:
            raise self.error(
                phrase(
                    "Invalid block size {block_size:,}. A block has at most {most_block:,} bytes.",
                    block_size=block_size,
                    most_block=MOST_BLOCK,
                )
            )
        if blocks != section.blocks:
            raise self.error(
                phrase(
                    "Expected {expected} blocks in a section, got {got}.",
                    expected=_joined(section.blocks),
                    got=_joined(blocks),
                )
            )
        return section

    def _check_counts(self, counts: Counts, marbles: int) -> None:
        black, white = (sum(each) for each in zip(*counts, strict=True))
        if max(map(sum, counts)) > CELLS or black + white != marbles or black - white not in (0, 1):
            raise self.error(
                phrase(
                    "Impossible counts: {black} black and {white} white marbles in quadrants of {sums}.",
                    black=black,
                    white=white,
                    sums=_joined(map(sum, counts), "+"),
                )
            )

    # ── blocks ───────────────────────────────────────────────────────────────────────────────────

    def index(self, section: Section) -> bytes:
        """The index of a section: the locations of its blocks, in order."""
        return self._unpacked(section.index, prod(section.blocks) * _BLOB.size, "a section's index")

    def block(self, section: Section, index: bytes, block: tuple[int, ...]) -> bytes:
        """The entries of a block."""
        blob = Blob(*_BLOB.unpack_from(index, _row_major(block, section.blocks) * _BLOB.size))
        return self._unpacked(blob, prod(section.block_shape(block)) * ENTRY_BYTES, "a block")

    def entry(self, section: Section, data: bytes, number: int) -> tuple[int, int]:
        """Black's and white's wins in one entry of a block."""
        entry = int.from_bytes(data[number * ENTRY_BYTES : (number + 1) * ENTRY_BYTES], "little")
        black, white = _SPLIT[section.filter](entry)
        if black & white:
            raise self.error("Both players win the same board.")
        return black, white

    def check(self) -> Iterator[int]:
        """Reads the whole file block by block; yields the number of bytes of each."""
        taken, size = 0, self.size
        for section in self.sections:
            index = self.index(section)
            distance, pattern = _BLACKS[section.filter]
            for number, block in enumerate(product(*map(range, section.blocks))):
                packed = Blob(*_BLOB.unpack_from(index, number * _BLOB.size)).packed
                taken += packed
                if taken > size:
                    raise self.error("The blocks are longer than the file, so some must overlap.")
                data = self.block(section, index, block)
                wins = int.from_bytes(data, "little")
                blacks = int.from_bytes(pattern * (len(data) // len(pattern)), "little")
                if wins & wins >> distance & blacks:
                    raise self.error("Both players win the same board.")
                yield packed

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise self._unreadable(error) from None


def _row_major(at: tuple[int, ...], shape: tuple[int, ...]) -> int:
    number = 0
    for place, size in zip(at, shape, strict=True):
        number = number * size + place
    return number


def _joined(numbers: Iterable[int], sign: str = " × ") -> str:
    return sign.join(map(str, numbers))


# ── compression ──────────────────────────────────────────────────────────────────────────────────


def _decompressed(data: bytes, size: int) -> tuple[bytes, bool]:
    """Decompresses at most `size` + 1 bytes; also returns whether exactly all data were used. Raises `zlib.error`."""
    if not data.startswith(XZ_MAGIC):
        plain = zlib.decompressobj()
        return plain.decompress(data, size + 1), plain.eof and not plain.unused_data
    import lzma  # not part of every Python

    packed = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
    try:
        return packed.decompress(data, size + 1), packed.eof and not packed.unused_data
    except lzma.LZMAError as error:
        raise zlib.error(str(error)) from None


# ── filters ──────────────────────────────────────────────────────────────────────────────────────

_BITS = 8 * ENTRY_BYTES


def _repeated(run: int) -> int:
    """A mask as wide as an entry: runs of set bits and equal runs of clear bits."""
    return sum(((1 << run) - 1) << start for start in range(0, _BITS, 2 * run))


_EVEN = _repeated(1)
_GATHERING = tuple((1 << k, _repeated(2 << k)) for k in range(ROTATIONS.bit_length() - 1))


def _even_bits(entry: int) -> int:
    """Gathers the even bits of an entry: into pairs, then fours, and so on."""
    entry &= _EVEN
    for run, mask in _GATHERING:
        entry = (entry | entry >> run) & mask
    return entry


# For each filter, how to split an entry into black's and white's wins.
_SPLIT: dict[int, Callable[[int], tuple[int, int]]] = {
    PLAIN: lambda entry: (entry & (1 << ROTATIONS) - 1, entry >> ROTATIONS),
    INTERLEAVED: lambda entry: (_even_bits(entry), _even_bits(entry >> 1)),
}

# For each filter, the distance from black's to white's bit of a rotation, and the mask of black's bits.
_BLACKS = {
    PLAIN: (ROTATIONS, b"\xff" * (ENTRY_BYTES // 2) + b"\x00" * (ENTRY_BYTES // 2)),
    INTERLEAVED: (1, b"\x55"),
}


# ── a folder of slices ───────────────────────────────────────────────────────────────────────────

SUFFIX = ".pentago"
VARIABLE = "PENTAD_SLICES"  # the environment variable with the folder of slices
BLOCK_CACHE_BYTES, INDEX_CACHE_BYTES = 64 << 20, 128 << 20
SPACES = 36  # the game is over with so many marbles

# The quadrant in board numbers of each sub-board, and the anti-clockwise quarter turns of each direction.
_QUADRANT_OF = {1: 1, 2: 3, 3: 0, 4: 2}
_TIMES = {"A": 1, "C": 3}


class MissingSlice(GameError):
    """The folder lacks the slice for a board."""


class Slices:
    """The slices in a folder: values for the player to act, with perfect play on both sides."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._files: dict[int, list[SliceFile]] = {}
        for path in slice_paths(self.folder):
            file = SliceFile(path)
            self._files.setdefault(file.marbles, []).append(file)
        self.counts = tuple(sorted(self._files))  # the numbers of marbles of all slices
        self._sections: dict[int, dict[Counts, tuple[SliceFile, Section]]] = {}
        self._blocks, self._indexes = BlockCache(BLOCK_CACHE_BYTES), BlockCache(INDEX_CACHE_BYTES)

    @property
    def name(self) -> str:
        """The folder's name, for messages."""
        return shorten(str(self.folder), 160)

    # ── values ───────────────────────────────────────────────────────────────────────────────────

    def value(self, position: PentagoPosition) -> int:
        """The value for the player to act: 1 a win, 0 a draw, -1 a loss. After the end it comes from the rules."""
        _require_classic(position)
        if (ended := _ended(position, position.turn)) is not None:
            return ended
        if position.winning_spaces:  # known by the rules, without slices
            return 1
        next_is_known = position.ply + 1 in self.counts or position.ply + 1 == SPACES
        if position.placed or (position.ply not in self.counts and next_is_known):
            return max(self.values(position).values())
        location, black, white = self._look_up(position)
        return _credit(black, white, location.bits(), position.turn)

    def values(self, position: PentagoPosition) -> dict[Move, int]:
        """The value of each legal move for the player to act, from the slice of one marble more; none after the end."""
        _require_classic(position)
        if position.outcome:
            return {}
        if position.placed:
            return {Move((twist,)): value for twist, value in self._twists(position).items()}
        values: dict[Move, int] = {}
        for space in spaces_of(position.empty):
            place = position.board.places[space]
            placed = position.partial((place,))
            if placed.outcome:
                values[Move((place,))] = 1
            else:
                values |= {Move((place, twist)): value for twist, value in self._twists(placed).items()}
        return values

    def _twists(self, placed: PentagoPosition) -> dict[Twist, int]:
        """The value of each rotation for the player who has placed a marble; all of them are in one entry."""
        mover, values, found = placed.turn, {}, None
        for twist in placed.board.twists:
            if (ended := _ended(placed.play((twist,)), mover)) is not None:
                values[twist] = ended
                continue
            location, black, white = found = found or self._look_up(placed)
            turned = _QUADRANT_OF[twist.sub_board]
            turns = tuple(_TIMES[twist.direction] if k == turned else 0 for k in range(QUADRANTS))
            values[twist] = _credit(black, white, location.bits(turns), mover)
        return values

    def masks(self, position: PentagoPosition) -> tuple[int, int]:
        """Black's and white's wins over all rotations of a board.

        Bit i0+4·i1+16·i2+64·i3 is for the board whose quadrant k, as in board numbers, is turned by i_k
        quarters anti-clockwise, with the other player to act if a marble has just been placed.
        """
        _require_classic(position)
        location, black, white = self._look_up(position)
        all_turns = (tuple(bit >> 2 * k & 3 for k in range(QUADRANTS)) for bit in range(ROTATIONS))
        bits = [(1 << number, location.bits(turns)) for number, turns in enumerate(all_turns)]
        return sum(bit for bit, at in bits if black >> at & 1), sum(bit for bit, at in bits if white >> at & 1)

    # ── finding an entry ─────────────────────────────────────────────────────────────────────────

    def _look_up(self, position: PentagoPosition) -> tuple[BoardLocation, int, int]:
        """The location of a board's entry, and black's and white's wins in it."""
        quadrants = quadrants_of(to_number(position))
        counts = tuple(map(counts_of, quadrants))
        stored = self._sections_of(position.ply + position.placed)
        for symmetry in SYMMETRIES:
            if (image := symmetry.counts(counts)) in stored:
                file, section = stored[image]
                here = locate(quadrants, symmetry)
                block, number = section.find(here.at)
                return here, *file.entry(section, self._block(file, section, block), number)
        raise MissingSlice(
            "The slice of {ply} marbles in {name} lacks this board's section.",
            ply=position.ply + position.placed,
            name=self.name,
        )

    def _sections_of(self, marbles: int) -> dict[Counts, tuple[SliceFile, Section]]:
        """The sections with this number of marbles, and their files."""
        if marbles not in self._sections:
            if marbles not in self._files:
                known = ", ".join(map(str, self.counts))
                raise MissingSlice(
                    "{name} has no slice of {marbles} marbles, only of {known}.",
                    name=self.name,
                    marbles=marbles,
                    known=known,
                )
            files = self._files[marbles]
            # Of several files with the same section, the first is read.
            self._sections[marbles] = {s.counts: (file, s) for file in reversed(files) for s in file.sections}
        return self._sections[marbles]

    def _block(self, file: SliceFile, section: Section, block: tuple[int, ...]) -> bytes:
        where = (file.path, section.counts)

        def read() -> bytes:
            return file.block(section, self._indexes.get(where, lambda: file.index(section)), block)

        return self._blocks.get((*where, block), read)

    # ── all boards ───────────────────────────────────────────────────────────────────────────────

    def boards(self, marbles: int) -> Iterator[tuple[int, int, int]]:
        """All boards that a slice stores: the board number, and black's and white's wins over its rotations."""
        for file, section in self._sections_of(marbles).values():
            along = [patterns(*each) for each in section.counts]
            index = file.index(section)
            for block in product(*map(range, section.blocks)):
                data = file.block(section, index, block)
                starts = (number * section.block_size for number in block)
                parts = (each[start : start + section.block_size] for each, start in zip(along, starts, strict=True))
                for number, quadrants in enumerate(product(*parts)):
                    yield number_of(quadrants), *file.entry(section, data, number)


def _require_classic(position: PentagoPosition) -> None:
    if not isinstance(position, PentagoPosition):
        raise GameError("Slices contain positions of Pentago, not {position}.", position=shown(position))
    to_number(position)  # raises the error for other boards
    if not position.setup.win_on_placement:
        raise GameError("Slices contain games in which a placement can win. This game has win_on_placement=false.")


def _ended(position: PentagoPosition, seat: int) -> int | None:
    """The value of a finished game for a seat, else None."""
    outcome = position.outcome
    return None if outcome is None else int(outcome.returns[seat])


def _credit(black: int, white: int, bit: int, seat: int) -> int:
    """The value for a seat by one bit of an entry."""
    won = (black >> bit & 1, white >> bit & 1)
    return won[seat] - won[1 - seat]


# ── folders ──────────────────────────────────────────────────────────────────────────────────────


def slice_paths(folder: Path) -> list[Path]:
    """The slice files in a folder."""
    name = shorten(str(folder), 160)
    if not os.path.isdir(folder):  # noqa: PTH112  (False for every odd name)
        raise GameError("{name} is not a folder.", name=name)
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    except OSError as error:
        raise GameError("Cannot read {name}: {reason}.", name=name, reason=error.strerror or error) from None
    if not paths:
        raise GameError("{name} has no slice files. Their names end in {suffix}.", name=name, suffix=SUFFIX)
    return paths


def configured_folder() -> str | None:
    """The folder in PENTAD_SLICES, or None."""
    return os.environ.get(VARIABLE) or None


def configured() -> Slices | None:
    """The slices of the folder in PENTAD_SLICES, or None."""
    folder = configured_folder()
    if folder is None:
        return None
    try:
        return _opened(folder)
    except GameError as error:
        raise GameError(f"{VARIABLE}: {error}") from None


_opened = lru_cache(maxsize=4)(Slices)
