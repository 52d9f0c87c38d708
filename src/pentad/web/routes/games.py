"""Routes for lists of games: a person's own, found by opponent, game and result, and the open games of others.

Each game in a list has a small picture of its position.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field

from pentad.game import GameError, game, load
from pentad.play.clock import Time
from pentad.play.seats import HUMAN
from pentad.store import rows as bounds
from pentad.store.game_search import GameSearch, Result, standing_of
from pentad.store.rows import Cursor, GameRow, Person
from pentad.web.api import OPEN, FoundGames, GameListing, refusals
from pentad.web.http import identity
from pentad.web.http.visible_text import visible
from pentad.web.routes.play import MISSING
from pentad.web.services import Client, Services

LISTED = 50  # games in a list, or on a page of it
PICTURES_KEPT = 24 * 3600  # seconds; the address of a picture changes with its game
REFUSALS = refusals({404: MISSING})

NamePart = Annotated[str, Field(max_length=80)]
GameName = Annotated[str, Field(max_length=40)]


def router(services: Services) -> APIRouter:
    """The routes for lists of games."""
    router = APIRouter(responses=REFUSALS)
    store, rooms = services.store, services.rooms

    async def page_of(person: Person, search: GameSearch, after: Cursor | None) -> list[GameListing]:
        found = await store.games_of(person.id, LISTED + 1, after, search)
        now = rooms.world.wall()
        page = [_listed(row, person, now) for row, _ in found[:LISTED]]
        if len(found) > LISTED:
            page[-1] = page[-1].model_copy(update={"cursor": _written(found[LISTED - 1][1])})
        return page

    @router.get("/api/mine")
    async def mine(request: Request, after: str = "") -> list[GameListing]:
        """A page of the client's games: first those where it is the client's turn, the most urgent first."""
        cursor = _cursor(after)
        person = await identity.known(store, request)
        return await page_of(person, GameSearch(), cursor) if person else []

    @router.get("/api/mine/found")
    async def found(
        request: Request, opponent: NamePart = "", game: GameName = "", result: Result = "all", after: str = ""
    ) -> FoundGames:
        """A page of the client's games as above, only those that fit, and the number of all that do.

        `opponent` is a part of another player's name.
        """
        search, cursor = _search(opponent, game, result), _cursor(after)
        person = await identity.known(store, request)
        if person is None:
            return FoundGames(count=0, games=[])
        return FoundGames(count=await store.count_games(person.id, search), games=await page_of(person, search, cursor))

    @router.get("/api/lobby")
    async def lobby(request: Request) -> list[GameListing]:
        """Open games that anybody can join."""
        person = await identity.known(store, request)
        now = rooms.world.wall()
        return [_listed(row, person, now) for row in await store.open_games(LISTED)]

    @router.get(
        "/api/rooms/{name}/picture.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}}
    )
    async def picture(name: str, client: Client, flip: bool = False) -> Response:
        """The position of a game as a small picture of the board alone. The room is not loaded for it."""
        found = await rooms.position(name)
        if found is None:
            raise HTTPException(404, MISSING)
        position, last = found
        svg = await services.background(client, lambda: position.svg(last=last, flip=flip, labels=False))
        headers = {"Cache-Control": f"private, max-age={PICTURES_KEPT}"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    return router


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


def _listed(row: GameRow, person: Person | None, now: float) -> GameListing:
    kind = game(row.game)
    time = Time.of(row.time)
    people = {i: seat.person for i, seat in enumerate(row.seats) if seat.who == HUMAN}
    yours = [i for i, who in people.items() if person and who == person.id]
    is_over = row.result is not None
    due = None if is_over else row.turn.due
    return GameListing(
        room=row.name,
        page=f"/play/{row.name}",
        game=row.game,
        title=kind.title,
        options=load(row.start).options_text(),
        time=time.label if time else "",
        seats=["" if seat.who == OPEN else seat.name or seat.who for seat in row.seats],
        bots=[i for i, seat in enumerate(row.seats) if seat.who not in (OPEN, HUMAN)],
        yours=yours,
        moves=row.moves,
        result=row.result,
        touched=row.touched,
        waits=not is_over and len(people) > len(yours) and row.turn.seat in yours,
        turn=None if is_over else row.turn.seat,
        left=None if due is None else max(0.0, due - now),
        standing=standing_of(row, person.id if person else None),
    )
