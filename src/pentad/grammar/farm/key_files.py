"""Key files: sorted sets of scrambled states, written once; what partitions of a state space exchange.

A file has, as slots, for each segment with states its number, how many follow, and their rests in increasing order.
Then come the ends of all segments, if there are many states. Its note has the kinds of the states: equal states have
equal kinds, so that files without common kinds have no common states. It is a file of `pentad.system.checked_files`,
with checksums by a kernel.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pentad.kernels.buffers import FORMATS, Buffer, zeros
from pentad.kernels.program import program
from pentad.kernels.types import Int64s
from pentad.system.checked_files import BlockFile, BlockWriter, Bytes, damaged

KERNELS = "pentad.grammar.compiled.partition_kernels"
PARTS_OF_SEGMENTS = 16  # units of work read them, so that each begins with a block; the note has their ends
NOTE = struct.Struct(
    f"<{5 + PARTS_OF_SEGMENTS - 1}q"
)  # first segment and end, slots, states, whether there are ends; ends of parts
KIND_WORDS = 64
KIND_BYTES = 8 * KIND_WORDS
SHORT = 2  # slots for each segment up to which a file has no ends
END_BLOCK_BYTES = 1 << 10  # few ends are read, so their blocks are small
NEAR = 1 << 10  # segments between two numbers up to which all ends between them are read


def sums(data: Bytes, ends: Buffer, begin: int) -> Buffer:
    """The checksum of each block of some words of 32 bits, several times faster than a CRC-32."""
    found = zeros(len(ends), "uint64")
    program(KERNELS)("sums", data.cast("I"), ends, begin, found)
    return found


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A complete file of the segments from `low` to before `high`; it never changes."""

    file: BlockFile
    slot: str  # the type of a slot
    low: int
    high: int
    slots: int
    states: int
    kinds: int
    has_ends: bool
    known: dict[int, int]  # how many slots are before some segments

    @classmethod
    def at(cls, path: Path, slot: str) -> KeyFile:
        """The file at a path."""
        file = BlockFile.at(path, sums)
        if len(file.note) != NOTE.size + KIND_BYTES:
            raise damaged(path)
        low, high, slots, states, has_ends, *ends = NOTE.unpack(file.note[: NOTE.size])
        is_sound = 0 <= low < high and 0 <= states <= slots and has_ends in (0, 1)
        if not is_sound or file.size != item_size(slot) * slots + 8 * (high - low) * has_ends:
            raise damaged(path)
        kinds = int.from_bytes(file.note[NOTE.size :], "little")
        known = dict(zip(_borders(low, high), ends, strict=True)) | {low: 0, high: slots}
        return cls(file, slot, low, high, slots, states, kinds, bool(has_ends), known)

    @property
    def path(self) -> Path:
        return self.file.path

    def begins(self, segments: Sequence[int]) -> list[int]:
        """The number of slots before each of these segments, which are in increasing order."""
        segments = [min(max(segment, self.low), self.high) for segment in segments]
        known, missing = self.known, [segment for segment in segments if segment not in self.known]
        if missing and not self.has_ends:
            known = known | dict(zip(missing, self._counted(missing), strict=True))
        elif missing and missing[-1] - missing[0] <= NEAR * len(missing):
            ends = self._ends(missing[0], missing[-1] + 1)
            known = known | {segment: ends[segment - missing[0]] for segment in missing}
        else:
            known = known | {segment: self._ends(segment, segment + 1)[0] for segment in missing}
        found = [known[segment] for segment in segments]
        if found != sorted(found) or not 0 <= found[0] <= found[-1] <= self.slots:
            raise damaged(self.path)
        return found

    def _ends(self, first: int, last: int) -> Buffer:
        """The number of slots before each segment from one on, which is not the first of the file."""
        ends = zeros(last - first, "int64")
        self.file.read(item_size(self.slot) * self.slots + 8 * (first - self.low - 1), ends.cast("B"))
        return ends

    def span(self, low: int, high: int) -> tuple[KeyFile, int, int]:
        """This file, and the first slot and the end of some segments."""
        first, end = self.begins([low, high])
        return self, first, end

    def _counted(self, segments: Sequence[int]) -> list[int]:
        data, at, found = zeros(self.slots, self.slot), 0, []
        self.read(0, data)
        self.check(data)
        for segment in segments:
            while at < self.slots and data[at] < segment:
                at += 2 + int(data[at + 1])
            found.append(at)
        return found

    def read(self, first: int, to: Buffer) -> None:
        """Fills a buffer with the slots from the first one on."""
        self.file.read(item_size(self.slot) * first, to.cast("B"))

    def check(self, data: Buffer) -> None:
        """Refuses slots that are not whole segments of this file in order: kernels count on that."""
        if not program(KERNELS)(f"are_segments_{self.slot}", data, self.low, self.high):
            raise damaged(self.path)


class KeyFileWriter:
    """Writes a file part by part, in the order of its segments, under a temporary name."""

    def __init__(self, path: Path, slot: str, low: int, high: int) -> None:
        self.path, self.slot, self.low, self.high = path, slot, low, high
        self._draft = draft_of(path)
        self._file: BinaryIO = self._draft.open("wb", buffering=0)
        self._blocks = BlockWriter(self._file, sums)
        self._ends, self._at = zeros(high - low, "int64"), low
        self._slots = self.states = self.kinds = 0

    def __enter__(self) -> KeyFileWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Gives the file its name if it is complete, and removes it otherwise."""
        try:
            if kind is None:
                self._complete()
        finally:
            self._file.close()
            self._draft.unlink(missing_ok=True)

    def add(self, data: Buffer, ends: Int64s, kinds: int = 0) -> None:
        """Adds the following segments: their slots, and the ends of each of them."""
        at = self._at
        for number in range(len(ends)):
            self._ends[at - self.low + number] = self._slots + ends[number]
        self._at += len(ends)
        size = item_size(self.slot)
        cuts = [size * ends[each - at - 1] for each in _borders(self.low, self.high) if at < each < self._at]
        self._blocks.write(data.cast("B"), cuts=cuts)
        self._slots += len(data)
        self.kinds |= kinds

    def _complete(self) -> None:
        has_ends = self._slots > SHORT * (self.high - self.low)
        if has_ends:
            self._blocks.write(self._ends.cast("B"), END_BLOCK_BYTES)
        ends = [self._ends[each - self.low - 1] if each > self.low else 0 for each in _borders(self.low, self.high)]
        note = NOTE.pack(self.low, self.high, self._slots, self.states, has_ends, *ends)
        self._blocks.complete(self.path, note + self.kinds.to_bytes(KIND_BYTES, "little"))
        self._file.close()
        self._draft.replace(self.path)


def _borders(low: int, high: int) -> list[int]:
    """The segments at which parts of them begin, but for the first."""
    return [low + (high - low) * part // PARTS_OF_SEGMENTS for part in range(1, PARTS_OF_SEGMENTS)]


def draft_of(path: Path) -> Path:
    """A name for a file until it is complete, which no process of any machine shares."""
    return path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")


def item_size(slot: str) -> int:
    """The bytes of a slot."""
    return memoryview(b"").cast(FORMATS[slot]).itemsize
