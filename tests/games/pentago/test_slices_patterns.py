"""Locations of boards in slices."""

import itertools
import random

from pentad.games.pentago.slices import SYMMETRIES, counts_of, number_of, patterns, quadrants_of, shape_of
from tests.games.pentago import slice_files


def test_the_order_of_patterns():
    known = slice_files.patterns()
    assert len(known) == 55
    for counts, quadrants in known.items():
        assert patterns(*counts) == tuple(quadrants)


def test_counts():
    for quadrant in range(0, 3**9, 7):
        assert counts_of(quadrant) == slice_files.counts(quadrant)


def test_the_shape_of_a_section():
    assert shape_of(((2, 1), (1, 0), (0, 0), (3, 3))) == (64, 3, 1, 420)


def test_quadrants_round_trip():
    rng = random.Random(1)
    for _ in range(50):
        quadrants = tuple(rng.randrange(3**9) for _ in range(4))
        assert quadrants_of(number_of(quadrants)) == quadrants


def test_the_eight_symmetries_of_quadrants():
    counts = ((1, 0), (2, 0), (3, 0), (4, 0))
    images = {symmetry.counts(counts) for symmetry in SYMMETRIES}
    # Neighbours stay neighbours: 0 and 3 are opposite corners.
    facing = [{(1, 0), (4, 0)}, {(2, 0), (3, 0)}]
    assert images == {image for image in itertools.permutations(counts) if {image[0], image[3]} in facing}
    assert SYMMETRIES[0].counts(counts) == counts
