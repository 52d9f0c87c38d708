"""SVG elements that all boards share: marbles, labels, the sheet and its style.

This module has no rules. Elements that a person can click or touch have the class `target` and the name of their choice
in `data-target`; all others are decoration. All styling is in `STYLE`, by class and CSS variable, so that a page may
use its own style sheet; a standalone picture includes `STYLE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from pentad.colours import COLOURS as COLOURS
from pentad.colours import Colour as Colour
from pentad.colours import hue as hue


def strokes() -> str:
    """The strokes of marbles and their marks in every colour, as rules of a style sheet."""
    rules = []
    for name, colour in COLOURS.items():
        rules.append(f".pentad .{name} .marble {{ stroke: {colour.edge}; }}")
        if colour.mark:
            rules.append(f".pentad .{name} .mark {{ stroke: {colour.mark}; }}")
    return "\n".join(rules)


# The variables of dark pages.
_DARK = (
    "--ground: #1b1815; --tile-light: #80552f; --tile: #6a4524; --tile-edge: #3b2611; --hole: #472d16; "
    "--hole-deep: #321e0c; --ink: #f0e6d8; --faint: #b3a28b; --accent: #8fc3ff; --on-accent: #10243a;"
)
_RACE_DARK = (
    "--tile-light: #5a4630; --tile: #443321; --tile-edge: #15100a; --course: #8b6d45; --stop: #2a1f14; "
    "--stop-edge: #b08f63; --dish: #32261a; --way: #fff3dc; --way-edge: #15100a; --rim: #f6efe2;"
)
STYLE = """
.pentad { --ground: #f4efe6; --tile-light: #c4874a; --tile: #aa6c33; --tile-edge: #74471d; --hole: #7a4b21;
  --hole-deep: #5b3513; --ink: #3a2d20; --faint: #6d5c49; --accent: #0b57b4; --on-accent: #fff; --win: #ffd23f;
  font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .pentad, .pentad:root { @dark } }
:root[data-theme=dark] .pentad { @dark }
.pentad .ground { fill: var(--ground); }
.pentad .tile { fill: url(#wood); stroke: var(--tile-edge); stroke-width: 2; }
.pentad .hole { fill: url(#hollow); stroke: var(--tile-edge); stroke-width: 1; }
.pentad .from-light { stop-color: var(--tile-light); } .pentad .to-dark { stop-color: var(--tile); }
.pentad .from-deep { stop-color: var(--hole-deep); } .pentad .to-shallow { stop-color: var(--hole); }
.pentad .label { fill: var(--faint); font-size: 18px; text-anchor: middle; dominant-baseline: central; }
.pentad .number { fill: var(--ink); font-size: 20px; font-weight: 600; text-anchor: middle;
  dominant-baseline: central; }
.pentad .shadow { fill: #000; opacity: 0.28; }
.pentad .marble { stroke-width: 1.5; }
.pentad .mark { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; opacity: 0.75; }
.pentad .last-edge { fill: none; stroke: #fff; stroke-width: 9; }
.pentad .last { fill: none; stroke: #0b57b4; stroke-width: 5; }
.pentad .won-edge { fill: none; stroke: #3b2200; stroke-width: 9; }
.pentad .won { fill: none; stroke: var(--win); stroke-width: 6; }
.pentad .arrow { fill: none; stroke: var(--accent); stroke-width: 3.6; stroke-linecap: round; stroke-linejoin: round; }
.pentad .disc { fill: var(--ground); stroke: var(--accent); stroke-width: 2.5; }
.pentad .grid { fill: none; stroke: var(--tile-edge); stroke-width: 1.5; }
.pentad .star { fill: var(--tile-edge); }
.pentad .choice { fill: var(--ground); stroke: var(--accent); stroke-width: 2.5; }
.pentad .words { fill: var(--ink); font-size: 18px; dominant-baseline: central; }
.pentad .touch { fill: transparent; stroke: none; }
@colours

/* the race across the pentagram */
.pentad.race { --tile-light: #f6e7c6; --tile: #e3c793; --tile-edge: #8d6a37; --course: #a07c46; --stop: #fffaf0;
  --stop-edge: #7b5c2f; --dish: #cfae74; --way: #3a2d20; --way-edge: #fff; --rim: #fff; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .pentad.race, .pentad.race:root { @race-dark } }
:root[data-theme=dark] .pentad.race { @race-dark }
.pentad .course { fill: none; stroke: var(--course); stroke-width: 7; }
.pentad .stop { stroke: var(--stop-edge); stroke-width: 2.5; }
.pentad .stop:not(.main) { fill: var(--stop); }
.pentad .chip { stroke: var(--stop-edge); stroke-width: 1.5; }
.pentad .name { fill: var(--ink); font-size: 30px; font-weight: 600; text-anchor: middle; dominant-baseline: central; }
.pentad .dish { fill: var(--dish); fill-opacity: 0.55; stroke: var(--course); stroke-width: 2; }
.pentad .to-move { stroke: var(--accent); stroke-width: 7; }
.pentad .dish.won { fill: var(--dish); stroke: var(--win); stroke-width: 9; }
.pentad .sign { fill: var(--ink); stroke: var(--ink); stroke-width: 3; stroke-linejoin: round; }
.pentad .socket { fill: var(--tile-edge); fill-opacity: 0.28; }
.pentad .figure .rim { fill: var(--rim); stroke: var(--rim); stroke-width: 7; stroke-linejoin: round; }
.pentad .figure .marble { stroke-width: 2.5; stroke-linejoin: round; }
.pentad .figure .mark { stroke-width: 4.5; opacity: 1; }
.pentad .letter { fill: #fff; font-weight: 700; text-anchor: middle; dominant-baseline: central; }
.pentad :is(@bright) .letter { fill: #1d160c; }
.pentad .goal .letter { fill: var(--ink); }
.pentad :is(.way, .way-edge) { fill: none; stroke: var(--way); stroke-width: 8; stroke-linecap: round;
  stroke-linejoin: round; }
.pentad .way-edge { stroke: var(--way-edge); stroke-width: 15; }
.pentad.race .tile { fill: url(#wood-race); }
.pentad.race .last { stroke: var(--way); } .pentad.race .last-edge { stroke: var(--way-edge); }
.pentad .begin { fill: var(--way); }
.pentad .gone { pointer-events: none; }
.pentad .thumb, .pentad .halo { fill: transparent; }
.pentad .waits { fill: none; stroke: var(--ink); stroke-width: 4; stroke-dasharray: 7 6; }
.pentad .in-hand { fill: none; stroke: var(--accent); stroke-width: 6; }
"""
STYLE = STYLE.replace("@bright", ", ".join(f".{name}" for name, colour in COLOURS.items() if colour.bright))
STYLE = STYLE.replace("@colours", strokes()).replace("@dark", _DARK).replace("@race-dark", _RACE_DARK)

_SPECIAL = re.compile(r'[&<>"\n\r\t]')  # characters to escape in an attribute; few attributes have any

# The mark on a marble, on a circle of radius 10 around the origin.
_MARKS = {
    "white": "M-5 0 A5 5 0 1 1 5 0 A5 5 0 1 1 -5 0",
    "red": "M-4 -4 L4 4 M4 -4 L-4 4",
    "green": "M0 -5 L5 4 L-5 4 Z",
    "yellow": "M-4 -4 H4 V4 H-4 Z",
    "purple": "M0 -6 L5 0 L0 6 L-5 0 Z",
}


def tag(name: str, *children: str, **attributes: object) -> str:
    """An SVG element; attribute names lose a trailing underscore, and other underscores become hyphens."""
    given = "".join(f" {_key(key)}={_quoted(_value(value))}" for key, value in attributes.items() if value is not None)
    return f"<{name}{given}>{''.join(children)}</{name}>" if children else f"<{name}{given}/>"


@lru_cache(maxsize=256)
def _key(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _quoted(text: str) -> str:
    return quoteattr(text) if _SPECIAL.search(text) else f'"{text}"'


def _value(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text_element(name: str, text: str, **attributes: object) -> str:
    """An element with escaped text."""
    return tag(name, escape(text), **attributes)


def label(text: str, x: float, y: float, class_: str = "label") -> str:
    """A coordinate or number on the board; hidden from screen readers, as the targets' titles have it."""
    return text_element("text", text, x=x, y=y, class_=class_, aria_hidden="true")


@lru_cache(maxsize=4096)
def marble(colour: str, x: float, y: float, radius: float) -> str:
    """A marble with a highlight and the mark of its colour."""
    shadow = tag("circle", cx=x + radius * 0.07, cy=y + radius * 0.13, r=radius * 1.01, class_="shadow")
    ball = tag("circle", cx=x, cy=y, r=radius, class_="marble", fill=f"url(#marble-{colour})")
    if colour not in _MARKS:
        return tag("g", shadow, ball, class_=f"ball {colour}")
    place = f"translate({_value(float(x))} {_value(float(y))}) scale({_value(radius / 10)})"
    mark = tag("path", d=_MARKS[colour], class_="mark", transform=place)
    return tag("g", shadow, ball, mark, class_=f"ball {colour}")


def ring(kind: str, x: float, y: float, radius: float) -> str:
    """A highlight ring, `last` or `won`, with an edge that contrasts with wood and marbles."""
    return "".join(tag("circle", cx=x, cy=y, r=radius, class_=class_) for class_ in (f"{kind}-edge", kind))


def target(name: str, title: str, *children: str, class_: str = "") -> str:
    """A clickable element: `name` is its name in choices, `title` is read by screen readers."""
    return tag("g", text_element("title", title), *children, class_=f"target {class_}".rstrip(), data_target=name)


# An empty part: it keeps its line, so that the lines of other parts do not move.
NOTHING = "<g/>"


def sheet(
    width: float,
    height: float,
    *children: str,
    title: str,
    description: str,
    colours: Iterable[str],
    style: bool,
    class_: str = "",
    in_hand: str = "",
) -> str:
    """The whole picture, with a line for each part; `class_` selects a board's own colours.

    `in_hand` is the next marble or piece of the seat to move, drawn at the origin. It is invisible: the page copies it
    to its place before the server has answered.

    If a board always has the same parts in the same order, each part is always in the same line.
    """
    lines = [
        _opening(width, height, class_),
        text_element("title", title),
        text_element("desc", description),
        *([f"<style>{STYLE}</style>"] if style else ()),
        _lights(tuple(colours), class_),
        f'<defs class="next">{in_hand}</defs>' if in_hand else NOTHING,
        tag("rect", width=width, height=height, class_="ground"),
        *children,
        "</svg>",
    ]
    return "\n".join(lines)


def changes(before: str, after: str) -> list[tuple[int, str]] | None:
    """The lines that differ between two drawings, with their numbers from 0.

    None if that is not shorter than the whole: a different number of lines, or more than half of them changed.

    >>> changes("a\\nb\\nc", "a\\nd\\nc")
    [(1, 'd')]
    """
    were, are = before.split("\n"), after.split("\n")
    if len(were) != len(are):
        return None
    found = [(number, line) for number, line in enumerate(are) if line != were[number]]
    return found if 2 * len(found) <= len(are) else None


@lru_cache(maxsize=64)
def _opening(width: float, height: float, class_: str) -> str:
    """The opening tag of a picture."""
    whole = tag(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(float(width))} {_value(float(height))}",
        width=width,
        height=height,
        class_=f"pentad {class_}".rstrip(),
        role="img",
    )
    return whole.removesuffix("/>") + ">"


@lru_cache(maxsize=64)
def _lights(colours: tuple[str, ...], class_: str) -> str:
    """The gradients of wood, holes and marbles of these colours; each class has its own wood."""
    lights = (
        _gradient(
            "radial",
            f"marble-{colour}",
            {"stop_color": COLOURS[colour].highlight},
            {"stop_color": COLOURS[colour].base},
            cx="0.36",
            cy="0.3",
            r="0.72",
        )
        for colour in colours
    )
    wood = _gradient(
        "linear", f"wood-{class_}".rstrip("-"), {"class_": "from-light"}, {"class_": "to-dark"}, x2="0.35", y2="1"
    )
    hollow = _gradient("linear", "hollow", {"class_": "from-deep"}, {"class_": "to-shallow"}, x2="0.3", y2="1")
    return tag("defs", wood, hollow, *lights)


def _gradient(kind: str, name: str, first: dict[str, str], last: dict[str, str], **place: str) -> str:
    stops = tag("stop", offset="0", **first), tag("stop", offset="1", **last)
    return tag(f"{kind}Gradient", *stops, id=name, **place)
