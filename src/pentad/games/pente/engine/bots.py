"""Engine bots for Pente, on all rungs of the ladder and at any strength between them."""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from pentad.game import GameError, Move, Position, shown
from pentad.games.pente.engine import swap2
from pentad.games.pente.engine.analysis import report_of
from pentad.games.pente.engine.constants import CLEARER, COMPARED_MOVES
from pentad.games.pente.engine.search import (
    DEEPEST,
    ENTRY_BYTES,
    FEW_ENTRIES,
    LEAF_ATTACK_NODES,
    TABLE_ENTRIES,
    Pondering,
    RootMove,
    RootSearch,
    TranspositionTable,
)
from pentad.games.pente.engine.state import kernels
from pentad.games.pente.engine.styles import STYLES
from pentad.games.pente.rules import OVER, PentePosition
from pentad.search.bot import EngineBot, rated_levels
from pentad.search.exact import WIN, claim_of
from pentad.search.levels import HIGHEST, STEP, Level, ladder, of_rating
from pentad.search.move_limit import Limit
from pentad.search.report import Report, Result

MOST_THREADS = 64
MEGABYTE = 1 << 20
MIN_MEGABYTES, MAX_MEGABYTES = 1, 1024


LEVELS = ladder(
    Level(nodes=20, noise=860, oversight=0.61),
    Level(nodes=20, noise=800, oversight=0.43),
    Level(nodes=50, noise=700, oversight=0.265, effort=2),
    Level(nodes=110, noise=600, oversight=0.11, effort=2),
    Level(nodes=150, noise=255, oversight=0.082, effort=2),
    Level(nodes=800, noise=160, oversight=0.073, effort=4),
    Level(nodes=2_000, noise=90, oversight=0.063, effort=5, book=True),
    Level(nodes=2_000, noise=25, oversight=0.019, effort=10, book=True),
    Level(effort=LEAF_ATTACK_NODES, book=True),
)
GAME, NAME = "pente", "engine"
NEVER = -8.0  # a standard normal random number is hardly ever below it


def bound_of(level: Level) -> float:
    """The bound below which the attention overlooks the opponent's line, at a level."""
    low, high = NEVER, -NEVER
    for _ in range(60):  # so many halvings reach the precision of floats
        middle = (low + high) / 2
        low, high = (middle, high) if 1 + math.erf(middle / math.sqrt(2)) < 2 * level.oversight else (low, middle)
    return low


class PenteBot(EngineBot):
    """Searches at a level; the highest uses all of its time, by default a second.

    `memory` is the size of the transposition table in bytes, by default enough for the level; `style` is one of
    `styles.STYLES`. With `ponders` it also searches during the opponent's turn, from its move until the next `play` or
    `close`; only a level without a limit of nodes does so.
    """

    levels = LEVELS
    _search: RootSearch | None

    def __init__(
        self,
        level: float = 5,
        seed: int | None = None,
        *,
        threads: int = 1,
        memory: int | None = None,
        ponders: bool = False,
        milliseconds: int | None = None,
        style: str | None = None,
    ) -> None:
        super().__init__(level, seed)
        self.style = style
        if style:
            self.name = f"{style}{self.name.removeprefix(self.kind)}"
        kernels()  # compiled the first time on a machine, before a clock starts
        self.threads, self.ponders = threads, ponders
        entries = TABLE_ENTRIES if level > HIGHEST - STEP else FEW_ENTRIES
        self.memory = entries * ENTRY_BYTES if memory is None else memory
        self.own_seconds = None if milliseconds is None else milliseconds / 1000
        self._table: TranspositionTable | None = None
        self.pondering: Pondering | None = None
        self._end_pondering: weakref.finalize[..., PenteBot] | None = None

    def _searched(self, here: PentePosition, limit: Limit) -> Result:
        if self.own_seconds is not None:
            limit = replace(limit, seconds=self.own_seconds, most_seconds=None)
        if here.stage != OVER:
            self.stop_pondering()
            if self.level.book and (known := swap2.known_opening(here, self.random)):
                return Result(known, note="by the book")
            move = swap2.choose_opening(here, self.random, self._scored, limit.seconds, lambda: self._is_stopped)
            self._search = None  # the searches were of other positions
            return Result(move)
        if self.level.nodes is None:
            limit = replace(limit, seconds=limit.time)
        lines = COMPARED_MOVES if self.level.noise or self.style else 1
        engine = self._deepened_search(here, limit, lines, self.level.nodes, self._deepened)
        note = claim_of(WIN, engine.wins_in) if engine.wins_in else ""
        longest = max(engine.depth, 2 * (engine.wins_in or 1) - 1)  # beyond the depth a line means little
        return Result.of(self._choice(engine).move, self._last_report(longest), note)

    def _moved(self, position: Position, move: Move) -> None:
        here = cast(PentePosition, position)
        if self.ponders and self.level.nodes is None and here.stage == OVER:
            self._ponder(here.play(move))

    def _deepened_search(
        self,
        here: PentePosition,
        limit: Limit,
        lines: int,
        nodes: int | None,
        on_depth: Callable[[], None] | None = None,
    ) -> RootSearch:
        """A search of a position within the seconds of a limit."""
        began = time.monotonic()  # includes reading the weights, when a rule set is first played
        times = (0.0, 0.0) if self._is_stopped else (limit.seconds, limit.most_seconds)
        self._search = self._pondered(here) or self._new_engine(here)
        self._search.deepen(1, lines=lines, nodes=nodes, on_depth=on_depth)
        if not self._search.forced:
            spent, deepest = time.monotonic() - began, self.level.depth or DEEPEST
            left, most = (None if each is None else max(each - spent, 0.0) for each in times)
            self._search.deepen(deepest, left, lines, nodes, on_depth, most)
        return self._search

    def _new_engine(self, here: PentePosition) -> RootSearch:
        entries = self.memory // ENTRY_BYTES
        if self._table is None or self._table.positions != entries:
            self._table = TranspositionTable(entries)
        engine = RootSearch(here, table=self._table, threads=self.threads, effort=self.level.effort)
        if self.level.oversight:
            engine.overlook(bound_of(self.level), [self.random.gauss() for _ in CLEARER])
        return engine

    def _choice(self, engine: RootSearch) -> RootMove:
        """The best root move; with noise or a style, the best of the leading moves by scores with noise and points."""
        if not self.level.noise and not self.style:
            return engine.best
        style = STYLES[self.style] if self.style else None

        def points(move: Move) -> float:
            return style.points(*engine.makes(move)) if style else 0

        return engine.picked(COMPARED_MOVES, self.level.noise, self.random.gauss, points)

    def _scored(self, position: PentePosition, nodes: int, seconds: float | None) -> int:
        """The score of a position for the player to move, by a search."""
        limit = Limit(seconds=None if seconds is None else max(seconds, 0.0))  # its time may be over
        return self._deepened_search(position, limit, 1, nodes).best.score

    def _report(self, longest: int) -> Report | None:
        return report_of(self._search, 1, 0.0, longest) if self._search else None

    # ── pondering ────────────────────────────────────────────────────────────────────────────────

    def _ponder(self, after: PentePosition) -> None:
        """Starts to ponder on the position after the bot's move."""
        self.stop_pondering()
        if after.outcome:
            return
        self.pondering = (self._search or self._new_engine(after)).ponder(after)
        self._end_pondering = weakref.finalize(self, self.pondering.stop)  # when the bot is garbage collected

    def _pondered(self, here: PentePosition) -> RootSearch | None:
        """The pondering search of this position; None if the opponent played another move."""
        pondering = self.pondering
        self.stop_pondering()
        return pondering.engine if pondering and pondering.expected and pondering.engine.position == here else None

    def stop_pondering(self) -> None:
        """Stops pondering; the results stay in the transposition table."""
        if self._end_pondering:
            self._end_pondering()
        self.pondering = self._end_pondering = None

    def close(self) -> None:
        self.stop_pondering()


# ── settings ─────────────────────────────────────────────────────────────────────────────────────

NUMBERS, PONDER = ("strength", "level", "threads", "memory", "milliseconds"), "ponder"
BOOLEANS = {"true": 1, "false": 0}


def configured(settings: str, seed: int | None) -> PenteBot:
    """A bot by its comma-separated settings: `strength=1400`, `level=3`, `threads=2`, `memory=64` and so on."""
    requested = _read(settings)
    if "strength" in requested and "level" in requested:
        raise GameError("An engine takes strength= or level=, not both.")
    if requested.get("level", 5) not in LEVELS or not 1 <= requested.get("threads", 1) <= MOST_THREADS:
        raise GameError(
            "An engine has levels 1 to 5 and 1 to {most_threads} threads, not {settings}.",
            most_threads=MOST_THREADS,
            settings=shown(settings),
        )
    memory = requested.get("memory")
    if memory is not None and not MIN_MEGABYTES <= memory <= MAX_MEGABYTES:
        raise GameError(
            "An engine's memory is {least_memory} to {most_memory} megabytes, not {memory}.",
            least_memory=MIN_MEGABYTES,
            most_memory=MAX_MEGABYTES,
            memory=memory,
        )
    if requested.get("milliseconds") == 0:
        raise GameError("An engine takes at least 1 millisecond for a move, not 0.")
    rated = "strength" in requested
    return PenteBot(
        of_rating(requested["strength"], rated_levels(GAME, NAME)) if rated else requested.get("level", 5),
        seed,
        threads=requested.get("threads", 1),
        memory=None if memory is None else memory * MEGABYTE,
        ponders=bool(requested.get(PONDER, 0)),
        milliseconds=requested.get("milliseconds"),
    )


def _read(settings: str) -> Mapping[str, int]:
    """Parses settings into numbers; a setting given twice is an error."""
    requested: dict[str, int] = {}
    for each in settings.split(","):
        name, _, value = (part.strip() for part in each.partition("="))
        if name == PONDER and value not in BOOLEANS:
            raise GameError("{ponder} must be true or false, not {value}.", ponder=PONDER, value=shown(value))
        if name != PONDER and (name not in NUMBERS or not (value.isascii() and value.isdigit())):
            raise GameError(
                "An engine's settings are {numbers}= and {ponder}=, not {name}.",
                numbers="=, ".join(NUMBERS),
                ponder=PONDER,
                name=shown(each),
            )
        if name in requested:
            raise GameError("{name} is set twice.", name=name)
        requested[name] = BOOLEANS[value] if name == PONDER else int(value[:9])
    return requested
