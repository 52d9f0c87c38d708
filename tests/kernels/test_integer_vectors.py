"""Vectors of integers in kernels: machine code and Python give the same numbers."""

import pytest

from pentad.kernels import backends
from tests.programs import run

MODULE = """
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.integer_vectors import (
    copy_shorts, first_words, larger, last_words, load_shorts, load_words, products, repeat_pair, same_shorts,
    same_words, shorts_in, smaller, store, total, words_in,
)
from pentad.kernels.types import Int16s, Int32s, Int64s

@kernel
def use_all(shorts: Int16s, words: Int32s, out: Int16s, wide: Int32s, sums: Int64s) -> int:
    a, b = load_shorts(shorts, np.uint64(0)), load_shorts(shorts, np.uint64(17))
    store(out, np.uint64(0), a + b * same_shorts(3))
    store(out, np.uint64(16), larger(a, b) >> 3)
    store(out, np.uint64(32), smaller(a, repeat_pair(shorts, np.uint64(5))))
    store(wide, np.uint64(0), first_words(a - b) * same_words(70_000))
    store(wide, np.uint64(8), last_words(b) - first_words(a))
    c, d = load_words(words, np.uint64(0)), load_words(words, np.uint64(9))
    sums[0] = total(c + d)
    sums[1] = total(smaller(c * d >> 10, same_words(1000)))
    sums[2] = total(larger(c, d))
    sums[3] = total(products(a, b))
    copy_shorts(shorts_in(sums), np.uint64(16), shorts, np.uint64(2))
    sums[8] = words_in(sums)[9]
    return 0

NATIVE = {"use_all": use_all}
"""

USED = """
    import random
    from pentad.kernels.buffers import array, zeros
    from pentad.kernels.program import program
    rng = random.Random(1)
    for bits in (4, 8, 14, 15):
        shorts = array([rng.randrange(-(1 << bits), 1 << bits) for _ in range(33)], "int16")
        words = array([rng.randrange(-(1 << 2 * bits), 1 << 2 * bits) for _ in range(17)], "int32")
        out, wide, sums = zeros(48, "int16"), zeros(16, "int32"), zeros(9, "int64")
        program("vector_kernels")("use_all", shorts, words, out, wide, sums)
        print(list(out), list(wide), list(sums))
"""


@pytest.mark.skipif(backends.is_jit_disabled(), reason="JIT disabled")
def test_machine_code_and_python_give_the_same_numbers(tmp_path):
    (tmp_path / "vector_kernels.py").write_text(MODULE)
    compiled, _ = run(USED, tmp_path, PENTAD_CACHE=str(tmp_path / "cache"))
    plain, _ = run(USED, tmp_path, NUMBA_DISABLE_JIT="1")
    assert compiled == plain
    assert len(set(compiled.splitlines())) == 4
