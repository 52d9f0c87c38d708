"""Perft by the kernel: the counts of the rules' table."""

import json
from pathlib import Path

import pytest

import pentad.games.pente
from pentad.games.pente.engine.constants import LIST
from pentad.games.pente.engine.state import kernels, state_of
from pentad.kernels.buffers import zeros
from tests.cases import together
from tests.games.pente.engine.random_positions import new

ROWS = [
    row
    for row in json.loads((Path(pentad.games.pente.__file__).parent / "perft.json").read_text(encoding="utf-8"))
    if row["options"].get("opening") != "swap2"
]
QUICK = 2_000_000


def comparable(row):
    """The depth to which the counts agree: if a line must stay unbroken, the kernel sees a win one move later."""
    position = new(**row["options"])
    if position.rules.five != "unbroken":
        return len(row["counts"])
    return min(len(row["counts"]), 2 * position.rules.line - 1)


def counts(least, most):
    """The counts of the table between two limits, with their options and depths."""
    return [
        pytest.param(row["options"], depth, count, id=f"{' '.join(map(str, row['options'].values()))}-{depth}")
        for row in ROWS
        for depth, count in enumerate(row["counts"][: comparable(row)], 1)
        if least <= count < most
    ]


def check(options, depth, expected):
    lists = zeros((depth + 1) * LIST, "int32")
    assert kernels()("perft", state_of(new(**options)).parts, lists, depth) == expected


@together(("options", "depth", "expected"), counts(0, QUICK))
def test_perft(options, depth, expected):
    check(options, depth, expected)


@pytest.mark.slow
@pytest.mark.parametrize(("options", "depth", "expected"), counts(QUICK, 1 << 40))
def test_perft_of_large_counts(options, depth, expected):
    check(options, depth, expected)
