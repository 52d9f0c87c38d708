"""Helpers of Pentago's tests: option sets, random games beside the referee, and positions with their values."""

import json
import random
from pathlib import Path

from hypothesis import strategies as st

import pentad
from tests.cases import every_game_of
from tests.games.pentago.referee import Table

DATA = Path(__file__).parents[2] / "data" / "pentago"

# name → options of pentad.new("pentago", …) and of the referee's Table
GAMES = {
    "classic": {},
    "twist only": {"win_on_placement": False},
    "1x2 of 2": {"rows": 1, "cols": 2, "block": 2, "line": 3},
    "2x1 of 2": {"rows": 2, "cols": 1, "block": 2, "line": 3},
    "2x2 of 2": {"block": 2, "line": 4},
    "2x2 of 2, twist only": {"block": 2, "line": 3, "win_on_placement": False},
    "2x3, three play": {"rows": 2, "cols": 3, "players": 3},
    "3x3, four play": {"rows": 3, "cols": 3, "players": 4},
    "five play": {"players": 5, "line": 3},
    "six play, twist only": {"players": 6, "line": 3, "win_on_placement": False},
    "three play, twist only": {"players": 3, "line": 4, "win_on_placement": False},
    "one sub-board": {"rows": 1, "cols": 1, "line": 3},
    "one wide sub-board": {"rows": 1, "cols": 1, "block": 5, "line": 4},
    "block 1": {"rows": 3, "cols": 4, "block": 1, "line": 3},
    "block 1, three play": {"rows": 4, "cols": 4, "block": 1, "line": 3, "players": 3},
    "line 2": {"rows": 1, "cols": 1, "block": 2, "line": 2},
    "12 columns": {"rows": 1, "cols": 4, "line": 4},
    "two rows of 4": {"rows": 2, "cols": 1, "block": 4, "line": 5},
}
SMALL = ("classic", "twist only", "1x2 of 2", "2x2 of 2, twist only", "2x3, three play", "five play", "block 1")

every_game = every_game_of(GAMES)


def pair(options):
    """A new game of the package and of the referee."""
    return pentad.new("pentago", **options), Table(**options)


def played(options, moves):
    """The position after these moves, a text separated by commas."""
    position = pentad.new("pentago", **options)
    for move in moves.split(","):
        position = position.play(move.strip())
    return position


def drawn(table):
    """The referee's board in the form of position texts."""
    return "/".join("".join("." if seat is None else "bwrgyp"[seat] for seat in row) for row in table.spaces)


def random_game(options, seed):
    """A random game, as (position, table) before each turn and at the end; some of them avoid its end."""
    rng = random.Random(seed)
    position, table = pair(options)
    careful = seed % 3
    yield position, table
    while not table.over:
        turn = random_turn(table, rng, careful)
        position = position.play(turn)
        table.take(turn)
        yield position, table


def random_turn(table, rng, careful):
    """A random legal turn of the referee; retried up to `careful` times if it would end the game."""
    for _ in range(careful + 1):
        turn = rng.choice(table.empty_names())
        if not table.wins_by_placing(turn):
            turn += f" {rng.randint(1, table.rows * table.cols)}{rng.choice('CA')}"
        after = table.copy()
        after.take(turn)
        if not after.over:
            break
    return turn


@st.composite
def positions(draw, names=tuple(GAMES), middle=True):
    """Positions of random play on one of these boards; some in the middle of a turn."""
    position = pentad.new("pentago", **GAMES[draw(st.sampled_from(names))])
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, position.board.size))):
        if position.outcome:
            break
        position = position.play(position.legal_moves[rng.randrange(len(position.legal_moves))])
    if middle and not position.outcome and draw(st.booleans()):
        choices = position.choices()
        position = position.partial(choices[rng.randrange(len(choices))])
    return position


def data(name):
    """A JSON file of tests/data/pentago."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def rotated(marbles):
    """Boards with a number of marbles: black's and white's wins in all rotations, by the board's number."""
    return {
        int(name): tuple(int(each, 16) for each in wins) for name, wins in data("rotations.json")[str(marbles)].items()
    }
