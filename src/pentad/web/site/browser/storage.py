"""The store of a page: the same methods as `pentad.store.Store`, over the rows that the browser keeps.

`static/python/storage.js` runs lists of operations, each list in one transaction. There is one person: whoever uses the
browser. A row has the columns of the server's database, so that the same code reads and writes it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, TypeAlias

from pentad.store import rows
from pentad.store.game_search import GameSearch
from pentad.store.rows import (
    OPEN,
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

Run: TypeAlias = Callable[[str], Awaitable[str]]  # operations and their results, both as JSON

PERSON = 1
CHANGED, EXISTS = "Changed", "Exists"  # why a transaction was refused
FULL = "QuotaExceededError"
ALL_GAMES = GameSearch()


class RefusedTransaction(Exception):
    """A transaction that found something else than it expected; `row` is what it found."""

    def __init__(self, kind: str, row: Columns | None) -> None:
        super().__init__(kind)
        self.kind, self.row = kind, row


class BrowserStore:
    """The games, the person, the ratings and the puzzle attempts that this browser keeps."""

    def __init__(self, run: Run, changed: Callable[[str], object] = lambda _: None) -> None:
        """`changed` is called with the name of each game that has a new event."""
        self._run_text, self._changed = run, changed

    async def _run(self, *operations: Sequence[Any]) -> list[Any]:
        answer = json.loads(await self._run_text(json.dumps(operations)))
        if "results" in answer:
            results: list[Any] = answer["results"]
            return results
        if answer["error"] in (CHANGED, EXISTS):
            raise RefusedTransaction(answer["error"], answer["row"])
        if answer["error"] == FULL:
            raise StoreError("This browser's storage is full. Nothing was stored.")
        raise StoreError("This browser cannot store games: {message}.", message=answer["message"] or answer["error"])

    # ── games ────────────────────────────────────────────────────────────────────────────────────

    async def add_game(self, row: GameRow) -> None:
        """Adds a game without events."""
        try:
            await self._run(["add", "games", row.columns])
        except RefusedTransaction:
            raise Conflict("The game {name} already exists.", name=row.name) from None

    async def game(self, name: str) -> tuple[GameRow, list[EventRow]] | None:
        """A game and its events."""
        rows.text("game name", name)
        row, events = await self._run(["get", "games", name], ["of", "events", name])
        return None if row is None else (_game(row), [EventRow.of(_row(each)) for each in events])

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
        columns = event.columns(name)
        try:
            await self._run(["change", "games", name, {"events": event.number}, changes], ["add", "events", columns])
        except RefusedTransaction as refused:
            if refused.row is None:
                raise rows.unknown_game(name) from None
            raise rows.taken_event(name, event.number, refused.row["events"]) from None
        self._changed(name)

    async def games_of(
        self, person: int, limit: int = 50, after: Cursor | None = None, search: GameSearch = ALL_GAMES
    ) -> list[tuple[GameRow, Cursor]]:
        """The games of a person with their cursors, found and sorted as `Store.games_of` does."""
        found = [(row, _cursor(row, person)) for row in await self._games(person, search)]
        found.sort(key=lambda each: each[1])
        return [each for each in found if after is None or each[1] > after][:limit]

    async def count_games(self, person: int, search: GameSearch = ALL_GAMES) -> int:
        """The number of games of a person, optionally only those of a search."""
        return len(await self._games(person, search))

    async def _games(self, person: int, search: GameSearch) -> list[GameRow]:
        (found,) = await self._run(["all", "games"])
        return [row for row in map(_game, found) if _sits(row, person) and search.fits(row, person)]

    async def set_turn(self, name: str, number: int, turn: PendingTurn) -> None:
        """Sets whose turn it is in a game, unless the game has more events by now."""
        rows.text("game name", name)
        with contextlib.suppress(RefusedTransaction):
            await self._run(["change", "games", name, {"events": number}, turn.columns])

    async def open_games(self, limit: int = 50) -> list[GameRow]:
        """None: nobody else can join a game in this browser."""
        return []

    async def finished_games(self, game: str, limit: int) -> list[str]:
        """The names of the finished games of one game, the latest first."""
        rows.text("game", game)
        (found,) = await self._run(["all", "games"])
        done = [row for row in found if row["game"] == game and row["result"] is not None]
        done.sort(key=lambda row: (-row["created"], row["name"]))
        return [row["name"] for row in done[:limit]]

    async def sweep(self, before: float, invited: float | None = None) -> int:
        """Removes the games without moves and without events since `before`; returns their count."""
        (found,) = await self._run(["all", "games"])
        idle = [row["name"] for row in found if not row["played"] and max(row["created"], row["touched"]) < before]
        if idle:
            await self._run(*(["remove", "games", name] for name in idle))
        return len(idle)

    async def add_chat_message(self, name: str, message: ChatMessage, dropped: Collection[int] = ()) -> None:
        """Adds a chat message to a game, and removes those with the numbers `dropped`."""
        removals = (["remove", "chat", [name, number]] for number in dropped)
        try:
            await self._run(["change", "games", name, {}, {}], ["add", "chat", message.columns(name)], *removals)
        except RefusedTransaction as refused:
            if refused.kind == CHANGED:
                raise rows.unknown_game(name) from None
            raise rows.taken_chat_message(name, message.number) from None

    async def blank_chat_message(self, name: str, number: int) -> None:
        """Removes the name and the text of a chat message, whose number stays taken."""
        rows.text("game name", name)
        with contextlib.suppress(RefusedTransaction):
            await self._run(["change", "chat", [name, number], {}, {"name": "", "text": ""}])

    async def chat(self, name: str) -> list[ChatMessage]:
        """A game's chat."""
        rows.text("game name", name)
        (found,) = await self._run(["of", "chat", name])
        return [
            ChatMessage(row["number"], row["seat"], row["name"], row["text"], row["at"], row.get("person"))
            for row in found
        ]

    # ── the person ───────────────────────────────────────────────────────────────────────────────

    async def person(self, key_hash: bytes) -> Person | None:
        """The person of this browser, whatever the key; None before the first game."""
        (row,) = await self._run(["get", "persons", PERSON])
        return Person(PERSON, row["name"]) if row else None

    async def add_person(self, key_hash: bytes, name: str, label: str = "", at: float = 0.0) -> Person:
        """Adds the person of this browser."""
        await self.rename(PERSON, name)
        return Person(PERSON, name)

    async def rename(self, person: int, name: str) -> None:
        """Renames the person."""
        await self._run(["put", "persons", {"id": person, "name": rows.text("name", name)}])

    async def rating(self, person: int, game: str) -> float | None:
        """The person's rating in a game, or None if there is none yet."""
        rows.text("game", game)
        (row,) = await self._run(["get", "ratings", [person, game]])
        return float(row["rating"]) if row else None

    async def rate(self, person: int, game: str, rating: float) -> None:
        """Sets the person's rating in a game."""
        await self._run(["put", "ratings", rows.rating_columns(person, game, rating)])

    async def puzzle_attempts(self, person: int, limit: int) -> list[PuzzleAttempt]:
        """The person's puzzle attempts, the last one first."""
        (found,) = await self._run(["all", "attempts"])
        found.sort(key=lambda row: (-row["at"], row["puzzle"]))
        return [PuzzleAttempt(row["puzzle"], row["right"], row["at"]) for row in found[:limit]]

    async def add_puzzle_attempt(self, person: int, puzzle: str, right: bool, at: float) -> None:
        """Adds the person's attempt at a puzzle."""
        await self._run(["put", "attempts", rows.attempt_columns(person, puzzle, right, at)])


def _row(columns: Mapping[str, Any]) -> Any:
    """A row as a database gives it: its columns are attributes."""
    return SimpleNamespace(**columns)


def _game(columns: Mapping[str, Any]) -> GameRow:
    return GameRow.of(_row({"reason": None, **columns}))  # a game of an earlier release has none


def _sits(row: GameRow, person: int) -> bool:
    return any(seat.person == person for seat in row.seats)


def _cursor(row: GameRow, person: int) -> Cursor:
    """The place of a game in the list of a person's games."""
    mine = row.turn.seat is not None and row.seats[row.turn.seat].person == person
    others = any(seat.who == OPEN or seat.person not in (None, person) for seat in row.seats)
    group = 3 if row.result is not None else (0 if others else 1) if mine else 2
    due = rows.NEVER if row.turn.due is None else row.turn.due
    return Cursor(group, due, -row.touched, row.name)
