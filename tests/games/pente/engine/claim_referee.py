"""Referee of claimed wins: plain Python over the rules, which plays a claim out against every legal reply.

The attacker plays the engine's move; after each reply the engine is asked again, and must win in one move fewer. The
defender tries every legal reply.

The proof does not depend on how the attacker finds a move, so the search may take any time: a limited search finds in
one order of the points what it misses in another.
"""

import random
from functools import lru_cache

from pentad.games.pente.board import brackets, points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import REFUTED_ENTRIES
from pentad.games.pente.engine.state import board_point, kernels, state_of
from pentad.kernels.buffers import zeros
from tests.games.pente.engine.random_positions import listed, winner

ATTACK_LIMIT = 200_000  # nodes of an attack
EFFORTS = (3_000, ATTACK_LIMIT)  # limits after a reply
ORDERS = 30  # orders of the points tried after a reply


class Broken(AssertionError):
    """A false claim; the message has the position and the refuting moves."""


def reorder(state, order):
    """Reorders the points of every list, as moves made and taken back do."""
    chance = random.Random(order)
    for which in range(2 * k.KINDS):
        colour, kind = divmod(which, k.KINDS)
        points = listed(state, colour, kind)
        chance.shuffle(points)
        places = k.TAKING_PLACES if kind == k.TAKING else k.PLACES
        for place, point in enumerate(points):
            state.board[k.LISTS + which * k.LIST_CAPACITY + place] = point
            state.board[places + colour * k.POINTS + point] = place


def attack(state, most, refuted, enough=ATTACK_LIMIT, selective=0):
    """An attack of the engine: its own moves, 0 if it finds no win; the first point of its line; and its nodes."""
    control = k.SearchControl()
    control.attack_limit, control.selective = enough, selective
    lists, line = zeros(k.LEVELS * k.LIST, "int32"), zeros(k.LEVELS + 4, "int32")
    moves = kernels()("attack", state.parts, lists, refuted, control, line, 0, most)
    return moves, line[0], control.attack_nodes


def claim(position, most, enough=ATTACK_LIMIT, order=0):
    """The engine's claim of a win by threats: the number of own moves and the first point; or 0, -1.

    Order 0 is the order in a new position.
    """
    state = state_of(position)
    if order:
        reorder(state, order)
    moves, point, _ = attack(state, most, zeros(REFUTED_ENTRIES, "int64"), enough)
    return moves, board_point(position.board, point) if moves else -1


def shortest_claim(position, most, enough=ATTACK_LIMIT):
    """The shortest win by threats that the engine claims, as `claim` gives it."""
    for moves in range(1, most + 1):
        found = claim(position, moves, enough)
        if found[0]:
            return found
    return 0, -1


def any_claim(position, most):
    """A win by threats within a number of moves that the engine claims in some order of the points, as from `claim`."""
    tries = (claim(position, most, enough, order) for enough in EFFORTS for order in range(ORDERS))
    return next((found for found in tries if found[0]), (0, -1))


def hints(position, attacker):
    """Points on which the attacker may win with the next stone; only for move ordering."""
    state = state_of(position)
    where = listed(state, attacker, k.A_FIVE)
    where += listed(state, attacker, k.TAKING) if state.numbers[k.CAPTURE_WIN] else []
    return [board_point(position.board, point) for point in where]


@lru_cache(maxsize=16)
def all_brackets(board, groups):
    """Every bracket that a stone could close: its point, the captured group and the other end."""
    return [
        (1 << point, group, end)
        for length in groups
        for point, closed in enumerate(brackets(board, length))
        for group, end in closed
    ]


def takers(position):
    """The points on which the colour to move captures."""
    mine, theirs, free = position.stones[position.colour], position.stones[1 - position.colour], position.points
    found = 0
    for point, group, end in all_brackets(position.board, position.rules.groups):
        if theirs & group == group and mine & end:
            found |= free & point
    return points_of(found)


def has_won(position, attacker):
    """Whether the attacker has won, or has a line that no reply can break.

    Only captures could break it, so only they are tried.
    """
    if position.outcome:
        return winner(position) == attacker
    if position.rules.poof or position.rules.five == "wins" or position.colour == attacker:
        return False
    if not position.board.has_line(position.stones[attacker], overline=position.rules.overline):
        return False
    stones = position.board.stones
    return all(winner(position.play(stones[point])) == attacker for point in takers(position))


class Referee:
    """Plays claims out, and counts claims and replies."""

    def __init__(self):
        self.claims = self.replies = self.longest = 0

    def check(self, position, most, moves=None, point=None):
        """Checks that the colour to move wins within a number of moves; the claim and its first point may be given."""
        if moves is None:
            moves, point = shortest_claim(position, most)
        if not 0 < moves <= most:
            raise Broken(f"no win within {most} any more: {position.text}")
        self.claims += 1
        self.longest = max(self.longest, moves)
        self._play_out(position, moves, point, ())

    def _play_out(self, position, moves, point, path):
        attacker, stones = position.colour, position.board.stones
        after = position.play(stones[point])
        path = (*path, str(stones[point]))
        if has_won(after, attacker):
            return
        if after.outcome:
            raise Broken(f"{' '.join(path)} does not win: {after.text}")
        first = hints(after, attacker)
        for reply in points_of(after.points):
            self.replies += 1
            there, line = after.play(stones[reply]), (*path, str(stones[reply]))
            if there.outcome:
                if winner(there) != attacker:
                    raise Broken(f"after {' '.join(line)} it is not won: {there.text}")
                continue
            if moves > 1 and any(has_won(there.play(stones[p]), attacker) for p in first if there.points >> p & 1):
                continue
            left, best = any_claim(there, moves - 1) if moves > 1 else (0, -1)
            if not left:
                raise Broken(f"after {' '.join(line)} no win within {moves - 1}: {there.text}")
            self._play_out(there, left, best, line)
