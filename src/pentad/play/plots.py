"""Plots as SVG for pages: estimates with their intervals, and small plots of several things, one below the other.

A plot is 360 units wide, so that its text can be read on a phone. Its colours are those of the page, by the properties
of `COLOURS`; a title and a description stand in the drawing for screen readers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from html import escape

WIDTH, LEFT, RIGHT = 360, 10, 10
ROW, GAP, AXIS = 20, 14, 20  # heights: a line of text, the space between rows, the axis
EDGE = 24  # numbers of an axis that are nearer to its ends are aligned there
SMALL_PLOT = 44
MAX_TICKS = 5
LIGHT = "--ink: #241c14; --soft: #655646; --line: #d9cdb8; --accent: #12566b; --page: #fffdf8"
DARK = "--ink: #f3e9dc; --soft: #b9a892; --line: #4a3e32; --accent: #7cc7d8; --page: #15110d"
STYLE = """
.plot { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif }
.plot text { fill: var(--ink); stroke: var(--page); stroke-width: 3px; paint-order: stroke }
.plot .soft { fill: var(--soft) }
.plot .grid { stroke: var(--line) } .plot .zero { stroke: var(--soft) }
.plot .mark { stroke: var(--accent); stroke-width: 2; fill: none } .plot .fill { fill: var(--accent) }
"""

Format = Callable[[float], str]


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between two bounds.

    >>> ticks(0, 1), ticks(-3, 12)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 5.0, 10.0])
    """
    power = 10.0 ** math.floor(math.log10((high - low) / MAX_TICKS))
    step = next(each * power for each in (1, 2, 5, 10) if (high - low) / (each * power) <= MAX_TICKS + 1e-9)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(each * step, 12) for each in range(first, last + 1)]


def intervals(title: str, rows: Sequence[tuple[str, float, float, float]], form: Format, *, zero: bool = False) -> str:
    """Values with their intervals: a name, the value, and the bounds, a row each; with `zero` a line at 0."""
    bounds = [number for _, *numbers in rows for number in numbers if math.isfinite(number)]
    low, high = min([*bounds, *([0.0] if zero else [])]), max([*bounds, *([0.0] if zero else [])])
    low, high = (low - 1, high + 1) if low == high else (low - 0.04 * (high - low), high + 0.04 * (high - low))
    height = len(rows) * (2 * ROW + GAP) + AXIS
    x = _scale(low, high)
    parts = _axis(x, ticks(low, high), height - AXIS, form, "")
    if zero:
        parts.append(f'<path class="zero" d="M{x(0):.1f} 0V{height - AXIS}"/>')
    for number, (name, value, least, most) in enumerate(rows):
        top = number * (2 * ROW + GAP)
        middle = top + 1.5 * ROW
        begin, end = x(max(least, low)), x(min(most, high))
        parts += [
            _named(name, form(value), top),
            f'<path class="mark" d="M{begin:.1f} {middle}H{end:.1f}m0 -4v8M{begin:.1f} {middle - 4}v8"/>',
            f'<circle class="fill" cx="{x(value):.1f}" cy="{middle}" r="4"/>',
        ]
    said = "; ".join(f"{name}: {form(value)}, {form(least)} to {form(most)}" for name, value, least, most in rows)
    return _drawing(title, said, height, parts)


def columns(
    title: str,
    rows: Sequence[tuple[str, Sequence[float]]],
    form: Format,
    across: str,
    ends: tuple[float, float] | None = None,
) -> str:
    """A row of columns for each name; the columns stand at 0, 1, 2 …, or at equal steps between the `ends`.

    Each row has its own scale, with its largest number beside its name; `across` names the axis.
    """
    most = max(len(heights) for _, heights in rows)
    low, high = ends or (0.0, float(most))
    height = len(rows) * (ROW + SMALL_PLOT + GAP) + 2 * AXIS
    x = _scale(low, high)
    marks = ticks(low, high)
    parts = _axis(
        x, marks if ends else [each for each in marks if each == int(each)], height - 2 * AXIS, _plain, across
    )
    for number, (name, heights) in enumerate(rows):
        top = number * (ROW + SMALL_PLOT + GAP)
        largest, least = max([*heights, 0.0]), min([*heights, 0.0])
        base = top + ROW + SMALL_PLOT * largest / ((largest - least) or 1)
        wide = (WIDTH - LEFT - RIGHT) / (most if ends is None else len(heights) or 1)
        parts += [
            _named(name, form(max(heights, default=0.0)), top),
            f'<path class="zero" d="M{LEFT} {base:.1f}H{WIDTH - RIGHT}"/>',
            f'<path class="fill" d="{_columns(heights, wide, base, SMALL_PLOT / ((largest - least) or 1))}"/>',
        ]
    said = "; ".join(f"{name}: {', '.join(map(form, heights))}" for name, heights in rows) if most <= 12 else ", ".join(
        f"{name}: up to {form(max(heights, default=0.0))}" for name, heights in rows
    )  # fmt: skip
    return _drawing(title, said, height, parts)


def _named(name: str, value: str, top: float) -> str:
    """A name with its value at the right."""
    return (
        f'<text x="{LEFT}" y="{top + 14}">{escape(name)}</text>'
        f'<text class="soft" x="{WIDTH - RIGHT}" y="{top + 14}" text-anchor="end">{value}</text>'
    )


def _columns(heights: Sequence[float], wide: float, base: float, scale: float) -> str:
    gap = min(1.0, wide / 5)
    return "".join(
        f"M{LEFT + place * wide + gap / 2:.1f} {base:.1f}v{-each * scale:.1f}h{wide - gap:.2f}V{base:.1f}z"
        for place, each in enumerate(heights)
        if each
    )


def _scale(low: float, high: float) -> Callable[[float], float]:
    return lambda number: LEFT + (number - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def _axis(x: Callable[[float], float], marks: Sequence[float], bottom: float, form: Format, title: str) -> list[str]:
    """Lines at round numbers, with the numbers below them."""
    parts = [f'<path class="grid" d="{"".join(f"M{x(mark):.1f} 0V{bottom:.0f}" for mark in marks)}"/>']
    parts += [
        f'<text class="soft" x="{x(mark):.1f}" y="{bottom + 14:.0f}" {_anchor(x(mark))}>{_short(form(mark))}</text>'
        for mark in marks
    ]
    if title:
        parts.append(
            f'<text class="soft" x="{WIDTH - RIGHT}" y="{bottom + 28:.0f}" text-anchor="end">{escape(title)}</text>'
        )
    return parts


def _anchor(x: float) -> str:
    where = "start" if x < LEFT + EDGE else "end" if x > WIDTH - RIGHT - EDGE else "middle"
    return f'text-anchor="{where}"'


def _short(text: str) -> str:
    """A number of an axis without decimals that are zero."""
    return re.sub(r"\.0+(?= |$)", "", text)


def _plain(number: float) -> str:
    return f"{number:,g}"


def _drawing(title: str, said: str, height: float, parts: Sequence[str]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", title.lower())
    return (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-labelledby="{name}" aria-describedby="about-{name}"><title id="{name}">{escape(title)}</title>'
        f'<desc id="about-{name}">{escape(said)}</desc>{"".join(parts)}</svg>'
    )


def alone(plot: str) -> str:
    """A plot as a file of its own, on a light ground."""
    head, rest = plot.split(">", 1)
    ground = '<rect width="100%" height="100%" fill="var(--page)"/>'
    return f"{head}><style>svg {{ {LIGHT} }}{STYLE}</style>{ground}{rest}\n"
