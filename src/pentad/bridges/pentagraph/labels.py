"""Labels of nodes and positions of figures, in pentagraph's own convention or in the denomination's.

pentagraph has the junctions at 0-4 and the corners at 5-9, and a stop's counter runs from the lower of its two
ends, in whichever order these are named. The denomination has the corners at 0-4, and a counter runs from the end
that is named first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

try:
    from networkx import NetworkXError  # type: ignore[import-untyped]
except ImportError:
    raise ImportError("the bridge to pentagraph needs networkx: pip install 'pentad[pentagraph]'") from None

from pentad.game import GameError, InvalidMove, shown
from pentad.pentagame import denomination
from pentad.pentagame.board import EDGES, NUMBER, OFF, OFF_BOARD, Field, name_of
from pentad.pentagame.denomination import legacy

Position: TypeAlias = tuple[int, int, int]

OFF_LABEL = "-1"
DUE, MOVER, NAMES = "due", "mover", "names"  # what a graph's own attributes keep of a board
_LABEL = re.compile(r"([0-9])-([0-9])-([0-9])")


class NoSuchNode(InvalidMove, NetworkXError):  # type: ignore[misc]  # networkx has no types
    """A label that names no node of the board."""


@dataclass(frozen=True, slots=True)
class Names:
    """A convention: how it names a field of ours, and what a name of its means."""

    word: str
    read: Callable[[object], Field]
    write: Callable[[Field], Field]

    def number(self, position: Sequence[int] | str) -> int:
        """Our number of the field that a position or a label means."""
        if isinstance(position, str):
            return self.labelled(position)
        numbers = list(position) if isinstance(position, list | tuple) else position
        return NUMBER[self.read(numbers)]

    def labelled(self, label: object) -> int:
        """Our number of the field that a label means."""
        if label == OFF_LABEL:
            return OFF_BOARD
        found = _LABEL.fullmatch(label) if isinstance(label, str) else None
        try:
            if found:
                return NUMBER[self.read([int(each) for each in found.groups()])]
        except InvalidMove as error:
            raise NoSuchNode(f"{label} is no node of the board: {error}") from None
        raise NoSuchNode(f"{shown(label, 40)} is no node of the board; labels are such as 0-0-0 and 0-3-5")

    def position(self, number: int) -> Position:
        """The position of a figure that stands on a field of ours."""
        return OFF if number == OFF_BOARD else self.write(name_of(number))

    def label(self, number: int) -> str:
        """The node of a field of ours."""
        return OFF_LABEL if number == OFF_BOARD else "-".join(map(str, self.position(number)))

    @property
    def edgemap(self) -> tuple[tuple[str, str, int], ...]:
        """The edges between corners and junctions, the lower end first, each with the number of its stops."""
        ends = ((sorted((self.label(edge.high), self.label(edge.low))), len(edge.stops)) for edge in EDGES)
        return tuple(sorted((low, high, stops) for (low, high), stops in ends))


def _as_it_is(field: Field) -> Field:
    return field


PENTAGRAPH = Names("pentagraph", legacy.field, legacy.name)
DENOMINATION = Names("denomination", denomination.field, _as_it_is)
CONVENTIONS = {names.word: names for names in (PENTAGRAPH, DENOMINATION)}


def convention(word: str | Names) -> Names:
    """The convention of that name."""
    if isinstance(word, Names):
        return word
    if word not in CONVENTIONS:
        raise GameError(f"there are no names {shown(word, 40)}; there are {' and '.join(CONVENTIONS)}")
    return CONVENTIONS[word]
