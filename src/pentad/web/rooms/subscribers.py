"""Subscribers of a game, and their connections: each gets the whole state on joining, and then the changes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from pentad import drawing
from pentad.game import Choices, Move
from pentad.store.rows import ChatMessage
from pentad.system.metrics import Histogram
from pentad.web import view
from pentad.web.http.client_address import DIRECT, Address
from pentad.web.messages import (
    AroundMessage,
    ChatPosted,
    ChatRemoved,
    ErrorMessage,
    EventName,
    Outgoing,
    PlayedMessage,
    PremoveAnswer,
    StateMessage,
    TurnMessage,
)
from pentad.web.rooms import player_view, premoves
from pentad.web.rooms.state import RoomState

SHOWN = Histogram(
    "pentad_move_shown_seconds", "Seconds from the arrival of a person's move until it was sent to another person."
)
BACKLOG = 64  # messages that may wait for a slow client
CROWD, NEWS_EVERY = 20, 1.0  # up to this many clients get each arrival at once, more of them at intervals in seconds

_Reader: TypeAlias = tuple[frozenset[int], bool]
_Sent: TypeAlias = Callable[[], object] | None  # called when a message has been sent


class Connection:
    """A connection to a room; `person` is None for a viewer without a cookie, `flip` is the side of the board."""

    def __init__(
        self,
        person: int | None = None,
        name: str = "",
        *,
        flip: bool = False,
        address: Address = DIRECT,
        hidden: frozenset[int] = frozenset(),
    ) -> None:
        """`hidden` are the persons whose chat messages the client does not see."""
        self.hidden = hidden
        self.person, self.name, self.flip, self.address = person, name, flip, address
        self.shown: int | None = None  # the state that was sent last; None if the next one must be sent whole
        self.request: asyncio.Task[None] | None = None  # the hint or the warning that is in progress
        self._waiting: deque[tuple[str, _Sent]] = deque()
        self._sent: _Sent = None  # of the message that was taken last
        self._most = BACKLOG
        self._behind = False
        self.ends = False  # whether its last message is queued, and nothing from it counts any more
        self._news = asyncio.Event()

    def send(self, message: Outgoing | str, sent: _Sent = None) -> None:
        """Queues a message, or the text of one, and calls `sent` when it has been sent.

        A client that is too slow gets the whole state once it reads again.
        """
        if len(self._waiting) >= self._most:
            self._waiting.clear()
            self._behind = True
        if not self._behind:
            self._waiting.append((_text(message), sent))
        self._news.set()

    def send_all(self, messages: Iterable[Outgoing]) -> None:
        """Queues the first messages of a new client, however many."""
        self._waiting.extend((_text(each), None) for each in messages)
        self._most = BACKLOG + len(self._waiting)
        self._news.set()

    def end(self, why: str) -> None:
        """Queues the reason as the last message."""
        self._waiting.clear()
        self._behind = False
        self.send(ErrorMessage(error=why))
        self.ends = True

    @property
    def is_over(self) -> bool:
        """Whether the last message was taken."""
        return self.ends and not self._waiting

    async def next(self, catch_up: Callable[[], None]) -> str:
        """The next message, when the one before has been sent.

        `catch_up` queues the state for a client that has missed messages.
        """
        if self._sent:
            self._sent()
            self._sent = None
        await self._news.wait()
        if self._behind:
            self._behind = False
            catch_up()
        message, self._sent = self._waiting.popleft()
        if not self._waiting:
            self._news.clear()
        return message

    def finish_request(self) -> None:
        """Forgets the request that ends, unless another one has replaced it."""
        if self.request is asyncio.current_task():
            self.request = None

    def cancel_request(self) -> None:
        """Cancels the request, if there is one."""
        if self.request:
            self.request.cancel()
            self.request = None


def _text(message: Outgoing | str) -> str:
    return message if isinstance(message, str) else message.written


@dataclass(slots=True)
class _Picture:
    """The drawing of a state from one side, and the changes from the one before."""

    at: int
    svg: str
    changes: list[tuple[int, str]] | None


class Subscribers:
    """The clients that watch a game.

    `trouble` is why it cannot go on; `line` is the queue place of the bot to move.
    """

    def __init__(self, game: RoomState, chat: list[ChatMessage], clock: Callable[[], float]) -> None:
        self.game, self.chat, self._clock = game, chat, clock
        self.connections: set[Connection] = set()
        self.trouble: str | None = None
        self.line = 0
        self._pictures: dict[bool, _Picture] = {}
        self._whole: tuple[RoomState, dict[str, Any]] | None = None  # what all new clients get, and of which state
        self._news: asyncio.TimerHandle | None = None

    def join(self, connection: Connection) -> None:
        """Adds a client and informs the others."""
        self.connections.add(connection)
        self.catch_up(connection)
        self._presence_changed(but=connection)

    def leave(self, connection: Connection) -> None:
        """Removes a client."""
        self.connections.discard(connection)
        connection.cancel_request()
        self._presence_changed()

    def _presence_changed(self, but: Connection | None = None) -> None:
        """Informs the others, at once or in a crowd at intervals."""
        if len(self.connections) <= CROWD:
            self.send_presence(but)
        elif self._news is None:
            self._news = asyncio.get_running_loop().call_later(NEWS_EVERY, self._send_news)

    def close(self) -> None:
        """Ends all updates."""
        if self._news:
            self._news.cancel()
            self._news = None

    def _send_news(self) -> None:
        self._news = None
        self.send_presence()

    def forget_pictures(self) -> None:
        """Forgets the drawings, which no longer match what clients have."""
        self._pictures.clear()

    def send_presence(self, but: Connection | None = None, only: Connection | None = None) -> None:
        """Sends presence and offers to all clients, to all but one, or only to one."""
        written: dict[_Reader, str] = {}
        presence = self._presence()
        for connection in (only,) if only else self.connections:
            if connection is not but:
                reader = self._reader(connection)
                if reader not in written:
                    around = player_view.around(self.game, connection.person, presence, self.line)
                    written[reader] = AroundMessage(**around).written
                connection.send(written[reader])

    def _reader(self, connection: Connection) -> _Reader:
        """The key of equal messages: the client's seats, and whether it is a known person."""
        return self.game.seats_of(connection.person), connection.person is None

    def _presence(self) -> player_view.Presence:
        return player_view.Presence.of(self.game, [each.person for each in self.connections])

    def catch_up(self, connection: Connection) -> None:
        """Sends the state and the chat to a new client, or to one that has missed messages."""
        readable = [each for each in self.chat if self._may_read(each, connection)]
        connection.send_all([self.state(connection), *(self.chat_posted(each, connection) for each in readable)])

    def _may_read(self, message: ChatMessage, reader: Connection) -> bool:
        """Whether a client may read a chat message: players read those of watchers when the game is over."""
        if not message.text:  # a player or an operator has removed it
            return False
        if reader.hidden and self.author(message) in reader.hidden:
            return False
        is_player = bool(self.game.seats_of(reader.person))
        return message.seat is not None or not is_player or self.game.outcome is not None

    def author(self, message: ChatMessage) -> int | None:
        """The person who wrote a message; one from before authors were stored has that of its seat."""
        if message.person is None and message.seat is not None:
            return self.game.seats[message.seat].person
        return message.person

    def hide(self, person: int, hidden: frozenset[int]) -> None:
        """Takes the messages of people whom a person has muted from that person's pages."""
        for each in self.connections:
            if each.person == person:
                read = [message for message in self.chat if self._may_read(message, each)]
                each.hidden = hidden
                for message in read:
                    if not self._may_read(message, each):
                        each.send(ChatRemoved(number=message.number))

    def show_watchers_chat(self) -> None:
        """Sends the players what watchers have written, after the end of the game."""
        for message in self.chat:
            for each in self.connections:
                if message.seat is None and self._may_read(message, each) and self.game.seats_of(each.person):
                    each.send(self.chat_posted(message, each))

    def state(
        self, connection: Connection, event: EventName = "now", presence: player_view.Presence | None = None
    ) -> StateMessage:
        """The state, as this client may see it."""
        connection.shown = self.game.at
        picture = self._picture(connection.flip)
        return StateMessage(
            **self._view(connection, event, presence),
            **self._of_all_clients(),
            svg=picture.svg,
            flip=connection.flip,
        )

    def _of_all_clients(self) -> dict[str, Any]:
        """The fields of a whole state that all clients get alike; they are kept until the next event is shown."""
        game, known = self.game, self._whole
        if known is None or known[0].end is not game.end or known[0].row is not game.row:
            known = self._whole = game, player_view.whole(game)
        return known[1]

    def _view(self, connection: Connection, event: EventName, presence: player_view.Presence | None) -> dict[str, Any]:
        person = connection.person
        return {
            **player_view.around(self.game, person, presence or self._presence(), self.line),
            **player_view.view_of(self.game, person, event, self._clock()),
            "trouble": self.trouble,
        }

    def _picture(self, flip: bool) -> _Picture:
        """The drawing of the current state from one side, made once for all clients."""
        known = self._pictures.get(flip)
        if known is None or known.at != self.game.at:
            svg = self.game.position.svg(last=self.game.end.move, flip=flip, style=False)
            follows = known is not None and known.at == self.game.at - 1
            changes = drawing.changes(known.svg, svg) if known and follows else None
            known = self._pictures[flip] = _Picture(self.game.at, svg, changes)
        return known

    def show(self, event: EventName, arrived: float | None = None) -> None:
        """Shows an event to all clients; one that has the state before gets only the changes.

        `arrived` is when a person's move arrived: the time until other persons get it is measured.
        """
        written: dict[tuple[_Reader, bool, bool], str] = {}
        presence = self._presence()
        mover = None if arrived is None else self.game.end.played[0].turn
        self._whole = None
        for connection in self.connections:
            connection.cancel_request()
            picture = self._picture(connection.flip)
            small = event == "played" and connection.shown == self.game.at - 1 and picture.changes is not None
            connection.shown = self.game.at
            who = (self._reader(connection), connection.flip, small)
            if who not in written:
                if small:
                    seen = self._view(connection, "played", presence)
                    move = view.move(self.game.end)
                    written[who] = PlayedMessage(**seen, changes=picture.changes or [], move=move).written
                else:
                    written[who] = self.state(connection, event, presence).written
            is_mover = mover is not None and mover in self.game.seats_of(connection.person)
            connection.send(written[who], None if arrived is None or is_mover else partial(self._note_shown, arrived))

    def _note_shown(self, arrived: float) -> None:
        SHOWN.observe(self._clock() - arrived)

    def turn(self, connection: Connection, steps: str, begun: Move, choices: Choices) -> TurnMessage:
        """The board in the middle of this client's turn, which has begun with `steps`; after it without choices."""
        position = self.game.position
        here = position.partial(begun) if begun and choices else position.play(begun) if begun else position
        svg = here.svg(last=begun or None, flip=connection.flip, style=False)
        changes = drawing.changes(self._picture(connection.flip).svg, svg)
        return TurnMessage(
            at=self.game.at,
            steps=steps,
            changes=changes,
            svg=svg if changes is None else None,
            prompt=choices.prompt if choices else position.describe(begun),
            may_end=choices.may_end,
            whole=not choices,
            choices=view.written(choices),
        )

    def premove(self, connection: Connection, own_seats: frozenset[int], targets: Sequence[str]) -> PremoveAnswer:
        """The turn that this client enters before it comes."""
        found = premoves.read(self.game.position, own_seats, targets)
        if found is None:  # the game may be over by then
            return PremoveAnswer(
                at=self.game.at, targets=tuple(targets), used=0, steps="", lines=[], prompt="", whole=False
            )
        before, steps, used, choices = found
        lines: list[tuple[int, str]] = []
        if choices and steps:
            drawn = before.partial(steps).svg(flip=connection.flip, style=False)
            lines = premoves.more_targets(self._picture(connection.flip).svg, drawn, choices)
        return PremoveAnswer(
            at=self.game.at,
            targets=tuple(targets),
            used=used,
            steps=str(steps),
            lines=lines,
            prompt=choices.prompt if choices else before.describe(steps),
            whole=found.is_whole,
        )

    def post(self, message: ChatMessage, speaker: Connection) -> None:
        """Adds a chat message and sends it to all clients that may read it."""
        self.chat.append(message)
        for each in self.connections:
            if self._may_read(message, each):
                each.send(self.chat_posted(message, each, speaker))

    def remove(self, index: int) -> None:
        """Removes the name and the text of a chat message, and from the clients that had it."""
        message = self.chat[index]
        readers = [each for each in self.connections if self._may_read(message, each)]
        self.chat[index] = replace(message, name="", text="")
        for each in readers:
            each.send(ChatRemoved(number=message.number))

    def chat_posted(self, message: ChatMessage, reader: Connection, speaker: Connection | None = None) -> ChatPosted:
        """A chat message, as a client gets it."""
        mine = reader is speaker or (message.seat is not None and message.seat in self.game.seats_of(reader.person))
        return ChatPosted(number=message.number, seat=message.seat, name=message.name, text=message.text, mine=mine)
