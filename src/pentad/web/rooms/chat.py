"""Chat of a room: each message is stored first, then sent to all clients that may read it.

Players and watchers each have room of their own, where a new message takes the place of the oldest one. So nobody can
fill the chat for others. Watchers write slowly, and players can remove what they have written.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.store.rows import ChatMessage, Conflict
from pentad.system.words import count
from pentad.web.http.client_address import networks
from pentad.web.http.look_alikes import skeletons
from pentad.web.http.ratelimit import Rate, RateLimiter
from pentad.web.http.visible_text import visible
from pentad.web.rooms.actions import ONLY_PLAYERS, check_name
from pentad.web.rooms.state import RoomState
from pentad.web.rooms.subscribers import Connection, Subscribers

if TYPE_CHECKING:
    from pentad.store import Store

# The length of a message is checked with the message: `MAX_CHAT_LENGTH` in `pentad.web.messages`.
IN_A_ROW, WITHIN = 5, 10.0  # messages of one player within so many seconds
PACE_OF_WATCHERS = Rate(1, 10.0)  # for one person, in all rooms; an address may have some more
TIMES_OF_ADDRESS = 3
MOST_BY_PLAYERS, MOST_BY_WATCHERS = 400, 100  # messages that are kept in a game
OFF = "The players have turned off the chat for watchers."


class Chat:
    """The chat of a room; `pace` is that of the watchers of all rooms."""

    def __init__(
        self,
        store: Store,
        subscribers: Subscribers,
        wall: Callable[[], float],
        pace: RateLimiter,
        muted: Callable[[int], str],
    ) -> None:
        """`muted` is why a person may not write, or empty."""
        self._store, self._subscribers, self._wall = store, subscribers, wall
        self._pace, self._muted = pace, muted
        self._posting = asyncio.Lock()  # held while a message is posted
        self._writers: OrderedDict[str, int | None] = (
            OrderedDict()
        )  # the latest watchers who wrote, by how their names look

    async def post(self, connection: Connection, text: str) -> None:
        """Posts a message of a client."""
        if connection.person is not None and (why := self._muted(connection.person)):
            raise GameError(why)
        async with self._posting:
            game, so_far = self._subscribers.game, self._subscribers.chat
            message = chat_message(game, so_far, connection.person, connection.name, text, self._wall())
            if message.seat is None:
                self._check_watcher(connection, message.name)
            dropped = surplus(so_far, message)
            try:
                await self._store.add_chat_message(game.row.name, message, dropped)
            except Conflict:
                # A message was stored but never shown.
                self._subscribers.chat = await self._store.chat(game.row.name)
                raise GameError("The message was not stored. Send it again.") from None
            self._subscribers.chat[:] = [each for each in so_far if each.number not in dropped]
            self._subscribers.post(message, connection)

    def _check_watcher(self, connection: Connection, name: str) -> None:
        """Raises if a watcher cannot write now, or looks like somebody else here."""
        game, person = self._subscribers.game, connection.person
        if not game.watchers_may_write:
            raise GameError(OFF)
        check_name(game, person, name)
        looks = skeletons(name) if connection.name else frozenset()
        if any(self._writers.get(look, person) != person for look in looks):
            raise GameError("Another watcher is called {name}. Choose a name that looks different.", name=name)
        wide = {network: times * TIMES_OF_ADDRESS for network, times in networks(connection.address).items()}
        if wait := self._pace.take({f"person {person}": 1, **wide}):
            seconds = math.ceil(wait)
            raise GameError(
                "Watchers write slowly here. Wait {time} before your next message.", time=count(seconds, "second")
            )
        for look in looks:
            self._writers[look] = person
            self._writers.move_to_end(look)
        while len(self._writers) > 2 * MOST_BY_WATCHERS:
            self._writers.popitem(last=False)

    async def remove(self, connection: Connection, number: int) -> None:
        """Removes a watcher's message for a player."""
        async with self._posting:
            game, chat = self._subscribers.game, self._subscribers.chat
            if not game.seats_of(connection.person):
                raise GameError(ONLY_PLAYERS)
            found = next((i for i, each in enumerate(chat) if each.number == number and each.text), None)
            if found is None:
                raise GameError("This message is not there any more.")
            if chat[found].seat is not None:
                raise GameError("Only messages of watchers can be removed.")
            await self._store.blank_chat_message(game.row.name, number)
            self._subscribers.remove(found)

    async def forget(self, number: int) -> None:
        """Removes a message for all clients, which an operator has removed from the store."""
        async with self._posting:
            numbers = [each.number for each in self._subscribers.chat]
            if number in numbers:
                self._subscribers.remove(numbers.index(number))

    async def reload(self) -> None:
        """Reads the messages again, whose names have changed."""
        async with self._posting:
            self._subscribers.chat = await self._store.chat(self._subscribers.game.row.name)


def name_of(game: RoomState, person: int | None, name: str) -> str:
    """The name of a person here; `name` is the person's own."""
    own_seats = game.seats_of(person)
    return (game.seats[min(own_seats)].name if own_seats else "") or name or "Guest"


def chat_message(
    game: RoomState, chat: Sequence[ChatMessage], person: int | None, name: str, text: str, now: float
) -> ChatMessage:
    """The next message of a chat, by a person; `GameError` if it is invalid, or the player has to wait."""
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
    return ChatMessage(chat[-1].number + 1 if chat else 0, seat, name, text, now, person)


def surplus(chat: Sequence[ChatMessage], message: ChatMessage) -> frozenset[int]:
    """The numbers of the oldest messages, which go for this one: of watchers for a watcher's, else of players."""
    is_by_watcher = message.seat is None
    alike = [each.number for each in chat if (each.seat is None) == is_by_watcher]
    most = MOST_BY_WATCHERS if is_by_watcher else MOST_BY_PLAYERS
    return frozenset(alike[: max(0, len(alike) + 1 - most)])
