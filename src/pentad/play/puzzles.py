"""Puzzles: positions with something to find, every answer of which is proved, and the best defence to each.

The proofs are made once (`puzzle_maker`) and kept in `puzzle_files`, one puzzle a line; to play one needs no engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pentad.game import GameError, Move, Position, game, games, load, shown

FILES = Path(__file__).parent / "puzzle_files"
ANY = "*"  # ends a right move that any steps may follow
DIFFICULTIES = range(1, 6)
MOST_MOVES = 20  # of an attempt

GOALS = {
    "win": "{colour} to move and win in {moves}",
    "threats": "{colour} to move and win in {moves}, with a threat at every move",
    "draw": "{colour} to move and save the draw",
}
AT_ONCE = "{colour} to move and win at once"
# What a move leads to that is not right, by its letter in the proof; where there is none, by the kind of puzzle.
WRONG = {
    "w": "that wins too, but takes longer",
    "d": "that lets {other} save the draw",
    "l": "that lets {other} win",
    "win": "that does not win in {moves}",
    "threats": "that does not win in {moves} by threats alone",
    "draw": "that does not save the draw",
}
NOT_AT_ONCE = "that does not win at once"
# What a newcomer should know of the rules that a puzzle is played by, where they are not the usual ones.
NOTES = {
    ("rules", "keryo"): "Keryo: three in a row can be taken as well as two, and fifteen taken stones win.",
    ("rules", "g-pente"): "G-Pente: as Pente, with a stricter opening.",
    ("rules", "gomoku"): "Gomoku: nothing is taken, and exactly five in a row win.",
    ("rules", "freestyle"): "Freestyle: nothing is taken, and five or more in a row win.",
    ("first_to_three", True): "Whoever first brings three pieces home wins at once.",
}


def fits(move: str, wanted: str) -> bool:
    """Whether a move is the wanted one; one that ends with `*` may go on in any way."""
    return move.startswith(wanted[: -len(ANY)]) if wanted.endswith(ANY) else move == wanted


@dataclass(frozen=True, slots=True)
class Node:
    """A moment of a puzzle at which a move is to be found: the right ones, each with the reply and what comes then.

    `letters` has one for each legal move, if it is known what all of them lead to.
    """

    left: int
    right: Mapping[str, tuple[str, Node] | None]
    letters: str = ""

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Node:
        """A node as a file has it."""
        right = {move: (then[0], cls.of(then[1])) if then else None for move, then in told["right"].items()}
        return cls(told["left"], right, told.get("others", ""))

    def after(self, move: str) -> tuple[bool, tuple[str, Node] | None]:
        """Whether a move is right, and what follows it, if anything does."""
        for wanted, then in self.right.items():
            if fits(move, wanted):
                return True, then
        return False, None


@dataclass(frozen=True)
class Puzzle:
    """A position in which something is to be found: what, in how many moves, how hard that is, and the proof."""

    id: str
    position: str
    kind: str
    moves: int
    difficulty: int
    tree: Node

    @cached_property
    def start(self) -> Position:
        return load(self.position)

    @property
    def game(self) -> str:
        return self.start.game

    @property
    def colour(self) -> str:
        """The colour that is to move."""
        return self.start.colour_of(self.start.turn)

    @property
    def goal(self) -> str:
        """What is to be found, in words."""
        words = AT_ONCE if self.kind == "win" and self.moves == 1 else GOALS[self.kind]
        return words.format(colour=self.colour.capitalize(), moves=self.moves)

    @property
    def notes(self) -> list[str]:
        """What is unusual about the rules."""
        return [NOTES[option] for option in self.start.options.items() if option in NOTES]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What comes of a person's last move: whether it is right, and where the game stands then.

    `after` is the position with that move on the board, `position` the one from which to go on: after the reply, or
    where the move was wrong, before it.
    """

    right: bool
    message: str
    move: Move
    move_text: str
    after: Position
    reply: Move | None
    reply_text: str
    position: Position
    over: bool


@cache
def puzzles(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, the easiest first."""
    game(name)  # which says so where there is none
    file = FILES / f"{name}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return tuple(_read(json.loads(line)) for line in lines)


def _read(told: Mapping[str, Any]) -> Puzzle:
    return Puzzle(
        told["id"], told["position"], told["kind"], told["moves"], told["difficulty"], Node.of(told["tree"])
    )  # fmt: skip


@cache
def _by_id() -> Mapping[str, Puzzle]:
    return {each.id: each for name in games() for each in puzzles(name)}


def puzzle(name: str) -> Puzzle:
    """The puzzle of that id."""
    if name not in _by_id():
        raise GameError(f"there is no puzzle {shown(name)}")
    return _by_id()[name]


def daily(name: str, day: date) -> Puzzle:
    """A game's puzzle of a day: the same for everybody, and all come before one comes again."""
    order = sorted(puzzles(name), key=lambda each: blake2b(each.id.encode(), digest_size=8).digest())
    if not order:
        raise GameError(f"there are no puzzles of {name}")
    return order[day.toordinal() % len(order)]


# ── playing one ──────────────────────────────────────────────────────────────────────────────────


def attempt(of: Puzzle, moves: Sequence[str]) -> Attempt:
    """What comes of the last of a person's moves, after the others, to which the replies are known."""
    if not 1 <= len(moves) <= MOST_MOVES:
        raise GameError(f"an attempt has from 1 to {MOST_MOVES} moves, not {len(moves)}")
    tried: Attempt | None = None
    here, node = of.start, of.tree
    for text in moves:
        if tried and (tried.over or not tried.right):
            raise GameError(f"the puzzle does not go on after {tried.move}")
        tried, then = _tried(of, here, node, text)
        if then:
            here, node = tried.position, then
    assert tried is not None
    return tried


def _tried(of: Puzzle, here: Position, node: Node, text: str) -> tuple[Attempt, Node | None]:
    move = here.parse(text)
    after, words = here.play(move), here.describe(move)
    right, then = node.after(str(move))
    if after.outcome and after.outcome.winners == (here.turn,):  # however it came about
        right, then = True, None
    if not right:
        told = _wrong(of, here, node, move)
        return Attempt(False, told, move, words, after, None, "", here, False), None
    if then is None:
        return Attempt(True, _done(of, node), move, words, after, None, "", after, True), None
    reply = after.parse(then[0])
    told = f"right; {then[1].left} more to find" if then[1].left > 1 else "right; now end it"
    return Attempt(
        True, told, move, words, after, reply, after.describe(reply), after.play(reply), False
    ), then[1]  # fmt: skip


def _done(of: Puzzle, node: Node) -> str:
    if of.kind != "draw":
        return "that wins"
    lost = node.letters.count("l")
    return f"that saves the draw; {lost} other moves lose"


def _wrong(of: Puzzle, here: Position, node: Node, move: Move) -> str:
    kind = of.kind
    if node.letters:
        kind = node.letters[list(here.legal_moves).index(move)]
    if kind in ("win", "threats") and node.left == 1:
        return NOT_AT_ONCE
    other = here.colour_of((here.turn + 1) % here.players).capitalize()
    return WRONG[kind].format(other=other, moves=node.left)


def stand(of: Puzzle, moves: Sequence[str]) -> tuple[Position, Node]:
    """The position and what is to be found there, after moves that were all right."""
    here, node = of.start, of.tree
    for text in moves:
        tried, then = _tried(of, here, node, text)
        if then is None:
            raise GameError(f"nothing is to be found after {tried.move}")
        here, node = tried.position, then
    return here, node


def answer(of: Puzzle, moves: Sequence[str] = ()) -> tuple[Position, Move]:
    """Where the puzzle stands after these right moves, and a right move there."""
    here, node = stand(of, moves)
    return here, completed(here, next(iter(node.right)))


def completed(here: Position, wanted: str) -> Move:
    """A whole move that is wanted; where any steps may follow, the first that may."""
    steps = wanted.removesuffix(ANY).strip()
    while wanted.endswith(ANY):
        choices = here.choices(steps)
        if choices.may_end or not choices:
            break
        steps = f"{steps} {choices[0]}".strip()
    return here.parse(steps)


def solution(of: Puzzle) -> Iterator[tuple[Position, Move]]:
    """The moves of a puzzle and the replies to them, each with the position before it."""
    own: list[str] = []
    while True:
        here, move = answer(of, own)
        yield here, move
        own.append(str(move))
        tried = attempt(of, own)
        if tried.reply is None:
            return
        yield tried.after, tried.reply
