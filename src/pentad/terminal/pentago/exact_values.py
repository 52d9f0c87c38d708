"""Exact values of positions in the terminal: found with a progress bar; as text, table, drawing and JSON.

`pentad analyse` uses `values_of_moves`, the class of its result, and `read_space`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pentad.game import GameError, Move, Position, Span, shown
from pentad.games.pentago.board import Place, Twist, spaces_of
from pentad.games.pentago.exact import UNKNOWN, is_out_of_reach
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.slices import configured
from pentad.games.pentago.solver import CannotSolve, Solution
from pentad.games.pentago.solver.retrograde import (
    PassLimits,
    PassRoot,
    Progress,
    boards,
    default_memory,
    format_bytes,
    needed,
    out_of_memory,
)
from pentad.search import exact
from pentad.search.exact import DRAW, LOSS, UNKNOWN_LENGTH, VERBS, WIN, in_moves
from pentad.system.files import user_folder
from pentad.system.progress import Bar
from pentad.system.words import count, phrase
from pentad.terminal import streams
from pentad.terminal.arguments import cores

SOLVING_SECONDS, SEARCH_SECONDS = 60.0, 3.0  # the second limit holds where memory is too small for a full search
LONG = 10**8  # boards, which take some seconds to examine
SCRATCH = "solver"  # the folder in the user's cache for values that do not fit into memory
WORDS = {WIN: "win", DRAW: "draw", LOSS: "loss"}  # also the roles of spans
LETTERS = {WIN: "W", DRAW: "D", LOSS: "L"}
NOT_KNOWN = "?"
WIDEST = 78  # columns for the board and the twists side by side
COLUMNS_BETWEEN = 5

# ── solving ──────────────────────────────────────────────────────────────────────────────────────


def of_pentago(position: Position, done: str) -> PentagoPosition:
    """The position, if it is one of Pentago; `done` is the participle for the error, such as `solved`."""
    if not isinstance(position, PentagoPosition):
        raise GameError("Only positions of pentago can be {done}, not those of {game}.", done=done, game=position.game)
    return position


def memory_of(args: argparse.Namespace) -> int:
    """The memory limit of the solver in bytes."""
    return args.memory or default_memory()


def solution_within(
    position: Position, args: argparse.Namespace, *, moves: bool, depth: bool, files: bool = False, name: str = ""
) -> Solution:
    """The solution within the limits of the arguments; a progress bar is shown on a terminal.

    With `files` a board that needs more memory has its values in files. With a `name`, a message says what it needs.
    """
    here = of_pentago(position, "solved")
    spaces, allowed = here.empty.bit_count(), memory_of(args)
    is_large = needed(allowed, spaces, spaces, 1) > allowed
    scratch = _scratch(here, args, is_large) if files else None
    message = partial(_message, here, args, allowed, scratch, name) if name and is_large else None
    with Bar() as bar, _explaining(scratch):
        progress = progress_on(bar, here, message) if bar.shown or message else None
        try:
            return exact.solve(
                here,
                moves=moves,
                depth=depth,
                seconds=args.seconds,
                memory=args.memory,
                threads=args.threads,
                progress=progress,
                scratch=scratch,
            )
        except CannotSolve as error:
            if files and scratch is None and is_out_of_reach(here):
                error.args = (f"{error} {_space(here)}",)
            raise


def _space(position: PentagoPosition) -> str:
    """The space that the files of a board need."""
    from pentad.games.pentago.solver.scratch import files_of

    spaces = position.empty.bit_count()
    return phrase(
        "A board with {marbles} needs about {size} for files.",
        marbles=count(position.board.size - spaces, "marble"),
        size=format_bytes(files_of(spaces, spaces)),
    )


def _scratch(position: PentagoPosition, args: argparse.Namespace, is_large: bool) -> str | Path | None:
    """The folder for the values of a board that needs more memory; None if it is only searched for a short win."""
    given: str | None = args.scratch
    if given is not None or not is_large or args.seconds or is_out_of_reach(position):
        return given
    return user_folder("cache") / SCRATCH


def _message(
    position: PentagoPosition, args: argparse.Namespace, allowed: int, scratch: str | Path | None, name: str
) -> str:
    """What a board needs, before its search begins."""
    if scratch is not None:
        from pentad.games.pentago.solver.scratch import announcement

        limits = PassLimits(allowed, threads=args.threads, scratch=Path(scratch))
        return phrase("{name}: {message}", name=name, message=announcement(PassRoot.of(position), limits))
    spaces = position.empty.bit_count()
    reason = UNKNOWN
    if not is_out_of_reach(position):
        reason = out_of_memory(needed(allowed, spaces, spaces, 1), position.board.size - spaces, allowed)
    return phrase("{name}: {reason} Searching for a short win instead (Ctrl-C to stop).", name=name, reason=reason)


@contextmanager
def _explaining(scratch: str | Path | None) -> Iterator[None]:
    """Says how to continue after Ctrl-C, if there may be files."""
    try:
        yield
    except KeyboardInterrupt:
        if scratch is not None:
            streams.print_error(
                phrase(
                    "Interrupted. The files are in {scratch}. Run the same command again to continue.", scratch=scratch
                )
            )
        raise


def progress_on(bar: Bar, position: PentagoPosition, message: Callable[[], str] | None = None) -> Progress:
    """A callback that shows the solver's progress on a bar; it prints a message before the first long search."""
    spaces = position.empty.bit_count()
    marbles = position.board.size - spaces
    plies = {boards(spaces, ahead): ahead for ahead in range(1, spaces)}
    total = 0

    def update(made: int, of: int) -> None:
        nonlocal total, message
        if message and of >= LONG:
            bar.clear()
            streams.print_error(message())
            message = None
        if of != total:
            total = of
            ahead = phrase("searching {ply} plies deep", ply=plies[of]) if of in plies else "searching all positions"
            bar.begin(f"{count(marbles, 'marble')}: {ahead}")
        bar.update(made, of)

    return update


# ── text and JSON ────────────────────────────────────────────────────────────────────────────────


def verdict(position: PentagoPosition, value: int, turns: int | None = None) -> str:
    """The winner with best play, and the length of the win if it is known; the result of a finished game.

    >>> from pentad.games.pentago import from_number
    >>> verdict(from_number(0), 1), verdict(from_number(1), 1, 5), verdict(from_number(1), -1)
    ('black wins', 'white wins in 3 moves', 'black wins')
    """
    if position.outcome:
        from pentad.play.table import scored_result  # imported late, since it imports much

        return scored_result(position, position.outcome)
    if not value:
        return "a draw"
    winner = position.colour_of(position.turn if value > 0 else 1 - position.turn)
    return f"{winner} wins{_within(turns)}"


def _within(turns: int | None) -> str:
    """The length of a win, to follow a verb; empty if it is not known."""
    return f" in {count(in_moves(turns), 'move')}" if turns else ""


def table(moves: Mapping[Move, int], distances: Mapping[Move, int] | None = None) -> Iterator[str]:
    """A line for each space, a column for each twist; only the twists if the marble is placed already.

    A value that is not known is left blank.
    """
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
        cells = "  ".join(f"{by_twist.get(twist, ''):{cell}}" for twist in twists)
        yield f"  {space:{width}}  {cells if cells.strip() else 'wins immediately'}".rstrip()


def as_json(solution: Solution, *, moves: bool, depth: bool) -> dict[str, Any]:
    """A solution as JSON data.

    `value` is 1, 0 or -1 for the player to move; `turns` is the distance to the end in turns of both players, null
    where neither can force one or it is not known. `unknown` is the number of moves whose values are not known, if any.
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
        data |= {"unknown": solution.unknown} if solution.unknown else {}
    if moves and depth:
        data["distances"] = {str(move): turns for move, turns in solution.distances.items()}
    return data


def refusal(error: GameError, *, moves: bool) -> dict[str, Any]:
    """The reason why there is no solution, as JSON data; `proved` holds the values of moves that are known."""
    data: dict[str, Any] = {"error": str(error)}
    if moves and isinstance(error, CannotSolve) and error.values:
        data["proved"] = {str(move): value for move, value in error.values.items()}
    return data


# ── every move's value, as lines of text and as a drawing ─────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ExactValues:
    """A solved position with the values of its moves; those that are not known are shown so."""

    solution: Solution

    @property
    def heading(self) -> str:
        """The position and its value, as sentences."""
        position = self.solution.position
        text = phrase(
            "{status} With best play: {verdict}.",
            status=position.status,
            verdict=verdict(position, self.solution.value, self.solution.turns),
        )
        return f"{text} {UNKNOWN_LENGTH}" if self.solution.value and not self.solution.turns else text

    def as_json(self) -> dict[str, Any]:
        return as_json(self.solution, moves=True, depth=True)

    def rank(self, move: Move) -> tuple[int, int]:
        """A sort key: better moves are higher, then faster wins and slower losses."""
        value, turns = self.solution.moves[move], self.solution.distances.get(move, 10**6)
        return value, -value * turns

    def of(self, place: Place | None) -> dict[Twist | None, Move]:
        """The moves that place there, by twist; None is the key of a win without a twist."""
        moves = (move for move in self.solution.moves if place is None or move[0] == place)
        return {move[-1] if isinstance(move[-1], Twist) else None: move for move in moves}

    def best_of(self, place: Place) -> Move | None:
        """The best move that places there; None if none of their values is known."""
        return max(self.of(place).values(), key=self.rank, default=None)

    def value_of(self, move: Move) -> tuple[int, int | None]:
        """A move's value and its distance to the end in turns, if it is known."""
        value = self.solution.moves[move]
        return value, self.solution.distances.get(move) if value else None

    def listing(self) -> Iterator[str]:
        """The position, and a line for each space, from best to worst: `d4: wins in 3 moves by 1C; loses by 3C`."""
        position = self.solution.position
        yield from position.listing()[:-1]
        yield self.heading
        if position.placed:
            yield self._sentence(None)
            return
        places = (position.board.places[space] for space in spaces_of(position.empty))
        best = [(place, move) for place in places if (move := self.best_of(place))]
        for place, _ in sorted(best, key=lambda each: self.rank(each[1]), reverse=True):
            yield f"{place}: {self._sentence(place)}"
        if self.solution.unknown:
            yield self.solution.summary

    def _sentence(self, place: Place | None) -> str:
        """The values of all twists after a marble, from best to worst."""
        by_twist = self.of(place)
        if None in by_twist:
            return "wins immediately"
        groups: dict[str, list[str]] = {}
        for move in sorted(by_twist.values(), key=self.rank, reverse=True):
            value, turns = self.value_of(move)
            groups.setdefault(f"{VERBS[value]}{_within(turns)}", []).append(str(move[-1]))
        return "; ".join(f"{worth} by {', '.join(twists)}" for worth, twists in groups.items())

    def _short_text(self, move: Move) -> str:
        """A move's value in a cell: `win in 3`."""
        value, turns = self.value_of(move)
        return f"{WORDS[value]} in {in_moves(turns)}" if turns else WORDS[value]

    def spans(self, place: Place | None = None) -> list[list[Span]]:
        """The board, and beside or below it the twists after a marble on `place`, by default the best space."""
        if place is None and not self.solution.position.placed and self.solution.moves:
            place = max(self.solution.moves, key=self.rank)[0]  # type: ignore[assignment]
        board = list(self._board(place))
        panel = list(self._panel(place))
        wide = max(map(_width, board))
        if panel and wide + COLUMNS_BETWEEN + max(map(_width, panel)) <= WIDEST:
            nothing: list[Span] = []
            lines = [
                [*left, (" " * (wide - _width(left) + COLUMNS_BETWEEN), "ground-none"), *right] if right else left
                for left, right in zip_longest(board, panel, fillvalue=nothing)
            ]
        else:
            lines = [*board, *([[], *panel] if panel else [])]
        return [*lines, [], *self._legend()]

    def _board(self, place: Place | None) -> Iterator[list[Span]]:
        """The usual board, with a letter in each empty space."""
        from pentad.games.pentago import draw  # imported late, since values alone need no drawing

        position = self.solution.position
        empty = iter(spaces_of(position.empty))
        for line in draw.spans(position)[:-1]:  # the last line is the status
            yield [self._cell(next(empty), place) if role.startswith("empty") else (text, role) for text, role in line]

    def _cell(self, space: int, place: Place | None) -> Span:
        here = self.solution.position.board.places[space]
        if self.solution.position.placed:
            from pentad.games.pentago.draw import EMPTY

            return EMPTY, "empty"
        best = self.best_of(here)
        if best is None:
            return NOT_KNOWN, "empty"
        value = self.solution.moves[best]
        return LETTERS[value], f"{WORDS[value]} chosen" if here == place else WORDS[value]

    def _panel(self, place: Place | None) -> Iterator[list[Span]]:
        """Each sub-board with the values of its twists."""
        by_twist = self.of(place)
        if not by_twist:
            return
        if None in by_twist:
            yield [(phrase("{place} wins immediately, without a twist.", place=place), "label")]
            return
        yield [
            (
                "Twist a sub-board:" if place is None else phrase("After {place}, twist a sub-board:", place=place),
                "label",
            )
        ]
        board = self.solution.position.board
        texts = {twist: self._short_text(move) for twist, move in by_twist.items()}
        wide = max(map(len, texts.values())) + 4
        for row in range(board.rows):
            numbers = range(row * board.cols + 1, (row + 1) * board.cols + 1)
            left, between, right = "├┼┤" if row else "┌┬┐"
            yield [(left + between.join(f"{number:─^{wide}}" for number in numbers) + right, "plain")]
            for direction in ("A", "C"):
                line: list[Span] = [("│", "plain")]
                for twist in (Twist(number, direction) for number in numbers):
                    move = by_twist.get(twist)
                    cell = (texts[twist], WORDS[self.solution.moves[move]]) if move else (NOT_KNOWN, "plain")
                    line += [(f" {direction} ", "plain"), cell, (" " * (wide - 3 - len(cell[0])) + "│", "plain")]
                yield line
        yield [("└" + "┴".join("─" * wide for _ in range(board.cols)) + "┘", "plain")]

    def _legend(self) -> Iterator[list[Span]]:
        from pentad.games.pentago import draw

        position = self.solution.position
        colour = position.colour_of(position.turn)
        yield [(draw.legend(position), "plain")]
        if not position.placed:
            letters: list[Span] = []
            for value, letter in LETTERS.items():
                letters += [(letter, WORDS[value]), (f" {colour} {VERBS[value]}   ", "plain")]
            yield [*letters, ("(with the best twist)", "plain")]
            if self.solution.unknown:
                yield [(phrase("{sign} The value is not known.", sign=NOT_KNOWN), "plain")]
        yield [("A twists anti-clockwise, C clockwise.", "plain")]
        yield [(self.solution.summary, "plain")]


def _width(line: list[Span]) -> int:
    return sum(len(text) for text, _ in line)


def read_space(position: PentagoPosition, text: str) -> Place:
    """Parses the name of an empty space, for the argument `--space`."""
    if position.placed:
        raise GameError("The marble is already placed. Only the twist is left.")
    after = position.partial(text)
    if not after.placed:
        raise GameError("{text} is not a space.", text=shown(text))
    (space,) = spaces_of(position.empty & ~after.empty)
    return position.board.places[space]


def values_of_moves(position: PentagoPosition, args: argparse.Namespace) -> ExactValues:
    """The exact values, if the solver can find them within the limits."""
    args.threads = args.threads or cores()
    allowed = memory_of(args)
    spaces = position.empty.bit_count()
    least = needed(allowed, spaces, spaces, 1)
    default = SOLVING_SECONDS if least <= allowed else SEARCH_SECONDS
    limits = argparse.Namespace(**vars(args) | {"seconds": args.seconds or default})
    try:
        # Slices have no distances, but they have values where a search would take too much memory.
        return ExactValues(
            solution_within(position, limits, moves=True, depth=least <= allowed or configured() is None)
        )
    except CannotSolve:
        if least <= allowed or args.seconds or is_out_of_reach(position):
            raise
        # More memory would help, but a little more time would not.
        reason = out_of_memory(least, position.board.size - spaces, allowed)
        raise CannotSolve(
            phrase("{unknown} {reason} `pentad solve --moves` solves it with files.", unknown=UNKNOWN, reason=reason)
        ) from None
