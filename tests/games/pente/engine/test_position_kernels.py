"""The incremental search position against the rules and against a new position, move by move."""

import random

import numpy as np
import pytest

import pentad
from pentad.games.pente.board import points_of
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.position_kernels import is_blocked
from pentad.games.pente.engine.state import board_point, kernels, point_of, state_of
from pentad.games.pente.rulesets import RULE_SETS, UNLESS_BROKEN
from pentad.kernels.buffers import zeros
from tests.cases import slow, thinned, together
from tests.games.pente.engine.random_positions import MOST_MOVES, listed, new, options_by_chance, some_point

VERDICTS = ("on", "won", "lost", "drawn")
NUMBERS = {"sums": (k.SUMS, k.COUNTS), "counts": (k.COUNTS, k.HASH), "hash to what stands": (k.HASH, k.MADE)}
BOARDS = {"codes": (k.CODES, k.HELD), "stones": (k.HELD, k.LISTS), "far": (k.LONG, k.UNDO)}
STANDARD = [{"rules": rules} for rules in RULE_SETS] + [
    {"rules": rules, "size": size, "opening": "free"} for rules in RULE_SETS for size in (7, 9)
]
ODD = [
    {"rules": "pente", "size": 9, "overline": False, "opening": "free"},
    {"rules": "keryo", "size": 9, "poof": True, "opening": "free"},
    {"rules": "keryo", "size": 9, "overline": False, "poof": True, "opening": "free", "line": 4},
    {"rules": "poof", "size": 7, "captures": 3, "capture_win": 0, "opening": "free", "line": 3},
    {"rules": "pente", "size": 6, "line": 4, "opening": "free", "five": "unbroken", "double_three": False},
    {"rules": "lines", "size": 25, "line": 20},
    {"rules": "gomoku", "line": 6},
    {"rules": "gomoku", "size": 25, "line": 12},
    {"rules": "lines", "size": 8, "line": 7},
    {"rules": "lines", "size": 3, "line": 3},
    {"rules": "lines", "size": 6, "line": 2},
]


def assert_same(state, other, about):
    """Asserts that both states are equal, apart from the order of their lists."""
    for name, (first, end) in NUMBERS.items():
        assert state.numbers[first:end] == other.numbers[first:end], (name, about)
    for name, (first, end) in BOARDS.items():
        assert state.board[first:end] == other.board[first:end], (name, about)
    for colour in range(2):
        for kind in range(k.KINDS):
            points = listed(state, colour, kind)
            assert sorted(points) == sorted(listed(other, colour, kind)), (colour, kind, about)
            places = k.TAKING_PLACES if kind == k.TAKING else k.PLACES
            for i, point in enumerate(points):
                assert state.board[places + colour * k.POINTS + point] == i, (colour, kind, about)
    assert kernels()("key", state.numbers) == kernels()("key", other.numbers), about


def assert_verdict(result, position):
    """Asserts that the result of a move is that of the rules, which may see sooner that a line cannot be broken."""
    outcome, verdict = position.outcome, VERDICTS[result]
    if outcome is None:
        expected = "on"
    elif not outcome.winners:
        expected = "drawn"
    else:
        expected = "lost" if outcome.winners[0] == position.turn else "won"
    sooner = verdict == "on" and expected == "won" and position.rules.five == UNLESS_BROKEN
    assert verdict == expected or sooner, position.text


def follow(options, seed):
    """Plays a random game in the rules and in the kernels, and takes it back; returns facts about it."""
    chance = random.Random(seed)
    position = new(**options)
    state, out, call = state_of(position), zeros(k.LIST, "int32"), kernels()
    path = [position]
    while not position.outcome and len(path) <= MOST_MOVES:
        if len(path) < 60 or len(path) % 16 == 0:
            assert_same(state, state_of(position), position.text)
        count = call("points_free", *state.position, out)
        points = [board_point(position.board, point) for point in out[:count]]
        assert points == list(points_of(position.points)), position.text
        if not points:
            break
        point = some_point(position, chance, state)
        result = call("make", state.parts, point_of(position.board, point))
        position = position.play(position.board.stones[point])
        assert_verdict(result, position)
        path.append(position)
    taken = sum(position.taken)
    for number, before in enumerate(reversed(path[:-1])):
        call("unmake", state.parts)
        if number % 16 == 0 or len(path) < 40:
            assert_same(state, state_of(before), before.text)
    assert state.numbers[k.MADE] == 0
    return len(path), taken, position.outcome


@together("made", [0, k.KEPT_ROWS - 3, k.KEPT_ROWS - 2, k.KEPT_ROWS - 1, k.KEPT_ROWS + 20])
def test_moves_are_taken_back_with_and_without_a_row_for_what_they_replaced(made):
    chance, position, call = random.Random(made), new(rules="pente"), kernels()
    for _ in range(12):
        position = position.play(position.board.stones[some_point(position, chance)])
    state = state_of(position)
    state.numbers[k.MADE] = made
    befores = []
    for _ in range(4):
        befores.append(state.copy())
        call("make", state.parts, point_of(position.board, some_point(position, chance, state)))
        position = position.play(position.board.stones[board_point(position.board, state.board[last_undo(state)])])
    for before in reversed(befores):
        call("unmake", state.parts)
        assert_same(state, before, made)
    assert state.numbers[k.MADE] == made


def last_undo(state):
    """Where the undo stack has the point of the last move."""
    return k.UNDO + k.UNDO_ROW * (state.numbers[k.MADE] - 1)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "options", thinned(STANDARD + ODD, 8), ids=lambda options: " ".join(map(str, options.values()))
)
def test_games_of_every_rule_set(options):
    for seed in range(2 if options.get("size", 19) > 19 else 4):
        assert follow(options, seed)[0] > 2


@pytest.mark.slow
@pytest.mark.parametrize(("games", "least"), [(50, 25), slow(200, 100)])
def test_games_with_any_options(games, least):
    chance, endings, taken = random.Random(11), set(), 0
    for seed in range(games):
        _, took, outcome = follow(options_by_chance(chance), seed)
        endings.add(outcome.reason.split()[0] if outcome else None)
        taken += took
    assert {"captures", "full", "line", "five", "no"} <= endings
    assert taken > least


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_games(part):
    chance = random.Random(1000 + part)
    for number in range(1000):
        options = chance.choice(STANDARD + ODD) if number % 3 == 0 else options_by_chance(chance)
        follow(options, chance.randrange(1 << 30))


# Five in a row where only four are a line; one of them is lost by moving into a bracket, and the other four win.
@pytest.mark.parametrize(("rules", "verdict"), [("pente", "won"), ("boat", "on")])
def test_stones_that_are_lost_may_leave_a_line(rules, verdict):
    position = new(rules=rules, size=7, opening="free", line=4, overline=False, poof=True)
    for move in ["A3", "E2", "B3", "E5", "D3", "G7", "E3", "G1", "C3", "A7"]:
        position = position.play(move)
    assert position.outcome is None
    state = state_of(position)
    point = position.board.stones.index(position.parse("E4")[0])
    result = kernels()("make", state.parts, point_of(position.board, point))
    position = position.play("E4")
    assert sum(position.taken) == 2
    assert VERDICTS[result] == verdict
    assert_verdict(result, position)
    assert_same(state, state_of(position), position.text)


# Seven in a row where only six are a line: by the rules no black stone is in such a line, so that the game continues
# until the board is full; the kernel returns a draw. This happens in one of some thousand games with random options.
@pytest.mark.slow
def test_a_row_that_is_too_long_is_not_blocked():
    board = "1bbbwbw/wwwwwww/bwbwbwb/b1bwbwb/bwwbwwb/bwwbbww/bbw1bb1"
    position = pentad.load(f"pente rules=freestyle size=7 opening=free line=6 overline=false blocked_tie=true {board}")
    state = state_of(position)
    assert bool(is_blocked(*map(np.asarray, state.position))) == bool(position.outcome)


# ── what is kept, from its meaning ───────────────────────────────────────────────────────────────


def naive_code(position, column, row, way, reach):
    """The code of a point along an axis, from the board alone."""
    board, code = position.board, 0
    for side, sign in enumerate((1, -1)):
        for far in range(1, reach + 1):
            bit = board.bit(column + sign * far * way[0], row + sign * far * way[1])
            for colour in range(2):
                held = not bit or bool(position.stones[colour] & bit)
                code |= held << (2 * colour * reach + side * reach + far - 1)
    return code


AXES = ((1, 0), (0, 1), (1, 1), (-1, 1))  # as the kernels number them


@together("seed", range(12))
def test_codes_sums_value_and_lists_against_naive_ones(seed):
    chance = random.Random(seed)
    options = [{"rules": "keryo", "size": 13}, {"rules": "gomoku", "size": 9}, {"rules": "ninuki42", "size": 7}][
        seed % 3
    ]
    position = new(**options)
    for _ in range(chance.randrange(10, 45)):
        after = position.play(position.board.stones[some_point(position, chance, state_of(position))])
        if after.outcome:
            break
        position = after
    state, worth = state_of(position), 0
    reach = state.tables.reach
    kinds = [set() for _ in range(2 * k.KINDS)]
    for point, (column, row) in enumerate(position.board.stones):
        here = point_of(position.board, point)
        codes = [naive_code(position, column, row, way, reach) for way in AXES]
        assert state.board[k.CODES + 4 * here : k.CODES + 4 * here + 4].tolist() == codes
        total = sum(int(state.tables.sums[state.tables.classes[code]]) for code in codes)
        assert state.numbers[k.SUMS + here] == total
        if not position.empty >> point & 1:
            continue
        worth += sum(int(state.values[code]) for code in codes)
        for colour in range(2):
            side = total >> k.SIDE * colour
            many = {made: side >> where & 7 for made, where in k.FIELD.items()}
            if kind := naive_kind(many[k.FIVE], many[k.OPEN_FOUR], many[k.FOUR], many[k.OPEN_THREE]):
                kinds[colour * k.KINDS + kind].add(here)
            mine, theirs = position.stones[colour], position.stones[1 - colour]
            if position.takes(point, mine, theirs):
                kinds[colour * k.KINDS + k.TAKING].add(here)
    assert state.numbers[k.VALUE] == worth
    for which, points in enumerate(kinds):
        assert set(listed(state, which // k.KINDS, which % k.KINDS)) == points, (which, position.text)


def naive_kind(fives, open_fours, fours, threes):
    """The kind of threat of a stone, by the numbers of its shapes."""
    if fives:
        return k.A_FIVE
    if open_fours or fours > 1:
        return k.WINNING_FOUR
    if fours:
        return k.FOUR_AND_THREE if threes else k.A_FOUR
    return {0: 0, 1: k.A_THREE}.get(threes, k.THREES)
