"""Opening a database: version check and migration under a lock."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from pentad.game import GameError
from pentad.store.database import TIMEOUT, WRITES, Location, is_locked, retry
from pentad.store.schema import HEAD, VERSION_TABLE

MIGRATIONS = Path(__file__).with_name("migrations")
_ADVISORY_LOCK = 0x70656E746164  # "pentad", a number that other programs are unlikely to lock


def open_engine(location: Location) -> Engine:
    """An engine for a database, migrated to this version; other programs' databases are refused unchanged."""
    engine = location.engine()
    deadline = time.monotonic() + TIMEOUT

    def prepare(_: int) -> None:
        # A read first avoids blocking writers.
        with engine.connect() as connection, connection.begin():
            is_ready = _version(connection, location) == HEAD
        with engine.connect().execution_options(**{WRITES: True}) as connection:
            if not is_ready:
                with connection.begin():
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


def _migrate(connection: Connection, location: Location) -> None:
    if not location.is_sqlite:  # SQLite is locked by the transaction itself
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise GameError(f"The database {location.name} must have the encoding UTF8, but it has {encoding}.")
    version = _version(connection, location)
    if version == HEAD:  # another process has migrated it meanwhile
        return
    # A migration is rare, and alembic is slow to import.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if version is not None and version not in known:
        raise GameError(f"The database {location.name} comes from a newer pentad (version {version}, here {HEAD}).")
    command.upgrade(config, "head")


def _version(connection: Connection, location: Location) -> str | None:
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        versions = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalars().all()
        if len(versions) == 1:
            return str(versions[0])
    if tables:
        raise GameError(f"{location.name} is not a pentad database: it contains other tables.")
    return None


def _use_wal(connection: Connection) -> None:
    # Outside a transaction; the setting persists in the file.
    raw = connection.connection.driver_connection
    assert raw is not None
    (mode,) = raw.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise GameError(f"SQLite cannot use a write-ahead log on this file system (journal mode {mode}).")
