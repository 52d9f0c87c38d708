"""What a picture is made of: boxes that hold lines of text, and arrows between them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

FONT, LEADING = 14, 18  # a letter's height, and from line to line
PAD_X, PAD_Y = 11, 7  # between a box and its text
MOST_LETTERS = 60  # of one label; the rest is told where the pointer rests
ROW_LETTERS, MOST_ROWS = 16, 5  # of the labels of one arrow

# Letters' widths, as parts of their height.
_NARROW, _BROAD = frozenset("iljtfrI.,:;|!'()[]{}/\\ "), frozenset("mwMWQGO@%∀∃+=<>≥")
_CONTROLS = {ord("\n"): "↵", ord("\r"): "␍", ord("\t"): "⇥"}
_UNSAFE_CATEGORIES = {"Cc", "Cs", "Cn"}  # controls, halves of letters, and what is no letter


def shown(text: str) -> str:
    """A text as it can stand in a picture: what XML does not carry is shown as �.

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
    """About how wide a text is."""
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
    """A place in a picture, in pixels from its top left."""

    x: float
    y: float


class Line(NamedTuple):
    """A line of text; the class tells how it is set (`type`, `flag`, `path`, a role)."""

    text: str
    class_: str = ""

    @property
    def width(self) -> float:
        return width_of(short(self.text), "type" in self.class_.split())


@dataclass(slots=True)
class Box:
    """A node, as it is drawn: its lines, and its middle once it has a place."""

    name: str
    lines: list[Line] = field(default_factory=list)
    class_: str = "reader"
    sign: str = ""  # at its top left: what happens to it
    badge: str = ""  # at its top right: which parameter it is
    is_round: bool = False
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def measure(self) -> None:
        """Make it as large as its text."""
        widest = max((line.width for line in self.lines), default=0.0)
        self.height = max(len(self.lines), 1) * LEADING + 2 * PAD_Y
        self.width = max(widest + 2 * PAD_X, self.height)

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point is in it, or so near."""
        across, down = abs(x - self.x) / (self.width / 2 + margin), abs(y - self.y) / (self.height / 2 + margin)
        return across * across + down * down < 1 if self.is_round else across < 1 and down < 1

    @property
    def said(self) -> str:
        """It in words."""
        return ", ".join(line.text for line in self.lines) or shown(self.name)


@dataclass(slots=True)
class Arrow:
    """Edges that are drawn as one: from a box to a box, with all their labels."""

    source: str
    target: str
    labels: list[Line] = field(default_factory=list)
    class_: str = "reader"
    head: str = "arrow"  # or `triangle`, which is hollow
    has_diamond: bool = False  # at its source
    near: str = ""  # a number at its source
    far: str = ""  # and one at its target
    is_thin: bool = False  # one of very many: its label is told below the picture

    @property
    def said(self) -> str:
        return ", ".join(line.text for line in self.labels)

    @property
    def rows(self) -> list[list[Line]]:
        """Its labels in rows; where there are too many the last row tells how many more."""
        rows: list[list[Line]] = []
        room = 0
        for number, line in enumerate(() if self.is_thin else self.labels):
            line = Line(short(line.text), line.class_)
            if room < len(line.text):
                if len(rows) == MOST_ROWS:
                    return [*rows, [Line(f"and {len(self.labels) - number} more")]]
                rows.append([])
                room = max(ROW_LETTERS, len(line.text))
            rows[-1].append(line)
            room -= len(line.text) + 2
        return rows


@dataclass(slots=True)
class Parts:
    """All that a picture shows, by name."""

    boxes: dict[str, Box] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)

    @property
    def links(self) -> list[tuple[str, str]]:
        """Which boxes are joined."""
        return [(arrow.source, arrow.target) for arrow in self.arrows if arrow.source != arrow.target]

    @property
    def listing(self) -> Iterator[str]:
        """What is there in words, a sentence each."""
        for box in self.boxes.values():
            name = shown(box.name)
            yield f"{name}: {box.said}" if box.said != name else name
        for arrow in self.arrows:
            yield f"{shown(arrow.source)} to {shown(arrow.target)}: {arrow.said or arrow.class_}"


def bundled(arrows: Iterable[Arrow]) -> list[Arrow]:
    """Arrows of one look between the same boxes put together, each label once."""
    found: dict[tuple[object, ...], Arrow] = {}
    for arrow in arrows:
        alike = (arrow.source, arrow.target, arrow.class_, arrow.head, arrow.has_diamond, arrow.near, arrow.far)
        whole = found.setdefault(alike, arrow)
        if whole is not arrow:
            whole.labels += [line for line in arrow.labels if line not in whole.labels]
    return list(found.values())
