"""pentagraph's `render`, which shows a board in the browser, without a server."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path

from pentad.bridges.pentagraph.lib.graph import Board
from pentad.bridges.pentagraph.positions import unchecked_position


def page(rawboard: Board, fullscreen: bool = True, base: int = 300) -> str:
    """The page with the board's picture, as large as the window or `base` pixels wide."""
    size = "100vmin" if fullscreen else f"{base}px"
    style = f"body{{margin:0;display:grid;place-items:center;min-height:100vh}}svg{{width:{size};height:{size}}}"
    head = f'<meta charset="utf-8"><title>Pentagame</title><style>{style}</style>'
    picture = unchecked_position(rawboard).svg()
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{picture}</body></html>\n'


def render(rawboard: Board, fullscreen: bool = True, base: int = 300) -> None:
    """Shows the board in the browser."""
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(page(rawboard, fullscreen, base))
    webbrowser.open(Path(file.name).as_uri())
