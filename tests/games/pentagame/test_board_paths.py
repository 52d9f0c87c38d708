"""Distances, reach and paths against searches, and what the printed formula does wrong."""

import itertools
import random
from collections import Counter, deque

import pytest

from pentad.games import pentagame
from pentad.games.pentagame.board import (
    ALL_FIELDS,
    DISTANCE,
    FIELDS,
    LINKS,
    NUMBER,
    distance,
    fields_of,
    path,
    printed_heuristic,
    reach,
    set_of,
)


def search(start, taken=0):
    """How far every field is that can be reached: a taken one can be come to, not crossed."""
    far, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if here != start and taken >> here & 1:
            continue
        for there in LINKS[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return far


def random_sets(count, seed=0):
    """Sets of taken fields from none to nearly all, with the number of fields as in games most often."""
    chance = random.Random(seed)
    for _ in range(count):
        density = chance.choice((0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9))
        yield set_of([field for field in range(100) if chance.random() < density])


# ── on the empty board ───────────────────────────────────────────────────────────────────────────


def test_the_distance_of_all_10_000_pairs():
    for one in range(100):
        far = search(one)
        assert [DISTANCE[one][other] for other in range(100)] == [far[other] for other in range(100)]
    for one, other in itertools.product(FIELDS, FIELDS):
        assert distance(one, other) == DISTANCE[NUMBER[one]][NUMBER[other]]


def test_the_distance_is_a_metric():
    for one, other in itertools.product(range(100), range(100)):
        assert DISTANCE[one][other] == DISTANCE[other][one]
        assert (DISTANCE[one][other] == 0) == (one == other)
        assert all(abs(DISTANCE[one][other] - DISTANCE[one][near]) == 1 for near in LINKS[other])


def test_the_formula_as_the_rule_page_has_it():
    """Same ring 4·min(d, 5−d); corner c to junction j with t = (j−5−c) mod 5: 0 → 15, 1 or 4 → 11, 2 or 3 → 7."""
    for one, other in itertools.product(range(5), range(5)):
        ring = 4 * min(abs(one - other), 5 - abs(one - other))
        assert distance((one, 0, 0), (other, 0, 0)) == ring
        assert distance((5 + one, 0, 0), (5 + other, 0, 0)) == ring
        assert distance((one, 0, 0), (5 + other, 0, 0)) == {0: 15, 1: 11, 4: 11, 2: 7, 3: 7}[(other - one) % 5]


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [
        ((5, 1, 2), (5, 6, 2), 5),  # both are on one leg
        ((1, 1, 0), (1, 3, 0), 2),  # both are on one arc
        ((5, 3, 2), (5, 3, 3), 6),  # both are on legs of a junction
        ((1, 2, 0), (4, 2, 0), 4),  # both are on arcs of a corner
        ((9, 2, 5), (7, 2, 6), 8),  # they are on two arms apart
    ],
)
def test_distances_between_stops(one, other, steps):
    assert distance(one, other) == distance(other, one) == steps


# ── the printed formulas ─────────────────────────────────────────────────────────────────────────


def test_the_errors_of_the_printed_formulas():
    """28.1 % exact, 70.3 % over, 1.6 % under; the worst +29 and −9."""
    wrong = Counter(
        printed_heuristic(one, other) - distance(one, other) for one, other in itertools.combinations(FIELDS, 2)
    )
    assert wrong.total() == 4950
    exact, over = wrong[0], sum(wrong[by] for by in wrong if by > 0)
    assert (exact, over, 4950 - exact - over) == (1390, 3482, 78)
    assert [round(100 * part / 4950, 1) for part in (exact, over, 4950 - exact - over)] == [28.1, 70.3, 1.6]
    assert (max(wrong), min(wrong)) == (29, -9)


@pytest.mark.parametrize(
    ("one", "other", "printed"),
    [
        ((8, 2, 7), (6, 1, 5), (8 - 6) * 4 + 2 + 1),  # both starts are junctions
        ((6, 2, 5), (3, 1, 2), 3 * 4 + 2 + 1 + 6),  # a junction and a corner
        ((4, 2, 3), (1, 3, 0), (4 - 1) * 4 + 2 + 3),
        ((5, 0, 0), (0, 0, 0), 6),
        ((3, 0, 0), (3, 0, 0), 0),
    ],
)
def test_the_printed_formulas(one, other, printed):
    assert printed_heuristic(one, other) == printed
    assert printed_heuristic(other, one) == printed  # "k1 is required to be always higher than k2"


# ── reach ────────────────────────────────────────────────────────────────────────────────────────


def test_reach_agrees_with_a_search():
    chance = random.Random(1)
    for taken in random_sets(200, seed=1):
        for start in chance.sample(range(100), 15):
            found = {*search(start, taken)} - {start}
            assert {*fields_of(reach(start, taken))} == found
            assert reach(start, taken | 1 << start) == reach(start, taken & ~(1 << start))


def test_reach_on_an_empty_and_on_a_full_board():
    for start in range(100):
        assert reach(start, 0) == ALL_FIELDS & ~(1 << start)
        assert reach(start, ALL_FIELDS) == set_of(LINKS[start])


def test_every_piece_can_always_move():
    for taken in random_sets(100, seed=2):
        assert all(reach(start, taken).bit_count() >= 2 for start in range(100))


# ── paths ────────────────────────────────────────────────────────────────────────────────────────


def is_path(way, start, end, taken):
    return (
        way[0] == start
        and way[-1] == end
        and all(other in LINKS[one] for one, other in itertools.pairwise(way))
        and not any(taken >> field & 1 for field in way[1:-1])
        and len(set(way)) == len(way)
    )


def test_a_star_with_the_distance_finds_shortest_paths():
    chance = random.Random(3)
    for taken in random_sets(150, seed=3):
        start = chance.randrange(100)
        far = search(start, taken)
        for end in chance.sample(range(100), 25):
            way = path(start, end, taken)
            assert (way is not None) == (end in far)
            if way is not None:
                assert len(way) - 1 == far[end]
                assert is_path(way, start, end, taken)
                assert end == start or reach(start, taken) >> end & 1


def too_long(pairs):
    """How many pairs get a way that is too long by A* with the printed formulas."""
    return sum(len(path(one, other, 0, printed_heuristic)) - 1 > DISTANCE[one][other] for one, other in pairs)


@pytest.mark.slow
def test_a_star_with_the_printed_formulas_finds_too_long_paths():
    """For about 30 % of the ordered pairs."""
    pairs = [*itertools.permutations(range(100), 2)]
    assert 0.28 < too_long(pairs) / len(pairs) < 0.32
    for one, other in pairs[::97]:
        assert is_path(path(one, other, 0, printed_heuristic), one, other, 0)


@pytest.mark.parametrize("estimate", [distance, printed_heuristic, lambda one, other: 0])
def test_a_path_without_steps_and_no_path(estimate):
    assert path(7, 7, ALL_FIELDS, estimate) == (7,)
    walls = set_of(LINKS[0])
    assert path(0, LINKS[0][0], walls, estimate) == (0, LINKS[0][0])
    assert path(0, 5, walls, estimate) is None


def test_the_package_offers_distances():
    assert pentagame.distance((0, 0, 0), (5, 0, 0)) == 15
    assert pentagame.printed_heuristic((0, 0, 0), (5, 0, 0)) == 6
    assert pentagame.path(0, 1, 0) == (0, *reversed(range(10, 13)), 1)
