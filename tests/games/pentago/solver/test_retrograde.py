"""Sizes of passes: boards, rows, and bytes with and without a plan."""

from __future__ import annotations

from math import comb

import pytest

from pentad.games.pentago.solver.retrograde import HALF, MemoryPlan, PassShape, boards, bytes_of, format_bytes


def test_a_row_has_the_boards_of_one_set_of_the_movers_marbles() -> None:
    shape = PassShape(10, 4, 1)
    assert list(shape.levels) == [1, 0]
    assert [shape.rows(more) for more in (0, 1)] == [10, 45]
    assert [shape.width(more) for more in (0, 1)] == [1, 8]
    assert [shape.width_between(more) for more in (0, 1)] == [9, 28]
    assert shape.widest == 28


@pytest.mark.parametrize("plies", range(1, 8))
def test_the_rows_of_all_levels_have_all_boards(plies: int) -> None:
    shape = PassShape(12, plies, 1)
    assert sum(shape.rows(more) * shape.boards_of_row(more) for more in shape.levels) == boards(12, plies)


def test_each_thread_has_a_call_to_begin_when_it_ends_one() -> None:
    assert [PassShape(10, 4, threads).at_once for threads in (1, 2, 5)] == [1, 4, 10]


@pytest.mark.parametrize(("plies", "mine", "theirs"), [(1, 1, 0), (4, 2, 2), (5, 3, 2)])
def test_sets_of_each_side(plies: int, mine: int, theirs: int) -> None:
    counts = tuple(sum(comb(9, number) for number in range(most + 1)) for most in (mine, theirs))
    assert PassShape(9, plies, 1).sets == counts


@pytest.mark.parametrize(("spaces", "plies"), [(18, 6), (20, 9)])
def test_an_estimate_is_of_one_sweep_or_of_two_if_one_is_too_large(spaces: int, plies: int) -> None:
    one_sweep = bytes_of(spaces, plies, 1 << 60)
    two = bytes_of(spaces, plies, one_sweep - 1)
    assert two < one_sweep == bytes_of(spaces, plies, one_sweep)
    assert 0.9 < one_sweep / MemoryPlan(spaces, plies, 1).memory < 1.4
    assert 0.9 < two / MemoryPlan(spaces, plies, 1, HALF).memory < 1.4
    assert bytes_of(spaces, 0, 1 << 60) == 0


@pytest.mark.parametrize(
    ("size", "text"),
    [(7, "7 B"), (1234, "1.2 kB"), (9994, "10 kB"), (10_400, "10 kB"), (52_345, "52 kB"), (123_456_789, "123 MB")],
)
def test_bytes_have_two_digits_or_whole_units(size: int, text: str) -> None:
    assert format_bytes(size) == text
