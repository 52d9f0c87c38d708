"""Figures as pentagraph has them: players' pieces, gray and black stoppers, each with its position and its node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, TypeAlias

from pentad.bridges.pentagraph.labels import PENTAGRAPH, Names, Position
from pentad.game import GameError, shown
from pentad.pentagame.denomination import BLACKS, GRAYS, PIECES

Color: TypeAlias = tuple[int, int, int]
Colors: TypeAlias = tuple[tuple[Color, str, str], ...]

# By the piece that has the colour; pentagraph's first corner, 5, is that of blue.
COLORS: Colors = (
    ((0, 0, 255), "#0000FF", "blue"),
    ((255, 255, 255), "#FFFFFF", "white"),
    ((0, 128, 0), "#008000", "green"),
    ((255, 255, 0), "#FFFF00", "yellow"),
    ((255, 0, 0), "#FF0000", "red"),
)


def clamp(source: Iterable[int]) -> tuple[int, ...]:
    """Colour values, each brought into 0 to 255.

    >>> clamp((300, -4, 0))
    (255, 0, 0)
    """
    return tuple(min(max(0, value), 255) for value in source)


class Point:
    """A place on the board."""

    type: str

    def __init__(self, postion: Sequence[int]) -> None:  # the parameter is spelt as it is there
        self.position = _position(postion)

    def node_label(self, names: Names = PENTAGRAPH) -> str:
        """The label of its node."""
        return names.label(names.number(self.position))


class Corner(Point):
    type = "Corner"


class Junction(Point):
    type = "Junction"


class Stopper(Point):
    type = "Stopper"


def _position(given: Sequence[int]) -> Position:
    """Three numbers; whether they name a field is for a convention to say."""
    if not isinstance(given, list | tuple) or len(given) != 3 or any(type(each) is not int for each in given):
        raise GameError(f"a position is [start, counter, end], three whole numbers, not {shown(given, 40)}")
    start, counter, end = given
    return (start, counter, end)


class Figure:
    """A figure: where it stands, in the names of its board, and whose it is or which stopper."""

    type: str = "figure"
    color: Color = (0, 0, 0)
    hexcolor: str = "#000000"

    def __init__(self, position: Sequence[int], uid: int, *, names: Names = PENTAGRAPH, **attrs: Any) -> None:
        self.names = names
        self.position = _position(position)
        self.uid = uid
        self.attrs = attrs
        self.update_node()

    @property
    def number(self) -> int:
        """Our number of the field on which it stands."""
        return self.names.number(self.position)

    def rename(self, names: Names) -> None:
        """Name the field on which it stands in another convention."""
        self.position, self.names = names.position(self.number), names
        self.update_node()

    def update_node(self) -> None:
        """Bring the label up to the position."""
        self._node = self.node_label()

    def move(self, target: Sequence[int]) -> None:
        """Put it somewhere else; a board that it stands on is to be told by `Board.update`."""
        before, self.position = self.position, _position(target)
        try:
            self.update_node()
        except GameError:
            self.position = before
            raise

    def node_label(self) -> str:
        """The label of the node on which it stands, `-1` off the board."""
        return self.names.label(self.number)

    def jsonify(self, hexcolors: bool = False) -> dict[str, Any]:
        """What there is to know of it."""
        color = self.hexcolor if hexcolors else self.color
        return {"type": self.type, "position": self.position, "uid": self.uid, "color": color}

    def __repr__(self) -> str:
        return f"<Figure {self.uid}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Figure):
            return NotImplemented
        return (self.type, self.uid, self._node, self.color) == (other.type, other.uid, other._node, other.color)

    __hash__ = None  # type: ignore[assignment]  # it moves


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
    """A player's piece; `figure=0` to `4` says which, else its colour does, or the order of the player's pieces."""

    type = "player"

    def __init__(self, position: Sequence[int], uid: int, color: Sequence[int], **attrs: Any) -> None:
        super().__init__(position, uid, **attrs)
        if not isinstance(color, list | tuple) or len(color) != 3 or any(type(each) is not int for each in color):
            raise GameError(f"a colour is three whole numbers, red, green and blue, not {shown(color, 40)}")
        if attrs.get("figure", 0) not in PIECES:
            raise GameError(f"a player's figure is 0 to 4, not {shown(attrs['figure'], 40)}")
        red, green, blue = clamp(color)
        self.color = (red, green, blue)
        self.hexcolor = f"#{red:02x}{green:02x}{blue:02x}"


TYPES: dict[str, type[Figure]] = {each.type: each for each in (Player, GrayStopper, BlackStopper)}

FigureType: TypeAlias = Player | GrayStopper | BlackStopper | Figure
