"""Making of opening books: `python -m pentad.search.book_maker GAME` saves the best moves of the first positions.

A second run adds positions to the book. One that was interrupted is continued by the same command.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pentad.game import GameError, Position, game, read_start
from pentad.game.standard_position import StandardPosition
from pentad.search.analysis import analyse
from pentad.search.book import NAME, Book, BookPage, read, written
from pentad.search.report import Report
from pentad.system.files import write_safely
from pentad.system.words import phrase

MAX_LOSS = 0.15  # the book leaves out moves that are worse than the best one by more
COMPARED_MOVES = 5


def make(
    book: Book, start: Position, widths: Sequence[int | None], report: Callable[[Position], Report]
) -> Iterator[str]:
    """Adds pages to a book, positions with fewer moves before them first; yields a line for each new page.

    `widths` are the numbers of moves followed from a page, by the moves played before; None for all legal moves.
    """
    due = [start]
    for ply, width in enumerate([*widths, 0]):
        later: dict[str, Position] = {}
        for position in due:
            standard = StandardPosition(position)
            if standard.key not in book:
                book[standard.key] = page_of(standard, report(position))
                yield phrase(
                    "{ply} moves played, {count} in the book: {text}",
                    ply=ply,
                    count=len(book[standard.key].moves),
                    text=position.text,
                )
            names = [name for name, _ in book[standard.key].moves[:width]]
            moves = position.legal_moves if width is None else [standard.move(name) for name in names]
            for after in map(position.play, moves):
                if not after.outcome:
                    later.setdefault(StandardPosition(after).key, after)
        due = list(later.values())


def page_of(standard: StandardPosition, report: Report) -> BookPage:
    """The page of an analysed position: its moves worth playing, one of those that a symmetry exchanges."""
    values: dict[str, float] = {}
    for line in report.lines:
        if line.values[report.seat] >= report.value - MAX_LOSS:
            values.setdefault(standard.name(line.moves[0]), line.values[report.seat])
    moves = sorted(values.items(), key=lambda each: -each[1])
    return BookPage(0 if report.exact else report.depth, tuple(moves))


def _width(text: str) -> int | None:
    return None if text == "all" else int(text)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m pentad.search.book_maker", description="Makes the opening book of a game by long analysis."
    )
    parser.add_argument("game", help="the game")
    parser.add_argument("option", nargs="*", help="an option of the game, such as rules=keryo")
    parser.add_argument("--file", type=Path, help="the book file (default: the game's)")
    parser.add_argument("--seconds", type=float, default=20.0, help="seconds for each position (default: 20)")
    parser.add_argument(
        "--lines",
        type=int,
        default=COMPARED_MOVES,
        help=phrase("moves compared (default: {lines})", lines=COMPARED_MOVES),
    )
    parser.add_argument(
        "--widths",
        nargs="+",
        type=_width,
        default=[1, 5, 5, 4],
        help="moves followed from each position, by the moves played before, or all (default: 1 5 5 4)",
    )
    args = parser.parse_args()
    try:
        start = read_start(" ".join([args.game, *args.option]))
        file = args.file or Path(*game(args.game).package.__path__) / NAME
        book = read(file.read_text(encoding="utf-8", errors="replace"), str(file)) if file.exists() else {}

        def report(position: Position) -> Report:
            return analyse(position, seconds=args.seconds, lines=args.lines, book=False).report

        for line in make(book, start, args.widths, report):
            write_safely(file, written(book))
            print(line, flush=True)
    except (GameError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        sys.exit("Interrupted. Run the same command again to continue.")


if __name__ == "__main__":
    main()
