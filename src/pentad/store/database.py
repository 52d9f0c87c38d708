"""Reaching a database by its URL, SQLite or PostgreSQL, and what its errors mean to a person."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from pentad import user_files
from pentad.game import GameError, shorten
from pentad.store.rows import StoreError

T = TypeVar("T")

log = logging.getLogger(__name__)

FILE = "pentad.db"
WRITES = "pentad_writes"  # the option of a connection that takes the database's one place for writing
READERS = 4
TIMEOUT = 15.0  # seconds that trouble may last before those who wait are told
_ENGINE: dict[str, Any] = {"pool_size": READERS + 1, "max_overflow": 0, "hide_parameters": True}
SHAPES = "sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/DATABASE"

_LOCK_SECONDS = 1.0  # that SQLite itself waits for a lock; longer waits are ours, so that they can be ended
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
# A server that has gone without a word must be noticed while somebody still waits.
_NOTICE = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
_SECRET = ("password", "sslpassword")  # what may stand in the part of a URL behind the question mark
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0


class Location:
    """Where a database is: its URL, and how it may be named to people."""

    def __init__(self, url: str | None) -> None:
        self.url = _read(url) if url else URL.create("sqlite", database=str(user_files.home() / FILE))
        self.is_sqlite = self.url.drivername == "sqlite"
        self.name = str(self.url.database) if self.is_sqlite else self.url.set(query={}).render_as_string()
        # What else may be asked for, where the usual place is of no use.
        self._advice = "" if url else f"; {user_files.HOME} names another folder, --database another database"
        self._file: os.stat_result | None = None
        self._secrets = {str(self.url.password or ""), *(str(self.url.query.get(word, "")) for word in _SECRET)} - {""}

    def why(self, error: BaseException) -> str:
        """What a database says went wrong: its first line, without the password."""
        cause = getattr(error, "orig", None) or error
        said = next((line.strip() for line in str(cause).splitlines() if line.strip()), type(cause).__name__)
        for secret in self._secrets:
            said = said.replace(secret, "***")
        return said.rstrip(".")

    def refusal(self, error: BaseException) -> GameError:
        """The one line for a database that cannot be opened."""
        return GameError(f"the database {self.name} cannot be used: {self.why(error)}{self._advice}")

    def engine(self) -> Engine:
        """An engine with connections for the writer and the readers; nothing is connected yet."""
        return self._sqlite() if self.is_sqlite else self._postgresql()

    def _sqlite(self) -> Engine:
        self.make_file()
        self._file = Path(self.name).stat()
        # A file that was removed is not made anew, empty, by the next that connects.
        url = URL.create("sqlite", database=Path(self.name).absolute().as_uri(), query={"mode": "rw", "uri": "true"})
        engine = create_engine(url, **_ENGINE, connect_args={"timeout": _LOCK_SECONDS})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    def make_file(self) -> None:
        """Make SQLite's file, if there is none; it holds who is who, so it is its owner's alone, as SQLite's others."""
        path = Path(self.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch(0o600)
        except OSError as error:
            why = error.strerror or error
            raise GameError(f"the database {path} cannot be made: {why}{self._advice}") from None

    def check_file(self) -> None:
        """Refuse to write where nobody would find it: into a file that was removed, or that another took the place of.

        SQLite itself does not notice.
        """
        try:
            gone = self._file is not None and not os.path.samestat(self._file, Path(self.name).stat())
        except OSError:
            gone = True
        if gone:
            raise StoreError(f"the game cannot be kept now: the file {self.name} is gone")

    def _postgresql(self) -> Engine:
        notice = {word: value for word, value in _NOTICE.items() if word not in self.url.query}
        try:
            return create_engine(self.url, **_ENGINE, connect_args=notice)
        except ImportError:
            wanted = "PostgreSQL needs the package psycopg: pip install 'pentad[postgres]'"
            raise GameError(wanted) from None
        except (SQLAlchemyError, TypeError, ValueError) as error:
            raise self.refusal(error) from None


def _read(text: str) -> URL:
    # Nothing of a URL that cannot be read is shown: a password may stand anywhere in it.
    try:
        url = make_url(text)
    except (SQLAlchemyError, ValueError):
        raise GameError(f"the URL of a database is written {SHAPES}") from None
    if url.drivername in _POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise GameError(f"a database is {SHAPES}, not {shorten(url.drivername)}")
    if url.host or url.query or url.database in (None, "", ":memory:"):
        raise GameError("a database of SQLite is a file, written sqlite:///FILE")
    return url.set(drivername="sqlite")


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where SQLAlchemy says so, those with DDL as well
    for pragma in ("foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # Whoever reads first and writes later may be refused in between, so writing is announced at once.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _sqlite_code(error: BaseException) -> int | None:
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_locked(error: BaseException) -> bool:
    """Whether another process is at the file at the moment."""
    return _sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_transient(error: BaseException) -> bool:
    """Whether the same may work later: a lock, a full disk, a server that is gone; not a mistake of ours."""
    if not isinstance(error, DBAPIError):
        return False
    known = isinstance(error, OperationalError | InterfaceError) or error.connection_invalidated
    return known and _sqlite_code(error) != sqlite3.SQLITE_ERROR


def retry(action: Callable[[int], T], passes: Callable[[BaseException], bool], until: Callable[[], float]) -> T:
    """Do it, and do it again as long as what stands against it may pass; `action` is told which attempt it is."""
    attempt, pause = 0, _FIRST_PAUSE
    while True:
        try:
            return action(attempt)
        except Exception as error:
            if not passes(error) or time.monotonic() + pause > until():
                raise
        time.sleep(pause)
        attempt, pause = attempt + 1, min(2 * pause, _LONGEST_PAUSE)


def cannot(what: str, location: Location, error: Exception) -> StoreError:
    """What those are told who waited: `what` is "the game cannot be kept" or the like."""
    if isinstance(error, StoreError):
        return error
    if not is_transient(error):
        log.error("%s", what, exc_info=error)
    return StoreError(f"{what} now: {location.why(error)}")
