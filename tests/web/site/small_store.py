"""A store in memory, with the methods that routes and rooms call."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from pentad.game import GameError, Position
from pentad.jobs.fair_queue import QueueError
from pentad.store.game_search import GameSearch
from pentad.store.rows import (
    ChatMessage,
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
from pentad.web.rooms.registry import TooManyOpen, TooManyRooms

ALL_GAMES = GameSearch()
NOW = 1_800_000_000.0
FAULTS = {  # the keys are names of rooms
    "aaaaaaaaaa": StoreError("The disk is full."),
    "bbbbbbbbbb": TooManyRooms("No room is free."),
    "cccccccccc": TooManyOpen("You have 40 open games."),
    "dddddddddd": QueueError("The server is busy."),
    "eeeeeeeeee": GameError("The game is damaged."),
    "ffffffffff": Conflict("The row exists."),
    "gggggggggg": ZeroDivisionError("division by zero"),
}


class SmallStore:
    def __init__(self) -> None:
        self.people: dict[bytes, Person] = {}
        self.games: dict[str, GameRow] = {}
        self.events: dict[str, list[EventRow]] = {}
        self.chats: dict[str, list[ChatMessage]] = {}
        self.tried: list[tuple[int, PuzzleAttempt]] = []

    async def person(self, key_hash: bytes) -> Person | None:
        return self.people.get(key_hash)

    async def add_person(self, key_hash: bytes, name: str, label: str = "", at: float = 0.0) -> Person:
        person = self.people[key_hash] = Person(len(self.people) + 1, name)
        return person

    async def rename(self, person: int, name: str) -> None:
        key = next(key for key, each in self.people.items() if each.id == person)
        self.people[key] = Person(person, name)

    async def add_game(self, row: GameRow) -> None:
        self.games[row.name], self.events[row.name], self.chats[row.name] = row, [], []

    async def game(self, name: str) -> tuple[GameRow, list[EventRow]] | None:
        if name in FAULTS:
            raise FAULTS[name]
        return (self.games[name], self.events[name]) if name in self.games else None

    async def add_event(
        self,
        name: str,
        event: EventRow,
        *,
        seats: tuple[SeatRow, ...] | None = None,
        moves: int | None = None,
        result: str | None = None,
        reason: str | None = None,
        turn: PendingTurn | None = None,
    ) -> None:
        changes: dict[str, Any] = {"touched": event.at}
        if seats is not None:
            changes["seats"] = seats
        if moves is not None:
            changes |= {"moves": moves, "result": result, "reason": reason}
        if turn is not None:
            changes["turn"] = turn
        self.events[name].append(event)
        self.games[name] = replace(self.games[name], **changes)

    async def games_of(
        self, person: int, limit: int, after: Cursor | None = None, search: GameSearch = ALL_GAMES
    ) -> list[tuple[GameRow, Cursor]]:
        found = [
            (row, Cursor(0, 0.0, float(-number), row.name))
            for number, row in enumerate(self.games.values())
            if any(seat.person == person for seat in row.seats) and search.fits(row, person)
        ]
        return [each for each in found if after is None or each[1] > after][:limit]

    async def count_games(self, person: int, search: GameSearch = ALL_GAMES) -> int:
        return len(await self.games_of(person, len(self.games), search=search))

    async def set_turn(self, name: str, number: int, turn: PendingTurn) -> None:
        self.games[name] = replace(self.games[name], turn=turn)

    async def open_games(self, limit: int) -> list[GameRow]:
        found = [row for row in self.games.values() if row.listed and any(seat.who == "open" for seat in row.seats)]
        return found[:limit]

    async def finished_games(self, game: str, limit: int) -> list[str]:
        done = [row for row in self.games.values() if row.game == game and row.result is not None]
        return [row.name for row in sorted(done, key=lambda row: -row.created)][:limit]

    async def sweep(self, before: float, invited: float | None = None) -> int:
        return 0

    async def add_chat_message(self, name: str, message: ChatMessage, dropped: Collection[int] = ()) -> None:
        self.chats[name] = [each for each in (*self.chats[name], message) if each.number not in dropped]

    async def chat(self, name: str) -> list[ChatMessage]:
        return list(self.chats[name])

    async def rating(self, person: int, game: str) -> float | None:
        return None

    async def rate(self, person: int, game: str, rating: float) -> None: ...

    async def puzzle_attempts(self, person: int, limit: int) -> list[PuzzleAttempt]:
        return [each for who, each in self.tried if who == person][:limit]

    async def add_puzzle_attempt(self, person: int, puzzle: str, right: bool, at: float) -> None:
        self.tried.append((person, PuzzleAttempt(puzzle, right, at)))


class FirstMoves:
    """Engines that know only the first legal move, at once."""

    def state(self) -> dict[str, Any]:
        return {"ready": True, "compiling": None, "share": None, "waiting": 0, "running": 0}

    async def move(self, position: Position, who: str, **more: Any) -> str:
        return first_move(position)

    async def hint(self, position: Position, **more: Any) -> tuple[str, str]:
        return first_move(position), "wins in 3 moves"

    async def check(self, position: Position, move: str, **more: Any) -> dict[str, Any]:
        return {"loses": True, "words": "It loses."}

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


def first_move(position: Position) -> str:
    """The first legal move."""
    words: list[str] = []
    while choices := position.choices(" ".join(words)):
        words.append(str(next(iter(choices))))
    return " ".join(words)
