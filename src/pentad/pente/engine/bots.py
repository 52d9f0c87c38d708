"""Engine bots for Pente, at five levels or any strength between them.

In the opening swap2 they place stones that leave the game balanced, and choose the better colour.
"""

from __future__ import annotations

import math
import random
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from pentad.game import GameError, Move, shown
from pentad.pente.engine import book
from pentad.pente.engine.analysis import report_of
from pentad.pente.engine.constants import WIN, WON_FROM
from pentad.pente.engine.search import (
    DEEPEST,
    EFFORT,
    ENTRY_BYTES,
    TABLE_POSITIONS,
    Engine,
    Pondering,
    Root,
    TranspositionTable,
)
from pentad.pente.engine.state import kernels, static_evaluation
from pentad.pente.notation import MORE
from pentad.pente.rules import OVER, SIDES_OFFERED, PentePosition
from pentad.search import bot
from pentad.search.analysis import Report
from pentad.search.bot import DEFAULT_SECONDS, Level

CANDIDATES = 6  # moves compared where the scores have noise
MOST_THREADS = 64
MEGABYTE = 1 << 20
LEAST_MEMORY, MOST_MEMORY = 1, 1024  # megabytes


LEVELS = {
    1: Level(elo=800, nodes=100, noise=70, blunder_rate=0.25),
    2: Level(elo=1230, nodes=1_000, noise=15, blunder_rate=0.03),
    3: Level(elo=1570, nodes=2_000, noise=12, effort=5),
    4: Level(elo=1920, nodes=6_000, effort=EFFORT, book=True),
    5: Level(elo=2280, effort=EFFORT, book=True),
}


def level_of_strength(elo: int) -> Level:
    """The level for a rating, interpolated between the two nearest levels."""
    if not LEVELS[1].elo <= elo <= LEVELS[5].elo:
        raise GameError(f"strength must be a rating from {LEVELS[1].elo} to {LEVELS[5].elo}, not {elo}.")
    for low, high in pairwise(LEVELS.values()):
        if elo < high.elo:
            part = (elo - low.elo) / (high.elo - low.elo)
            most = high.nodes or 40 * (low.nodes or 1)
            return Level(
                elo=elo,
                nodes=round(math.exp((1 - part) * math.log(low.nodes or 1) + part * math.log(most))),
                noise=(1 - part) * low.noise + part * high.noise,
                blunder_rate=(1 - part) * low.blunder_rate + part * high.blunder_rate,
                effort=round((1 - part) * low.effort + part * high.effort),
                book=low.book,
            )
    return LEVELS[5]


class EngineBot(bot.EngineBot):
    """Searches at a level; the highest uses all of its time, by default a second.

    `memory` is the size of the transposition table in bytes. With `ponders` it also searches during the opponent's
    turn, from its move until the next `choose` or `close`; only a level without a limit of nodes does so.
    """

    levels = LEVELS
    _search: Engine | None

    def __init__(
        self,
        level: int = 5,
        seed: int | None = None,
        *,
        strength: int | None = None,
        threads: int = 1,
        memory: int = TABLE_POSITIONS * ENTRY_BYTES,
        ponders: bool = False,
        milliseconds: int | None = None,
    ) -> None:
        super().__init__(level, seed)
        kernels()  # compiled the first time on a machine, before a clock starts
        if strength is not None:
            self.name, self.level = f"engine:strength={strength}", level_of_strength(strength)
        self.threads, self.memory, self.ponders = threads, memory, ponders
        self.own_seconds = None if milliseconds is None else milliseconds / 1000
        self._table: TranspositionTable | None = None
        self._pondering: Pondering | None = None
        self._end_pondering: weakref.finalize[..., EngineBot] | None = None

    def _search_move(self, here: PentePosition, seconds: float | None) -> Move:
        seconds = seconds if self.own_seconds is None else self.own_seconds
        if here.stage != OVER:
            self.stop_pondering()
            move = choose_opening(here, self.random, self._scored, seconds, lambda: self._is_stopped)
            self._search = None  # the searches were of other positions
            return move
        move = self._chosen(here, seconds)
        if self.ponders and self.level.nodes is None:
            self._ponder(here.play(move))
        return move

    def _chosen(self, here: PentePosition, seconds: float | None) -> Move:
        if self.level.book and (known := book.choose(here, self.random)) is not None:
            self.note, self._search = "by the book", None
            return Move((here.board.stones[known],))
        if self.random.random() < self.level.blunder_rate:
            return self.random.choice(self._searched(here, None, 3 * CANDIDATES, nodes=1).leading(3 * CANDIDATES)).move
        if seconds is None and self.level.nodes is None:
            seconds = DEFAULT_SECONDS
        lines = CANDIDATES if self.level.noise else 1
        engine = self._searched(here, seconds, lines, self.level.nodes, self._deepened)
        if engine.wins_in:
            self.sure, self.note = True, f"wins in {engine.wins_in}"
        return self._choice(engine).move

    def _searched(
        self,
        here: PentePosition,
        seconds: float | None,
        lines: int,
        nodes: int | None,
        on_depth: Callable[[], None] | None = None,
    ) -> Engine:
        began = time.monotonic()  # includes reading the weights, when a rule set is first played
        if self._is_stopped:
            seconds = 0.0
        self._search = self._pondered(here) or self._new_engine(here)
        self._search.deepen(1, lines=lines, nodes=nodes, on_depth=on_depth)
        if not self._search.forced:
            left = None if seconds is None else max(seconds - (time.monotonic() - began), 0.0)
            deepest = self.level.depth or DEEPEST
            self._search.deepen(deepest, seconds=left, lines=lines, nodes=nodes, on_depth=on_depth)
        return self._search

    def _new_engine(self, here: PentePosition) -> Engine:
        positions = max(self.memory // ENTRY_BYTES, 1)
        if self._table is None or self._table.positions != positions:
            self._table = TranspositionTable(positions)
        return Engine(here, memory=self._table, threads=self.threads, effort=self.level.effort)

    def _choice(self, engine: Engine) -> Root:
        """The best root move; with noise, the best of the leading moves by noisy scores."""
        roots = engine.leading(CANDIDATES if self.level.noise else 1)
        if not self.level.noise or roots[0].score > WON_FROM:
            return roots[0]
        return max(roots, key=lambda root: root.score + self.random.gauss(0, self.level.noise))

    def _scored(self, position: PentePosition, nodes: int, seconds: float | None) -> int:
        """The score of a position for the player to move, by a search."""
        return self._searched(position, seconds, 1, nodes).best.score

    def report(self, longest: int) -> Report | None:
        return report_of(self._search, 1, 0.0, longest) if self._search else None

    # ── pondering ────────────────────────────────────────────────────────────────────────────────

    def _ponder(self, after: PentePosition) -> None:
        """Starts to ponder on the position after the bot's move."""
        self.stop_pondering()
        if after.outcome:
            return
        self._pondering = (self._search or self._new_engine(after)).ponder(after)
        self._end_pondering = weakref.finalize(self, self._pondering.stop)  # when the bot is garbage collected

    def _pondered(self, here: PentePosition) -> Engine | None:
        """The pondering search of this position; None if the opponent played another move."""
        pondering = self._pondering
        self.stop_pondering()
        return pondering.engine if pondering and pondering.expected and pondering.engine.position == here else None

    def stop_pondering(self) -> None:
        """Stops pondering; the results stay in the transposition table."""
        if self._end_pondering:
            self._end_pondering()
        self._pondering = self._end_pondering = None

    def close(self) -> None:
        self.stop_pondering()


# ── settings ─────────────────────────────────────────────────────────────────────────────────────

NUMBERS, PONDER = ("strength", "level", "threads", "memory", "milliseconds"), "ponder"
BOOLEANS = {"true": 1, "false": 0}


def configured(settings: str, seed: int | None) -> EngineBot:
    """A bot by its comma-separated settings: `strength=1400`, `level=3`, `threads=2`, `memory=64` and so on."""
    requested = _read(settings)
    if "strength" in requested and "level" in requested:
        raise GameError("An engine takes strength= or level=, not both.")
    if requested.get("level", 5) not in LEVELS or not 1 <= requested.get("threads", 1) <= MOST_THREADS:
        raise GameError(f"An engine has levels 1 to 5 and 1 to {MOST_THREADS} threads, not {shown(settings)}.")
    memory = requested.get("memory", TABLE_POSITIONS * ENTRY_BYTES // MEGABYTE)
    if not LEAST_MEMORY <= memory <= MOST_MEMORY:
        raise GameError(f"An engine's memory is {LEAST_MEMORY} to {MOST_MEMORY} megabytes, not {memory}.")
    if requested.get("milliseconds") == 0:
        raise GameError("An engine takes at least 1 millisecond for a move, not 0.")
    return EngineBot(
        requested.get("level", 5),
        seed,
        strength=requested.get("strength"),
        threads=requested.get("threads", 1),
        memory=memory * MEGABYTE,
        ponders=bool(requested.get(PONDER, 0)),
        milliseconds=requested.get("milliseconds"),
    )


def _read(settings: str) -> Mapping[str, int]:
    """Parses settings into numbers; a setting given twice is an error."""
    requested: dict[str, int] = {}
    for each in settings.split(","):
        name, _, value = (part.strip() for part in each.partition("="))
        if name == PONDER and value not in BOOLEANS:
            raise GameError(f"{PONDER} must be true or false, not {shown(value)}.")
        if name != PONDER and (name not in NUMBERS or not (value.isascii() and value.isdigit())):
            raise GameError(f"An engine's settings are {'=, '.join(NUMBERS)}= and {PONDER}=, not {shown(each)}.")
        if name in requested:
            raise GameError(f"{name} is set twice.")
        requested[name] = BOOLEANS[value] if name == PONDER else int(value[:9])
    return requested


# ── the opening swap2 ────────────────────────────────────────────────────────────────────────────

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
    if not found:  # stopped at once
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
        name, _ = book.page_of(after)
        if name not in seen:
            seen.add(name)
            yield move, after


def _with_colours(here: PentePosition, move: Move) -> PentePosition:
    """The position after a move of the opening and the choice of the first colour offered."""
    after = here.play(move)
    return after if after.stage == OVER else after.play(SIDES_OFFERED[after.stage][0])
