"""How things look on a terminal: the colours of every role, and a board for screens that are too small."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from pentad import drawing
from pentad.game import Position, Span

WOOD = "on #b5763a"
COURSE = "on #d6a268"  # where pieces go


def _letter(colour: str) -> str:
    """The colour of a letter on a colour."""
    return "#1d160c" if colour in drawing.BRIGHT else "#ffffff"


# The board brings its own ground, so that black is black and white is white on any terminal. Without colours
# the marbles' shapes tell them apart, and what matters is underlined or reversed.
STYLES = {
    "black": f"bold #000000 {WOOD}",
    "white": f"bold #ffffff {WOOD}",
    "red": f"bold #a00018 {WOOD}",
    "green": f"bold #00471f {WOOD}",
    "yellow": f"bold #ffe96b {WOOD}",
    "purple": f"bold #4b0f87 {WOOD}",
    "gray": "#ccd2d9 on #565c66",
    "frame": f"#501e00 {WOOD}",
    "ground": WOOD,
    "course": COURSE,
    "stop": f"bold #3a1400 {COURSE}",
    "ink": f"#2b1000 {WOOD}",
    "empty": f"#501e00 {WOOD}",
    "label": "dim",
    "last": "underline on #e3b27a",
    "line": "reverse on #ffd23f",
    "moved": "underline",
    "put": "on #ffd23f",
    "to-move": "bold underline",
    "way": "bold #ffffff on #7a3f12",
    **{f"chip-{name}": f"bold {_letter(name)} on {hue}" for name, hue in drawing.hues().items()},
    "status": "bold",
    "title": "bold",
    "news": "",
    "complaint": "bold red",
    "quiet": "dim",
}


def console(no_colour: bool = False) -> Console:
    """The terminal; its size is asked anew for every drawing."""
    return Console(highlight=False, markup=False, emoji=False, no_color=True if no_colour else None)


def style_of(role: str) -> Style:
    """The look of a role, which may be several words: `black last`."""
    return Style.combine([Style.parse(STYLES.get(word, "")) for word in role.split()])


def styled(line: Sequence[Span]) -> Text:
    """A line of spans in its colours; what is left of the board stays without ground."""
    text = Text()
    for i, (piece, role) in enumerate(line):
        margin = len(piece) - len(piece.lstrip()) if i == 0 else 0
        text.append(piece[:margin])
        text.append(piece[margin:], style_of(role))
    return text


def width_of(lines: Sequence[Text]) -> int:
    """How many columns lines need."""
    return max((cell_len(line.plain) for line in lines), default=0)


def condensed(position: Position, spans: Sequence[Sequence[Span]], width: int) -> list[Text]:
    """A board without frames, a column for each space; where it has no such rows, the position as a list."""
    rows = [[(text.strip(), role) for text, role in line if _matters(text, role)] for line in spans]
    widths = {len(_cells(row)) for row in rows if len(row) > 1}
    size = widths.pop() if len(widths) == 1 else 0
    names = max((len(row[0][0]) for row in rows if len(row) > 1), default=0)
    narrow = [_condensed_row(row, size, names) for row in rows if row]
    if size and width_of(narrow) <= width:
        return narrow
    return wrapped([Text("(no room for the board)", STYLES["quiet"]), *listed(position)], width)


def listed(position: Position) -> list[Text]:
    """What stands where, as a list; whose turn it is stands elsewhere."""
    return [Text(line) for line in position.listing()[:-1]]


def wrapped(lines: Sequence[Text], width: int) -> list[Text]:
    """Lines that fit into so many columns."""
    return [part for line in lines for part in line.wrap(console(), width, overflow="fold")]


def _matters(text: str, role: str) -> bool:
    return bool(text.strip()) and role not in ("frame", "status")


def _cells(row: Sequence[Span]) -> list[Span]:
    return [(text, role) for text, role in row if role != "label"]


def _condensed_row(row: Sequence[Span], size: int, margin: int) -> Text:
    """A row behind its name; or the columns' names, of whose two figures the last one fits; or a line of words."""
    (name, role), *_ = row
    if len(row) > 1:
        return styled([(name.rjust(margin), role), *_cells(row)])
    columns = name.split()
    return Text(" " * margin + "".join(each[-1] for each in columns) if len(columns) == size else name, style_of(role))
