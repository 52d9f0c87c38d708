"""Machine code alone: kernels that are called without the compiler, or as Python, or compiled where nothing is kept."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from pentad import kernel, native

MODULE = """
import numpy as np
from pentad.kernel import kernel

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

NATIVE = {"add": (add, "uint64[] uint32[] int64[] uint64"), "count": (len_of := kernel(lambda a: len(a)), "int64[]")}
"""

USED = """
    import sys
    from pentad.native import program, words
    numbers, small, signed = words(3), words(3, "uint32"), words(3, "int64")
    numbers[0], small[1], signed[2] = 1 << 62, (1 << 32) - 1, -(1 << 62)
    kernels = program("some_kernels")
    assert kernels("add", numbers, small, signed, (1 << 64) - 1) == 3
    assert list(numbers) == [(1 << 63) - 1, (1 << 64) - 1, (1 << 64) - 1], list(numbers)
    assert list(small) == [0, 0, 2], list(small)
    assert list(signed) == [0, -1, -(1 << 62) - 2], list(signed)
    assert kernels("add", numbers[1:2], small[1:], signed[1:], 3) == 1
    assert list(numbers) == [(1 << 63) - 1, 1, (1 << 64) - 1], list(numbers)
    assert kernels("count", signed[3:]) == 0
    assert program("some_kernels") is kernels
    print("numba" in sys.modules)
"""

SOLVED = """
    import sys
    from pentad.pentago import from_number, solve
    print(solve(from_number(4312211864716913874)).value, "numba" in sys.modules, "numpy" in sys.modules)
"""


def run(program, folder, **environment):
    """Run a program in a process of its own: what it printed, what it said on the error stream."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


@pytest.fixture
def kernels(tmp_path):
    """A folder with a module of kernels."""
    (tmp_path / "some_kernels.py").write_text(MODULE)
    return tmp_path


def test_words_are_whole_numbers_and_zero():
    for kind, most, least in (
        ("uint64", (1 << 64) - 1, 0),
        ("int64", (1 << 63) - 1, -(1 << 63)),
        ("uint32", (1 << 32) - 1, 0),
    ):
        made = native.words(5000, kind)
        assert len(made) == 5000
        assert not any(made)
        for number in (most, least):
            made[4999] = number
            assert made[4999] == number
        with pytest.raises((ValueError, OverflowError)):
            made[0] = most + 1


def test_no_words_and_large_pages():
    assert len(native.words(0)) == 0
    large = native.words(1 << 20, huge=True)
    large[-1] = 7
    assert (len(large), large[0], large[-1]) == (1 << 20, 0, 7)


def test_words_of_another_kind_are_unknown():
    with pytest.raises(KeyError):
        native.words(1, "float64")


def test_machine_code_is_kept_and_used_without_the_compiler(kernels):
    cache = {"PENTAD_CACHE": str(kernels / "cache")}
    for _ in range(2):  # from nothing, and again
        assert run(USED, kernels, **cache) == ("False", "")
    (index,) = (kernels / "cache").glob("kernels-*/some_kernels.json")
    told = json.loads(index.read_text())
    assert sorted(told["kernels"]) == ["add", "count"]
    assert all((index.parent / each["file"]).exists() for each in told["kernels"].values())


def test_beside_the_compiler_it_does_the_same(kernels):
    told, said = run(USED.replace("import sys", "import sys, numba"), kernels, PENTAD_CACHE=str(kernels / "cache"))
    assert (told, said) == ("True", "")


def test_uncompiled_kernels_do_the_same(kernels):
    cache = {"PENTAD_CACHE": str(kernels / "cache"), "NUMBA_DISABLE_JIT": "1"}
    program = USED.replace("import sys", "import sys, numpy\n    numpy.seterr(all='ignore')")
    assert run(program, kernels, **cache)[1] == ""
    assert not [*kernels.glob("cache/kernels-*/*.o")]


REFUSED = """
    import tempfile
    def refuse(*args, **more):
        raise OSError("no room")
    tempfile.mkdtemp = refuse
"""


@pytest.mark.parametrize(("before", "here"), [("", "False"), (REFUSED, "True")], ids=["for the run", "not even that"])
def test_where_nothing_can_be_kept(kernels, before, here):
    """It is kept for the run; where that fails, too, the compiler works in this process."""
    (kernels / "file").touch()
    told, said = run(before + USED, kernels, PENTAD_CACHE=str(kernels / "file"))
    assert told == here
    assert said.count("cannot be kept") == 1


@pytest.mark.slow
def test_the_solver_where_nothing_can_be_kept(tmp_path):
    (tmp_path / "file").touch()
    told, said = run(SOLVED, tmp_path, PENTAD_CACHE=str(tmp_path / "file"))
    assert told.split()[0] == "1"
    assert said.count("cannot be kept") == 1


def test_solving_loads_no_compiler(tmp_path):
    run(SOLVED, tmp_path)  # which may have to compile
    assert run(SOLVED, tmp_path) == ("1 False False", "")


def test_kept_code_that_is_damaged_is_made_again_or_told(kernels):
    cache = {"PENTAD_CACHE": str(kernels / "cache")}
    run(USED, kernels, **cache)
    (index,) = (kernels / "cache").glob("kernels-*/some_kernels.json")
    index.unlink()  # as where a process was stopped in the middle
    assert run(USED, kernels, **cache)[0] in ("True", "False")


def test_an_unknown_kernel_is_told():
    with pytest.raises(KeyError):
        native.Program({})("rows")


def test_kernels_of_the_solver_name_what_they_are_given():
    from pentad.pentago.solver import pass_kernels

    for name, (function, kinds) in pass_kernels.NATIVE.items():
        plain = getattr(function, "py_func", function)
        assert plain.__code__.co_argcount == len(kinds.split()), name
        assert {kind.removesuffix(native.ARRAY) for kind in kinds.split()} <= {*native.LETTERS}
    assert kernel.uncompiled() == (os.environ.get("NUMBA_DISABLE_JIT") == "1")
