"""Elements of a diagram: boxes with lines of text, and arrows between them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

FONT, LEADING = 14, 18  # font size and line height
PAD_X, PAD_Y = 11, 7  # padding between a box and its text
MOST_LETTERS = 60  # of one label; the tooltip has the rest
ROW_LETTERS, MOST_ROWS = 16, 5  # of the labels of one arrow

# Widths of letters relative to the font size.
_NARROW, _BROAD = frozenset("iljtfrI.,:;|!'()[]{}/\\ "), frozenset("mwMWQGO@%∀∃+=<>≥")
_CONTROLS = {ord("\n"): "↵", ord("\r"): "␍", ord("\t"): "⇥"}
_UNSAFE_CATEGORIES = {"Cc", "Cs", "Cn"}  # control characters, surrogates, unassigned code points


def shown(text: str) -> str:
    """Returns a text for a picture; characters that XML does not allow become �.

    >>> shown("a\\x00b")
    'a�b'
    """
    text = text.translate(_CONTROLS)
    if text.isprintable():
        return text
    return "".join("�" if unicodedata.category(letter) in _UNSAFE_CATEGORIES else letter for letter in text)


def short(text: str, most: int = MOST_LETTERS) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def width_of(text: str, bold: bool = False) -> float:
    """Returns the approximate width of a text."""
    return sum(map(_width, text)) * FONT * (1.07 if bold else 1.0)


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _BROAD or letter.isupper():
        return 0.78
    if unicodedata.combining(letter):
        return 0.0
    return 1.05 if unicodedata.east_asian_width(letter) in "WF" or ord(letter) > 0x2E80 else 0.58


class Point(NamedTuple):
    """A position in a picture, in pixels from the top left."""

    x: float
    y: float


class Line(NamedTuple):
    """A line of text; its CSS class is its kind (`type`, `flag`, `path`) or a role."""

    text: str
    class_: str = ""

    @property
    def width(self) -> float:
        return width_of(short(self.text), "type" in self.class_.split())


@dataclass(slots=True)
class Box:
    """A node in a diagram; `x` and `y` are its centre after the layout."""

    name: str
    lines: list[Line] = field(default_factory=list)
    class_: str = "reader"
    sign: str = ""  # at the top left: the node's role in a rule
    badge: str = ""  # at the top right: the parameter
    is_round: bool = False
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def measure(self) -> None:
        """Fits the size to the text."""
        widest = max((line.width for line in self.lines), default=0.0)
        self.height = max(len(self.lines), 1) * LEADING + 2 * PAD_Y
        self.width = max(widest + 2 * PAD_X, self.height)

    def contains(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point is inside, or at most the margin away."""
        across, down = abs(x - self.x) / (self.width / 2 + margin), abs(y - self.y) / (self.height / 2 + margin)
        return across * across + down * down < 1 if self.is_round else across < 1 and down < 1

    @property
    def text(self) -> str:
        """All lines as one text."""
        return ", ".join(line.text for line in self.lines) or shown(self.name)


@dataclass(slots=True)
class Arrow:
    """Edges that are drawn as one arrow between two boxes, with all their labels."""

    source: str
    target: str
    labels: list[Line] = field(default_factory=list)
    class_: str = "reader"
    head: str = "arrow"  # or "triangle", a hollow arrowhead
    has_diamond: bool = False  # at the source
    near: str = ""  # multiplicity at the source
    far: str = ""  # multiplicity at the target
    is_thin: bool = False  # one of very many with this label, which is shown in the legend only

    @property
    def text(self) -> str:
        return ", ".join(line.text for line in self.labels)

    @property
    def rows(self) -> list[list[Line]]:
        """The labels in rows; if there are too many, the last row says how many are left out."""
        rows: list[list[Line]] = []
        free = 0
        for number, line in enumerate(() if self.is_thin else self.labels):
            line = Line(short(line.text), line.class_)
            if free < len(line.text):
                if len(rows) == MOST_ROWS:
                    return [*rows, [Line(f"and {len(self.labels) - number} more")]]
                rows.append([])
                free = max(ROW_LETTERS, len(line.text))
            rows[-1].append(line)
            free -= len(line.text) + 2
        return rows


@dataclass(slots=True)
class Parts:
    """All elements of a diagram; boxes by name."""

    boxes: dict[str, Box] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)

    @property
    def links(self) -> list[tuple[str, str]]:
        """Pairs of different boxes that an arrow connects."""
        return [(arrow.source, arrow.target) for arrow in self.arrows if arrow.source != arrow.target]

    @property
    def listing(self) -> Iterator[str]:
        """Descriptions of all boxes and arrows, for the text alternative."""
        for box in self.boxes.values():
            name = shown(box.name)
            yield f"{name}: {box.text}" if box.text != name else name
        for arrow in self.arrows:
            yield f"{shown(arrow.source)} to {shown(arrow.target)}: {arrow.text or arrow.class_}"


def bundled(arrows: Iterable[Arrow]) -> list[Arrow]:
    """Merges arrows of the same style between the same boxes; each label is kept once."""
    merged: dict[tuple[object, ...], Arrow] = {}
    for arrow in arrows:
        key = (arrow.source, arrow.target, arrow.class_, arrow.head, arrow.has_diamond, arrow.near, arrow.far)
        whole = merged.setdefault(key, arrow)
        if whole is not arrow:
            whole.labels += [line for line in arrow.labels if line not in whole.labels]
    return list(merged.values())
