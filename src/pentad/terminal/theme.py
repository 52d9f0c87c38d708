"""Styles for terminals: the colours of every role, and styled lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.style import Style
from rich.text import Text

from pentad.drawing.colours import COLOURS, hue
from pentad.game import Span
from pentad.system.progress import can_redraw

# The ground of each board, the course of Pentagame on it, the lines on both, and the ground of the last move.
_BOARDS = {
    "wood": ("#b5763a", "#d6a268", "#501e00", "#e3b27a"),
    "slate": ("#6a7682", "#8fa0ae", "#10161b", "#9fb6c8"),
    "felt": ("#3f7f5c", "#63a17e", "#06281a", "#8fcfa8"),
}
BOARDS = tuple(_BOARDS)


# The board has its own background, so that black is black and white is white on any terminal. Without colours
# the marbles differ in shape, and highlighted spaces are underlined or reversed.
def styles(board: str = BOARDS[0]) -> Mapping[str, str]:
    """The style of every role, on one of the boards."""
    ground, course, lines, last = _BOARDS[board]
    return {
        **{name: f"bold {colour.ink} on {ground}" for name, colour in COLOURS.items() if colour.ink},
        "gray": "#ccd2d9 on #565c66",
        "frame": f"{lines} on {ground}",
        "ground": f"on {ground}",
        "course": f"on {course}",
        "stop": f"bold {lines} on {course}",
        "ink": f"{lines} on {ground}",
        "empty": f"{lines} on {ground}",
        "label": "dim",
        "tally": "dim",
        "last": f"underline on {last}",
        "line": "reverse on #ffd23f",
        "moved": "underline",
        "put": "on #ffd23f",
        "to-move": "bold underline",
        "way": "bold #ffffff on #7a3f12",
        "win": "bold #06300f on #8fd19e",  # this and the next two are exact values
        "draw": "bold #332800 on #ffd75e",
        "loss": "bold #ffffff on #a3273d",
        "chosen": "underline",
        "choice": "bold #ffffff on #7a3f12",
        "touched": "bold on #ffd23f",
        "hint": "bold underline on #8fd19e",
        "cursor": "bold on #2f7fbf",
        **{f"chip-{name}": f"bold {colour.letter} on {hue(name)}" for name, colour in COLOURS.items()},
        "status": "bold",
        "title": "bold",
        "news": "",
        "error": "bold red",
        "quiet": "dim",
    }


STYLES = styles()


def without_underlines(table: Mapping[str, str]) -> Mapping[str, str]:
    """Styles for pieces of several rows, through which an underline would run."""
    return {role: style.replace("underline", "") for role, style in table.items()}


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


def style_of(role: str, table: Mapping[str, str] = STYLES) -> Style:
    """The style of a role, which may be several words: `black last`. The target after them has no style."""
    words = role.partition("@")[0].split()
    return Style.combine([Style.null(), *(Style.parse(table.get(word, "")) for word in words)])


def styled(line: Sequence[Span], table: Mapping[str, str] = STYLES) -> Text:
    """A line of spans in its colours; the margin left of the board has no background."""
    text = Text(end="")
    for i, (piece, role) in enumerate(line):
        margin = len(piece) - len(piece.lstrip()) if i == 0 and piece.strip() else 0
        text.append(piece[:margin])
        text.append(piece[margin:], style_of(role, table))
    return text


def wrapped(lines: Sequence[Text], width: int) -> list[Text]:
    """Lines wrapped to a width."""
    parts = [part for line in lines for part in line.wrap(console(), width, overflow="fold")]
    for part in parts:
        part.rstrip()
    return parts
