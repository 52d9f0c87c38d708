"""Engine requests of a room: the move of a bot, a hint, and a check before a move that may lose."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator

from pentad.game import GameError, Move, Position
from pentad.jobs.fair_queue import Owner, PlaceCallback
from pentad.play.clock import Clock
from pentad.play.seats import HUMAN
from pentad.play.table import Hint
from pentad.web import view
from pentad.web.api import OPEN
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.messages import ErrorMessage, HintAnswer, WarningMessage
from pentad.web.rooms.history import History

HINT_SECONDS, WARNING_SECONDS = 2.0, 1.0
PLACE_EVERY = 1.0  # seconds between reports of the place in the queue
SHARE, LEAST = 25.0, 0.05  # a bot uses one part in SHARE of its remaining time, and at least LEAST seconds


async def bot_move(
    engines: Engines, game: History, *, seed: int, now: float, owner: Owner, show_place: PlaceCallback
) -> tuple[Move, bool]:
    """The move of the bot to move, and whether a warm-up bot found it, as the bot is not compiled yet."""
    seat, position, is_simpler = game.seat, game.position, False
    assert seat is not None

    def note_simpler() -> None:
        nonlocal is_simpler
        is_simpler = True

    with _at_intervals(show_place) as on_place:
        text = await engines.move(
            position,
            game.seats[seat].who,
            seed=seed,
            seconds=_seconds(game.clock, seat, now),
            owner=owner,
            on_place=on_place,
            simpler=note_simpler if is_for_people(game) else None,  # among bots no warm-up bot is needed
        )
    return position.parse(text), is_simpler


def is_for_people(game: History) -> bool:
    """Whether a person plays or is expected."""
    return any(seat.who in (HUMAN, OPEN) for seat in game.seats)


def _seconds(clock: Clock | None, seat: int, now: float) -> float | None:
    """The time limit of a bot: a part of its remaining time, or its own default."""
    if clock is None or clock.time.days:
        return None
    left = clock.left(now)[seat]
    return max(LEAST, min(left / SHARE + clock.time.increment / 2, left / 3))


async def hint(
    engines: Engines, position: Position, *, at: int, owner: Owner, show_place: PlaceCallback
) -> HintAnswer | ErrorMessage:
    """A hint, the move of the best bot; or why there is none."""
    try:
        with _at_intervals(show_place) as on_place:
            text, claim = await engines.hint(position, seconds=HINT_SECONDS, owner=owner, on_place=on_place)
        return view.hint(position, Hint(position.parse(text), claim), at=at)
    except (WorkerFailed, GameError) as failed:
        return ErrorMessage(error=f"No hint: {failed}")


async def blunder(
    engines: Engines, position: Position, steps: str, *, at: int, owner: Owner, show_place: PlaceCallback
) -> WarningMessage | None:
    """A warning, if a move is a proved blunder. Without a check there is none."""
    try:
        with _at_intervals(show_place) as on_place:
            found = await engines.check(position, steps, seconds=WARNING_SECONDS, owner=owner, on_place=on_place)
    except (WorkerFailed, GameError):
        return None
    return WarningMessage(at=at, steps=steps, words=str(found["words"])) if found["loses"] else None


@contextlib.contextmanager
def _at_intervals(show: PlaceCallback) -> Iterator[Callable[[int], None]]:
    """A callback for places in the queue that shows the latest one at intervals, and 0 at once after any other."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None
    due, latest, shown = loop.time(), 0, 0

    def show_latest() -> None:
        nonlocal timer, due, shown
        timer, due, shown = None, loop.time() + PLACE_EVERY, latest
        show(shown)

    def stop() -> None:
        nonlocal timer
        if timer:
            timer.cancel()
            timer = None

    def on_place(place: int) -> None:
        nonlocal timer, latest
        latest = place
        if place and not timer:
            timer = loop.call_at(due, show_latest)
        elif not place:
            stop()
            if shown:
                show_latest()

    try:
        yield on_place
    finally:
        stop()
