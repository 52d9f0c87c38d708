"""The decorator of kernels: when they are compiled, and for which types."""

import textwrap

import pytest

from pentad.kernels import backends
from tests.programs import run

pytestmark = pytest.mark.skipif(backends.is_jit_disabled(), reason="JIT disabled")

KERNELS = """
    import numpy as np
    from pentad.kernels.decorator import kernel
    from pentad.kernels.types import Int64s

    @kernel
    def ways(steps: int, lengths: Int64s) -> int:
        if steps == 0:
            return 1
        total = 0
        for n in range(len(lengths)):
            if lengths[n] <= steps:
                total += ways(steps - lengths[n], lengths)
        return total

    @kernel
    def twice(steps, lengths):
        return 2 * ways(np.int32(steps), lengths)
"""

COUNTED = """
    import numpy as np
    from counted_kernels import twice, ways
    lengths = np.array([1, 2])
    assert not ways.signatures  # its definition compiles nothing
    {first}
    print(ways(5, lengths), ways(np.uint8(5), lengths), twice(5, lengths), len(ways.signatures))
    for bad in ("five", lengths), (5, lengths / 2):
        try:
            ways(*bad)
        except TypeError as error:
            print("refused")
"""

IN_THREADS = """
    import threading
    import numpy as np
    from counted_kernels import ways
    lengths, found = np.array([1, 2]), []
    start = threading.Barrier(3)

    def count():
        start.wait()
        found.append(ways(5, lengths))

    threads = [threading.Thread(target=count) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    print(found)
"""

WRONG = """
    import numpy as np
    from counted_kernels import ways
    try:
        ways(5, np.array([0.5, 1.5]))
    except TypeError as error:
        print("refused")
"""


@pytest.mark.slow
@pytest.mark.parametrize("first", ["ways(1, lengths)", "twice(1, lengths)"], ids=["from Python", "from a kernel"])
def test_a_kernel_with_a_signature_is_compiled_once_when_it_is_first_used(tmp_path, first):
    (tmp_path / "counted_kernels.py").write_text(textwrap.dedent(KERNELS))
    program = COUNTED.format(first=first)
    assert run(program, tmp_path, PENTAD_CACHE=str(tmp_path / "cache"))[0].split() == [
        "8",
        "8",
        "16",
        "1",
        "refused",
        "refused",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "output"), [(IN_THREADS, "[8, 8, 8]"), (WRONG, "refused")])
def test_the_first_call(tmp_path, program, output):
    """Several threads may make it, and wrong types are refused."""
    (tmp_path / "counted_kernels.py").write_text(textwrap.dedent(KERNELS))
    assert run(program, tmp_path, PENTAD_CACHE=str(tmp_path / "cache"))[0] == output
