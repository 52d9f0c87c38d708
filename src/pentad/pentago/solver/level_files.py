"""Files with the pages of a level: packed, with checksums, in the order of their numbers.

A file has consecutive pages, then the end and the checksum of each of them, then a trailer. It gets its name when it is
complete, and never changes. A level is written from its first page on; files of pages that are no longer needed are
removed.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

from pentad.game import GameError

MAGIC = b"pages\x00\x00\x01"
TRAILER = struct.Struct("<8s12sIqq")  # the magic, the key, the checksum of the index, the first page, their number
ENTRY = struct.Struct("<qQ")  # the end of a page, its checksum
FILE_SIZE = 64 << 20  # bytes from which a file is complete


@dataclass(frozen=True, slots=True)
class PageFile:
    """A complete file."""

    path: Path
    first: int
    entries: tuple[tuple[int, int], ...]  # for each page its end in the file, and its checksum

    @property
    def end(self) -> int:
        """The number of the page after the last one."""
        return self.first + len(self.entries)

    @classmethod
    def at(cls, path: Path, key: str) -> PageFile:
        """The file at a path, if it is whole and belongs to the computation with this key."""
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TRAILER.size))
            data = file.read()
            if len(data) < TRAILER.size:
                raise damaged(path)
            magic, owner, check, first, pages = TRAILER.unpack(data)
            place = size - TRAILER.size - ENTRY.size * pages
            if magic != MAGIC or pages < 1 or place < 0:
                raise damaged(path)
            if owner != key.encode():
                raise GameError(f"{path} has values of another position.")
            file.seek(place)
            index = file.read(ENTRY.size * pages)
        entries = tuple(ENTRY.iter_unpack(index))
        if crc32(index) != check or entries[-1][0] != place:
            raise damaged(path)
        return cls(path, first, entries)

    def read(self, page: int, to: memoryview) -> memoryview:
        """Reads a packed page into a buffer of bytes; returns what was filled."""
        number = page - self.first
        begin = self.entries[number - 1][0] if number else 0
        end, check = self.entries[number]
        data = to[: end - begin]
        with self.path.open("rb", buffering=0) as file:
            file.seek(begin)
            filled = 0
            while filled < len(data):
                size = file.readinto(data[filled:])
                if not size:
                    raise damaged(self.path)
                filled += size
        if crc32(data) != check:
            raise damaged(self.path)
        return data


class LevelFiles:
    """The files of a level: those that are complete, and the one that is being written."""

    def __init__(self, folder: Path, name: str, key: str) -> None:
        self.folder, self.name, self.key = folder, name, key
        found = (PageFile.at(path, key) for path in folder.glob(f"{name}-*.pages"))
        self.files = sorted(found, key=lambda each: each.first)
        self._draft: BinaryIO | None = None
        self._entries: list[tuple[int, int]] = []

    @property
    def end(self) -> int:
        """The number of the page after the last one in a complete file."""
        return self.files[-1].end if self.files else 0

    def check_complete(self) -> None:
        """Refuses a level of which a file is missing before the last one."""
        for page, file in zip((0, *(each.end for each in self.files)), self.files, strict=False):
            if page != file.first:
                raise self._missing(page)

    def read(self, page: int, to: memoryview) -> memoryview:
        """Reads a packed page into a buffer of bytes; returns what was filled."""
        files = self.files  # another thread may replace them
        number = bisect_right(files, page, key=lambda each: each.first) - 1
        if number < 0 or page >= files[number].end:
            raise self._missing(page)
        return files[number].read(page, to)

    def remove(self, is_unneeded: Callable[[int], bool] = lambda page: True) -> None:
        """Removes the files whose pages are all unneeded."""
        removed = [each for each in self.files if all(map(is_unneeded, range(each.first, each.end)))]
        self.files = [each for each in self.files if each not in removed]
        for file in removed:
            file.path.unlink(missing_ok=True)

    # ── writing ──────────────────────────────────────────────────────────────────────────────────

    def write(self, packed: memoryview) -> bool:
        """Writes the bytes of the next page; returns whether a file is complete."""
        if self._draft is None:
            self._entries = []
            self._draft = self._draft_path.open("wb", buffering=0)
        self._write(packed)
        end = (self._entries[-1][0] if self._entries else 0) + len(packed)
        self._entries.append((end, crc32(packed)))
        if end < FILE_SIZE:
            return False
        self.complete()
        return True

    def complete(self) -> None:
        """Completes the file that is being written."""
        if self._draft is None:
            return
        index = b"".join(ENTRY.pack(*entry) for entry in self._entries)
        first, pages = self.end, len(self._entries)
        self._write(memoryview(index + TRAILER.pack(MAGIC, self.key.encode(), crc32(index), first, pages)))
        os.fsync(self._draft.fileno())
        self._draft.close()
        self._draft = None
        path = self.folder / f"{self.name}-{first:07}.pages"
        self._draft_path.replace(path)
        self.files.append(PageFile(path, first, tuple(self._entries)))

    def discard(self) -> None:
        """Removes the file that is being written."""
        if self._draft is not None:
            self._draft.close()
            self._draft = None
            self._draft_path.unlink(missing_ok=True)

    @property
    def _draft_path(self) -> Path:
        return self.folder / f".{self.name}.tmp"

    def _write(self, data: memoryview) -> None:
        assert self._draft is not None
        while len(data):
            data = data[self._draft.write(data) :]

    def _missing(self, page: int) -> GameError:
        return GameError(f"{self.folder}: Page {page} of {self.name} is missing. {again(self.folder)}")


def damaged(path: Path) -> GameError:
    """The error that a file is damaged."""
    return GameError(f"{path} is damaged. {again(path.parent)}")


def again(folder: Path) -> str:
    """What helps if files are unusable."""
    return f"Remove {folder} to begin again."
