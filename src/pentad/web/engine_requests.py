"""What somebody asks a bot for while it is their turn: a hint, or a word before a move that loses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pentad.game import GameError, Position
from pentad.web import view
from pentad.web.bot_moves import PLACE_EVERY
from pentad.web.connection import Connection
from pentad.web.engines import WorkerFailed
from pentad.web.messages import ErrorMessage, StepMessage, WaitingMessage, WarningMessage

if TYPE_CHECKING:
    from pentad.web.room import Room

HINT_SECONDS, WARNING_SECONDS = 2.0, 1.0


async def hint(room: Room, connection: Connection) -> None:
    """Tell somebody what the best bot would play."""
    position, at = room.game.position, room.game.at
    try:
        text, claim = await room.world.engines.hint(
            position, seconds=HINT_SECONDS, owner=room.owner(connection), on_place=_in_line(room, connection, at)
        )
        connection.send(view.hint(position, position.parse(text), claim, at=at))
    except (WorkerFailed, GameError) as failed:
        connection.send(ErrorMessage(error=f"there is no hint: {failed}"))
    finally:
        connection.finish_request()


async def warn(room: Room, connection: Connection, position: Position, message: StepMessage) -> None:
    """Look whether a move loses; play it if nothing is found, else say so first."""
    try:
        found = await room.world.engines.check(
            position,
            message.steps,
            seconds=WARNING_SECONDS,
            owner=room.owner(connection),
            on_place=_in_line(room, connection, message.at),
        )
    except (WorkerFailed, GameError):
        found = {"loses": False}  # who cannot be warned plays as without warnings
    finally:
        connection.finish_request()
    if found["loses"]:
        connection.send(WarningMessage(at=message.at, steps=message.steps, words=str(found["words"])))
        return
    await room.receive(connection, message.model_copy(update={"warn": False}).model_dump_json())


def _in_line(room: Room, connection: Connection, at: int) -> Callable[[int], None]:
    """Tells somebody where in the line they stand, if they have to: now and then, as it moves fast."""
    told_at: float | None = None  # when they were last told, if they were

    def tell(place: int) -> None:
        nonlocal told_at
        now = room.world.clock()
        is_due = bool(place) if told_at is None else not place or now - told_at >= PLACE_EVERY
        if is_due:
            told_at = now
            connection.send(WaitingMessage(at=at, place=place))

    return tell
