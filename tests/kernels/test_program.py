"""Kernels as drivers call them: without the compiler, as Python, or compiled in this process without a cache."""

import json

import pytest

from pentad.kernels import backends
from pentad.kernels.program import Program
from tests.kernels.programs import run

MODULE = """
import numpy as np
from pentad.kernels.compiler import kernel

@kernel
def twice(numbers):
    for n in range(len(numbers)):
        numbers[n] *= np.uint64(2)

@kernel
def add(numbers, small, signed, more):
    twice(numbers)
    for n in range(len(numbers)):
        numbers[n] += more
        small[n] += np.uint32(n)
        signed[n] -= n
    return len(numbers)

@kernel
def count(numbers):
    return len(numbers)

@kernel
def transpose(rows, to):
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            to[j, i] = rows[i, j]

@kernel
def mean(rows, share):
    total = 0.0
    for i in range(len(rows)):
        total += rows[i]
    return total / len(rows) * share

@kernel
def is_small(number):
    return number < 10

@kernel
def power(exponent, numbers):
    result = 1
    for n in range(exponent):
        result *= numbers[n]
    return result

NATIVE = {
    "add": (add, "uint64[] uint32[] int64[] uint64"),
    "count": (count, "int64[]"),
    "transpose": (transpose, "int16[,3] int16[,2]"),
    "mean": (mean, "float32[] float64"),
    "is_small": (is_small, "int64"),
    "cube": (power, "=3 int64[]"),
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
    for _ in range(2):  # from scratch, then from the cache
        assert run(USED, kernels, **place) == ("False False", "")
    (index,) = (kernels / "cache").glob("kernels-*/some_kernels-*.json")
    assert sorted(json.loads(index.read_text())) == ["add", "count", "cube", "is_small", "mean", "transpose"]
    assert len([*index.parent.glob("some_kernels-*.o")]) == 1


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
    index.unlink()  # as after an interrupted process
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
