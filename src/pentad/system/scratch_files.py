"""Scratch files of long computations: a folder for each, which one process uses at a time, and errors in one line."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pentad.system.errors import GameError
from pentad.system.files import Lock
from pentad.system.words import phrase


def name_of(data: bytes) -> str:
    """A short name for data."""
    return hashlib.blake2b(data, digest_size=6).hexdigest()


@contextmanager
def opened(scratch: Path, name: str, what: str) -> Iterator[Path]:
    """The folder in `scratch` of a computation about something, such as a grammar; no other process uses it then."""
    folder = scratch / f"pentad-{name}"
    if folder.exists() and not folder.is_dir():
        raise GameError("{folder} is not a folder.", folder=folder)
    with reporting(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with Lock(folder / ".lock", phrase("Another run for the same {what} uses {folder}.", what=what, folder=folder)):
        for draft in folder.glob(".*.tmp"):  # a process that was killed leaves its drafts
            draft.unlink(missing_ok=True)
        yield folder


@contextmanager
def reporting(folder: Path) -> Iterator[None]:
    """Reports an error of the file system in one line."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise GameError(
                "The disk with {folder} is full. Free some space and run the same command again to continue.",
                folder=folder,
            ) from None
        raise GameError("Cannot use {folder}: {reason}.", folder=folder, reason=error.strerror or error) from None
