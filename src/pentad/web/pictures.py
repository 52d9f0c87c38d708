"""Small pictures of positions for lists: the board alone, without ground and coordinates, as a file of its own."""

from __future__ import annotations

import re
from typing import NamedTuple

MARGIN = 4.0  # around the board
HIDDEN = ".pentad :is(.ground, .label, .number, .words) { display: none; }"

_TILE = re.compile(r'<(?:rect|circle)\b[^>]*\bclass="tile"[^>]*>')
_NUMBERS = re.compile(r'\b(x|y|width|height|cx|cy|r)="(-?[0-9.]+)"')
_SIZE = re.compile(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"')
_FOR_PLAYERS = re.compile(  # what is there to be touched or read out
    r'<(title|desc)>[^<]*</\1>\n?|<(?:rect|circle|polygon|path)\b[^>]*\bclass="(?:touch|thumb|halo)"[^>]*/>'
    r'|<defs class="next">.*</defs>'
)
_EMPTY = re.compile(r"<g\b[^>]*></g>\n?")


class Box(NamedTuple):
    """A part of a drawing, by its edges."""

    left: float
    top: float
    right: float
    bottom: float


def board_alone(svg: str) -> str:
    """A drawing with its style, cut down to the board.

    A drawing in which no board is found, such as one of a plug-in, stays whole.
    """
    text = _EMPTY.sub("", _FOR_PLAYERS.sub("", svg)).replace("</style>", f"{HIDDEN}\n</style>", 1)
    tiles = [_box(each) for each in _TILE.findall(svg)]
    if not tiles:
        return text
    left, top = (min(each[edge] for each in tiles) - MARGIN for edge in (0, 1))
    width = max(each.right for each in tiles) + MARGIN - left
    height = max(each.bottom for each in tiles) + MARGIN - top
    whole = f'viewBox="{left:g} {top:g} {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return _SIZE.sub(whole, text, count=1)


def _box(tile: str) -> Box:
    """The place of a rectangle or a circle."""
    at = {name: float(value) for name, value in _NUMBERS.findall(tile)}
    if "r" in at:
        return Box(at["cx"] - at["r"], at["cy"] - at["r"], at["cx"] + at["r"], at["cy"] + at["r"])
    return Box(at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"])
