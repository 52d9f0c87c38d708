"""Services of the play page: games, rooms and seats; and each room's WebSocket."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from functools import cache

from pentad.game import GameError, game, names
from pentad.play.seats import HUMAN
from pentad.record.formats import format_of, write
from pentad.search.bot import bot_title, default_opponent, own_bots, ratings, strengths
from pentad.search.levels import RUNGS
from pentad.store.rows import Person
from pentad.system.version import __version__
from pentad.system.words import count, phrase
from pentad.web import refusals
from pentad.web.api_types import (
    BotInfo,
    Catalogue,
    CreatedRoom,
    EarlierPosition,
    GameInfo,
    Health,
    Me,
    NewRoom,
    NextGame,
    OptionAbout,
    OptionInfo,
    SeatRequest,
    Sharing,
)
from pentad.web.backend import Backend
from pentad.web.http import identity, socket_sessions
from pentad.web.http.client_address import DIRECT
from pentad.web.http.exchange import BUG, Caller, JsonText, Response, Socket, StatusError
from pentad.web.http.lan import qr_svg
from pentad.web.http.request_context import with_number
from pentad.web.messages import MAX_MESSAGE_LENGTH, ErrorMessage, Incoming, StateMessage
from pentad.web.rooms.actions import check_name, free_seat
from pentad.web.rooms.registry import TooManyRooms, preview, read_game
from pentad.web.rooms.room import Room
from pentad.web.rooms.subscribers import Connection
from pentad.web.service.boards import NO_PNG, png
from pentad.web.service.router import GET, PLAIN, PNG, POST, PUT, SOCKET, SVG, Nothing, Posted, Route
from pentad.web.typed_json import written

LOOPBACK = ("localhost", "127.0.0.1", "::1")  # names of this machine that others cannot use

log = logging.getLogger(__name__)

AGAIN_LATER = 1013  # the close code for a room that has no space now
GONE = 4404  # the close code for a room that does not exist
KEPT_FOR_A_MINUTE = "public, max-age=60"  # a picture of a game that goes on
NOBODY = Person(0, "")  # a person without a cookie

MISSING = "This game does not exist on this server."
NAME_LASTS = "The name of an account is changed on the page Account."
NOT_HERE = "Only a browser on the server's own machine can do this."
SET_BY_OPTIONS = "The options of the server decide who can join. Restart it with or without --lan."


@dataclass(frozen=True)
class NameRequest:
    """A game, or a room, by its name."""

    name: str


@dataclass(frozen=True)
class PreviewedRoom:
    """A game to preview, and the side from which it is drawn."""

    body: NewRoom
    flip: bool = False


@dataclass(frozen=True)
class SeatTaken:
    """A seat to take in a room."""

    name: str
    body: SeatRequest


@dataclass(frozen=True)
class RecordRequest:
    """A game to write as a file in some format."""

    name: str
    format: str = "pentad"


@dataclass(frozen=True)
class EarlierRequest:
    """A game, and the number of its moves to show."""

    name: str
    moves: int
    flip: bool = False


@dataclass(frozen=True)
class LookRequest:
    """A game to follow."""

    name: str
    flip: bool = False


async def room_for(backend: Backend, caller: Caller, name: str) -> Room | None:
    """The room of that name for this client."""
    person = await identity.known(backend.store, caller)
    return await backend.rooms.get(name, caller.address, person.id if person else None)


async def _found(backend: Backend, caller: Caller, name: str) -> Room:
    room = await room_for(backend, caller, name)
    if room is None:
        raise StatusError(404, MISSING)
    return room


async def catalogue(backend: Backend, caller: Caller, request: Nothing) -> JsonText[Catalogue]:
    """All games with their options and bots."""
    return _written_catalogue(backend.friends, backend.friends_server)


async def about_options(backend: Backend, caller: Caller, request: NameRequest) -> dict[str, OptionAbout]:
    """What the options of a game mean, for people who do not know them."""
    options = game(request.name).options.values()
    return {each.name: OptionAbout(about=each.about, example=each.example) for each in options if each.about}


async def health(backend: Backend, caller: Caller, request: Nothing) -> Health:
    """Whether the engines are ready, and how many requests wait."""
    network = backend.network
    return Health(**backend.engines.state(), version=__version__, others=network.address, can_share=network.can_change)


async def share(backend: Backend, caller: Caller, request: Posted[Sharing]) -> Health:
    """Lets devices in the local network join, or shuts them out; for the person at the server's machine alone."""
    if caller.address != DIRECT or caller.url.hostname not in LOOPBACK:
        raise StatusError(403, NOT_HERE)
    if not backend.network.can_change:
        raise StatusError(409, SET_BY_OPTIONS)
    if request.body.open:
        await backend.network.let_in()
    else:
        backend.network.shut_out()
    return await health(backend, caller, Nothing())


async def me(backend: Backend, caller: Caller, request: Nothing) -> Me:
    """The client's name, empty if unknown."""
    person = await identity.known(backend.store, caller)
    return Me(name=person.name if person else "")


async def call_me(backend: Backend, caller: Caller, request: Posted[Me]) -> Me:
    """Change the client's name, in games that wait for others and from the next game on."""
    person = await identity.known(backend.store, caller)
    if person and person.account:
        if identity.clean(request.body.name) != person.name:
            raise GameError(NAME_LASTS)
        return Me(name=person.name)
    await _check_guest_name(backend, caller, request.body.name)
    if person:
        backend.rooms.check_name(person.id, identity.clean(request.body.name))  # before it is stored
    person = await identity.known_or_new(backend.store, caller, request.body.name)
    await backend.rooms.rename(person)
    return Me(name=person.name)


async def show_preview(backend: Backend, caller: Caller, request: PreviewedRoom) -> JsonText[StateMessage]:
    """The first state of a room for this game, without making the room."""
    person = await identity.known(backend.store, caller) or NOBODY
    new = await backend.background(caller, read_game, request.body)
    draft, clock = await backend.rooms.draft(new, person), backend.rooms.world.clock

    def state() -> str:
        return preview(draft, person, clock, flip=request.flip).written

    return JsonText(await backend.background(caller, state))


async def make_room(backend: Backend, caller: Caller, request: Posted[NewRoom]) -> CreatedRoom:
    """Create a room for a new game. A cookie identifies the client from then on."""
    new = await backend.background(caller, read_game, request.body)  # before a person is stored
    await _check_guest_name(backend, caller, request.body.name)
    person = await identity.known_or_new(backend.store, caller, request.body.name)
    return _made((await backend.rooms.make(new, person, caller.address)).name)


async def sit_down(backend: Backend, caller: Caller, request: SeatTaken) -> CreatedRoom:
    """Take an open seat."""
    room, seat = await _found(backend, caller, request.name), request.body.seat
    free_seat(room.game, seat)
    known = await identity.known(backend.store, caller) or NOBODY
    name = "" if known.account else identity.clean(request.body.name)
    check_name(room.game, known.id, name or known.name)  # before it is stored
    await _check_guest_name(backend, caller, name)
    person = await identity.known_or_new(backend.store, caller, request.body.name)
    await room.sit(person.id, person.name, seat)
    return _made(request.name)


async def play_again(backend: Backend, caller: Caller, request: NameRequest) -> NextGame:
    """Asks for the next game of the same players, each one seat further, or agrees to it."""
    room = await _found(backend, caller, request.name)
    person = await identity.known(backend.store, caller)
    if person is None or not room.game.seats_of(person.id):
        raise GameError("Only players can start a rematch.")
    name = await backend.rooms.rematch(room, person, caller.address)
    return NextGame(room=name, page=f"/play/{name}" if name else None)


async def record(backend: Backend, caller: Caller, request: RecordRequest) -> Response:
    """A game as a file in some format."""
    game = (await _found(backend, caller, request.name)).game  # a variable, as the room may replace its game
    kind = format_of(f"{request.name}.{request.format}", request.format)
    text = await backend.background(caller, lambda: write([game.record], kind))
    return Response(text, {"Content-Disposition": f'attachment; filename="{request.name}{kind.suffixes[0]}"'})


async def earlier(backend: Backend, caller: Caller, request: EarlierRequest) -> EarlierPosition:
    """The position after some of the moves played so far."""
    line = (await _found(backend, caller, request.name)).game.line
    if not 0 <= request.moves < len(line):
        raise StatusError(404, phrase("This game has {moves}.", moves=count(len(line) - 1, "move")))
    node = line[request.moves]

    def draw() -> str:
        return node.position.svg(last=node.move, flip=request.flip, style=False)

    return EarlierPosition(svg=await backend.background(caller, draw), status=node.position.status)


async def picture_of_link(backend: Backend, caller: Caller, request: NameRequest) -> Response:
    """The link to a game as a QR code."""
    await _found(backend, caller, request.name)
    others = backend.network.address
    base = others if others and caller.url.hostname in LOOPBACK else caller.root
    return Response(await backend.background(caller, qr_svg, f"{base}/play/{request.name}"))


async def picture_of_game(backend: Backend, caller: Caller, request: NameRequest) -> Response:
    """The current position as a PNG of 1200 by 630 pixels, for a link to the game."""
    game = (await _found(backend, caller, request.name)).game
    position, last = game.position, game.end.move
    return await png(backend, caller, position.text, str(last or ""), False, KEPT_FOR_A_MINUTE)


async def look(backend: Backend, caller: Caller, request: LookRequest, socket: Socket) -> None:
    """Messages about a game, until the socket closes."""
    try:
        person = await identity.known(backend.store, caller)
        room = await backend.rooms.get(request.name, caller.address, person.id if person else None)
    except (GameError, TooManyRooms) as failed:
        refusals.note(failed)
        await _refuse(socket, str(failed), AGAIN_LATER)
        return
    if room is None:
        await _refuse(socket, MISSING, GONE)
        return
    who = (person.id, person.name) if person else (None, "")
    hidden = backend.rooms.world.relations.hidden(who[0])
    await serve(socket, room, Connection(*who, flip=request.flip, address=caller.address, hidden=hidden))


OF_A_ROOM = {404: MISSING}
FULL = {503: "The server is full."}
TAKEN = {409: "The seat has been taken in the meantime."}
ROUTES = (
    Route(GET, "/api/games", catalogue),
    Route(GET, "/api/games/{name}/options", about_options),
    Route(GET, "/api/health", health),
    Route(PUT, "/api/network", share, refusals={403: NOT_HERE, 409: SET_BY_OPTIONS}),
    Route(GET, "/api/me", me),
    Route(PUT, "/api/me", call_me),
    Route(POST, "/api/preview", show_preview),
    Route(POST, "/api/rooms", make_room, status=201, refusals=FULL),
    Route(POST, "/api/rooms/{name}/seats", sit_down, refusals={**OF_A_ROOM, **TAKEN, **FULL}),
    Route(POST, "/api/rooms/{name}/again", play_again, refusals={**OF_A_ROOM, **FULL}),
    Route(GET, "/api/rooms/{name}/record", record, media=PLAIN, refusals={**OF_A_ROOM, **FULL}),
    Route(GET, "/api/rooms/{name}/positions/{moves}", earlier, refusals={**OF_A_ROOM, **FULL}),
    Route(GET, "/api/rooms/{name}/code.svg", picture_of_link, media=SVG, refusals={**OF_A_ROOM, **FULL}),
    Route(
        GET,
        "/api/rooms/{name}/picture.png",
        picture_of_game,
        media=PNG,
        refusals={**OF_A_ROOM, **FULL, 501: NO_PNG},
    ),
    Route(SOCKET, "/api/rooms/{name}", look),
)


async def _check_guest_name(backend: Backend, caller: Caller, name: str) -> None:
    """Refuses a person without an account the name of one. An account keeps its name, whatever a page sends."""
    if not name or backend.authentication is None or not await backend.authentication.exist():
        return
    person = await identity.known(backend.store, caller)
    if person is None or not person.account:
        await backend.authentication.check_guest_name(backend.background, caller, identity.clean(name))


def _made(name: str) -> CreatedRoom:
    return CreatedRoom(room=name, page=f"/play/{name}")


async def _refuse(socket: Socket, why: str, code: int) -> None:
    await socket.send(ErrorMessage(error=why).written)
    await socket.close(code)


async def serve(socket: Socket, room: Room, connection: Connection) -> None:
    """Carries messages between a socket and its room until it closes."""
    room.join(connection)
    writing = asyncio.create_task(_write(socket, room, connection))
    try:
        async for text in socket_sessions.texts(socket):
            if connection.ends:
                break
            await receive(room, connection, text, socket.arrived)
    finally:
        room.leave(connection)
        writing.cancel()


async def receive(room: Room, connection: Connection, text: str, arrived: float | None = None) -> None:
    """Reads a message that has arrived, by default now, and hands it to the room; an invalid one gets an error."""
    try:
        message = socket_sessions.read_message(Incoming, text, MAX_MESSAGE_LENGTH)
    except GameError as invalid:
        connection.send(ErrorMessage(error=str(invalid)))
    else:
        await room.receive(connection, message, arrived)


async def _write(socket: Socket, room: Room, connection: Connection) -> None:
    try:
        while not connection.is_over:
            await socket.send(await connection.next(lambda: room.subscribers.catch_up(connection)))
        await socket.close(AGAIN_LATER)
    except ConnectionError:
        pass  # the connection is lost; the reading side ends this
    except Exception:
        log.exception("Room %s: Internal error (a bug in pentad).", room.name)
        await socket.close(BUG, with_number("Internal error (a bug in pentad)."))


@cache
def whole_catalogue() -> Catalogue:
    """All games that can be played here."""
    return Catalogue(person=HUMAN, games=[_game_info(name) for name in names()])


@cache
def _written_catalogue(friends: bool, friends_server: str) -> JsonText[Catalogue]:
    """The catalogue as text, as each visit to a page asks for it."""
    return JsonText(written(replace(whole_catalogue(), friends=friends, friends_server=friends_server)))


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
                title=bot_title(name, who),
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
