"""Labels of nodes and positions of figures, in the conventions of pentagraph and of the denomination.

In pentagraph the junctions are 0-4 and the corners 5-9, and a stop's counter runs from the lower end, whichever is
named first. In the denomination the corners are 0-4, and a counter runs from the end that is named first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pentad.game import GameError, InvalidMove, shown
from pentad.games.pentagame import denomination
from pentad.games.pentagame.board import EDGES, NUMBER, OFF, OFF_BOARD, Field, name_of
from pentad.games.pentagame.denomination import legacy
from pentad.system.extras import needs

with needs("pentagraph"):
    from networkx import NetworkXError  # type: ignore[import-untyped]

Position: TypeAlias = tuple[int, int, int]

OFF_LABEL = "-1"
DUE, MOVER, NAMES = "due", "mover", "names"  # graph attributes that this package adds
_LABEL = re.compile(r"([0-9])-([0-9])-([0-9])")


class NoSuchNode(InvalidMove, NetworkXError):  # type: ignore[misc]  # networkx has no types
    """An unknown node label."""


@dataclass(frozen=True, slots=True)
class NamingConvention:
    """A naming convention: parses its names of fields, and writes them."""

    word: str
    read: Callable[[object], Field]
    write: Callable[[Field], Field]

    def number(self, position: Sequence[int] | str) -> int:
        """The number of a field, from a position or a label."""
        if isinstance(position, str):
            return self.labelled(position)
        numbers = list(position) if isinstance(position, list | tuple) else position
        return NUMBER[self.read(numbers)]

    def labelled(self, label: object) -> int:
        """The number of a field, from a label."""
        if label == OFF_LABEL:
            return OFF_BOARD
        found = _LABEL.fullmatch(label) if isinstance(label, str) else None
        try:
            if found:
                return NUMBER[self.read([int(each) for each in found.groups()])]
        except InvalidMove as error:
            raise NoSuchNode("Unknown node {label}: {error}", label=label, error=error) from None
        raise NoSuchNode("Unknown node {label}. Examples of labels are 0-0-0 and 0-3-5.", label=shown(label, 40))

    def position(self, number: int) -> Position:
        """The position of a figure on a field, by the field's number."""
        return OFF if number == OFF_BOARD else self.write(name_of(number))

    def label(self, number: int) -> str:
        """The node of a field, by number."""
        return OFF_LABEL if number == OFF_BOARD else "-".join(map(str, self.position(number)))

    @property
    def edgemap(self) -> tuple[tuple[str, str, int], ...]:
        """The edges between main fields, the lower end first, each with its number of stops."""
        ends = ((sorted((self.label(edge.high), self.label(edge.low))), len(edge.stops)) for edge in EDGES)
        return tuple(sorted((low, high, stops) for (low, high), stops in ends))


def _as_it_is(field: Field) -> Field:
    return field


PENTAGRAPH = NamingConvention("pentagraph", legacy.field, legacy.name)
DENOMINATION = NamingConvention("denomination", denomination.field, _as_it_is)
CONVENTIONS = {names.word: names for names in (PENTAGRAPH, DENOMINATION)}


def convention(word: str | NamingConvention) -> NamingConvention:
    """Looks up a convention by name."""
    if isinstance(word, NamingConvention):
        return word
    if word not in CONVENTIONS:
        raise GameError(
            "Unknown names {word}. Expected {conventions}.", word=shown(word, 40), conventions=" or ".join(CONVENTIONS)
        )
    return CONVENTIONS[word]
