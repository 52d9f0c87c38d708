"""The page for analysis: games read and written, boards set up by hand, and the engines' line to a reader."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response, WebSocket
from pydantic import Field

from pentad.web import identity, position_editor, study
from pentad.web.analysis_session import AnalysisSession
from pentad.web.api import LONGEST_POSITION, LONGEST_TURN, Model, Refusal
from pentad.web.services import Client, Services

WRONG: dict[int | str, dict[str, Any]] = {422: {"model": Refusal, "description": "it cannot be read, and where"}}


class TextQuery(Model):
    """A text that holds a position or a game; `game` is that of moves which do not say it, `number` which game."""

    text: str = Field(max_length=study.LONGEST_TEXT)
    game: str | None = Field(None, max_length=40)
    number: int = Field(1, ge=1)


class LineQuery(Model):
    """A position, or a game's name with its options, and the moves from there; `as_far` as they are legal."""

    start: str = Field(max_length=LONGEST_POSITION)
    moves: list[Annotated[str, Field(max_length=LONGEST_TURN)]] = Field([], max_length=study.MOST_NODES)
    as_far: bool = False


def router(services: Services) -> APIRouter:
    """What the page asks of the server."""
    router = APIRouter(responses=WRONG)

    @router.post("/api/study/read", response_model=study.Tree)
    async def read(query: TextQuery, client: Client) -> Response:
        """The game in a text: pentad's own format, JSON, SGF, PSQ, PGN, a position, or what people type."""
        return await services.background.answer(client, study.read_text, query.text, query.game, query.number)

    @router.post("/api/study/line", response_model=study.Tree)
    async def line(query: LineQuery, client: Client) -> Response:
        """The game that begins with a position and goes on with these moves, as a link tells it."""
        return await services.background.answer(client, study.read_line, query.start, query.moves, as_far=query.as_far)

    @router.post("/api/study/write")
    async def write(wish: study.TreeWish, client: Client) -> study.Written:
        """A game as the text of a file."""
        return await services.background(client, study.write_tree, wish)

    @router.get("/api/study/pieces")
    async def pieces(
        client: Client, position: Annotated[str, Query(max_length=LONGEST_POSITION)], flip: bool = False
    ) -> position_editor.Draft:
        """What can be put on a board to set up a position by hand."""
        return await services.background(client, position_editor.draft, position, flip)

    @router.post("/api/study/edit")
    async def edit(wish: position_editor.Edit, client: Client) -> position_editor.Draft:
        """A board after something was put on it."""
        return await services.background(client, position_editor.edit, wish)

    @router.websocket("/api/study/engine")
    async def engine(socket: WebSocket) -> None:
        await socket.accept()
        await AnalysisSession(socket, services.engines, await identity.owner(services.store, socket)).serve()

    return router
