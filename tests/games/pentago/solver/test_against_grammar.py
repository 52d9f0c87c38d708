"""Small boards: values by retrograde analysis of the graph grammar's states, compared with the solver's."""

import numpy as np
import pytest

from pentad.games.pentago.solver import solve
from pentad.grammar.models import new
from tests.grammar.whole_state_spaces import OVER, STATUS, TURNS_AT_ONCE, Rules, Whole


class Explored:
    """All positions that the grammar reaches at the beginning of a turn, with their values for the player to move."""

    def __init__(self, **options):
        self.whole = Whole(new("pentago", rules="classic", iso=False, **options))
        self.rules = Rules("pentago", **options)
        begins = self.whole.beginnings()
        keys = self.whole.keys(begins)
        size = self.rules.size
        self.keys, self.values = [], []
        later = worth = np.zeros(0, np.int64)
        marbles = np.bitwise_count(keys & (1 << 2 * size) - 1)
        for count in np.unique(marbles)[::-1]:
            here = np.flatnonzero(marbles == count)
            here = here[np.argsort(keys[here])]
            worth = self.level(begins[here], keys[here], later, worth)
            later = keys[here]
            self.keys.append(later)
            self.values.append(worth)

    def level(self, begins, keys, later, worth):
        """The values of boards with equal numbers of marbles, from those of boards with one more."""
        level = np.full(len(begins), -1)
        for start in range(0, len(begins), TURNS_AT_ONCE):
            origins, targets = self.whole.turns(begins[start : start + TURNS_AT_ONCE])
            over = targets >> STATUS >= OVER
            winners = targets >> STATUS & 3
            mover = keys[start : start + TURNS_AT_ONCE][origins] >> STATUS  # 1 black, 2 white
            value = (winners & mover != 0).astype(np.int64) - (winners & ~mover != 0)
            if len(later):
                place = np.minimum(np.searchsorted(later, targets), len(later) - 1)
                assert (over | (later[place] == targets)).all()
                value = np.where(over, value, -worth[place])
            assert len(later) or over.all()
            np.maximum.at(level, origins + start, value)
        return level

    def start(self):
        """The value of the empty board."""
        return int(self.values[-1][0])

    def some(self, each, rng):
        """A sample of positions with their values: at most `each` for each number of marbles."""
        for keys, values in zip(self.keys, self.values, strict=True):
            for n in rng.choice(len(keys), min(each, len(keys)), replace=False):
                yield self.rules.position(int(keys[n])), int(values[n])


SMALL = [
    {"rows": 1, "cols": 1, "block": 2, "line": 2},
    {"rows": 1, "cols": 1, "block": 3, "line": 3},
    {"rows": 1, "cols": 2, "block": 2, "line": 3},
    {"rows": 2, "cols": 1, "block": 2, "line": 4},
    {"rows": 1, "cols": 2, "block": 2, "line": 2, "win_on_placement": False},
]
LARGER = [
    {"block": 2, "line": 2},
    {"block": 2, "line": 2, "win_on_placement": False},
    {"rows": 1, "cols": 3, "block": 2, "line": 3},
    {"rows": 1, "cols": 3, "block": 2, "line": 4},
]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", [*SMALL, *(pytest.param(each, marks=pytest.mark.slow) for each in LARGER)], ids=str)
def test_all_positions_of_the_grammar(options):
    explored = Explored(**options)
    empty = solve(explored.rules.start)
    assert empty.value == explored.start() == max(empty.moves.values())
    values = set()
    for here, value in explored.some(30, np.random.default_rng(1)):
        assert solve(here, moves=False).value == value, here.text
        found = solve(here)
        assert found.value == value == max(found.moves.values()), here.text
        values.add(value)
    assert len(values) > 1


@pytest.mark.slow
def test_2x2_sub_boards_of_2x2_with_line_3():
    explored = Explored(block=2, line=3)
    assert solve(explored.rules.start).value == explored.start()
    for here, value in explored.some(60, np.random.default_rng(2)):
        assert solve(here).value == value, here.text
