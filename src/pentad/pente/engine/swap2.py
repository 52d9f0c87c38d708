"""The opening swap2 as the engine plays it: three stones that leave the game even, and the better colour."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator

from pentad.game import Move
from pentad.pente.board import points_of
from pentad.pente.engine.search_kernels import WIN, evaluate
from pentad.pente.engine.state import state_of
from pentad.pente.engine.weights import usual_weights
from pentad.pente.notation import MORE
from pentad.pente.opening import OVER, SIDES_OFFERED
from pentad.pente.rules import PentePosition
from pentad.pente.symmetry import symmetries

SAMPLE = 160  # openings that are estimated, at most
SEARCHED, NODES = 24, 20_000  # openings that are searched, and how many positions of each
LAST, LAST_NODES = 3, 200_000  # and the most even of those once more, for whoever says how long it may take
ESTIMATED, COMPARED = 0.3, 0.8  # of the time has passed when the sample is estimated, and when it is searched
Scored = Callable[[PentePosition, int, float | None], int]  # a position's score, by so many positions or seconds


def choose_opening(here: PentePosition, chance: random.Random, scored: Scored, seconds: float | None) -> Move:
    """A move of the opening: the better of the colours that are offered, or else stones that leave the game even."""
    sides = [side for side in SIDES_OFFERED.get(here.stage, ()) if side != MORE]
    began = time.monotonic()
    if sides:
        each = None if seconds is None else seconds / len(sides)
        return max((Move((side,)) for side in sides), key=lambda move: _worth(here, move, scored, each))
    return _most_even(here, chance, scored, began, seconds)


def _worth(here: PentePosition, move: Move, scored: Scored, seconds: float | None) -> int:
    """What the choice of a colour is worth to whoever makes it, by a short search."""
    after = here.play(move)
    score = _score(after, scored, NODES, seconds)
    return score if after.turn == here.turn else -score


def _most_even(here: PentePosition, chance: random.Random, scored: Scored, began: float, seconds: float | None) -> Move:
    """The most even of many openings.

    All are estimated, and lie in this order. An estimate knows which are better, but not where white's share and
    black's are the same: that is found by searches at halves of what is left, and the openings around it are compared.
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

    def look(number: int) -> int:
        patience = left(COMPARED) / (SEARCHED - len(found)) if seconds is not None else None
        found[number] = _score(_with_colours(here, moves[number]), scored, NODES, patience)
        return found[number]

    low, high = 0, len(moves)  # below the one they are too low, from the other on too high
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if look(middle) < 0 else (low, middle)
    for number in sorted(range(len(moves)), key=lambda number: abs(number - low)):
        if len(found) >= SEARCHED or left(COMPARED) <= 0:
            break
        if number not in found:
            look(number)
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
    """A position's score, which may be over as soon as the colours are chosen."""
    if position.outcome:
        return round(WIN * position.outcome.returns[position.turn])
    return scored(position, nodes, seconds)


def _estimate(position: PentePosition, *_: object) -> int:
    """What a position seems worth at first sight."""
    return int(evaluate(state_of(position).numbers, usual_weights(position.rules).others))


def _openings(here: PentePosition, chance: random.Random) -> Iterator[tuple[Move, PentePosition]]:
    """Openings by chance, no two of which are images of each other, with the positions they lead to."""
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
    """The stones as they lie when points go there, white's first."""
    return tuple(where for stones in position.stones for where in sorted(points[point] for point in points_of(stones)))


def _with_colours(here: PentePosition, move: Move) -> PentePosition:
    """The position after a move of the opening, the first colour that is offered then chosen."""
    after = here.play(move)
    return after if after.stage == OVER else after.play(SIDES_OFFERED[after.stage][0])
