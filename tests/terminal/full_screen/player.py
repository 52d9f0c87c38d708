"""The full screen without a terminal, played by Textual's pilot."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from pentad.game import Choice
from pentad.play.table import set_table
from pentad.record import Record
from pentad.terminal.full_screen.app import ClickableBoard, Main, PlayApp
from pentad.terminal.full_screen.display import FullScreen
from pentad.terminal.full_screen.view import View
from pentad.terminal.play_session import Session
from tests.waiting import TIMEOUT


class Player:
    """A person at the screen."""

    def __init__(
        self,
        record: Record,
        seats: Mapping[int, str],
        seed: int | None = 1,
        now: Callable[[], float] = time.monotonic,
        **about: Any,
    ) -> None:
        self.display = FullScreen(PlayApp, "wood", **about)
        table = set_table(record, seats, seed, now=now)
        self.session = self.display.session = Session(table, self.display, seed=seed, now=now)
        self.app = PlayApp(self.display)
        self.pilot: Pilot[None]

    @property
    def main(self) -> Main:
        main = self.app.screen_stack[0]
        assert isinstance(main, Main)
        return main

    @property
    def view(self) -> View:
        assert self.main._view
        return self.main._view

    async def until(self, condition: Callable[[], object], what: str = "it") -> None:
        """Waits until a condition holds."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end, f"{what} did not happen"
            assert self.display._failure is None
            assert self.app._exception is None
            await self.pilot.pause(0.005)

    async def turn(self) -> None:
        """Waits for the person's turn, or for the end of the game."""
        await self.until(lambda: self.main._view and not self.view.busy and self.is_waiting, "the turn")

    @property
    def is_waiting(self) -> bool:
        return self.display._waits and (self.view.choices is not None or self.view.turn is None)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def press_at_once(self, keys: str) -> None:
        """Presses keys that arrive together, as over a slow line."""
        for key in keys:
            self.app.post_message(events.Key("enter" if key == "\r" else _character_to_key(key), key))
        await self.pilot.pause()

    def text(self, name: str) -> str:
        """What a part of the screen shows."""
        widget = self.main.query_one(f"#{name}")
        return "\n".join(widget.render_line(row).text.rstrip() for row in range(widget.size.height))

    # ── two ways to choose ───────────────────────────────────────────────────────────────────────

    async def choose_by_keys(self, choice: Choice) -> None:
        """Moves the cursor to each target of a choice, and presses Enter."""
        for name in self.touches(choice):
            for _ in range(400):
                if self.main._cursor == name:
                    break
                await self.press("tab")
            assert self.main._cursor == name
            await self.press("enter")

    async def choose_by_mouse(self, choice: Choice) -> None:
        """Clicks on each target of a choice."""
        for name in self.touches(choice):
            await self.click(name)

    async def click(self, name: str) -> None:
        """Scrolls to a target if need be, and clicks on it."""
        row, column = self.main._chart.places(name)[0]
        board = self.main.query_one("#board", ClickableBoard)
        await self.pilot.click(board, offset=(column - board.corner.x, row - board.corner.y))

    def touches(self, choice: Choice) -> tuple[str, ...]:
        """The targets of a choice; those of a choice that is not on the board are one below it."""
        off = [str(each) for each in self.main._off_board]
        return (f"#{off.index(str(choice))}",) if str(choice) in off else choice.targets


@asynccontextmanager
async def at(player: Player, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Player]:
    """A player at a screen of some columns and rows; the session is ended afterwards."""
    async with player.app.run_test(size=size) as pilot:
        player.pilot = pilot
        await player.turn()
        try:
            yield player
        finally:
            player.display.leave()
            player.display._thread.join()


def play(work: Callable[[], Any]) -> None:
    """Runs a test that waits."""
    asyncio.run(work())
