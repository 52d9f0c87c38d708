"""Opening books: the moves worth playing in the first positions of a game, found by long analysis.

The book of a game is the file `book.tsv` in its folder. A line is a page: the key of a position, which symmetric
positions share, how it was analysed, and its moves with their values for the seat to move, the best first. The last
line is a checksum.
`python -m pentad.search.book_maker GAME` makes it.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import NamedTuple

from pentad.game import GameError, Move, Position, game
from pentad.game.standard_position import StandardPosition
from pentad.system.checked_files import with_last_line, without_last_line
from pentad.system.words import phrase

NAME = "book.tsv"
EXACT, DEPTH = "exact", "depth"
VARIETY = 0.02  # a move whose value is so much below the best one's is e times less likely


class BookPage(NamedTuple):
    """The moves of a standard position by their names, with their values; a depth of 0 means that these are exact."""

    depth: int
    moves: tuple[tuple[str, float], ...]


class Known(NamedTuple):
    """What a book has about a position."""

    depth: int
    moves: list[tuple[Move, float]]

    @property
    def exact(self) -> bool:
        """Whether the values are exact."""
        return not self.depth

    def choose(self, chance: random.Random) -> Move:
        """One of the moves, better ones more likely."""
        best = self.moves[0][1]
        weights = [math.exp((value - best) / VARIETY) for _, value in self.moves]
        return chance.choices([move for move, _ in self.moves], weights)[0]


Book = dict[str, BookPage]


def look_up(position: Position) -> Known | None:
    """What the book of the position's game has about it; None for a position outside the book.

    >>> from pentad import new
    >>> known = look_up(new("pente"))
    >>> [str(move) for move, _ in known.moves]
    ['K10']
    """
    if position.outcome or not (pages := of_game(position.game)):
        return None
    standard = StandardPosition(position)
    page = pages.get(standard.key)
    return page and Known(page.depth, [(standard.move(name), value) for name, value in page.moves])


@lru_cache(maxsize=16)
def of_game(name: str) -> Book:
    """The pages of a game's book by their keys; empty for a game without a book."""
    what = phrase("The opening book of {title}", title=game(name).title)
    try:
        text = game(name).data(NAME)
    except UnicodeDecodeError:
        raise damaged(what) from None
    return {} if text is None else read(text, what)


def damaged(name: str) -> GameError:
    """The error that a book is damaged."""
    return GameError("{name} is damaged: its last line is not the checksum of the others.", name=name)


def read(text: str, name: str) -> Book:
    """The pages of a book's text; `name` is for errors."""
    book: Book = {}
    try:
        lines = without_last_line(text).splitlines()
    except ValueError:
        raise damaged(name) from None
    for number, line in enumerate(lines, 1):
        try:
            key, how, *moves = line.split("\t")
            kind, _, depth = how.partition(" ")
            if kind != (DEPTH if depth else EXACT) or not moves:
                raise ValueError
            pairs = (move.rpartition(" ") for move in moves)
            book[key] = BookPage(int(depth or 0), tuple((move, float(value)) for move, _, value in pairs))
        except ValueError:
            raise GameError("{name}: Line {number} is not a page of a book.", name=name, number=number) from None
    return book


def written(book: Book) -> str:
    """The text of a book."""
    return with_last_line(
        "".join(
            "\t".join((key, f"{DEPTH} {depth}" if depth else EXACT, *(f"{name} {value:.3f}" for name, value in moves)))
            + "\n"
            for key, (depth, moves) in book.items()
        )
    )
