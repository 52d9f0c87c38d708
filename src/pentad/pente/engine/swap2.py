"""Opening swap2 of the Pente engine: three stones that leave the game balanced, and the choice of the better colour."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator

from pentad.game import Move
from pentad.pente.board import points_of, symmetries
from pentad.pente.engine.constants import WIN
from pentad.pente.engine.state import state_of
from pentad.pente.engine.weights import default_weights, kernels
from pentad.pente.notation import MORE
from pentad.pente.rules import OVER, SIDES_OFFERED, PentePosition

SAMPLE = 160  # openings estimated, at most
SEARCHED, NODES = 24, 20_000  # openings searched, and the nodes of each search
LAST, LAST_NODES = 3, 200_000  # the most balanced openings searched once more, if there is a time limit
ESTIMATED, COMPARED = 0.3, 0.8  # the shares of the time after which the estimates and the searches end
Scored = Callable[[PentePosition, int, float | None], int]  # a position's score by a number of nodes or seconds


def choose_opening(here: PentePosition, chance: random.Random, scored: Scored, seconds: float | None) -> Move:
    """A move of the opening: the better of the colours offered, or stones that leave the game balanced."""
    sides = [side for side in SIDES_OFFERED.get(here.stage, ()) if side != MORE]
    began = time.monotonic()
    if sides:
        each = None if seconds is None else seconds / len(sides)
        return max((Move((side,)) for side in sides), key=lambda move: _value(here, move, scored, each))
    return _most_balanced(here, chance, scored, began, seconds)


def _value(here: PentePosition, move: Move, scored: Scored, seconds: float | None) -> int:
    """The value of a choice of colour to the player who makes it, by a short search."""
    after = here.play(move)
    score = _score(after, scored, NODES, seconds)
    return score if after.turn == here.turn else -score


def _most_balanced(
    here: PentePosition, chance: random.Random, scored: Scored, began: float, seconds: float | None
) -> Move:
    """The most balanced of many openings.

    All are sorted by their static evaluation, which ranks openings well but does not show where the balance lies.
    A binary search with searches of positions finds that point, and then the openings around it are compared.
    """

    def left(share: float) -> float:
        return math.inf if seconds is None else began + share * seconds - time.monotonic()

    estimated: list[tuple[int, Move]] = []
    for move, after in _openings(here, chance):
        estimated.append((_score(after, _estimate, 0, None), move))
        if left(ESTIMATED) <= 0:
            break
    moves = [move for _, move in sorted(estimated, key=lambda each: each[0])]
    found: dict[int, int] = {}

    def search(number: int) -> int:
        timeout = left(COMPARED) / (SEARCHED - len(found)) if seconds is not None else None
        found[number] = _score(_with_colours(here, moves[number]), scored, NODES, timeout)
        return found[number]

    low, high = 0, len(moves)  # openings before `low` score below 0, those from `high` on at least 0
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if search(middle) < 0 else (low, middle)
    for number in sorted(range(len(moves)), key=lambda number: abs(number - low)):
        if len(found) >= SEARCHED or left(COMPARED) <= 0:
            break
        if number not in found:
            search(number)
    best = sorted(found, key=lambda number: abs(found[number]))
    if seconds is None:
        return moves[best[0]]
    last = {best[0]: abs(found[best[0]])}
    for tried, number in enumerate(best[:LAST]):
        if left(1) <= 0:
            break
        after = _with_colours(here, moves[number])
        last[number] = abs(_score(after, scored, LAST_NODES, left(1) / (LAST - tried)))
    return moves[min(last, key=lambda number: last[number])]


def _score(position: PentePosition, scored: Scored, nodes: int, seconds: float | None) -> int:
    """A position's score; the game may be over as soon as the colours are chosen."""
    if position.outcome:
        return round(WIN * position.outcome.returns[position.turn])
    return scored(position, nodes, seconds)


def _estimate(position: PentePosition, *_: object) -> int:
    """The static evaluation of a position."""
    return int(kernels()("evaluate", state_of(position).numbers, default_weights(position.rules).others))


def _openings(here: PentePosition, chance: random.Random) -> Iterator[tuple[Move, PentePosition]]:
    """Random openings and the positions after them, no two of which are images of each other."""
    seen: set[tuple[int, ...]] = set()
    moves = here.legal_moves
    for _ in range(SAMPLE):
        move = moves[chance.randrange(len(moves))]
        after = _with_colours(here, move)
        name = min(_image(after, way.points) for way in symmetries(here.board))
        if name not in seen:
            seen.add(name)
            yield move, after


def _image(position: PentePosition, points: tuple[int, ...]) -> tuple[int, ...]:
    """The stones under a mapping of the points, white's first."""
    return tuple(where for stones in position.stones for where in sorted(points[point] for point in points_of(stones)))


def _with_colours(here: PentePosition, move: Move) -> PentePosition:
    """The position after a move of the opening and the choice of the first colour offered."""
    after = here.play(move)
    return after if after.stage == OVER else after.play(SIDES_OFFERED[after.stage][0])
