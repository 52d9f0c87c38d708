"""Themes of boards and pieces: the colours of each, for light and dark pages, as data and as a style sheet.

A page chooses them with `data-board` and `data-pieces` on its root element; a single drawing may have the attributes
itself. Without them, and in pictures that stand alone, the first of each is used. The theme of high contrast has colours
of its own, whatever is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pentad.colours import COLOURS, Colour

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
# rings of the last move and of a winning line, with their edges; the edge of black pieces, light where the board is dark.
_BOARDS = """
tile-light    #b87a42  #7d5129  #7b8793  #5b6670  #fdfaf2  #c9bfab
tile          #a4672f  #6a4421  #6a7682  #4c5660  #f5efe1  #bcb19b
tile-edge     #5f3815  #2e1b09  #333c45  #1b2127  #8c7f6b  #4d4433
frame         #7b4a20  #432a12  #46515c  #2c343b  #ece3d0  #a89c84
inlay         #f6e3c5  #e3cba6  #e6ecf1  #cdd6dd  #5d523f  #2f2819
grid          #5f3815  #2e1b09  #333c45  #20272d  #8c7f6b  #5d523f
hole          #6b4019  #3d2511  #4a5560  #333b43  #e2d9c6  #a3977f
hole-deep     #45270d  #271608  #343d46  #20262c  #cfc4ad  #8b7f68
lip           #d39a5f  #96683a  #98a4af  #74808b  #fffdf8  #d8cfbd
grain         0.16     0.2      0        0        0        0
shine         0.3      0.14     0.28     0.12     0        0
last          #fff8ea  #fff3dc  #ffffff  #f2f7fb  #0b57b4  #0a4a9c
last-edge     #2b1704  #170c02  #141a20  #0c1013  #ffffff  #ffffff
win           #ffe08a  #ffd970  #ffe08a  #ffd970  #e0a800  #ffd970
win-edge      #2b1704  #170c02  #141a20  #0c1013  #3a2a00  #2b2000
edge-of-black #000000  #c2b5a5  #000000  #b3bdc6  #000000  #000000
"""
# The same of the race across the pentagram: the course and its stops, the dishes, the path of a move, the rims of figures.
_RACES = """
tile-light    #f7ead0  #57432d  #dde3e8  #454f58  #fffdf8  #cdc3b0
tile          #e6cda0  #40301f  #c3ccd4  #333b43  #f8f3e7  #c0b5a0
tile-edge     #8a6836  #15100a  #5d6a76  #0f1316  #8c7f6b  #4d4433
course        #a8874f  #8b6d45  #7d8a96  #74818d  #b5a992  #857a64
stop          #fffaf0  #2a1f14  #ffffff  #1f252a  #ffffff  #e9e2d4
stop-edge     #86673a  #b08f63  #56626d  #93a1ad  #84775f  #5b513f
dish          #d3b481  #2f2418  #aab5bf  #262d33  #efe6d3  #aea28b
way           #3a2d20  #fff3dc  #232b33  #f2f7fb  #2d241b  #1d160c
way-edge      #ffffff  #15100a  #ffffff  #0f1316  #ffffff  #ffffff
rim           #ffffff  #f6efe2  #ffffff  #eef3f6  #ffffff  #f6efe2
inlay         #6a4d22  #d9c3a0  #3c4853  #c3ced7  #5d523f  #2f2819
grain         0.1      0.12     0        0        0        0
shine         0.5      0.12     0.5      0.1      0        0
last          #3a2d20  #fff3dc  #232b33  #f2f7fb  #2d241b  #1d160c
last-edge     #ffffff  #15100a  #ffffff  #0f1316  #ffffff  #ffffff
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
    """How pieces of any colour are shaded, and the strength of the light that they reflect."""

    gloss: float
    depth: float  # of the gradient: 1 from the highlight to a dark rim, 0 flat


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


GLASS = {name: shades(PIECES["glass"], colour) for name, colour in COLOURS.items()}  # in all drawings


# ── the style sheet ───────────────────────────────────────────────────────────────────────────────


def declarations(variables: Variables) -> str:
    """Variables as declarations of a rule."""
    return " ".join(f"--{name}: {value};" for name, value in variables.items())


def _rules() -> Iterator[str]:
    # `:where` keeps each rule as strong as the one in the drawings' own sheet that it comes after.
    for name, board in BOARDS.items():
        chosen, own, others = f'[data-board="{name}"]', f':where([data-board="{name}"])', ":where(:not([data-board]))"
        for kind, light, dark in (("", board.light, board.dark), (".race", board.race_light, board.race_dark)):
            yield (
                f":where(:root{chosen}) .pentad{kind}{others}, .pentad{kind}{own} {{ {declarations(light)} }}\n"
                f":root[data-theme=dark]:where({chosen}) .pentad{kind}{others}, :root[data-theme=dark] .pentad{kind}{own} "
                f"{{ {declarations(dark)} }}"
            )
    for name, theme in PIECES.items():
        within = (
            f':where(:root[data-pieces="{name}"]:not([data-theme="contrast"])) .pentad:where(:not([data-pieces])) @, '
            f':where(:root:not([data-theme="contrast"])) .pentad:where([data-pieces="{name}"]) @'
        )
        yield f"{within.replace('@', '.gloss')} {{ opacity: {theme.gloss}; }}"
        for colour, shade in ((each, shades(theme, COLOURS[each])) for each in COLOURS):
            for stop, value in zip(("shine", "base", "rim-light"), shade, strict=False):
                yield f"{within.replace('@', f'.light-{colour} .{stop}')} {{ stop-color: {value}; }}"


STYLE = "\n/* themes of boards and pieces */\n" + "\n".join(_rules()) + "\n"
