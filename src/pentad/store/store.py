"""The store as a server uses it: every method waits without blocking the loop; what was kept is safe on the disk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

from pentad.store import reads, row_codec, rows, writes
from pentad.store.database import READERS, TIMEOUT, Location, cannot, is_transient, retry
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
    """A database with games in it. `StoreError` where something cannot be kept or found, `Conflict` if it is taken."""

    def __init__(self, engine: Engine, location: Location, timeout: float) -> None:
        self._engine, self._location, self._timeout = engine, location, timeout
        # A reader sees a game and its events of the same moment.
        snapshot = {} if location.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = engine.execution_options(**snapshot)
        self._readers = DetachedThreads(READERS, "pentad-reader")
        self._writer = Writer(engine, location, timeout)

    @classmethod
    def open(cls, url: str | None = None, *, timeout: float = TIMEOUT) -> Store:
        """Open the database at this URL, or that in the user's data folder; `GameError` says why it cannot be.

        `timeout` is for how many seconds trouble, such as a full disk, may last before those who wait are told.
        """
        location = Location(url)
        return cls(open_engine(location), location, timeout)

    def close(self, within: float | None = None) -> None:
        """Write what is still waiting, and end, within so many seconds; the log tells what could not be kept."""
        until = time.monotonic() + (self._timeout if within is None else within)
        self._writer.close(until)
        self._readers.close(until)
        self._engine.dispose()

    # ── games ────────────────────────────────────────────────────────────────────────────────────

    async def add_game(self, row: GameRow) -> None:
        """Keep a new game, which has no events yet."""
        await self._write(
            f"the new game {row.name}", partial(writes.add_game, row=row_codec.game_columns(row), seats=row.seats)
        )

    async def game(self, name: str) -> tuple[GameRow, list[Event]] | None:
        """A game and all that happened in it."""
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
        """Keep the next event of a game together with what it changes in the game; `Conflict` if it is not the next."""
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
        """The games that a person sits in, each with its place in the list; those `after` a cursor, if one is given.

        First come those with others where the person is to move, then others where they are, then those that go on,
        then those that are over. Among these the one comes first whose time is over soonest, then the one that was
        touched last.
        """
        return await self._read(partial(reads.games_of, person=person, limit=limit, after=after))

    async def without_turn(self, person: int, limit: int) -> list[str]:
        """Games of a person that are not over and in which it is not known whose turn it is."""
        return await self._read(partial(reads.without_turn, person=person, limit=limit))

    async def set_turn(self, name: str, number: int, turn: Turn) -> None:
        """Keep whose turn it is in a game, if it has this number of events still."""
        columns = row_codec.turn_columns(turn)
        game = rows.text("game name", name)
        await self._write(
            f"whose turn it is in {name}", partial(writes.set_turn, game=game, number=number, columns=columns)
        )

    async def open_games(self, limit: int = 50) -> list[GameRow]:
        """The listed games where somebody may still sit down, the newest first."""
        return await self._read(partial(reads.open_games, limit=limit))

    async def sweep(self, before: float, invited: float | None = None) -> int:
        """Remove the games that nobody has played in, and that nobody has touched since; how many that were.

        Those to which somebody else was invited are kept if they were touched since `invited`.
        """
        last = rows.seconds("time", before if invited is None else invited)
        some = partial(writes.sweep, before=rows.seconds("time", before), invited=last)
        swept, more = 0, 1
        while more:  # a few at a time, so that nobody's move waits for it
            more = await self._write("old games to be removed", some)
            swept += more
        return swept

    async def add_chat_message(self, name: str, said: ChatMessage) -> None:
        """Keep what somebody said beside a game."""
        await self._write(
            _in("talk", name),
            partial(writes.add_chat_message, row=row_codec.chat_columns(rows.text("game name", name), said)),
        )

    async def chat(self, name: str) -> list[ChatMessage]:
        """All that was said beside a game."""
        return await self._read(partial(reads.chat, name=rows.text("game name", name)))

    # ── persons ──────────────────────────────────────────────────────────────────────────────────

    async def person(self, key_hash: bytes) -> Person | None:
        """The person whose key has this hash."""
        return await self._read(partial(reads.person, key_hash=rows.key(key_hash)))

    async def add_person(self, key_hash: bytes, name: str) -> Person:
        """Keep a new person."""
        named = rows.text("name", name)
        return await self._write("a new person", partial(writes.add_person, key_hash=rows.key(key_hash), name=named))

    async def rename(self, person: int, name: str) -> None:
        """Give a person another name."""
        await self._write("a person's name", partial(writes.rename, person=person, name=rows.text("name", name)))

    async def rating(self, person: int, game: str) -> float | None:
        """A person's rating in a game, or None before the first."""
        return await self._read(partial(reads.rating, person=person, game=rows.text("game", game)))

    async def rate(self, person: int, game: str, rating: float) -> None:
        """Keep a person's rating in a game, instead of an earlier one."""
        row = {"person": person, "game": rows.text("game", game), "rating": rows.seconds("rating", rating)}
        await self._write("a rating", partial(writes.rate, row=row))

    async def puzzle_attempts(self, person: int, limit: int) -> list[PuzzleAttempt]:
        """The puzzles that a person has tried, the last one first."""
        return await self._read(partial(reads.puzzle_attempts, person=person, limit=limit))

    async def add_puzzle_attempt(self, person: int, puzzle: str, right: bool, at: float) -> None:
        """Keep that a person has tried a puzzle."""
        when, what = rows.seconds("time", at), rows.text("puzzle", puzzle)
        await self._write(
            "a puzzle that was tried",
            partial(writes.add_puzzle_attempt, row={"person": person, "at": when, "puzzle": what, "right": right}),
        )

    # ── how it is done ───────────────────────────────────────────────────────────────────────────

    async def _write(self, what: str, work: Callable[[Attempt], T]) -> T:
        """Have something written; `what` tells people what it is."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._writer.put(Write(what, work, loop, future))
        try:
            return await future
        finally:
            del future  # an error in it would keep this frame, the frame the error, and both whoever waits

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
            raise cannot("the games cannot be read", self._location, error) from None
        return found


def _in(what: str, name: str) -> str:
    return f"{what} in the game {name}"
