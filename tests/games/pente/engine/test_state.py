"""The weights: symmetry under colours and mirrors, derivation for other rule sets, and files."""

import pickle

import numpy as np
import pytest

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import NAMES
from pentad.games.pente.engine.state import LEARNED, Weights, default_weights, file_of, tables
from pentad.games.pente.rulesets import RULE_SETS
from tests.cases import together
from tests.games.pente.engine.random_positions import new
from training.pente.learn import by_hand, plain_tables, rows_of, save

OPTIONS = {name: {"rules": name} for name in RULE_SETS} | {
    "pente, four": {"line": 4},
    "pente, six": {"line": 6},
    "keryo, exactly five": {"rules": "keryo", "overline": False},
    "lines of three": {"rules": "lines", "line": 3},
}
every = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())


def exchanged(codes, reach):
    """Codes with the colours exchanged."""
    half = (1 << 2 * reach) - 1
    return (codes & half) << 2 * reach | codes >> 2 * reach


def mirrored(codes, reach):
    """Codes seen from the other side."""
    side, found = (1 << reach) - 1, np.zeros_like(codes)
    for colour in range(2):
        right, left = (codes >> (2 * colour + way) * reach & side for way in (0, 1))
        found |= (left | right << reach) << 2 * colour * reach
    return found


def default(options):
    """A game's table, all its codes, and their weights."""
    rules = new(**options).rules
    table = tables(rules)
    return table, np.arange(len(table.entries)), np.asarray(default_weights(rules).values)


@every
def test_what_is_good_for_white_is_as_bad_for_black(options):
    table, codes, worths = default(options)
    values, names = worths[:-NAMES], np.arange(NAMES)
    assert (values == -values[exchanged(codes, table.reach)]).all()
    by_name = worths[-NAMES:]
    assert (by_name == -by_name[names >> 4 | (names & 15) << 4]).all()


@every
def test_a_mirror_makes_no_difference(options):
    table, codes, values = default(options)
    assert (values[:-NAMES] == values[mirrored(codes, table.reach)]).all()


@together("switched", [{"rules": "gomoku"}, {"rules": "keryo"}, {"rules": "keryo", "overline": False}])
def test_there_are_few_classes_of_codes(switched):
    table = tables(new(**switched).rules)
    classes = np.asarray(table.classes)
    used = np.asarray(table.sums)[: int(classes.max()) + 1]
    assert len(np.unique(used)) == len(used) < k.CLASSES


@every
def test_there_is_a_value_for_each_code_and_kind(options):
    table, _, values = default(options)
    assert len(values) == len(table.entries) + NAMES
    others = default_weights(new(**options).rules).others
    assert len(others) == k.WEIGHTS
    assert values.dtype == np.asarray(others).dtype == np.int32
    assert abs(values).max() < k.LIMIT
    if "line" not in options:
        assert (values[:-NAMES] != 0).any()


def test_codes_of_a_longer_reach_have_the_values_of_the_nearer_stones():
    """Gomoku's fifth points only show whether a line ends; where that changes nothing, the trained values hold."""
    rules = RULE_SETS["gomoku"]
    table, plain = tables(rules), tables(RULE_SETS["freestyle"])
    assert (table.reach, plain.reach) == (5, 4)
    learned, weights = Weights.load(file_of("gomoku")), default_weights(rules)
    chance = np.random.default_rng(1)
    followed = 0
    for code in chance.integers(0, len(table.entries), 4000):
        parts = [int(code) >> 5 * number & 31 for number in range(4)]
        nearer = sum((part & 15) << 4 * number for number, part in enumerate(parts))
        name = table.entries[code] & 255
        if name == plain.entries[nearer] & 255:
            followed += 1
            assert weights.values[code] == learned.values[nearer]
        else:
            assert weights.values[code] == learned.values[-NAMES:][name]
    assert followed > 2000
    assert weights.others == learned.others


def without_rows(weights):
    """Weights without values of codes that have no row: those without stones, and impossible ones."""
    rows, _ = rows_of(4)
    np.asarray(weights.values)[: len(rows)][rows == 0] = 0
    return weights


@pytest.mark.parametrize("name", LEARNED)
def test_saved_and_loaded_weights_are_the_same(name, tmp_path):
    for number, weights in enumerate((Weights.load(file_of(name)), without_rows(by_hand(plain_tables())))):
        file = tmp_path / f"{number}.npz"
        save(file, weights)
        for again in (Weights.load(file), pickle.loads(pickle.dumps(weights))):
            assert again.values == weights.values
            assert again.others == weights.others
            assert again.network.own == weights.network.own
            assert again.network.head == weights.network.head
        assert not list(tmp_path.glob("*.part*"))


def test_by_hand_more_is_better():
    values = by_hand(tables(RULE_SETS["pente"])).values[-NAMES:]
    assert list(values[:9]) == sorted(values[:9])
    assert values[0] == 0
