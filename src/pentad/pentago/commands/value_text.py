"""The values of positions and moves of Pentago as text, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pentad.game import GameError, Move, Position
from pentad.pentago.board import Twist
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import CannotSolve, Solution
from pentad.pentago.values import WORDS, in_moves


def verdict(position: PentagoPosition, value: int, turns: int | None = None) -> str:
    """The winner with best play, and the length of the win if it is known; the result of a finished game.

    >>> from pentad.pentago import from_number
    >>> verdict(from_number(0), 1), verdict(from_number(1), 1, 5), verdict(from_number(1), -1)
    ('black wins', 'white wins in 3', 'black wins')
    """
    if position.outcome:
        from pentad.terminal.event_text import result  # imported late, since it imports much

        return result(position, position.outcome)
    if not value:
        return "a draw"
    winner = position.colour_of(position.turn if value > 0 else 1 - position.turn)
    return f"{winner} wins" + (f" in {in_moves(turns)}" if turns else "")


def table(values: Mapping[Move, int], distances: Mapping[Move, int] | None = None) -> Iterator[str]:
    """A line for each space, a column for each twist; only the twists if the marble is placed already."""
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
    cell = max(len(text) for row in spaces.values() for text in (*row.values(), "draw"))
    if twists:
        yield f"  {'':{width}}  {'  '.join(f'{twist:{cell}}' for twist in twists)}".rstrip()
    for space, by_twist in spaces.items():
        cells = "  ".join(f"{by_twist[twist]:{cell}}" for twist in twists if twist in by_twist)
        yield f"  {space:{width}}  {cells or 'wins immediately'}".rstrip()


def as_json(solution: Solution, *, moves: bool, depth: bool) -> dict[str, Any]:
    """A solution as JSON data.

    `value` is 1, 0 or -1 for the player to move; `turns` is the distance to the end in turns of both players, null
    where neither can force one.
    """
    position = solution.position
    data: dict[str, Any] = {
        "turn": position.colour_of(position.turn),
        "value": solution.value,
        "result": verdict(position, solution.value, solution.turns),
        "how": solution.how,
    }
    if depth:
        data["turns"] = solution.turns
    if moves:
        data["moves"] = {str(move): value for move, value in solution.moves.items()}
    if moves and depth:
        data["distances"] = {str(move): turns for move, turns in solution.distances.items()}
    return data


def of_pentago(position: Position, done: str) -> PentagoPosition:
    """The position, if it is one of Pentago; `done` is the participle for the error, such as `solved`."""
    if not isinstance(position, PentagoPosition):
        raise GameError(f"Only positions of pentago can be {done}, not those of {position.game}.")
    return position


def refusal(error: GameError, *, moves: bool) -> dict[str, Any]:
    """The reason why there is no solution, as JSON data; `proved` holds the values of moves that are known."""
    data: dict[str, Any] = {"error": str(error)}
    if moves and isinstance(error, CannotSolve) and error.values:
        data["proved"] = {str(move): value for move, value in error.values.items()}
    return data
