"""One slice file: its sections, their indexes and blocks, read piece by piece.

A slice may hold gigabytes, and a file may be damaged or lie. So nothing is read before it is asked for, every size
is held against what it must be before anything is allotted, and whatever is wrong is a `GameError` with the file's
name. Integers are little-endian; offsets count from the start of the file.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from struct import Struct
from typing import NamedTuple, Protocol

from pentad.game import GameError, shorten
from pentad.pentago.slices.sections import CELLS, QUADRANTS, ROTATIONS, Counts, shape_of

MANY, ONE = b"pentago sections   \n", b"pentago supertensor\n"  # how files of several sections and of one begin
MAGIC_SIZE = len(MANY)
VERSION = 3
ENTRY = 2 * ROTATIONS // 8  # bytes: a bit for each rotation in which black wins, and as many for white
MOST_SECTIONS = 64_405  # of 24 marbles there are so many, with those that symmetry leaves out
MOST_BLOCK = 64 << 20  # bytes that one block may have; those that are published have a quarter of a MiB
XZ_MAGIC, XZ_MEMORY = b"\xfd7zXZ\x00", 128 << 20

_HEAD = Struct(f"<{MAGIC_SIZE}s3I")
_SECTION = Struct(f"<{MAGIC_SIZE}sIBI8B4HI4HI3Q")
_BLOB = Struct("<3Q")

PLAIN, INTERLEAVED = 0, 1


class Blob(NamedTuple):
    """A compressed piece of a file."""

    size: int  # once it is decompressed
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
        """How many blocks there are along each dimension."""
        return tuple(-(-size // self.block_size) for size in self.shape)

    def block_shape(self, block: tuple[int, ...]) -> tuple[int, ...]:
        """How many entries a block has along each dimension; those at the ends have fewer."""
        sizes = zip(self.shape, block, strict=True)
        return tuple(min(self.block_size, size - number * self.block_size) for size, number in sizes)


class SliceFile:
    """A slice file, opened for each piece that is read from it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._first, self._number = self._begin()
        self.marbles = sum(map(sum, self._section(self._headers(1)).counts))

    def wrong(self, what: str) -> GameError:
        """The error that tells what is wrong with this file."""
        return GameError(f"slice file {shorten(str(self.path), 160)}: {what}")

    def _unreadable(self, error: OSError) -> GameError:
        return self.wrong(f"it cannot be read: {error.strerror or error}")

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _read(self, offset: int, size: int, what: str) -> bytes:
        try:
            with self.path.open("rb") as file:
                end = os.fstat(file.fileno()).st_size
                if offset + size > end:
                    raise self.wrong(f"it ends after {end:,} bytes, before the end of {what}")
                file.seek(offset)
                data = file.read(size)
        except OSError as error:
            raise self._unreadable(error) from None
        if len(data) < size:
            raise self.wrong(f"it ends before the end of {what}")
        return data

    def _unpacked(self, blob: Blob, size: int, what: str) -> bytes:
        """A piece of the file, decompressed to the size that it must have."""
        if blob.size != size:
            raise self.wrong(f"{what} should have {size:,} bytes, not {blob.size:,}")
        if blob.packed > size + size // 8 + 1024:
            raise self.wrong(f"{what} cannot take {blob.packed:,} bytes once it is compressed")
        try:
            data = self._read(blob.offset, blob.packed, what)
            unpacked, whole = _decompressed(data, size)
        except _broken() as error:
            raise self.wrong(f"{what} cannot be decompressed: {shorten(str(error))}") from None
        except MemoryError:
            raise self.wrong(f"there is no memory for {what} of {size:,} bytes") from None
        if not whole or len(unpacked) != size:
            raise self.wrong(f"{what} does not decompress to {size:,} bytes")
        return unpacked

    # ── sections ─────────────────────────────────────────────────────────────────────────────────

    def _begin(self) -> tuple[int, int]:
        """Where the first section's header is, and how many there are."""
        try:
            plain = stat.S_ISREG(self.path.stat().st_mode)
        except OSError as error:
            raise self._unreadable(error) from None
        except ValueError:  # a null byte in its name
            raise self.wrong("that is no file's name") from None
        if not plain:  # one could wait for a pipe for ever
            raise self.wrong("that is no plain file")
        magic = self._read(0, MAGIC_SIZE, "its first line")
        if magic == ONE:
            return 0, 1
        if magic != MANY:
            raise self.wrong("that is no slice of the solution; it begins differently")
        _, version, number, size = _HEAD.unpack(self._read(0, _HEAD.size, "its first line"))
        self._check_version(version)
        if size != _SECTION.size:
            raise self.wrong(f"a section's header has {_SECTION.size} bytes, not {size:,}")
        if not 0 < number <= MOST_SECTIONS:
            raise self.wrong(f"{number:,} sections cannot be; there are 1 to {MOST_SECTIONS:,}")
        return _HEAD.size, number

    def _check_version(self, version: int) -> None:
        if version != VERSION:
            raise self.wrong(f"its format's version is {version}; only {VERSION} is read")

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections of this file in its order."""
        data = self._headers(self._number)
        sections = tuple(
            self._section(data[start : start + _SECTION.size]) for start in range(0, len(data), _SECTION.size)
        )
        if any(sum(map(sum, section.counts)) != self.marbles for section in sections):
            raise self.wrong("its sections differ in how many marbles there are")
        if len({section.counts for section in sections}) < len(sections):
            raise self.wrong("a section is there twice")
        return sections

    def _headers(self, number: int) -> bytes:
        """The headers of the first sections."""
        return self._read(self._first, number * _SECTION.size, "its sections' headers")

    def _section(self, header: bytes) -> Section:
        """The section of a header."""
        fields = _SECTION.unpack(header)
        magic, version, finished, marbles = fields[:4]
        numbers, shape, block_size, blocks, kind = fields[4:12], fields[12:16], fields[16], fields[17:21], fields[21]
        if magic != ONE:
            raise self.wrong("where a section's header should be there is something else")
        self._check_version(version)
        if finished != 1:
            raise self.wrong("it has not been finished by who wrote it")
        counts = tuple((numbers[2 * k], numbers[2 * k + 1]) for k in range(QUADRANTS))
        self._check_counts(counts, marbles)
        if shape != shape_of(counts):
            raise self.wrong(
                f"{_joined(shape)} patterns cannot be; with those counts there are {_joined(shape_of(counts))}"
            )
        if kind not in _SPLIT:
            raise self.wrong(f"there is no filter {kind}; there are {PLAIN} and {INTERLEAVED}")
        section = Section(counts, shape, block_size, kind, Blob(*fields[22:]))
        if not block_size or prod(section.block_shape((0,) * QUADRANTS)) * ENTRY > MOST_BLOCK:
            raise self.wrong(
                f"blocks of size {block_size:,} cannot be; those of more than {MOST_BLOCK:,} bytes are not read"
            )
        if blocks != section.blocks:
            raise self.wrong(f"there should be {_joined(section.blocks)} blocks in a section, not {_joined(blocks)}")
        return section

    def _check_counts(self, counts: Counts, marbles: int) -> None:
        black, white = (sum(each) for each in zip(*counts, strict=True))
        if max(map(sum, counts)) > CELLS or black + white != marbles or black - white not in (0, 1):
            raise self.wrong(
                f"{black} black and {white} white marbles in quadrants of {_joined(map(sum, counts), '+')} cannot be"
            )

    # ── blocks ───────────────────────────────────────────────────────────────────────────────────

    def index(self, section: Section) -> bytes:
        """Where the blocks of a section are, one after the other."""
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
            raise self.wrong("both players win the same board")
        return black, white

    def check(self) -> Iterator[int]:
        """Read all that there is, block by block; how many bytes of the file each took."""
        taken, size = 0, self.size
        for section in self.sections:
            index = self.index(section)
            distance, pattern = _BLACKS[section.filter]
            for number, block in enumerate(product(*map(range, section.blocks))):
                packed = Blob(*_BLOB.unpack_from(index, number * _BLOB.size)).packed
                taken += packed
                if taken > size:
                    raise self.wrong("its blocks are longer than the file, so some must overlap")
                data = self.block(section, index, block)
                wins = int.from_bytes(data, "little")
                blacks = int.from_bytes(pattern * (len(data) // len(pattern)), "little")
                if wins & wins >> distance & blacks:
                    raise self.wrong("both players win the same board")
                yield packed

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise self._unreadable(error) from None


def find(section: Section, at: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The block that holds an entry, and the entry's number in it."""
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
    """What data decompress to, a byte more than `size` at most; whether all of them were needed and used."""
    decompressor: _Decompressor
    if data.startswith(XZ_MAGIC):
        import lzma

        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
    else:
        decompressor = zlib.decompressobj()
    unpacked = decompressor.decompress(data, size + 1)
    return unpacked, decompressor.eof and not decompressor.unused_data


def _broken() -> tuple[type[Exception], ...]:
    """What decompressing raises."""
    import lzma

    return zlib.error, lzma.LZMAError, EOFError


# ── filters ──────────────────────────────────────────────────────────────────────────────────────

_BITS = 8 * ENTRY


def _repeated(run: int) -> int:
    """An entry's width of so many bits that are set, as many that are not, and so on."""
    return sum(((1 << run) - 1) << start for start in range(0, _BITS, 2 * run))


_EVEN = _repeated(1)
_GATHERING = tuple((1 << k, _repeated(2 << k)) for k in range(ROTATIONS.bit_length() - 1))


def _even_bits(entry: int) -> int:
    """The even bits of an entry, moved together: into pairs, then fours, and so on."""
    entry &= _EVEN
    for run, mask in _GATHERING:
        entry = (entry | entry >> run) & mask
    return entry


# For each filter how an entry falls into black's and white's wins.
_SPLIT: dict[int, Callable[[int], tuple[int, int]]] = {
    PLAIN: lambda entry: (entry & (1 << ROTATIONS) - 1, entry >> ROTATIONS),
    INTERLEAVED: lambda entry: (_even_bits(entry), _even_bits(entry >> 1)),
}

# For each filter how far white's bit of a rotation is behind black's, and which bits are black's.
_BLACKS = {
    PLAIN: (ROTATIONS, b"\xff" * (ENTRY // 2) + b"\x00" * (ENTRY // 2)),
    INTERLEAVED: (1, b"\x55"),
}
