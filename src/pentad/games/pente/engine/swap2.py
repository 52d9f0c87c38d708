"""The opening swap2: stones that leave the game balanced, from a book or by searches, and the better colour.

`python -m pentad.games.pente.engine.swap2` makes the book, `openings.json`: three stones that long searches find
balanced, for the rule sets in `BOOKS`. A second run continues where the first one stopped.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from pentad.game import GameError, Move, OptionValue
from pentad.game.standard_position import StandardPosition
from pentad.games.pente.engine.constants import WIN
from pentad.games.pente.engine.state import static_evaluation
from pentad.games.pente.notation import MORE
from pentad.games.pente.rules import GAME, OVER, SIDES_OFFERED, THREE, PentePosition
from pentad.games.pente.rulesets import SWAP2
from pentad.system.checked_files import with_check, without_check
from pentad.system.files import write_safely

SAMPLE = 160  # openings estimated, at most
SEARCHED, NODES = 24, 20_000  # openings searched, and the nodes of each search
LAST, LAST_NODES = 3, 200_000  # the most balanced openings searched once more, if there is a time limit
ESTIMATED, COMPARED = 0.3, 0.8  # the shares of the time after which the estimates and the searches end
Scored = Callable[[PentePosition, int, float | None], int]  # a position's score by a number of nodes or seconds


def choose_opening(
    here: PentePosition,
    chance: random.Random,
    scored: Scored,
    seconds: float | None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Move:
    """A move of the opening: the better of the colours offered, or stones that leave the game balanced."""
    sides = [side for side in SIDES_OFFERED.get(here.stage, ()) if side != MORE]
    began = time.monotonic()
    if sides:
        each = None if seconds is None else seconds / len(sides)
        return max((Move((side,)) for side in sides), key=lambda move: _value(here, move, scored, each))
    return _most_balanced(here, chance, scored, began, seconds, is_stopped)


def _value(here: PentePosition, move: Move, scored: Scored, seconds: float | None) -> int:
    """The value of a choice of colour to the player who makes it, by a short search."""
    after = here.play(move)
    score = _score(after, scored, NODES, seconds)
    return score if after.turn == here.turn else -score


def _most_balanced(
    here: PentePosition,
    chance: random.Random,
    scored: Scored,
    began: float,
    seconds: float | None,
    is_stopped: Callable[[], bool],
) -> Move:
    """The most balanced of many openings.

    All are sorted by their static evaluation, which ranks openings well but does not show where the balance lies.
    A binary search with searches of positions finds that point, and then the openings around it are compared.
    """

    def left(share: float) -> float:
        if is_stopped():
            return 0.0
        return math.inf if seconds is None else began + share * seconds - time.monotonic()

    estimated: list[tuple[int, Move]] = []
    for move, after in _openings(here, chance):
        estimated.append((_score(after, _estimate, 0, None), move))
        if left(ESTIMATED) <= 0:
            break
    moves = [move for _, move in sorted(estimated, key=lambda each: each[0])]
    found: dict[int, int] = {}

    def search(number: int) -> int:
        timeout = left(COMPARED) / (SEARCHED - len(found)) if seconds is not None else None
        found[number] = _score(_with_colours(here, moves[number]), scored, NODES, timeout)
        return found[number]

    low, high = 0, len(moves)  # openings before `low` score below 0, those from `high` on at least 0
    while low < high and not is_stopped():
        middle = (low + high) // 2
        low, high = (middle + 1, high) if search(middle) < 0 else (low, middle)
    for number in sorted(range(len(moves)), key=lambda number: abs(number - low)):
        if len(found) >= SEARCHED or left(COMPARED) <= 0:
            break
        if number not in found:
            search(number)
    if not found:  # the search was stopped at once
        return moves[len(moves) // 2]
    best = sorted(found, key=lambda number: abs(found[number]))
    if seconds is None:
        return moves[best[0]]
    last = {best[0]: abs(found[best[0]])}
    for tried, number in enumerate(best[:LAST]):
        if left(1) <= 0:
            break
        after = _with_colours(here, moves[number])
        last[number] = abs(_score(after, scored, LAST_NODES, left(1) / (LAST - tried)))
    return moves[min(last, key=lambda number: last[number])]


def _score(position: PentePosition, scored: Scored, nodes: int, seconds: float | None) -> int:
    """A position's score; the game may be over as soon as the colours are chosen."""
    if position.outcome:
        return round(WIN * position.outcome.returns[position.turn])
    return scored(position, nodes, seconds)


def _estimate(position: PentePosition, *_: object) -> int:
    """The static evaluation of a position."""
    return static_evaluation(position)


def _openings(here: PentePosition, chance: random.Random) -> Iterator[tuple[Move, PentePosition]]:
    """Random openings and the positions after them, no two of which are images of each other."""
    seen: set[str] = set()
    moves = here.legal_moves
    for _ in range(SAMPLE):
        move = moves[chance.randrange(len(moves))]
        after = _with_colours(here, move)
        key = StandardPosition(after).key
        if key not in seen:
            seen.add(key)
            yield move, after


def _with_colours(here: PentePosition, move: Move) -> PentePosition:
    """The position after a move of the opening and the choice of the first colour offered."""
    after = here.play(move)
    return after if after.stage == OVER else after.play(SIDES_OFFERED[after.stage][0])


# ── the book of openings ─────────────────────────────────────────────────────────────────────────

FILE = Path(__file__).with_name("openings.json")
BOOKS: dict[str, dict[str, OptionValue]] = {  # the options of each
    "pente": {"rules": "pente"},
    "keryo": {"rules": "keryo"},
    "gomoku": {"rules": "gomoku"},
    "freestyle": {"rules": "freestyle", "size": 15},
}
BALANCED = 60  # the largest score of an opening in the book
FIRST_LOOK = 0.15  # the share of the time for a first search, after which most openings are left out
Opening = tuple[str, int]  # the three stones, and the score for the player to move after them


def start_of(name: str) -> PentePosition:
    """The start of a book's games."""
    start = GAME.new(**BOOKS[name], opening=SWAP2)
    assert isinstance(start, PentePosition)
    return start


@lru_cache(maxsize=1)
def openings() -> dict[str, list[Opening]]:
    """The openings of the package's book."""
    return read(FILE)


def read(file: Path) -> dict[str, list[Opening]]:
    """The openings of a file, by the names of the books."""
    try:
        content = without_check(json.loads(file.read_text(encoding="utf-8")))
        return {name: [(str(move), int(score)) for move, score in content[name]] for name in BOOKS if name in content}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise GameError("{file}: Not a book of openings ({error}).", file=file, error=error) from None


def known_opening(here: PentePosition, chance: random.Random) -> Move | None:
    """Three stones of the book in a random image; None for a position that no book begins with."""
    if here.stage != THREE or here.placed:
        return None
    known = next((openings().get(name, []) for name in BOOKS if start_of(name) == here), [])
    if not known:
        return None
    move, _ = known[chance.randrange(len(known))]
    return here.symmetries[chance.randrange(len(here.symmetries))].move(here.parse(move))


def make(file: Path, count: int, seconds: float, seed: int) -> Iterator[str]:
    """Adds balanced openings to a file until each book has so many; yields a line for each."""
    # Imported here because reading a book must not need the engine, which may not be compiled yet.
    from pentad.games.pente.engine.search import RootSearch

    def scored(position: PentePosition, most: float) -> int:
        engine = RootSearch(position)
        engine.deepen(1)
        engine.deepen(seconds=most)
        return engine.best.score

    found = read(file) if file.exists() else {}
    for name in BOOKS:
        start, known = start_of(name), found.setdefault(name, [])
        keys = {StandardPosition(_with_colours(start, start.parse(move))).key for move, _ in known}
        chance = random.Random(f"{seed} {name} {len(known)}")
        while len(known) < count:
            for move, after in _openings(start, chance):
                if (
                    StandardPosition(after).key in keys
                    or abs(scored(after, seconds * FIRST_LOOK)) > BALANCED
                    or abs(score := scored(after, seconds)) > BALANCED
                ):
                    continue
                keys.add(StandardPosition(after).key)
                known.append((str(move), score))
                write_safely(file, json.dumps(with_check(found), separators=(",", ":")) + "\n")
                yield f"{name}, {len(known)} openings: {move}, {score:+d}"
                if len(known) >= count:
                    break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--file", type=Path, default=FILE, help="the file of the openings (default: the package's)")
    parser.add_argument("--count", type=int, default=24, help="openings of each book (default: 24)")
    parser.add_argument("--seconds", type=float, default=20.0, help="seconds for each opening (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings compared (default: 1)")
    args = parser.parse_args()
    try:
        for line in make(args.file, args.count, args.seconds, args.seed):
            print(line, flush=True)
    except GameError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
