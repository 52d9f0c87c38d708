"""Where machine code is loaded in a process with much reserved memory."""

import sys

import pytest

from pentad.kernels import backends, cache
from tests.programs import run

# Holes of a page between gigabytes that are reserved: what is allocated in two of them is far apart.
SCATTERED = """
    import ctypes, random
    from pentad.kernels.memory_map import _system

    system = _system()
    holes = []
    for _ in range(300):
        holes.append(system.mmap(None, 1 << 12, 0, 0x4022, -1, 0))  # PROT_NONE, MAP_NORESERVE
        system.mmap(None, 3 << 30, 0, 0x4022, -1, 0)
    for place in random.Random(1).sample(holes, 150):
        system.munmap(place, 1 << 12)
"""


@pytest.mark.slow
def test_code_is_loaded_where_only_small_gaps_are_free():
    if not sys.platform.startswith("linux") or backends.is_jit_disabled():
        pytest.skip("needs Linux and machine code")
    cache.ensure_compiled("pentad.grammar.arrays.kernels")
    loading = """
    from pentad.kernels.program import program

    print(program("pentad.grammar.arrays.kernels") is not None)
    """
    assert run(SCATTERED + loading) == ("True", "")
