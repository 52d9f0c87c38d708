"""Every shared grammar explored: the numbers of states and transitions that GROOVE itself gives."""

import json
from pathlib import Path

import pytest

from pentad.grammar import Grammar, explore

DATA = Path(__file__).parents[2].parent / "shared/data/groove"
BOOK = DATA / "counts.json"
ROWS = json.loads(BOOK.read_text(encoding="utf-8"))["rows"] if BOOK.exists() else []
LONG = 2_000  # states; larger ones are for the slow run


def rows():
    if not ROWS:
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"the project's shared data is not here: {DATA}"))]
    marks = {True: [pytest.mark.slow], False: []}
    return [pytest.param(row, id=row["grammar"], marks=marks[row["states"] > LONG]) for row in ROWS]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("row", rows())
def test_general_engine_counts_as_groove_does(row):
    found = explore(Grammar.load(DATA / row["grammar"]), depth=row.get("bfs_bound"), engine="general")
    assert (found.states, found.transitions) == (row["states"], row["transitions"])
    assert found.stopped == ("depth" if "bfs_bound" in row else "")
    if "draws" in row:
        assert found.final == row["draws"]
