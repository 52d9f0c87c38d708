"""Pente for learners: a number for each step, and planes of stones; `docs/how-to/learners.md` describes both."""

from __future__ import annotations

from pentad.game import Step
from pentad.games.pente.board import Stone
from pentad.games.pente.notation import SIDES
from pentad.games.pente.rules import CHOOSE, CHOOSE_AGAIN, THREE, TWO_MORE, PentePosition
from pentad.games.pente.rulesets import SWAP2

LARGEST_CAPTURE = 24  # stones: three in each of eight directions
LONG_GAME = 100  # stones for each point, more than any known game


def actions(here: PentePosition) -> int:
    """Every point, and with the opening swap2 every choice."""
    return here.board.size**2 + len(SIDES) * (here.rules.opening == SWAP2)


def most_steps(here: PentePosition) -> int:
    """A stone for each point and each captured one, and the choices of swap2."""
    rules, points = here.rules, here.board.size**2
    if rules.captures and (rules.poof or not rules.capture_win):
        return LONG_GAME * points  # captures need not end
    return points + 2 * (rules.capture_win + LARGEST_CAPTURE) + len(SIDES)


def number(here: PentePosition, step: Step) -> int:
    """A stone has the number of its point; the choices white, black and more come after all points."""
    if isinstance(step, Stone):
        return here.board.point(*step)
    return here.board.size**2 + [*map(str, SIDES)].index(str(step))


def shape(here: PentePosition) -> tuple[int, int]:
    """Rows and columns."""
    return here.board.size, here.board.size


def planes(here: PentePosition, seat: int) -> dict[str, int]:
    """The stones of both sides, the next stone, the captures if they can win, and the stage of swap2."""
    everywhere, own = here.board.all_points, seat ^ here.swapped  # the colour of the seat
    found = {
        "own stones": here.stones[own],
        "other stones": here.stones[1 - own],
        "to move": everywhere * (here.turn == seat),
        "own stone": everywhere * (here.colour == own),
    }
    for side, taken in (("own", here.taken[own]), ("other", here.taken[1 - own])):
        for count in range(1, here.rules.capture_win + 1):
            found[f"{side} captures {count}"] = everywhere * (taken >= count)
    if here.rules.opening == SWAP2:
        found |= {stage: everywhere * (here.stage == stage) for stage in (THREE, CHOOSE, TWO_MORE, CHOOSE_AGAIN)}
    return found
