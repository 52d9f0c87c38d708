"""The service of moves tried in place of a mistake. The mistakes themselves are kept in the browsers of the players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pentad.game import Move, Position
from pentad.web import view
from pentad.web.api_types import PositionText, TurnText
from pentad.web.backend import Backend
from pentad.web.engines import WorkerFailed
from pentad.web.http import identity
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.service.learn import CheckAnswer
from pentad.web.service.router import POST, Posted, Route
from pentad.web.typed_json import Length

SECONDS = 1.0  # for the position after each move
BUSY = {503: "No engine has answered."}


@dataclass(frozen=True, kw_only=True)
class AttemptQuery:
    """A move tried at a position where a review has found the move `best` better than the move `played`."""

    position: PositionText
    move: TurnText
    best: Annotated[TurnText, Length(400, 1)]
    played: TurnText = ""


async def attempt(backend: Backend, caller: Caller, request: Posted[AttemptQuery]) -> CheckAnswer:
    """Whether a move is good enough, by the measure of reviews."""
    query = request.body
    here, move = await backend.background(caller, _read, query)
    owner = await identity.owner(backend.store, caller)
    try:
        found = await backend.engines.attempt(
            here, str(move), best=query.best, played=query.played, seconds=SECONDS, owner=owner
        )
    except WorkerFailed as failed:
        raise StatusError(503, str(failed)) from None
    return CheckAnswer(
        right=bool(found["right"]),
        words=str(found["words"]),
        move=str(move),
        move_words=here.describe(move),
        position=here.play(move).text,
    )


ROUTES = (Route(POST, "/api/mistakes/try", attempt, refusals=BUSY),)


def _read(query: AttemptQuery) -> tuple[Position, Move]:
    """The position and the move tried; `GameError` if one of the moves is not legal there."""
    here = view.read_position(query.position)
    for text in filter(None, (query.best, query.played)):
        here.play(text)
    move = here.parse(query.move)
    here.play(move)
    return here, move
