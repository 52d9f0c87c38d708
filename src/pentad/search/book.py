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


class GameBook:
    """The book of a game, whose pages are read one by one: reading all takes longer than many a search."""

    def __init__(self, text: str, name: str) -> None:
        self._lines = dict(line.partition("\t")[::2] for line in lines_of(text, name))
        self._name = name

    def get(self, key: str) -> BookPage | None:
        """The page of a standard position; None if there is none."""
        line = self._lines.get(key)
        try:
            return None if line is None else page_of(line)
        except ValueError:
            raise damaged(self._name) from None


@lru_cache(maxsize=16)
def of_game(name: str) -> GameBook | None:
    """The book of a game; None for a game without one."""
    what = phrase("The opening book of {title}", title=game(name).title)
    try:
        text = game(name).data(NAME)
    except UnicodeDecodeError:
        raise damaged(what) from None
    return None if text is None else GameBook(text, what)


def damaged(name: str) -> GameError:
    """The error that a book is damaged."""
    return GameError("{name} is damaged: its last line is not the checksum of the others.", name=name)


def lines_of(text: str, name: str) -> list[str]:
    """The lines of a book's text, one for each page; `name` is for errors."""
    try:
        return without_last_line(text).splitlines()
    except ValueError:
        raise damaged(name) from None


def page_of(line: str) -> BookPage:
    """The page of a line, without its key; raises `ValueError` if it is none."""
    how, *moves = line.split("\t")
    kind, _, depth = how.partition(" ")
    if kind != (DEPTH if depth else EXACT) or not moves:
        raise ValueError(line)
    pairs = (move.rpartition(" ") for move in moves)
    return BookPage(int(depth or 0), tuple((move, float(value)) for move, _, value in pairs))


def read(text: str, name: str) -> Book:
    """The pages of a book's text by their keys; `name` is for errors."""
    book: Book = {}
    for number, line in enumerate(lines_of(text, name), 1):
        key, _, rest = line.partition("\t")
        try:
            book[key] = page_of(rest)
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
