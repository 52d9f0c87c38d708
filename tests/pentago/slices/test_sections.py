"""Where boards lie in slices."""

import itertools
import random

from pentad.pentago.slices.sections import SYMMETRIES, counts_of, number_of, patterns, quadrants_of, shape_of
from tests.pentago.slices import making


def test_every_pattern_in_its_order():
    known = making.patterns()
    assert len(known) == 55
    for counts, quadrants in known.items():
        assert patterns(*counts) == tuple(quadrants)


def test_counts():
    for quadrant in range(0, 3**9, 7):
        assert counts_of(quadrant) == making.counts(quadrant)


def test_the_shape_of_a_section():
    assert shape_of(((2, 1), (1, 0), (0, 0), (3, 3))) == (64, 3, 1, 420)


def test_quadrants_come_back():
    chance = random.Random(1)
    for _ in range(50):
        quadrants = tuple(chance.randrange(3**9) for _ in range(4))
        assert quadrants_of(number_of(quadrants)) == quadrants


def test_eight_ways_to_look_at_the_quadrants():
    counts = ((1, 0), (2, 0), (3, 0), (4, 0))
    images = {way.counts(counts) for way in SYMMETRIES}
    # Neighbours stay neighbours: 0 and 3 lie in corners that face each other.
    facing = [{(1, 0), (4, 0)}, {(2, 0), (3, 0)}]
    assert images == {image for image in itertools.permutations(counts) if {image[0], image[3]} in facing}
    assert SYMMETRIES[0].counts(counts) == counts
