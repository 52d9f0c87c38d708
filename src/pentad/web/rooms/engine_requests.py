"""Engine requests of players: hints, and checks of a move before it is played."""

from __future__ import annotations

import contextlib

from pentad.game import GameError
from pentad.jobs.fair_queue import Owner, PlaceCallback
from pentad.jobs.worker import Answer
from pentad.play.table import Hint
from pentad.web import view
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.messages import ErrorMessage, WaitingMessage, WarningMessage
from pentad.web.rooms.queue_places import at_intervals
from pentad.web.rooms.state import RoomState
from pentad.web.rooms.subscribers import Connection

HINT_SECONDS, WARNING_SECONDS = 2.0, 1.0


async def send_hint(engines: Engines, game: RoomState, owner: Owner, connection: Connection) -> None:
    """Sends the move of the best bot, or why there is none."""
    position = game.position
    try:
        with _sending_places(game, connection) as on_place:
            text, claim = await engines.hint(position, seconds=HINT_SECONDS, owner=owner, on_place=on_place)
        connection.send(view.hint(position, Hint(position.parse(text), claim), at=game.at, flip=connection.flip))
    except (WorkerFailed, GameError) as failed:
        connection.send(ErrorMessage(error=f"No hint: {failed}"))
    finally:
        connection.finish_request()


async def warn(engines: Engines, game: RoomState, owner: Owner, connection: Connection, steps: str) -> bool:
    """Warns of a move if it is a proved blunder; returns whether it did. Without a check there is no warning."""
    found: Answer = {"loses": False}
    try:
        with contextlib.suppress(WorkerFailed, GameError), _sending_places(game, connection) as on_place:
            found = await engines.check(game.position, steps, seconds=WARNING_SECONDS, owner=owner, on_place=on_place)
    finally:
        connection.finish_request()
    if found["loses"]:
        connection.send(WarningMessage(at=game.at, steps=steps, words=str(found["words"])))
    return bool(found["loses"])


def _sending_places(game: RoomState, connection: Connection) -> contextlib.AbstractContextManager[PlaceCallback]:
    return at_intervals(lambda place: connection.send(WaitingMessage(at=game.at, place=place)))
