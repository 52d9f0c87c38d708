"""Files with the pages of a level: packed, a page in each block, in the order of their numbers.

A file is one of `pentad.system.checked_files`, whose note has the number of its first page. It gets its name when it is
complete, and never changes. A level is written from its first page on; files of pages that are no longer needed are
removed.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pentad.game import GameError
from pentad.system.checked_files import BlockFile, BlockWriter, Bytes, again, damaged

NUMBER_BYTES = 8  # a file begins with the number of its first page
FILE_BYTES = 64 << 20  # a file of this size is complete


@dataclass(frozen=True, slots=True)
class PageFile:
    """A complete file."""

    file: BlockFile
    first: int

    @property
    def end(self) -> int:
        """The number of the page after the last one."""
        return self.first + len(self.file.ends)

    @classmethod
    def at(cls, path: Path) -> PageFile:
        """The file at a path, if it is whole and belongs to its folder."""
        file = BlockFile.at(path)
        if len(file.note) != NUMBER_BYTES or not len(file.ends):
            raise damaged(path)
        return cls(file, int.from_bytes(file.note, "little"))


class LevelFiles:
    """The files of a level: those that are complete, and the one that is being written."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.files = sorted(map(PageFile.at, folder.glob(f"{name}-*.pages")), key=lambda each: each.first)
        self._draft: BinaryIO | None = None

    @property
    def end(self) -> int:
        """The number of the page after the last one in a complete file."""
        return self.files[-1].end if self.files else 0

    def check_complete(self) -> None:
        """Refuses a level of which a file is missing before the last one."""
        for page, file in zip((0, *(each.end for each in self.files)), self.files, strict=False):
            if page != file.first:
                raise self._missing(page)

    def read(self, page: int, to: Bytes) -> Bytes:
        """Reads a packed page into a buffer of bytes; returns what was filled."""
        files = self.files  # another thread may replace them
        number = bisect_right(files, page, key=lambda each: each.first) - 1
        if number < 0 or page >= files[number].end:
            raise self._missing(page)
        return files[number].file.block(page - files[number].first, to)

    def remove(self, is_unneeded: Callable[[int], bool] = lambda page: True) -> None:
        """Removes the files whose pages are all unneeded."""
        removed = [each for each in self.files if all(map(is_unneeded, range(each.first, each.end)))]
        self.files = [each for each in self.files if each not in removed]
        for each in removed:
            each.file.path.unlink(missing_ok=True)

    # ── writing ──────────────────────────────────────────────────────────────────────────────────

    def write(self, packed: Bytes) -> bool:
        """Writes the bytes of the next page; returns whether a file is complete."""
        if self._draft is None:
            self._draft = self._draft_path.open("wb", buffering=0)
            self._pages = BlockWriter(self._draft)
        self._pages.write(packed, len(packed))
        if self._pages.size < FILE_BYTES:
            return False
        self.complete()
        return True

    def complete(self) -> None:
        """Completes the file that is being written."""
        if self._draft is None:
            return
        path = self.folder / f"{self.name}-{self.end:07}.pages"
        self._pages.complete(path, self.end.to_bytes(NUMBER_BYTES, "little"))
        os.fsync(self._draft.fileno())
        self._draft.close()
        self._draft = None
        self._draft_path.replace(path)
        self.files.append(PageFile.at(path))

    def discard(self) -> None:
        """Removes the file that is being written."""
        if self._draft is not None:
            self._draft.close()
            self._draft = None
            self._draft_path.unlink(missing_ok=True)

    @property
    def _draft_path(self) -> Path:
        return self.folder / f".{self.name}.tmp"

    def _missing(self, page: int) -> GameError:
        return GameError(
            "{folder}: Page {page} of {name} is missing. {remedy}",
            folder=self.folder,
            page=page,
            name=self.name,
            remedy=again(self.folder),
        )
