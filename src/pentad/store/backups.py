"""Backups of a server's database: made while the server runs, restored while it does not, and checked at any time."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from pentad.game import GameError
from pentad.store import sqlite_files
from pentad.store.database import DatabaseLocation, check_version, read_version
from pentad.store.schema import LAST_MIGRATION
from pentad.store.server_lock import Claim
from pentad.store.sqlite_files import LOG_SUFFIXES, Progress
from pentad.system.files import Lock
from pentad.system.words import phrase


class Backup(NamedTuple):
    """A finished copy: its file, its games, and the name that the replaced database now has."""

    path: Path
    games: int
    replaced: Path | None = None


def back_up(url: str | None, path: Path, progress: Progress) -> Backup:
    """Copies the SQLite database at a URL to a file, whose name appears when the copy is complete and checked."""
    location = DatabaseLocation(url)
    if not location.is_sqlite:
        raise GameError(
            "PostgreSQL has its own program for backups. Run: pg_dump --format=custom --file={file} {url}",
            file=quote(str(path)),
            url=quote(location.plain_url),
        )
    database = _existing(location)
    _refuse_own(path, database)
    target = Path(os.path.realpath(path))  # the target of a link is replaced, not the link
    if target.exists() and not target.is_file():
        raise GameError("{path} is not a regular file.", path=path)
    if not target.parent.is_dir():
        raise GameError("There is no folder {folder}.", folder=path.parent)
    busy = phrase("Another backup to {path} is running.", path=path)
    with (
        Lock(target.with_name(f".{target.name}.lock"), busy),
        sqlite_files.drafted(target) as draft,
        _copying(location.name, path),
    ):
        sqlite_files.copy(database, draft, progress)
        games = _check(draft, location.name)
        sqlite_files.seal(draft)
    return Backup(path, games)


def restore(url: str | None, path: Path, progress: Progress) -> Backup:
    """Replaces the SQLite database at a URL by a backup; the replaced one gets another name."""
    location = DatabaseLocation(url)
    if not location.is_sqlite:
        raise GameError(
            "PostgreSQL has its own program for this. Stop the server, then run: "
            "pg_restore --clean --if-exists --single-transaction --dbname={url} {file}",
            file=quote(str(path)),
            url=quote(location.plain_url),
        )
    if not path.is_file():
        raise GameError("There is no file {path}.", path=path)
    database = Path(os.path.realpath(location.name))
    _refuse_own(path, database)
    if sqlite_files.is_broken(path):
        raise GameError("{path} is damaged: its checksum is wrong.", path=path)
    with _claimed(url, database), sqlite_files.drafted(database) as draft:
        with _copying(path, location.name):
            sqlite_files.copy(path, draft, progress)
            games = _check(draft, path)
        replaced = sqlite_files.dated(database, "replaced") if database.stat().st_size else None
        if replaced:
            sqlite_files.keep_under(database, replaced)
    return Backup(Path(location.name), games, replaced)


class Inspected(NamedTuple):
    """A database that is open for a check, and what is wrong with it as a file."""

    location: DatabaseLocation
    engine: Engine
    faults: list[str]


@contextlib.contextmanager
def inspected(url: str | None) -> Iterator[Inspected]:
    """Opens the database at a URL as it is, and checks its file; `GameError` if its games cannot be read at all."""
    location = DatabaseLocation(url)
    faults = _faults_of(location) if location.is_sqlite else []
    engine = location.engine()
    if not location.is_sqlite:  # a game and its events are read from one snapshot
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    try:
        with engine.connect() as connection, connection.begin():
            version = read_version(connection, location)
        if version is None:
            raise sqlite_files.not_ours(location.name)
        check_version(version, location.name, location.advice)
        if version != LAST_MIGRATION:
            raise GameError(
                "{name} has schema {version}. The server brings it to {head} when it starts; check it then.",
                name=location.name,
                version=version,
                head=LAST_MIGRATION,
            )
        yield Inspected(location, engine, faults)
    except SQLAlchemyError as error:
        raise location.opening_error(error) from None
    finally:
        engine.dispose()


def _faults_of(location: DatabaseLocation) -> list[str]:
    database = _existing(location)
    faults = [phrase("the checksum of the file is wrong")] if sqlite_files.is_broken(database) else []
    with contextlib.suppress(sqlite3.Error):  # then it cannot be opened either
        faults += sqlite_files.faults(database)
    return faults


def _existing(location: DatabaseLocation) -> Path:
    """The file of an SQLite database, which must exist."""
    path = Path(os.path.realpath(location.name))
    if not path.is_file():
        raise GameError("There is no database {name}.{advice}", name=location.name, advice=location.advice)
    return path


def _refuse_own(path: Path, database: Path) -> None:
    is_same = path.exists() and database.exists() and path.samefile(database)
    if is_same or Path(os.path.realpath(path)) in [
        database.with_name(database.name + suffix) for suffix in LOG_SUFFIXES
    ]:
        raise GameError("{path} is the database itself. Name another file.", path=path)


@contextlib.contextmanager
def _claimed(url: str | None, database: Path) -> Iterator[None]:
    """Claims a database for a restore; the empty file that a claim makes is removed if nothing has replaced it."""
    was_missing = not database.exists()
    claim = Claim(url)
    claim.announce_restore()
    try:
        yield
    finally:
        if was_missing and database.exists() and not database.stat().st_size:
            database.unlink()
        claim.release()


@contextlib.contextmanager
def _copying(source: object, target: object) -> Iterator[None]:
    """Turns an error of SQLite into one line."""
    try:
        yield
    except sqlite3.Error as error:
        raise GameError("Cannot copy {source} to {target}: {why}.", source=source, target=target, why=error) from None


def _check(draft: Path, source: object) -> int:
    """Refuses a copy of a damaged or an unknown database; returns the number of its games."""
    version, games = sqlite_files.version_and_games(draft, source)
    check_version(version, str(source))
    if found := sqlite_files.faults(draft):
        raise GameError("{source} is damaged: {fault}.", source=source, fault=found[0])
    return games
