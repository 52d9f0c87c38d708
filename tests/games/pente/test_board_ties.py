"""Ties of `lines`: a game is a tie exactly when no completion of the board has a line, by trying all completions."""

import itertools
import random
from dataclasses import replace
from functools import cache

import pytest

from pentad.games.pente.board import Board
from tests.cases import together
from tests.games.pente.random_games import EIGHT_WAYS, board_of, load_board, new

TIE, LINE = "tie", "line"

# Here a board is a pair of masks, bit y·size + x, independent of the package.


@cache
def all_lines(size, line):
    """Every line as a mask, without duplicates."""
    found = set()
    for x, y in itertools.product(range(size), repeat=2):
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            points = [(x + k * dx, y + k * dy) for k in range(line)]
            if all(0 <= a < size and 0 <= b < size for a, b in points):
                found.add(sum(1 << b * size + a for a, b in points))
    return tuple(found)


def has_line(stones, size, line):
    return any(stones & points == points for points in all_lines(size, line))


def some_completion_has_a_line(white, black, size, line):
    """The oracle: fills the empty points in every way."""
    empty = [1 << point for point in range(size**2) if not (white | black) >> point & 1]
    for colours in itertools.product((0, 1), repeat=len(empty)):
        one = white | sum(itertools.compress(empty, colours))
        other = black | sum(bit for bit, colour in zip(empty, colours, strict=True) if not colour)
        if has_line(one, size, line) or has_line(other, size, line):
            return True
    return False


def best_completion_has_a_line(white, black, size, line):
    """The quick oracle: fills all points with one colour, as no line needs a stone of the other."""
    everything = (1 << size**2) - 1
    return has_line(everything & ~black, size, line) or has_line(everything & ~white, size, line)


def expected(white, black, size, line, completes=some_completion_has_a_line):
    if has_line(white, size, line) or has_line(black, size, line):
        return LINE
    return None if completes(white, black, size, line) else TIE


def position_of(start, white, black):
    return replace(start, stones=(white, black), ply=white.bit_count() + black.bit_count())


def output(position):
    """The package's outcome."""
    if position.outcome is None or position.outcome.winners:
        return position.outcome and LINE
    assert position.outcome.reason == ("no line left" if position.empty else "full board")
    return TIE


def reachable(size, line, completes):
    """Every reachable board, up to symmetry, as (white, black, the outcome or None), by brute force."""
    last, points = size - 1, range(size**2)
    images = []
    for way in EIGHT_WAYS:
        target = [way(point % size, point // size, last) for point in points]
        places = [1 << y * size + x for x, y in target]
        halves = size**2 // 2
        low = [sum(places[p] for p in range(halves) if mask >> p & 1) for mask in range(1 << halves)]
        rest = range(halves, size**2)
        high = [sum(places[p] for p in rest if mask >> p - halves & 1) for mask in range(1 << len(rest))]
        images.append((low, high))
    halves, lows = size**2 // 2, (1 << size**2 // 2) - 1

    def least(white, black):
        return min(
            (low[white & lows] | high[white >> halves], low[black & lows] | high[black >> halves])
            for low, high in images
        )

    level = {(0, 0)}
    while level:
        following = set()
        for white, black in level:
            end = expected(white, black, size, line, completes)
            yield white, black, end
            if end is None:
                to_move = white.bit_count() > black.bit_count()
                for point in points:
                    bit = 1 << point
                    if not (white | black) & bit:
                        following.add(least(white, black | bit) if to_move else least(white | bit, black))
        level = following


@pytest.mark.parametrize(
    ("size", "line", "completes"),
    [
        (3, 3, some_completion_has_a_line),
        (3, 2, some_completion_has_a_line),
        pytest.param(4, 3, best_completion_has_a_line, marks=pytest.mark.slow),
        pytest.param(4, 4, best_completion_has_a_line, marks=pytest.mark.slow),
    ],
    ids=["3, three", "3, two", "4, three", "4, four"],
)
def test_every_board_that_play_reaches(size, line, completes):
    start = new(rules="lines", size=size, line=line)
    found = {None: 0, LINE: 0, TIE: 0}
    for white, black, end in reachable(size, line, completes):
        position = position_of(start, white, black)
        assert output(position) == end, position.text
        assert bool(position.legal_moves) == (end is None)
        found[end] += 1
    assert found[LINE]
    assert bool(found[TIE]) == (line > 2)


def test_filling_with_one_colour_is_enough():
    """The quick oracle of 4 × 4 and the literal one agree on every board of 3 × 3."""
    for colours in itertools.product((0, 1, 2), repeat=9):
        white = sum(1 << point for point, colour in enumerate(colours) if colour == 1)
        black = sum(1 << point for point, colour in enumerate(colours) if colour == 2)
        for line in (2, 3):
            if not has_line(white, 3, line) and not has_line(black, 3, line):
                literal = some_completion_has_a_line(white, black, 3, line)
                assert literal == best_completion_has_a_line(white, black, 3, line)


def half_filled(chance, size, line, stones):
    """A board with a number of stones, placed in turn, without a line; and its text."""
    while True:
        points = chance.sample(range(size**2), stones)
        white = sum(1 << point for point in points[::2])
        black = sum(1 << point for point in points[1::2])
        if not has_line(white, size, line) and not has_line(black, size, line):
            return white, black


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("size", "line"), [(4, 4), (4, 3)])
@pytest.mark.parametrize("stones", [7, 8, 9, 11])
def test_from_half_filled_boards_to_the_end(size, line, stones):
    """Every continuation of some boards, played out; the tie comes at the move that makes it and not before."""
    chance = random.Random(stones)
    ties = 0
    for _ in range(2 if stones < 9 else 6):
        white, black = half_filled(chance, size, line, stones)
        begin = load_board(white, black, rules="lines", size=size, line=line)
        ties += follow(begin, size, line, set())
    assert ties or line == 3


def follow(position, size, line, known):
    white, black = position.stones
    if (white, black) in known:
        return 0
    known.add((white, black))
    end = expected(white, black, size, line)
    assert output(position) == end, position.text
    if end:
        return end == TIE
    return sum(follow(position.play(move), size, line, known) for move in position.legal_moves)


@pytest.mark.parametrize(("size", "line"), [(4, 4), (5, 5), (5, 4), (6, 5), (7, 6), (8, 8), (10, 10), (12, 11)])
def test_ties_of_played_games(size, line):
    """In random games without lines, the tie comes at the first board on which no line is possible."""
    chance, ties = random.Random(size), 0
    for _ in range(12):
        position = new(rules="lines", size=size, line=line)
        while not position.outcome:
            white, black = position.stones
            assert best_completion_has_a_line(white, black, size, line), position.text
            for _ in range(5):
                after = position.play(chance.choice(position.legal_moves))
                if output(after) != LINE:
                    break
            position = after
        assert output(position) == expected(*position.stones, size, line, best_completion_has_a_line)
        ties += output(position) == TIE
    assert ties


def test_a_tie_can_come_long_before_the_board_is_full():
    """Lines of ten on 10 × 10: each side needs one stone in every row, column and diagonal, twenty in total."""
    chance = random.Random(3)
    position = new(rules="lines", size=10, line=10)
    sides = []
    while len(sides) < 2:
        columns = chance.sample(range(10), 10)
        on_diagonals = sum(column == row for row, column in enumerate(columns)) in range(1, 10)
        on_diagonals &= any(column == 9 - row for row, column in enumerate(columns))
        if on_diagonals and not any(a == b for side in sides for a, b in zip(side, columns, strict=True)):
            sides.append(columns)
    for row in range(10):
        for columns in sides:
            assert position.outcome is None
            position = position.play(f"{'ABCDEFGHJK'[columns[row]]}{row + 1}")
    assert position.outcome.reason == "no line left"
    assert position.ply == 20


@together("size", [*range(1, 13), 25])
def test_the_number_of_lines(size):
    """The document's formula for every length, and the lines themselves."""
    for line in range(1, size + 1):
        delta = size + 1 - line
        found = Board(size, line).lines
        assert len(found) == 2 * size * delta + 2 * delta**2, line
        if line > 1 and size < 13:
            assert {points for points, _ in found} == set(all_lines(size, line))
        if size >= 3 and line >= 2:
            assert new(rules="lines", size=size, line=line).line_count == len(found)


def test_192_lines():
    here = new(rules="lines")
    assert here.line_count == 192 == 60 + 60 + 72
    ways = {"along": 0, "up": 0, "askew": 0}
    for points, _ in here.board.lines:
        low = points & -points
        step = (points ^ low) & -(points ^ low)
        ways[{1: "along", 10: "up"}.get(step.bit_length() - low.bit_length(), "askew")] += 1
    assert ways == {"along": 60, "up": 60, "askew": 72}


def test_boards_agree_with_their_text():
    position = load_board(0b11, 0b1000, rules="lines", size=3, line=3)
    assert board_of(position) == "3/b2/ww1"
