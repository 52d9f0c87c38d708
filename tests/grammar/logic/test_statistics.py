"""Statistics of transition systems against counting by hand."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import runner
from pentad.grammar.logic.statistics import Statistics, statistics
from pentad.grammar.lts import Lts
from tests.grammar.logic.test_bisimulation import any_system, systems
from tests.properties import properties, some_of


def naive(lts: Lts) -> Statistics:
    """The statistics from the sets of states that each state reaches."""
    states = range(lts.states)
    leaving = [[each for each in lts if each.source == state] for state in states]
    reach = [{state} for state in states]
    for _ in states:
        reach = [{state}.union(*(reach[each.target] for each in leaving[state])) for state in states]
    same = [frozenset(other for other in reach[state] if state in reach[other]) for state in states]
    depths, front = [], {0}
    seen = set(front)
    while front:
        depths.append(len(front))
        front = {each.target for state in front for each in leaving[state]} - seen
        seen |= front
    degrees = Counter(map(len, leaving))
    return Statistics(
        states=lts.states,
        transitions=lts.transitions,
        degrees=tuple(degrees[number] for number in range(max(degrees) + 1)),
        depths=tuple(depths),
        deadlocks=sum(not leaving[state] and state not in lts.final | lts.open for state in states),
        components=len(set(same)),
        largest=max(map(len, same)),
        cyclic=sum(len(same[state]) > 1 or any(each.target == state for each in leaving[state]) for state in states),
        choices=sum(len({each.label for each in leaving[state]}) < len(leaving[state]) for state in states),
        actions=dict(sorted(Counter(each.action for each in lts).items())),
    )


@properties(100)
@given(systems(9), st.sampled_from((0, runner.TINY)))
def test_random_systems(lts: Lts, small: int) -> None:
    with patch.object(runner, "TINY", small):
        found = statistics(lts)
    assert found == naive(lts)


def test_larger_systems() -> None:
    for seed in range(some_of(20)):
        lts = any_system(seed, 60, 70)
        assert statistics(lts) == naive(lts)


def test_means() -> None:
    lts = Lts([("a", ())], states=4)
    for row in ((0, 0, 1), (0, 0, 2), (1, 0, 3)):
        lts.add(*row)
    found = statistics(lts)
    assert (found.mean_degree, found.branching) == (0.75, 1.5)
    assert found.json()["branching"] == 1.5


def test_what_has_no_statistics() -> None:
    with pytest.raises(GrammarError, match="without states has no statistics"):
        statistics(Lts())
    with pytest.raises(GrammarError, match="iB of memory"):
        statistics(Lts(states=10**6), memory=1000)
