"""The bots that search, at five levels or any strength between them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from pentad.game import GameError, IllegalMove, Move, Position, shown
from pentad.pente.engine import book
from pentad.pente.engine.engine import EFFORT, Engine, Memory, Root
from pentad.pente.engine.search_kernels import WON_FROM
from pentad.pente.notation import MORE
from pentad.pente.opening import OVER, SIDES_OFFERED
from pentad.pente.rules import PentePosition
from pentad.search.bot import Bot

USUAL_SECONDS = 1.0
AMONG = 6  # moves that are compared where scores seem to be something else than they are
MOST_THREADS = 64


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
    2: Level(1400, nodes=1_000, noise=15, careless=0.03, effort=0),
    3: Level(1750, nodes=2_000, noise=12, effort=5),
    4: Level(2150, nodes=6_000, book=True),
    5: Level(2450, nodes=None, book=True),
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
    """Searches at a level; the highest uses all the time it is given, a second where nobody says."""

    def __init__(self, level: int = 5, seed: int | None = None, *, strength: int | None = None, threads: int = 1):
        super().__init__(seed)
        self.name = f"engine-{level}" if strength is None else f"engine:strength={strength}"
        self.level = LEVELS[level] if strength is None else of_strength(strength)
        self.threads = threads
        self.sure = False  # whether the last move wins for certain
        self.note = ""  # what the bot says about its last move
        self._memory: Memory | None = None
        self._engine: Engine | None = None

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("the game is over, there is no move to choose")
        self.sure, self.note = False, ""
        if here.stage != OVER:
            return self._opening(here, seconds)
        if self.level.book and (known := book.choose(here, self.random)) is not None:
            self.note = "by the book"
            return Move((here.board.stones[known],))
        if self.random.random() < self.level.careless:
            return self.random.choice(self._looked(here, None, 3 * AMONG, nodes=1).roots[: 3 * AMONG]).move
        if seconds is None and self.level.nodes is None:
            seconds = USUAL_SECONDS
        engine = self._looked(here, seconds, AMONG if self.level.noise else 1, self.level.nodes)
        if engine.wins_in:
            self.sure, self.note = True, f"wins in {engine.wins_in}"
        return self._choice(engine.roots).move

    def _looked(self, here: PentePosition, seconds: float | None, lines: int, nodes: int | None) -> Engine:
        if self._memory is None:
            self._memory = Memory()
        self._engine = Engine(here, memory=self._memory, threads=self.threads, effort=self.level.effort)
        self._engine.deepen(1, lines=lines, nodes=nodes)
        if not self._engine.forced:
            self._engine.deepen(seconds=seconds, lines=lines, nodes=nodes)
        return self._engine

    def _choice(self, roots: list[Root]) -> Root:
        """The best of the moves, as it seems."""
        if not self.level.noise or roots[0].score > WON_FROM:
            return roots[0]
        return max(roots[:AMONG], key=lambda root: root.score + self.random.gauss(0, self.level.noise))

    # ── before the colours are known ─────────────────────────────────────────────────────────────

    def _opening(self, here: PentePosition, seconds: float | None) -> Move:
        """The opening swap2: stones that leave the game even, and the better colour."""
        until = None if seconds is None else time.monotonic() + seconds
        sides = [side for side in SIDES_OFFERED.get(here.stage, ()) if side != MORE]
        if sides:
            moves = [Move((side,)) for side in sides]
            return max(moves, key=lambda move: self._worth(here, move, until))
        moves = [here.legal_moves[self.random.randrange(len(here.legal_moves))] for _ in range(24)]
        return min(moves, key=lambda move: abs(self._worth(here, move, until)))

    def _worth(self, here: PentePosition, move: Move, until: float | None) -> int:
        """What a move of the opening is worth to whoever makes it, by a short search."""
        after = here.play(move)
        chosen = after if after.stage == OVER else after.play(SIDES_OFFERED[after.stage][0])
        left = None if until is None else max(until - time.monotonic(), 0.01) / 4
        score = self._looked(chosen, left, 1, nodes=2_000).best.score
        return score if chosen.turn == here.turn else -score

    def stop(self) -> None:
        """End the search; what was found is played."""
        if self._engine:
            self._engine.stop()


def configured(settings: str, seed: int | None) -> EngineBot:
    """A bot by its settings: `strength=1400`, `level=3`, `threads=2`, several with commas between."""
    asked: dict[str, int] = {}
    for each in settings.split(","):
        name, _, number = (part.strip() for part in each.partition("="))
        if name not in ("strength", "level", "threads") or not (number.isascii() and number.isdigit()):
            raise GameError(f"an engine is set by strength=, level= and threads=, not by {shown(each)}")
        if name in asked:
            raise GameError(f"{name} is set twice")
        asked[name] = int(number[:9])
    if "strength" in asked and "level" in asked:
        raise GameError("an engine has a strength or a level, not both")
    if asked.get("level", 5) not in LEVELS or not 1 <= asked.get("threads", 1) <= MOST_THREADS:
        raise GameError(f"an engine has levels 1 to 5 and from 1 to {MOST_THREADS} threads, not {shown(settings)}")
    return EngineBot(asked.get("level", 5), seed, strength=asked.get("strength"), threads=asked.get("threads", 1))
