"""The bot that is to move in a room: it thinks elsewhere, and what it finds is played as anybody's move is."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

from pentad.play.seats import HUMAN
from pentad.store.rows import StoreError
from pentad.web.api import OPEN
from pentad.web.engines import WorkerFailed
from pentad.web.history import GoneOn

if TYPE_CHECKING:
    from pentad.web.room import Room

log = logging.getLogger(__name__)

PACE = 1.0  # seconds between the moves of bots that nobody plays against, so that they can be followed
PLACE_EVERY = 1.0  # seconds between two looks at how long the line still is
SHARE, LEAST = 25.0, 0.05  # a bot uses this part of what its clock has left, and at least so many seconds


class Thinking:
    """What a room's bot is doing, if it is to move and somebody waits for it."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: asyncio.Task[None] | None = None
        self._keeps = False  # whether its move is being kept, so that nobody may end it
        self._seed = secrets.randbits(32)
        self._place, self._told_at = 0, -PLACE_EVERY  # in the line, and when that was told last
        self._telling: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Let it think, unless it does."""
        if not self._task:
            self._task = self._room.start(self._move)

    def stop(self) -> None:
        """Nobody needs what it thinks about any more."""
        if self._task is not None and self._task is not asyncio.current_task():
            if self._keeps:
                return  # what is being kept must be done, too
            self._task.cancel()
            self._forget_place()
        self._task = None

    async def _move(self) -> None:
        room, game, at = self._room, self._room.game, self._room.game.at
        seat = game.seat
        assert seat is not None
        who = game.seats[seat].who
        try:
            if at and not any(each.who in (HUMAN, OPEN) for each in game.seats):
                await asyncio.sleep(PACE)
            move = await self._found(who, seat)
            self._forget_place()
            self._keeps = True
            async with room.changing:
                if room.game is game and game.at == at:
                    await room.play(move, room.world.clock())
                    room.failures = 0
        except GoneOn:
            pass  # this is how it stands, and whoever is to move now is woken below
        except (StoreError, WorkerFailed) as failed:
            room.in_trouble(str(failed) if isinstance(failed, StoreError) else f"{who} cannot move: {failed}")
        except Exception as failed:  # a game must not stand still because of a bot, whatever ails it
            log.exception("room %s: %s cannot move", room.name, who)
            room.in_trouble(f"{who} cannot move: {failed}", again=False)
        finally:
            self._keeps = False
            if self._task is asyncio.current_task():
                self._task = None
                self._forget_place()
        room.wake()

    async def _found(self, who: str, seat: int) -> str:
        """The move, after those who have asked before."""
        room, game = self._room, self._room.game
        seed, seconds = self._seed + game.at, self._seconds(seat)
        return await room.world.engines.move(
            game.position, who, seed=seed, seconds=seconds, owner=room.name, waiting=self._tell_place
        )

    def _tell_place(self, place: int) -> None:
        """Tell where in the line it waits; a line moves on faster than anybody reads."""
        self._place = place
        if not place:
            self._forget_place()
        elif self._telling is None:
            wait = max(0.0, self._told_at + PLACE_EVERY - self._room.world.clock())
            self._telling = asyncio.get_running_loop().call_later(wait, self._tell)

    def _tell(self) -> None:
        self._telling = None
        self._told_at = self._room.world.clock()
        self._room.audience.line = self._place
        self._room.tell_around()

    def _forget_place(self) -> None:
        """It waits no longer."""
        if self._telling:
            self._telling.cancel()
            self._telling = None
        if self._room.audience.line:
            self._room.audience.line = 0
            self._room.tell_around()

    def _seconds(self, seat: int) -> float | None:
        """How long it may think: as it is used to, or a part of what its clock has left."""
        clock = self._room.game.clock
        if clock is None or clock.time.days:
            return None
        left = clock.left(self._room.world.clock())[seat]
        return max(LEAST, min(left / SHARE + clock.time.increment / 2, left / 3))
