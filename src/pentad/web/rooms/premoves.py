"""Premoves: a turn that a player enters before it comes, read on a position that the others' moves may lead to.

Nobody knows what the others will play, so some of their possible moves are tried. If the player's touches make sense
after one of them, the turn can go on like this, and its next choices are those of that position. Whether the turn is
legal is checked when it is played.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from html import unescape
from typing import NamedTuple

from pentad.game import Choice, Choices, GameError, Move, Position

TRIED = 8  # ways in which the others may move
STRIDE = 7919  # a prime, so that these are far apart
MAX_STEPS = 40  # the limit is for a turn, and for the turns of the others

_NAME = re.compile(r'data-target="([^"]*)"')


class Premove(NamedTuple):
    """A turn entered in advance: its steps so far, how many touches these need, and the position before it."""

    before: Position
    steps: Move
    touches: int
    choices: Choices

    @property
    def is_whole(self) -> bool:
        """Whether the turn is complete."""
        return bool(self.steps) and not self.choices


def read(position: Position, own_seats: Collection[int], touches: Sequence[str]) -> Premove | None:
    """The turn that these touches enter, for the first of these seats that comes to move; None without such a turn.

    Of the positions tried, the first one counts in which all touches select something; else the one in which most do.
    """
    best = None
    for before in positions(position, own_seats):
        found = entered(before, touches)
        if best is None or found.touches > best.touches:
            best = found
        if best.touches == len(touches):
            break
    return best


def positions(position: Position, own_seats: Collection[int]) -> Iterator[Position]:
    """Positions in which one of these seats is to move, after different moves of the others."""
    for number in range(TRIED):
        here = position
        for _ in range(MAX_STEPS):
            if here.outcome or here.turn in own_seats:
                break
            here = here.play(some_move(here, number))
        if not here.outcome and here.turn in own_seats:
            yield here


def some_move(here: Position, number: int) -> Move:
    """A legal move; others for other numbers. Pages find the same ones: their choices have another order."""
    steps = Move()
    choices = here.choices()
    while choices:
        named = sorted((each.step for each in choices), key=str)
        steps = Move((*steps, named[(number * STRIDE) % len(named)]))
        choices = here.choices(steps)
    return steps


def entered(before: Position, touches: Sequence[str]) -> Premove:
    """The steps that touches select, as far as they select any; a begun step counts as a touch, but not as a step."""
    steps, used, choices = Move(), 0, before.choices()
    while used < len(touches):
        found = _first(choices, touches[used:])
        if found is None:
            used += _begun(choices, touches[used:])
            break
        choice, count = found
        steps, used = Move((*steps, choice.step)), used + count
        try:
            choices = before.choices(steps)
        except GameError:  # not legal after all
            break
    return Premove(before, steps, used, choices)


def _ways(choices: Choices) -> Iterator[tuple[Choice, tuple[str, ...]]]:
    for each in choices:
        for targets in (each.targets, *each.also):
            yield each, targets


def _first(choices: Choices, touches: Sequence[str]) -> tuple[Choice, int] | None:
    """The one choice that the first touches complete, and their number; a longer one is preferred."""
    ways = list(_ways(choices))
    for count in range(1, len(touches) + 1):
        done = [each for each, targets in ways if targets == tuple(touches[:count])]
        longer = tuple(touches[: count + 1])
        is_longer = len(longer) > count and any(targets[: len(longer)] == longer for _, targets in ways)
        if len(done) == 1 and not is_longer:
            return done[0], count
    return None


def _begun(choices: Choices, touches: Sequence[str]) -> int:
    """The number of touches if they all begin a choice, else 0."""
    begun = tuple(touches)
    return len(begun) if any(targets[: len(begun)] == begun for _, targets in _ways(choices)) else 0


def more_targets(shown: str, drawn: str, choices: Choices) -> list[tuple[int, str]]:
    """The lines of another drawing with targets that choices need and the drawing shown lacks, each with its number.

    The rest stays as it is shown: nobody knows what the others will play.
    """
    were, are = shown.split("\n"), drawn.split("\n")
    needed = {name for _, targets in _ways(choices) for name in targets} - _names(shown)
    if len(were) != len(are) or not needed:
        return []
    return [(number, line) for number, line in enumerate(are) if line != were[number] and _names(line) & needed]


def _names(svg: str) -> set[str]:
    return {unescape(name) for name in _NAME.findall(svg)}
