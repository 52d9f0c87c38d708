"""Bot runner: lets the bot to move search in a worker, and plays its move."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Protocol

from pentad.game import Move
from pentad.jobs.fair_queue import Owner
from pentad.play.seats import HUMAN
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.store.rows import StoreError
from pentad.system.metrics import CounterMetric, Histogram
from pentad.web.api_types import OPEN
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.rooms.background import Tasks
from pentad.web.rooms.queue_places import at_intervals
from pentad.web.rooms.state import RoomState, StaleState

log = logging.getLogger(__name__)

THOUGHTS = Histogram("pentad_bot_move_seconds", "Seconds until bots had chosen their moves.", "game", "bot")
FAILURES = CounterMetric("pentad_bot_failures_total", "Searches of bots that gave no move.", "game", "bot")
PACE_SECONDS = 1.0  # viewers can follow a game of bots at this pace


class BotHost(Protocol):
    """What a runner needs of the room that wakes it."""

    @property
    def name(self) -> str: ...

    def owner(self) -> Owner: ...

    async def play_for_bot(self, game: RoomState, move: Move, *, simpler: bool) -> None:
        """Plays a move in this state, if it is still the current one."""

    def show_place(self, place: int) -> None:
        """Shows the bot's place in the queue; 0 if it does not wait."""

    def report_failure(self, why: str, *, again: bool = True) -> None: ...

    def resume_play(self) -> None: ...


class BotRunner:
    """The bots of a room, of which one searches at a time."""

    def __init__(self, engines: Engines, clock: Callable[[], float], tasks: Tasks) -> None:
        self._engines, self._clock, self._tasks = engines, clock, tasks
        self._task: asyncio.Task[None] | None = None  # the search of the bot to move, and the storing of its move
        self._is_storing = False  # whether a bot's move is being stored and must not be cancelled
        self._seed = secrets.randbits(32)

    @property
    def is_busy(self) -> bool:
        """Whether a bot searches, or its move is being stored."""
        return self._task is not None

    def wake(self, host: BotHost, game: RoomState) -> None:
        """Starts the search of the bot to move, unless one goes on."""
        self._task = self._task or self._tasks.start(lambda: self._run(host, game))

    def cancel(self) -> bool:
        """Cancels the search and returns whether there was one; what is being stored is completed."""
        task, is_own = self._task, self._task is asyncio.current_task()
        if task is None or (self._is_storing and not is_own):
            return False
        self._task = None
        return not is_own and task.cancel()

    async def _run(self, host: BotHost, game: RoomState) -> None:
        who = game.bot_to_move
        assert who is not None
        try:
            move, simpler = await self._choose(host, game, who)
            host.show_place(0)
            self._is_storing = True
            await host.play_for_bot(game, move, simpler=simpler)
        except StaleState:
            pass  # the game has changed; the bot to move now is woken below
        except StoreError as failed:
            host.report_failure(str(failed))
        except WorkerFailed as failed:
            FAILURES.add(*_labels(game, who))
            host.report_failure(f"{who} cannot move: {failed}")
        except Exception as failed:  # a game must not stop because of any failure of a bot
            FAILURES.add(*_labels(game, who))
            log.exception("Room %s: %s cannot move.", host.name, who)
            host.report_failure(f"{who} cannot move: {failed}", again=False)
        finally:
            self._is_storing = False
            if self._task is asyncio.current_task():
                self._task = None
                host.show_place(0)
        host.resume_play()

    async def _choose(self, host: BotHost, game: RoomState, who: str) -> tuple[Move, bool]:
        """The move of the bot to move, and whether a simpler bot has played for it."""
        for_people, is_simpler = any(each.who in (HUMAN, OPEN) for each in game.seats), False

        def note_simpler() -> None:
            nonlocal is_simpler
            is_simpler = True

        if game.at and not for_people:
            await asyncio.sleep(PACE_SECONDS)
        begun = self._clock()
        with at_intervals(host.show_place) as on_place:
            text = await self._engines.move(
                game.position,
                who,
                seed=self._seed + game.at,
                limit=_limit(game, self._clock()),
                owner=host.owner(),
                on_place=on_place,
                simpler=note_simpler if for_people else None,  # among bots no warm-up bot is needed
            )
        THOUGHTS.observe(self._clock() - begun, *_labels(game, who))
        return game.position.parse(text), is_simpler


def _labels(game: RoomState, who: str) -> tuple[str, str]:
    """The game and the bot without its level, for metrics."""
    return game.row.game, who.partition("@")[0]


def _limit(game: RoomState, now: float) -> Limit:
    """The limit of the bot to move; its own default without a clock."""
    clock, seat = game.clock, game.seat
    return DEFAULT_LIMIT if clock is None or clock.time.days or seat is None else clock.limit(seat, now)
