"""Positions to solve: random ones of all shapes, and hard ones without a forced result within four plies."""

import random
from dataclasses import replace
from functools import partial

import pentad
from pentad.games.pentago import from_number
from pentad.games.pentago.rules import PentagoPosition, position
from tests.games.pentago.solver.forward_solver import Forward

# name → options of boards, and the empty spaces from which exhaustive search is fast
SMALL = {
    "2x2 of 2, line 2": ({"block": 2, "line": 2}, 6),
    "2x2 of 2, line 3": ({"block": 2, "line": 3}, 6),
    "2x2 of 2, line 4": ({"block": 2, "line": 4}, 7),
    "2x2 of 2, line 3, twist only": ({"block": 2, "line": 3, "win_on_placement": False}, 6),
    "1x2 of 3, line 3": ({"rows": 1, "line": 3}, 8),
    "1x2 of 3, line 4": ({"rows": 1, "line": 4}, 8),
    "1x2 of 3, line 5": ({"rows": 1}, 8),
    "1x2 of 3, line 4, twist only": ({"rows": 1, "line": 4, "win_on_placement": False}, 8),
    "2x1 of 3, line 3": ({"cols": 1, "line": 3}, 8),
    "2x1 of 3, line 6": ({"cols": 1, "line": 6}, 8),
    "1x1 of 2": ({"rows": 1, "cols": 1, "block": 2, "line": 2}, 4),
    "1x1 of 3, line 3": ({"rows": 1, "cols": 1, "line": 3}, 9),
    "1x1 of 3, line 2, twist only": ({"rows": 1, "cols": 1, "line": 2, "win_on_placement": False}, 9),
    "1x1 of 5, line 4": ({"rows": 1, "cols": 1, "block": 5, "line": 4}, 7),
    "1x3 of 2": ({"rows": 1, "cols": 3, "block": 2, "line": 3}, 7),
    "3x1 of 2": ({"rows": 3, "cols": 1, "block": 2, "line": 4}, 7),
    "1x3 of 3": ({"rows": 1, "cols": 3, "line": 4}, 6),
    "4x1 of 2": ({"rows": 4, "cols": 1, "block": 2, "line": 4}, 6),
    "2x2 of 1": ({"block": 1, "line": 2}, 4),
    "1x4 of 1": ({"rows": 1, "cols": 4, "block": 1, "line": 3}, 4),
    "2x1 of 4, line 5": ({"cols": 1, "block": 4}, 6),
    "2x2 of 4, line 5": ({"block": 4}, 4),
    "2x2 of 4, line 8": ({"block": 4, "line": 8}, 4),
    "2x2 of 4, line 4": ({"block": 4, "line": 4}, 3),  # more lines than a word has bits
    "2x2 of 5, line 6": ({"block": 5, "line": 6}, 3),
    "classic, line 4": ({"line": 4}, 4),
    "classic, line 6": ({"line": 6}, 5),
    "classic, line 3, twist only": ({"line": 3, "win_on_placement": False}, 4),
}


# Boards that no search of four plies decides, by their marbles, with their values in the published solution.
PUBLISHED = {
    18: {"319503171720459733": 1, "298082258606951463": 0, "1399810428821965431": 1},
    20: {"444202753490696851": 0, "4448167847674582399": -1, "1036153331308365303": 1},
    22: {"4312211864716913874": 1, "9860971065377856": 0, "3696634157131580811": -1, "861666802356010223": 1},
    24: {"3207485936192196782": 0, "3199595687196497322": -1, "5211790935814378765": 1, "4512337945179590495": 1},
}


class NoneFound(Exception):
    """The game is over on every candidate board."""


def random_position(rng, empty, placed=None, tries=20_000, **options):
    """An unfinished position with a number of empty spaces and random marbles."""
    start = pentad.new("pentago", **options)
    placed = rng.random() < 0.4 if placed is None else placed
    for _ in range(tries):
        spaces = rng.sample(range(start.board.size), start.board.size - empty)
        marbles = tuple(sum(1 << space for space in spaces[seat::2]) for seat in range(2))
        made = position(start.setup, marbles, placed and bool(spaces))
        if made.outcome is None:
            return made
    raise NoneFound(f"{empty} empty, {options}")


def far_played(rng, empty, **options):
    """The same by random turns that do not end the game, for shapes whose random boards almost all have lines."""
    for _ in range(50):
        here = pentad.new("pentago", **options)
        while here.empty.bit_count() > empty:
            moves = here.legal_moves
            tried = (here.play(moves[rng.randrange(len(moves))]) for _ in range(30))
            here = next((after for after in tried if after.outcome is None), None)
            if here is None:
                break
        else:
            return here
    raise NoneFound(f"{empty} empty, {options}")


def some_position(rng, empty, **options):
    """An unfinished position with a number of empty spaces, or more if the shape has none with so few."""
    ways = [far_played, partial(random_position, tries=500)]
    while True:
        try:
            return rng.choice(ways)(rng, empty, **options)
        except NoneFound:
            empty += 1


# ── hard boards ──────────────────────────────────────────────────────────────────────────────────

FEWEST = 18  # marbles from which on `Forward` can search
AHEAD = 4
CHEAP = 24  # marbles from which on it searches to the end


def careful_game(rng, **options):
    """A classic position of 18 marbles, reached by turns that allow no immediate win."""
    while True:
        here = pentad.new("pentago", **options)
        while here is not None and here.ply < FEWEST:
            moves = here.legal_moves
            tried = (here.play(moves[rng.randrange(len(moves))]) for _ in range(40))
            here = next((after for after in tried if after.outcome is None and not wins_in_one(after)), None)
        if here is not None:
            return here


def wins_in_one(here):
    """Whether the mover can have a line after a marble and at most one twist."""
    board, mover = here.board, here.turn
    ways = [here.marbles] + [tuple(board.twist(marbles, twist) for marbles in here.marbles) for twist in board.twists]
    return any(board.completing(each[mover], board.all_spaces & ~(each[0] | each[1])) for each in ways)


def hard_boards(seed, first=20, last=30, wide=3, **options):
    """Hard boards from a careful game on; up to `wide` for each number of marbles."""
    rng = random.Random(seed)
    boards = [careful_game(rng, **options)]
    while boards and boards[0].ply <= last:
        boards = [board for board in boards if board.outcome is None and Forward(board).value(AHEAD) == 0]
        if boards and boards[0].ply >= first:
            yield from boards
        after = {}
        for here in boards:
            ahead = None if here.ply >= CHEAP else AHEAD
            moves = sorted(move for move, value in Forward(here).moves(ahead).items() if value == 0)
            after |= dict.fromkeys(here.play(move) for move in rng.sample(moves, min(wide, len(moves))))
        boards = rng.sample(list(after), min(wide, len(after)))


def symmetric_images(here):
    """The eight symmetric images of a position."""
    return [way.position(here) for way in here.symmetries]


def board(name):
    """The position of a published number; with the suffix `m` a marble is placed."""
    return from_number(int(name.rstrip("m")), placed=name.endswith("m"))


def turned(here: PentagoPosition, turns):
    """The position after clockwise quarter turns of its four sub-boards."""
    marbles = list(here.marbles)
    for twist in here.board.twists:
        if twist.direction == "C":
            for _ in range(turns[twist.sub_board - 1]):
                marbles = [here.board.twist(each, twist) for each in marbles]
    return replace(here, marbles=tuple(marbles))
