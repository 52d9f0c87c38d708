"""Lessons: a game taught in a few steps, each with a position and a task that the rules check."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from pentad.game import GameError, Move, Position, game, game_of, load, names
from pentad.games.parts import Goal
from pentad.play.puzzles import Checked, fits

FILE = "lesson.toml"
NOT_YET = "Not quite. Try again."

# ── goals of a step ──────────────────────────────────────────────────────────────────────────────


def wins(before: Position, move: Move, after: Position) -> bool:
    """Whether the player who moved has won."""
    return after.outcome is not None and after.outcome.winners == (before.turn,)


def can_win(here: Position) -> bool:
    """Whether the player to move can win with this move; a game of thousands of turns has its own way to tell."""
    kind = game_of(here)
    if own := getattr(kind.module("lessons"), "can_win", None) if kind.has("lessons") else None:
        return bool(own(here))
    return any(wins(here, move, here.play(move)) for move in here.legal_moves)


def stops(before: Position, move: Move, after: Position) -> bool:
    """Whether the opponent has no immediate win."""
    return wins(before, move, after) or (after.outcome is None and not can_win(after))


def forces(before: Position, move: Move, after: Position) -> bool:
    """Whether the next move wins after every reply."""
    if after.outcome:
        return wins(before, move, after)
    return all(can_win(after.play(reply)) for reply in after.legal_moves)


GOALS: Mapping[str, Goal] = {
    "any": lambda before, move, after: True,
    **{each.__name__: each for each in (wins, stops, forces)},
}


def goal(name: str, want: str) -> Goal:
    """A goal, one for all games or one of a game's own."""
    kind = game(name)
    own: Mapping[str, Goal] = kind.module("lessons").GOALS if kind.has("lessons") else {}
    return GOALS[want] if want in GOALS else own[want]


# ── lessons ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson: a text, a position and a task.

    The task is the name of a goal as `want`, or one of the moves in `accept`, or only to watch the moves in `show`.
    """

    title: str
    text: str
    position: str
    right: str
    wrong: str = NOT_YET
    want: str = ""
    accept: Sequence[str] = ()
    answer: str = ""
    show: Sequence[str] = ()

    @cached_property
    def start(self) -> Position:
        return load(self.position)

    def met(self, move: Move) -> bool:
        """Whether a legal move solves the task."""
        if self.show:
            return str(move) == self.show[0]
        if self.accept:
            return any(fits(str(move), wanted) for wanted in self.accept)
        return goal(self.start.game, self.want)(self.start, move, self.start.play(move))


@dataclass(frozen=True)
class Lesson:
    """A lesson about a game, in a few steps."""

    game: str
    title: str
    summary: str
    steps: tuple[LessonStep, ...]


@cache
def lesson(name: str) -> Lesson:
    """The lesson about a game."""
    file = game(name).data(FILE)
    if file is None:
        raise GameError("There is no lesson about {name}.", name=name)
    content = tomllib.loads(file)
    return Lesson(name, content["title"], content["summary"], tuple(LessonStep(**step) for step in content["steps"]))


def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order of the games."""
    return tuple(lesson(name) for name in names() if game(name).data(FILE) is not None)


def check(name: str, number: int, text: str) -> Checked:
    """Whether a move solves a step; raises `GameError` for an illegal move."""
    steps = lesson(name).steps
    if not 0 <= number < len(steps):
        raise GameError(
            "The lesson about {name} has steps 0 to {count}, got {number}.",
            name=name,
            count=len(steps) - 1,
            number=number,
        )
    step = steps[number]
    here = step.start
    move = here.parse(text)
    after = here.play(move)
    right = step.met(move)
    return Checked(right, step.right if right else step.wrong, move, here.describe(move), after)
