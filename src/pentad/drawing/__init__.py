"""SVG elements that all boards share: marbles, labels, the sheet and its style.

This module has no rules. Elements that a person can click or touch have the class `target` and the name of their choice
in `data-target`; all others are decoration. All styling is in `STYLE`, by class and CSS variable, so that a page may
use its own style sheet; a standalone picture includes `STYLE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape

from pentad.drawing.colours import COLOURS as COLOURS
from pentad.drawing.colours import Colour as Colour
from pentad.drawing.colours import hue as hue
from pentad.drawing.themes import BOARDS, GLASS, PIECES, declarations

# The light on glass, on every piece.
_GLOSS = PIECES["glass"].gloss
_LIGHT_PAGES = "--ground: #f4efe6; --ink: #3a2d20; --faint: #6d5c49; --accent: #0b57b4; --on-accent: #ffffff;"
_DARK_PAGES = "--ground: #1b1815; --ink: #f0e6d8; --faint: #b3a28b; --accent: #8fc3ff; --on-accent: #10243a;"
_WOOD = next(iter(BOARDS.values()))


def strokes() -> str:
    """The strokes of marbles and their marks in every colour, as rules of a style sheet."""
    rules = []
    for name, colour in COLOURS.items():
        edge = "var(--edge-of-black)" if name == "black" else colour.edge
        rules.append(f".pentad .{name} .marble {{ stroke: {edge}; }}")
        if colour.mark:
            rules.append(f".pentad .{name} .mark {{ stroke: {colour.mark}; }}")
    return "\n".join(rules)


STYLE = """
.pentad { @light @wood font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .pentad, .pentad:root { @dark @wood-dark } }
:root[data-theme=dark] .pentad { @dark @wood-dark }
.pentad .ground { fill: var(--ground); }
.pentad .tile { fill: url(#wood); stroke: var(--tile-edge); stroke-width: 1; }
.pentad .side { fill: var(--tile-edge); }
.pentad .grain { opacity: var(--grain); }
.pentad .fibre { fill: none; stroke: var(--tile-edge); stroke-width: 1.6; stroke-linecap: round; }
.pentad .bevel { fill: none; stroke: #fff; stroke-width: 1.5; opacity: var(--shine); }
.pentad .frame { fill: var(--frame); stroke: var(--tile-edge); stroke-width: 1; }
.pentad .hole { fill: url(#hollow); stroke: url(#lip); stroke-width: 1.5; }
.pentad .from-light { stop-color: var(--tile-light); } .pentad .to-dark { stop-color: var(--tile); }
.pentad .from-deep { stop-color: var(--hole-deep); } .pentad .to-shallow { stop-color: var(--hole); }
.pentad .from-edge { stop-color: var(--tile-edge); } .pentad .to-lip { stop-color: var(--lip); }
.pentad .label { fill: var(--faint); text-anchor: middle; dominant-baseline: central; }
.pentad .inlaid { fill: var(--inlay); text-anchor: middle; dominant-baseline: central; opacity: 0.75; }
.pentad .caption { fill: var(--inlay); dominant-baseline: central; }
.pentad .number { fill: var(--ink); font-weight: 600; text-anchor: middle; dominant-baseline: central; }
.pentad .shadow { fill: #000; opacity: 0.28; }
.pentad .marble { stroke-width: 1.2; }
.pentad .gloss { opacity: @gloss; }
.pentad .mark { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; opacity: 0.75; }
.pentad .quiet { opacity: 0; }
.pentad .last-edge { fill: none; stroke: var(--last-edge); stroke-width: 5.5; }
.pentad .last { fill: none; stroke: var(--last); stroke-width: 3; }
.pentad .won-edge { fill: none; stroke: var(--win-edge); stroke-width: 6; }
.pentad .won { fill: none; stroke: var(--win); stroke-width: 4; }
.pentad .arrow { fill: none; stroke: var(--accent); stroke-width: 3.6; stroke-linecap: round; stroke-linejoin: round; }
.pentad .disc { fill: var(--ground); stroke: var(--accent); stroke-width: 2.5; }
.pentad .was { fill: var(--ground); stroke: var(--faint); stroke-width: 1.5; }
.pentad .turned .arrow { stroke: var(--faint); stroke-width: 3; }
.pentad .grid { fill: none; stroke: var(--grid); stroke-width: 1.2; }
.pentad .star { fill: var(--grid); }
.pentad .tray { fill: var(--hole-deep); opacity: 0.35; }
.pentad .choice { fill: var(--ground); stroke: var(--accent); stroke-width: 2.5; }
.pentad .touch { fill: transparent; stroke: none; }
.pentad .words { fill: var(--ink); font-size: 18px; dominant-baseline: central; }
@colours

/* the race across the pentagram */
.pentad.race { @race }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .pentad.race, .pentad.race:root { @race-dark } }
:root[data-theme=dark] .pentad.race { @race-dark }
.pentad .course { fill: none; stroke: var(--course); stroke-width: 6; }
.pentad .stop { stroke: var(--stop-edge); stroke-width: 2; }
.pentad .stop:not(.main) { fill: var(--stop); }
.pentad .chip { stroke: var(--stop-edge); stroke-width: 1; }
.pentad .dish { fill: var(--dish); fill-opacity: 0.55; stroke: var(--course); stroke-width: 2; }
.pentad .to-move { stroke: var(--accent); stroke-width: 6; }
.pentad .dish.won { fill: var(--dish); stroke: var(--win); stroke-width: 9; }
.pentad .sign { fill: var(--inlay); stroke: var(--inlay); stroke-width: 3; stroke-linejoin: round; }
.pentad .socket { fill: var(--tile-edge); fill-opacity: 0.28; }
.pentad .figure .rim { fill: var(--rim); stroke: var(--rim); stroke-width: 5; stroke-linejoin: round; }
.pentad .figure .marble { stroke-width: 2; stroke-linejoin: round; }
.pentad .figure .mark { stroke-width: 4.5; opacity: 1; }
.pentad .letter { fill: #fff; font-weight: 700; text-anchor: middle; dominant-baseline: central; }
.pentad :is(@bright) .letter { fill: #1d160c; }
.pentad .goal .letter { fill: var(--way); }
.pentad :is(.way, .way-edge) { fill: none; stroke: var(--way); stroke-width: 7; stroke-linecap: round;
  stroke-linejoin: round; }
.pentad .way-edge { stroke: var(--way-edge); stroke-width: 12; }
.pentad.race .tile { fill: url(#wood-race); }
.pentad.race .last { stroke-width: 5; } .pentad.race .last-edge { stroke-width: 9; }
.pentad .begin { fill: var(--way); }
.pentad .gone { pointer-events: none; }
.pentad .thumb, .pentad .halo { fill: transparent; }
.pentad .waits { fill: none; stroke: var(--inlay); stroke-width: 4; stroke-dasharray: 7 6; }
.pentad .in-hand { fill: none; stroke: var(--accent); stroke-width: 6; }
"""
for _name, _text in {
    "@gloss": f"{_GLOSS}",
    "@light": _LIGHT_PAGES,
    "@wood-dark": declarations(_WOOD.dark),
    "@wood": declarations(_WOOD.light),
    "@dark": _DARK_PAGES,
    "@race-dark": declarations(_WOOD.race_dark),
    "@race": declarations(_WOOD.race_light),
    "@bright": ", ".join(f".{name}" for name, colour in COLOURS.items() if colour.bright),
    "@colours": strokes(),
}.items():
    STYLE = STYLE.replace(_name, _text)

_ESCAPES = str.maketrans(  # what cannot stand in an attribute
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)

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
    return f'"{text.translate(_ESCAPES)}"'


def _value(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text_element(name: str, text: str, **attributes: object) -> str:
    """An element with escaped text."""
    return tag(name, escape(text, quote=False), **attributes)


def label(text: str, x: float, y: float, class_: str = "label", *, size: float = 12) -> str:
    """A coordinate or number on the board; hidden from screen readers, as the targets' titles have it."""
    return text_element("text", text, x=x, y=y, class_=class_, font_size=size, aria_hidden="true")


def tile(x: float, y: float, width: float, height: float, corner: float, *, thick: float = 3) -> str:
    """A piece of the board with rounded corners: its lower side, its grain, and light on its upper edge."""
    place = {"x": x, "y": y, "width": width, "height": height, "rx": corner}
    inner = {"x": x + 1.2, "y": y + 1.2, "width": width - 2.4, "height": height - 2.4, "rx": corner - 1}
    return "".join(
        (
            tag("rect", **place | {"y": y + thick}, class_="side"),
            tag("rect", **place, class_="tile"),
            tag("rect", **place, class_="grain", fill="url(#grain)"),
            tag("rect", **inner, class_="bevel"),
        )
    )


def gloss(x: float, y: float, radius: float) -> str:
    """The light that a piece reflects."""
    return tag("circle", cx=x - radius * 0.3, cy=y - radius * 0.36, r=radius * 0.5, class_="gloss", fill="url(#gloss)")


@lru_cache(maxsize=4096)
def marble(colour: str, x: float, y: float, radius: float) -> str:
    """A marble with its light and the mark of its colour; black and white show theirs in high contrast alone."""
    shadow = tag("circle", cx=x + radius * 0.06, cy=y + radius * 0.14, r=radius, class_="shadow")
    ball = tag("circle", cx=x, cy=y, r=radius, class_="marble", fill=f"url(#marble-{colour})")
    parts = [shadow, ball, gloss(x, y, radius)]
    if colour in _MARKS:
        place = f"translate({_value(x + 0.0)} {_value(y + 0.0)}) scale({_value(radius / 10)})"
        kind = "mark quiet" if colour == "white" else "mark"
        parts.append(tag("path", d=_MARKS[colour], class_=kind, transform=place))
    return tag("g", *parts, class_=f"ball {colour}")


def ring(kind: str, x: float, y: float, radius: float) -> str:
    """A highlight ring, `last` or `won`, with an edge that contrasts with wood and marbles."""
    return "".join(tag("circle", cx=x, cy=y, r=radius, class_=class_) for class_ in (f"{kind}-edge", kind))


def target(name: str, title: str, *children: str, class_: str = "", short: str = "") -> str:
    """A clickable element: `name` is its name in choices, `title` is read by screen readers.

    `short` is its place as people write it in moves, where the title does not begin with that.
    """
    written = {"data_short": short} if short else {}
    title_element = text_element("title", title)
    return tag("g", title_element, *children, class_=f"target {class_}".rstrip(), data_target=name, **written)


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
    labels: bool = True,
    view: tuple[float, float, float, float] | None = None,
) -> str:
    """The whole picture, with a line for each part; `class_` selects a board's own colours.

    `in_hand` is the next marble or piece of the seat to move, drawn at the origin. It is invisible: the page copies it
    to its place before the server has answered.

    Without `labels` it is the board alone, for lists, cards and links: no ground, and nothing that only a hand or a
    screen reader needs. `view` is then the part of the sheet that has the board: left, top, width, height.

    If a board always has the same parts in the same order, each part is always in the same line.
    """
    box = (0, 0, width, height) if labels or view is None else view
    lines = [
        opening(box, class_),
        text_element("title", title),
        text_element("desc", description),
        *([f"<style>{STYLE}</style>"] if style else ()),
        lights(tuple(colours), class_),
    ]
    if labels:
        lines += [piece_in_hand(in_hand), ground(width, height), *children]
    else:
        lines.extend(part for part in map(bare, children) if part not in ("", NOTHING))
    return "\n".join([*lines, "</svg>"])


def piece_in_hand(piece: str) -> str:
    """The line of the piece in hand, which may be none."""
    return f'<defs class="next">{piece}</defs>' if piece else NOTHING


def ground(width: float, height: float) -> str:
    """The ground of a sheet."""
    return tag("rect", width=width, height=height, class_="ground")


_TITLE = re.compile(r"<title>[^<]*</title>")
_FOR_HANDS = re.compile(r'<\w+ [^<>]*class="(?:touch|thumb|halo)"[^<>]*/>')
_NAME = re.compile(r' class="target[^"]*" data-target="[^"]*"')
_EMPTY = re.compile(r"<g>\s*</g>")


@lru_cache(maxsize=4096)
def bare(part: str) -> str:
    """A part without what only a hand or a screen reader needs."""
    return _EMPTY.sub("", _NAME.sub("", _FOR_HANDS.sub("", _TITLE.sub("", part))))


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
def opening(box: tuple[float, float, float, float], class_: str) -> str:
    """The opening tag of a picture."""
    whole = tag(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(_value(float(each)) for each in box),
        width=box[2],
        height=box[3],
        class_=f"pentad {class_}".rstrip(),
        role="img",
    )
    return whole.removesuffix("/>") + ">"


# Fibres of the grain, which continue on the next tile of the pattern: heights at its edges, and how far each one bends.
_FIBRES = ((9, 5), (24, -4), (33, 6), (52, -7), (63, 3), (79, 7), (92, -5), (108, 4))
_GRAIN_SIZE = (260, 116)


@lru_cache(maxsize=64)
def lights(colours: tuple[str, ...], class_: str) -> str:
    """The gradients of wood, holes and marbles of these colours, and the grain; each class has its own wood."""
    wood, grain = (f"{name}-{class_}".rstrip("-") for name in ("wood", "grain"))
    marbles = (
        _gradient(
            "radial",
            f"marble-{colour}",
            (0, {"class_": "shine", "stop_color": GLASS[colour].shine}),
            (0.66, {"class_": "base", "stop_color": GLASS[colour].base}),
            (1, {"class_": "rim-light", "stop_color": GLASS[colour].rim}),
            class_=f"light-{colour}",
            cx="0.36",
            cy="0.3",
            r="0.8",
        )
        for colour in colours
    )
    white = {"stop_color": "#fff"}
    return tag(
        "defs",
        _gradient("linear", wood, (0, {"class_": "from-light"}), (1, {"class_": "to-dark"}), x2="0.35", y2="1"),
        _gradient("linear", "hollow", (0, {"class_": "from-deep"}), (1, {"class_": "to-shallow"}), x2="0.3", y2="1"),
        _gradient("linear", "lip", (0, {"class_": "from-edge"}), (1, {"class_": "to-lip"}), x2="0.3", y2="1"),
        _gradient("radial", "gloss", (0, white | {"stop_opacity": 0.9}), (1, white | {"stop_opacity": 0})),
        _grain(grain),
        *marbles,
    )


def _grain(name: str) -> str:
    """The grain of wood, as a pattern."""
    width, height = _GRAIN_SIZE
    fibres = (
        tag("path", d=f"M0 {y}C{width * 0.3:g} {y} {width * 0.3:g} {y + bend} {width / 2:g} {y + bend}"
            f"S{width * 0.7:g} {y} {width} {y}", class_="fibre")
        for y, bend in _FIBRES
    )  # fmt: skip
    return tag("pattern", *fibres, id=name, width=width, height=height, patternUnits="userSpaceOnUse")


def _gradient(kind: str, name: str, *stops: tuple[float, Mapping[str, object]], **place: str) -> str:
    made = (tag("stop", offset=offset, **given) for offset, given in stops)
    return tag(f"{kind}Gradient", *made, id=name, **place)
