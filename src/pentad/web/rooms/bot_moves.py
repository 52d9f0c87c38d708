"""Moves of bots in a room: searched by the engines, then played like a person's moves."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

from pentad.play.seats import HUMAN
from pentad.store.rows import StoreError
from pentad.web.api import OPEN
from pentad.web.engines import WorkerFailed
from pentad.web.rooms.history import StaleState

if TYPE_CHECKING:
    from pentad.web.rooms.room import Room

log = logging.getLogger(__name__)

PACE = 1.0  # seconds between moves in a game of bots, so that viewers can follow
PLACE_EVERY = 1.0  # seconds between reports of the place in the queue
SHARE, LEAST = 25.0, 0.05  # a bot uses one part in SHARE of its remaining time, and at least LEAST seconds


class BotSearch:
    """The search of a room's bot, while it is to move and somebody waits for it.

    The room is a parameter of each method, as an attribute would make a reference cycle.
    """

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._is_storing = False  # whether its move is being stored and must not be cancelled
        self._seed = secrets.randbits(32)
        self._place, self._sent_at = 0, -PLACE_EVERY  # in the queue, and when it was last sent
        self._place_timer: asyncio.TimerHandle | None = None
        self._simpler = False  # whether a warm-up bot found the move, as the bot is not compiled yet

    @property
    def is_running(self) -> bool:
        """Whether it runs, or its move is being stored."""
        return self._task is not None

    def start(self, room: Room) -> None:
        """Starts the search, unless it runs."""
        if not self._task:
            self._task = room.start(lambda: self._move(room))

    def cancel(self, room: Room) -> None:
        """Cancels the search."""
        if self._task is not None and self._task is not asyncio.current_task():
            if self._is_storing:
                return  # what is being stored must be completed
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
            move = await self._request_move(room, who, seat)
            self._forget_place(room)
            self._is_storing = True
            async with room.changing:
                if room.game is game and game.at == at:
                    await room.play(move, room.world.clock(), simpler=self._simpler)
                    room.failures = 0
        except StaleState:
            pass  # the game has changed; the bot to move now is woken below
        except (StoreError, WorkerFailed) as failed:
            room.report_failure(str(failed) if isinstance(failed, StoreError) else f"{who} cannot move: {failed}")
        except Exception as failed:  # a game must not stop because of any failure of a bot
            log.exception("Room %s: %s cannot move.", room.name, who)
            room.report_failure(f"{who} cannot move: {failed}", again=False)
        finally:
            self._is_storing = False
            if self._task is asyncio.current_task():
                self._task = None
                self._forget_place(room)
        room.resume_play()

    async def _request_move(self, room: Room, who: str, seat: int) -> str:
        """The move, once the request has its turn."""
        game = room.game
        seed, seconds = self._seed + game.at, self._seconds(room, seat)
        self._simpler = False
        for_people = any(each.who in (HUMAN, OPEN) for each in game.seats)  # among bots no warm-up bot is needed
        return await room.world.engines.move(
            game.position,
            who,
            seed=seed,
            seconds=seconds,
            owner=room.owner(),
            on_place=lambda place: self._report_place(room, place),
            simpler=self._note_simpler if for_people else None,
        )

    def _note_simpler(self) -> None:
        self._simpler = True

    def _report_place(self, room: Room, place: int) -> None:
        """Sends the place in the queue, at intervals."""
        self._place = place
        if not place:
            self._forget_place(room)
        elif self._place_timer is None:
            wait = max(0.0, self._sent_at + PLACE_EVERY - room.world.clock())
            self._place_timer = asyncio.get_running_loop().call_later(wait, self._send_place, room)

    def _send_place(self, room: Room) -> None:
        self._place_timer = None
        self._sent_at = room.world.clock()
        room.subscribers.line = self._place
        room.send_presence()

    def _forget_place(self, room: Room) -> None:
        """Forgets the place, as the request no longer waits."""
        if self._place_timer:
            self._place_timer.cancel()
            self._place_timer = None
        if room.subscribers.line:
            room.subscribers.line = 0
            room.send_presence()

    def _seconds(self, room: Room, seat: int) -> float | None:
        """The bot's time limit: a part of its remaining time, or its own default."""
        clock = room.game.clock
        if clock is None or clock.time.days:
            return None
        left = clock.left(room.world.clock())[seat]
        return max(LEAST, min(left / SHARE + clock.time.increment / 2, left / 3))
