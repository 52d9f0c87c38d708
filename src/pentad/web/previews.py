"""Previews of links: what other programs show beside a link to a game or to a position.

They have what anybody sees who opens the link: the players' names, the number of moves and the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from pentad.drawing import raster
from pentad.game import GameError, Position, game_of, read_start
from pentad.jobs.fair_queue import QueueError
from pentad.play.seats import HUMAN
from pentad.store.rows import StoreError
from pentad.system.words import count, listed, phrase
from pentad.web import view
from pentad.web.api_types import MAX_POSITION_LENGTH, OPEN
from pentad.web.backend import Backend
from pentad.web.http.exchange import Caller
from pentad.web.http.pages import Preview
from pentad.web.rooms.registry import TooManyRooms
from pentad.web.rooms.room import Room
from pentad.web.rooms.state import RoomState

MOST_MOVES = 400
STARTS = ("start", "position", "game")  # parameters with a position, or a game with its options
MOVE_SEPARATOR = "_"


def of_room(room: Room) -> Preview | None:
    """The preview of a link to a game: its players, its board and who is to move."""
    game = room.game
    kind, moves = game.game, game.moves
    is_open = game.waits_for_people and game.outcome is None
    title = _invitation(game) if is_open else f"{kind.title}: {_players(game)}" + (f", move {moves}" if moves else "")
    status = view.status(game.position, game.outcome)
    if not raster.is_available():
        return Preview(title, status)
    # The number of the state makes it another address once the game has changed, which other programs then load.
    picture = f"/api/rooms/{room.name}/picture.png?at={game.at}"
    return Preview(
        title,
        status,
        picture,
        phrase(
            "The board of {title} after {moves}. {status}", title=kind.title, moves=count(moves, "move"), status=status
        ),
    )


def _players(game: RoomState) -> str:
    """The players in a title: `Ada against Ben`."""
    seats = [(seat.who, seat.name) for seat in game.seats]
    taken = [_name(game.position.colour_of(i), *seat) for i, seat in enumerate(seats) if seat[0] != OPEN]
    return " against ".join(taken) if len(taken) == 2 else listed(taken)


def _invitation(game: RoomState) -> str:
    """The title of a game that waits for players: who invites to it."""
    hosts = [seat.name for seat in game.seats if seat.who == HUMAN and seat.name]
    if not hosts:
        return phrase("You are invited to {title}", title=game.game.title)
    if len(hosts) == 1:
        return phrase("{host} invites you to {title}", host=hosts[0], title=game.game.title)
    return phrase("{hosts} invite you to {title}", hosts=listed(hosts), title=game.game.title)


def _name(colour: str, who: str, name: str) -> str:
    if who != HUMAN:
        return "the computer"
    return name or colour.capitalize()


async def of_query(backend: Backend, caller: Caller, query: Mapping[str, str]) -> Preview | None:
    """The preview of a link with a position, or with a start and moves, or with a room; None if it has none of them.

    The page itself says what is wrong with a link.
    """
    if "room" in query:
        try:
            room = await backend.rooms.get(query["room"], caller.address)
        except (GameError, StoreError, TooManyRooms):
            return None
        return of_room(room) if room else None
    start = next((query[name] for name in STARTS if query.get(name)), "")
    if not start or len(start) > MAX_POSITION_LENGTH:
        return None
    moves = [each for each in query.get("moves", "").split(MOVE_SEPARATOR)[:MOST_MOVES] if each]
    try:
        return await backend.background(caller, of_line, start, moves)
    except (GameError, QueueError):
        return None


def of_line(start: str, moves: list[str]) -> Preview:
    """The preview of the position after some moves, as far as they can be played; `GameError` if there is no start."""
    position, last = read_start(start), ""
    view.check_size(position)
    for move in moves:
        try:
            position, last = position.play(move), move
        except GameError:
            break
    return _of_position(position, last)


def _of_position(position: Position, last: str) -> Preview:
    title = game_of(position).title
    after = f" after {count(position.ply, 'move')}" if position.ply else ""
    heading = f"{title}: the position{after}" if after else title
    if not raster.is_available() or len(position.text) > MAX_POSITION_LENGTH:
        return Preview(heading, position.status)
    query = urlencode({"position": position.text, "last": last} if last else {"position": position.text})
    words = phrase("The board of {title}{after}. {status}", title=title, after=after, status=position.status)
    return Preview(heading, position.status, f"/api/board.png?{query}", words)
