"""Chat of a room: each message is stored first, then sent to all clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.store.rows import ChatMessage, Conflict
from pentad.web.http.visible_text import visible
from pentad.web.rooms import player_view
from pentad.web.rooms.connection import Connection

if TYPE_CHECKING:
    from pentad.web.rooms.room import Room

IN_A_ROW, WITHIN = 5, 10.0  # messages of one person within so many seconds
MOST_MESSAGES, MOST_BY_WATCHERS = 500, 100  # messages in a game, and those of persons without a seat


async def post(room: Room, connection: Connection, text: str) -> None:
    """Posts a message to all clients."""
    own_seats = room.game.seats_of(connection.person)
    if connection.person is None:
        raise GameError("Enter your name before you write a message.")
    text = visible(text)
    if not text:
        raise GameError("The message has no visible characters.")
    async with room.chat_lock:
        name, now = player_view.name_of(room.game, connection), room.world.wall()
        seat = min(own_seats) if own_seats else None
        lately = sum((each.seat, each.name) == (seat, name) and abs(now - each.at) < WITHIN for each in room.chat[-50:])
        if lately >= IN_A_ROW:
            raise GameError("Too many messages. Wait a few seconds before the next one.")
        by_watchers = sum(each.seat is None for each in room.chat)
        if len(room.chat) >= MOST_MESSAGES or (not own_seats and by_watchers >= MOST_BY_WATCHERS):
            raise GameError("This chat is full.")
        message = ChatMessage(
            room.chat[-1].number + 1 if room.chat else 0,
            seat,
            name,
            text,
            now,
        )
        try:
            await room.world.store.add_chat_message(room.name, message)
        except Conflict:
            # A message was stored but never shown.
            room.subscribers.chat = await room.world.store.chat(room.name)
            raise GameError("The message was not stored. Send it again.") from None
        room.chat.append(message)
        for each in room.connections:
            each.send(room.subscribers.chat_posted(message, each, connection))
