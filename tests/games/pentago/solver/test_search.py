"""Exact values, compared with exhaustive search, with a forward solver, and with each other."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.games.pentago import Solution, from_number
from pentad.games.pentago.solver import solve
from pentad.games.pentago.solver.retrograde import Pass, PassLimits, PassRoot
from tests.cases import slow, together
from tests.games.pentago.random_games import data, rotated
from tests.games.pentago.solver.naive_solver import naive_of, scores, turns_of, value_of
from tests.games.pentago.solver.sample_positions import (
    PUBLISHED,
    SMALL,
    board,
    far_played,
    hard_boards,
    random_position,
    some_position,
    symmetric_images,
    turned,
)
from tests.properties import properties, some_of

QUICK_MARBLES, SLOW_MARBLES = 20, 18  # with these numbers values take milliseconds, and a second


def compare(here):
    """Compares a solution with exhaustive search; returns the value."""
    tried = scores(here)
    values = {move: value_of(score) for move, score in tried.items()}
    best = max(tried.values())
    alone = solve(here, moves=False)
    assert (alone.value, alone.distances) == (value_of(best), {}), here.text
    assert {str(move): value for move, value in alone.moves.items()}.items() <= values.items(), here.text
    every = solve(here)
    assert {str(move): value for move, value in every.moves.items()} == values, here.text
    assert every.value == value_of(best)
    assert list(every.moves) == list(here.legal_moves)
    end = solve(here, moves=False, depth=True)
    assert (end.value, end.turns) == (value_of(best), turns_of(best)), here.text
    assert {str(move): value for move, value in end.moves.items()}.items() <= values.items(), here.text
    far = solve(here, depth=True)
    assert {str(move): value for move, value in far.moves.items()} == values, here.text
    assert (far.value, far.turns) == (value_of(best), turns_of(best)), here.text
    for move, turns in far.distances.items():
        assert turns == turns_of(tried[str(move)]), (here.text, str(move))
    keep = [move for move, value in far.moves.items() if value == far.value]
    soonest = [move for move in keep if tried[str(move)] == best]
    assert far.best == (soonest if far.value else keep), here.text
    return every.value


# ── against trying every turn ────────────────────────────────────────────────────────────────────


@properties(30)
@given(st.integers(0, 4), st.booleans(), st.integers(0, 1 << 32))
def test_classic_boards_nearly_full(empty, at_once, seed):
    placed = None if empty else True  # a full board has a last rotation
    compare(random_position(random.Random(seed), empty, placed, win_on_placement=at_once))


@pytest.mark.parametrize("seed", range(3))
def test_classic_boards_with_five_spaces(seed):
    rng = random.Random(seed)
    compare(random_position(rng, 5, placed=False, win_on_placement=seed != 2))


@pytest.mark.slow
@together(("options", "empty"), SMALL.values())
def test_other_boards_nearly_full(options, empty):
    rng = random.Random(empty)
    for most in (2, 3, 5):
        compare(some_position(rng, min(most, empty), **options))


def test_small_boards_from_the_start():
    for options in (
        {"rows": 1, "cols": 1, "block": 2, "line": 2},
        {"rows": 1, "cols": 1, "block": 3, "line": 3},
        {"rows": 1, "cols": 1, "block": 3, "line": 3, "win_on_placement": False},
        {"rows": 1, "cols": 2, "block": 2, "line": 3},
        {"rows": 1, "cols": 2, "block": 2, "line": 4},
        {"rows": 2, "cols": 1, "block": 2, "line": 3},
        {"rows": 2, "cols": 2, "block": 1, "line": 2},
        {"rows": 4, "cols": 1, "block": 1, "line": 3},
    ):
        compare(pentad.new("pentago", **options))


@pytest.mark.slow
@pytest.mark.parametrize(("options", "empty"), SMALL.values(), ids=SMALL)
def test_other_boards_farther_from_the_end(options, empty):
    rng = random.Random(empty)
    for most in [empty] * 12 + [2, 3, 4] * 4:
        compare(some_position(rng, min(empty, most), **options))


@pytest.mark.slow
def test_classic_boards_with_five_spaces_many_times():
    rng = random.Random(5)
    values = [compare(random_position(rng, 5, win_on_placement=number % 4 != 0)) for number in range(60)]
    values += [compare(far_played(rng, empty)) for empty in (2, 3, 4, 5) for _ in range(15)]
    assert {*values} == {-1, 0, 1}


# ── what must hold of any solution ───────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "marbles"), [slow(6, 22), (7, 24), slow(12, 26), slow(17, 28)])
def test_symmetries_change_nothing(seed, marbles):
    here = next(hard_boards(seed, first=marbles))
    first = solve(here)
    assert len(symmetric_images(here)) == 8
    for way in here.symmetries:
        other = solve(way.position(here))
        assert other.value == first.value
        assert other.moves == {way.move(move): value for move, value in first.moves.items()}


def test_symmetries_in_the_middle_of_a_turn():
    here = random_position(random.Random(3), 13, placed=True)
    first = solve(here)
    for way in here.symmetries:
        assert solve(way.position(here)).moves == {way.move(move): value for move, value in first.moves.items()}


def compare_children(here):
    """Compares a board's move values with the values of the boards after them, and after half a move."""
    found = solve(here)
    assert found.value == max(found.moves.values())
    assert found.value == solve(here, moves=False).value
    halves = {}
    for move, value in found.moves.items():
        after = here.play(move)
        assert value == -solve(after, moves=False).value, (here.text, str(move))
        halves.setdefault(move[0], []).append(value)
    for place, values in halves.items():
        half = here.partial(place)
        assert solve(half, moves=False).value == max(values)
        if half.outcome is None:
            assert list(solve(half).moves.values()) == values
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "marbles"), [(6, 23), slow(11, 24)])
def test_a_board_against_its_children(seed, marbles):
    assert compare_children(next(hard_boards(seed, first=marbles))).how == "retrograde"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, 7, 11])
def test_a_board_of_few_marbles_against_its_children(seed):
    here = next(hard_boards(seed, first=18))
    moves = here.legal_moves
    board_17 = next(q for q in parents(here) if q.outcome is None)
    found = solve(board_17)
    assert found.value == max(found.moves.values())
    for move, value in found.moves.items():
        assert value == -solve(board_17.play(move), moves=False).value, (board_17.text, str(move))
    assert len(moves) == len(solve(here).moves)


def parents(here):
    """Boards with a turn to this one."""
    for twist in here.board.twists:
        marbles = [here.board.twist(each, twist) for each in here.marbles]
        last = marbles[1 - here.turn]
        for space in range(here.board.size):
            if last >> space & 1:
                before = list(marbles)
                before[1 - here.turn] ^= 1 << space
                yield type(here)(here.setup, tuple(before))


@pytest.mark.slow
def test_distance_by_playing_it_out():
    decided = [here for seed in (6, 7, 12, 17) for here in hard_boards(seed, 22, 23) if solve(here, moves=False).value]
    assert len(decided) > 3
    for here in decided[: some_of(15)]:
        found = solve(here, depth=True)
        turns, value = found.turns, found.value
        assert turns > 4
        while here.outcome is None:
            here = here.play(solve(here, depth=True).best[-1])
            turns, value = turns - 1, -value
            after = solve(here, depth=True)
            assert (after.turns, after.value) == (turns, value)
        assert turns == 0


@pytest.mark.slow
def test_solutions_have_only_what_was_requested():
    here = next(hard_boards(6, first=26))
    found = solve(here)
    settled = solve(here, moves=False)
    assert settled.turns is None
    assert settled.moves.items() <= found.moves.items()  # those that it has met on its way
    assert isinstance(found, Solution)
    assert found.position == here
    assert found.nodes > 0
    assert found.seconds > 0
    assert all(here.play(move) for move in found.moves)


def test_distances_only_if_requested():
    """In the middle of a turn some rotations end the game immediately; these must not count as the slowest loss."""
    rng = random.Random(1)
    lost = 0
    for _ in range(60):
        here = random_position(rng, 3, placed=True)
        found = solve(here)
        assert found.distances == {}, here.text
        assert found.best == [move for move, value in found.moves.items() if value == found.value], here.text
        lost += found.value < 0
    assert lost
    for _ in range(20):
        full = random_position(rng, 0, placed=True)
        assert (solve(full).turns, solve(full).distances) == (None, {})
        found = solve(full, depth=True)
        assert found.turns == (1 if found.value else None)


# ── values of the published solution, and of the forward solver ──────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("marbles", [24, 22, 20])
def test_published_values_of_hard_boards(marbles):
    for name, value in PUBLISHED[marbles].items():
        assert solve(board(name), moves=False).value == value, name
        if marbles > 20:
            assert solve(board(name)).value == value, name


@pytest.mark.slow
@pytest.mark.parametrize("moves", [False, True])
def test_published_values_of_hard_boards_of_few_marbles(moves):
    for marbles in (18, 20):
        for name, value in PUBLISHED[marbles].items():
            assert solve(board(name), moves=moves).value == value, name


def game_positions(first, last):
    """Positions of games with some numbers of marbles, and their values."""
    for name, value in data("games.json").items():
        here = board(name)
        if first <= 36 - here.empty.bit_count() <= last:
            yield here, value


@pytest.mark.slow
def test_game_positions():
    tried = 0
    for here, value in game_positions(QUICK_MARBLES, 36):
        assert solve(here, moves=False).value == value, here.text
        tried += 1
    assert tried > 400


@pytest.mark.slow
def test_game_positions_of_few_marbles():
    tried = 0
    for here, value in game_positions(SLOW_MARBLES, 36):
        every = solve(here)
        assert every.value == value == solve(here, moves=False).value, here.text
        assert here.outcome or value == max(every.moves.values())
        tried += 1
    assert tried > 500


@pytest.mark.slow
def test_all_boards_below_one_of_18_marbles():
    values = data("below_18.json")
    root = benchmark_root(values)
    found = solve(root)
    below = {root: found.value}
    for move, value in found.moves.items():
        below[root.play(move)] = -value
        below.setdefault(root.partial(move[0]), value)
        below[root.partial(move[0])] = max(value, below[root.partial(move[0])])
    assert {name: below[board(name)] for name in values} == values
    assert {name: solve(board(name), moves=False).value for name in values} == values
    assert len(values) == 163


def benchmark_root(values):
    """The board of 18 marbles among these values."""
    (root,) = (board(name) for name in values if board(name).empty.bit_count() == 18 and not name.endswith("m"))
    return root


def test_all_rotations_at_once():
    compared = 0
    for marbles in (33, 34, 35):
        for number, wins in rotated(marbles).items():
            compared += compare_rotations(number, *wins)
    assert compared == 96 * 256


def compare_rotations(number, mine, his):
    """Compares the wins of both players, black's and white's, in all 256 rotations of a board."""
    here = from_number(number)
    if here.turn:
        mine, his = his, mine
    for kind in (0, 1):
        root = PassRoot(here.board, *(here.marbles if here.turn == 0 else here.marbles[::-1]), kind, True)
        limits = PassLimits(memory=1 << 30)
        wins, holds = Pass(root, len(root.spaces), limits).values
        assert wins & ~holds == 0
        for turns in all_turns(kind):
            bit = bit_of(turns)
            other = published_bit(turns)
            assert wins >> bit & 1 == mine >> other & 1, (number, turns)
            assert (not holds >> bit & 1) == his >> other & 1, (number, turns)
    return 256


def all_turns(kind):
    """Clockwise quarter turns of the four sub-boards, in reading order, with an even or odd sum."""
    every = ((a, b, c, d) for a in range(4) for b in range(4) for c in range(4) for d in range(4))
    return [turns for turns in every if sum(turns) % 2 == kind]


def published_bit(turns):
    """The published bit: quadrants are counted up the columns from the bottom left, turns are anti-clockwise."""
    top_left, top_right, bottom_left, bottom_right = (-each % 4 for each in turns)
    return bottom_left + 4 * top_left + 16 * bottom_right + 64 * top_right


def bit_of(turns):
    """The solver's bit: the first three sub-boards' turns in a word, the fourth's half selects the word."""
    return turns[0] + 4 * turns[1] + 16 * turns[2] + 64 * (turns[3] // 2)


def test_the_bits_of_rotations():
    """The order of bits above is the solver's, checked on rotated boards."""
    rng = random.Random(2)
    for _ in range(3):
        here = random_position(rng, 3, placed=False)
        root = PassRoot.of(here)
        wins, holds = Pass(root, 3, PassLimits(memory=1 << 30)).values
        for turns in rng.sample(all_turns(0), 24):
            there = turned(here, turns)
            value = solve(there, moves=False).value
            assert (wins >> bit_of(turns) & 1, holds >> bit_of(turns) & 1) == (value > 0, value >= 0), there.text


def test_naive_boards_agree_with_the_rules():
    """Quarter turns and lines agree with the package's rules."""
    rng = random.Random(1)
    for options, _ in SMALL.values():
        here = pentad.new("pentago", **options)
        naive = naive_of(here)
        assert {*naive.lines} == {*here.board.lines}
        for _ in range(10):
            marbles = rng.getrandbits(here.board.size)
            for number, way in naive.twists:
                twist = next(t for t in here.board.twists if str(t) == f"{number + 1}{way}")
                assert naive.twist(marbles, number, way) == here.board.twist(marbles, twist)
