"""Lessons: a game taught in a few steps, each with a position and a task that the rules check."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pentad.game import GameError, Move, Position, game, games, load
from pentad.pentagame.notation import BlockStep, PieceStep
from pentad.pentagame.rules import PentagamePosition
from pentad.pente.rules import PentePosition
from pentad.play.proving import pentagame as pentagame_proofs
from pentad.play.puzzles import fits

FILES = Path(__file__).parent / "lesson_files"
NOT_YET = "Not quite. Try again."

# ── goals of a step ──────────────────────────────────────────────────────────────────────────────


class Turn(NamedTuple):
    """A legal move, with the positions before and after it."""

    before: Position
    move: Move
    after: Position


def wins(turn: Turn) -> bool:
    """Whether the player who moved has won."""
    return turn.after.outcome is not None and turn.after.outcome.winners == (turn.before.turn,)


def can_win(here: Position) -> bool:
    """Whether the player to move can win with this move."""
    if isinstance(here, PentagamePosition):  # a position may have thousands of turns
        return pentagame_proofs.wins_next(here)
    return any(wins(Turn(here, move, here.play(move))) for move in here.legal_moves)


def stops(turn: Turn) -> bool:
    """Whether the opponent has no immediate win."""
    return wins(turn) or (turn.after.outcome is None and not can_win(turn.after))


def forces(turn: Turn) -> bool:
    """Whether the next move wins after every reply."""
    if turn.after.outcome:
        return wins(turn)
    return all(can_win(turn.after.play(reply)) for reply in turn.after.legal_moves)


def takes(turn: Turn) -> bool:
    """Whether the player who moved has captured stones."""
    return _taken(turn.after, turn.before.turn) > _taken(turn.before, turn.before.turn)


def _taken(here: Position, seat: int) -> int:
    return here.taken[seat ^ here.swapped] if isinstance(here, PentePosition) else 0


def safe(turn: Turn) -> bool:
    """Whether the opponent cannot capture anything."""
    after = turn.after
    return not any(takes(Turn(after, reply, after.play(reply))) for reply in after.legal_moves)


def home(turn: Turn) -> bool:
    """Whether a piece of the player who moved has come home."""
    seat = turn.before.turn
    return _pentagame(turn.after).home(seat) > _pentagame(turn.before).home(seat)


def swaps(turn: Turn) -> bool:
    """Whether a piece has swapped places with another player's."""
    first = turn.move[0]
    return isinstance(first, PieceStep) and first.partner is not None and first.partner[0] != turn.before.turn


def black(turn: Turn) -> bool:
    """Whether a black block was moved."""
    return any(isinstance(step, BlockStep) and step.is_black for step in turn.move)


def gray(turn: Turn) -> bool:
    """Whether a gray block went back to the pool."""
    return _pentagame(turn.after).pool > _pentagame(turn.before).pool


def _pentagame(here: Position) -> PentagamePosition:
    assert isinstance(here, PentagamePosition)
    return here


GOALS: Mapping[str, Callable[[Turn], bool]] = {
    "any": lambda turn: True,
    **{each.__name__: each for each in (wins, stops, forces, takes, safe, home, swaps, black, gray)},
}


# ── lessons ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Step:
    """A step of a lesson: a text, a position and a task.

    The task is one of `GOALS` as `want`, or one of the moves in `accept`, or only to watch the moves in `show`.
    """

    title: str
    text: str
    position: str
    right: str
    wrong: str = NOT_YET
    want: str = ""
    accept: tuple[str, ...] = ()
    answer: str = ""
    show: tuple[str, ...] = ()

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Step:
        """A step from its entry in a lesson file."""
        parts: dict[str, Any] = {key: tuple(part) if isinstance(part, list) else part for key, part in entry.items()}
        return cls(**parts)

    @cached_property
    def start(self) -> Position:
        return load(self.position)

    def met(self, move: Move) -> bool:
        """Whether a legal move solves the task."""
        if self.show:
            return str(move) == self.show[0]
        if self.accept:
            return any(fits(str(move), wanted) for wanted in self.accept)
        return GOALS[self.want](Turn(self.start, move, self.start.play(move)))


@dataclass(frozen=True)
class Lesson:
    """A lesson about a game, in a few steps."""

    game: str
    title: str
    summary: str
    steps: tuple[Step, ...]


@cache
def lesson(name: str) -> Lesson:
    """The lesson about a game."""
    game(name)  # raises an error for an unknown game
    file = FILES / f"{name}.toml"
    if not file.exists():
        raise GameError(f"There is no lesson about {name}.")
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    return Lesson(name, content["title"], content["summary"], tuple(map(Step.of, content["steps"])))


def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order of the games."""
    return tuple(lesson(name) for name in games() if (FILES / f"{name}.toml").exists())


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on a move in a lesson."""

    right: bool
    message: str
    move: Move
    move_text: str
    after: Position


def check(name: str, number: int, text: str) -> Checked:
    """Whether a move solves a step; raises `GameError` for an illegal move."""
    steps = lesson(name).steps
    if not 0 <= number < len(steps):
        raise GameError(f"The lesson about {name} has steps 0 to {len(steps) - 1}, got {number}.")
    step = steps[number]
    here = step.start
    move = here.parse(text)
    after = here.play(move)
    right = step.met(move)
    return Checked(right, step.right if right else step.wrong, move, here.describe(move), after)
