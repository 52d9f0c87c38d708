"""Pentago's grammars explored: the numbers of states and transitions that GROOVE itself gives."""

import pytest

from pentad.grammar import explore
from tests.grammar.groove_counts import ROWS, made

LONG = 2_000  # states; larger ones are for the slow run


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.name, marks=[pytest.mark.slow] if row.states > LONG else []) for row in ROWS]
)
def test_general_engine_counts_as_groove_does(row):
    found = explore(made(row.name), depth=row.depth, engine="general")
    assert (found.states, found.transitions) == (row.states, row.transitions)
    assert found.stopped == ("" if row.depth is None else "depth")
    assert row.draws in (None, found.final)
