"""Asynchronous interface of the store, with group commit; a write that has returned is safe on the disk.

A thread commits all waiting writes in one transaction, then completes their futures. A commit takes milliseconds to
reach the disk. The writes that arrive meanwhile share the next commit, so many writers wait no longer than one.

A repeated attempt at a write (`again`) may find that an earlier one was committed, for example if the server was lost
in the middle of a commit. An identical row in the table then counts as success.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Table,
    and_,
    bindparam,
    case,
    delete,
    desc,
    distinct,
    exists,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError

from pentad.store import rows
from pentad.store.database import (
    READERS,
    TIMEOUT_SECONDS,
    WRITES,
    DatabaseLocation,
    is_transient,
    open_engine,
    retry,
    store_error,
)
from pentad.store.detached_threads import DetachedThreads
from pentad.store.game_search import GameSearch, sitter_rows
from pentad.store.rows import (
    ChatMessage,
    Columns,
    Conflict,
    Cursor,
    EventRow,
    GameRow,
    PendingTurn,
    Person,
    PuzzleAttempt,
    SeatRow,
    StoreError,
)
from pentad.store.schema import (
    accounts,
    attempts,
    chapters,
    chat_table,
    events,
    finished,
    games,
    persons,
    ratings,
    sessions,
    sitters,
    studies,
    to_be_joined,
    unplayed,
)
from pentad.system.metrics import COUNTS, CounterMetric, Histogram
from pentad.system.words import phrase

T = TypeVar("T")
MAX_WAITING = 10_000
MAX_BATCH = 1_000
MAX_LOGGED = 20  # lost writes named in the log
_LAST_COMMIT_SECONDS = 0.2  # a commit may be running when the deadline passes
SWEEP_BATCH = READ_BATCH = 200
LONG_COMMIT_SECONDS = 1.0  # a longer commit is logged

log = logging.getLogger(__name__)

COMMITS = Histogram("pentad_database_commit_seconds", "Seconds of commits, with their retries.")
WRITES_OF_COMMIT = Histogram("pentad_database_commit_writes", "Writes that shared a commit.", bounds=COUNTS)
READS = Histogram("pentad_database_read_seconds", "Seconds of reads, with their retries.")
OPERATIONS = READ, WRITE = "read", "write"
RETRIES = CounterMetric(
    "pentad_database_retries_total", "Repeated attempts at a read or a commit.", "operation", values=OPERATIONS
)
FAILURES = CounterMetric(
    "pentad_database_failures_total", "Reads and commits that failed for good.", "operation", values=OPERATIONS
)

# The only place that admits an event: its number must be the game's count of events.
_ADVANCE = update(games).where(games.c.name == bindparam("of_game"), games.c.events == bindparam("so_far"))
_EVENT = insert(events)
# What is read for each player who comes; a statement that is built anew takes longer than the database.
_GAME = select(games).where(games.c.name == bindparam("of_game"))
_EVENTS = select(events).where(events.c.game == bindparam("of_game")).order_by(events.c.number)
_CHAT = select(chat_table).where(chat_table.c.game == bindparam("of_game")).order_by(chat_table.c.number)
_HAS_KEY = sessions.c.key_hash == bindparam("key")
_PERSON = (persons.c.id, persons.c.name, accounts.c.person.label("account"), sessions.c.seen)
_SESSIONS = sessions.join(persons).outerjoin(accounts, accounts.c.person == sessions.c.person)
_BY_KEY = select(*_PERSON).select_from(_SESSIONS).where(_HAS_KEY)
_THEIR_GAMES = select(games.c.name).select_from(games.join(sitters)).where(sitters.c.person == sessions.c.person)
_HAS_PLAYED = select(exists(_THEIR_GAMES.where(games.c.played)).label("found")).where(_HAS_KEY)
_UNDER_WAY = (games.c.name == bindparam("game"), games.c.moves > 0, games.c.result.is_(None))
_PLAYS_AT = select(exists(_THEIR_GAMES.where(*_UNDER_WAY)).label("found")).where(_HAS_KEY)
_MINE, _OTHERS = sitters.alias(), sitters.alias()
_PEOPLE = select(func.count(distinct(sitters.c.person))).where(sitters.c.game == games.c.name).scalar_subquery()
_HAS_WON = games.c.winners.bitwise_rshift(_MINE.c.seat).bitwise_and(1) == 1
ALL_GAMES = GameSearch()
_INVITES_OTHERS = or_(games.c.open, _PEOPLE > 1)


# ── group commit ─────────────────────────────────────────────────────────────────────────────────


class WriteAttempt(NamedTuple):
    """An attempt at a write: its connection, and whether it is a repeated one."""

    connection: Connection
    again: bool


@dataclass(slots=True)
class Write:
    """A queued write and the future of its result."""

    what: str
    work: Callable[[WriteAttempt], Any]
    future: Future[Any]
    outcome: object = None
    error: Exception | None = None

    def complete(self) -> None:
        """Completes the future, unless it was cancelled."""
        if not self.future.set_running_or_notify_cancel():
            return
        if self.error is None:
            self.future.set_result(self.outcome)
        else:
            # The traceback's frames and this error would refer to each other.
            self.error.__traceback__ = self.error.__context__ = self.error.__cause__ = None
            self.future.set_exception(self.error)


class StoreWriter:
    """Commits writes in the order of the queue, many in one commit."""

    def __init__(self, engine: Engine, location: DatabaseLocation, timeout: float) -> None:
        self._engine, self._location, self._timeout = engine, location, timeout
        self._waiting: deque[Write] = deque()
        self._news = threading.Condition()
        self._closed_until: float | None = None  # the deadline for the last writes, once it is closed
        self._held = False  # whether no further batch is begun
        self._left: StoreError | None = None  # why no write is accepted any more
        self._batch: list[Write] = []
        self._lost: list[Write] = []  # the writes that failed after it was closed
        self._why = "no time left"
        self._thread = threading.Thread(target=self._run, name="pentad-writer", daemon=True)
        self._thread.start()

    def put(self, write: Write) -> None:
        """Queues a write."""
        with self._news:
            if self._left:
                raise StoreError(str(self._left))
            if self._closed_until is not None:
                raise StoreError("The store is closed.")
            if len(self._waiting) >= MAX_WAITING:
                raise StoreError(
                    "Cannot save the game: {max_waiting} writes are already waiting.", max_waiting=MAX_WAITING
                )
            self._waiting.append(write)
            self._news.notify_all()

    def hold(self, seconds: float) -> bool:
        """Begins no further batch until `resume`; whether the current one is complete within so many seconds."""
        with self._news:
            self._held = True
            return self._news.wait_for(lambda: not self._batch, seconds)

    def resume(self) -> None:
        """Commits what has waited since `hold`, and goes on."""
        with self._news:
            self._held = False
            self._news.notify_all()

    def leave(self, why: str) -> None:
        """Refuses the writes that wait since `hold`, and all later ones, as another process writes from now on."""
        with self._news:
            assert self._held
            self._left = StoreError(why)
            refused, self._waiting = list(self._waiting), deque()
        for write in refused:
            write.error = StoreError(why)
            write.complete()

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

    def close(self, until: float) -> None:
        """Completes the queued writes until a time of the monotonic clock, and ends; lost writes are logged."""
        with self._news:
            if self._closed_until is None:
                self._closed_until = until
            self._news.notify_all()
        self._thread.join(max(0.0, until - time.monotonic()) + _LAST_COMMIT_SECONDS)
        lost = [each.what for each in (*self._lost, *self._batch, *self._waiting)]
        self._lost, self._batch = [], []
        if lost:
            more = f" and {len(lost) - MAX_LOGGED} more" if len(lost) > MAX_LOGGED else ""
            names = ", ".join(lost[:MAX_LOGGED]) + more
            log.error("Lost when the server stopped (%s): %s.", self._why.rstrip("."), names)

    def _run(self) -> None:
        while self._write_some():
            pass  # a separate call, so that the last batch is freed before the wait for the next one

    def _write_some(self) -> bool:
        """Waits for a batch and writes it; returns whether more may come."""
        batch = self._next()
        begun = time.monotonic()
        last = begun + self._timeout
        try:
            if batch:
                retry(partial(self._attempt, batch), is_transient, lambda: min(last, self._closed_until or last))
                self._note_commit(len(batch), time.monotonic() - begun)
        except Exception as error:  # every future must be completed, whatever the error
            FAILURES.add(WRITE)
            failure = store_error("Cannot save the game", self._location, error)
            for write in batch:
                write.error = StoreError(str(failure))  # separate errors, since each gets a traceback
            if self._closed_until is not None:
                self._lost, self._why = self._lost + batch, str(failure)
        for write in batch:
            write.complete()
        with self._news:
            self._batch = []
            self._news.notify_all()
        return bool(batch)

    def _note_commit(self, writes: int, seconds: float) -> None:
        COMMITS.observe(seconds)
        WRITES_OF_COMMIT.observe(writes)
        if seconds > LONG_COMMIT_SECONDS:
            log.info("A commit of %d writes took %.1f seconds.", writes, seconds)

    def _next(self) -> list[Write]:
        """The next batch; an empty one after `close`."""
        with self._news:
            while (self._held or not self._waiting) and self._closed_until is None:
                self._news.wait()
            if not self._held:
                self._batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_BATCH))]
            return self._batch

    def _attempt(self, batch: list[Write], number: int) -> None:
        # Failures are rare. The first try is without savepoints, which takes half the time; after a failure each
        # write gets its own savepoint, so that it cannot affect the others.
        if number:
            RETRIES.add(WRITE)
        self._location.check_file()
        try:
            self._commit(batch, number > 0, savepoints=False)
        except Exception as error:
            if is_transient(error):
                self._why = self._location.why(error)
                if not number:
                    log.warning("The database cannot be written, trying again: %s.", self._why)
                raise
            self._commit(batch, number > 0, savepoints=True)

    def _commit(self, batch: list[Write], again: bool, *, savepoints: bool) -> None:
        with self._engine.connect().execution_options(**{WRITES: True}) as connection:
            try:
                with connection.begin():
                    for write in batch:
                        self._run_one(write, WriteAttempt(connection, again), savepoints=savepoints)
            except Exception as error:
                if is_transient(error):
                    connection.invalidate()  # the next attempt uses a new connection
                raise

    def _run_one(self, write: Write, attempt: WriteAttempt, *, savepoints: bool) -> None:
        try:
            with attempt.connection.begin_nested() if savepoints else contextlib.nullcontext():
                write.outcome, write.error = write.work(attempt), None
        except Exception as error:
            if not savepoints or is_transient(error) or attempt.connection.invalidated:
                raise
            write.error = store_error("Cannot save the game", self._location, error)


# ── the store ────────────────────────────────────────────────────────────────────────────────────


class Store:
    """A database of games. Methods raise `StoreError` if a read or write fails, `Conflict` if a key is taken."""

    def __init__(self, engine: Engine, location: DatabaseLocation, timeout: float) -> None:
        self._engine, self._location, self._timeout = engine, location, timeout
        # A reader must see a consistent snapshot of a game and its events.
        snapshot = {} if location.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = engine.execution_options(**snapshot)
        self._readers = DetachedThreads(READERS, "pentad-reader")
        self._writer = StoreWriter(engine, location, timeout)
        self._expected: dict[bytes, Person] = {}  # by the hashes of their keys

    @classmethod
    def open(cls, url: str | None = None, *, timeout: float = TIMEOUT_SECONDS, beside_a_server: bool = False) -> Store:
        """Opens the database at this URL, by default the one in the user's data folder.

        `timeout` is how many seconds a read or write is retried after a transient error, such as a full disk.
        A store `beside_a_server`, which still writes, migrates nothing, and its own writes wait until `resume`.
        """
        location = DatabaseLocation(url)
        store = cls(open_engine(location, may_migrate=not beside_a_server), location, timeout)
        if beside_a_server:
            store.hold()
        return store

    def hold(self, seconds: float = 0.0) -> bool:
        """Lets all writes wait; whether none is being committed after so many seconds."""
        return self._writer.hold(seconds)

    def resume(self) -> None:
        """Commits the writes that wait, and later ones."""
        self._writer.resume()

    def leave(self, why: str) -> None:
        """Refuses the writes that wait and all later ones; another process writes from now on."""
        self._writer.leave(why)

    def close(self, within: float | None = None) -> None:
        """Completes the waiting writes and closes, within so many seconds; failed writes are logged."""
        until = time.monotonic() + (self._timeout if within is None else within)
        self._writer.close(until)
        self._readers.close(until)
        self._engine.dispose()

    # ── games ────────────────────────────────────────────────────────────────────────────────────

    async def add_game(self, row: GameRow) -> None:
        """Adds a game without events."""
        columns = row.columns

        def add(attempt: WriteAttempt) -> None:
            # Events of the same commit may have changed the other columns.
            same = {word: columns[word] for word in ("name", "game", "start", "created")}
            if attempt.again and _exists(attempt, games, same):
                return
            if not _insert(attempt, games, columns):
                raise Conflict("The game {name} already exists.", name=row.name)
            _add_sitters(attempt, row.name, row.seats)

        await self.write(phrase("the new game {name}", name=row.name), add)

    async def game(self, name: str) -> tuple[GameRow, list[EventRow]] | None:
        """A game and its events."""
        rows.text("game name", name)

        def find(connection: Connection) -> tuple[GameRow, list[EventRow]] | None:
            row = connection.execute(_GAME, {"of_game": name}).first()
            if row is None:
                return None
            return GameRow.of(row), list(map(EventRow.of, connection.execute(_EVENTS, {"of_game": name})))

        return await self.read(find)

    async def add_event(
        self,
        name: str,
        event: EventRow,
        *,
        seats: Sequence[SeatRow] | None = None,
        moves: int | None = None,
        result: str | None = None,
        reason: str | None = None,
        turn: PendingTurn | None = None,
    ) -> None:
        """Adds the next event of a game with its changes of the game; `Conflict` if it is not the next one."""
        changes = rows.changes_by(event, seats, moves, result, reason, turn)
        columns, number = event.columns(name), event.number
        moved = {"of_game": name, "so_far": number, **changes}

        def add(attempt: WriteAttempt) -> None:
            if attempt.connection.execute(_ADVANCE, moved).rowcount == 0:
                if attempt.again and _exists(attempt, events, columns):
                    return
                count = attempt.connection.execute(select(games.c.events).where(games.c.name == name)).scalar()
                if count is None:
                    raise rows.unknown_game(name)
                raise rows.taken_event(name, number, count)
            attempt.connection.execute(_EVENT, columns)
            if seats is not None:
                attempt.connection.execute(delete(sitters).where(sitters.c.game == name))
                _add_sitters(attempt, name, seats)

        await self.write(phrase("{kind} in the game {name}", kind=event.kind, name=name), add)

    async def games_of(
        self, person: int, limit: int = 50, after: Cursor | None = None, search: GameSearch = ALL_GAMES
    ) -> list[tuple[GameRow, Cursor]]:
        """The games of a person with their cursors, optionally only those of a search, or those `after` a cursor.

        The games against other people in which the person is to move come first, then their other games in which
        they are to move, then unfinished and finished ones. Each group is sorted by deadline, then by the time of
        the last event, latest first.
        """
        is_mine = exists().where(_MINE.c.game == games.c.name, _MINE.c.person == person, _MINE.c.seat == games.c.turn)
        has_others = exists().where(_OTHERS.c.game == games.c.name, _OTHERS.c.person != person)
        group = case((games.c.result.is_not(None), 3), (and_(is_mine, has_others), 0), (is_mine, 1), else_=2)
        order = (group, func.coalesce(games.c.due, rows.NEVER), -games.c.touched, games.c.name)
        found = select(games, *(column.label(f"by_{i}") for i, column in enumerate(order)))
        found = found.where(*_found(person, search))
        if after is not None:
            found = found.where(tuple_(*order) > tuple_(*map(literal, after)))
        return await self._rows(
            found.order_by(*order).limit(limit), lambda row: (GameRow.of(row), Cursor(*row[-len(order) :]))
        )

    async def count_games(self, person: int, search: GameSearch = ALL_GAMES) -> int:
        """The number of games of a person, optionally only those of a search."""
        (count,) = await self._rows(
            select(func.count()).select_from(games).where(*_found(person, search)), lambda row: int(row[0])
        )
        return count

    async def set_turn(self, name: str, number: int, turn: PendingTurn) -> None:
        """Sets whose turn it is in a game, unless the game has more events by now."""
        same = (games.c.name == rows.text("game name", name), games.c.events == number)
        change = update(games).where(*same).values(**turn.columns)
        await self.write(
            phrase("whose turn it is in {name}", name=name), lambda attempt: attempt.connection.execute(change).rowcount
        )

    async def open_games(self, limit: int = 50) -> list[GameRow]:
        """The listed games with an open seat, the newest first."""
        found = select(games).where(to_be_joined).order_by(desc(games.c.created), games.c.name).limit(limit)
        return await self._rows(found, GameRow.of)

    async def finished_games(self, game: str, limit: int) -> list[str]:
        """The names of the finished games of one game, the latest first.

        Those of several people that were open only to whoever had the link are left out.
        """
        is_public = or_(games.c.listed, _PEOPLE <= 1)
        found = select(games.c.name).where(games.c.game == rows.text("game", game), finished, is_public)
        return await self._rows(
            found.order_by(desc(games.c.created), games.c.name).limit(limit), lambda row: str(row.name)
        )

    async def sweep(self, before: float, invited: float | None = None) -> int:
        """Removes the games without moves and without events since `before`; returns their count.

        Games with another person or an open seat are kept if they had an event since `invited`.
        """
        before = rows.seconds("time", before)
        last = before if invited is None else rows.seconds("time", invited)
        idle = select(games.c.name).where(
            unplayed,
            games.c.created < before,
            games.c.touched < before,
            or_(not_(_INVITES_OTHERS), games.c.touched < last),
        )
        some = delete(games).where(games.c.name.in_(idle.limit(SWEEP_BATCH)))
        swept, more = 0, 1
        while more:  # in small batches, so that moves do not wait
            more = await self.write("the removal of old games", lambda at: at.connection.execute(some).rowcount)
            swept += more
        return swept

    async def add_chat_message(self, name: str, message: ChatMessage, dropped: Collection[int] = ()) -> None:
        """Adds a chat message to a game, and removes those with the numbers `dropped`."""
        row = message.columns(name)

        def add(attempt: WriteAttempt) -> None:
            if attempt.connection.execute(select(games.c.name).where(games.c.name == name)).first() is None:
                raise rows.unknown_game(name)
            if not (attempt.again and _exists(attempt, chat_table, row)) and not _insert(attempt, chat_table, row):
                raise rows.taken_chat_message(name, message.number)
            if dropped:
                attempt.connection.execute(delete(chat_table).where(_of_chat(name), chat_table.c.number.in_(dropped)))

        await self.write(phrase("a chat message in the game {name}", name=name), add)

    async def blank_chat_message(self, name: str, number: int) -> None:
        """Removes the name and the text of a chat message, whose number stays taken."""
        blank = update(chat_table).where(_of_chat(name), chat_table.c.number == number).values(name="", text="")
        what = phrase("the removal of a chat message in the game {name}", name=name)
        await self.write(what, lambda attempt: attempt.connection.execute(blank).rowcount)

    async def chat(self, name: str) -> list[ChatMessage]:
        """A game's chat."""
        return await self._rows(
            _CHAT,
            lambda row: ChatMessage(row.number, row.seat, row.name, row.text, row.at, row.person),
            of_game=rows.text("game name", name),
        )

    async def versions(self, names: Iterable[str]) -> dict[str, tuple[int, int]]:
        """How many events and chat messages games have."""
        wanted, found = list(names), dict[str, tuple[int, int]]()
        chats = select(func.count()).where(chat_table.c.game == games.c.name).scalar_subquery()
        for first in range(0, len(wanted), READ_BATCH):
            some = select(games.c.name, games.c.events, chats).where(
                games.c.name.in_(wanted[first : first + READ_BATCH])
            )
            found |= {name: (events, chats) for name, events, chats in await self._rows(some, tuple)}
        return found

    # ── persons ──────────────────────────────────────────────────────────────────────────────────

    async def expect(self, ids: Iterable[int]) -> None:
        """Reads persons in advance: the next request for each of them needs no database."""
        wanted = sorted(ids)
        for first in range(0, len(wanted), READ_BATCH):
            some = persons.c.id.in_(wanted[first : first + READ_BATCH])
            found = select(*_PERSON, sessions.c.key_hash).select_from(_SESSIONS).where(some)
            self._expected |= dict(await self._rows(found, lambda row: (bytes(row.key_hash), _person(row))))

    def expect_nobody(self) -> None:
        """Forgets the persons who were expected and did not come."""
        self._expected.clear()

    def forget_expected(self, person: int) -> None:
        """Forgets a person who was expected, and who has changed."""
        self._expected = {key: each for key, each in self._expected.items() if each.id != person}

    async def person(self, key_hash: bytes) -> Person | None:
        """The person whose key has this hash."""
        if expected := self._expected.pop(key_hash, None):
            return expected
        found = await self._rows(_BY_KEY, _person, key=rows.key(key_hash))
        return found[0] if found else None

    async def has_played(self, key_hash: bytes) -> bool | None:
        """Whether the person whose key has this hash is in a game with a move; None if there is no such person."""
        if key_hash in self._expected:
            return True
        found = await self._rows(_HAS_PLAYED, lambda row: bool(row.found), key=rows.key(key_hash))
        return found[0] if found else None

    async def plays_at(self, key_hash: bytes, name: str) -> bool:
        """Whether the person whose key has this hash is in this game, and it goes on."""
        keys = {"key": rows.key(key_hash), "game": rows.text("game name", name)}
        return any(await self._rows(_PLAYS_AT, lambda row: bool(row.found), **keys))

    async def add_person(self, key_hash: bytes, name: str, label: str = "", at: float = 0.0) -> Person:
        """Adds a person with a session; `label` is their browser."""
        session, row = rows.session_columns(key_hash, label, at), {"name": rows.text("name", name)}

        def add(attempt: WriteAttempt) -> Person:
            known = attempt.connection.execute(_BY_KEY, {"key": key_hash}).first()
            if known and attempt.again:
                return _person(known)
            if known:
                raise Conflict("A person with this key already exists.")
            person: int = attempt.connection.execute(insert(persons).returning(persons.c.id), row).scalar_one()
            attempt.connection.execute(insert(sessions), {**session, "person": person})
            return Person(person, name)

        return await self.write("a new person", add)

    async def rename(self, person: int, name: str) -> None:
        """Renames a person."""
        change = update(persons).where(persons.c.id == person).values(name=rows.text("name", name))
        self.forget_expected(person)

        def rename(attempt: WriteAttempt) -> None:
            if attempt.connection.execute(change).rowcount == 0:
                raise _unknown_person(person)

        await self.write("a person's name", rename)

    async def note_visit(self, key_hash: bytes, at: float) -> None:
        """Notes the last visit of a session."""
        change = update(sessions).where(sessions.c.key_hash == key_hash).values(seen=rows.seconds("time", at))
        await self.write("a visit", lambda attempt: attempt.connection.execute(change).rowcount)

    async def rating(self, person: int, game: str) -> float | None:
        """A person's rating in a game, or None if there is none yet."""
        same = (ratings.c.person == person, ratings.c.game == rows.text("game", game))
        found = await self._rows(select(ratings.c.rating).where(*same), lambda row: float(row.rating))
        return found[0] if found else None

    async def rate(self, person: int, game: str, rating: float) -> None:
        """Sets a person's rating in a game."""
        row = rows.rating_columns(person, game, rating)
        await self.write("a rating", partial(_put, table=ratings, row=row))

    async def puzzle_attempts(self, person: int, limit: int) -> list[PuzzleAttempt]:
        """A person's puzzle attempts, the last one first."""
        theirs = select(attempts).where(attempts.c.person == person)
        return await self._rows(
            theirs.order_by(desc(attempts.c.at), attempts.c.puzzle).limit(limit),
            lambda row: PuzzleAttempt(row.puzzle, row.right, row.at),
        )

    async def add_puzzle_attempt(self, person: int, puzzle: str, right: bool, at: float) -> None:
        """Adds a person's attempt at a puzzle; a repeated write of the same attempt has no effect."""
        row = rows.attempt_columns(person, puzzle, right, at)
        await self.write("a puzzle attempt", partial(_put, table=attempts, row=row))

    # ── reads and writes ─────────────────────────────────────────────────────────────────────────

    async def write(self, what: str, work: Callable[[WriteAttempt], T]) -> T:
        """Runs a write; `what` is its name in messages."""
        future: Future[T] = Future()
        self._writer.put(Write(what, work, future))
        try:
            return await asyncio.wrap_future(future)
        finally:
            del future  # breaks the reference cycle of its error and this frame

    async def _rows(self, query: Select[Any], make: Callable[[Row[Any]], T], **parameters: object) -> list[T]:
        """The rows of a query as values."""
        return await self.read(lambda connection: [make(row) for row in connection.execute(query, parameters)])

    async def read(self, find: Callable[[Connection], T]) -> T:
        """What a function finds in a snapshot of the database."""
        return await asyncio.wrap_future(self._readers.submit(partial(self._find, find)))

    def _find(self, find: Callable[[Connection], T]) -> T:
        begun = time.monotonic()
        last = begun + self._timeout

        def attempt(number: int) -> T:
            if number:
                RETRIES.add(READ)
            with self._reading.connect() as connection, connection.begin():
                return find(connection)

        try:
            found = retry(attempt, is_transient, lambda: last)
        except Exception as error:
            FAILURES.add(READ)
            raise store_error("Cannot read the games", self._location, error) from None
        READS.observe(time.monotonic() - begun)
        return found

    # ── state ────────────────────────────────────────────────────────────────────────────────────

    @property
    def name(self) -> str:
        """The name of the database, without a password."""
        return self._location.name

    @property
    def waiting_writes(self) -> int:
        """How many writes wait for a commit."""
        return self._writer.waiting

    async def counts(self) -> dict[str, int]:
        """How many rows each table of what people make has, by its name."""

        def count(connection: Connection) -> dict[str, int]:
            tables = (games, persons, studies, chapters)
            return {each.name: connection.execute(_count(each)).scalar_one() for each in tables}

        return await self.read(count)


def _of_chat(game: str) -> ColumnElement[bool]:
    return chat_table.c.game == rows.text("game name", game)


def _of(person: int, *more: ColumnElement[bool]) -> ColumnElement[bool]:
    return games.c.name.in_(select(sitters.c.game).where(sitters.c.person == person, *more))


def _found(person: int, search: GameSearch) -> list[ColumnElement[bool]]:
    """The conditions for the games of a person that a search finds, the same as `GameSearch.fits`."""
    name_part = search.name_part
    found = [_of(person, *([sitters.c.opponents.contains(name_part, autoescape=True)] if name_part else []))]
    if search.game:
        found.append(games.c.game == search.game)
    match search.result:
        case "running":
            found.append(games.c.result.is_(None))
        case "draw":
            found.append(games.c.winners == 0)
        case "won" | "lost" as standing:
            wins = exists().where(_MINE.c.game == games.c.name, _MINE.c.person == person, _HAS_WON)
            found += [games.c.winners > 0, _of(person, sitters.c.opponents != "")]
            found.append(wins if standing == "won" else not_(wins))
    return found


def _count(table: Table) -> Select[Any]:
    return select(func.count()).select_from(table)


def _person(row: Any) -> Person:
    return Person(row.id, row.name, row.account is not None, row.seen)


def _add_sitters(attempt: WriteAttempt, game: str, seats: Sequence[SeatRow]) -> None:
    persons_at = sitter_rows(game, seats)
    if persons_at and not _insert(attempt, sitters, persons_at):
        raise StoreError("The game {game} has an unknown person.", game=game)


def _insert(attempt: WriteAttempt, table: Table, row: Columns | list[Columns]) -> bool:
    """Inserts a row or several; returns whether their keys were free."""
    try:
        with attempt.connection.begin_nested():
            attempt.connection.execute(insert(table), row)
    except IntegrityError:
        return False
    return True


def _put(attempt: WriteAttempt, *, table: Table, row: Columns) -> None:
    """Inserts a person's row, or updates the one with the same key."""
    same = [column == row[column.name] for column in table.primary_key]
    change = {word: value for word, value in row.items() if word not in table.primary_key}
    changed = attempt.connection.execute(update(table).where(*same).values(**change)).rowcount
    if changed == 0 and not _insert(attempt, table, row):
        raise _unknown_person(row["person"])


def _exists(attempt: WriteAttempt, table: Table, row: Columns) -> bool:
    columns: list[Any] = [table.c[word].is_not_distinct_from(value) for word, value in row.items()]
    return attempt.connection.execute(select(exists().where(*columns))).scalar_one()


def _unknown_person(person: int) -> StoreError:
    return StoreError(f"Unknown person {person}.")
