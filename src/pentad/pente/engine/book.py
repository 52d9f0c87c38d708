"""Opening book of the Pente engine; `python -m pentad.pente.engine.book` builds it by long analysis of the first moves.

It covers 19x19 Pente with and without the tournament rule, and Keryo-Pente. A page is a position in canonical form,
the first of its eight images; it holds the moves worth playing, in that image, with their scores. A second run
continues where the first one stopped: positions in the file are not analysed again.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pentad.game import GameError
from pentad.pente.board import points_of, symmetries
from pentad.pente.rules import GAME, OVER, PentePosition
from pentad.pente.rulesets import CENTRE, RULE_SETS, TOURNAMENT, RuleSet
from pentad.user_files import write_safely

FILE = Path(__file__).with_name("book.json")
# The rule set and the opening of each book; `swap2` has one of its own.
BOOKS = {"tournament": ("pente", TOURNAMENT), "centre": ("pente", CENTRE), "keryo": ("keryo", TOURNAMENT)}
WORTH_PLAYING = 45  # points of score behind the best move
VARIETY = 12.0  # points behind the best move that divide a move's probability by e
LINES = 5  # moves compared
FOLLOWED = (1, 5, 5, 4, 3)  # moves followed from each page, by the stones on the board
Page = list[tuple[int, int]]  # points and scores, the best first


def page_of(position: PentePosition) -> tuple[str, tuple[int, ...]]:
    """The name of a position's page, and the image of each point there."""
    best: tuple[str, tuple[int, ...]] | None = None
    for symmetry in symmetries(position.board):
        name = "".join(
            colour + ",".join(map(str, sorted(symmetry.points[point] for point in points_of(stones))))
            for colour, stones in zip("wb", position.stones, strict=True)
        )
        if best is None or name < best[0]:
            best = name, symmetry.points
    assert best is not None
    return best


def book_of(position: PentePosition) -> str | None:
    """The name of the book for the rules of a position; None if there is none, or stones have been captured."""
    if any(position.taken) or position.stage != OVER:
        return None
    return next((name for name in BOOKS if position.rules == rules_of(name)), None)


def rules_of(name: str) -> RuleSet:
    """The rules of a book."""
    rules, opening = BOOKS[name]
    return replace(RULE_SETS[rules], opening=opening)


@lru_cache(maxsize=1)
def pages() -> dict[str, dict[str, Page]]:
    """The pages of the package's books, by book and name."""
    return read(FILE)


def read(file: Path) -> dict[str, dict[str, Page]]:
    """The pages of a file of books, by book and name."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return {
            book: {name: [(int(point), int(score)) for point, score in page] for name, page in known.items()}
            for book, known in content.items()
        }
    except (ValueError, TypeError, AttributeError) as error:
        raise GameError(f"{file}: Not an opening book ({error}).") from None


def moves_from(position: PentePosition) -> list[tuple[int, int]]:
    """The book's moves for a position as points with scores; empty for a position outside the book."""
    if (book := book_of(position)) is None:
        return []
    name, there = page_of(position)
    back = {image: point for point, image in enumerate(there)}
    page = pages().get(book, {}).get(name, [])
    return [(back[point], score) for point, score in page if position.points >> back[point] & 1]


def choose(position: PentePosition, chance: random.Random) -> int | None:
    """A random move of the book, better ones more likely; None if the book has none."""
    known = moves_from(position)
    if not known:
        return None
    best = max(score for _, score in known)
    weights = [math.exp((score - best) / VARIETY) for _, score in known]
    return chance.choices([point for point, _ in known], weights)[0]


# ── building the book ────────────────────────────────────────────────────────────────────────────


class BookBuilder:
    """Builds the book page by page and saves it after each page."""

    def __init__(self, file: Path, seconds: float, plies: int, threads: int) -> None:
        self.file, self.seconds, self.plies, self.threads = file, seconds, plies, threads
        self.book: dict[str, dict[str, Page]] = {book: {} for book in BOOKS}
        if file.exists():
            self.book |= read(file)

    def write(self) -> Iterator[str]:
        """Analyses all positions, those with fewer stones first; yields a message for each."""
        for book, (rules, opening) in BOOKS.items():
            start = GAME.new(rules=rules, opening=opening)
            assert isinstance(start, PentePosition)
            due = [start]
            for ply in range(self.plies):
                later: dict[str, PentePosition] = {}
                for position in due:
                    name, there = page_of(position)
                    if name not in self.book[book]:
                        self.book[book][name] = self._analyse(position, there)
                        write_safely(self.file, json.dumps(self.book, separators=(",", ":")) + "\n")
                        yield f"{book}, {ply} stones, {name}: {len(self.book[book][name])} moves"
                    back = {image: point for point, image in enumerate(there)}
                    for point, _ in self.book[book][name][: FOLLOWED[min(ply, len(FOLLOWED) - 1)]]:
                        after = position.play(position.board.stones[back[point]])
                        later.setdefault(page_of(after)[0], after)
                due = list(later.values())

    def _analyse(self, position: PentePosition, there: tuple[int, ...]) -> Page:
        # Imported here because reading a book must not need the engine, which may not be compiled yet.
        from pentad.pente.engine.constants import WON_FROM
        from pentad.pente.engine.search import Engine

        engine = Engine(position, threads=self.threads)
        engine.deepen(1, lines=LINES)  # every move has a value, however little time there is
        engine.deepen(seconds=self.seconds, lines=LINES)
        roots = sorted(engine.leading(LINES), key=lambda root: -root.score)  # a stopped search leaves them unsorted
        roots = [root for root in roots if root.score > -WON_FROM] or roots[:1]
        best = roots[0].score
        page: Page = []
        seen: set[str] = set()
        for root in roots:
            after = page_of(position.play(root.move))[0]
            if root.score >= best - WORTH_PLAYING and after not in seen:
                seen.add(after)
                page.append((there[position.board.point(*root.move[0])], root.score))  # type: ignore[misc]
        return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--file", type=Path, default=FILE, help="the book file (default: the package's)")
    parser.add_argument("--seconds", type=float, default=20.0, help="seconds for each position (default: 20)")
    parser.add_argument("--plies", type=int, default=5, help="plies of the book (default: 5)")
    parser.add_argument("--threads", type=int, default=1, help="threads of the search (default: 1)")
    args = parser.parse_args()
    try:
        builder = BookBuilder(args.file, args.seconds, args.plies, args.threads)
    except GameError as error:
        parser.error(str(error))
    for line in builder.write():
        print(line, flush=True)


if __name__ == "__main__":
    main()
