"""Exclusive lock of a database for one server, since a server keeps running games in memory.

For SQLite the lock consists of two lock files, one named after the database's path and one after its inode; for
PostgreSQL it is an advisory lock of a separate connection. The locks end with the process that holds them.

A server can hand its lock over to another one. In between both hold it, so that it is never free: for SQLite the other
process inherits the open lock files; for PostgreSQL both have a shared lock, which refuses the exclusive one to others.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from pentad.game import GameError
from pentad.store.database import DatabaseLocation
from pentad.store.detached_threads import run_detached
from pentad.system.files import Busy, Lock
from pentad.system.words import phrase

_PENT = 0x70656E74  # a number that other programs are unlikely to lock
_KEY = f"{_PENT}, hashtext(current_schema())"  # each schema is a separate store
_MAX_NAME_BYTES = 63  # PostgreSQL cuts off longer names
_HOLDER = (
    "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted "
    f"AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = {_PENT} "
    "AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid"
)
_ADDRESS_SEPARATOR = " on "  # a server's address and its machine are one name
_RESTORING = "restoring"  # the note of a restore, which has no address
_RELEASE_SECONDS = 0.5
_ANNOUNCE_SECONDS, _POLL_SECONDS = 2.0, 0.1  # the holder of a claim announces its address soon


class Claimed(GameError):
    """Another server, or a restore, holds this database; `where` is the server's address, if it is on this machine."""

    def __init__(self, location: DatabaseLocation, note: str) -> None:
        if note == _RESTORING:
            self.where = ""
            super().__init__(
                phrase("{name} is being restored from a backup. Try again when that is done.", name=location.name)
            )
            return
        where, _, machine = note.partition(_ADDRESS_SEPARATOR)
        here = machine == socket.gethostname()[:_MAX_NAME_BYTES]
        self.where = where if here else ""
        address = (where if here else note) or "an unknown address"
        super().__init__(
            phrase("The games in {name} are already being served at {address}.", name=location.name, address=address)
        )


class Claim:
    """An exclusive claim on a database, until `release`."""

    def __init__(self, url: str | None, *, inherits: bool = False) -> None:
        """Claims the database at this URL; raises `Claimed` if another server holds it.

        One that `inherits` has no claim until it inherits that server's.
        """
        self._location, self._note = DatabaseLocation(url), ""
        self._lock = _FileLock(self._location) if self._location.is_sqlite else _SessionLock(self._location)
        self._is_ours, self._is_offered = not inherits, False
        self._using = threading.RLock()  # the event loop's threads use the lock's connection one after the other
        if not inherits:
            self._take()

    def _take(self) -> None:
        until = time.monotonic() + _ANNOUNCE_SECONDS
        while (note := self._lock.take()) is not None:
            if note or time.monotonic() > until:
                raise Claimed(self._location, note)
            time.sleep(_POLL_SECONDS)

    def announce(self, where: str) -> None:
        """Sets the server's address, which `Claimed` shows to other processes."""
        self._note = f"{where}{_ADDRESS_SEPARATOR}{socket.gethostname()}"
        with self._using:
            self._lock.announce(self._note)

    def share(self) -> dict[str, int]:
        """Lets another process inherit the claim; the open files that it needs for that, by their paths."""
        with self._using:
            self._is_offered = True
            return self._lock.share()

    def inherit(self, files: Mapping[str, int]) -> None:
        """Inherits the claim that another process shares, with its files; `GameError` if it is another database's."""
        with self._using:
            self._lock.inherit(files)
            self._is_ours = True

    def keep(self) -> None:
        """Takes back an offered claim, which is exclusive again as soon as no other process has it."""
        with self._using:
            self._is_offered = False
            self._lock.keep()

    def leave(self) -> None:
        """Leaves the claim to the process that has inherited it."""
        with self._using:
            self._is_ours = False
            self._lock.leave()

    def announce_restore(self) -> None:
        """Has `Claimed` say that the database is being restored."""
        self._note = _RESTORING
        self._lock.announce(self._note)

    def check(self) -> None:
        """Renews a lost claim, for example after a restart of PostgreSQL; raises `Claimed` if another server has it."""
        with self._using:
            if not self._is_ours or self._is_offered:
                return
            if self._lock.is_held():
                self._lock.keep()
            else:
                self._take()
                self._lock.announce(self._note)

    def release(self) -> None:
        """Releases the claim; an unresponsive database will notice the end of this process by itself."""
        with contextlib.suppress(TimeoutError):
            run_detached(self._lock.release, "pentad-claim").result(_RELEASE_SECONDS)


def another_database(location: DatabaseLocation) -> GameError:
    """The error for a claim of another database."""
    return GameError("The running server serves another database than {name}.", name=location.name)


class _FileLock:
    """Two lock files: one beside the database, found by its path, and one named after its inode.

    The second one lies in the machine's folder for temporary files, so that hard links and other mount points of
    the database lead to it too. A process with a private temporary folder sees only the first one.
    """

    def __init__(self, location: DatabaseLocation) -> None:
        self._location = location
        self._path = Path(os.path.realpath(location.name))
        self._locks: dict[Path, Lock] = {}

    def take(self) -> str | None:
        """Takes the lock; returns the holder's note if another process holds it."""
        self._location.make_file()
        for path, lock in list(self._locks.items()):
            if not lock.still:
                self._locks.pop(path).release()
        try:
            for path in self._paths():
                if path not in self._locks:
                    self._locks[path] = Lock(path, "")
        except Busy as busy:
            self.release()
            return busy.note
        return None

    def _paths(self) -> Iterator[Path]:
        yield self._path.with_name(f".{self._path.name}.lock")
        with contextlib.suppress(OSError):
            stat = self._path.stat()
            if stat.st_ino:  # some file systems have none
                yield Path(tempfile.gettempdir()) / f"pentad-{stat.st_dev:x}-{stat.st_ino:x}.lock"

    def share(self) -> dict[str, int]:
        """The open lock files by their paths."""
        return {str(path): lock.file for path, lock in self._locks.items() if lock.file is not None}

    def inherit(self, files: Mapping[str, int]) -> None:
        """Takes over lock files of another process, and takes those that only this process sees."""
        self._locks = {Path(path): Lock.inherited(Path(path), file) for path, file in files.items()}
        paths = list(self._paths())
        try:
            if not any(path in self._locks and self._locks[path].still for path in paths):
                raise another_database(self._location)
            for path in paths:
                if path not in self._locks:
                    self._locks[path] = Lock(path, "")
        except GameError as error:
            self.leave()
            raise (Claimed(self._location, error.note) if isinstance(error, Busy) else error) from None

    def keep(self) -> None:
        """Does nothing: the lock is that of the last process that has its files open."""

    def leave(self) -> None:
        """Closes the lock files, which another process has open, too."""
        while self._locks:
            self._locks.popitem()[1].leave()

    def announce(self, note: str) -> None:
        """Sets the note for other processes."""
        for lock in self._locks.values():
            lock.write(note)

    def is_held(self) -> bool:
        """Whether this process still holds the lock."""
        return bool(self._locks) and all(lock.still for lock in self._locks.values())

    def release(self) -> None:
        """Releases the lock."""
        while self._locks:
            self._locks.popitem()[1].release()


class _SessionLock:
    """An advisory lock of a connection outside the shared pool."""

    def __init__(self, location: DatabaseLocation) -> None:
        self._location = location
        self._engine: Engine | None = None
        self._connection: Connection | None = None
        self._is_shared = False  # whether the lock is the one that another process may have, too

    def take(self) -> str | None:
        return self._connect("pg_try_advisory_lock")

    def _connect(self, function: str) -> str | None:
        """Takes the lock with a function of PostgreSQL's; returns the holder's note if another process holds it."""
        self.release()
        try:
            self._engine = self._location.engine().execution_options(isolation_level="AUTOCOMMIT")
            self._connection = self._engine.connect()
            if self._scalar(f"SELECT {function}({_KEY})"):
                # The server must notice soon that this machine is gone.
                for name, value in (("idle", 10), ("interval", 5), ("count", 3)):
                    self._connection.execute(text(f"SET tcp_keepalives_{name} = {value}"))
                return None
            note = str(self._scalar(_HOLDER) or "")
        except SQLAlchemyError as error:
            self.release()
            raise self._location.opening_error(error) from None
        self.release()
        return note if _ADDRESS_SEPARATOR in note else ""

    def share(self) -> dict[str, int]:
        """Turns the lock into a shared one; there are no files."""
        try:
            if not self._is_shared:
                self._scalar(f"SELECT pg_try_advisory_lock_shared({_KEY})")  # granted beside the session's own lock
                self._is_shared = True
                self._scalar(f"SELECT pg_advisory_unlock({_KEY})")
        except SQLAlchemyError as error:
            raise self._location.opening_error(error) from None
        return {}

    def inherit(self, files: Mapping[str, int]) -> None:
        """Takes the shared lock, too."""
        if (note := self._connect("pg_try_advisory_lock_shared")) is not None:
            raise Claimed(self._location, note)
        self._is_shared = True
        # The lock would be granted as well if nobody had it: if the server used another database, for example.
        if self._scalar(f"SELECT pg_try_advisory_lock({_KEY})"):
            self.release()
            raise another_database(self._location)

    def keep(self) -> None:
        """Turns a shared lock into an exclusive one, once no other process has it."""
        with contextlib.suppress(SQLAlchemyError):  # the next check finds a lost connection
            if self._is_shared and self._scalar(f"SELECT pg_try_advisory_lock({_KEY})"):
                self._is_shared = False
                self._scalar(f"SELECT pg_advisory_unlock_shared({_KEY})")

    def leave(self) -> None:
        """Ends the connection, and with it this process's part of the lock."""
        self.release()

    def _scalar(self, query: str) -> object:
        assert self._connection
        return self._connection.execute(text(query)).scalar()

    def announce(self, note: str) -> None:
        if self._connection:
            with contextlib.suppress(SQLAlchemyError):
                short = {"note": note.encode()[:_MAX_NAME_BYTES].decode(errors="ignore")}
                self._connection.execute(text("SELECT set_config('application_name', :note, false)"), short)

    def is_held(self) -> bool:
        with contextlib.suppress(SQLAlchemyError, AssertionError):
            return self._scalar("SELECT 1") == 1
        return False

    def release(self) -> None:
        with contextlib.suppress(SQLAlchemyError):  # the connection may be lost
            if self._connection:
                self._connection.execute(text("SELECT pg_advisory_unlock_all()"))
        with contextlib.suppress(SQLAlchemyError):
            if self._connection:
                self._connection.close()
        if self._engine:
            self._engine.dispose()
        self._connection = self._engine = None
        self._is_shared = False
