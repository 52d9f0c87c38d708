"""Files with checksums: blocks of bytes of which any part can be read, JSON, and lines of text.

A block file has its blocks, then for each of them the end and the checksum, a note of its maker, and a trailer. What is
read is checked first, so that no result is computed from a file that was changed. A file belongs to its folder: under
another name, or in the folder of another computation, it is refused.
"""

from __future__ import annotations

import json
import os
import struct
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias
from zlib import crc32

from pentad.system.errors import GameError
from pentad.system.words import phrase

MAGIC = b"pentad\x00\x02"
TRAILER = struct.Struct("<8s12sqqI")  # the magic, the owner, the blocks, the bytes of the note, a checksum
BLOCK_BYTES = 1 << 14
CHECK = "crc32"  # the key of the checksum in JSON; what the last line of a text begins with

Bytes: TypeAlias = "memoryview[int]"
Numbers: TypeAlias = "memoryview[int]"  # signed or unsigned, with 64 bits each
Sums: TypeAlias = Callable[[Bytes, Numbers, int], Numbers]  # the checksums of blocks, from their ends and the beginning


def crc32s(data: Bytes, ends: Numbers, begin: int) -> Numbers:
    """The CRC-32 of each block."""
    places = [0, *(end - begin for end in ends)]
    return memoryview(array("Q", [crc32(data[start:end]) for start, end in pairwise(places)]))


def damaged(path: Path, remedy: str = "") -> GameError:
    """The error that a file is damaged."""
    return GameError(f"{path} is damaged. {remedy or again(path.parent)}")


def again(folder: Path) -> str:
    """What helps if a scratch file is unusable."""
    return phrase("Remove {folder} to begin again.", folder=folder)


def _owner(path: Path) -> bytes:
    """What a file is, in the folder of its computation."""
    return blake2b(f"{path.parent.name}/{path.name}".encode(), digest_size=12).digest()


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class BlockFile:
    """A complete file, which never changes; `ends` are the offsets at which its blocks end."""

    path: Path
    ends: Numbers = field(repr=False)
    checks: Numbers = field(repr=False)
    note: bytes
    sums: Sums = field(repr=False)

    @classmethod
    def at(cls, path: Path, sums: Sums = crc32s) -> BlockFile:
        """The file at a path, if it is whole and belongs to its folder."""
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TRAILER.size))
            trailer = file.read()
            if len(trailer) < TRAILER.size:
                raise damaged(path)
            magic, owner, blocks, note_size, check = TRAILER.unpack(trailer)
            begin = size - TRAILER.size - note_size - 16 * blocks
            if magic != MAGIC or blocks < 0 or note_size < 0 or begin < 0:
                raise damaged(path)
            file.seek(begin)
            index = memoryview(bytearray(file.read(16 * blocks + note_size)))
        if crc32(trailer[:-4], crc32(index)) != check:
            raise damaged(path)
        if owner != _owner(path):
            raise GameError("{path} belongs to another computation. {remedy}", path=path, remedy=again(path.parent))
        ends, checks = index[: 8 * blocks].cast("q"), index[8 * blocks : 16 * blocks].cast("Q")
        if (ends[-1] if blocks else 0) != begin:
            raise damaged(path)
        return cls(path, ends, checks, bytes(index[16 * blocks :]), sums)

    @property
    def size(self) -> int:
        """The number of bytes in all blocks."""
        return self.ends[-1] if len(self.ends) else 0

    def read(self, begin: int, to: Bytes) -> None:
        """Fills a buffer with the bytes from a place on."""
        at, end = begin, begin + len(to)
        if not 0 <= begin <= end <= self.size:
            raise damaged(self.path)
        with self.path.open("rb", buffering=0) as file:
            while at < end:
                first, whole = bisect_right(self.ends, at), bisect_right(self.ends, end)
                if self._begin(first) == at and first < whole:
                    stop = self.ends[whole - 1]
                    self._read(file, first, whole, to[at - begin : stop - begin])
                else:  # the buffer begins or ends within this block
                    start, stop = self._begin(first), min(self.ends[first], end)
                    block = memoryview(bytearray(self.ends[first] - start))
                    self._read(file, first, first + 1, block)
                    to[at - begin : stop - begin] = block[at - start : stop - start]
                at = stop

    def block(self, number: int, to: Bytes) -> Bytes:
        """Reads a block into a buffer; returns what was filled."""
        begin, end = self._begin(number), self.ends[number]
        if end - begin > len(to):
            raise damaged(self.path)
        self.read(begin, to[: end - begin])
        return to[: end - begin]

    def _begin(self, number: int) -> int:
        return self.ends[number - 1] if number else 0

    def _read(self, file: BinaryIO, first: int, last: int, to: Bytes) -> None:
        """Reads some whole blocks."""
        begin = self._begin(first)
        file.seek(begin)
        left = to
        while len(left):
            size = file.readinto(left)  # type: ignore[attr-defined]
            if not size:
                raise damaged(self.path)
            left = left[size:]
        if self.sums(to, self.ends[first:last], begin) != self.checks[first:last]:
            raise damaged(self.path)


class BlockWriter:
    """Writes a block file, of which nothing is complete before the end."""

    def __init__(self, file: BinaryIO, sums: Sums = crc32s) -> None:
        self._file, self._sums = file, sums
        self._ends, self._checks = array("q"), array("Q")

    @property
    def size(self) -> int:
        """The number of bytes in all blocks."""
        return self._ends[-1] if self._ends else 0

    def write(self, data: Bytes, block: int = BLOCK_BYTES, cuts: Iterable[int] = ()) -> None:
        """Writes bytes as blocks of so many; one begins at each of some places, in order."""
        begin, ends = self.size, array("q")
        for first, last in pairwise([0, *cuts, len(data)]):
            ends.extend(range(begin + first + block, begin + last, block))
            if first < last:
                ends.append(begin + last)
        if len(ends):
            self._checks.extend(self._sums(data, memoryview(ends), begin))
            self._ends += ends
            self._put(data)

    def complete(self, path: Path, note: bytes = b"") -> None:
        """Writes the end of the file that will be at a path."""
        index = self._ends.tobytes() + self._checks.tobytes() + note
        trailer = TRAILER.pack(MAGIC, _owner(path), len(self._ends), len(note), 0)[:-4]
        self._put(memoryview(index + trailer + crc32(trailer, crc32(index)).to_bytes(4, "little")))

    def _put(self, data: Bytes) -> None:
        while len(data):
            data = data[self._file.write(data) :]


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file at once."""
    with path.open("wb", buffering=0) as file:
        writer = BlockWriter(file)
        writer.write(memoryview(data))
        writer.complete(path)


def read_whole(path: Path) -> bytearray:
    """The bytes of a file."""
    file = BlockFile.at(path)
    data = bytearray(file.size)
    file.read(0, memoryview(data))
    return data


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────


def with_check(values: Mapping[str, Any], owner: str = "") -> dict[str, Any]:
    """Values that JSON can hold, with their checksum; the `owner` is whatever else they must belong to.

    >>> with_check({"words": 4})
    {'words': 4, 'crc32': '88ffe812'}
    """
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return {**values, CHECK: f"{crc32(f'{owner} {text}'.encode()):08x}"}


def without_check(found: Any, owner: str = "") -> dict[str, Any]:
    """The values without their checksum; raises `ValueError` if they have another one."""
    if not isinstance(found, dict):
        raise ValueError("no object")
    values = {name: value for name, value in found.items() if name != CHECK}
    if found != with_check(values, owner):
        raise ValueError("another checksum")
    return values


def read_json(path: Path, owner: str = "", remedy: str = "") -> dict[str, Any]:
    """The values of a file of JSON, without their checksum; raises `FileNotFoundError` if there is none."""
    data = path.read_bytes()
    try:
        return without_check(json.loads(data), owner)
    except (ValueError, RecursionError):
        raise damaged(path, remedy) from None


def of_scratch(path: Path) -> str:
    """The owner of a scratch file of JSON: its name in the folder of its computation."""
    return f"{path.parent.name}/{path.name}"


# ── text ─────────────────────────────────────────────────────────────────────────────────────────


def with_last_line(text: str) -> str:
    """Lines of text, with their checksum as the last one."""
    return f"{text}{CHECK}\t{crc32(text.encode()):08x}\n"


def without_last_line(text: str) -> str:
    """The lines before the checksum; raises `ValueError` if they have another one."""
    lines = text[: text.rfind("\n", 0, -1) + 1]
    if text != with_last_line(lines):
        raise ValueError("another checksum")
    return lines
