"""Search bots: the engine with five levels, and the perfect bot."""

from __future__ import annotations

import time
from dataclasses import replace

from pentad.game import Move
from pentad.games.pentago.engine.analysis import report_of, with_end
from pentad.games.pentago.engine.constants import PROVED
from pentad.games.pentago.engine.search import DEEPEST, SLOTS, RootMove, RootSearch, table_of
from pentad.games.pentago.engine.state import is_supported, net
from pentad.games.pentago.memory import SURE_FROM
from pentad.games.pentago.playouts.tree_bot import PlayoutBot
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.retrograde import CannotSolve
from pentad.games.pentago.solver.search import Solution
from pentad.kernels.types import Int64s, Rows
from pentad.search.bot import EngineBot
from pentad.search.exact import exact_value, in_moves
from pentad.search.levels import Level, ladder
from pentad.search.move_limit import DEFAULT_SECONDS, Limit
from pentad.search.report import Report, Result
from pentad.system.words import count

SHARE = 0.6  # the share of the time for exact values
PROVED_NOTES = {1: "a win", 0: "a draw", -1: "a loss"}
UNSURE = "not sure"
SOLVER_BYTES_OF_LEVEL, SOLVER_BYTES_OF_PERFECT = 1 << 30, 6 << 30


LEVELS = ladder(
    Level(depth=1, noise=8000, among=120),
    Level(depth=1, noise=2500, among=60),
    Level(depth=1, noise=1200, among=16),
    Level(depth=2, noise=1800, among=24),
    Level(depth=2, noise=700, among=12),
    Level(depth=2, noise=200, among=8),
    Level(depth=3, noise=200, among=8, slots=1 << 16, book=True),
    Level(depth=4, slots=1 << 16, book=True),
    Level(slots=SLOTS, book=True, exact=True),
)


class PentagoBot(EngineBot):
    """Searches at a level; the highest uses the solver and all of its time, one second by default.

    On boards other than the classic one for two, a tree bot of the same level plays.
    """

    levels = LEVELS
    memory = SOLVER_BYTES_OF_LEVEL
    limited_by = frozenset({"depth"})
    _exact_found: Solution | None = None
    _table: Rows[Int64s] | None = None  # the highest level keeps it from move to move
    _last: PentagoPosition | None = None  # the position of the last move

    def _searched(self, here: PentagoPosition, limit: Limit) -> Result:
        if not is_supported(here):
            tree = PlayoutBot(self.number, self.random.getrandbits(60))
            self._search = tree
            return tree.play(here, limit, listener=self._listener)
        seconds = limit.time if self.level.exact else limit.seconds
        began = time.monotonic()
        highest = self.level.exact
        table = self._table_for(here) if highest else None
        search = RootSearch(here, net(), self.level.slots, selective=highest, table=table)
        self._search = search
        self._exact_found = None
        search.deepen(1, on_depth=self._deepened)
        if highest and not search.decided and (exact := self._exact(here, seconds)):
            self._exact_found = exact
            search.only(exact.best)
            if exact.value and len(exact.best) < len(exact.moves):  # they are equally good
                return self._result(exact.best[self.random.randrange(len(exact.best))], exact.value, exact.turns)
        left = None if seconds is None else max(seconds - (time.monotonic() - began), 0.01)
        search.deepen(self.level.depth or DEEPEST, left, self.level.among, self._deepened)
        root = self._choice(search)
        if self._exact_found:
            return self._result(root.move, self._exact_found.value, self._exact_found.turns)
        score = search.best.score
        return self._result(root.move, (score > 0) - (score < 0) if abs(score) > PROVED else None)

    def _result(self, move: Move, value: int | None, turns: int | None = None) -> Result:
        """The result of the search; its note says what is proved."""
        note = "" if value is None else PROVED_NOTES[value]
        if note and turns:
            note = f"{note} in {count(in_moves(turns), 'move')}"
        return Result.of(move, self._last_report(), note)

    def _table_for(self, here: PentagoPosition) -> Rows[Int64s]:
        """The transposition table of the last move, or an empty one at another game's position."""
        last = self._last
        if self._table is None or last is None or last.setup != here.setup or here.ply <= last.ply:
            self._table = table_of(self.level.slots)
        self._last = here
        return self._table

    def _exact(self, here: PentagoPosition, seconds: float | None) -> Solution | None:
        """Exact values, if the solver is sure to find them quickly."""
        return self._solution(here, None) if here.ply >= SURE_FROM else None

    def _solution(self, here: PentagoPosition, seconds: float | None) -> Solution | None:
        """The values of all moves, with distances to the end if found quickly; None if they are not known."""
        limit = None if here.ply >= SURE_FROM else seconds
        found = exact_value(  # the book was asked before, if it may be
            here, moves=True, seconds=limit, book=False, memory=self.memory, progress=self._check_stop
        )
        return with_end(found, self.memory, self._check_stop) if found and not found.unknown else None

    def _check_stop(self, *_: int) -> None:
        """Ends the solver's work after `stop`."""
        if self._is_stopped:
            raise CannotSolve("The search was stopped.")

    def _report(self, longest: int) -> Report | None:
        search = self._search
        return report_of(search, 1, 0.0, self._exact_found, longest) if isinstance(search, RootSearch) else None

    def _choice(self, search: RootSearch) -> RootMove:
        """The best move, by noisy scores."""
        if not self.level.noise:
            return search.best
        among = min(self.level.among, search.control.roots)
        return search.picked(among, self.level.noise, [self.random.gauss() for _ in range(among)])


class PerfectBot(PentagoBot):
    """The highest level, exact if slices or the solver find values within the time and memory."""

    kind = "perfect"
    needs_proof = True
    memory = SOLVER_BYTES_OF_PERFECT

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(5, seed)
        self.name = self.kind

    def _searched(self, here: PentagoPosition, limit: Limit) -> Result:
        found = super()._searched(here, limit)
        return found if found.exact else replace(found, note=UNSURE)

    def _exact(self, here: PentagoPosition, seconds: float | None) -> Solution | None:
        return self._solution(here, (DEFAULT_SECONDS if seconds is None else seconds) * SHARE)
