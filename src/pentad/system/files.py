"""User files of pentad: their folder, atomic writes, and locks between processes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from pentad.system.errors import GameError

_MAX_NOTE_BYTES = 1000
_NOTE_AT = 1  # the first byte is locked: on Windows other processes cannot read it
HOME = "PENTAD_HOME"  # the environment variable that names another folder for them


def home() -> Path:
    """The user's data folder for pentad; it may not exist yet."""
    if chosen := os.environ.get(HOME):
        return Path(chosen).expanduser().absolute()
    return user_folder("data")


class _Place(NamedTuple):
    """Where a platform keeps one kind of a program's files."""

    variable: str  # the environment variable with the folder for all programs
    default: str  # that folder below the user's home, where the variable is not set
    inside: str = ""  # the folder within that of the program


_XDG = {"data": _Place("XDG_DATA_HOME", ".local/share"), "cache": _Place("XDG_CACHE_HOME", ".cache")}
# By `sys.platform`. On macOS the variables of XDG count too, as in other programs there.
_PLACES = {
    "darwin": {
        "data": _Place("XDG_DATA_HOME", "Library/Application Support"),
        "cache": _Place("XDG_CACHE_HOME", "Library/Caches"),
    },
    "win32": {
        "data": _Place("LOCALAPPDATA", "AppData/Local"),
        "cache": _Place("LOCALAPPDATA", "AppData/Local", "Cache"),
    },
}


def user_folder(kind: str) -> Path:
    """The user's folder for pentad's files of a kind, `data` or `cache`, on this platform; it may not exist yet."""
    place = _PLACES.get(sys.platform, _XDG)[kind]
    root = Path(os.environ.get(place.variable, ""))
    if not root.is_absolute():  # XDG ignores relative folders
        root = Path(os.path.expanduser("~"), place.default)  # noqa: PTH111  (`expanduser` of a path raises an error)
    if not root.is_absolute():
        raise GameError("The home folder of this user is unknown. Set {variable} to a folder.", variable=place.variable)
    return root / "pentad" / place.inside


def games() -> Path:
    """The folder of saved games."""
    return home() / "games"


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Writes a file atomically: the new file replaces the old one at the end of the block, or not at all.

    A reader finds the old or the new file, even after a power cut.
    """
    path = Path(os.path.realpath(path))  # the target of a link is replaced, not the link
    if path.exists() and not path.is_file():
        with path.open("wb") as file:  # a pipe or a device is written directly
            yield file
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # the name that the user gave
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def write_safely(path: Path, text: str) -> None:
    """Writes a text file atomically."""
    with replacing(path) as file:
        file.write(text.encode())


class Busy(GameError):
    """Another process holds a lock; `note` is its note in the lock file."""

    def __init__(self, text: str, note: str = "") -> None:
        super().__init__(text)
        self.note = note


class Lock:
    """A lock on a file that ends with its process, even after a crash.

    `busy` is the error message if another process holds it.
    """

    def __init__(self, path: Path, busy: str) -> None:
        self.path = path
        self._file: int | None = None
        while self._file is None:
            try:
                file = _open(path)
            except OSError:
                return  # without write access there is nothing to protect
            if not _try_lock(file):
                note = ""
                with contextlib.suppress(OSError):
                    os.lseek(file, _NOTE_AT, os.SEEK_SET)
                    note = os.read(file, _MAX_NOTE_BYTES).decode(errors="replace")
                os.close(file)
                raise Busy(busy, note)
            if _is_still(file, path):  # not a file that its owner has just removed
                self._file = file
            else:
                os.close(file)

    @classmethod
    def inherited(cls, path: Path, file: int) -> Lock:
        """The lock that another process holds with this file, and shares: it ends when both have ended."""
        lock = cls.__new__(cls)
        lock.path, lock._file = path, file
        return lock

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def write(self, note: str) -> None:
        """Leaves a note for processes that find the lock held."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, 0)
                os.lseek(self._file, _NOTE_AT, os.SEEK_SET)
                os.write(self._file, note.encode())

    @property
    def file(self) -> int | None:
        """The file descriptor that holds the lock."""
        return self._file

    def leave(self) -> None:
        """Leaves the lock to the process that has inherited it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    @property
    def still(self) -> bool:
        """Whether the lock file is still in place."""
        return self._file is not None and _is_still(self._file, self.path)

    def release(self) -> None:
        """Releases the lock."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # Windows cannot remove an open file; that is harmless
                if self.still:
                    self.path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None


def _open(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except PermissionError:
        return os.open(path, os.O_RDONLY)  # another user's file can still be locked


def _is_still(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except OSError:
        return False


def _try_lock(file: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Any other error means a file system without locks, which is accepted.
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True
