"""One server for a database: games go on in its memory, and two would not hear of each other's moves.

SQLite's is claimed by locks on two files, one named after its path and one after its inode, PostgreSQL's by a lock of a
connection of its own; all of them end with the process that has them.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from pentad.game import GameError
from pentad.store.database import Location
from pentad.store.detached_threads import run_detached
from pentad.user_files import Busy, Lock

_PENT = 0x70656E74  # any number that others are unlikely to lock; a schema's games are a store of their own
_KEY = f"{_PENT}, hashtext(current_schema())"
_LONGEST = 63  # bytes of a name in PostgreSQL
_HOLDER = (
    "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted "
    f"AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = {_PENT} "
    "AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid"
)
_ON = " on "  # between where a server is and its machine
_RELEASED_WITHIN = 0.5  # seconds
_SAYS_WITHIN, _LOOKS_EVERY = 2.0, 0.1  # seconds: who has claimed a database says soon where it is


class Claimed(GameError):
    """Another server has this database; `where` is its address, if it is on this machine."""

    def __init__(self, location: Location, note: str) -> None:
        where, _, machine = note.partition(_ON)
        here = machine == socket.gethostname()[:_LONGEST]
        self.where = where if here else ""
        super().__init__(
            f"the games in {location.name} are served already, at {(where if here else note) or 'another place'}"
        )


class _Holder(Protocol):
    """How a database is held."""

    def take(self) -> str | None:
        """Take it; what its holder says where another one has it."""

    def announce(self, note: str) -> None:
        """Say something to those who come too late."""

    def still(self) -> bool:
        """Whether it is still held."""

    def release(self) -> None:
        """Let others have it."""


class Claim:
    """A database that is this process's alone, until `release`."""

    def __init__(self, url: str | None) -> None:
        """Claim the database at this URL; `Claimed` says who has it."""
        self._location, self._note = Location(url), ""
        self._holder: _Holder = _File(self._location) if self._location.is_sqlite else _Session(self._location)
        self._take()

    def _take(self) -> None:
        until = time.monotonic() + _SAYS_WITHIN
        while (said := self._holder.take()) is not None:
            if said or time.monotonic() > until:
                raise Claimed(self._location, said)
            time.sleep(_LOOKS_EVERY)

    def announce(self, where: str) -> None:
        """Tell those who come too late where this server is."""
        self._note = f"{where}{_ON}{socket.gethostname()}"
        self._holder.announce(self._note)

    def check(self) -> None:
        """Claim it again if it was lost, as when its server was started anew; `Claimed` if somebody was quicker."""
        if not self._holder.still():
            self._take()
            self._holder.announce(self._note)

    def release(self) -> None:
        """Let others have it; a database that does not answer finds out by itself that this process has ended."""
        with contextlib.suppress(TimeoutError):
            run_detached(self._holder.release, "pentad-claim").result(_RELEASED_WITHIN)


class _File:
    """Two locks: beside the file, for those who come by its path, and by its inode, for those who come by another.

    The second one lies in the machine's folder for temporary files, where a hard link or a file mounted elsewhere
    leads to as well; whoever has a folder of their own for those is kept out by the first one only.
    """

    def __init__(self, location: Location) -> None:
        self._location = location
        self._path = Path(os.path.realpath(location.name))
        self._locks: dict[Path, Lock] = {}

    def take(self) -> str | None:
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
            about = self._path.stat()
            if about.st_ino:  # some file systems have none
                yield Path(tempfile.gettempdir()) / f"pentad-{about.st_dev:x}-{about.st_ino:x}.lock"

    def announce(self, note: str) -> None:
        for lock in self._locks.values():
            lock.write(note)

    def still(self) -> bool:
        return bool(self._locks) and all(lock.still for lock in self._locks.values())

    def release(self) -> None:
        while self._locks:
            self._locks.popitem()[1].release()


class _Session:
    """The lock of a connection that is none of those that are shared."""

    def __init__(self, location: Location) -> None:
        self._location = location
        self._engine: Engine | None = None
        self._connection: Connection | None = None

    def take(self) -> str | None:
        self.release()
        try:
            self._engine = self._location.engine().execution_options(isolation_level="AUTOCOMMIT")
            self._connection = self._engine.connect()
            if self._ask(f"SELECT pg_try_advisory_lock({_KEY})"):
                # A machine that is gone without a word is noticed soon.
                for name, value in (("idle", 10), ("interval", 5), ("count", 3)):
                    self._connection.execute(text(f"SET tcp_keepalives_{name} = {value}"))
                return None
            said = str(self._ask(_HOLDER) or "")
        except SQLAlchemyError as error:
            self.release()
            raise self._location.refusal(error) from None
        self.release()
        return said if _ON in said else ""

    def _ask(self, query: str) -> object:
        assert self._connection
        return self._connection.execute(text(query)).scalar()

    def announce(self, note: str) -> None:
        if self._connection:
            with contextlib.suppress(SQLAlchemyError):
                short = {"note": note.encode()[:_LONGEST].decode(errors="ignore")}
                self._connection.execute(text("SELECT set_config('application_name', :note, false)"), short)

    def still(self) -> bool:
        with contextlib.suppress(SQLAlchemyError, AssertionError):
            return self._ask("SELECT 1") == 1
        return False

    def release(self) -> None:
        with contextlib.suppress(SQLAlchemyError):  # the connection may be gone long since
            if self._connection:
                self._connection.execute(text(f"SELECT pg_advisory_unlock({_KEY})"))
        with contextlib.suppress(SQLAlchemyError):
            if self._connection:
                self._connection.close()
        if self._engine:
            self._engine.dispose()
        self._connection = self._engine = None
