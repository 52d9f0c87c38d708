"""What a notebook stores of a board that can be played without a kernel: the rules and the scripts of the pages."""

from __future__ import annotations

import base64
import gzip
import re
from pathlib import Path

from pentad.game import GameError, Position
from pentad.web.http.assets import STATIC
from pentad.web.instant import drawings, engines, rules

IMPORTED = (
    "board/choices",
    "instant/looks",
    "instant/engine",
    "instant/game",
    "instant/turns",
    "instant/premoves",
    "instant/room",
)
PATHS = (*(STATIC / f"{name}.js" for name in IMPORTED), Path(__file__).with_suffix(".js"))
LEFT_OUT = re.compile(r"^import .*\n|^ *//.*\n|/\*\*[\s\S]*?\*/\s*", re.MULTILINE)  # their imports, and most comments


def check(start: Position) -> None:
    """Raises an error unless pages can play from this position."""
    if start.game not in (games := drawings.covered()) or start.options_text():
        raise GameError(
            "A standalone board has one of these games, with its default options: {games}.", games=", ".join(games)
        )


def packed(start: Position, *, flip: bool) -> str:
    """All that a page needs to play from a position, compressed, as text; empty after the end of the game."""
    if start.outcome:
        return ""
    engines.folder()  # it is made first where it is missing
    data = drawings.as_json({"script": script(), "rules": rules.of_position(start, flip=flip)})
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def script() -> str:
    """The scripts as one module."""
    return LEFT_OUT.sub("", "".join(path.read_text(encoding="utf-8") for path in PATHS))
