"""Proofs for puzzles, by the engine's threat search; wins in up to three are proved against every reply.

A win in two begins with a threat, so a threat search finds all of them. A win in three begins with any move after
which there is a win in two for every reply. Longer wins are by threats alone, and all of those are found too.
"""

from __future__ import annotations

from pentad.game import Move
from pentad.games import parts
from pentad.games.parts import Right
from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import LEAF_ATTACK_NODES, ROOT_ATTACK_NODES, Searcher, TranspositionTable
from pentad.games.pente.engine.state import board_point, default_weights, is_simple, move_of, state_of
from pentad.games.pente.rules import OVER, PentePosition

MAX_EXACT_MOVES = 3  # the limits count own moves
LONGEST = 8
FEW = 24  # replies that are compared if several are equally long
_TABLE = TranspositionTable(1 << 8)


class Unproved(Exception):
    """The threat search reached its limit."""


class ProofSearch:
    """A search with a position on which moves are made and unmade."""

    def __init__(self, position: PentePosition) -> None:
        weights = default_weights(position.rules)
        self.searcher = Searcher(state_of(position, weights.values), weights, _TABLE, 0, LEAF_ATTACK_NODES)
        self._hard: list[int] = []  # replies that refuted moves, the latest first

    def threat(self, most: int) -> int:
        """The length of the win by threats alone for the player to move, up to `most` moves; 0 if there is none."""
        for moves in range(1, most + 1):
            won = self.searcher.attack(1, moves, ROOT_ATTACK_NODES)
            if self.searcher.is_truncated:
                raise Unproved
            if won:
                return won
        return 0

    def wins(self, left: int, exact: bool) -> int:
        """The length of the win for the player to move, up to `left` moves; 0 if there is none."""
        won = self.threat(left)
        if won or not exact or left < MAX_EXACT_MOVES:
            return won
        return left if any(self.wins_with(point, left, exact) for point in self.searcher.points()) else 0

    def wins_with(self, point: int, left: int, exact: bool) -> bool:
        """Whether a stone at a point wins within `left` moves against every reply."""
        me = self.searcher.state.numbers[k.MOVER]
        with self.searcher.after(point) as result:
            if result != k.ONGOING or left <= 1:
                return result == k.WON
            if not (exact and left >= MAX_EXACT_MOVES) and not self.searcher.attacked(me):
                return False
            return not self.is_refuted(left - 1, exact)

    def is_refuted(self, left: int, exact: bool) -> bool:
        """Whether some reply prevents a win within `left` moves."""
        points = self.searcher.points()
        legal = set(points)
        hard = [point for point in self._hard if point in legal]
        for point in [*hard, *(point for point in points if point not in set(hard))]:
            if not self.left_after(point, left, exact):
                self._hard = [point, *(each for each in self._hard if each != point)][:12]
                return True
        return False

    def left_after(self, point: int, left: int, exact: bool) -> int:
        """The length of the opponent's win after this reply, up to `left` moves; 0 if there is none."""
        with self.searcher.after(point) as result:
            if result == k.LOST:
                return 1
            return self.wins(left, exact) if result == k.ONGOING else 0


def proved(position: PentePosition) -> int | None:
    """1 or -1 if the player to move or, after any reply, the opponent wins by threats; else None."""
    if not is_supported(position):
        return None
    search = ProofSearch(position)
    try:
        return 1 if search.threat(LONGEST) else None if search.is_refuted(LONGEST, exact=False) else -1
    except Unproved:
        return None


def is_supported(position: PentePosition) -> bool:
    """Whether the threat search knows the rules here, and the game goes on."""
    return not position.outcome and position.stage == OVER and is_simple(position.rules)


def found(position: PentePosition) -> tuple[str, int] | None:
    """The kind and the length of a position's puzzle."""
    if not is_supported(position):
        return None
    try:
        moves = ProofSearch(position).threat(LONGEST)
    except Unproved:
        return None
    return (parts.WIN if moves <= MAX_EXACT_MOVES else parts.THREATS, moves) if moves else None


def right(position: PentePosition, kind: str, left: int) -> Right:
    """The correct moves."""
    search = ProofSearch(position)
    exact = kind == parts.WIN
    wanted = [
        str(move_of(position.board, point))
        for point in search.searcher.points()
        if search.wins_with(point, left, exact)
    ]
    return Right(tuple(sorted(wanted, key=lambda move: (len(move), move))))


def reply(position: PentePosition, kind: str, left: int) -> Move:
    """The longest defence after a correct move; among equals the hardest to answer."""
    search, exact = ProofSearch(position), kind == parts.WIN
    longest = [point for point in search.searcher.points() if search.left_after(point, left, exact) == left]
    size = position.board.size
    own = [divmod(each, size) for each in points_of(position.stones[1 - position.colour])]

    def distance(point: int) -> tuple[int, int]:
        row, column = divmod(board_point(position.board, point), size)
        return min(max(abs(row - other), abs(column - another)) for other, another in own), point

    nearest = sorted(longest, key=distance)[:FEW]

    def ease(point: int) -> tuple[int, tuple[int, int]]:
        return len(right(position.play(move_of(position.board, point)), kind, left).moves), distance(point)

    return move_of(position.board, min(nearest, key=ease))
