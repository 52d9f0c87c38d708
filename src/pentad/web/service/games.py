"""Services of lists of games: a person's own, found by opponent, game and result, and the open games of others.

Each game in a list has a small picture of its position.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from pentad.game import Game, GameError, game, load
from pentad.play.game_state import AGREED, FLAGGED, RESIGNED
from pentad.play.seats import HUMAN
from pentad.store import rows as bounds
from pentad.store.game_search import GameSearch, Result, standing_of
from pentad.store.rows import Cursor, GameRow, Person, SeatRow, winners_of
from pentad.web.api_types import OPEN, EndInfo, EndKind, FoundGames, GameListing, TimeInfo
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.exchange import Caller, Response, StatusError
from pentad.web.http.visible_text import visible
from pentad.web.rooms.player_view import seat_title
from pentad.web.service.play import MISSING
from pentad.web.service.router import GET, SVG, Nothing, Route
from pentad.web.typed_json import Length

GAMES_ON_PAGE = 50
PICTURE_SECONDS = 24 * 3600  # the address of a picture changes with its game

# Reasons that are not on the board.
ENDS: dict[str, EndKind] = {RESIGNED: "resigned", FLAGGED: "time", AGREED: "agreed"}


@dataclass(frozen=True, kw_only=True)
class MineRequest:
    """A place in the list of a person's games; without one, its beginning."""

    after: str = ""


@dataclass(frozen=True, kw_only=True)
class FoundRequest:
    """What games must have to be found; `opponent` is a part of another player's name."""

    opponent: Annotated[str, Length(80)] = ""
    game: Annotated[str, Length(40)] = ""
    result: Result = "all"
    after: str = ""


@dataclass(frozen=True, kw_only=True)
class SmallPictureRequest:
    """A game to draw."""

    name: str
    flip: bool = False


async def mine(backend: Backend, caller: Caller, request: MineRequest) -> list[GameListing]:
    """A page of the client's games: first those where it is the client's turn, the most urgent first."""
    cursor = _cursor(request.after)
    person = await identity.known(backend.store, caller)
    return await _page_of(backend, person, GameSearch(), cursor) if person else []


async def found(backend: Backend, caller: Caller, request: FoundRequest) -> FoundGames:
    """A page of the client's games as above, only those that fit, and the number of all that do."""
    search, cursor = _search(request.opponent, request.game, request.result), _cursor(request.after)
    person = await identity.known(backend.store, caller)
    if person is None:
        return FoundGames(count=0, games=[])
    count = await backend.store.count_games(person.id, search)
    return FoundGames(count=count, games=await _page_of(backend, person, search, cursor))


async def lobby(backend: Backend, caller: Caller, request: Nothing) -> list[GameListing]:
    """Open games that anybody can join, those where somebody waits first."""
    person = await identity.known(backend.store, caller)
    now = backend.rooms.world.wall()
    games = [
        replace(_listed(row, person, now), attended=backend.rooms.is_attended(row.name))
        for row in await backend.store.open_games(GAMES_ON_PAGE)
        if person is None or not _is_blocked(backend, person, row)
    ]
    return sorted(games, key=lambda each: not each.attended)


async def picture(backend: Backend, caller: Caller, request: SmallPictureRequest) -> Response:
    """The position of a game as a small picture of the board alone. The room is not loaded for it."""
    found = await backend.rooms.position(request.name)
    if found is None:
        raise StatusError(404, MISSING)
    position, last = found
    svg = await backend.background(caller, lambda: position.svg(last=last, flip=request.flip, labels=False))
    return Response(svg, {"Cache-Control": f"private, max-age={PICTURE_SECONDS}"})


ROUTES = (
    Route(GET, "/api/mine", mine),
    Route(GET, "/api/mine/found", found),
    Route(GET, "/api/lobby", lobby),
    Route(GET, "/api/rooms/{name}/picture.svg", picture, media=SVG, refusals={404: MISSING}),
)


async def _page_of(backend: Backend, person: Person, search: GameSearch, after: Cursor | None) -> list[GameListing]:
    found = await backend.store.games_of(person.id, GAMES_ON_PAGE + 1, after, search)
    now = backend.rooms.world.wall()
    page = [_listed(row, person, now) for row, _ in found[:GAMES_ON_PAGE]]
    if len(found) > GAMES_ON_PAGE:
        page[-1] = replace(page[-1], cursor=_written(found[GAMES_ON_PAGE - 1][1]))
    return page


def _is_blocked(backend: Backend, person: Person, row: GameRow) -> bool:
    """Whether a player of a game has blocked a person, or the person one of them."""
    relations = backend.rooms.world.relations
    players = [seat.person for seat in row.seats]
    return any(relations.blocks(each, person.id) or relations.blocks(person.id, each) for each in players)


def _player(game: str, seat: SeatRow) -> str:
    """The name of a seat's player in a list."""
    if seat.who in (OPEN, HUMAN):
        return "" if seat.who == OPEN else seat.name or HUMAN
    return seat_title(game, seat)


def _search(opponent: str, name: str, result: Result) -> GameSearch:
    """A search; `GameError` if there is no such game."""
    return GameSearch(visible(opponent), game(name).name if name else "", result)


def _cursor(text: str) -> Cursor | None:
    """A place in the list of a person's games, from the text of a cursor; None for its beginning."""
    if not text:
        return None
    try:
        group, due, untouched, name = text.split(":")
        times = (bounds.seconds("due", float(due)), bounds.seconds("untouched", float(untouched)))
        return Cursor(bounds.integer("group", int(group)), *times, bounds.text("game name", name))
    except ValueError:
        raise GameError("Invalid cursor.") from None


def _written(cursor: Cursor) -> str:
    return f"{cursor.group}:{cursor.due!r}:{cursor.untouched!r}:{cursor.name}"


def _end(kind: Game, row: GameRow) -> EndInfo | None:
    """How a game ended; None if it goes on, or if its reason was not stored."""
    winners = winners_of(row.result)
    if row.reason is None or winners is None:
        return None
    won = [seat for seat in range(len(row.seats)) if winners >> seat & 1]
    if row.reason not in ENDS:
        words = kind.ending(row.reason, is_draw=not won)
        return EndInfo(kind="board", seats=won, words=words)
    lost = [seat for seat in range(len(row.seats)) if seat not in won]
    return EndInfo(kind=ENDS[row.reason], seats=lost if won else [])


def _listed(row: GameRow, person: Person | None, now: float) -> GameListing:
    kind, start = game(row.game), load(row.start)
    people = {i: seat.person for i, seat in enumerate(row.seats) if seat.who == HUMAN}
    yours = [i for i, who in people.items() if person and who == person.id]
    is_over = row.result is not None
    due = None if is_over else row.turn.due
    return GameListing(
        room=row.name,
        page=f"/play/{row.name}",
        game=row.game,
        title=kind.title,
        options=start.options_text(),
        time=TimeInfo(**row.time) if row.time else None,
        seats=[_player(row.game, seat) for seat in row.seats],
        colours=[start.colour_of(seat) for seat in range(start.players)],
        bots=[i for i, seat in enumerate(row.seats) if seat.who not in (OPEN, HUMAN)],
        yours=yours,
        moves=row.moves,
        result=row.result,
        touched=row.touched,
        waits=not is_over and len(people) > len(yours) and row.turn.seat in yours,
        turn=None if is_over else row.turn.seat,
        left=None if due is None else max(0.0, due - now),
        standing=standing_of(row, person.id if person else None),
        end=_end(kind, row),
    )
