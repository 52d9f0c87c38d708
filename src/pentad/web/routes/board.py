"""Boards without a room: pictures of positions and their legal choices. Nothing is stored.

The pages for analysis, puzzles, lessons and models use such boards.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from pentad.game import GameError, Move, Position, game_of
from pentad.web import view
from pentad.web.api import LONGEST_POSITION, LONGEST_TURN, ChoiceInfo, Model, OutcomeInfo, Refusal
from pentad.web.services import Client, Services

WRONG: dict[int | str, dict[str, Any]] = {
    422: {"model": Refusal, "description": "The request is invalid; the error says why."}
}

PositionText = Annotated[str, Field(max_length=LONGEST_POSITION)]
TurnText = Annotated[str, Field(max_length=LONGEST_TURN)]


class BoardQuery(Model):
    """A position and the steps of a turn; `last` is the move that led to it, for the drawing.

    `end` plays a turn to which steps could be added but need not.
    """

    position: PositionText
    steps: TurnText = ""
    end: bool = False
    last: TurnText = ""
    flip: bool = False


class BoardAnswer(Model):
    """A position and its choices. If the steps were a whole turn, `moved` is that move and the position is after it."""

    game: str
    title: str
    position: str
    moved: str | None
    words: str
    steps: str
    svg: str
    turn: int
    colour: str
    colours: tuple[str, ...]
    ply: int
    prompt: str
    may_end: bool
    choices: list[ChoiceInfo]
    status: str
    outcome: OutcomeInfo | None


def router(services: Services) -> APIRouter:
    """The routes for boards without a room."""
    router = APIRouter(responses=WRONG)

    @router.post("/api/board", response_model=BoardAnswer)
    async def board(query: BoardQuery, client: Client) -> Response:
        """A position after some steps of a turn, and the next choices."""
        return await services.background.answer(client, answer, query)

    @router.get("/api/board.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
    async def picture(
        client: Client,
        position: Annotated[str, Query(max_length=LONGEST_POSITION)],
        last: Annotated[str, Query(max_length=LONGEST_TURN)] = "",
        flip: bool = False,
    ) -> Response:
        """A position as a separate picture."""
        svg = await services.background(client, lambda: view.read_position(position).svg(last=last or None, flip=flip))
        return Response(svg, media_type="image/svg+xml", headers={"Content-Disposition": "inline; filename=board.svg"})

    return router


def answer(query: BoardQuery) -> BoardAnswer:
    """The answer to a query; `GameError` if the query is invalid."""
    before = view.read_position(query.position)
    choices = before.choices(query.steps)
    if query.steps and choices.may_end and (query.end or not choices):
        move = before.parse(query.steps)
        return _answer(before.play(move), moved=move, words=before.describe(move), last=move, flip=query.flip)
    if query.end:
        raise GameError(f"The turn cannot end here. {choices.prompt}")
    return _answer(before, steps=query.steps, last=query.steps or query.last or None, flip=query.flip)


def _answer(
    position: Position,
    *,
    moved: Move | None = None,
    words: str = "",
    steps: str = "",
    last: Move | str | None = None,
    flip: bool = False,
) -> BoardAnswer:
    here = position.partial(steps) if steps else position
    choices = position.choices(steps)
    outcome = position.outcome
    return BoardAnswer(
        game=position.game,
        title=game_of(position).title,
        position=position.text,
        moved=None if moved is None else str(moved),
        words=words,
        steps=steps,
        svg=here.svg(last=last, flip=flip, style=False),
        turn=position.turn,
        colour=position.colour_of(position.turn),
        colours=tuple(map(position.colour_of, range(position.players))),
        ply=position.ply,
        prompt=choices.prompt,
        may_end=choices.may_end,
        choices=view.choice_infos(choices),
        status=here.status,
        outcome=view.outcome_of(outcome),
    )
