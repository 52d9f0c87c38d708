"""Chat of a room: each message is stored first, then sent to all clients that may read it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.store.rows import ChatMessage, Conflict
from pentad.web.http.visible_text import visible
from pentad.web.rooms.state import RoomState
from pentad.web.rooms.subscribers import Connection, Subscribers

if TYPE_CHECKING:
    from pentad.store import Store

# The length of a message is checked with the message: `MAX_CHAT_LENGTH` in `pentad.web.messages`.
IN_A_ROW, WITHIN = 5, 10.0  # messages of one person within so many seconds
MOST_MESSAGES, MOST_BY_WATCHERS = 500, 100  # messages in a game, and those of persons without a seat


class Chat:
    """The chat of a room."""

    def __init__(self, store: Store, subscribers: Subscribers, wall: Callable[[], float]) -> None:
        self._store, self._subscribers, self._wall = store, subscribers, wall
        self._posting = asyncio.Lock()  # held while a message is posted

    async def post(self, connection: Connection, text: str) -> None:
        """Posts a message of a client."""
        async with self._posting:
            game, so_far = self._subscribers.game, self._subscribers.chat
            message = chat_message(game, so_far, connection.person, connection.name, text, self._wall())
            try:
                await self._store.add_chat_message(game.row.name, message)
            except Conflict:
                # A message was stored but never shown.
                self._subscribers.chat = await self._store.chat(game.row.name)
                raise GameError("The message was not stored. Send it again.") from None
            self._subscribers.post(message, connection)


def name_of(game: RoomState, person: int | None, name: str) -> str:
    """The name of a person here; `name` is the person's own."""
    own_seats = game.seats_of(person)
    return (game.seats[min(own_seats)].name if own_seats else "") or name or "Guest"


def chat_message(
    game: RoomState, chat: Sequence[ChatMessage], person: int | None, name: str, text: str, now: float
) -> ChatMessage:
    """The next message of a chat, by a person; `GameError` if the person cannot post it now."""
    if person is None:
        raise GameError("Enter your name before you write a message.")
    text = visible(text)
    if not text:
        raise GameError("The message has no visible characters.")
    own_seats, name = game.seats_of(person), name_of(game, person, name)
    seat = min(own_seats) if own_seats else None
    lately = sum((each.seat, each.name) == (seat, name) and abs(now - each.at) < WITHIN for each in chat[-50:])
    if lately >= IN_A_ROW:
        raise GameError("Too many messages. Wait a few seconds before the next one.")
    by_watchers = sum(each.seat is None for each in chat)
    if len(chat) >= MOST_MESSAGES or (not own_seats and by_watchers >= MOST_BY_WATCHERS):
        raise GameError("This chat is full.")
    return ChatMessage(chat[-1].number + 1 if chat else 0, seat, name, text, now)
