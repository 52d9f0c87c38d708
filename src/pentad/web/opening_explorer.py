"""Opening explorer: the moves played from a position, those of the opening book, and the moves of games in a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pentad.game import Move, Position
from pentad.game.standard_position import StandardPosition
from pentad.record.opening_tree import OpeningTree, plies_of
from pentad.search.book import look_up
from pentad.web import view
from pentad.web.move_tree import read_some

MOST_KEPT_POSITIONS = 1000  # while a file is read


@dataclass(frozen=True, kw_only=True)
class NamedMove:
    """A move by its name, which it shares with the moves of symmetric positions, and in words.

    `notation` is what people read where it is not the text of the move.
    """

    name: str
    move: str
    notation: str
    words: str


@dataclass(frozen=True, kw_only=True)
class NamedMoves:
    """The moves of a position by their names."""

    moves: list[NamedMove]


@dataclass(frozen=True, kw_only=True)
class BranchInfo(NamedMove):
    """A move of an opening tree: how often it was played, and the results for the seat that makes it."""

    times: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, kw_only=True)
class BookMove(NamedMove):
    """A move of an opening book, with its value for the seat to move."""

    value: float


@dataclass(frozen=True, kw_only=True)
class BookInfo:
    """What a game's opening book has about a position, by an analysis of this depth or with exact values."""

    seat: int
    depth: int
    exact: bool
    moves: list[BookMove]


@dataclass(frozen=True, kw_only=True)
class Openings:
    """The moves played from a position and symmetric ones in so many games; `waiting` games are not read yet.

    `key` is the name of these positions in `GamePlies`. `book` is what the game's opening book has about them.
    """

    key: str
    games: int
    waiting: int
    branches: list[BranchInfo]
    book: BookInfo | None


@dataclass(frozen=True, kw_only=True)
class PlyInfo:
    """A move of a game: the key of the position before it, its name, and the result for the seat that made it."""

    key: str
    name: str
    result: int | None


@dataclass(frozen=True, kw_only=True)
class GamePlies:
    """The main lines of the games in the first `read` characters of a text, after which there may be more."""

    games: list[list[PlyInfo]]
    read: int


def read_games(text: str, name: str | None, lines_before: int = 0) -> GamePlies:
    """The moves and results of the first games in a text."""
    records, end = read_some(text, name, lines_before)
    standard_of = lru_cache(MOST_KEPT_POSITIONS)(StandardPosition)
    games = [[PlyInfo(**ply._asdict()) for ply in plies_of(record, standard_of)] for record in records]
    for record in records:
        record.root.unlink()
    return GamePlies(games=games, read=end)


def openings(position: Position, tree: OpeningTree, games: int, waiting: int) -> Openings:
    """The moves that were played from a position, and those of the opening book."""
    standard = StandardPosition(position)
    branches = [
        BranchInfo(
            **_named(position, standard.name(branch.move), branch.move),
            times=branch.times,
            wins=branch.wins,
            draws=branch.draws,
            losses=branch.losses,
        )
        for branch in tree.branches(position)
    ]
    known = look_up(position)
    book = known and BookInfo(
        seat=position.turn,
        depth=known.depth,
        exact=known.exact,
        moves=[BookMove(**_named(position, standard.name(move), move), value=value) for move, value in known.moves],
    )
    return Openings(key=standard.key, games=games, waiting=waiting, branches=branches, book=book)


def named_moves(position: str, names: Sequence[str]) -> NamedMoves:
    """The moves of a position by their names in an opening tree."""
    here = view.read_position(position)
    standard = StandardPosition(here)
    return NamedMoves(moves=[NamedMove(**_named(here, name, standard.move(name))) for name in names])


def _named(here: Position, name: str, move: Move) -> dict[str, str]:
    """The fields of a named move."""
    return {"name": name, "move": str(move), "notation": view.notation(here, move), "words": here.describe(move)}
