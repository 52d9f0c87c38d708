"""Lessons: a game told in a few steps, each with a position and something to do there that the rules then check."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pentad.game import GameError, Move, Position, game, games, load
from pentad.pentagame.rules import PentagamePosition
from pentad.pentagame.steps import BlockStep, PieceStep
from pentad.pente.rules import PentePosition
from pentad.play.proving import pentagame as race
from pentad.play.puzzles import fits

FILES = Path(__file__).parent / "lesson_files"
NOT_YET = "That is not it yet."

# ── what a step may want ─────────────────────────────────────────────────────────────────────────


class Turn(NamedTuple):
    """A legal move, with the positions before and after it."""

    before: Position
    move: Move
    after: Position


def wins(turn: Turn) -> bool:
    """Whether the mover has won."""
    return turn.after.outcome is not None and turn.after.outcome.winners == (turn.before.turn,)


def can_win(here: Position) -> bool:
    """Whether whoever is to move wins with this move."""
    if isinstance(here, PentagamePosition):  # which may have thousands of turns
        return race.wins_next(here)
    return any(wins(Turn(here, move, here.play(move))) for move in here.legal_moves)


def stops(turn: Turn) -> bool:
    """Whether the other one cannot win at once."""
    return wins(turn) or (turn.after.outcome is None and not can_win(turn.after))


def forces(turn: Turn) -> bool:
    """Whether the next move wins, whatever is replied."""
    if turn.after.outcome:
        return wins(turn)
    return all(can_win(turn.after.play(reply)) for reply in turn.after.legal_moves)


def takes(turn: Turn) -> bool:
    """Whether the mover has taken stones."""
    return _taken(turn.after, turn.before.turn) > _taken(turn.before, turn.before.turn)


def _taken(here: Position, seat: int) -> int:
    return here.taken[seat ^ here.swapped] if isinstance(here, PentePosition) else 0


def safe(turn: Turn) -> bool:
    """Whether the other one cannot take anything."""
    after = turn.after
    return not any(takes(Turn(after, reply, after.play(reply))) for reply in after.legal_moves)


def home(turn: Turn) -> bool:
    """Whether a piece of the mover has come home."""
    seat = turn.before.turn
    return _race(turn.after).home(seat) > _race(turn.before).home(seat)


def swaps(turn: Turn) -> bool:
    """Whether a piece has changed places with another player's."""
    first = turn.move[0]
    return isinstance(first, PieceStep) and first.partner is not None and first.partner[0] != turn.before.turn


def black(turn: Turn) -> bool:
    """Whether a black block was taken and put elsewhere."""
    return any(isinstance(step, BlockStep) and step.is_black for step in turn.move)


def gray(turn: Turn) -> bool:
    """Whether a gray block went back to the pool."""
    return _race(turn.after).pool > _race(turn.before).pool


def _race(here: Position) -> PentagamePosition:
    assert isinstance(here, PentagamePosition)
    return here


WANTED: Mapping[str, Callable[[Turn], bool]] = {
    "any": lambda turn: True,
    **{each.__name__: each for each in (wins, stops, forces, takes, safe, home, swaps, black, gray)},
}


# ── lessons ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Step:
    """A step of a lesson: what is told, a position, and what is to be done there.

    What is wanted is one of `WANTED`, or one of the moves to `accept`, or nothing where moves are shown.
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
    def of(cls, told: Mapping[str, Any]) -> Step:
        """A step as a file has it."""
        parts: dict[str, Any] = {key: tuple(part) if isinstance(part, list) else part for key, part in told.items()}
        return cls(**parts)

    @cached_property
    def start(self) -> Position:
        return load(self.position)

    def met(self, move: Move) -> bool:
        """Whether a legal move is what is wanted."""
        if self.show:
            return str(move) == self.show[0]
        if self.accept:
            return any(fits(str(move), wanted) for wanted in self.accept)
        return WANTED[self.want](Turn(self.start, move, self.start.play(move)))


@dataclass(frozen=True)
class Lesson:
    """A game in a few steps."""

    game: str
    title: str
    summary: str
    steps: tuple[Step, ...]


@cache
def lesson(name: str) -> Lesson:
    """The lesson about a game."""
    game(name)  # which says so where there is none
    file = FILES / f"{name}.toml"
    if not file.exists():
        raise GameError(f"there is no lesson about {name}")
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    return Lesson(name, told["title"], told["summary"], tuple(map(Step.of, told["steps"])))


def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order of the games."""
    return tuple(lesson(name) for name in games() if (FILES / f"{name}.toml").exists())


@dataclass(frozen=True, slots=True)
class Checked:
    """What comes of a move in a lesson."""

    right: bool
    message: str
    move: Move
    move_text: str
    after: Position


def check(name: str, number: int, text: str) -> Checked:
    """Whether a move does what the step asks for; `GameError` where it is no legal move at all."""
    steps = lesson(name).steps
    if not 0 <= number < len(steps):
        raise GameError(f"the lesson about {name} has steps 0 to {len(steps) - 1}, no {number}")
    step = steps[number]
    here = step.start
    move = here.parse(text)
    after = here.play(move)
    right = step.met(move)
    return Checked(right, step.right if right else step.wrong, move, here.describe(move), after)
