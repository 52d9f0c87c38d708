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
MOST_SAID, MOST_BY_WATCHERS = 500, 100  # sayings that a game keeps, and how many of those who only watch


async def say(room: Room, connection: Connection, text: str) -> None:
    """Let somebody say something to everybody here."""
    mine = room.game.seats_of(connection.person)
    if connection.person is None:
        raise GameError("only those who have told their name can say something")
    text = seen(text)
    if not text:
        raise GameError("there is nothing in it that can be seen")
    async with room.talking:
        name, now = player_view.name_of(room.game, connection), room.world.wall()
        seat = min(mine) if mine else None
        lately = sum((said.seat, said.name) == (seat, name) and abs(now - said.at) < WITHIN for said in room.said[-50:])
        if lately >= IN_A_ROW:
            raise GameError("that is a lot at once; wait a little before you say more")
        by_watchers = sum(said.seat is None for said in room.said)
        if len(room.said) >= MOST_SAID or (not mine and by_watchers >= MOST_BY_WATCHERS):
            raise GameError("enough has been said here")
        said = ChatMessage(
            room.said[-1].number + 1 if room.said else 0,
            seat,
            name,
            text,
            now,
        )
        try:
            await room.world.store.add_chat_message(room.name, said)
        except Conflict:
            # Something was kept that nobody could be told of.
            room.audience.said = await room.world.store.chat(room.name)
            raise GameError("that could not be kept; say it again") from None
        room.said.append(said)
        for each in room.connections:
            each.send(room.audience.saying(said, each, connection))
