"""Routes of the analysis page: games read and written, the position editor, and the analysis session."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response, WebSocket
from pydantic import Field

from pentad.web.api import LONGEST_POSITION, LONGEST_TURN, Model, Refusal
from pentad.web.http import identity
from pentad.web.services import Client, Services
from pentad.web.study import position_editor, study_text
from pentad.web.study.analysis_session import AnalysisSession

WRONG: dict[int | str, dict[str, Any]] = {
    422: {"model": Refusal, "description": "The text cannot be read; the error says where."}
}


class TextQuery(Model):
    """A text with a position or a game; `game` is the game of bare moves, `number` the game to read."""

    text: str = Field(max_length=study_text.LONGEST_TEXT)
    game: str | None = Field(None, max_length=40)
    number: int = Field(1, ge=1)


class LineQuery(Model):
    """A start position, or a game's name with options, and moves; with `as_far` up to the first illegal move."""

    start: str = Field(max_length=LONGEST_POSITION)
    moves: list[Annotated[str, Field(max_length=LONGEST_TURN)]] = Field([], max_length=study_text.MOST_NODES)
    as_far: bool = False


def router(services: Services) -> APIRouter:
    """The routes of the page."""
    router = APIRouter(responses=WRONG)

    @router.post("/api/study/read", response_model=study_text.Tree)
    async def read(query: TextQuery, client: Client) -> Response:
        """The game in a text: pentad's own format, JSON, SGF, PSQ, PGN, a position, or typed moves."""
        return await services.background.answer(client, study_text.read_text, query.text, query.game, query.number)

    @router.post("/api/study/line", response_model=study_text.Tree)
    async def line(query: LineQuery, client: Client) -> Response:
        """The game of a link: a start position and moves."""
        return await services.background.answer(
            client, study_text.read_line, query.start, query.moves, as_far=query.as_far
        )

    @router.post("/api/study/write")
    async def write(request: study_text.TreeRequest, client: Client) -> study_text.Written:
        """A game as text."""
        return await services.background(client, study_text.write_tree, request)

    @router.get("/api/study/pieces")
    async def pieces(
        client: Client, position: Annotated[str, Query(max_length=LONGEST_POSITION)], flip: bool = False
    ) -> position_editor.Draft:
        """What can be edited on a board."""
        return await services.background(client, position_editor.draft, position, flip)

    @router.post("/api/study/edit")
    async def edit(request: position_editor.Edit, client: Client) -> position_editor.Draft:
        """A board after an edit."""
        return await services.background(client, position_editor.edit, request)

    @router.websocket("/api/study/engine")
    async def engine(socket: WebSocket) -> None:
        await socket.accept()
        await AnalysisSession(socket, services.engines, await identity.owner(services.store, socket)).serve()

    return router
