"""Databases: SQLite or PostgreSQL by URL, migrated under a lock when opened, with retries and readable errors."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.util import immutabledict

from pentad.game import GameError, shorten
from pentad.store import sqlite_files
from pentad.store.rows import StoreError
from pentad.store.schema import LAST_MIGRATION, LAST_READER, UNRELEASED, VERSION_TABLE
from pentad.system import files as user_files
from pentad.system.extras import needs
from pentad.system.words import phrase

if TYPE_CHECKING:
    from alembic.config import Config

T = TypeVar("T")

log = logging.getLogger(__name__)

FILE = "pentad.db"
WRITES = "pentad_writes"  # the execution option of a connection that takes the database's write lock
READERS = 4
TIMEOUT_SECONDS = 15.0  # a transient error is retried so long before it is reported
_ENGINE: dict[str, Any] = {"pool_size": READERS + 1, "max_overflow": 0, "hide_parameters": True}
URL_FORMS = "sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/DATABASE"
MIGRATIONS = Path(__file__).with_name("migrations")

_ADVISORY_LOCK = 0x70656E746164  # "pentad", a number that other programs are unlikely to lock
_LOCK_SECONDS = 1.0  # SQLite waits so long by itself; longer waits are retries, so that they can be ended
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
# A server that disappears must be noticed before the timeout.
_KEEPALIVE = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
_SECRET = ("password", "sslpassword")  # parameters in a URL's query
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0


class DatabaseLocation:
    """The location of a database: its URL, and its name in messages."""

    def __init__(self, url: str | None) -> None:
        self.url = _read(url) if url else URL.create("sqlite", database=str(user_files.home() / FILE))
        self.is_sqlite = self.url.drivername == "sqlite"
        self.name = str(self.url.database) if self.is_sqlite else self.url.set(query={}).render_as_string()
        # The alternatives to an unusable default location.
        self.advice = (
            ""
            if url
            else phrase(" {variable} sets another folder, --database another database.", variable=user_files.HOME)
        )
        self._file: os.stat_result | None = None
        self._secrets = {str(self.url.password or ""), *(str(self.url.query.get(word, "")) for word in _SECRET)} - {""}

    @property
    def plain_url(self) -> str:
        """The URL for programs of PostgreSQL, without a password."""
        query = {name: value for name, value in self.url.query.items() if name not in _SECRET}
        url = self.url._replace(password=None, query=immutabledict(query)).set(drivername="postgresql")
        return url.render_as_string(hide_password=False)

    def why(self, error: BaseException) -> str:
        """The first line of a database's error message, without the password."""
        cause = getattr(error, "orig", None) or error
        message = next((line.strip() for line in str(cause).splitlines() if line.strip()), type(cause).__name__)
        for secret in self._secrets:
            message = message.replace(secret, "***")
        return message.rstrip(".")

    def opening_error(self, error: BaseException) -> GameError:
        """The error for a database that cannot be opened, in one line."""
        return GameError(
            "Cannot open the database {name}: {why}.{advice}", name=self.name, why=self.why(error), advice=self.advice
        )

    def engine(self) -> Engine:
        """An engine with connections for the writer and the readers, not connected yet."""
        return self._sqlite() if self.is_sqlite else self._postgresql()

    def _sqlite(self) -> Engine:
        self.make_file()
        self._file = Path(self.name).stat()
        # A new connection must not recreate a removed file as an empty one.
        url = URL.create("sqlite", database=Path(self.name).absolute().as_uri(), query={"mode": "rw", "uri": "true"})
        engine = create_engine(url, **_ENGINE, connect_args={"timeout": _LOCK_SECONDS})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    def make_file(self) -> None:
        """Creates SQLite's file if it is missing, with access for its owner only, because it identifies players."""
        path = Path(self.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch(0o600)
        except OSError as error:
            why = error.strerror or error
            raise GameError(
                "Cannot create the database {path}: {why}.{advice}", path=path, why=why, advice=self.advice
            ) from None

    def check_file(self) -> None:
        """Refuses to write into a file that was removed or replaced, which SQLite does not notice."""
        try:
            gone = self._file is not None and not os.path.samestat(self._file, Path(self.name).stat())
        except OSError:
            gone = True
        if gone:
            raise StoreError("Cannot save the game: {name} was deleted or moved.", name=self.name)

    def _postgresql(self) -> Engine:
        keepalive = {name: value for name, value in _KEEPALIVE.items() if name not in self.url.query}
        with needs("postgres"):
            try:
                return create_engine(self.url, **_ENGINE, connect_args=keepalive)
            except (SQLAlchemyError, TypeError, ValueError) as error:
                raise self.opening_error(error) from None


def _read(text: str) -> URL:
    # The message does not quote an invalid URL: a password may be anywhere in it.
    try:
        url = make_url(text)
    except (SQLAlchemyError, ValueError):
        raise GameError("Invalid database URL. Expected {forms}.", forms=URL_FORMS) from None
    if url.drivername in _POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise GameError(
            "Unsupported database {name}. Expected {forms}.",
            name=shorten(url.drivername),
            forms=URL_FORMS,
        )
    if url.host or url.query or url.database in (None, "", ":memory:"):
        raise GameError("An SQLite database must be a file, as in sqlite:///FILE.")
    return url.set(drivername="sqlite")


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # SQLAlchemy begins all transactions, those with DDL too
    for pragma in ("foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first may fail to upgrade to a write lock, so writers take the lock at once.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _sqlite_code(error: BaseException) -> int | None:
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_locked(error: BaseException) -> bool:
    """Whether another process holds the lock of the file."""
    return _sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_transient(error: BaseException) -> bool:
    """Whether a retry may succeed: a lock, a full disk, a lost server, but not a programming error."""
    if not isinstance(error, DBAPIError):
        return False
    known = isinstance(error, OperationalError | InterfaceError) or error.connection_invalidated
    return known and _sqlite_code(error) != sqlite3.SQLITE_ERROR


def retry(action: Callable[[int], T], may_retry: Callable[[BaseException], bool], until: Callable[[], float]) -> T:
    """Calls `action` until it succeeds, with pauses after errors that `may_retry`; `action` gets the attempt's number.

    `until` returns the deadline, in seconds of the monotonic clock.
    """
    attempt, pause = 0, _FIRST_PAUSE
    while True:
        try:
            return action(attempt)
        except Exception as error:
            if not may_retry(error) or time.monotonic() + pause > until():
                raise
        time.sleep(pause)
        attempt, pause = attempt + 1, min(2 * pause, _LONGEST_PAUSE)


def store_error(failure: str, location: DatabaseLocation, error: Exception) -> StoreError:
    """The error for callers; `failure` is "Cannot save the game" or the like."""
    if isinstance(error, StoreError):
        return error
    if not is_transient(error):
        log.error("%s.", failure, exc_info=error)
    return StoreError(f"{failure}: {location.why(error)}.")


# ── opening ──────────────────────────────────────────────────────────────────────────────────────


def open_engine(location: DatabaseLocation, *, may_migrate: bool = True) -> Engine:
    """An engine for a database, migrated to this version; other programs' databases are refused unchanged.

    Without `may_migrate` a database of another version is refused, too.
    """
    engine = location.engine()
    deadline = time.monotonic() + TIMEOUT_SECONDS

    def prepare(_: int) -> None:
        # A read first avoids blocking writers.
        with engine.connect() as connection, connection.begin():
            is_ready = read_version(connection, location) == LAST_MIGRATION
        if not (is_ready or may_migrate):
            raise GameError(
                "This pentad needs other tables in {name} than the running server. Stop that server first, then start "
                "this one.",
                name=location.name,
            )
        with engine.connect().execution_options(**{WRITES: True}) as connection:
            if not is_ready:
                with _without_foreign_keys(connection, location), connection.begin():
                    _migrate(connection, location)
            if location.is_sqlite:
                _use_wal(connection)

    try:
        retry(prepare, is_locked, lambda: deadline)
    except GameError:
        engine.dispose()
        raise
    except (SQLAlchemyError, sqlite3.Error) as error:
        engine.dispose()
        raise location.opening_error(error) from None
    return engine


@contextlib.contextmanager
def _without_foreign_keys(connection: Connection, location: DatabaseLocation) -> Iterator[None]:
    """Lets a migration of SQLite make a table anew: to drop the old one would delete the rows that refer to it.

    SQLite changes the setting outside a transaction alone. The rows are checked within it, by `_migrate`.
    """
    raw: Any = connection.connection.driver_connection
    if location.is_sqlite:
        raw.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        if location.is_sqlite:
            raw.execute("PRAGMA foreign_keys = ON")


def _migrate(connection: Connection, location: DatabaseLocation) -> None:
    if not location.is_sqlite:  # SQLite is locked by the transaction itself
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise GameError(
                "The database {name} must have the encoding UTF8, but it has {encoding}.",
                name=location.name,
                encoding=encoding,
            )
    version = read_version(connection, location)
    if version == LAST_MIGRATION:  # another process has migrated it meanwhile
        return
    if version is not None:
        check_version(version, location.name, location.advice)
        if location.is_sqlite:
            _copy_before_migration(location, version)
    from alembic import command  # a migration is rare, and alembic is slow to import

    config = _alembic()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if location.is_sqlite and (wrong := connection.exec_driver_sql("PRAGMA foreign_key_check").first()):
        raise GameError(
            "Cannot bring the database {name} to schema {head}: a row of {table} refers to nothing.",
            name=location.name,
            head=LAST_MIGRATION,
            table=wrong[0],
        )


def _alembic() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def check_version(version: str, name: str, advice: str = "") -> None:
    """Refuses a database with a schema that this pentad cannot migrate; `name` is its name in messages."""
    if version == LAST_MIGRATION:
        return
    if version in UNRELEASED:
        raise GameError(
            "The database {name} was made before the first release of pentad. The last commit "
            "that reads it is {last_reader}.{advice}",
            name=name,
            last_reader=LAST_READER,
            advice=advice,
        )
    from alembic.script import ScriptDirectory

    if version not in {script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions()}:
        raise GameError(
            "The database {name} was written by a newer pentad (schema {version}; this one reads up to {head}).",
            name=name,
            version=version,
            head=LAST_MIGRATION,
        )


def check_current(url: str | None) -> None:
    """Refuses a database that is missing, or that has not the schema of this pentad: only a server makes and migrates
    one."""
    location = DatabaseLocation(url)
    if location.is_sqlite and not Path(location.name).is_file():
        raise GameError("There is no database {name}.{advice}", name=location.name, advice=location.advice)
    engine = location.engine()
    try:
        with engine.connect() as connection, connection.begin():
            version = read_version(connection, location)
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise location.opening_error(error) from None
    finally:
        engine.dispose()
    if version is not None:
        check_version(version, location.name, location.advice)
    if version != LAST_MIGRATION:
        raise GameError(
            "{name} has schema {version}. The server brings it to {head} when it starts.",
            name=location.name,
            version=version or "none",
            head=LAST_MIGRATION,
        )


def _copy_before_migration(location: DatabaseLocation, version: str) -> None:
    """Copies a file that is about to be migrated; without the copy there is no migration."""
    try:
        copy = sqlite_files.copy_before_migration(Path(os.path.realpath(location.name)), version)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise GameError(
            "Cannot copy the database {name} before its migration: {why}.", name=location.name, why=why
        ) from None
    log.warning("Copied the database to %s before its migration to schema %s.", copy, LAST_MIGRATION)


def read_version(connection: Connection, location: DatabaseLocation) -> str | None:
    """The schema version of a database, None for an empty one; other programs' databases are refused."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        versions = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalars().all()
        if len(versions) == 1:
            return str(versions[0])
    if tables:
        raise GameError("{name} is not a pentad database: it contains other tables.", name=location.name)
    return None


def _use_wal(connection: Connection) -> None:
    # Outside a transaction; the setting persists in the file.
    raw = connection.connection.driver_connection
    assert raw is not None
    (mode,) = raw.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise GameError("SQLite cannot use a write-ahead log on this file system (journal mode {mode}).", mode=mode)
