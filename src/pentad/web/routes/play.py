"""Routes of the play page: games, rooms and seats; and each room's WebSocket."""

from __future__ import annotations

import asyncio
import logging
from functools import cache

from fastapi import APIRouter, HTTPException, Request, Response, WebSocket, WebSocketDisconnect

from pentad.game import GameError, game, names
from pentad.play.seats import HUMAN
from pentad.record.formats import format_of, write
from pentad.search.bot import default_opponent, own_bots, ratings, strengths
from pentad.search.levels import RUNGS
from pentad.store.rows import Person
from pentad.system.version import __version__
from pentad.system.words import count
from pentad.web.api import (
    BotInfo,
    Catalogue,
    CreatedRoom,
    EarlierPosition,
    GameInfo,
    Health,
    Me,
    NewRoom,
    OptionAbout,
    OptionInfo,
    SeatRequest,
    refusals,
)
from pentad.web.http import identity, request_parsing
from pentad.web.http.client_address import Address, address_of
from pentad.web.http.lan import qr_svg
from pentad.web.messages import LONGEST_MESSAGE, ErrorMessage, Incoming, StateMessage
from pentad.web.rooms.actions import free_seat
from pentad.web.rooms.registry import TooManyRooms, check, preview
from pentad.web.rooms.room import Room
from pentad.web.rooms.subscribers import Connection
from pentad.web.routes.board import NO_PNG, png
from pentad.web.services import Client, Services

LOOPBACK = ("localhost", "127.0.0.1", "::1")  # names of this machine that others cannot use

log = logging.getLogger(__name__)

GONE = 4404  # the close code for a room that does not exist
BUG = 1011
KEPT_FOR_A_MINUTE = "public, max-age=60"  # a picture of a game that goes on
NOBODY = Person(0, "")  # a person without a cookie

MISSING = "This game does not exist on this server."
REFUSALS = refusals(
    {404: MISSING, 409: "The seat has been taken in the meantime.", 503: "The server has no free room."}
)


def router(services: Services) -> APIRouter:
    """The routes of the play page."""
    router = APIRouter(responses=REFUSALS)
    store, rooms = services.store, services.rooms

    async def found(name: str, client: Address) -> Room:
        room = await rooms.get(name, client)
        if room is None:
            raise HTTPException(404, MISSING)
        return room

    @router.get("/api/games")
    async def catalogue() -> Catalogue:
        """All games with their options and bots."""
        return whole_catalogue().model_copy(
            update={"friends": services.friends, "friends_server": services.friends_server}
        )

    @router.get("/api/games/{name}/options")
    async def about_options(name: str) -> dict[str, OptionAbout]:
        """What the options of a game mean, for people who do not know them."""
        options = game(name).options.values()
        return {each.name: OptionAbout(about=each.about, example=each.example) for each in options if each.about}

    @router.get("/api/health")
    async def health() -> Health:
        """Whether the engines are ready, and how many requests wait."""
        return Health(**services.engines.state(), version=__version__, others=services.others)

    @router.get("/api/me")
    async def me(request: Request) -> Me:
        """The client's name, empty if unknown."""
        person = await identity.known(store, request)
        return Me(name=person.name if person else "")

    @router.put("/api/me")
    async def call_me(body: Me, request: Request, response: Response) -> Me:
        """Change the client's name, from the next game on."""
        person = await identity.known_or_new(store, request, response, body.name)
        return Me(name=person.name)

    @router.post("/api/preview", responses={200: {"model": StateMessage}})
    async def show_preview(body: NewRoom, request: Request, client: Client, flip: bool = False) -> Response:
        """The first state of a room for this game, without making the room."""
        person = await identity.known(store, request) or NOBODY
        draft = await rooms.draft(body, person)
        state = await services.background(client, lambda: preview(draft, person, rooms.world.clock, flip=flip).written)
        return Response(state, media_type="application/json")

    @router.post("/api/rooms", status_code=201)
    async def make_room(body: NewRoom, request: Request, response: Response, client: Client) -> CreatedRoom:
        """Create a room for a new game. A cookie identifies the client from then on."""
        check(body)  # before a person is stored
        person = await identity.known_or_new(store, request, response, body.name)
        return _made((await rooms.make(body, person, client)).name)

    @router.post("/api/rooms/{name}/seats")
    async def sit_down(
        name: str, body: SeatRequest, request: Request, response: Response, client: Client
    ) -> CreatedRoom:
        """Take an open seat."""
        room = await found(name, client)
        free_seat(room.game, body.seat)
        person = await identity.known_or_new(store, request, response, body.name)
        await room.sit(person.id, person.name, body.seat)
        return _made(name)

    @router.post("/api/rooms/{name}/again")
    async def play_again(name: str, request: Request, client: Client) -> CreatedRoom:
        """The next game of the same players, each one seat further."""
        room = await found(name, client)
        person = await identity.known(store, request)
        if person is None or not room.game.seats_of(person.id):
            raise GameError("Only players can start a rematch.")
        return _made(await rooms.again(room, person, client))

    @router.get("/api/rooms/{name}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    async def record(name: str, client: Client, format: str = "pentad") -> Response:
        """A game as a file in some format."""
        game = (await found(name, client)).game  # a variable, as the room may replace its game
        kind = format_of(f"{name}.{format}", format)
        text = await services.background(client, lambda: write([game.record], kind))
        headers = {"Content-Disposition": f'attachment; filename="{name}{kind.suffixes[0]}"'}
        return Response(text, media_type="text/plain", headers=headers)

    @router.get("/api/rooms/{name}/positions/{moves}")
    async def earlier(name: str, moves: int, client: Client, flip: bool = False) -> EarlierPosition:
        """The position after some of the moves played so far."""
        line = (await found(name, client)).game.line
        if not 0 <= moves < len(line):
            raise HTTPException(404, f"This game has {count(len(line) - 1, 'move')}.")
        node = line[moves]
        svg = await services.background(client, lambda: node.position.svg(last=node.move, flip=flip, style=False))
        return EarlierPosition(svg=svg, status=node.position.status)

    @router.get(
        "/api/rooms/{name}/code.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}}
    )
    async def picture_of_link(name: str, request: Request, client: Client) -> Response:
        """The link to a game as a QR code."""
        await found(name, client)
        own = f"{request.url.scheme}://{request.url.netloc}"
        base = services.others if services.others and request.url.hostname in LOOPBACK else own
        return Response(await services.background(client, qr_svg, f"{base}/play/{name}"), media_type="image/svg+xml")

    @router.get(
        "/api/rooms/{name}/picture.png",
        response_class=Response,
        responses={200: {"content": {"image/png": {}}}, **refusals({501: NO_PNG})},
    )
    async def picture_of_game(name: str, client: Client) -> Response:
        """The current position as a PNG of 1200 by 630 pixels, for a link to the game."""
        game = (await found(name, client)).game
        position, last = game.position, game.end.move
        return await png(services, client, lambda: position, str(last or ""), False, KEPT_FOR_A_MINUTE)

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
            await _refuse(socket, MISSING, GONE)
            return
        who = (person.id, person.name) if person else (None, "")
        await serve(socket, room, Connection(*who, flip=flip, address=address_of(socket)))

    return router


def _made(name: str) -> CreatedRoom:
    return CreatedRoom(room=name, page=f"/play/{name}")


async def _refuse(socket: WebSocket, why: str, code: int) -> None:
    await socket.send_text(ErrorMessage(error=why).written)
    await socket.close(code)


async def serve(socket: WebSocket, room: Room, connection: Connection) -> None:
    """Carries messages between a socket and its room until it closes."""
    room.join(connection)
    writing = asyncio.create_task(_write(socket, room, connection))
    try:
        async for text in request_parsing.texts(socket):
            await receive(room, connection, text)
    finally:
        room.leave(connection)
        writing.cancel()


async def receive(room: Room, connection: Connection, text: str) -> None:
    """Reads a message and hands it to the room; an invalid one is answered with an error."""
    try:
        message = request_parsing.read_message(Incoming, text, LONGEST_MESSAGE)
    except GameError as invalid:
        connection.send(ErrorMessage(error=str(invalid)))
    else:
        await room.receive(connection, message)


async def _write(socket: WebSocket, room: Room, connection: Connection) -> None:
    try:
        while True:
            await socket.send_text(await connection.next(lambda: room.subscribers.catch_up(connection)))
    except (WebSocketDisconnect, ConnectionError, RuntimeError):
        pass  # the connection is lost; the reading side ends this
    except Exception:
        log.exception("Room %s: Internal error (a bug in pentad).", room.name)
        await socket.close(BUG)


@cache
def whole_catalogue() -> Catalogue:
    """All games that can be played here."""
    return Catalogue(person=HUMAN, games=[_game_info(name) for name in names()])


def _game_info(name: str) -> GameInfo:
    kind = game(name)
    start = kind.new()
    return GameInfo(
        name=name,
        title=kind.title,
        summary=kind.summary,
        players=start.players,
        colours=list(kind.colours),
        options=[OptionInfo.of(option) for option in kind.options.values() if not option.replaced_by],
        bots=[
            BotInfo(
                name=who,
                summary=bot.summary,
                levels=(bot.levels[0], bot.levels[-1]) if bot.levels else None,
                rungs=list(RUNGS) if bot.rungs else [],
            )
            for who, bot in own_bots(name).items()
        ],
        default_opponent=default_opponent(name),
        strengths=strengths(name),
        ratings=ratings(name),
        presets={label: dict(options) for label, options in kind.presets.items()},
        setup=kind.has("setup"),
    )
