"""The twenty automorphisms of Pentagame's board, and the ten that take goals to goals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pentad.pentagame.board import EDGE_BETWEEN, FIELDS, NUMBER, OFF_BOARD, Field


@dataclass(frozen=True)
class Way:
    """One way to look at the board: where each field goes, by number."""

    name: str
    fields: tuple[int, ...]

    @property
    def keeps_goals(self) -> bool:
        """Whether corners stay on the ring; then goals go to goals, the colours renamed."""
        return self.fields[0] < 5

    @property
    def colours(self) -> tuple[int, ...]:
        """What each colour is renamed to."""
        return self.fields[:5]

    def field(self, number: int) -> int:
        """Where a field goes; what is off the board stays there."""
        return OFF_BOARD if number == OFF_BOARD else self.fields[number]

    def figure(self, figure: int) -> int:
        """What a figure is renamed to: pieces by their colour, black blocks by the junction they start on."""
        if figure < 5:
            return self.fields[figure]
        return 11 + self.fields[figure - 11] if figure > 10 else figure


def _carry(mains: tuple[int, ...]) -> tuple[int, ...]:
    """Where all fields go if the main fields go to these."""
    fields = list(mains)
    for start, counter, end in FIELDS[10:]:
        one, other = mains[start], mains[end]
        edge = EDGE_BETWEEN[one, other]
        steps = counter if edge.high == one else len(edge.stops) + 1 - counter
        fields.append(NUMBER[Field(edge.high, steps, edge.low)])
    return tuple(fields)


@lru_cache(maxsize=1)
def automorphisms() -> tuple[Way, ...]:
    """All twenty: five turns and five mirrorings, each also with corners and junctions of a colour exchanged."""
    ways = []
    for inside_out in (False, True):
        for mirrored in (False, True):
            for turn in range(5):
                colours = [((-c if mirrored else c) + turn) % 5 for c in range(5)]
                mains = (*colours, *(5 + c for c in colours))
                if inside_out:
                    mains = tuple((main + 5) % 10 for main in mains)
                name = f"{'mirrored' if mirrored else 'turned'} by {turn}{', inside out' if inside_out else ''}"
                ways.append(Way("identity" if name == "turned by 0" else name, _carry(mains)))
    return tuple(ways)


def symmetries() -> tuple[Way, ...]:
    """The ten ways that keep goals, the identity first."""
    return tuple(way for way in automorphisms() if way.keeps_goals)
