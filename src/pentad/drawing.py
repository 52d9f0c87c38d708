"""The few pieces of SVG that all boards share: elements, marbles, labels, the sheet and its colours.

A drawing carries no rules. What a person may touch has the class `target` and the name of its choice in
`data-target`; everything else is for the eye. All looks are in `STYLE`, by class and CSS variable, so that
a page may bring its own; a picture that stands alone brings it along.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

# Seats' colours, each told apart by the mark on its marbles too.
COLOURS = ("black", "white", "red", "green", "yellow", "purple")

STYLE = """
.pentad { --ground: #f4efe6; --tile: #b5763a; --tile-edge: #7d4d20; --hole: #8a5626; --hole-edge: #6b411b;
  --ink: #3a2d20; --faint: #8d7b66; --accent: #0b63ce; --win: #ffd23f; font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .pentad { --ground: #1d1a17; --tile: #6f4a2a;
  --tile-edge: #412a16; --hole: #4a301a; --hole-edge: #33200f; --ink: #eee4d6; --faint: #a8977f; --accent: #7db7ff;
  --win: #ffd23f; } }
:root[data-theme=dark] .pentad { --ground: #1d1a17; --tile: #6f4a2a; --tile-edge: #412a16; --hole: #4a301a;
  --hole-edge: #33200f; --ink: #eee4d6; --faint: #a8977f; --accent: #7db7ff; --win: #ffd23f; }
.pentad .ground { fill: var(--ground); }
.pentad .tile { fill: var(--tile); stroke: var(--tile-edge); stroke-width: 2; }
.pentad .hole { fill: var(--hole); stroke: var(--hole-edge); stroke-width: 1.5; }
.pentad .label { fill: var(--faint); font-size: 17px; text-anchor: middle; dominant-baseline: central; }
.pentad .number { fill: var(--ink); font-size: 19px; font-weight: 600; text-anchor: middle;
  dominant-baseline: central; }
.pentad .marble { stroke-width: 1.5; }
.pentad .mark { fill: none; stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; opacity: 0.75; }
.pentad .last { fill: none; stroke: var(--accent); stroke-width: 5; }
.pentad .won { fill: none; stroke: var(--win); stroke-width: 6; }
.pentad .arrow { fill: none; stroke: var(--faint); stroke-width: 4; stroke-linecap: round; stroke-linejoin: round; }
.pentad .turned .arrow { stroke: var(--accent); stroke-width: 5; }
.pentad .touch { fill: transparent; stroke: none; }
.pentad .black .marble { stroke: #000; } .pentad .black .mark { stroke: #999; }
.pentad .white .marble { stroke: #6f6a62; } .pentad .white .mark { stroke: #6f6a62; }
.pentad .red .marble { stroke: #6d0f12; } .pentad .red .mark { stroke: #fff; }
.pentad .green .marble { stroke: #0c4a2b; } .pentad .green .mark { stroke: #fff; }
.pentad .yellow .marble { stroke: #7a5a00; } .pentad .yellow .mark { stroke: #4c3900; }
.pentad .purple .marble { stroke: #3d1a66; } .pentad .purple .mark { stroke: #fff; }
"""

# A marble's light and its own colour, by seat colour.
_SHADES = {
    "black": ("#6c6c72", "#141416"),
    "white": ("#ffffff", "#d9d3c7"),
    "red": ("#ff8a80", "#b3161c"),
    "green": ("#7fe0a4", "#14713f"),
    "yellow": ("#fff3b0", "#e0a800"),
    "purple": ("#cfa6ff", "#6a2fb0"),
}

# The mark on a marble, on a circle of radius 10 around the origin.
_MARKS = {
    "white": "M-5 0 A5 5 0 1 1 5 0 A5 5 0 1 1 -5 0",
    "red": "M-4 -4 L4 4 M4 -4 L-4 4",
    "green": "M0 -5 L5 4 L-5 4 Z",
    "yellow": "M-4 -4 H4 V4 H-4 Z",
    "purple": "M0 -6 L5 0 L0 6 L-5 0 Z",
}


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element; a trailing underscore in an attribute's name is dropped, other underscores become hyphens."""
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(children)}</{name}>" if children else f"<{name}{given}/>"


def _value(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def words(name: str, text: str, **attributes: object) -> str:
    """An element that holds text."""
    return tag(name, escape(text), **attributes)


def label(text: str, x: float, y: float, class_: str = "label") -> str:
    """A coordinate or a number on the board; read out with the spaces themselves, so hidden from screen readers."""
    return words("text", text, x=x, y=y, class_=class_, aria_hidden="true")


def marble(colour: str, x: float, y: float, radius: float) -> str:
    """A marble with light on it and its colour's mark."""
    ball = tag("circle", cx=x, cy=y, r=radius, class_="marble", fill=f"url(#marble-{colour})")
    if colour not in _MARKS:
        return tag("g", ball, class_=colour)
    place = f"translate({_value(float(x))} {_value(float(y))}) scale({_value(radius / 10)})"
    mark = tag("path", d=_MARKS[colour], class_="mark", transform=place, vector_effect="non-scaling-stroke")
    return tag("g", ball, mark, class_=colour)


def target(name: str, words_: str, *children: str, class_: str = "") -> str:
    """A place that a person may touch: `name` is what choices call it, `words_` what a screen reader says."""
    return tag("g", words("title", words_), *children, class_=f"target {class_}".rstrip(), data_target=name)


def sheet(
    width: float, height: float, *children: str, title: str, description: str, colours: Iterable[str], style: bool
) -> str:
    """The whole picture."""
    lights = (
        tag(
            "radialGradient",
            tag("stop", offset="0", stop_color=light),
            tag("stop", offset="1", stop_color=dark),
            id=f"marble-{colour}",
            cx="0.36",
            cy="0.3",
            r="0.72",
        )
        for colour, (light, dark) in ((colour, _SHADES[colour]) for colour in colours)
    )
    return tag(
        "svg",
        words("title", title),
        words("desc", description),
        f"<style>{STYLE}</style>" if style else "",
        tag("defs", *lights),
        tag("rect", width=width, height=height, class_="ground"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(float(width))} {_value(float(height))}",
        width=width,
        height=height,
        class_="pentad",
        role="img",
    )
