"""Where pentad keeps a user's files, writing one so that it is never seen half, and locks between processes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pentad.game import GameError

_LONGEST_NOTE = 1000  # bytes
HOME = "PENTAD_HOME"  # the variable that names another place for all of them


def home() -> Path:
    """The user's data folder for pentad; it need not exist yet."""
    if chosen := os.environ.get(HOME):
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return platformdirs.user_data_path("pentad", appauthor=False)


def games() -> Path:
    """The folder of kept games."""
    return home() / "games"


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write into that takes its place whole at the end, or not at all.

    Whoever reads it, even after a power cut, finds the old or the new one.
    """
    path = Path(os.path.realpath(path))  # what a link leads to is replaced, not the link
    if path.exists() and not path.is_file():
        with path.open("wb") as file:  # a pipe or a device: there is nothing to replace
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
            error.filename, error.filename2 = str(path), None  # the name that the user knows
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def write_safely(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with replacing(path) as file:
        file.write(text.encode())


class Busy(GameError):
    """Another process holds a lock; `note` is what it left there."""

    def __init__(self, text: str, note: str = "") -> None:
        super().__init__(text)
        self.note = note


class Lock:
    """A lock on a file that ends with its process, however that ends.

    `busy` is the message where another has it.
    """

    def __init__(self, path: Path, busy: str) -> None:
        self.path = path
        self._file: int | None = None
        while self._file is None:
            try:
                file = _open(path)
            except OSError:
                return  # nothing can be written here, so nobody can spoil anything either
            if not _try_lock(file):
                found = _read_note(file)
                os.close(file)
                raise Busy(busy, found)
            if _is_still(file, path):  # not one that its owner has just removed
                self._file = file
            else:
                os.close(file)

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def write(self, note: str) -> None:
        """Leave word for those who come too late."""
        if self._file is not None:
            _write_note(self._file, note)

    @property
    def still(self) -> bool:
        """Whether its file is where others look for it."""
        return self._file is not None and _is_still(self._file, self.path)

    def release(self) -> None:
        """Let others have it."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # Windows keeps a file that is open; it does no harm
                if self.still:
                    self.path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None


def _open(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except PermissionError:
        return os.open(path, os.O_RDONLY)  # another user's, which can be waited for all the same


# The first byte is the one that is locked: on Windows nobody else can read it.


def _write_note(file: int, note: str) -> None:
    with contextlib.suppress(OSError):
        os.ftruncate(file, 0)
        os.lseek(file, 1, os.SEEK_SET)
        os.write(file, note.encode())


def _read_note(file: int) -> str:
    with contextlib.suppress(OSError):
        os.lseek(file, 1, os.SEEK_SET)
        return os.read(file, _LONGEST_NOTE).decode(errors="replace")
    return ""


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
        # Any other error means a file system without locks: better go on than refuse.
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True
