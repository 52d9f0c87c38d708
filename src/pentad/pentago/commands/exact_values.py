"""Exact values of positions in the terminal: found with a progress bar; as text, table, drawing and JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pentad.game import GameError, Move, Position, Span
from pentad.pentago import solver, values
from pentad.pentago.board import Place, Twist
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import configured
from pentad.pentago.solver import CannotSolve, Solution
from pentad.pentago.solver.retrograde import Progress, boards, default_memory, format_bytes, needed, out_of_memory
from pentad.pentago.values import WORDS, in_moves
from pentad.progress import Bar
from pentad.terminal import streams
from pentad.terminal.arguments import cores
from pentad.wording import count

SOLVING_SECONDS, SEARCH_SECONDS = 60.0, 3.0  # with enough memory for a full search, and without
LONG = 10**8  # boards, which take some seconds to examine

# ── solving ──────────────────────────────────────────────────────────────────────────────────────


def of_pentago(position: Position, done: str) -> PentagoPosition:
    """The position, if it is one of Pentago; `done` is the participle for the error, such as `solved`."""
    if not isinstance(position, PentagoPosition):
        raise GameError(f"Only positions of pentago can be {done}, not those of {position.game}.")
    return position


def memory_of(args: argparse.Namespace) -> int:
    """The memory limit of the solver in bytes."""
    return args.memory or default_memory()


def solved(position: Position, args: argparse.Namespace, *, moves: bool, depth: bool, name: str = "") -> Solution:
    """The solution within the limits of the arguments; a progress bar is shown on a terminal.

    With a `name`, a message says when the board needs more memory than allowed.
    """
    here = of_pentago(position, "solved")
    message = _memory_message(here, memory_of(args)) if name else ""
    with Bar() as bar:
        progress = progress_on(bar, here, message and f"{name}: {message}") if bar.shown or message else None
        return solver.solve(
            here,
            moves=moves,
            depth=depth,
            seconds=args.seconds,
            memory=args.memory,
            threads=args.threads,
            progress=progress,
        )


def _memory_message(position: PentagoPosition, allowed: int) -> str:
    """A message for a position that needs more memory than allowed; empty for any other."""
    spaces = position.empty.bit_count()
    least = needed(allowed, spaces, spaces, 1)
    if least <= allowed:
        return ""
    return (
        f"Solving this board needs {format_bytes(least)} of memory, but the limit is {format_bytes(allowed)}. "
        "Searching for a short win instead (Ctrl-C to stop)."
    )


def progress_on(bar: Bar, position: PentagoPosition, message: str = "") -> Progress:
    """A callback that shows the solver's progress on a bar; it prints a message before the first long search."""
    spaces = position.empty.bit_count()
    marbles = position.board.size - spaces
    plies = {boards(spaces, ahead): ahead for ahead in range(1, spaces)}
    total = 0

    def update(made: int, of: int) -> None:
        nonlocal total, message
        if message and of >= LONG:
            bar.clear()
            streams.print_error(message)
            message = ""
        if of != total:
            total = of
            ahead = f"searching {plies[of]} plies deep" if of in plies else "searching all positions"
            bar.begin(f"{count(marbles, 'marble')}: {ahead}")
        bar.update(made, of)

    return update


# ── text and JSON ────────────────────────────────────────────────────────────────────────────────


def verdict(position: PentagoPosition, value: int, turns: int | None = None) -> str:
    """The winner with best play, and the length of the win if it is known; the result of a finished game.

    >>> from pentad.pentago import from_number
    >>> verdict(from_number(0), 1), verdict(from_number(1), 1, 5), verdict(from_number(1), -1)
    ('black wins', 'white wins in 3', 'black wins')
    """
    if position.outcome:
        from pentad.play.table import scored_result  # imported late, since it imports much

        return scored_result(position, position.outcome)
    if not value:
        return "a draw"
    winner = position.colour_of(position.turn if value > 0 else 1 - position.turn)
    return f"{winner} wins" + (f" in {in_moves(turns)}" if turns else "")


def table(moves: Mapping[Move, int], distances: Mapping[Move, int] | None = None) -> Iterator[str]:
    """A line for each space, a column for each twist; only the twists if the marble is placed already."""
    spaces: dict[str, dict[str, str]] = {}
    twists: dict[str, None] = {}
    for move, value in moves.items():
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


def refusal(error: GameError, *, moves: bool) -> dict[str, Any]:
    """The reason why there is no solution, as JSON data; `proved` holds the values of moves that are known."""
    data: dict[str, Any] = {"error": str(error)}
    if moves and isinstance(error, CannotSolve) and error.values:
        data["proved"] = {str(move): value for move, value in error.values.items()}
    return data


# ── the part of a game that `pentad analyse` uses ─────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ExactValues:
    """A solved position as text, drawing and JSON."""

    solution: Solution

    @property
    def heading(self) -> str:
        """The position and its value, as sentences."""
        position = self.solution.position
        return f"{position.status} With best play: {verdict(position, self.solution.value, self.solution.turns)}."

    @property
    def _values(self) -> values.Values:
        return values.Values(self.solution.position, self.solution.moves, self.solution.distances)

    def listing(self) -> Iterator[str]:
        """The position and the values of its moves as lines of text."""
        yield from self.solution.position.listing()[:-1]
        yield self.heading
        yield from values.listing(self._values)

    def spans(self, place: Place | None) -> list[list[Span]]:
        """The board with the values of its spaces, and the twists after one of them."""
        return values.spans(self._values, place)

    def as_json(self) -> dict[str, Any]:
        return as_json(self.solution, moves=True, depth=True)


read_space = values.read_space  # of the argument `--space`


def solve(position: PentagoPosition, args: argparse.Namespace) -> ExactValues:
    """The exact values, if the solver can find them within the limits."""
    args.threads = args.threads or cores()
    allowed = memory_of(args)
    spaces = position.empty.bit_count()
    least = needed(allowed, spaces, spaces, 1)
    default = SOLVING_SECONDS if least <= allowed else SEARCH_SECONDS
    limits = argparse.Namespace(**vars(args) | {"seconds": args.seconds or default})
    try:
        # Slices have no distances, but they have values where a search would take too much memory.
        return ExactValues(solved(position, limits, moves=True, depth=least <= allowed or configured() is None))
    except CannotSolve:
        if least <= allowed or args.seconds:
            raise
        # More memory would help, but a little more time would not.
        raise CannotSolve(out_of_memory(least, position.board.size - spaces, allowed)) from None
