"""Exact labels in bulk: the values of the solver, board by board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pentad import new
from pentad.game import GameError
from pentad.games.pentago import from_number
from pentad.games.pentago.labels import bulk, labels, random_root
from pentad.games.pentago.solver import solve
from tests.properties import some_of


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("spaces", [7, 8])
@pytest.mark.parametrize("win_on_placement", [True, False])
def test_labels_are_the_values_of_the_solver(spaces: int, win_on_placement: bool) -> None:
    start = new("pentago", win_on_placement=win_on_placement)
    root = random_root(start, np.random.default_rng(spaces), spaces)
    found = labels(root, 2_000, seed=1)
    assert len({*zip(found.own.tolist(), found.other.tolist(), strict=True)}) == len(found.value) > 500
    assert {-1, 0, 1} >= set(found.value.tolist())
    for number in range(some_of(700)):
        own, other = int(found.own[number]), int(found.other[number])
        here = replace(root, marbles=(other, own) if root.turn else (own, other))
        assert here.outcome is None
        assert solve(here, moves=False).value == found.value[number]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_labels() -> None:
    one, other = (bulk(new("pentago"), 1_000, seed) for seed in (4, 4))
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert not np.array_equal(one["own"], bulk(new("pentago"), 1_000, 5)["own"])
    assert set(one) == {"own", "other", "marbles", "value", "exact"}
    assert one["exact"].all()
    assert [*one["marbles"]] == [
        int(own | other).bit_count() for own, other in zip(one["own"], one["other"], strict=True)
    ]


def test_what_has_no_labels() -> None:
    with pytest.raises(GameError, match="root before a placement"):
        labels(from_number(4312211864716913874).partial("a0"), 10, 1)


@pytest.mark.slow
def test_a_root_has_a_limit() -> None:
    with pytest.raises(GameError, match="from this root, not 100,000,000"):
        bulk(new("pentago"), 100_000_000, 1)
