"""One server for a database: games go on in its memory, and two would not hear of each other's moves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from pentad.folders import Busy, Lock
from pentad.game import GameError
from pentad.store.database import Place

_PENT = 0x70656E74  # any number that others are unlikely to lock; a schema's games are a store of their own
_KEY = f"{_PENT}, hashtext(current_schema())"
_LONGEST = 63  # bytes of a name in PostgreSQL
_HOLDER = (
    "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted "
    f"AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = {_PENT} "
    "AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid"
)


class Claimed(GameError):
    """Another server has this database; `where` is what it calls itself."""

    def __init__(self, place: Place, where: str) -> None:
        self.where = where
        super().__init__(f"the games in {place.name} are served already, at {where or 'another place'}")


@contextlib.contextmanager
def claim(place: Place, engine: Engine, where: str) -> Iterator[None]:
    """Have a database for this process alone, as long as it lasts; others are told `where`."""
    with _file(place, where) if place.is_sqlite else _session(place, engine, where):
        yield


@contextlib.contextmanager
def _file(place: Place, where: str) -> Iterator[None]:
    path = Path(place.name)
    try:
        lock = Lock(path.with_name(f".{path.name}.lock"), "", note=where)
    except Busy as busy:
        raise Claimed(place, busy.note) from None
    with lock:
        yield


@contextlib.contextmanager
def _session(place: Place, engine: Engine, where: str) -> Iterator[None]:
    """A lock that ends with its connection, which is none of those that are shared."""
    try:
        connection = engine.raw_connection()
        connection.detach()
        cursor = connection.cursor()
        cursor.execute(f"SELECT pg_try_advisory_lock({_KEY})")
        (taken,) = cursor.fetchone() or (False,)
        if taken:
            cursor.execute("SELECT set_config('application_name', %s, false)", (where[:_LONGEST],))
            # A machine that is gone without a word is noticed soon.
            for name, value in (("idle", 10), ("interval", 5), ("count", 3)):
                cursor.execute(f"SET tcp_keepalives_{name} = {value}")
        else:
            cursor.execute(_HOLDER)
        holder = "" if taken else str((cursor.fetchone() or ("",))[0])
        connection.commit()
    except SQLAlchemyError as error:
        raise place.refusal(error) from None
    try:
        if not taken:
            raise Claimed(place, holder)
        yield
    finally:
        with contextlib.suppress(Exception):  # the connection may be gone long since
            cursor.execute(f"SELECT pg_advisory_unlock({_KEY})")
        with contextlib.suppress(Exception):
            connection.close()
