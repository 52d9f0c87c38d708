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
from pentad.web.history import StaleState

if TYPE_CHECKING:
    from pentad.web.room import Room

log = logging.getLogger(__name__)

PACE = 1.0  # seconds between the moves of bots that nobody plays against, so that they can be followed
PLACE_EVERY = 1.0  # seconds between two looks at how long the line still is
SHARE, LEAST = 25.0, 0.05  # a bot uses this part of what its clock has left, and at least so many seconds


class BotSearch:
    """What a room's bot is doing, if it is to move and somebody waits for it.

    The room is handed in each time: kept here, the two would keep each other in memory.
    """

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._keeps = False  # whether its move is being kept, so that nobody may end it
        self._seed = secrets.randbits(32)
        self._place, self._told_at = 0, -PLACE_EVERY  # in the line, and when that was told last
        self._telling: asyncio.TimerHandle | None = None
        self._simpler = False  # whether a simpler bot has found the move, as the bot itself is still compiled

    @property
    def goes_on(self) -> bool:
        """Whether it thinks, or its move is being kept."""
        return self._task is not None

    def begin(self, room: Room) -> None:
        """Let it think, unless it does."""
        if not self._task:
            self._task = room.start(lambda: self._move(room))

    def stop(self, room: Room) -> None:
        """Nobody needs what it thinks about any more."""
        if self._task is not None and self._task is not asyncio.current_task():
            if self._keeps:
                return  # what is being kept must be done, too
            self._task.cancel()
            self._forget_place(room)
        self._task = None

    async def _move(self, room: Room) -> None:
        game, at = room.game, room.game.at
        seat = game.seat
        assert seat is not None
        who = game.seats[seat].who
        try:
            if at and not any(each.who in (HUMAN, OPEN) for each in game.seats):
                await asyncio.sleep(PACE)
            move = await self._found(room, who, seat)
            self._forget_place(room)
            self._keeps = True
            async with room.changing:
                if room.game is game and game.at == at:
                    await room.play(move, room.world.clock(), simpler=self._simpler)
                    room.failures = 0
        except StaleState:
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
                self._forget_place(room)
        room.wake()

    async def _found(self, room: Room, who: str, seat: int) -> str:
        """The move, after those who have asked before."""
        game = room.game
        seed, seconds = self._seed + game.at, self._seconds(room, seat)
        self._simpler = False
        for_people = any(each.who in (HUMAN, OPEN) for each in game.seats)  # bots among themselves are waited for
        return await room.world.engines.move(
            game.position,
            who,
            seed=seed,
            seconds=seconds,
            owner=room.owner(),
            on_place=lambda place: self._tell_place(room, place),
            simpler=self._note_simpler if for_people else None,
        )

    def _note_simpler(self) -> None:
        self._simpler = True

    def _tell_place(self, room: Room, place: int) -> None:
        """Tell where in the line it waits; a line moves on faster than anybody reads."""
        self._place = place
        if not place:
            self._forget_place(room)
        elif self._telling is None:
            wait = max(0.0, self._told_at + PLACE_EVERY - room.world.clock())
            self._telling = asyncio.get_running_loop().call_later(wait, self._tell, room)

    def _tell(self, room: Room) -> None:
        self._telling = None
        self._told_at = room.world.clock()
        room.subscribers.line = self._place
        room.send_presence()

    def _forget_place(self, room: Room) -> None:
        """It waits no longer."""
        if self._telling:
            self._telling.cancel()
            self._telling = None
        if room.subscribers.line:
            room.subscribers.line = 0
            room.send_presence()

    def _seconds(self, room: Room, seat: int) -> float | None:
        """How long it may think: as it is used to, or a part of what its clock has left."""
        clock = room.game.clock
        if clock is None or clock.time.days:
            return None
        left = clock.left(room.world.clock())[seat]
        return max(LEAST, min(left / SHARE + clock.time.increment / 2, left / 3))
