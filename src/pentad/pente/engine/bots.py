"""The bots that search, at five levels or any strength between them."""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from pentad.game import GameError, IllegalMove, Move, Position, shown
from pentad.pente.engine import book
from pentad.pente.engine.engine import EFFORT, MEMORY, REMEMBERED, Engine, Memory, Pondering, Root
from pentad.pente.engine.search_kernels import WON_FROM
from pentad.pente.engine.swap2 import choose_opening
from pentad.pente.opening import OVER
from pentad.pente.rules import PentePosition
from pentad.search.bot import Bot

USUAL_SECONDS = 1.0
AMONG = 6  # moves that are compared where scores seem to be something else than they are
MOST_THREADS = 64
MEGABYTE = 1 << 20
LEAST_MEMORY, MOST_MEMORY = 1, 1024  # megabytes


@dataclass(frozen=True, slots=True)
class Level:
    """How much a bot looks at, by how much a score may seem something else to it, and what it overlooks."""

    elo: int  # measured: docs/pente-engine.md
    nodes: int | None  # positions; None for as many as there is time for
    noise: float = 0.0
    careless: float = 0.0  # how often it plays what first comes to mind
    effort: int = EFFORT  # positions that an attack looks at where the search ends
    book: bool = False  # whether it has read the opening book


LEVELS = {
    1: Level(800, nodes=100, noise=70, careless=0.25, effort=0),
    2: Level(1230, nodes=1_000, noise=15, careless=0.03, effort=0),
    3: Level(1570, nodes=2_000, noise=12, effort=5),
    4: Level(1920, nodes=6_000, book=True),
    5: Level(2280, nodes=None, book=True),
}


def of_strength(elo: int) -> Level:
    """What lies between two levels, by their ratings."""
    if not LEVELS[1].elo <= elo <= LEVELS[5].elo:
        raise GameError(f"strength is a rating from {LEVELS[1].elo} to {LEVELS[5].elo}, not {elo}")
    for low, high in pairwise(LEVELS.values()):
        if elo < high.elo:
            part = (elo - low.elo) / (high.elo - low.elo)
            most = high.nodes or 40 * (low.nodes or 1)
            return Level(
                elo,
                round(math.exp((1 - part) * math.log(low.nodes or 1) + part * math.log(most))),
                (1 - part) * low.noise + part * high.noise,
                (1 - part) * low.careless + part * high.careless,
                round((1 - part) * low.effort + part * high.effort),
                low.book,
            )
    return LEVELS[5]


class EngineBot(Bot):
    """Searches at a level; the highest uses all the time it is given, a second where nobody says.

    `memory` is how many bytes it may use to remember positions, and `ponders` whether it goes on thinking while the
    other does: from its move until it is asked for the next, or closed. Only a level that uses all its time gains.
    """

    def __init__(
        self,
        level: int = 5,
        seed: int | None = None,
        *,
        strength: int | None = None,
        threads: int = 1,
        memory: int = MEMORY * REMEMBERED,
        ponders: bool = False,
        milliseconds: int | None = None,
    ) -> None:
        super().__init__(seed)
        self.name = f"engine-{level}" if strength is None else f"engine:strength={strength}"
        self.level = LEVELS[level] if strength is None else of_strength(strength)
        self.threads, self.memory, self.ponders = threads, memory, ponders
        self.own_seconds = None if milliseconds is None else milliseconds / 1000
        self.sure = False  # whether the last move wins for certain
        self.note = ""  # what the bot says about its last move
        self._remembered: Memory | None = None
        self._engine: Engine | None = None
        self._pondering: Pondering | None = None
        self._end_pondering: Callable[[], object] = _nothing

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("the game is over, there is no move to choose")
        self.sure, self.note = False, ""
        seconds = seconds if self.own_seconds is None else self.own_seconds
        if here.stage != OVER:
            self.stop_pondering()
            return choose_opening(here, self.random, self._scored, seconds)
        move = self._chosen(here, seconds)
        if self.ponders and self.level.nodes is None:
            self._ponder(here.play(move))
        return move

    def _chosen(self, here: PentePosition, seconds: float | None) -> Move:
        if self.level.book and (known := book.choose(here, self.random)) is not None:
            self.note, self._engine = "by the book", None
            return Move((here.board.stones[known],))
        if self.random.random() < self.level.careless:
            return self.random.choice(self._looked(here, None, 3 * AMONG, nodes=1).leading(3 * AMONG)).move
        if seconds is None and self.level.nodes is None:
            seconds = USUAL_SECONDS
        engine = self._looked(here, seconds, AMONG if self.level.noise else 1, self.level.nodes)
        if engine.wins_in:
            self.sure, self.note = True, f"wins in {engine.wins_in}"
        return self._choice(engine).move

    def _looked(self, here: PentePosition, seconds: float | None, lines: int, nodes: int | None) -> Engine:
        began = time.monotonic()  # the weights of a rule set are read when it is first played, which takes a while
        self._engine = self._thought_of(here) or self._new_engine(here)
        self._engine.deepen(1, lines=lines, nodes=nodes)
        if not self._engine.forced:
            left = None if seconds is None else max(seconds - (time.monotonic() - began), 0.0)
            self._engine.deepen(seconds=left, lines=lines, nodes=nodes)
        return self._engine

    def _new_engine(self, here: PentePosition) -> Engine:
        positions = max(self.memory // REMEMBERED, 1)
        if self._remembered is None or self._remembered.positions != positions:
            self._remembered = Memory(positions)
        return Engine(here, memory=self._remembered, threads=self.threads, effort=self.level.effort)

    def _choice(self, engine: Engine) -> Root:
        """The best of the moves, as it seems."""
        roots = engine.leading(AMONG if self.level.noise else 1)
        if not self.level.noise or roots[0].score > WON_FROM:
            return roots[0]
        return max(roots, key=lambda root: root.score + self.random.gauss(0, self.level.noise))

    def _scored(self, position: PentePosition, nodes: int, seconds: float | None) -> int:
        """What a position seems worth to the one to move."""
        return self._looked(position, seconds, 1, nodes).best.score

    def stop(self) -> None:
        """End the search; what was found is played."""
        if self._engine:
            self._engine.stop()

    # ── on the other's time ──────────────────────────────────────────────────────────────────────

    def _ponder(self, after: PentePosition) -> None:
        """Go on thinking where the move has led to."""
        self.stop_pondering()
        if after.outcome:
            return
        self._pondering = (self._engine or self._new_engine(after)).ponder(after)
        self._end_pondering = weakref.finalize(self, self._pondering.stop)  # when nobody has the bot any more

    def _thought_of(self, here: PentePosition) -> Engine | None:
        """The search that came to this position while the other thought; None where he plays something else."""
        pondering = self._pondering
        self.stop_pondering()
        same = pondering is not None and pondering.engine.position == here
        return pondering.hit(pondering.expected) if same and pondering and pondering.expected else None

    def stop_pondering(self) -> None:
        """End what goes on while the other thinks; what was found is remembered."""
        self._end_pondering()
        self._pondering, self._end_pondering = None, _nothing

    def close(self) -> None:
        self.stop_pondering()


def _nothing() -> None:
    """There is nothing to end."""


# ── settings ─────────────────────────────────────────────────────────────────────────────────────

NUMBERS, PONDER = ("strength", "level", "threads", "memory", "milliseconds"), "ponder"
TRUTHS = {"true": 1, "false": 0}


def configured(settings: str, seed: int | None) -> EngineBot:
    """A bot by its settings: `strength=1400`, `level=3`, `threads=2`, `memory=64`, several with commas between."""
    asked = _read(settings)
    if "strength" in asked and "level" in asked:
        raise GameError("an engine has a strength or a level, not both")
    if asked.get("level", 5) not in LEVELS or not 1 <= asked.get("threads", 1) <= MOST_THREADS:
        raise GameError(f"an engine has levels 1 to 5 and from 1 to {MOST_THREADS} threads, not {shown(settings)}")
    memory = asked.get("memory", MEMORY * REMEMBERED // MEGABYTE)
    if not LEAST_MEMORY <= memory <= MOST_MEMORY:
        raise GameError(f"an engine's memory is from {LEAST_MEMORY} to {MOST_MEMORY} megabytes, not {memory}")
    if asked.get("milliseconds") == 0:
        raise GameError("an engine takes at least 1 millisecond for a move, not 0")
    return EngineBot(
        asked.get("level", 5),
        seed,
        strength=asked.get("strength"),
        threads=asked.get("threads", 1),
        memory=memory * MEGABYTE,
        ponders=bool(asked.get(PONDER, 0)),
        milliseconds=asked.get("milliseconds"),
    )


def _read(settings: str) -> Mapping[str, int]:
    """The settings as numbers, each of which is there once."""
    asked: dict[str, int] = {}
    for each in settings.split(","):
        name, _, told = (part.strip() for part in each.partition("="))
        if name == PONDER and told not in TRUTHS:
            raise GameError(f"{PONDER} is true or false, not {shown(told)}")
        if name != PONDER and (name not in NUMBERS or not (told.isascii() and told.isdigit())):
            raise GameError(f"an engine is set by {'=, '.join(NUMBERS)}= and {PONDER}=, not by {shown(each)}")
        if name in asked:
            raise GameError(f"{name} is set twice")
        asked[name] = TRUTHS[told] if name == PONDER else int(told[:9])
    return asked
