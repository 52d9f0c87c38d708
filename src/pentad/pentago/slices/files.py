"""Reader of slice files: sections, their indexes and blocks, read piece by piece.

A slice may have gigabytes, and a file may be damaged or malicious. So nothing is read before it is needed, every size
is checked before memory is allocated, and every fault raises a `GameError` with the file's name. Integers are
little-endian; offsets count from the start of the file.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from struct import Struct
from threading import Lock
from typing import NamedTuple, Protocol

from pentad.game import GameError, shorten
from pentad.pentago.slices.sections import CELLS, QUADRANTS, ROTATIONS, Counts, shape_of


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


MANY, ONE = (
    b"pentago sections   \n",
    b"pentago supertensor\n",
)  # magic bytes: several sections, one section
MAGIC_SIZE = len(MANY)
VERSION = 3
ENTRY = 2 * ROTATIONS // 8  # bytes: a bit for each rotation in which black wins, and as many for white
MOST_SECTIONS = 64_405  # the number for 24 marbles, without reduction by symmetry
MOST_BLOCK = 64 << 20  # the most bytes of a block; published blocks have a quarter of a MiB
XZ_MAGIC, XZ_MEMORY = b"\xfd7zXZ\x00", 128 << 20

_HEAD = Struct(f"<{MAGIC_SIZE}s3I")
_SECTION = Struct(f"<{MAGIC_SIZE}sIBI8B4HI4HI3Q")
_BLOB = Struct("<3Q")

PLAIN, INTERLEAVED = 0, 1


class Blob(NamedTuple):
    """A compressed piece of a file."""

    size: int  # decompressed
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
    def blocks(self) -> tuple[int, ...]:
        """The number of blocks along each dimension."""
        return tuple(-(-size // self.block_size) for size in self.shape)

    def block_shape(self, block: tuple[int, ...]) -> tuple[int, ...]:
        """The number of entries of a block along each dimension; blocks at the ends have fewer."""
        sizes = zip(self.shape, block, strict=True)
        return tuple(min(self.block_size, size - number * self.block_size) for size, number in sizes)


class SliceFile:
    """A slice file, opened for each read."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._first, self._number = self._begin()
        self.marbles = sum(map(sum, self._section(self._headers(1)).counts))

    def error(self, what: str) -> GameError:
        """An error about this file."""
        return GameError(f"Slice file {shorten(str(self.path), 160)}: {what}")

    def _unreadable(self, error: OSError) -> GameError:
        return self.error(f"Cannot read it: {error.strerror or error}.")

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _read(self, offset: int, size: int, what: str) -> bytes:
        try:
            with self.path.open("rb") as file:
                end = os.fstat(file.fileno()).st_size
                if offset + size > end:
                    raise self.error(f"The file ends after {end:,} bytes, before the end of {what}.")
                file.seek(offset)
                data = file.read(size)
        except OSError as error:
            raise self._unreadable(error) from None
        if len(data) < size:
            raise self.error(f"The file ends before the end of {what}.")
        return data

    def _unpacked(self, blob: Blob, size: int, what: str) -> bytes:
        """A piece of the file, decompressed to the expected size."""
        if blob.size != size:
            raise self.error(f"Expected {size:,} bytes for {what}, got {blob.size:,}.")
        if blob.packed > size + size // 8 + 1024:
            raise self.error(f"Impossible size of {blob.packed:,} compressed bytes for {what}.")
        try:
            data = self._read(blob.offset, blob.packed, what)
            unpacked, whole = _decompressed(data, size)
        except _broken() as error:
            raise self.error(f"Cannot decompress {what}: {shorten(str(error))}.") from None
        except MemoryError:
            raise self.error(f"Not enough memory for {what} of {size:,} bytes.") from None
        if not whole or len(unpacked) != size:
            raise self.error(f"Cannot decompress {what} to {size:,} bytes.")
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
            raise self.error(f"Expected {_SECTION.size} bytes for a section's header, got {size:,}.")
        if not 0 < number <= MOST_SECTIONS:
            raise self.error(f"Expected 1 to {MOST_SECTIONS:,} sections, got {number:,}.")
        return _HEAD.size, number

    def _check_version(self, version: int) -> None:
        if version != VERSION:
            raise self.error(f"Unsupported format version {version}. Only {VERSION} is supported.")

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections of this file, in order."""
        data = self._headers(self._number)
        sections = tuple(
            self._section(data[start : start + _SECTION.size]) for start in range(0, len(data), _SECTION.size)
        )
        if any(sum(map(sum, section.counts)) != self.marbles for section in sections):
            raise self.error("The sections have different numbers of marbles.")
        if len({section.counts for section in sections}) < len(sections):
            raise self.error("Two sections are the same.")
        return sections

    def _headers(self, number: int) -> bytes:
        """The headers of the first sections."""
        return self._read(self._first, number * _SECTION.size, "its sections' headers")

    def _section(self, header: bytes) -> Section:
        """Parses the header of a section."""
        fields = _SECTION.unpack(header)
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
            raise self.error(f"Expected {_joined(shape_of(counts))} patterns with these counts, got {_joined(shape)}.")
        if kind not in _SPLIT:
            raise self.error(f"Unknown filter {kind}. The filters are {PLAIN} and {INTERLEAVED}.")
        section = Section(counts, shape, block_size, kind, Blob(*fields[22:]))
        if not block_size or prod(section.block_shape((0,) * QUADRANTS)) * ENTRY > MOST_BLOCK:
            raise self.error(f"Invalid block size {block_size:,}. A block has at most {MOST_BLOCK:,} bytes.")
        if blocks != section.blocks:
            raise self.error(f"Expected {_joined(section.blocks)} blocks in a section, got {_joined(blocks)}.")
        return section

    def _check_counts(self, counts: Counts, marbles: int) -> None:
        black, white = (sum(each) for each in zip(*counts, strict=True))
        if max(map(sum, counts)) > CELLS or black + white != marbles or black - white not in (0, 1):
            raise self.error(
                f"Impossible counts: {black} black and {white} white marbles in quadrants of "
                f"{_joined(map(sum, counts), '+')}."
            )

    # ── blocks ───────────────────────────────────────────────────────────────────────────────────

    def index(self, section: Section) -> bytes:
        """The index of a section: the locations of its blocks, in order."""
        return self._unpacked(section.index, prod(section.blocks) * _BLOB.size, "a section's index")

    def block(self, section: Section, index: bytes, block: tuple[int, ...]) -> bytes:
        """The entries of a block."""
        blob = Blob(*_BLOB.unpack_from(index, _row_major(block, section.blocks) * _BLOB.size))
        return self._unpacked(blob, prod(section.block_shape(block)) * ENTRY, "a block")

    def entry(self, section: Section, data: bytes, number: int) -> tuple[int, int]:
        """Black's and white's wins in one entry of a block."""
        entry = int.from_bytes(data[number * ENTRY : (number + 1) * ENTRY], "little")
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


def find(section: Section, at: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The block of an entry, and the entry's index in it."""
    block = tuple(place // section.block_size for place in at)
    return block, _row_major(tuple(place % section.block_size for place in at), section.block_shape(block))


def _row_major(at: tuple[int, ...], shape: tuple[int, ...]) -> int:
    number = 0
    for place, size in zip(at, shape, strict=True):
        number = number * size + place
    return number


def _joined(numbers: Iterator[int] | tuple[int, ...], sign: str = " × ") -> str:
    return sign.join(map(str, numbers))


# ── compression ──────────────────────────────────────────────────────────────────────────────────


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


def _decompressed(data: bytes, size: int) -> tuple[bytes, bool]:
    """Decompresses at most `size` + 1 bytes; also returns whether exactly all data were used."""
    decompressor: _Decompressor
    if data.startswith(XZ_MAGIC):
        import lzma

        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
    else:
        decompressor = zlib.decompressobj()
    unpacked = decompressor.decompress(data, size + 1)
    return unpacked, decompressor.eof and not decompressor.unused_data


def _broken() -> tuple[type[Exception], ...]:
    """The exceptions of decompression."""
    import lzma

    return zlib.error, lzma.LZMAError, EOFError


# ── filters ──────────────────────────────────────────────────────────────────────────────────────

_BITS = 8 * ENTRY


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
    PLAIN: (ROTATIONS, b"\xff" * (ENTRY // 2) + b"\x00" * (ENTRY // 2)),
    INTERLEAVED: (1, b"\x55"),
}
