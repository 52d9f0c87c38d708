"""What is said in a room: kept first, then heard by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.store.rows import ChatMessage, Conflict
from pentad.web import player_view
from pentad.web.connection import Connection
from pentad.web.visible_text import seen

if TYPE_CHECKING:
    from pentad.web.room import Room

IN_A_ROW, WITHIN = 5, 10.0  # sayings of one person, and the seconds in which there may be so many
MOST_MESSAGES, MOST_BY_WATCHERS = 500, 100  # sayings that a game keeps, and how many of those who only watch


async def post(room: Room, connection: Connection, text: str) -> None:
    """Let somebody say something to everybody here."""
    mine = room.game.seats_of(connection.person)
    if connection.person is None:
        raise GameError("only those who have told their name can say something")
    text = seen(text)
    if not text:
        raise GameError("there is nothing in it that can be seen")
    async with room.chat_lock:
        name, now = player_view.name_of(room.game, connection), room.world.wall()
        seat = min(mine) if mine else None
        lately = sum((each.seat, each.name) == (seat, name) and abs(now - each.at) < WITHIN for each in room.chat[-50:])
        if lately >= IN_A_ROW:
            raise GameError("that is a lot at once; wait a little before you say more")
        by_watchers = sum(each.seat is None for each in room.chat)
        if len(room.chat) >= MOST_MESSAGES or (not mine and by_watchers >= MOST_BY_WATCHERS):
            raise GameError("enough has been said here")
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
            # Something was kept that nobody could be told of.
            room.subscribers.chat = await room.world.store.chat(room.name)
            raise GameError("that could not be kept; say it again") from None
        room.chat.append(message)
        for each in room.connections:
            each.send(room.subscribers.chat_posted(message, each, connection))
