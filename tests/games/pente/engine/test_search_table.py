"""The transposition table: what is stored comes back, and a full bucket loses what is worth least."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.bots import PenteBot
from pentad.games.pente.engine.search import FEW_ENTRIES, TABLE_ENTRIES, TranspositionTable
from pentad.games.pente.engine.search_kernels import bucket_of, probe, store
from tests.games.pente.random_games import played
from tests.properties import properties

KEYS = st.integers(-(1 << 62), (1 << 62) - 1)
SCORES, ESTIMATES = st.integers(-k.WIN, k.WIN), st.integers(-k.LIMIT, k.LIMIT)
ENTRIES = 64


def same_bucket(number: int) -> int:
    """A key of the third bucket."""
    return 16 + (number << 20)


def depth_of(table: NDArray[np.int64], hashed: int) -> int:
    """The depth of an entry; -1 where there is none."""
    entry = probe(table, hashed)
    return entry >> k.DEPTH_AT & 255 if entry else -1


@given(
    st.lists(
        st.tuples(KEYS, st.integers(0, 1183), st.integers(0, 2), st.integers(0, 99), SCORES, ESTIMATES), max_size=40
    ),
    st.integers(1, k.GENERATIONS),
)
@properties(100)
def test_what_is_stored_comes_back(entries: list[tuple[int, ...]], generation: int) -> None:
    table = np.zeros(2 * ENTRIES, np.int64)
    last = dict[int, tuple[int, ...]]()
    for hashed, *values in entries:
        store(table, hashed, *values, generation)
        last[hashed] = tuple(values)
        found = probe(table, hashed)
        assert found & k.MOVE_BITS == values[0]
        assert found >> k.GENERATION_AT & 255 == generation
        assert bucket_of(table, hashed) in range(0, 2 * ENTRIES, 2 * k.BUCKET)
    for hashed, (move, bound, depth, score, estimate) in last.items():
        if found := probe(table, hashed):
            assert found & k.MOVE_BITS == move
            assert found >> k.BOUND_AT & 3 == bound
            assert found >> k.DEPTH_AT & 255 == depth
            assert (found >> k.SCORE_AT & 0x1FFFF) - 32768 == score
            assert found >> k.ESTIMATE_AT == estimate


def test_a_full_bucket_loses_the_entry_that_is_least_deep() -> None:
    table = np.zeros(2 * ENTRIES, np.int64)
    for number, depth in enumerate((7, 3, 9, 5)):
        store(table, same_bucket(number), 1, k.EXACT, depth, 0, 0, 1)
    store(table, same_bucket(4), 1, k.EXACT, 1, 0, 0, 1)
    assert [depth_of(table, same_bucket(number)) for number in range(5)] == [7, -1, 9, 5, 1]


def test_entries_of_earlier_searches_go_first() -> None:
    table, newest = np.zeros(2 * ENTRIES, np.int64), 2
    for number, (depth, generation) in enumerate(((6, newest), (8, newest), (8, k.GENERATIONS), (9, 1))):
        store(table, same_bucket(number), 1, k.EXACT, depth, 0, 0, generation)
    store(table, same_bucket(4), 1, k.EXACT, 1, 0, 0, newest)
    assert [depth_of(table, same_bucket(number)) for number in range(5)] == [6, 8, -1, 9, 1]


@pytest.mark.parametrize(("positions", "entries"), [(0, 4), (5, 4), (64, 64), (100, 64), (1 << 16, 1 << 16)])
def test_a_table_has_a_power_of_two_of_entries(positions: int, entries: int) -> None:
    assert len(TranspositionTable(positions).words) == 2 * entries


@pytest.mark.parametrize(
    ("level", "memory", "entries"),
    [(2, None, FEW_ENTRIES), (4.5, None, FEW_ENTRIES), (4.7, None, TABLE_ENTRIES), (2, 3 << 20, 1 << 17)],
)
def test_the_memory_of_a_bot_is_that_of_its_level(level: float, memory: int | None, entries: int) -> None:
    bot = PenteBot(level, memory=memory)
    bot.choose(played({}, "K10 L11"), seconds=0.01)
    assert bot._table is not None
    assert len(bot._table.words) == 2 * entries
