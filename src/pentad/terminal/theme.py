"""Styles for terminals: the colours of every role, and styled lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from pentad.colours import COLOURS, hue
from pentad.game import Span
from pentad.progress import can_redraw

WOOD = "on #b5763a"
COURSE = "on #d6a268"  # the fields of Pentagame


# The board has its own background, so that black is black and white is white on any terminal. Without colours
# the marbles differ in shape, and highlighted spaces are underlined or reversed.
STYLES = {
    **{name: f"bold {colour.ink} {WOOD}" for name, colour in COLOURS.items() if colour.ink},
    "gray": "#ccd2d9 on #565c66",
    "frame": f"#501e00 {WOOD}",
    "ground": WOOD,
    "course": COURSE,
    "stop": f"bold #3a1400 {COURSE}",
    "ink": f"#2b1000 {WOOD}",
    "empty": f"#501e00 {WOOD}",
    "label": "dim",
    "tally": "dim",
    "last": "underline on #e3b27a",
    "line": "reverse on #ffd23f",
    "moved": "underline",
    "put": "on #ffd23f",
    "to-move": "bold underline",
    "way": "bold #ffffff on #7a3f12",
    "win": "bold #06300f on #8fd19e",  # exact values
    "draw": "bold #332800 on #ffd75e",
    "loss": "bold #ffffff on #a3273d",
    "chosen": "underline",
    **{f"chip-{name}": f"bold {colour.letter} on {hue(name)}" for name, colour in COLOURS.items()},
    "status": "bold",
    "title": "bold",
    "news": "",
    "error": "bold red",
    "quiet": "dim",
}


def console(no_colour: bool = False) -> Console:
    """The console of the terminal; a plain terminal gets text without styles."""
    return Console(
        highlight=False,
        markup=False,
        emoji=False,
        no_color=True if no_colour else None,
        color_system="auto" if can_redraw() else None,
    )


def has_colours(out: Console) -> bool:
    """Whether the console shows colours."""
    return out.color_system is not None and not out.no_color


def style_of(role: str) -> Style:
    """The style of a role, which may be several words: `black last`."""
    return Style.combine([Style.parse(STYLES.get(word, "")) for word in role.split()])


def styled(line: Sequence[Span]) -> Text:
    """A line of spans in its colours; the margin left of the board has no background."""
    text = Text()
    for i, (piece, role) in enumerate(line):
        margin = len(piece) - len(piece.lstrip()) if i == 0 else 0
        text.append(piece[:margin])
        text.append(piece[margin:], style_of(role))
    return text


def width_of(lines: Sequence[Text]) -> int:
    """The width of lines in columns."""
    return max((cell_len(line.plain) for line in lines), default=0)


def wrapped(lines: Sequence[Text], width: int) -> list[Text]:
    """Lines wrapped to a width."""
    parts = [part for line in lines for part in line.wrap(console(), width, overflow="fold")]
    for part in parts:
        part.rstrip()
    return parts


def cut(line: Text, width: int) -> Text:
    """A line truncated to a width."""
    line.truncate(width, overflow="ellipsis")
    return line
