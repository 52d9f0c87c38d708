"""The pictures of the full-screen terminal in the docs, captured in windows of several sizes.

`python -m release.terminal_pictures` writes them, without a terminal: Textual draws the screen as SVG.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pentad
from pentad.play.table import set_table
from pentad.record import Record
from pentad.search.analysis import plain_alphabeta
from pentad.terminal.full_screen.app import Main, PlayApp, Reported
from pentad.terminal.full_screen.display import FullScreen
from pentad.terminal.play_session import Session

FOLDER = Path(__file__).parent.parent / "docs" / "pictures" / "terminal"
SIZES = ((80, 24), (120, 40), (40, 20))
MOVES: Mapping[str, Sequence[str] | int] = {  # they are played before the picture
    "pentago": ("c2 1A", "b4 4C", "d1 3C", "e4 2A", "b1 2C", "a4 1C", "e1 4A", "d5 3A"),
    "pente": ("K10", "L11", "N10", "M12", "K12", "K11", "L10", "M10", "J10", "N13", "M13", "J9", "L9", "K8"),
    "pentagame": 12,  # a number is that of random moves
}
_FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def name(game: str, columns: int, rows: int) -> str:
    """The name of a picture's file."""
    return f"{game}-{columns}x{rows}.svg"


def picture(game: str, columns: int, rows: int) -> str:
    """The screen in the middle of a game, with a short analysis if there is room for it."""
    record = Record(pentad.new(game))
    bot, moves = pentad.bot(game, "random", seed=3), MOVES[game]
    for each in range(moves) if isinstance(moves, int) else moves:
        record.play(bot.choose(record.position) if isinstance(each, int) else each)
    with tempfile.TemporaryDirectory() as home:
        os.environ["PENTAD_HOME"] = home
        return _FONTS.sub("", asyncio.run(_captured(record, columns, rows)))


async def _captured(record: Record, columns: int, rows: int) -> str:
    display = FullScreen(PlayApp, "wood")
    display.session = Session(set_table(record, {0: "human", 1: "random"}, 1), display)
    app = PlayApp(display)
    async with app.run_test(size=(columns, rows)) as pilot:
        main = app.screen
        assert isinstance(main, Main)
        while not main.is_waiting:
            await pilot.pause(0.01)
        if columns > 100:
            evaluate = record.game.module("bot").EVALUATE
            found = plain_alphabeta(record.position, evaluate, seconds=1e6, lines=3, depth=1)
            main.show_report(Reported(record.position, found.report))
        await pilot.pause()
        taken = app.export_screenshot(title=f"pentad play {record.game.name}")
        display.leave()
    return taken


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in MOVES:
        for size in SIZES:
            (FOLDER / name(each, *size)).write_text(picture(each, *size), encoding="utf-8")
