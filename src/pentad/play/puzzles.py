"""Puzzles: positions with a task, all solutions of which are proved, and the best defence to each.

`puzzle_maker` makes the proofs once; `puzzles.jsonl` in a game's folder holds them, one puzzle a line. Playing a puzzle
needs no engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any

from pentad.game import GameError, Move, Position, game, load, names, shown
from pentad.games.parts import ANY
from pentad.system.words import phrase

FILE = "puzzles.jsonl"
DIFFICULTIES = range(1, 6)
MAX_MOVES_OF_ATTEMPT = 20

GOALS = {
    "win": "{colour} to move and win in {moves}",
    "threats": "{colour} to move and win in {moves} by threats alone",
    "draw": "{colour} to move and draw",
}
IMMEDIATE_WIN = "{colour} to move and win immediately"
# Messages for wrong moves, by the move's letter in the proof; by the kind of puzzle where the proof has no letters.
WRONG = {
    "w": "That also wins, but takes longer.",
    "d": "That lets {other} hold a draw.",
    "l": "That lets {other} win.",
    "win": "That does not win in {moves}.",
    "threats": "That does not win in {moves} by threats alone.",
    "draw": "That does not hold the draw.",
}
NO_IMMEDIATE_WIN = "That does not win immediately."


def fits(move: str, wanted: str) -> bool:
    """Whether a move is the expected one; any steps may follow where `wanted` ends with `*`."""
    return move.startswith(wanted[: -len(ANY)]) if wanted.endswith(ANY) else move == wanted


@dataclass(frozen=True, slots=True)
class PuzzleNode:
    """A node of a puzzle's tree: the correct moves, each with the reply and the next node.

    `letters` has a letter for each legal move, if the results of all of them are known.
    """

    left: int
    right: Mapping[str, tuple[str, PuzzleNode] | None]
    letters: str = ""

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> PuzzleNode:
        """A node from its entry in a puzzle file."""
        right = {move: (then[0], cls.of(then[1])) if then else None for move, then in entry["right"].items()}
        return cls(entry["left"], right, entry.get("others", ""))

    def after(self, move: str) -> tuple[bool, tuple[str, PuzzleNode] | None]:
        """Whether a move is correct, and the reply with the next node, if there is one."""
        for wanted, then in self.right.items():
            if fits(move, wanted):
                return True, then
        return False, None


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: the position, the task, its length in moves, its difficulty and the proof."""

    id: str
    position: str
    kind: str
    moves: int
    difficulty: int
    tree: PuzzleNode

    @cached_property
    def start(self) -> Position:
        return load(self.position)

    @property
    def game(self) -> str:
        return self.start.game

    @property
    def title(self) -> str:
        """The title of the game."""
        return game(self.game).title

    @property
    def colour(self) -> str:
        """The colour that is to move."""
        return self.start.colour_of(self.start.turn)

    @property
    def goal(self) -> str:
        """The task as text."""
        template = IMMEDIATE_WIN if self.kind == "win" and self.moves == 1 else GOALS[self.kind]
        return template.format(colour=self.colour.capitalize(), moves=self.moves)

    @property
    def notes(self) -> list[str]:
        """Notes on the rules that are not the default ones."""
        kind = game(self.game)
        notes = getattr(kind.module("puzzles"), "NOTES", {}) if kind.has("puzzles") else {}
        return [notes[option] for option in self.start.options.items() if option in notes]


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on a move of a lesson or a puzzle; `after` is the position after that move."""

    right: bool
    message: str
    move: Move
    move_text: str
    after: Position


@dataclass(frozen=True, slots=True)
class Attempt(Checked):
    """The verdict on the last move of an attempt.

    `position` is the one to continue from: after the reply, or before a wrong move.
    """

    position: Position
    reply: Move | None = None
    reply_text: str = ""
    over: bool = False


@cache
def puzzles(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, the easiest first."""
    entries = map(json.loads, (game(name).data(FILE) or "").splitlines())
    return tuple(Puzzle(**{**entry, "tree": PuzzleNode.of(entry["tree"])}) for entry in entries)


@cache
def _by_id() -> Mapping[str, Puzzle]:
    return {each.id: each for name in names() for each in puzzles(name)}


def puzzle(name: str) -> Puzzle:
    """The puzzle with this id."""
    if name not in _by_id():
        raise GameError("There is no puzzle {name}.", name=shown(name))
    return _by_id()[name]


def daily(name: str, day: date) -> Puzzle:
    """A game's daily puzzle: the same for everyone; none repeats before all have come."""
    order = sorted(puzzles(name), key=lambda each: blake2b(each.id.encode(), digest_size=8).digest())
    if not order:
        raise GameError("There are no puzzles of {name}.", name=name)
    return order[day.toordinal() % len(order)]


# ── solving a puzzle ─────────────────────────────────────────────────────────────────────────────


def attempt(of: Puzzle, moves: Sequence[str]) -> Attempt:
    """The verdict on the last of a player's moves; the replies to the earlier ones are known."""
    if not 1 <= len(moves) <= MAX_MOVES_OF_ATTEMPT:
        raise GameError(
            "Expected 1 to {most_moves} moves in an attempt, got {count}.",
            most_moves=MAX_MOVES_OF_ATTEMPT,
            count=len(moves),
        )
    tried: Attempt | None = None
    here, node = of.start, of.tree
    for text in moves:
        if tried and (tried.over or not tried.right):
            raise GameError("The puzzle ends after {move}.", move=tried.move)
        tried, then = _tried(of, here, node, text)
        if then:
            here, node = tried.position, then
    assert tried is not None
    return tried


def _tried(of: Puzzle, here: Position, node: PuzzleNode, text: str) -> tuple[Attempt, PuzzleNode | None]:
    move = here.parse(text)
    after, text = here.play(move), here.describe(move)
    right, then = node.after(str(move))
    if after.outcome and after.outcome.winners == (here.turn,):  # a win that the tree does not have is correct too
        right, then = True, None
    if not right:
        kind = node.letters[list(here.legal_moves).index(move)] if node.letters else of.kind
        return Attempt(False, wrong_words(here, node, kind), move, text, after, here), None
    if then is None:
        return Attempt(True, done_words(of, node), move, text, after, after, over=True), None
    reply = after.parse(then[0])
    words, reply_text = correct_words(then[1]), after.describe(reply)
    return Attempt(True, words, move, text, after, after.play(reply), reply, reply_text), then[1]


def correct_words(following: PuzzleNode) -> str:
    """What is said of a correct move that another one follows."""
    left = following.left
    return phrase("Correct. {left} more moves to find.", left=left) if left > 1 else "Correct. Now finish it."


def done_words(of: Puzzle, node: PuzzleNode) -> str:
    """What is said of the last correct move."""
    if of.kind != "draw":
        return "That wins."
    return phrase("That holds the draw. Moves that lose: {count}.", count=node.letters.count("l"))


def wrong_words(here: Position, node: PuzzleNode, kind: str) -> str:
    """Why a move is wrong: by its letter in the proof, or by the kind of the puzzle."""
    if kind in ("win", "threats") and node.left == 1:
        return NO_IMMEDIATE_WIN
    other = here.colour_of((here.turn + 1) % here.players).capitalize()
    return WRONG[kind].format(other=other, moves=node.left)


def stand(of: Puzzle, moves: Sequence[str]) -> tuple[Position, PuzzleNode]:
    """The position after correct moves, and its node in the tree."""
    here, node = of.start, of.tree
    for text in moves:
        tried, then = _tried(of, here, node, text)
        if then is None:
            raise GameError("No moves are left to find after {move}.", move=tried.move)
        here, node = tried.position, then
    return here, node


def answer(of: Puzzle, moves: Sequence[str] = ()) -> tuple[Position, Move]:
    """The position after these correct moves, and a correct move there."""
    here, node = stand(of, moves)
    return here, completed(here, next(iter(node.right)))


def completed(here: Position, wanted: str) -> Move:
    """The expected move, completed by the first legal steps where any may follow."""
    steps = wanted.removesuffix(ANY).strip()
    while wanted.endswith(ANY):
        choices = here.choices(steps)
        if choices.may_end or not choices:
            break
        steps = f"{steps} {choices[0]}".strip()
    return here.parse(steps)


def solution(of: Puzzle) -> Iterator[tuple[Position, Move]]:
    """The moves of a puzzle's solution and the replies to them, each with the position before it."""
    here = of.start
    node: PuzzleNode | None = of.tree
    while node:
        move = completed(here, next(iter(node.right)))
        yield here, move
        tried, node = _tried(of, here, node, str(move))
        if tried.reply:
            yield tried.after, tried.reply
        here = tried.position
