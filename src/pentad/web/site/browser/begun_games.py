"""Games that a page has begun before Python was there: what happened in them is told as the messages of a client."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from pentad.game import GameError, Move
from pentad.store.rows import GameRow, Person
from pentad.web.api_types import CreatedRoom, NewRoom
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.exchange import Caller
from pentad.web.messages import DrawMessage, RedoMessage, ResignMessage, StepMessage, UndoMessage
from pentad.web.rooms.actions import MOST_EVENTS, Play, Request, decide
from pentad.web.rooms.registry import Rooms, read_game
from pentad.web.rooms.room import Room
from pentad.web.rooms.state import RoomState, begun, evolve, stamped
from pentad.web.service.router import POST, Posted, Route
from pentad.web.typed_json import Length

Recorded: TypeAlias = StepMessage | UndoMessage | RedoMessage | ResignMessage | DrawMessage


@dataclass(frozen=True, kw_only=True)
class BegunGame:
    """A game of a page: the name and the request of its room, and what happened, in this order.

    A step is a whole turn, of a bot too.
    """

    room: str
    request: NewRoom
    record: Annotated[tuple[Recorded, ...], Length(MOST_EVENTS)] = ()


async def adopt(backend: Backend, caller: Caller, request: Posted[BegunGame]) -> CreatedRoom:
    """Takes a game over. A part of it that is stored already stays as it is."""
    body = request.body
    person = await identity.known_or_new(backend.store, caller, body.request.name)
    room = await _room(backend.rooms, body, person)
    async with room.changing:
        await _replay(room, body.record, person)
    return CreatedRoom(room=room.name, page=f"/play/{room.name}")


async def _room(rooms: Rooms, game: BegunGame, person: Person) -> Room:
    """The room of the game, which is made unless it is stored."""
    if room := await rooms.get(game.room):
        return room
    row = await rooms.draft(read_game(game.request), person)
    return await rooms.enter_new(replace(row, name=game.room), person)


async def _replay(room: Room, record: Sequence[Recorded], person: Person) -> None:
    """Adds what the game lacks; nothing if it has gone on otherwise, in another page."""
    stored = room.game.at
    if _moves(_after(room.game.row, record[:stored], person)) != _moves(room.game):
        return
    for message in record[stored:]:
        request, seats = _told(room.game, message, person)
        await room.commit(request, seats)


def _after(row: GameRow, record: Iterable[Recorded], person: Person) -> RoomState:
    """The game after what happened in it."""
    state = begun(row)
    for message in record:
        request, seats = _told(state, message, person)
        state = evolve(state, stamped(state, decide(state, seats, request, 0.0), 0.0, 0.0), 0.0)
    return state


def _moves(game: RoomState) -> list[Move | None]:
    return [node.move for node in game.line]


def _told(game: RoomState, message: Recorded, person: Person) -> tuple[Request, frozenset[int]]:
    """A message as a request, with the seats that make it."""
    if not isinstance(message, StepMessage):
        return message, game.seats_of(person.id)
    if game.seat is None:
        raise GameError("The game is over.")
    return Play(game.position.parse(message.steps)), frozenset((game.seat,))


ROUTES = (Route(POST, "/api/begun", adopt),)
