"""What positions and moves of Pentago are worth, in words, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pentad.game import GameError, Move
from pentad.pentago.board import Twist
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import CannotSolve, Solution
from pentad.pentago.values import WORDS, in_moves


def verdict(position: PentagoPosition, value: int, turns: int | None = None) -> str:
    """Who wins with best play, and in how many moves where that is known; of a finished game how it ended.

    >>> from pentad.pentago import from_number
    >>> verdict(from_number(0), 1), verdict(from_number(1), 1, 5), verdict(from_number(1), -1)
    ('black wins', 'white wins in 3', 'black wins')
    """
    if position.outcome:
        from pentad.terminal.event_text import result  # which brings much along

        return result(position, position.outcome)
    if not value:
        return "a draw"
    winner = position.colour_of(position.turn if value > 0 else 1 - position.turn)
    return f"{winner} wins" + (f" in {in_moves(turns)}" if turns else "")


def table(values: Mapping[Move, int], distances: Mapping[Move, int] | None = None) -> Iterator[str]:
    """A line for each space, a column for each rotation; only rotations where the marble is placed already."""
    spaces: dict[str, dict[str, str]] = {}
    twists: dict[str, None] = {}
    for move, value in values.items():
        *place, last = map(str, move) if isinstance(move[-1], Twist) else (*map(str, move), "")
        turns = distances.get(move) if distances and value else None
        spaces.setdefault(" ".join(place), {})[last] = WORDS[value] + (f" {in_moves(turns)}" if turns else "")
        if last:
            twists[last] = None
    if not spaces:
        return
    width = max(map(len, spaces))
    cell = max(len(told) for row in spaces.values() for told in (*row.values(), "draw"))
    if twists:
        yield f"  {'':{width}}  {'  '.join(f'{twist:{cell}}' for twist in twists)}".rstrip()
    for space, by_twist in spaces.items():
        cells = "  ".join(f"{by_twist[twist]:{cell}}" for twist in twists if twist in by_twist)
        yield f"  {space:{width}}  {cells or 'wins immediately'}".rstrip()


def as_json(solution: Solution, *, moves: bool, depth: bool) -> dict[str, Any]:
    """A solution as an object.

    `value` is 1, 0 or -1 for the one to move; `turns` is how many turns of both players the end is away, null where
    nobody can force one.
    """
    position = solution.position
    told: dict[str, Any] = {
        "turn": position.colour_of(position.turn),
        "value": solution.value,
        "result": verdict(position, solution.value, solution.turns),
        "how": solution.how,
    }
    if depth:
        told["turns"] = solution.turns
    if moves:
        told["moves"] = {str(move): value for move, value in solution.moves.items()}
    if moves and depth:
        told["distances"] = {str(move): turns for move, turns in solution.distances.items()}
    return told


def refusal(error: GameError, *, moves: bool) -> dict[str, Any]:
    """Why there is no solution, as an object; `proved` are the values of moves that are known nevertheless."""
    told: dict[str, Any] = {"error": str(error)}
    if moves and isinstance(error, CannotSolve) and error.values:
        told["proved"] = {str(move): value for move, value in error.values.items()}
    return told
