"""Files of SQLite as wholes: copied while others write to them, checked, and sealed by a checksum.

A copy is written under another name in the folder of its file, checked, and renamed when it is complete. SQLite does
not notice a changed byte of a text, so a finished copy is sealed: the user version in its header is the CRC-32 of all
other bytes. A sealed file has no write-ahead log. A database in use has one, and no checksum.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import closing
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from pentad.game import GameError
from pentad.store.detached_threads import run_detached
from pentad.store.schema import VERSION_TABLE

Progress: TypeAlias = Callable[[int, int], object]  # gets the pages copied, and their total

LOG_SUFFIXES = ("-wal", "-shm", "-journal")  # the files beside a database
COPIES_KEPT = 3  # those made before migrations
_PAGES = 1000  # copied at once, some milliseconds; Ctrl-C is noticed in between
_CHUNK_BYTES = 1 << 20
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_JOURNAL, _SEAL = slice(18, 20), slice(60, 64)  # places in the header
_HAS_LOG = b"\2\2"
_MOST_FAULTS = 20


def connect(path: Path) -> sqlite3.Connection:
    """A connection to an existing file."""
    # A read-only connection would leave the files of the write-ahead log behind.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def not_ours(name: object) -> GameError:
    """The error for a file of another program."""
    return GameError("{name} is not a pentad database.", name=name)


# ── copies ───────────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """The path of an empty file, which gets the name `path` at the end of the block, or is removed.

    Its name is always the same, so that the next attempt removes what a killed process has left.
    """
    draft = path.with_name(f".{path.name}.part")
    _remove(draft)
    try:
        draft.touch(0o600, exist_ok=False)
        yield draft
        if path.exists():
            _make_alike(draft, path)
        for suffix in LOG_SUFFIXES:  # SQLite would apply those of an earlier file to this one
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        draft.replace(path)
    finally:
        _remove(draft)


def _remove(file: Path) -> None:
    for suffix in ("", *LOG_SUFFIXES):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _make_alike(new: Path, old: Path) -> None:
    """Gives a file the permissions and the owner of another: a server may have another user than its operator."""
    about = old.stat()
    shutil.copymode(old, new)
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only root may do it
            os.chown(new, about.st_uid, about.st_gid)


def copy(source: Path, target: Path, progress: Progress) -> None:
    """Copies a snapshot of a database over an empty file; others may write to the database meanwhile."""
    with closing(connect(source)) as old, closing(connect(target)) as new:
        old.execute("BEGIN")
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()  # without a snapshot, each write begins it anew
        old.backup(new, pages=_PAGES, progress=lambda _, left, total: progress(total - left, total))
        new.execute("PRAGMA journal_mode = DELETE")
        new.execute("PRAGMA user_version = 0")
    _sync(target)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def keep_under(file: Path, name: Path) -> None:
    """Gives a database a second name, with its log if there is one."""
    log, kept_log = (each.with_name(f"{each.name}-wal") for each in (file, name))
    _link(file, name)
    if log.exists():
        _link(log, kept_log)
    # Then the file is complete without its log, which is removed before the file is replaced. It may be damaged.
    with contextlib.suppress(sqlite3.Error), closing(connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if kept_log.exists() and not kept_log.stat().st_size:
        kept_log.unlink()


def _link(old: Path, new: Path) -> None:
    try:
        new.hardlink_to(old)
    except FileExistsError:
        raise
    except OSError:  # the file system has no links
        with drafted(new) as draft:
            shutil.copyfile(old, draft)


def dated(file: Path, what: str) -> Path:
    """The name of a copy beside a database, with the time; such names sort by it."""
    return file.with_name(f"{file.stem}-{what}-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}{file.suffix}")


def copy_before_migration(file: Path, version: str) -> Path:
    """Copies a database of this schema to a file beside it; the oldest of such copies are removed. Returns its path."""
    pattern = escape(f"{file.stem}-schema-") + "*-????-??-??T??????Z" + escape(file.suffix)
    for left in file.parent.glob(f".{pattern}.part*"):
        left.unlink()
    path = dated(file, f"schema-{version}")
    with drafted(path) as draft:
        copy(file, draft, lambda *_: None)
        seal(draft)
    copies = sorted(file.parent.glob(pattern), key=lambda each: each.stem.rpartition("-schema-")[2].partition("-")[2])
    for old in copies[:-COPIES_KEPT]:
        old.unlink()
    return path


# ── checks ───────────────────────────────────────────────────────────────────────────────────────


def seal(path: Path) -> None:
    """Writes the checksum into a file that will not change any more."""
    value = _checksum(path)
    with path.open("rb+") as file:
        file.seek(_SEAL.start)
        file.write(value)
    _sync(path)


def is_broken(path: Path) -> bool:
    """Whether a sealed file has changed; other files have no checksum. The file must not be open in this process.

    `GameError` if a log of another file lies beside it, since SQLite would write that log into it.
    """
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    is_sealed = header.startswith(_MAGIC) and header[_JOURNAL] != _HAS_LOG and any(header[_SEAL])
    for suffix in LOG_SUFFIXES if is_sealed else ():
        log = path.with_name(path.name + suffix)
        if log.exists() and log.stat().st_size:
            raise GameError("{log} does not belong to {path}. Remove it.", log=log, path=path)
    return is_sealed and header[_SEAL] != _checksum(path)


def _checksum(path: Path) -> bytes:
    with path.open("rb") as file:
        header = bytearray(file.read(_HEADER_BYTES))
        header[_SEAL] = bytes(4)
        value = crc32(header)
        while chunk := file.read(_CHUNK_BYTES):
            value = crc32(chunk, value)
    return (value or 1).to_bytes(4, "big")  # 0 is no checksum


def faults(path: Path) -> list[str]:
    """What SQLite finds wrong in a file; Ctrl-C ends it."""
    with closing(connect(path)) as connection:

        def find() -> list[str]:
            found = [text for (text,) in connection.execute(f"PRAGMA integrity_check({_MOST_FAULTS})")]
            orphans = connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST_FAULTS)
            missing = [f"row {row} of {table} refers to a row that {parent} lacks" for table, row, parent, _ in orphans]
            return [*(" ".join(text.split()) for text in found if text != "ok"), *missing]

        checking = run_detached(find, "pentad-check")
        try:
            return checking.result()
        except KeyboardInterrupt:
            connection.interrupt()
            wait([checking])
            raise


def version_and_games(path: Path, name: object) -> tuple[str, int]:
    """The schema version of a database, and the number of its games; `name` is that of the file in messages."""
    with closing(connect(path)) as connection:
        tables = {each for (each,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {VERSION_TABLE, "games"} <= tables:
            raise not_ours(name)
        versions = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall()
        if len(versions) != 1:
            raise not_ours(name)
        (games,) = connection.execute("SELECT count(*) FROM games").fetchone()
    return str(versions[0][0]), games
