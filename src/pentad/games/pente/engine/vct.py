"""Wins by threes and fours, and the tree that proves the last one found."""

from __future__ import annotations

from typing import NamedTuple

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.state import EngineState, kernels
from pentad.games.pente.rulesets import RuleSet
from pentad.kernels.buffers import flat, zeros
from pentad.kernels.types import Rows

TREE_NODES = 1 << 16


class ThreatWin(NamedTuple):
    """A proved win: its first point, and the own moves that it takes at most against any defence."""

    point: int
    moves: int


class WinTree:
    """The tree of threats and replies of the last win, so that a game's later searches know how it goes on."""

    def __init__(self) -> None:
        self._size, self._place = 0, 0
        self._rules: RuleSet | None = None

    def find(self, rules: RuleSet, state: EngineState, search: k.SearchArrays, nodes: int) -> ThreatWin | None:
        """A win of the player to move, known or found by attacks of so many nodes in all."""
        if self._rules is None:
            self._nodes, self._keys = zeros(TREE_NODES * k.NODE, Rows[k.Codes]), zeros(TREE_NODES, k.Words)
            self._places, self._zone = zeros(TREE_NODES, k.Codes), zeros(k.LIST, k.Codes)
        own = self._nodes, self._keys, self._places, self._zone
        tree = k.ThreatTree(state.parts, search.lists, search.refuted, search.pv, search.control, *own)
        call = kernels()
        self._place = call("find_known", tree, self._size if rules == self._rules else 0)
        self._rules = rules
        if self._place < 0:
            self._size, self._place = call("solve", tree, nodes, k.EACH_ATTACK_NODES), 0
        if not self._size:
            return None
        return ThreatWin(self._part(self._threat(self._place), k.MOVE), self._part(self._place, k.LASTS))

    def line(self) -> list[int]:
        """The first points of the win against the reply that lasts longest each time, until an attack by fours wins."""
        points, place = [], self._place
        while True:
            threat = self._threat(place)
            points.append(self._part(threat, k.MOVE))
            reply, place = self._part(threat, k.SLOWEST), max(self._children(threat), key=self._moves, default=-1)
            if place < 0 or (reply >= 0 and self._moves(place) < self._moves(threat)):
                return [*points, reply]
            points.append(self._part(place, k.MOVE))

    def _part(self, place: int, part: int) -> int:
        return int(flat(self._nodes)[place * k.NODE + part])

    def _moves(self, place: int) -> int:
        return self._part(place, k.LASTS)

    def _children(self, place: int) -> range:
        first = self._part(place, k.FIRST)
        return range(first, first + self._part(place, k.CHILDREN))

    def _threat(self, place: int) -> int:
        """The threat that wins soonest."""
        proved = [each for each in self._children(place) if self._part(each, k.PROOF) == 0]
        return min(proved, key=self._moves)
