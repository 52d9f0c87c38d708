"""pentagraph's figures: players' pieces, gray and black stoppers, each with its position and node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, TypeAlias

from pentad.bridges.pentagraph.labels import PENTAGRAPH, NamingConvention, Position
from pentad.game import GameError, shown
from pentad.games.pentagame.denomination import BLACKS, GRAYS, PIECES

Color: TypeAlias = tuple[int, int, int]
Colors: TypeAlias = tuple[tuple[Color, str, str], ...]

# Indexed by piece; pentagraph's first corner, 5, is blue.
COLORS: Colors = (
    ((0, 0, 255), "#0000FF", "blue"),
    ((255, 255, 255), "#FFFFFF", "white"),
    ((0, 128, 0), "#008000", "green"),
    ((255, 255, 0), "#FFFF00", "yellow"),
    ((255, 0, 0), "#FF0000", "red"),
)


def clamp(source: Iterable[int]) -> tuple[int, ...]:
    """Limits colour values to 0 to 255.

    >>> clamp((300, -4, 0))
    (255, 0, 0)
    """
    return tuple(min(max(0, value), 255) for value in source)


class Point:
    """A place on the board."""

    type: str

    def __init__(self, postion: Sequence[int]) -> None:  # pentagraph misspells the parameter
        self.position = _position(postion)

    def node_label(self, names: NamingConvention = PENTAGRAPH) -> str:
        """The label of its node."""
        return names.label(names.number(self.position))


class Corner(Point):
    type = "Corner"


class Junction(Point):
    type = "Junction"


class Stopper(Point):
    type = "Stopper"


def _position(given: Sequence[int]) -> Position:
    """Checks for three numbers; the convention checks whether they name a field."""
    if not isinstance(given, list | tuple) or len(given) != 3 or any(type(each) is not int for each in given):
        raise GameError(
            "Expected a position of three whole numbers, [start, counter, end], got {given}.", given=shown(given, 40)
        )
    start, counter, end = given
    return (start, counter, end)


class Figure:
    """A figure: its position in its board's convention, and its player or stopper number."""

    type: str = "figure"
    color: Color = (0, 0, 0)
    hexcolor: str = "#000000"

    def __init__(
        self, position: Sequence[int], uid: int, *, names: NamingConvention = PENTAGRAPH, **attrs: Any
    ) -> None:
        self.names = names
        self.position = _position(position)
        self.uid = uid
        self.attrs = attrs
        self.update_node()

    @property
    def number(self) -> int:
        """The number of its field."""
        return self.names.number(self.position)

    def rename(self, names: NamingConvention) -> None:
        """Converts its position to another convention."""
        self.position, self.names = names.position(self.number), names
        self.update_node()

    def update_node(self) -> None:
        """Updates the label to the position."""
        self._node = self.node_label()

    def move(self, target: Sequence[int]) -> None:
        """Moves it to another field; its board then needs a call of `Board.update`."""
        position = _position(target)
        self._node = self.names.label(self.names.number(position))
        self.position = position

    def node_label(self) -> str:
        """The label of its node, `-1` off the board."""
        return self.names.label(self.number)

    def jsonify(self, hexcolors: bool = False) -> dict[str, Any]:
        """The figure as a dictionary."""
        color = self.hexcolor if hexcolors else self.color
        return {"type": self.type, "position": self.position, "uid": self.uid, "color": color}

    def __repr__(self) -> str:
        return f"<Figure {self.uid}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Figure):
            return NotImplemented
        return (self.type, self.uid, self._node, self.color) == (other.type, other.uid, other._node, other.color)

    __hash__ = None  # type: ignore[assignment]  # a figure is mutable


class BlackStopper(Figure):
    """A black block."""

    type = "black stopper"
    figures: ClassVar = BLACKS


class GrayStopper(Figure):
    """A gray block."""

    type = "gray stopper"
    color = (44, 44, 44)
    hexcolor = "#2c2c2c"
    figures: ClassVar = GRAYS


class Player(Figure):
    """A player's piece; its number is `figure=0` to `4`, else that of its colour, else the next free one."""

    type = "player"

    def __init__(self, position: Sequence[int], uid: int, color: Sequence[int], **attrs: Any) -> None:
        super().__init__(position, uid, **attrs)
        if not isinstance(color, list | tuple) or len(color) != 3 or any(type(each) is not int for each in color):
            raise GameError(
                "Expected a colour of three whole numbers, [red, green, blue], got {color}.", color=shown(color, 40)
            )
        if attrs.get("figure", 0) not in PIECES:
            raise GameError(
                "The figure of a player's piece must be 0 to 4, not {figure}.", figure=shown(attrs["figure"], 40)
            )
        red, green, blue = clamp(color)
        self.color = (red, green, blue)
        self.hexcolor = f"#{red:02x}{green:02x}{blue:02x}"


TYPES: dict[str, type[Figure]] = {each.type: each for each in (Player, GrayStopper, BlackStopper)}

FigureType: TypeAlias = Player | GrayStopper | BlackStopper | Figure
