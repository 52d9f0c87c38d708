"""Engine requests of a player to move: a hint, or a warning before a losing move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pentad.game import GameError, Position
from pentad.play.table import Hint
from pentad.web import view
from pentad.web.engines import WorkerFailed
from pentad.web.messages import ErrorMessage, StepMessage, WaitingMessage, WarningMessage
from pentad.web.rooms.bot_moves import PLACE_EVERY
from pentad.web.rooms.connection import Connection

if TYPE_CHECKING:
    from pentad.web.rooms.room import Room

HINT_SECONDS, WARNING_SECONDS = 2.0, 1.0


async def hint(room: Room, connection: Connection) -> None:
    """Sends a hint: the move of the best bot."""
    position, at = room.game.position, room.game.at
    try:
        text, claim = await room.world.engines.hint(
            position, seconds=HINT_SECONDS, owner=room.owner(connection), on_place=_place_reporter(room, connection, at)
        )
        connection.send(view.hint(position, Hint(position.parse(text), claim), at=at))
    except (WorkerFailed, GameError) as failed:
        connection.send(ErrorMessage(error=f"No hint: {failed}"))
    finally:
        connection.finish_request()


async def warn(room: Room, connection: Connection, position: Position, message: StepMessage) -> None:
    """Plays a move unless it is a proved blunder, of which it warns first."""
    try:
        found = await room.world.engines.check(
            position,
            message.steps,
            seconds=WARNING_SECONDS,
            owner=room.owner(connection),
            on_place=_place_reporter(room, connection, message.at),
        )
    except (WorkerFailed, GameError):
        found = {"loses": False}  # without a check the move is played
    finally:
        connection.finish_request()
    if found["loses"]:
        connection.send(WarningMessage(at=message.at, steps=message.steps, words=str(found["words"])))
        return
    await room.receive(connection, message.model_copy(update={"warn": False}).model_dump_json())


def _place_reporter(room: Room, connection: Connection, at: int) -> Callable[[int], None]:
    """Returns a callback that sends the place in the queue at intervals, if the request has to wait."""
    sent_at: float | None = None

    def send_place(place: int) -> None:
        nonlocal sent_at
        now = room.world.clock()
        is_due = bool(place) if sent_at is None else not place or now - sent_at >= PLACE_EVERY
        if is_due:
            sent_at = now
            connection.send(WaitingMessage(at=at, place=place))

    return send_place
