"""Pentagame's kernels against its rules, step by step; compiled, and a little of it uncompiled."""

import random

import numpy as np
import pytest

import pentad
from pentad.games.pentagame.board import EDGES, LINKS, NUMBER, goal, reach, set_of
from pentad.games.pentagame.denomination import BLACKS
from pentad.games.pentagame.engine import constants
from pentad.games.pentagame.engine import position_kernels as k
from pentad.games.pentagame.engine.search import state_of, step_of
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep
from pentad.games.pentagame.rules import PentagamePosition
from tests.cases import thinned, together
from tests.games.pentagame.random_play import OPTIONS, random_rare_turn, random_turn
from tests.games.pentagame.turn_kernels import count_turns, random_turns
from tests.programs import run
from tests.properties import some_of

LOW = (1 << constants.SPLIT) - 1


def state_array(position):
    """The state of a position for kernels that are called directly."""
    return np.asarray(state_of(position))


def start(**options) -> PentagamePosition:
    position = pentad.new("pentagame", **options)
    assert isinstance(position, PentagamePosition)
    return position


def code_of(step: object) -> int:
    """The integer of a step."""
    if isinstance(step, PieceStep):
        partner = step.partner[0] * 5 + step.partner[1] + 1 if step.partner else 0
        return (step.piece * 100 + NUMBER[step.to]) * 26 + partner
    if isinstance(step, LeaveStep):
        return constants.LEAVE_STEP + step.piece
    assert isinstance(step, BlockStep)
    kind, first = (constants.BLACK_STEP, 11) if step.figure in BLACKS else (constants.GRAY_STEP, 6)
    return kind + (step.figure - first) * 100 + NUMBER[step.to]


def follow(seed: int, plies: int, **options) -> int:
    """A random game by rules and kernels at once; how many turns it had."""
    chance = random.Random(seed)
    out, copy = np.zeros(constants.MAX_STEPS, dtype=np.int64), np.zeros(constants.SIZE, dtype=np.int64)
    position = start(**options)
    state = state_array(position)
    while position.outcome is None and position.ply < plies:
        count = k.steps(state, out)
        assert sorted(out[:count].tolist()) == sorted(map(code_of, position.piece_moves)), position.text
        if chance.random() < 0.1:
            assert count_turns(state, out, copy) == len(position.legal_moves), position.text
        move = random_rare_turn(position, chance) if chance.random() < 0.4 else random_turn(position, chance)
        here = position
        for step in move:
            code = code_of(step)
            assert step_of(code, here) == step
            if here.due:
                count = k.steps(state, out)
                assert sorted(out[:count].tolist()) == sorted(map(code_of, here.block_steps())), here.text
            assert k.is_over(state) == 0
            k.play_step(state, code)
            here = here.after(step)
            assert (state == state_array(here)).all(), here.text
        position = here
    if position.outcome:
        assert k.is_over(state) == (1 if position.outcome.winners else 2)
        assert count_turns(state, out, copy) == 0
    return position.ply


@pytest.mark.slow
@together("players", [2, 3, 4, 5])
@together("options", OPTIONS)
def test_kernels_agree_with_the_rules(players, options):
    plies = sum(follow(seed, 120, players=players, max_ply=100, **options) for seed in range(some_of(4)))
    assert plies > 10


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_kernels_agree_with_the_rules_in_many_games(players, options):
    for seed in range(100, 140):
        follow(seed, 1000, players=players, **options)


@pytest.mark.parametrize("seed", range(5))
def test_flood_fill_agrees_with_reach(seed):
    chance = random.Random(seed)
    for _ in range(400):
        taken = set_of(chance.sample(range(100), chance.randrange(60)))
        field = chance.randrange(100)
        low, high = k.flood(taken & LOW, taken >> constants.SPLIT, field)
        assert int(low) | int(high) << constants.SPLIT == reach(field, taken), (field, taken)


def turns_by_layers(field: int, end: int, taken: int) -> int:
    """The turns to a field if nothing else moves: reach, and reach again from what was reached."""
    reached, turns = 1 << field, 0
    while not reached >> end & 1 or turns == 0:
        turns += 1
        for each in [each for each in range(100) if reached >> each & 1]:
            reached |= reach(each, taken)
    return turns


@pytest.mark.parametrize("seed", range(4))
def test_the_race_counts_turns(seed):
    """The memo of a search is kept from position to position; one without memo finds the same."""
    chance = random.Random(seed)
    position = start(players=chance.choice([2, 3]))
    work, afresh = np.zeros((2, constants.WORK), dtype=np.int64)
    for _ in range(60):
        if position.outcome:
            break
        position = position.play(random_turn(position, chance))
        afresh[:] = 0
        k.race(state_array(position), work)
        k.race(state_array(position), afresh)
        assert work[: constants.COUNTS].tolist() == afresh[: constants.COUNTS].tolist()
    for seat, mine in enumerate(position.pieces):
        for piece, field in enumerate(mine):
            end = goal(piece)
            expected = 0 if field < 0 else 1 if field == end else turns_by_layers(field, end, position.taken)
            assert work[constants.TURNS + 5 * seat + piece] == expected, (position.text, seat, piece)


def taken_between(field: int, end: int, taken: int, dearer: tuple[int, ...] = ()) -> int:
    """How few taken fields lie between two, with some fields counted once more: found by relaxing every link."""
    cost = [(taken >> each & 1) + (each in dearer) for each in range(100)]
    least = [0 if each == end else 1000 for each in range(100)]
    for _ in range(100):
        for each in range(100):
            for other in LINKS[each]:
                least[each] = min(least[each], least[other] + (cost[other] if other != end else 0))
    return least[field]


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(range(3), 3))
def test_a_choke_point_lengthens_the_path(seed):
    chance = random.Random(seed)
    taken = set_of(chance.sample(range(100), 10 + 15 * seed))
    low, high, end = taken & LOW, taken >> constants.SPLIT, goal(chance.randrange(5))
    counts, ways = np.zeros(20, dtype=np.int64), np.zeros(10, dtype=np.int64)
    for edge in range(20):
        counts[edge] = k.COUNT[k.pattern(low, high, edge)] << k.LEAST
    k.hurdles(low, end, counts, ways)
    for field in range(10):
        if field == end:
            continue
        before = taken_between(field, end, taken)
        assert ways[field] >> k.LEAST == before
        for place, fields in enumerate([*((main,) for main in range(10)), *(edge.stops[:1] for edge in EDGES)]):
            lengthens = field not in fields and end not in fields and taken_between(field, end, taken, fields) > before
            assert bool(ways[field] >> place & 1) is lengthens, (field, place)


def test_signatures_identify_positions():
    chance = random.Random(5)
    seen: dict[object, int] = {}
    for game in range(8):
        position = start(players=2 + game % 4, max_ply=60)
        while position.outcome is None:
            seen.setdefault(position.recurring, int(k.signature(state_array(position))))
            assert seen[position.recurring] == int(k.signature(state_array(position)))
            position = position.play(random_turn(position, chance))
    assert len(set(seen.values())) == len(seen)


def test_random_turns_end_games():
    first, seed = state_array(pentad.new("pentagame")), np.array([7], dtype=np.int64)
    assert (first == state_array(start())).all()
    out = np.zeros(constants.MAX_STEPS, dtype=np.int64)
    assert random_turns(first.copy(), seed, 20_000, out, first) > 20


@pytest.mark.parametrize("number", [0, 1, 5, (1 << 60) - 1, 1 << 59, 0x123456789ABCDEF])
def test_bit_operations(number):
    assert k.bits(number) == number.bit_count()
    if number:
        assert k.lowest(number) == (number & -number).bit_length() - 1


WITHOUT_JIT = """
from tests.games.pentagame.engine.test_position_kernels import follow, k, test_flood_fill_agrees_with_reach
assert not hasattr(k.flood, "py_func"), "it was compiled"
test_flood_fill_agrees_with_reach(9)
follow(1, 25, players=2)
follow(2, 25, players=3, no_swap_back=True)
"""


@pytest.mark.slow
def test_kernels_also_run_without_the_jit():
    assert run(WITHOUT_JIT, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")[1] == ""
