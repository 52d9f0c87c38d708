"""Parameters of kernels, as annotations declare them."""

from typing import Annotated, NamedTuple

import pytest

from pentad.kernels.parameters import BadTable, declared, entry, fields_of, flattened, with_types
from pentad.kernels.types import (
    Array,
    Counters,
    FixedValue,
    Float64s,
    Int16s,
    Int32s,
    Int64s,
    Rows,
    RowSize,
    UInt16s,
    UInt64s,
    Word,
)
from tests.cases import together


class World(NamedTuple):
    edges: Annotated[Rows[Int32s], RowSize(3), "grows"]
    size: int
    values: Float64s


class Stats(Counters):
    stop: int
    count: int


class Run(NamedTuple):
    world: World
    hashes: UInt64s
    stats: Stats


def text(hint):
    return " ".join(map(str, flattened(declared(hint))))


@together(
    ("hint", "wanted"),
    [
        (int, "int64"),
        (float, "float64"),
        (Word, "uint64"),
        (Int16s, "int16[]"),
        (Annotated[Rows[Int64s], RowSize(4)], "int64[,4]"),
        (Annotated[Rows[Rows[Int16s]], RowSize(2, 64)], "int16[,2,64]"),
        (Annotated[int, FixedValue(4)], "=4"),
        (Stats, "int64[]"),
        (World, "int32[,3] int64 float64[]"),
        (Run, "int32[,3] int64 float64[] uint64[] int64[]"),
    ],
)
def test_a_type_stands_for_parameters(hint, wanted):
    assert text(hint) == wanted


class Bad(NamedTuple):
    rows: Rows[Int64s]


class Odd(NamedTuple):
    rows: Annotated[Rows[Int64s], RowSize(2, 3)]


class Text(NamedTuple):
    name: str


@together(
    ("hint", "reason"),
    [
        (str, "it has no type that kernels know."),
        (Array, "it has no type that kernels know."),
        (Array[int], "it has no type that kernels know."),
        (Text, "Text.name has no type that kernels know."),
        (Bad, "Bad.rows needs the length of its rows: Annotated[…, RowSize(4)]."),
        (Odd, "Odd.rows has 1 times Rows, and a row of 2 lengths."),
    ],
)
def test_other_types_are_refused(hint, reason):
    with pytest.raises(BadTable) as error:
        declared(hint)
    assert str(error.value) == reason


def kernel(run: Run, labels: Array, count: int) -> int:
    return run.world.edges[0, 1] + labels[count]


def test_an_entry_point_may_name_other_types():
    made = with_types(kernel, labels=UInt16s)
    assert [str(each) for each in entry(made.function, made.types).parameters][-2:] == ["uint16[]", "int64"]
    with pytest.raises(BadTable, match="labels has no type that kernels know"):
        entry(kernel)


def test_arguments_are_put_together():
    made = entry(kernel, {"labels": UInt16s})
    run, labels, count = made.put_together(iter(["edges", 3, "values", "hashes", memoryview(b""), "labels", 7]))
    assert (run.world, run.hashes, labels, count) == (World("edges", 3, "values"), "hashes", "labels", 7)
    assert isinstance(run.stats, Stats)


def test_fields_have_their_notes():
    assert [(each.name, str(each.parameter)) for each in fields_of(World)] == [
        ("edges", "int32[,3]"),
        ("size", "int64"),
        ("values", "float64[]"),
    ]
    assert "grows" in fields_of(World)[0].notes
