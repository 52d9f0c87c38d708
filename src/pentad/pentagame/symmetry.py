"""The twenty automorphisms of Pentagame's board, and the ten that map goals to goals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pentad.pentagame.board import EDGE_BETWEEN, FIELDS, NUMBER, OFF_BOARD, Field


@dataclass(frozen=True)
class Automorphism:
    """An automorphism of the board: the image of each field, by number."""

    name: str
    fields: tuple[int, ...]

    @property
    def keeps_goals(self) -> bool:
        """Whether corners stay on the ring; then goals map to goals, with the colours renamed."""
        return self.fields[0] < 5

    @property
    def colours(self) -> tuple[int, ...]:
        """The image of each colour."""
        return self.fields[:5]

    def field(self, number: int) -> int:
        """The image of a field; off the board stays off the board."""
        return OFF_BOARD if number == OFF_BOARD else self.fields[number]

    def figure(self, figure: int) -> int:
        """The image of a figure: pieces by their colour, black blocks by their first junction."""
        if figure < 5:
            return self.fields[figure]
        return 11 + self.fields[figure - 11] if figure > 10 else figure


def _extend(mains: tuple[int, ...]) -> tuple[int, ...]:
    """Extends a map of the main fields to all fields."""
    fields = list(mains)
    for start, counter, end in FIELDS[10:]:
        one, other = mains[start], mains[end]
        edge = EDGE_BETWEEN[one, other]
        steps = counter if edge.high == one else len(edge.stops) + 1 - counter
        fields.append(NUMBER[Field(edge.high, steps, edge.low)])
    return tuple(fields)


@lru_cache(maxsize=1)
def automorphisms() -> tuple[Automorphism, ...]:
    """All twenty: five rotations and five reflections, each also with corners and junctions exchanged."""
    found = []
    for inside_out in (False, True):
        for mirrored in (False, True):
            for turn in range(5):
                colours = [((-c if mirrored else c) + turn) % 5 for c in range(5)]
                mains = (*colours, *(5 + c for c in colours))
                if inside_out:
                    mains = tuple((main + 5) % 10 for main in mains)
                name = f"{'mirrored' if mirrored else 'turned'} by {turn}{', inside out' if inside_out else ''}"
                found.append(Automorphism("identity" if name == "turned by 0" else name, _extend(mains)))
    return tuple(found)


def symmetries() -> tuple[Automorphism, ...]:
    """The ten automorphisms that keep goals, the identity first."""
    return tuple(each for each in automorphisms() if each.keeps_goals)
