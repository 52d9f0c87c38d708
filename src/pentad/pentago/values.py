"""Exact values of a position's moves: words for them, and drawings in characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from pentad.game import GameError, Move, Span, shown
from pentad.pentago import draw
from pentad.pentago.board import Place, Twist, spaces_of
from pentad.pentago.rules import PentagoPosition

WIN, DRAW, LOSS = 1, 0, -1
WORDS = {WIN: "win", DRAW: "draw", LOSS: "loss"}
VERBS = {WIN: "wins", DRAW: "draws", LOSS: "loses"}


def in_moves(turns: int) -> int:
    """Converts turns of both players to moves of one of them.

    >>> in_moves(1), in_moves(2), in_moves(7)
    (1, 1, 4)
    """
    return (turns + 1) // 2


ROLES = WORDS  # the roles of spans
LETTERS = {WIN: "W", DRAW: "D", LOSS: "L"}
PLURALS = {WIN: "win", DRAW: "draw", LOSS: "lose"}  # of VERBS
WIDEST = 78  # columns for the board and the twists side by side
BETWEEN = 5


@dataclass(frozen=True)
class Values:
    """The value of every move of a position, and `turns` to the end, counted for both players, if known."""

    position: PentagoPosition
    moves: Mapping[Move, int]
    turns: Mapping[Move, int] = field(default_factory=dict)

    def rank(self, move: Move) -> tuple[int, int]:
        """A sort key: better moves are higher, then faster wins and slower losses."""
        value, turns = self.moves[move], self.turns.get(move)
        far = 10**6 if turns is None else turns
        return value, -far if value == WIN else far if value == LOSS else 0

    def of(self, place: Place | None) -> dict[Twist | None, Move]:
        """The moves that place there, by twist; None is the key of a win without a twist."""
        found: dict[Twist | None, Move] = {}
        for move in self.moves:
            first, last = move[0], move[-1]
            if place is None or first == place:
                found[last if isinstance(last, Twist) else None] = move
        return found

    def best_of(self, place: Place) -> Move:
        return max(self.of(place).values(), key=self.rank)

    def value_text(self, move: Move, words: Mapping[int, str]) -> str:
        """A move's value: `win in 3`."""
        value, turns = self.moves[move], self.turns.get(move)
        return words[value] + (f" in {in_moves(turns)}" if value and turns else "")


def read_space(position: PentagoPosition, text: str) -> Place:
    """Parses the name of an empty space."""
    if position.placed:
        raise GameError("The marble is already placed. Only the twist is left.")
    after = position.partial(text)
    if not after.placed:
        raise GameError(f"{shown(text)} is not a space.")
    (space,) = spaces_of(position.empty & ~after.empty)
    return position.board.places[space]


# ── drawing ─────────────────────────────────────────────────────────────────────────────────


def spans(values: Values, place: Place | None = None) -> list[list[Span]]:
    """The board, and beside or below it the twists after a marble on `place`, by default the best space."""
    position = values.position
    if place is None and not position.placed:
        place = max(values.moves, key=values.rank)[0]  # type: ignore[assignment]
    board = list(_board(values, place))
    panel = list(_panel(values, place))
    wide = max(_width(line) for line in board)
    if panel and wide + BETWEEN + max(map(_width, panel)) <= WIDEST:
        nothing: list[Span] = []
        lines = [
            [*left, (" " * (wide - _width(left) + BETWEEN), "ground-none"), *right] if right else left
            for left, right in zip_longest(board, panel, fillvalue=nothing)
        ]
    else:
        lines = [*board, [], *panel]
    return [*lines, [], *_legend(values)]


def _width(line: list[Span]) -> int:
    return sum(len(text) for text, _ in line)


def _board(values: Values, place: Place | None) -> Iterator[list[Span]]:
    """The usual board, with a letter in each empty space."""
    position = values.position
    empty = iter(spaces_of(position.empty))
    for line in draw.spans(position):
        if line[0][1] == "status":
            continue
        yield [_cell(values, next(empty), place) if role == "empty" else (text, role) for text, role in line]


def _cell(values: Values, space: int, place: Place | None) -> Span:
    here = values.position.board.places[space]
    if values.position.placed:
        return draw.EMPTY, "empty"
    value = values.moves[values.best_of(here)]
    return LETTERS[value], f"{ROLES[value]} chosen" if here == place else ROLES[value]


def _panel(values: Values, place: Place | None) -> Iterator[list[Span]]:
    """Each sub-board with the values of its twists."""
    by_twist = values.of(place)
    heading = "Twist a sub-board:" if place is None else f"After {place}, twist a sub-board:"
    if None in by_twist:
        yield [(f"{place} wins immediately, without a twist.", "label")]
        return
    yield [(heading, "label")]
    board = values.position.board
    texts = {twist: values.value_text(move, ROLES) for twist, move in by_twist.items()}
    wide = max(map(len, texts.values())) + 4
    for row in range(board.rows):
        numbers = range(row * board.cols + 1, (row + 1) * board.cols + 1)
        left, between, right = "├┼┤" if row else "┌┬┐"
        yield [(left + between.join(f"{number:─^{wide}}" for number in numbers) + right, "plain")]
        for direction in ("A", "C"):
            line: list[Span] = [("│", "plain")]
            for twist in (Twist(number, direction) for number in numbers):
                cell = (texts[twist], ROLES[values.moves[by_twist[twist]]])
                line += [(f" {direction} ", "plain"), cell, (" " * (wide - 3 - len(cell[0])) + "│", "plain")]
            yield line
    yield [("└" + "┴".join("─" * wide for _ in range(board.cols)) + "┘", "plain")]


def _legend(values: Values) -> Iterator[list[Span]]:
    position = values.position
    colour = position.colour_of(position.turn)
    yield [(draw.legend(position), "plain")]
    if not position.placed:
        letters: list[Span] = []
        for value, letter in LETTERS.items():
            letters += [(letter, ROLES[value]), (f" {colour} {VERBS[value]}   ", "plain")]
        yield [*letters, ("(with the best twist)", "plain")]
    yield [("A twists anti-clockwise, C clockwise.", "plain")]
    yield [(summary(values), "plain")]


def summary(values: Values) -> str:
    """The numbers of moves that win, draw and lose, as a sentence: `3 of 112 moves win, 1 draws, 108 lose.`"""
    total = len(values.moves)
    parts: list[str] = []
    for value, plural in PLURALS.items():
        if count := sum(each == value for each in values.moves.values()):
            verb = VERBS[value] if count == 1 else plural
            of_all = "" if parts else f" of {total} move{'s' * (total != 1)}"
            parts.append(f"{count}{of_all} {verb}")
    return f"{', '.join(parts)}."


# ── words ─────────────────────────────────────────────────────────────────────────────────────


def listing(values: Values) -> Iterator[str]:
    """A line for each space, from best to worst: `d4: wins in 3 by 1C, 2A; loses in 2 by 3C`."""
    position = values.position
    if position.placed:
        yield _sentence(values, values.of(None))
        return
    places = [position.board.places[space] for space in spaces_of(position.empty)]
    for place in sorted(places, key=lambda each: values.rank(values.best_of(each)), reverse=True):
        yield f"{place}: {_sentence(values, values.of(place))}"


def _sentence(values: Values, by_twist: Mapping[Twist | None, Move]) -> str:
    """The values of all twists, from best to worst."""
    if None in by_twist:
        return "wins immediately"
    groups: dict[str, list[str]] = {}
    for move in sorted(by_twist.values(), key=values.rank, reverse=True):
        groups.setdefault(values.value_text(move, VERBS), []).append(str(move[-1]))
    return "; ".join(f"{worth} by {', '.join(twists)}" for worth, twists in groups.items())
