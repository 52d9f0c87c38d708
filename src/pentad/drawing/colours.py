"""The colours of marbles, stones, figures and fields on all screens."""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    """The shades of a colour of marbles, stones, figures or fields; letters on a `bright` one are dark.

    `ink` is the colour on the wood of a board in a terminal.
    """

    highlight: str
    base: str
    edge: str
    mark: str = ""  # the mark on a marble, which distinguishes the colours of seats also without colour
    ink: str = ""
    bright: bool = False

    @property
    def letter(self) -> str:
        """The colour of a letter on it."""
        return "#1d160c" if self.bright else "#ffffff"


COLOURS = {
    "black": Colour("#6c6c72", "#141416", "#000", "#999", "#000000"),
    "white": Colour("#ffffff", "#e4ded3", "#3a352e", "#6f6a62", "#ffffff", bright=True),
    "red": Colour("#ff8a80", "#b3161c", "#6d0f12", "#fff", "#a00018"),
    "green": Colour("#7fe0a4", "#14713f", "#0c4a2b", "#fff", "#00471f"),
    "yellow": Colour("#fff3b0", "#e0a800", "#7a5a00", "#4c3900", "#ffe96b", bright=True),
    "purple": Colour("#cfa6ff", "#6a2fb0", "#3d1a66", "#fff", "#4b0f87"),
    "blue": Colour("#86b6ff", "#1c50c4", "#0c2a70"),
    "orange": Colour("#ffb46b", "#dd5f08", "#7d3f02", bright=True),
    "pink": Colour("#ffe0ef", "#f08cbc", "#85325c", bright=True),
    "brown": Colour("#b98a60", "#6b3d1b", "#2e1809"),
    "cyan": Colour("#d6fbff", "#2cbfd6", "#0b5966", bright=True),
    "lime": Colour("#ecfca8", "#9ccb1e", "#4a6206", bright=True),
    "navy": Colour("#5868b0", "#141c55", "#050a2a"),
    "gray": Colour("#c3c8cf", "#858b95", "#3b4048", "#2c3036"),
}


def hue(colour: str) -> str:
    """The flat fill of a colour, by its name."""
    return COLOURS[colour].highlight if colour == "white" else COLOURS[colour].base
