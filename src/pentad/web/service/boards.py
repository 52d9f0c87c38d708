"""Services of boards without a room: pictures of positions and their legal choices. Nothing is stored.

The pages for analysis, puzzles, lessons and models use such boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pentad.drawing import raster
from pentad.game import GameError, Move, game_of
from pentad.web import view
from pentad.web.api_types import ChoiceInfo, OutcomeInfo, PositionText, TurnText
from pentad.web.backend import Backend
from pentad.web.http.exchange import Caller, JsonText, Response, StatusError
from pentad.web.service.router import GET, PNG, POST, SVG, Posted, Route

KEPT = "public, max-age=86400"  # how long a picture of a position may be kept: the same query has the same picture
NO_PNG = "This server cannot make PNG pictures."


@dataclass(frozen=True, kw_only=True)
class BoardQuery:
    """A position and the steps of a turn; `last` is the move that led to it, for the drawing.

    `end` plays a turn to which steps could be added but need not.
    """

    position: PositionText
    steps: TurnText = ""
    end: bool = False
    last: TurnText = ""
    flip: bool = False


@dataclass(frozen=True, kw_only=True)
class BoardAnswer:
    """A position and its choices. If the steps were a whole turn, `moved` is that move and the position is after it.

    `notation` is what people read where it is not the text of the move. `restriction` is the sentence of the prompt
    about rules that exclude other steps, or empty.
    """

    game: str
    title: str
    position: str
    moved: str | None
    notation: str
    words: str
    steps: str
    svg: str
    turn: int
    colour: str
    colours: tuple[str, ...]
    ply: int
    prompt: str
    restriction: str
    may_end: bool
    choices: list[ChoiceInfo]
    status: str
    outcome: OutcomeInfo | None


@dataclass(frozen=True, kw_only=True)
class TurnQuery:
    """A whole turn to show on a board."""

    position: PositionText
    move: TurnText
    flip: bool = False


@dataclass(frozen=True, kw_only=True)
class TurnAnswer:
    """A whole turn: as people write it, in words, its steps with their targets, and the position after it.

    `svg` is the drawing after the first step, if targets of the later ones are in it alone.
    """

    notation: str
    words: str
    steps: list[ChoiceInfo]
    svg: str
    position: str


@dataclass(frozen=True, kw_only=True)
class PictureRequest:
    """A position to draw; a plain picture has no style sheet, for programs that read none.

    Without labels it is the board alone, for lists and links.
    """

    position: PositionText
    last: TurnText = ""
    flip: bool = False
    plain: bool = False
    labels: bool = True


@dataclass(frozen=True, kw_only=True)
class PreviewRequest:
    """A position to draw for a link to it."""

    position: PositionText
    last: TurnText = ""
    flip: bool = False


async def board(backend: Backend, caller: Caller, request: Posted[BoardQuery]) -> JsonText[BoardAnswer]:
    """A position after some steps of a turn, and the next choices."""
    return await backend.background.answer(caller, answer, request.body)


async def turn(backend: Backend, caller: Caller, request: Posted[TurnQuery]) -> TurnAnswer:
    """A whole turn, to show it on a board."""
    return await backend.background(caller, turn_of, request.body)


async def picture(backend: Backend, caller: Caller, request: PictureRequest) -> Response:
    """A position as a separate picture."""

    def draw() -> str:
        position = view.read_position(request.position)
        svg = position.svg(last=request.last or None, flip=request.flip, labels=request.labels)
        return raster.plain(svg) if request.plain else svg

    svg = await backend.background(caller, draw)
    return Response(svg, {"Content-Disposition": "inline; filename=board.svg"})


async def preview(backend: Backend, caller: Caller, request: PreviewRequest) -> Response:
    """A position as a PNG of 1200 by 630 pixels, for a link to it."""
    return await png(backend, caller, request.position, request.last, request.flip, KEPT)


async def png(backend: Backend, caller: Caller, position: str, last: str, flip: bool, keep: str) -> Response:
    """The response with a position as a PNG for links; `keep` is how long other programs may keep it."""
    if not raster.is_available():
        raise StatusError(501, NO_PNG)
    data = await backend.workers(caller, _preview, position, last, flip)
    return Response(data, {"Cache-Control": keep})


ROUTES = (
    Route(POST, "/api/board", board),
    Route(POST, "/api/board/turn", turn),
    Route(GET, "/api/board.svg", picture, media=SVG),
    Route(GET, "/api/board.png", preview, media=PNG, refusals={501: NO_PNG}),
)


@lru_cache(maxsize=64)
def _preview(position: str, last: str, flip: bool) -> bytes:
    return raster.preview(view.read_position(position).svg(last=last or None, flip=flip))


def answer(query: BoardQuery) -> BoardAnswer:
    """The answer to a query; `GameError` if the query is invalid."""
    here = shown = view.read_position(query.position)
    choices = here.choices(query.steps)
    moved, notation, words, steps = None, "", "", query.steps
    last: Move | str | None = query.steps or query.last or None
    if steps and choices.may_end and (query.end or not choices):
        last = moved = here.parse(steps)
        notation, words, steps = view.notation(here, moved), here.describe(moved), ""
        here = shown = here.play(moved)
        choices = here.choices()
    elif query.end:
        raise GameError("The turn cannot end here. {prompt}", prompt=choices.prompt)
    elif steps:
        shown = here.partial(steps)
    return BoardAnswer(
        game=here.game,
        title=game_of(here).title,
        position=here.text,
        moved=None if moved is None else str(moved),
        notation=notation,
        words=words,
        steps=steps,
        svg=shown.svg(last=last, flip=query.flip, style=False),
        turn=here.turn,
        colour=here.colour_of(here.turn),
        colours=tuple(map(here.colour_of, range(here.players))),
        ply=here.ply,
        prompt=choices.prompt,
        restriction=choices.restriction,
        may_end=choices.may_end,
        choices=[info for each in choices for info in view.infos_of(each)],
        status=shown.status,
        outcome=view.outcome_of(here.outcome),
    )


def turn_of(query: TurnQuery) -> TurnAnswer:
    """A whole turn; `GameError` if it is not legal."""
    here = view.read_position(query.position)
    move = here.parse(query.move)
    after, steps = here.play(move), view.touches(here, move)
    return TurnAnswer(
        notation=here.notation(move),
        words=here.describe(move),
        steps=steps,
        svg=view.later_drawing(here, move, steps, flip=query.flip),
        position=after.text,
    )
