"""Playing over HTTP: what can be played, new rooms, open seats, one's own games; and each room's WebSocket."""

from __future__ import annotations

import asyncio
import logging
import math
from functools import cache
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response, WebSocket, WebSocketDisconnect

from pentad import __version__
from pentad.game import GameError, Option, game, games, load
from pentad.play.clock import Time
from pentad.play.seats import HUMAN
from pentad.record.formats import format_of, write
from pentad.search.bot import default_opponent, own_bots
from pentad.store import rows as bounds
from pentad.store.rows import Cursor, GameRow, Person
from pentad.web import identity, request_parsing
from pentad.web.api import (
    OPEN,
    BotInfo,
    Catalogue,
    GameInfo,
    Health,
    Listed,
    Me,
    NewRoom,
    OptionInfo,
    Refusal,
    RoomMade,
    Sitting,
)
from pentad.web.client_address import Address, address_of
from pentad.web.connection import Connection
from pentad.web.lan import picture
from pentad.web.messages import ErrorMessage, StateMessage
from pentad.web.room import Room
from pentad.web.rooms import TooManyRooms, check, preview
from pentad.web.services import Client, Services

LOOPBACK = ("localhost", "127.0.0.1", "::1")  # names by which nobody else finds this machine

log = logging.getLogger(__name__)

GONE = 4404  # the code with which the socket of a room that does not exist is closed
BUG = 1011
LISTED = 50  # games in a list, or on a page of one
NOBODY = Person(0, "")  # who is not known yet

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": text}
    for status, text in (
        (404, "there is no such game here"),
        (409, "it comes too late: somebody was first"),
        (503, "every room is in use"),
    )
}


def router(services: Services) -> APIRouter:
    """The routes of the pages on which one plays."""
    router = APIRouter(responses=REFUSALS)
    store, rooms = services.store, services.rooms
    unreadable: set[str] = set()  # games whose turn could not be found out

    async def found(name: str, client: Address) -> Room:
        room = await rooms.get(name, client)
        if room is None:
            raise HTTPException(404, "this game is not kept here")
        return room

    @router.get("/api/games")
    async def catalogue() -> Catalogue:
        """What can be played here, with which options and against whom."""
        return whole_catalogue()

    @router.get("/api/health")
    async def health() -> Health:
        """Whether bots can think yet, and how many wait for one."""
        return Health(**services.engines.state(), version=__version__, others=services.others)

    @router.get("/api/me")
    async def me(request: Request) -> Me:
        """What whoever asks is called; nothing where they have not said so."""
        person = await identity.known(store, request)
        return Me(name=person.name if person else "")

    @router.put("/api/me")
    async def call_me(wish: Me, request: Request, response: Response) -> Me:
        """Be called something else from the next game on."""
        person = await identity.known_or_new(store, request, response, wish.name)
        return Me(name=person.name)

    @router.get("/api/mine")
    async def mine(request: Request, after: str = "") -> list[Listed]:
        """A page of one's own games: those first that wait for oneself, the most urgent first."""
        person = await identity.known(store, request)
        if person is None:
            return []
        await find_turns(person)
        found = await store.games_of(person.id, LISTED + 1, _cursor(after) if after else None)
        now = rooms.world.wall()
        page = [_listed(row, person, now) for row, _ in found[:LISTED]]
        if len(found) > LISTED:
            page[-1] = page[-1].model_copy(update={"cursor": _written(found[LISTED - 1][1])})
        return page

    async def find_turns(person: Person) -> None:
        """Find out whose turn it is in games that an earlier version kept, which did not say so."""
        for name in await store.without_turn(person.id, LISTED):
            found = None if name in unreadable else await store.game(name)
            if found is None:
                continue
            try:
                game = await rooms.world.restored(*found)
            except GameError as failed:
                log.warning("game %s cannot be read: %s", name, failed)
                unreadable.add(name)
                continue
            now, wall = rooms.world.clock(), rooms.world.wall()
            game.resume_after_restart(now, wall)
            await store.set_turn(name, game.number, game.turn(now, wall))

    @router.get("/api/lobby")
    async def lobby(request: Request) -> list[Listed]:
        """Games that wait for somebody, whoever it is."""
        person = await identity.known(store, request)
        now = rooms.world.wall()
        return [_listed(row, person, now) for row in await store.open_games(LISTED)]

    @router.post("/api/preview", responses={200: {"model": StateMessage}})
    async def show_preview(wish: NewRoom, request: Request, client: Client, flip: bool = False) -> Response:
        """What a room for this game would show to whoever asks, before it is made."""
        person = await identity.known(store, request) or NOBODY
        draft = await rooms.draft(wish, person)
        state = await services.background(client, lambda: preview(draft, person, rooms.world.clock, flip=flip).written)
        return Response(state, media_type="application/json")

    @router.post("/api/rooms", status_code=201)
    async def make_room(wish: NewRoom, request: Request, response: Response, client: Client) -> RoomMade:
        """A room for a new game. Whoever asks is known by a cookie from then on."""
        check(wish)  # before anybody is written down for it
        person = await identity.known_or_new(store, request, response, wish.name)
        return _made((await rooms.make(wish, person, client)).name)

    @router.post("/api/rooms/{name}/seats")
    async def sit_down(name: str, wish: Sitting, request: Request, response: Response, client: Client) -> RoomMade:
        """Take an open seat."""
        room = await found(name, client)
        room.free_seat(wish.seat)
        person = await identity.known_or_new(store, request, response, wish.name)
        await room.sit(person.id, person.name, wish.seat)
        return _made(name)

    @router.post("/api/rooms/{name}/again")
    async def play_again(name: str, request: Request, client: Client) -> RoomMade:
        """The game that follows this one, with the same players, each a seat further."""
        room = await found(name, client)
        person = await identity.known(store, request)
        if person is None or not room.game.seats_of(person.id):
            raise GameError("only those who played can play it again")
        return _made(await rooms.again(room, person, client))

    @router.get("/api/rooms/{name}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    async def record(name: str, client: Client, format: str = "pentad") -> Response:
        """A game as a file, in one of its formats."""
        game = (await found(name, client)).game  # kept here: its record is part of it, and the room may take another
        kind = format_of(f"{name}.{format}", format)
        text = await services.background(client, lambda: write([game.record], kind))
        headers = {"Content-Disposition": f'attachment; filename="{name}{kind.suffixes[0]}"'}
        return Response(text, media_type="text/plain", headers=headers)

    @router.get(
        "/api/rooms/{name}/code.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}}
    )
    async def picture_of_link(name: str, request: Request, client: Client) -> Response:
        """The link to a game as a code that a camera reads."""
        await found(name, client)
        own = f"{request.url.scheme}://{request.url.netloc}"
        base = services.others if services.others and request.url.hostname in LOOPBACK else own
        return Response(await services.background(client, picture, f"{base}/play/{name}"), media_type="image/svg+xml")

    @router.websocket("/api/rooms/{name}")
    async def look(socket: WebSocket, name: str, flip: bool = False) -> None:
        await socket.accept()
        try:
            room = await rooms.get(name, address_of(socket))
            person = await identity.known(store, socket)
        except (GameError, TooManyRooms) as failed:
            await _refuse(socket, str(failed), 1013)
            return
        if room is None:
            await _refuse(socket, "this game is not kept here", GONE)
            return
        who = (person.id, person.name) if person else (None, "")
        await serve(socket, room, Connection(*who, flip=flip, address=address_of(socket)))

    return router


def _made(name: str) -> RoomMade:
    return RoomMade(room=name, page=f"/play/{name}")


async def _refuse(socket: WebSocket, why: str, code: int) -> None:
    await socket.send_text(ErrorMessage(error=why).written)
    await socket.close(code)


async def serve(socket: WebSocket, room: Room, connection: Connection) -> None:
    """Carry messages between a socket and its room until it closes."""
    room.join(connection)
    writing = asyncio.create_task(_write(socket, room, connection))
    try:
        async for text in request_parsing.texts(socket):
            await room.receive(connection, text)
    finally:
        room.leave(connection)
        writing.cancel()


async def _write(socket: WebSocket, room: Room, connection: Connection) -> None:
    try:
        while True:
            await socket.send_text(await connection.next(lambda: room.catch_up(connection)))
    except (WebSocketDisconnect, ConnectionError, RuntimeError):
        pass  # the line is lost: the reader learns of it too, and ends this
    except Exception:
        log.exception("room %s: this is a bug in pentad", room.name)
        await socket.close(BUG)


# ── what is told of games ────────────────────────────────────────────────────────────────────────


def _seats_of(row: GameRow, person: Person | None) -> list[int]:
    return [i for i, seat in enumerate(row.seats) if person and seat.who == HUMAN and seat.person == person.id]


def _cursor(text: str) -> Cursor:
    """A place in the list of somebody's games, as it was told."""
    try:
        group, due, untouched, name = text.split(":")
        return Cursor(
            bounds.integer("group", int(group)), _finite(due), _finite(untouched), bounds.text("game name", name)
        )
    except ValueError:
        raise GameError("this is not a valid position in the list") from None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _written(cursor: Cursor) -> str:
    return f"{cursor.group}:{cursor.due!r}:{cursor.untouched!r}:{cursor.name}"


def _listed(row: GameRow, person: Person | None, now: float) -> Listed:
    kind = game(row.game)
    time = Time.of(row.time)
    yours = _seats_of(row, person)
    is_over = row.result is not None
    with_others = any(seat.who == HUMAN and seat.person != (person and person.id) for seat in row.seats)
    due = None if is_over else row.turn.due
    return Listed(
        room=row.name,
        page=f"/play/{row.name}",
        game=row.game,
        title=kind.title,
        options=load(row.start).options_text(),
        time=time.label if time else "",
        seats=["" if seat.who == OPEN else seat.name or seat.who for seat in row.seats],
        yours=yours,
        moves=row.moves,
        result=row.result,
        touched=row.touched,
        waits=not is_over and with_others and row.turn.seat in yours,
        turn=None if is_over else row.turn.seat,
        left=None if due is None else max(0.0, due - now),
    )


@cache
def whole_catalogue() -> Catalogue:
    """What can be played here."""
    return Catalogue(person=HUMAN, games=[_game_info(name) for name in games()])


def _game_info(name: str) -> GameInfo:
    kind = game(name)
    start = kind.new()
    return GameInfo(
        name=name,
        title=kind.title,
        summary=kind.summary,
        players=start.players,
        colours=list(kind.colours),
        options=[_option_info(option) for option in kind.options.values()],
        bots=[
            BotInfo(
                name=who,
                summary=entry.summary,
                levels=(entry.levels[0], entry.levels[-1]) if entry.levels else None,
            )
            for who, entry in own_bots(name).items()
        ],
        rival=default_opponent(name),
    )


def _option_info(option: Option) -> OptionInfo:
    default = option.default
    return OptionInfo(
        name=option.name,
        kind="boolean" if isinstance(default, bool) else "integer" if isinstance(default, int) else "choice",
        default=None if option.default_text else default,
        help=option.help,
        minimum=option.minimum,
        maximum=option.maximum,
        allowed=list(option.allowed),
        several=option.several,
    )
