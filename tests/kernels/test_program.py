"""Kernels as drivers call them: without the compiler, as Python, or compiled in this process without a cache."""

import json

import pytest

from pentad.kernels import backends
from pentad.kernels.program import Program
from tests.programs import run

MODULE = """
from typing import Annotated
import numpy as np
from pentad.kernels.decorator import kernel
from pentad.kernels.parameters import with_types
from pentad.kernels.types import (
    FixedValue, Float32s, Int16s, Int64s, Rows, RowSize, UInt32s, UInt64s, Word,
)

@kernel
def twice(numbers):
    for n in range(len(numbers)):
        numbers[n] *= np.uint64(2)

@kernel
def add(numbers: UInt64s, small: UInt32s, signed: Int64s, more: Word) -> int:
    twice(numbers)
    for n in range(len(numbers)):
        numbers[n] += more
        small[n] += np.uint32(n)
        signed[n] -= n
    return len(numbers)

@kernel
def count(numbers: Int64s) -> int:
    return len(numbers)

@kernel
def transpose(
    rows: Annotated[Rows[Int16s], RowSize(3)], to: Annotated[Rows[Int16s], RowSize(2)]
) -> None:
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            to[j, i] = rows[i, j]

@kernel
def mean(rows: Float32s, share: float) -> float:
    total = 0.0
    for i in range(len(rows)):
        total += rows[i]
    return total / len(rows) * share

@kernel
def is_small(number: int) -> bool:
    return number < 10

@kernel
def power(exponent: int, numbers: Int64s) -> int:
    result = 1
    for n in range(exponent):
        result *= numbers[n]
    return result

NATIVE = {
    "add": add,
    "count": count,
    "transpose": transpose,
    "mean": mean,
    "is_small": is_small,
    "cube": with_types(power, exponent=Annotated[int, FixedValue(3)]),
}
"""

USED = """
    import sys
    from pentad.kernels.buffers import array, zeros
    from pentad.kernels.program import program
    numbers, small, signed = zeros(3, "uint64"), zeros(3, "uint32"), zeros(3, "int64")
    numbers[0], small[1], signed[2] = 1 << 62, (1 << 32) - 1, -(1 << 62)
    kernels = program("some_kernels")
    assert kernels("add", numbers, small, signed, (1 << 64) - 1) == 3
    assert list(numbers) == [(1 << 63) - 1, (1 << 64) - 1, (1 << 64) - 1], list(numbers)
    assert list(small) == [0, 0, 2], list(small)
    assert list(signed) == [0, -1, -(1 << 62) - 2], list(signed)
    assert kernels("add", numbers[1:2], small[1:], signed[1:], 3) == 1
    assert list(numbers) == [(1 << 63) - 1, 1, (1 << 64) - 1], list(numbers)
    assert kernels("count", signed[3:]) == 0
    rows, to = array(range(6), "int16"), zeros(6, "int16")
    assert kernels("transpose", rows, to) == 0
    assert list(to) == [0, 3, 1, 4, 2, 5]
    mean = kernels.bind("mean", array([1, 2, 6], "float32"))
    assert (mean(1.0), mean(0.5)) == (3.0, 1.5)
    assert [kernels("is_small", number) for number in (9, 10)] == [1, 0]
    assert kernels("cube", array([2, 3, 4, 5], "int64")) == 24
    assert program("some_kernels") is kernels
    print("numba" in sys.modules, "numpy" in sys.modules)
"""

RECORDS = """
from typing import Annotated, NamedTuple
from pentad.kernels.types import Float64s, Int16s, Int32s, Int64s, RowSize, Rows, StoppableCounters, UInt64s, Word

class World(NamedTuple):
    pairs: Annotated[Rows[Int32s], RowSize(2)]
    cubes: Annotated[Rows[Rows[Int16s]], RowSize(2, 3)]
    share: float

class Stats(StoppableCounters):
    count: int
    least: int

class Run(NamedTuple):
    words: UInt64s
    world: World
    size: int
    stats: Stats
    most: Word
"""

RECORD_KERNELS = """
from typing import Annotated
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.parameters import with_types
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Array, FixedValue
from some_constants import *

@kernel
def add_up(number: int, world: World, stats: Stats) -> int:
    stats.count += 1
    if number < 0 or should_stop(stats):
        return 0
    stats.least = min(stats.least, world.pairs[number, 1])
    return world.pairs[number, 0] + add_up(number - 1, world, stats)

@kernel
def sum_of(row: Int16s) -> int:
    total = 0
    for n in range(len(row)):
        total += row[n]
    return total

@kernel
def use(run: Run, by: Word) -> float:
    world = run.world
    for n in range(len(run.words)):
        run.words[n] = min(run.words[n] + by, run.most)
    world.cubes[1, 0, 2] = sum_of(world.cubes[0, 1])
    return add_up(run.size - 1, world, run.stats) * world.share

@kernel
def largest(numbers: Array, times: Annotated[int, FixedValue(3)]) -> int:
    found = 0
    for n in range(len(numbers)):
        found = max(found, numbers[n])
    return found * times

NATIVE = {
    "use": use,
    "largest": with_types(largest, numbers=Int16s),
    "largest_long": with_types(largest, numbers=Int64s),
    "largest_real": with_types(largest, numbers=Float64s, times=Annotated[int, FixedValue(2)]),
}
"""

RECORDS_USED = """
    import sys
    import some_constants as k
    from pentad.kernels.buffers import array, flat, zeros
    from pentad.kernels.program import program
    kernels = program("record_kernels")
    words, stats = array([1, (1 << 64) - 5], k.UInt64s), k.Stats()
    world = k.World(array(range(10), k.Rows[k.Int32s]), array(range(12), k.Rows[k.Rows[k.Int16s]]), 0.5)
    run = k.Run(words, world, 4, stats, (1 << 64) - 4)
    stats.least = 2
    assert kernels("use", run, 2) == (0 + 2 + 4 + 6) * 0.5
    assert list(words) == [3, (1 << 64) - 4], list(words)
    assert list(flat(world.cubes)) == [0, 1, 2, 3, 4, 5, 6, 7, 12, 9, 10, 11]
    assert (stats.count, stats.least) == (5, 1)
    use = kernels.bind("use", run)
    stats.stop = 1
    assert use(0) == 0.0
    assert (stats.count, stats.least) == (6, 1)
    assert kernels("largest", array([2, -7], "int16")) == 6
    assert kernels("largest_long", array([1 << 40], "int64")) == 3 << 40
    assert kernels("largest_real", array([1.5, 2.0], "float64")) == 4
    print("numba" in sys.modules, "numpy" in sys.modules)
"""

SOLVED = """
    import sys
    from pentad.games.pentago import from_number, solve
    print(solve(from_number(4312211864716913874)).value, "numba" in sys.modules, "numpy" in sys.modules)
"""


@pytest.fixture
def kernels(tmp_path):
    """A folder with a module of kernels."""
    (tmp_path / "some_kernels.py").write_text(MODULE)
    return tmp_path


def test_machine_code_is_kept_and_used_without_the_compiler(kernels):
    place = {"PENTAD_CACHE": str(kernels / "cache")}
    for _ in range(2):  # the second round takes it from the cache
        assert run(USED, kernels, **place) == ("False False", "")
    (index,) = (kernels / "cache").glob("kernels-*/some_kernels-*.json")
    assert sorted(json.loads(index.read_text())) == ["add", "count", "cube", "is_small", "mean", "transpose"]
    assert len([*index.parent.glob("some_kernels-*.o")]) == 1


def write_records(folder):
    (folder / "some_constants.py").write_text(RECORDS)
    (folder / "record_kernels.py").write_text(RECORD_KERNELS)


def test_records_as_machine_code_and_as_python(tmp_path):
    write_records(tmp_path)
    place = {"PENTAD_CACHE": str(tmp_path / "cache")}
    assert run(RECORDS_USED, tmp_path, **place) == ("False False", "")
    assert run(RECORDS_USED, tmp_path, NUMBA_DISABLE_JIT="1", **place)[0] == "False False"


def test_python_calls_a_kernel_with_records_of_numpy(tmp_path):
    write_records(tmp_path)
    called = """
        import numpy as np
        import record_kernels as k
        pairs, cubes = np.arange(10, dtype=np.int32).reshape(-1, 2), np.arange(12, dtype=np.int16).reshape(-1, 2, 3)
        words, stats = np.array([1, 5], np.uint64), k.Stats()
        world = k.World(pairs, cubes, 0.5)
        for count in (5, 10):
            assert k.use(k.Run(words, world, 4, stats, 7), np.uint64(3)) == 6.0
            assert stats.count == count
        assert (words.tolist(), cubes[1, 0].tolist()) == ([7, 7], [6, 7, 12])
        assert len(k.use.signatures) == len(k.add_up.signatures) == 1
    """
    run(called, tmp_path, PENTAD_CACHE=str(tmp_path / "cache"))


@pytest.mark.slow
def test_results_are_the_same_with_numba_imported(kernels):
    found = run(USED.replace("import sys", "import sys, numba"), kernels, PENTAD_CACHE=str(kernels / "cache"))
    assert found == ("True True", "")


def test_results_are_the_same_without_the_jit(kernels):
    place = {"PENTAD_CACHE": str(kernels / "cache"), "NUMBA_DISABLE_JIT": "1"}
    assert run(USED, kernels, **place)[1] == ""
    assert not [*kernels.glob("cache/kernels-*/*.o")]


REFUSED = """
    import tempfile
    def refuse(*args, **more):
        raise OSError("no room")
    tempfile.mkdtemp = refuse
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "here"), [("", "False"), (REFUSED, "True")], ids=["a folder for the run", "no folder"]
)
def test_without_a_writable_cache(kernels, before, here):
    """The code is kept for the run; if that fails too, this process compiles it."""
    (kernels / "file").touch()
    output, errors = run(before + USED, kernels, PENTAD_CACHE=str(kernels / "file"))
    assert output.split()[0] == here
    assert errors.count("Cannot keep compiled kernels") == 1


@pytest.mark.slow
def test_the_solver_without_a_writable_cache(tmp_path):
    (tmp_path / "file").touch()
    output, errors = run(SOLVED, tmp_path, PENTAD_CACHE=str(tmp_path / "file"))
    assert output.split()[0] == "1"
    assert errors.count("Cannot keep compiled kernels") == 1


@pytest.mark.slow
def test_solving_loads_no_compiler(tmp_path):
    run(SOLVED, tmp_path)  # may have to compile
    assert run(SOLVED, tmp_path) == ("1 False False", "")


MOVES = """
    import sys
    import pentad
    here = pentad.load("{position}") if " " in "{position}" else pentad.new("{position}")
    print(pentad.bot(here.game, "{name}", level=2, seed=1).choose(here) in here.legal_moves)
    print("numba" in sys.modules, "numpy" in sys.modules)
"""
CLASSIC = "pentago ..w.w./...w../b...../....../b.w.b./...b.."


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("engine", CLASSIC),
        ("tree", CLASSIC),
        ("engine", "pentago players=3 b...../....../....../....../....../......"),
        ("tree", "pentagame"),
        ("alphabeta", "pentagame"),
    ],
)
def test_a_move_loads_no_compiler(name, position):
    program = MOVES.format(name=name, position=position)
    run(program)  # may have to compile
    assert run(program)[0].split("\n") == ["True", "False False"]


@pytest.mark.slow
def test_an_incomplete_cache_entry_is_compiled_again(kernels):
    place = {"PENTAD_CACHE": str(kernels / "cache")}
    run(USED, kernels, **place)
    (index,) = (kernels / "cache").glob("kernels-*/some_kernels-*.json")
    index.unlink()  # an interrupted process leaves none
    assert run(USED, kernels, **place)[0].split()[0] in ("True", "False")


@pytest.mark.slow
def test_code_of_another_level_is_not_loaded(kernels):
    place = {"PENTAD_CACHE": str(kernels / "cache")}
    run(USED, kernels, **place, PENTAD_PROCESSOR="x86-64-v2")
    (code,) = (kernels / "cache").glob("kernels-*/some_kernels-*.o")
    assert code.name.endswith(".x86-64-v2.o")
    assert run(USED, kernels, **place) == ("False False", "")  # code for a lower level runs too
    run(USED, kernels, **place, PENTAD_PROCESSOR="x86-64")  # compiled in this process


def test_an_unknown_kernel_raises():
    with pytest.raises(KeyError):
        Program({})("rows")
    assert not backends.is_jit_disabled()
