"""Key files: sorted sets of scrambled states, written once; what partitions of a state space exchange.

A file has, as slots, for each segment with states its number, how many follow, and their rests in increasing order.
Then come the ends of all segments, if there are many states. Its note has the kinds of the states: equal states have
equal kinds, so that files without common kinds have no common states. It is a file of `pentad.checked_files`, with
checksums by a kernel.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pentad.checked_files import BlockFile, BlockWriter, Bytes, damaged
from pentad.jit.buffers import FORMATS, Buffer, array, zeros
from pentad.jit.program import program

KERNELS = "pentad.grammar.compiled.partition_kernels"
NOTE = struct.Struct("<5q")  # the first segment and the end, slots, states, whether there are ends
KIND_WORDS = 64  # words of the bit set of kinds
KIND_BYTES = 8 * KIND_WORDS
SHORT = 2  # slots for each segment up to which a file has no ends
WORD = 4  # bytes of what the kernel sums


def sums(data: Bytes, ends: Sequence[int]) -> list[int]:
    """The checksum of each block of some words, about twice as fast as a CRC-32."""
    found = zeros(len(ends), "uint64")
    program(KERNELS)("sums", data.cast("I"), array([end // WORD for end in ends], "int64"), found)
    return found.tolist()


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A complete file, which never changes."""

    file: BlockFile
    slot: str  # the type of a slot
    low: int  # the first segment
    high: int  # the end of its segments
    slots: int
    states: int
    kinds: int
    has_ends: bool

    @classmethod
    def at(cls, path: Path, slot: str) -> KeyFile:
        """The file at a path."""
        file = BlockFile.at(path, sums)
        if len(file.note) != NOTE.size + KIND_BYTES:
            raise damaged(path)
        low, high, slots, states, has_ends = NOTE.unpack(file.note[: NOTE.size])
        is_sound = 0 <= low < high and 0 <= states <= slots and has_ends in (0, 1)
        if not is_sound or file.size != item_size(slot) * slots + 8 * (high - low) * has_ends:
            raise damaged(path)
        kinds = int.from_bytes(file.note[NOTE.size :], "little")
        return cls(file, slot, low, high, slots, states, kinds, bool(has_ends))

    @property
    def path(self) -> Path:
        return self.file.path

    def begins(self, segments: Sequence[int]) -> list[int]:
        """The number of slots before each of these segments, which are in increasing order."""
        if not self.has_ends:
            return self._counted(segments)
        numbers = [min(max(segment, self.low), self.high) - self.low for segment in segments]
        first = max(numbers[0] - 1, 0)
        ends = zeros(numbers[-1] - first, "int64")
        self.file.read(item_size(self.slot) * self.slots + 8 * first, ends.cast("B"))
        found = [ends[number - 1 - first] if number else 0 for number in numbers]
        if found != sorted(found) or not 0 <= found[0] <= found[-1] <= self.slots:
            raise damaged(self.path)
        return found

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


class Writer:
    """Writes a file part by part, in the order of its segments, under a temporary name."""

    def __init__(self, path: Path, slot: str, low: int, high: int) -> None:
        self.path, self.slot, self.low, self.high = path, slot, low, high
        self._draft = draft_of(path)
        self._file: BinaryIO = self._draft.open("wb", buffering=0)
        self._blocks = BlockWriter(self._file, sums)
        self._ends, self._at = zeros(high - low, "int64"), low
        self._slots = self.states = self.kinds = 0

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Gives the file its name if it is complete, and removes it otherwise."""
        try:
            if kind is None:
                self._complete()
        finally:
            self._file.close()
            self._draft.unlink(missing_ok=True)

    def add(self, data: Buffer, ends: Buffer, kinds: int = 0) -> None:
        """Adds the following segments: their slots, and the ends of each of them."""
        for number in range(len(ends)):
            self._ends[self._at - self.low + number] = self._slots + ends[number]
        self._at += len(ends)
        self._blocks.write(data.cast("B"))
        self._slots += len(data)
        self.kinds |= kinds

    def _complete(self) -> None:
        has_ends = self._slots > SHORT * (self.high - self.low)
        if has_ends:
            self._blocks.write(self._ends.cast("B"))
        note = NOTE.pack(self.low, self.high, self._slots, self.states, has_ends)
        self._blocks.complete(self.path, note + self.kinds.to_bytes(KIND_BYTES, "little"))
        self._file.close()
        self._draft.replace(self.path)


def draft_of(path: Path) -> Path:
    """A name for a file until it is complete, which no process of any machine shares."""
    return path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")


def item_size(slot: str) -> int:
    """The bytes of a slot."""
    return memoryview(b"").cast(FORMATS[slot]).itemsize
