"""Themes of boards and pieces: the colours of each, for light and dark pages, as data and as a style sheet.

A page chooses them with `data-board` and `data-pieces` on its root element; a single drawing may have the attributes
itself. Without them, and in pictures that stand alone, the first of each is used. The theme of high contrast has its
own colours, whatever is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pentad.drawing.colours import COLOURS, Colour

Variables = Mapping[str, str]


class BoardTheme(NamedTuple):
    """The variables of a board on light and on dark pages, and those of the race across the pentagram."""

    light: Variables
    dark: Variables
    race_light: Variables
    race_dark: Variables


NAMES = ("wood", "slate", "paper")

# The variables of each board, on light and on dark pages: a tile's gradient and its edge, the frame around a grid, what
# is inlaid in it, the grid, a hollow's gradient and its lip; the strength of the grain and of the light on an edge; the
# rings of the last move and of a winning line, with their edges; the edge of black pieces, light on a dark board.
_BOARDS = """
tile-light    #b3743d  #7d5129  #788490  #5b6670  #fdfaf2  #4b463e
tile          #a4672f  #6a4421  #6a7682  #4c5660  #f5efe1  #423d36
tile-edge     #5f3815  #2e1b09  #333c45  #1b2127  #8c7f6b  #15120e
frame         #7b4a20  #432a12  #46515c  #2c343b  #ece3d0  #332f29
inlay         #f6e3c5  #e3cba6  #e6ecf1  #cdd6dd  #5d523f  #d2c8b7
grid          #3c1f07  #d6ab73  #1d242b  #b8c3cc  #8c7f6b  #a2978a
hole          #6b4019  #3d2511  #4a5560  #333b43  #e2d9c6  #35312b
hole-deep     #45270d  #271608  #343d46  #20262c  #cfc4ad  #282520
lip           #d39a5f  #96683a  #98a4af  #74808b  #fffdf8  #635c50
grain         0.16     0.2      0        0        0        0
shine         0.3      0.14     0.28     0.12     0        0.07
last          #fff8ea  #fff3dc  #ffffff  #f2f7fb  #0b57b4  #8fc3ff
last-edge     #2b1704  #170c02  #141a20  #0c1013  #ffffff  #0c1420
win           #ffe08a  #ffd970  #ffe08a  #ffd970  #e0a800  #ffd970
win-edge      #2b1704  #170c02  #141a20  #0c1013  #3a2a00  #1b1609
edge-of-black #000000  #c2b5a5  #000000  #b3bdc6  #000000  #b9ad9b
"""
# The same of the race across the pentagram: the course and its stops, the dishes, a move's path, the rims of figures.
_RACES = """
tile-light    #f7ead0  #57432d  #dde3e8  #454f58  #fffdf8  #4b463e
tile          #e6cda0  #40301f  #c3ccd4  #333b43  #f8f3e7  #423d36
tile-edge     #8a6836  #15100a  #5d6a76  #0f1316  #8c7f6b  #15120e
course        #8a6836  #b08f63  #5f6c78  #93a1ad  #908268  #a89c88
stop          #fffaf0  #2a1f14  #ffffff  #1f252a  #ffffff  #26231e
stop-edge     #86673a  #b08f63  #56626d  #93a1ad  #84775f  #a89c88
dish          #d3b481  #2f2418  #aab5bf  #262d33  #efe6d3  #332f29
way           #3a2d20  #fff3dc  #232b33  #f2f7fb  #2d241b  #f6efe2
way-edge      #ffffff  #15100a  #ffffff  #0f1316  #ffffff  #15120e
rim           #ffffff  #f6efe2  #ffffff  #eef3f6  #ffffff  #f6efe2
inlay         #6a4d22  #d9c3a0  #3c4853  #c3ced7  #5d523f  #d2c8b7
grain         0.1      0.12     0        0        0        0
shine         0.5      0.12     0.5      0.1      0        0.07
last          #3a2d20  #fff3dc  #232b33  #f2f7fb  #2d241b  #f6efe2
last-edge     #ffffff  #15100a  #ffffff  #0f1316  #ffffff  #15120e
"""


def _columns(table: str) -> list[dict[str, str]]:
    """The variables in each column of a table."""
    rows = [line.split() for line in table.split("\n") if line]
    names = [row[0] for row in rows]
    return [dict(zip(names, column, strict=True)) for column in zip(*(row[1:] for row in rows), strict=True)]


def _themes() -> Iterator[tuple[str, BoardTheme]]:
    boards, races = _columns(_BOARDS), _columns(_RACES)
    for i, name in enumerate(NAMES):
        yield name, BoardTheme(*boards[2 * i : 2 * i + 2], *races[2 * i : 2 * i + 2])


BOARDS = dict(_themes())


class Shades(NamedTuple):
    """The colours of a piece from its highlight to its rim, and of its edge."""

    shine: str
    base: str
    rim: str
    edge: str


class PieceTheme(NamedTuple):
    """How pieces of any colour are shaded, and the strength of the light that they reflect.

    The gradient has a depth from 0, flat, to 1, from the highlight to a dark rim.
    """

    gloss: float
    depth: float


PIECES = {
    "glass": PieceTheme(gloss=0.85, depth=1),
    "stone": PieceTheme(gloss=0, depth=0.4),
    "flat": PieceTheme(gloss=0, depth=0),
}


def mixed(one: str, other: str, part: float) -> str:
    """A colour between two, `part` of the way to the other.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(_channels(one), _channels(other), strict=True)
    return f"#{''.join(f'{round(a + (b - a) * part):02x}' for a, b in pairs)}"


def _channels(colour: str) -> tuple[int, ...]:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return tuple(int(digits[i : i + 2], 16) for i in (0, 2, 4))


def shades(theme: PieceTheme, colour: Colour) -> Shades:
    """The shades of a colour in a theme."""
    plain = mixed(colour.base, colour.highlight, 0.6) if colour.base == COLOURS["white"].base else colour.base
    shine = mixed(plain, colour.highlight, theme.depth)
    base = mixed(plain, colour.base, theme.depth)
    return Shades(shine, base, mixed(base, colour.edge, 0.45 * theme.depth), colour.edge)


GLASS = {name: shades(PIECES["glass"], colour) for name, colour in COLOURS.items()}  # all drawings have them


# ── the style sheet ───────────────────────────────────────────────────────────────────────────────


def declarations(variables: Variables) -> str:
    """Variables as declarations of a rule."""
    return " ".join(f"--{name}: {value};" for name, value in variables.items())


def _rules() -> Iterator[str]:
    # `:where` keeps each rule as strong as the one in the drawings' own sheet that it comes after.
    for name, board in BOARDS.items():
        chosen, own, others = f'[data-board="{name}"]', f':where([data-board="{name}"])', ":where(:not([data-board]))"
        for kind, light, dark in (("", board.light, board.dark), (".race", board.race_light, board.race_dark)):
            yield f":where(:root{chosen}) .pentad{kind}{others}, .pentad{kind}{own} {{ {declarations(light)} }}"
            page = ":root[data-theme=dark]"
            within = f"{page}:where({chosen}) .pentad{kind}{others}, {page} .pentad{kind}{own}"
            yield f"{within} {{ {declarations(dark)} }}"
    for colour in COLOURS:
        for stop in _GRADIENT_STOPS:
            yield f".pentad .light-{colour} .{stop} {{ stop-color: var(--{colour}-{stop}); }}"
    yield ".pentad .gloss { opacity: var(--gloss); }"
    for name, theme in PIECES.items():
        chosen = f':root[data-pieces="{name}"]:not([data-theme="contrast"])'
        own = f':where(:root:not([data-theme="contrast"])) .pentad:where([data-pieces="{name}"])'
        first = ".pentad, " if name == next(iter(PIECES)) else ""  # also in high contrast
        yield f"{first}:where({chosen}) .pentad:where(:not([data-pieces])), {own} {{ {declarations(_lights(theme))} }}"


_GRADIENT_STOPS = ("shine", "base", "rim-light")


def _lights(theme: PieceTheme) -> dict[str, str]:
    """The variables of pieces."""
    shaded = ((name, shades(theme, colour)) for name, colour in COLOURS.items())
    lights = {
        f"{name}-{stop}": value for name, shade in shaded for stop, value in zip(_GRADIENT_STOPS, shade, strict=False)
    }
    return {"gloss": f"{theme.gloss}", **lights}


STYLE = "\n/* themes of boards and pieces */\n" + "\n".join(_rules()) + "\n"
