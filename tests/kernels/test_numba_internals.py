"""What kernels need of numba beyond its documented interface, with the installed version."""

import re
import tomllib
from pathlib import Path

import pytest

from pentad.kernels import backends

pytestmark = pytest.mark.skipif(backends.is_jit_disabled(), reason="JIT disabled")


def number(version):
    return tuple(map(int, re.findall("[0-9]+", version)[:2]))


def test_the_requirement_has_the_versions_with_which_it_holds():
    from pentad.kernels.numba_internals import VERSIONS

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = f"numba>={VERSIONS[0]},<{VERSIONS[1]}"
    assert {each for extra in extras.values() for each in extra if each.startswith("numba")} == {wanted}


def test_the_installed_version_is_one_of_them():
    import numba

    from pentad.kernels.numba_internals import VERSIONS

    assert number(VERSIONS[0]) <= number(numba.__version__) < number(VERSIONS[1])


def test_no_other_module_reaches_for_what_numba_does_not_document():
    documented = {"numba", "numba.extending", "numba.types"}
    for path in backends.sources():
        if path.name != "numba_internals.py":
            found = set(
                re.findall(r"^\s*(?:from|import) (numba[\w.]*)", path.read_text(encoding="utf-8"), re.MULTILINE)
            )
            assert found <= documented, path
            assert "_dynfunc" not in path.read_text(encoding="utf-8"), path


def test_functions_are_compiled_together():
    from numba import types

    from pentad.kernels.decorator import numba_compiler
    from pentad.kernels.numba_internals import compiled_together, watching

    inner = numba_compiler()(lambda number: number + 1)
    begun = []
    with watching(lambda function: begun.append(function), lambda: begun.append("typed"), lambda: begun.append("end")):
        text, found = compiled_together("some", {"outer": (lambda number: 2 * inner(number), (types.int64,))})
    assert found["outer"].result == "int64"
    assert f"define i32 @{found['outer'].symbol}" in text
    assert begun == [inner.py_func, "typed", "end", "typed"]  # the outer one is no kernel


def test_a_kernel_is_compiled_for_its_signature_when_it_is_used():
    from numba import types

    from pentad.kernels.decorator import numba_compiler
    from pentad.kernels.numba_internals import compile_when_used

    asked = []

    def signature():
        asked.append(True)
        return types.float64(types.float64)

    half = compile_when_used(numba_compiler()(lambda number: number / 2), signature)
    assert not half.signatures
    assert not asked
    assert (half(3), half(5.0)) == (1.5, 2.5)
    assert half.signatures == [(types.float64,)]
