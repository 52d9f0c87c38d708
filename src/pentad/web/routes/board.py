"""Boards without a room: pictures of positions and their legal choices. Nothing is stored.

The pages for analysis, puzzles, lessons and models use such boards.
"""

from __future__ import annotations

from fastapi import APIRouter, Response

from pentad.game import GameError, Move, game_of
from pentad.web import view
from pentad.web.api import ChoiceInfo, Model, OutcomeInfo, PositionText, TurnText
from pentad.web.services import Client, Services


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
    router = APIRouter()

    @router.post("/api/board", response_model=BoardAnswer)
    async def board(query: BoardQuery, client: Client) -> Response:
        """A position after some steps of a turn, and the next choices."""
        return await services.background.answer(client, answer, query)

    @router.get("/api/board.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
    async def picture(
        client: Client, position: PositionText, last: TurnText = "", flip: bool = False, labels: bool = True
    ) -> Response:
        """A position as a separate picture; without labels it is the board alone, for lists and links."""
        svg = await services.background(
            client, lambda: view.read_position(position).svg(last=last or None, flip=flip, labels=labels)
        )
        return Response(svg, media_type="image/svg+xml", headers={"Content-Disposition": "inline; filename=board.svg"})

    return router


def answer(query: BoardQuery) -> BoardAnswer:
    """The answer to a query; `GameError` if the query is invalid."""
    here = shown = view.read_position(query.position)
    choices = here.choices(query.steps)
    moved, words, steps = None, "", query.steps
    last: Move | str | None = query.steps or query.last or None
    if steps and choices.may_end and (query.end or not choices):
        last = moved = here.parse(steps)
        words, steps = here.describe(moved), ""
        here = shown = here.play(moved)
        choices = here.choices()
    elif query.end:
        raise GameError(f"The turn cannot end here. {choices.prompt}")
    elif steps:
        shown = here.partial(steps)
    return BoardAnswer(
        game=here.game,
        title=game_of(here).title,
        position=here.text,
        moved=None if moved is None else str(moved),
        words=words,
        steps=steps,
        svg=shown.svg(last=last, flip=query.flip, style=False),
        turn=here.turn,
        colour=here.colour_of(here.turn),
        colours=tuple(map(here.colour_of, range(here.players))),
        ply=here.ply,
        prompt=choices.prompt,
        may_end=choices.may_end,
        choices=[info for each in choices for info in view.infos_of(each)],
        status=shown.status,
        outcome=view.outcome_of(here.outcome),
    )
