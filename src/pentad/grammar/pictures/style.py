"""SVG of pictures of grammars: style sheet, legend, boxes and arrows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pentad import drawing
from pentad.drawing import tag, text_element
from pentad.grammar.pictures.layout import (
    FONT,
    LEADING,
    PAD_Y,
    Area,
    Arrow,
    ArrowRoute,
    Box,
    Curve,
    DiagramParts,
    Point,
    TextLine,
    area_of,
    routes,
    short,
    shown,
    width_of,
)
from pentad.system.words import phrase

MARGIN, HEAD_LINE, FOOT = 22, 22, 22
MOST_LISTED = 60  # elements in the description of a picture
MOST_TITLE = 1000  # letters of a tooltip

_LIGHT = """--ground: #fbf9f5; --card: #fff; --black: #26211b; --soft: #655a4d; --blue: #1a4fc4; --green: #0b6e2d;
  --red: #b81420; --teal: #00696b; --orange: #9a4b00; --violet: #6727ad;"""
_DARK = """--ground: #1b1815; --card: #25211c; --black: #efe7da; --soft: #b5a793; --blue: #8db4ff; --green: #6fd98c;
  --red: #ff938c; --teal: #5fd3d0; --orange: #ffb35c; --violet: #cba8ff;"""

STYLE = """
.pentad.grammar { @light font-size: 14px; max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .pentad.grammar,
  :root.pentad.grammar:not([data-theme=light]) { @dark } }
:root[data-theme=dark] .pentad.grammar { @dark }
.pentad.grammar :is(.node, .edge, .key, .line) { --own: var(--black); --weight: 1.5; --dashes: none; }
.pentad.grammar .eraser { --own: var(--blue); --dashes: 7 4; }
.pentad.grammar .creator { --own: var(--green); --weight: 3; }
.pentad.grammar .embargo { --own: var(--red); --weight: 3; --dashes: 9 5; }
.pentad.grammar .adder { --own: var(--teal); --weight: 2.4; --dashes: 4 3; }
.pentad.grammar .remark { --own: var(--orange); --weight: 1.2; }
.pentad.grammar :is(.quantifier, .level) { --own: var(--violet); }
.pentad.grammar .level { --weight: 1.8; --dashes: 1.5 4; }
.pentad.grammar :is(.abstract, .open) { --dashes: 5 4; }
.pentad.grammar .broken { --own: var(--red); --weight: 3; }
.pentad.grammar .inner { --own: var(--violet); }
.pentad.grammar .start { --weight: 3.4; }
.pentad.grammar .verdict { --own: var(--soft); --dashes: 3 4; }
.pentad.grammar .frame { fill: var(--card); stroke: var(--own); stroke-width: var(--weight);
  stroke-dasharray: var(--dashes); }
.pentad.grammar .thin { --weight: 1; opacity: 0.65; }
.pentad.grammar .thin-1 { --dashes: 6 4; } .pentad.grammar .thin-2 { --dashes: 1.5 3; }
.pentad.grammar .thin-3 { --dashes: 9 3 1.5 3; }
.pentad.grammar .ring { fill: none; stroke: var(--own); stroke-width: 1.3; }
.pentad.grammar .shaft { fill: none; stroke: var(--own); stroke-width: var(--weight); stroke-dasharray: var(--dashes); }
.pentad.grammar .level .shaft { stroke-linecap: round; }
.pentad.grammar .point { fill: var(--own); stroke: var(--own); stroke-width: 1; stroke-linejoin: round; }
.pentad.grammar .hollow { fill: var(--ground); stroke-width: 1.6; }
.pentad.grammar text { fill: var(--own, var(--black)); }
.pentad.grammar .middle { text-anchor: middle; }
.pentad.grammar .type { font-weight: 700; } .pentad.grammar :is(.flag, .path) { font-style: italic; }
.pentad.grammar .faint { fill: var(--soft); }
.pentad.grammar .tag { font-size: 12.5px; text-anchor: middle; stroke: var(--ground); stroke-width: 4px;
  stroke-linejoin: round; paint-order: stroke; }
.pentad.grammar .abstract .type { font-style: italic; }
.pentad.grammar .badge { fill: var(--ground); stroke: var(--own); stroke-width: 1.3; }
.pentad.grammar .small { font-size: 11px; font-weight: 700; text-anchor: middle; }
.pentad.grammar .heading { font-size: 18px; font-weight: 700; } .pentad.grammar .below { font-size: 13px; }
""".replace("@light", _LIGHT).replace("@dark", _DARK)

# Legend: the meaning of each CSS class.
MEANINGS = {
    "eraser": "− deleted",
    "creator": "+ created",
    "embargo": "✕ forbidden",
    "adder": "+? created unless present",
    "remark": "// remark",
    "quantifier": "∀ ∃ quantifier, @ its nodes",
    "abstract": "dashed: abstract",
    "start": "thick: start",
    "final": "double: final",
    "dead": "✕ dead end",
    "open": "dashed: not explored",
    "broken": "! breaks an invariant",
    "inner": "violet, in ‹ ›: inside a recipe or an atomic block",
    "verdict": "dotted: no rule is applied",
}


# If the labels of very many arrows would hide the rest, the arrows are thin, without labels, and dashed as in SAMPLES.
MANY, MANY_LONG, LONG = 100, 24, 260
SAMPLES = ("───", "╌╌╌", "┈┈┈", "─·─")


def bounds(parts: DiagramParts) -> Area:
    """The area of boxes that have positions, and of their arrows."""
    return _bounds(parts.boxes.values(), routes(parts.boxes, parts.arrows))


def picture(
    parts: DiagramParts, title: str, heads: Sequence[str], kind: str, style: bool, within: Area | None = None
) -> str:
    """Returns the whole picture of boxes that have positions; `within` is the area that it shows, if not theirs."""
    thinned = _thinned(parts)
    drawn = routes(parts.boxes, parts.arrows)
    area = within or _bounds(parts.boxes.values(), drawn)
    all_classes = [box.class_ for box in parts.boxes.values()] + [arrow.class_ for arrow in parts.arrows]
    all_classes += [line.class_ for box in parts.boxes.values() for line in box.lines]
    classes = {name for each in all_classes for name in each.split()}
    key = [(name, text) for name, text in MEANINGS.items() if name in classes]
    key += [("thin-key", f"{sample} {short(label)}") for sample, label in zip(SAMPLES, thinned, strict=False)]
    lines = [shown(line) for line in heads if line]
    top = MARGIN + HEAD_LINE * (1 + len(lines)) + 14
    header = max(width_of(short(title)) * 1.4, *(width_of(short(line, 120)) for line in lines), 200)
    wide, rows = _key_rows(key, max(area.right - area.left, header))
    width = math.ceil(wide + 2 * MARGIN)
    height = math.ceil(top + area.bottom - area.top + MARGIN + FOOT * len(rows))
    inside = tag(
        "g",
        *(_edge(route) for route in drawn),
        *(_node(box) for box in parts.boxes.values()),
        *(_edge_text(route) for route in drawn),
        transform=f"translate({MARGIN - area.left:.1f} {top - area.top:.1f})",
    )
    return drawing.sheet(
        width,
        height,
        f"<style>{STYLE}</style>" if style else "",
        *_header(shown(title), lines),
        inside,
        *_key(rows, height),
        title=short(shown(title), MOST_TITLE),
        description=_description(parts, kind),
        colours=(),
        style=style,
        class_="grammar",
    )


def _thinned(parts: DiagramParts) -> list[str]:
    """Makes arrows thin if very many, or many long ones, have the same label; returns these labels."""
    by_label: dict[str, list[Arrow]] = {}
    for arrow in parts.arrows:
        if arrow.class_ == "reader" and arrow.labels:
            by_label.setdefault(arrow.text, []).append(arrow)
    labels = [text for text, arrows in by_label.items() if len(arrows) >= MANY or _long(arrows, parts) >= MANY_LONG]
    labels = sorted(labels, key=lambda text: (-len(by_label[text]), text))[: len(SAMPLES)]
    for number, text in enumerate(labels):
        for arrow in by_label[text]:
            arrow.is_thin, arrow.class_ = True, f"reader thin thin-{number}"
    return labels


def _long(arrows: Iterable[Arrow], parts: DiagramParts) -> int:
    """Returns the number of long arrows."""
    ends = ((parts.boxes[arrow.source], parts.boxes[arrow.target]) for arrow in arrows)
    return sum(math.hypot(one.x - other.x, one.y - other.y) > LONG for one, other in ends)


def _bounds(boxes: Iterable[Box], drawn: Iterable[ArrowRoute]) -> Area:
    areas = [area_of(box, 10) for box in boxes]
    for route in drawn:
        x, y = route.label
        wide, high = route.size
        areas.append(Area(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
        points = [route.curve.at(i / 12) for i in range(13)]
        areas += [Area(point.x - 8, point.y - 8, point.x + 8, point.y + 8) for point in points]
    if not areas:
        return Area(0, 0, 120, 20)
    left, top, right, bottom = zip(*areas, strict=True)
    return Area(min(left), min(top), max(right), max(bottom))


def _description(parts: DiagramParts, kind: str) -> str:
    sentences = [short(each, MOST_TITLE) for each in parts.listing]
    more = [f"and {len(sentences) - MOST_LISTED} more"] if len(sentences) > MOST_LISTED else []
    listing = "; ".join([*sentences[:MOST_LISTED], *more])
    return phrase(
        "{kind} with {nodes} nodes and {arrows} arrows: {listing}.",
        kind=kind,
        nodes=len(parts.boxes),
        arrows=len(parts.arrows),
        listing=listing,
    )


# ── above and below ──────────────────────────────────────────────────────────────────────────────


def _header(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield text_element("text", short(title), x=MARGIN, y=MARGIN + 14, class_="heading")
    for number, line in enumerate(lines, 1):
        yield text_element("text", short(line, 120), x=MARGIN, y=MARGIN + 14 + HEAD_LINE * number, class_="below faint")


def _key_rows(key: Sequence[tuple[str, str]], width: float) -> tuple[float, list[list[tuple[float, str, str]]]]:
    """Returns the width of the picture and the rows of its legend, wrapped to that width."""
    rows: list[list[tuple[float, str, str]]] = []
    x = math.inf
    for name, text in key:
        wide = width_of(text) + 24
        if x + wide > width and x > 0:
            rows.append([])
            x = 0.0
        rows[-1].append((x, name, text))
        x += wide
        width = max(width, x if len(rows[-1]) == 1 else 0)
    return width, rows


def _key(rows: Sequence[Sequence[tuple[float, str, str]]], height: float) -> Iterator[str]:
    for number, row in enumerate(rows):
        y = height - MARGIN / 2 - FOOT * (len(rows) - 1 - number)
        for x, name, text in row:
            yield text_element("text", text, x=MARGIN + x, y=y, class_=f"key below {name}")


# ── boxes ────────────────────────────────────────────────────────────────────────────────────────


def _node(box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    corner = min(box.width, box.height) / 2 if box.is_round else 9
    frame = {"x": left, "y": top, "width": box.width, "height": box.height, "rx": corner}
    parts = [text_element("title", short(box.text, MOST_TITLE)), _rect("frame", frame)]
    if "final" in box.class_.split():
        inner = {"x": left + 4, "y": top + 4, "width": box.width - 8, "height": box.height - 8}
        parts.append(_rect("ring", {**inner, "rx": corner - 4}))
    first = top + PAD_Y + LEADING / 2 + FONT * 0.36
    if not box.lines:
        first = box.y
    for number, line in enumerate(box.lines):
        class_ = f"line middle {line.class_}" if line.class_ and line.class_ != "faint" else f"middle {line.class_}"
        parts.append(
            text_element("text", short(line.text), x=box.x, y=first + LEADING * number, class_=class_.rstrip())
        )
    parts += _badge(box.sign, left, top) if box.sign else []
    parts += _badge(box.badge, left + box.width, top) if box.badge else []
    return tag("g", *parts, class_=f"node {box.class_}", data_node=shown(box.name))


def _rect(class_: str, places: Mapping[str, float]) -> str:
    return tag("rect", **{name: round(float(number), 1) for name, number in places.items()}, class_=class_)


def _badge(text: str, x: float, y: float) -> list[str]:
    wide = max(18.0, width_of(text) * 0.82 + 9)
    return [
        _rect("badge", {"x": x - wide / 2, "y": y - 9, "width": wide, "height": 18, "rx": 9}),
        text_element("text", text, x=float(x), y=y + 4, class_="small"),
    ]


# ── arrows ───────────────────────────────────────────────────────────────────────────────────────


def _edge(route: ArrowRoute) -> str:
    arrow, curve = route.arrow, route.curve
    title = [text_element("title", short(arrow.text, MOST_TITLE))] if arrow.labels else []
    begin, *rest = (f"{point.x:.1f} {point.y:.1f}" for point in curve)
    shaft = tag("path", d=f"M{begin} C{' '.join(rest)}", class_="shaft")
    ends = [_head(curve, arrow)] if arrow.head else []
    if arrow.has_diamond:
        corners = _turned(curve.a, curve.at(0.07), ((0, 0), (8, 5), (16, 0), (8, -5)))
        ends.append(tag("polygon", points=corners, class_="point"))
    return tag("g", *title, shaft, *ends, class_=f"edge {arrow.class_}")


def _turned(at: Point, toward: Point, corners: Iterable[tuple[float, float]]) -> str:
    """Returns a shape's points; its tip is at a point, and it points away from the other."""
    across, down = at.x - toward.x, at.y - toward.y
    length = math.hypot(across, down) or 1.0
    x, y = across / length, down / length
    return " ".join(f"{at.x - x * back - y * side:.1f},{at.y - y * back + x * side:.1f}" for back, side in corners)


_HEADS = {"arrow": ((0, 0), (11, 4.6), (11, -4.6)), "triangle": ((0, 0), (16, 8), (16, -8))}
_BOLD_HEAD = ((0, 0), (14, 6.5), (14, -6.5))


def _head(curve: Curve, arrow: Arrow) -> str:
    is_bold = arrow.class_ in ("creator", "embargo", "adder")
    corners = _BOLD_HEAD if is_bold and arrow.head == "arrow" else _HEADS[arrow.head]
    class_ = "point hollow" if arrow.head == "triangle" else "point"
    return tag("polygon", points=_turned(curve.d, curve.at(0.93), corners), class_=class_)


def _edge_text(route: ArrowRoute) -> str:
    """An arrow's labels and multiplicities; drawn above all lines."""
    arrow = route.arrow
    rows = arrow.rows
    top = route.label.y - LEADING * 0.9 * (len(rows) - 1) / 2 + 4.5
    parts = [
        tag("text", *_spans(row), x=float(route.label.x), y=top + LEADING * 0.9 * number, class_="tag")
        for number, row in enumerate(rows)
    ]
    for text, t in ((arrow.near, 0.1), (arrow.far, 0.88)):
        if text:
            x, y = _beside(route.curve, t)
            parts.append(text_element("text", text, x=x, y=y + 4, class_="tag"))
    return tag("g", *parts, class_=f"edge {arrow.class_}") if parts else ""


def _beside(curve: Curve, t: float) -> Point:
    """Returns a point beside a curve."""
    here, there = curve.at(t), curve.at(t + 0.01)
    length = math.hypot(there.x - here.x, there.y - here.y) or 1.0
    return Point(here.x + (there.y - here.y) / length * 13, here.y - (there.x - here.x) / length * 13)


def _spans(row: Sequence[TextLine]) -> Iterator[str]:
    for number, line in enumerate(row):
        comma = "," if number < len(row) - 1 else ""
        class_ = {"class_": line.class_} if line.class_ else {}
        yield text_element("tspan", f"{' ' if number else ''}{line.text}{comma}", **class_)
