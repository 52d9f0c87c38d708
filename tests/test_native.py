"""Native kernels: called without the compiler, as Python, or compiled in this process where there is no cache."""

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
    """Runs a program in its own process; returns its standard output and error stream."""
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


def test_words_begin_as_zeros_and_hold_integers():
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


def test_other_types_of_words_are_refused():
    with pytest.raises(KeyError):
        native.words(1, "float64")


def test_native_code_is_cached_and_used_without_the_compiler(kernels):
    cache = {"PENTAD_CACHE": str(kernels / "cache")}
    for _ in range(2):  # from scratch, then from the cache
        assert run(USED, kernels, **cache) == ("False", "")
    (index,) = (kernels / "cache").glob("kernels-*/some_kernels.json")
    content = json.loads(index.read_text())
    assert sorted(content["kernels"]) == ["add", "count"]
    assert all((index.parent / each["file"]).exists() for each in content["kernels"].values())


def test_results_are_the_same_with_numba_imported(kernels):
    found = run(USED.replace("import sys", "import sys, numba"), kernels, PENTAD_CACHE=str(kernels / "cache"))
    assert found == ("True", "")


def test_results_are_the_same_without_the_jit(kernels):
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


@pytest.mark.parametrize(
    ("before", "here"), [("", "False"), (REFUSED, "True")], ids=["a folder for the run", "no folder"]
)
def test_without_a_writable_cache(kernels, before, here):
    """The code is kept for the run; if that fails too, this process compiles it."""
    (kernels / "file").touch()
    output, errors = run(before + USED, kernels, PENTAD_CACHE=str(kernels / "file"))
    assert output == here
    assert errors.count("Cannot keep compiled kernels") == 1


@pytest.mark.slow
def test_the_solver_without_a_writable_cache(tmp_path):
    (tmp_path / "file").touch()
    output, errors = run(SOLVED, tmp_path, PENTAD_CACHE=str(tmp_path / "file"))
    assert output.split()[0] == "1"
    assert errors.count("Cannot keep compiled kernels") == 1


def test_solving_loads_no_compiler(tmp_path):
    run(SOLVED, tmp_path)  # may have to compile
    assert run(SOLVED, tmp_path) == ("1 False False", "")


def test_an_incomplete_cache_entry_is_compiled_again(kernels):
    cache = {"PENTAD_CACHE": str(kernels / "cache")}
    run(USED, kernels, **cache)
    (index,) = (kernels / "cache").glob("kernels-*/some_kernels.json")
    index.unlink()  # as after an interrupted process
    assert run(USED, kernels, **cache)[0] in ("True", "False")


def test_an_unknown_kernel_raises():
    with pytest.raises(KeyError):
        native.Program({})("rows")


def test_the_solvers_kernels_declare_their_arguments():
    from pentad.pentago.solver import pass_kernels

    for name, (function, kinds) in pass_kernels.NATIVE.items():
        plain = getattr(function, "py_func", function)
        assert plain.__code__.co_argcount == len(kinds.split()), name
        assert {kind.removesuffix(native.ARRAY) for kind in kinds.split()} <= {*native.LETTERS}
    assert kernel.is_jit_disabled() == (os.environ.get("NUMBA_DISABLE_JIT") == "1")
