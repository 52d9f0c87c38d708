"""Asynchronous interface of the store; a write that has returned is safe on the disk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

from pentad.store import reads, row_codec, rows, writes
from pentad.store.database import READERS, TIMEOUT, Location, is_transient, retry, store_error
from pentad.store.detached_threads import DetachedThreads
from pentad.store.open_database import open_engine
from pentad.store.rows import (
    MOVES,
    UNCHANGED,
    ChatMessage,
    Cursor,
    Event,
    GameRow,
    Person,
    PuzzleAttempt,
    SeatRow,
    Turn,
    Unchanged,
)
from pentad.store.writer import Attempt, Write, Writer

T = TypeVar("T")


class Store:
    """A database of games. Methods raise `StoreError` if a read or write fails, `Conflict` if a key is taken."""

    def __init__(self, engine: Engine, location: Location, timeout: float) -> None:
        self._engine, self._location, self._timeout = engine, location, timeout
        # A reader must see a consistent snapshot of a game and its events.
        snapshot = {} if location.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = engine.execution_options(**snapshot)
        self._readers = DetachedThreads(READERS, "pentad-reader")
        self._writer = Writer(engine, location, timeout)

    @classmethod
    def open(cls, url: str | None = None, *, timeout: float = TIMEOUT) -> Store:
        """Opens the database at this URL, by default the one in the user's data folder.

        `timeout` is how many seconds a read or write is retried after a transient error, such as a full disk.
        """
        location = Location(url)
        return cls(open_engine(location), location, timeout)

    def close(self, within: float | None = None) -> None:
        """Completes the waiting writes and closes, within so many seconds; failed writes are logged."""
        until = time.monotonic() + (self._timeout if within is None else within)
        self._writer.close(until)
        self._readers.close(until)
        self._engine.dispose()

    # ── games ────────────────────────────────────────────────────────────────────────────────────

    async def add_game(self, row: GameRow) -> None:
        """Adds a game without events."""
        await self._write(
            f"the new game {row.name}", partial(writes.add_game, row=row_codec.game_columns(row), seats=row.seats)
        )

    async def game(self, name: str) -> tuple[GameRow, list[Event]] | None:
        """A game and its events."""
        return await self._read(partial(reads.game, name=rows.text("game name", name)))

    async def add_event(
        self,
        name: str,
        event: Event,
        *,
        seats: Sequence[SeatRow] | None = None,
        result: str | Unchanged | None = UNCHANGED,
        moves: int | None = None,
        turn: Turn | Unchanged = UNCHANGED,
    ) -> None:
        """Adds the next event of a game with its changes of the game; `Conflict` if it is not the next one."""
        changes: row_codec.Columns = {"played": True} if event.kind in MOVES else {}
        if seats is not None:
            changes |= row_codec.seat_columns(seats)
        if not isinstance(result, Unchanged):
            changes["result"] = row_codec.result_column(result)
        if moves is not None:
            changes["moves"] = rows.integer("number of moves", moves)
        if not isinstance(turn, Unchanged):
            changes |= row_codec.turn_columns(turn)
        columns = row_codec.event_columns(rows.text("game name", name), event)
        await self._write(_in(event.kind, name), partial(writes.add_event, event=columns, changes=changes, seats=seats))

    async def games_of(self, person: int, limit: int = 50, after: Cursor | None = None) -> list[tuple[GameRow, Cursor]]:
        """The games of a person with their cursors, optionally only those `after` a cursor.

        The games against other people in which the person is to move come first, then their other games in which
        they are to move, then unfinished and finished ones. Each group is sorted by deadline, then by the time of
        the last event, latest first.
        """
        return await self._read(partial(reads.games_of, person=person, limit=limit, after=after))

    async def without_turn(self, person: int, limit: int) -> list[str]:
        """A person's unfinished games whose turn is unknown."""
        return await self._read(partial(reads.without_turn, person=person, limit=limit))

    async def set_turn(self, name: str, number: int, turn: Turn) -> None:
        """Sets whose turn it is in a game, unless the game has more events by now."""
        columns = row_codec.turn_columns(turn)
        game = rows.text("game name", name)
        await self._write(
            f"whose turn it is in {name}", partial(writes.set_turn, game=game, number=number, columns=columns)
        )

    async def open_games(self, limit: int = 50) -> list[GameRow]:
        """The listed games with an open seat, the newest first."""
        return await self._read(partial(reads.open_games, limit=limit))

    async def sweep(self, before: float, invited: float | None = None) -> int:
        """Removes the games without moves and without events since `before`; returns their count.

        Games with another person or an open seat are kept if they had an event since `invited`.
        """
        last = rows.seconds("time", before if invited is None else invited)
        some = partial(writes.sweep, before=rows.seconds("time", before), invited=last)
        swept, more = 0, 1
        while more:  # in small batches, so that moves do not wait
            more = await self._write("the removal of old games", some)
            swept += more
        return swept

    async def add_chat_message(self, name: str, message: ChatMessage) -> None:
        """Adds a chat message to a game."""
        await self._write(
            _in("a chat message", name),
            partial(writes.add_chat_message, row=row_codec.chat_columns(rows.text("game name", name), message)),
        )

    async def chat(self, name: str) -> list[ChatMessage]:
        """A game's chat."""
        return await self._read(partial(reads.chat, name=rows.text("game name", name)))

    # ── persons ──────────────────────────────────────────────────────────────────────────────────

    async def person(self, key_hash: bytes) -> Person | None:
        """The person whose key has this hash."""
        return await self._read(partial(reads.person, key_hash=rows.key(key_hash)))

    async def add_person(self, key_hash: bytes, name: str) -> Person:
        """Adds a person."""
        named = rows.text("name", name)
        return await self._write("a new person", partial(writes.add_person, key_hash=rows.key(key_hash), name=named))

    async def rename(self, person: int, name: str) -> None:
        """Renames a person."""
        await self._write("a person's name", partial(writes.rename, person=person, name=rows.text("name", name)))

    async def rating(self, person: int, game: str) -> float | None:
        """A person's rating in a game, or None if there is none yet."""
        return await self._read(partial(reads.rating, person=person, game=rows.text("game", game)))

    async def rate(self, person: int, game: str, rating: float) -> None:
        """Sets a person's rating in a game."""
        row = {"person": person, "game": rows.text("game", game), "rating": rows.seconds("rating", rating)}
        await self._write("a rating", partial(writes.rate, row=row))

    async def puzzle_attempts(self, person: int, limit: int) -> list[PuzzleAttempt]:
        """A person's puzzle attempts, the last one first."""
        return await self._read(partial(reads.puzzle_attempts, person=person, limit=limit))

    async def add_puzzle_attempt(self, person: int, puzzle: str, right: bool, at: float) -> None:
        """Adds a person's attempt at a puzzle."""
        when, what = rows.seconds("time", at), rows.text("puzzle", puzzle)
        await self._write(
            "a puzzle attempt",
            partial(writes.add_puzzle_attempt, row={"person": person, "at": when, "puzzle": what, "right": right}),
        )

    # ── reads and writes ─────────────────────────────────────────────────────────────────────────

    async def _write(self, what: str, work: Callable[[Attempt], T]) -> T:
        """Runs a write; `what` is its name in messages."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._writer.put(Write(what, work, loop, future))
        try:
            return await future
        finally:
            del future  # breaks the reference cycle of its error and this frame

    async def _read(self, query: Callable[[Connection], T]) -> T:
        return await asyncio.wrap_future(self._readers.submit(partial(self._find, query)))

    def _find(self, query: Callable[[Connection], T]) -> T:
        last = time.monotonic() + self._timeout

        def attempt(_: int) -> Any:
            with self._reading.connect() as connection, connection.begin():
                return query(connection)

        try:
            found: T = retry(attempt, is_transient, lambda: last)
        except Exception as error:
            raise store_error("Cannot read the games", self._location, error) from None
        return found


def _in(what: str, name: str) -> str:
    return f"{what} in the game {name}"
