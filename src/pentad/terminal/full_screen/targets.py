"""Targets of a board in characters: their places, the cursor's way among them, and the choices that touches select."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from rich.cells import cell_len

from pentad.game import Choice, Choices, Span

Place: TypeAlias = "tuple[int, int]"  # a row and a column, from 0
Direction: TypeAlias = "tuple[int, int]"  # the differences of rows and of columns

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
TALL = 2  # the height of a character in widths
ASIDE = 2  # how much a step aside counts against one ahead


class Chart:
    """The places of the targets of a drawing, by the names that its pieces of text have.

    >>> chart = Chart([[("· ", "empty @a"), ("·", "empty @b")]])
    >>> chart.names, chart.at(0, 2), chart.at(0, 3), chart.at(1, 0)
    (('a', 'b'), 'b', 'b', None)
    """

    def __init__(self, lines: Iterable[Sequence[Span]]) -> None:
        self._cells: dict[Place, str] = {}
        self._places: dict[str, list[Place]] = {}
        for row, line in enumerate(lines):
            column = 0
            for text, role in line:
                wide = cell_len(text)
                if name := target_of(role):
                    new = [(row, each) for each in range(column, column + wide)]
                    self._cells |= dict.fromkeys(new, name)
                    self._places.setdefault(name, []).extend(new)
                column += wide
        self._middles = {
            name: (sum(row for row, _ in cells) / len(cells), sum(column for _, column in cells) / len(cells))
            for name, cells in self._places.items()
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The targets in reading order."""
        return tuple(self._places)

    def at(self, row: int, column: int) -> str | None:
        """The target at a place, or just beside it."""
        near = ((row, column), (row, column - 1), (row, column + 1))
        return next((self._cells[place] for place in near if place in self._cells), None)

    def places(self, name: str) -> Sequence[Place]:
        """All cells of a target; none if it is not in this drawing."""
        return self._places.get(name, ())

    def around(self, name: str) -> set[Place]:
        """The cells of a target, and those beside them that belong to no other."""
        cells = set(self.places(name))
        return cells | {
            (row, column + by)
            for row, column in cells
            for by in (-1, 1)
            if column + by >= 0 and (row, column + by) not in self._cells
        }

    def middle(self, name: str) -> tuple[float, float]:
        """The row and column of a target's centre."""
        return self._middles[name]

    def nearest(self, place: tuple[float, float], among: Iterable[str]) -> str:
        """The target of some that is nearest to a place."""

        def distance(name: str) -> float:
            row, column = self.middle(name)
            return ((row - place[0]) * TALL) ** 2 + (column - place[1]) ** 2

        return min(among, key=distance)

    def next(self, name: str, direction: Direction, among: Collection[str]) -> str:
        """The nearest target of some in a direction; the same one if there is none."""
        row, column = self.middle(name)
        best, found = None, name
        for other in among:
            if other == name or other not in self._places:
                continue
            there, at = self.middle(other)
            down, right = (there - row) * TALL, at - column
            ahead = down * direction[0] + right * direction[1]
            aside = abs(right if direction[0] else down)
            if ahead <= 0:
                continue
            cost = ahead + ASIDE * aside
            if best is None or cost < best:
                best, found = cost, other
        return found


def target_of(role: str) -> str:
    """The target in the role of a piece of text; empty if there is none."""
    return role.partition("@")[2]


# ── the choices that touches select ──────────────────────────────────────────────────────────────


def continuing(choices: Choices, touched: Sequence[str]) -> list[str]:
    """The targets that may be touched next, after those already touched."""
    count = len(touched)
    found = (
        targets[count]
        for choice in choices
        for targets in (choice.targets, *choice.also)
        if len(targets) > count and list(targets[:count]) == list(touched)
    )
    return list(dict.fromkeys(found))


def complete(choices: Choices, touched: Sequence[str]) -> list[Choice]:
    """The choices that exactly these touches select."""
    return [choice for choice in choices if tuple(touched) in (choice.targets, *choice.also)]


def beginning(choices: Choices, touched: Sequence[str]) -> list[Choice]:
    """The choices that begin with these touches."""
    count = len(touched)
    return [
        choice
        for choice in choices
        if any(list(targets[:count]) == list(touched) for targets in (choice.targets, *choice.also))
    ]


def off_board(choices: Choices, touched: Sequence[str], chart: Chart) -> list[Choice]:
    """The choices that cannot be touched on the board: their next target is not there, or others go on from there."""
    count, names = len(touched), set(chart.names)
    found = complete(choices, touched) if touched else []
    for choice in choices:
        after = [
            targets[count]
            for targets in (choice.targets, *choice.also)
            if len(targets) > count and list(targets[:count]) == list(touched)
        ]
        if after and not names & set(after):
            found.append(choice)
    return found
