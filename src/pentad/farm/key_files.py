"""Key files: sorted sets of scrambled states, written once; what partitions of a state space exchange.

A file has, as slots, for each segment with states its number, how many follow, and their rests in increasing order.
Then come the ends of all segments, if there are many states, and a trailer with the kinds of the states: equal states
have equal kinds, so that files without common kinds have no common states.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pentad.game import GameError
from pentad.jit.buffers import FORMATS, Buffer, zeros

TRAILER = struct.Struct("<8s5q")  # the magic, the first segment and the end, slots, states, whether there are ends
MAGIC = b"pentad\x00\x01"
KIND_WORDS = 64  # words of the bit set of kinds
KIND_BYTES = 8 * KIND_WORDS
SHORT = 2  # slots for each segment up to which a file has no ends


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A complete file, which never changes."""

    path: Path
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
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TRAILER.size - KIND_BYTES))
            data = file.read()
        magic, low, high, slots, states, has_ends = (
            TRAILER.unpack(data[KIND_BYTES:]) if len(data) == KIND_BYTES + TRAILER.size else (b"", 0, 0, 0, 0, 0)
        )
        if magic != MAGIC or size != item_size(slot) * slots + 8 * (high - low) * has_ends + len(data):
            raise GameError(f"{path} is damaged.")
        kinds = int.from_bytes(data[:KIND_BYTES], "little")
        return cls(path, slot, low, high, slots, states, kinds, bool(has_ends))

    def begins(self, segments: Sequence[int]) -> list[int]:
        """The number of slots before each of these segments, which are in increasing order."""
        if not self.has_ends:
            return self._counted(segments)
        found, place = [], item_size(self.slot) * self.slots
        with self.path.open("rb", buffering=0) as file:
            for segment in segments:
                number = min(max(segment, self.low), self.high) - self.low
                file.seek(place + 8 * (number - 1))
                found.append(int.from_bytes(file.read(8), "little") if number else 0)
        return found

    def span(self, low: int, high: int) -> tuple[KeyFile, int, int]:
        """This file, and the first slot and the end of some segments."""
        first, end = self.begins([low, high])
        return self, first, end

    def _counted(self, segments: Sequence[int]) -> list[int]:
        data, at, found = zeros(self.slots, self.slot), 0, []
        self.read(0, data)
        for segment in segments:
            while at < self.slots and data[at] < segment:
                at += 2 + int(data[at + 1])
            found.append(at)
        return found

    def read(self, first: int, to: Buffer) -> None:
        """Fills a buffer with the slots from the first one on."""
        left = to.cast("B")
        with self.path.open("rb", buffering=0) as file:
            file.seek(item_size(self.slot) * first)
            while len(left):
                size = file.readinto(left)
                if not size:
                    raise GameError(f"{self.path} is damaged.")
                left = left[size:]


class Writer:
    """Writes a file part by part, in the order of its segments, under a temporary name."""

    def __init__(self, path: Path, slot: str, low: int, high: int) -> None:
        self.path, self.slot, self.low, self.high = path, slot, low, high
        self._draft = draft_of(path)
        self._file: BinaryIO = self._draft.open("wb", buffering=0)
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
        self._write(data.cast("B"))
        self._slots += len(data)
        self.kinds |= kinds

    def _complete(self) -> None:
        has_ends = self._slots > SHORT * (self.high - self.low)
        if has_ends:
            self._write(self._ends.cast("B"))
        trailer = TRAILER.pack(MAGIC, self.low, self.high, self._slots, self.states, has_ends)
        self._write(memoryview(self.kinds.to_bytes(KIND_BYTES, "little") + trailer))
        self._file.close()
        self._draft.replace(self.path)

    def _write(self, data: memoryview) -> None:
        while len(data):
            data = data[self._file.write(data) :]


def draft_of(path: Path) -> Path:
    """A name for a file until it is complete, which no process of any machine shares."""
    return path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")


def item_size(slot: str) -> int:
    """The bytes of a slot."""
    return memoryview(b"").cast(FORMATS[slot]).itemsize
