"""Shared functions of the engine's tests: random options, random games near the stones, and wins by the rules."""

import random

import pentad
from pentad.game import GameError
from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.state import board_point, state_of
from pentad.games.pente.rulesets import FIVES, RULE_SETS

OPENINGS = ("free", "centre", "tournament", "pro")
SWITCHES = {
    "captures": (0, 2, 3),
    "overline": (True, False),
    "five": tuple(FIVES),
    "poof": (True, False),
    "double_three": (True, False),
    "blocked_tie": (True, False),
}
MOST_MOVES = 600  # moves that a state can take back


def new(**options):
    return pentad.new("pente", **options)


def options_by_chance(chance):
    """Random valid options, mostly of small boards, where more happens."""
    while True:
        size = chance.choice((3, 4, 5, 6, 7, 7, 8, 9, 9, 11, 13, 19, 25, chance.randrange(3, 26)))
        line = 5 if chance.random() < 0.5 else chance.randrange(2, 8 if chance.random() < 0.8 else 26)
        options = {"rules": chance.choice(tuple(RULE_SETS)), "size": size, "line": line}
        options["opening"] = chance.choice(OPENINGS) if chance.random() < 0.3 else "free"
        for name, values in SWITCHES.items():
            if chance.random() < 0.3:
                options[name] = chance.choice(values)
        if chance.random() < 0.4:
            options["capture_win"] = chance.choice((0, 1, 2, 4, 6, 7, 15, 40))
        try:
            new(**options)
        except GameError:
            continue
        return options


def near(position):
    """The points at most two away from a stone."""
    size, stones = position.board.size, position.stones[0] | position.stones[1]
    found = 0
    for point in points_of(stones):
        row, column = divmod(point, size)
        low, high = max(0, column - 2), min(size - 1, column + 2)
        width = (1 << high - low + 1) - 1
        for each in range(max(0, row - 2), min(size - 1, row + 2) + 1):
            found |= width << each * size + low
    return found


def some_point(position, chance, state=None):
    """A random legal point, mostly near the stones; with a state often one in a list of threats."""
    points = position.points
    if state is not None and chance.random() < 0.5:
        busy = sum(1 << point for point in busy_points(position, state)) & points
        points = busy or points
    elif chance.random() < 0.85:
        points = near(position) & points or points
    return chance.choice(tuple(points_of(points)))


def busy_points(position, state):
    """The empty points that are in some list of threats, of either colour."""
    found = set()
    for which in range(2 * k.KINDS):
        found.update(listed(state, which // k.KINDS, which % k.KINDS))
    return {board_point(position.board, point) for point in found}


def listed(state, colour, kind):
    """The points of a list, by the kernels' numbers."""
    which = colour * k.KINDS + kind
    first = k.LISTS + which * k.LIST_CAPACITY
    return state.board[first : first + state.numbers[k.COUNTS + which]].tolist()


def random_positions(options, seed, games=1, most=200):
    """The positions of random games that are not over."""
    chance = random.Random(seed)
    for _ in range(games):
        position = new(**options)
        for _ in range(most):
            if position.outcome or not position.points:
                break
            yield position
            state = state_of(position)
            position = position.play(position.board.stones[some_point(position, chance, state)])


def winner(position):
    """The colour that has won, or None."""
    outcome = position.outcome
    return position.seat_of(outcome.winners[0]) if outcome and outcome.winners else None


def winning_points(position):
    """The points on which the colour to move wins at once, by trying all that are legal."""
    me = position.colour
    return [p for p in points_of(position.points) if winner(position.play(position.board.stones[p])) == me]
