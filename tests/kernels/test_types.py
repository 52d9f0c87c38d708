"""The types of kernels, as mypy reads them."""

import textwrap

import pytest
from mypy import api

from pentad.kernels.types import Counters, StoppableCounters

SOURCE = """
    from typing import Annotated, NamedTuple
    from pentad.kernels.types import Counters, Int32s, Int64s, RowSize, Rows, UInt64s, Word

    class Kept(NamedTuple):
        begins: Int64s
        slots: UInt64s
        pairs: Annotated[Rows[Int32s], RowSize(2)]
        cubes: Annotated[Rows[Rows[Int64s]], RowSize(2, 3)]

    class Stats(Counters):
        count: int

    def enter(number: Word, count: int, slots: UInt64s) -> None:
        slots[number] = count

    def add(pairs: Rows[Int32s], row: Int64s, stats: Stats) -> int:
        stats.count += pairs[1, 0] + row[2]
        return pairs[1, 0]

    def use(kept: Kept, stats: Stats) -> int:
        enter(3, 4, kept.slots)
        enter(3, 4, kept.slots[2:])
        {line}
        return add(kept.pairs, kept.cubes[1, 0], stats) + kept.cubes[1, 0, 2]
"""


def errors(line, folder):
    """What mypy says about a line of a kernel."""
    (folder / "some_kernels.py").write_text(textwrap.dedent(SOURCE).format(line=line))
    options = ["--strict", "--no-error-summary", "--config-file=", f"--cache-dir={folder}"]
    output, problems, _ = api.run([*options, str(folder / "some_kernels.py")])
    assert not problems
    return [each.partition(": error: ")[2] for each in output.splitlines() if ": error: " in each]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (
            "enter(3, 4, kept.begins)",
            'Argument 3 to "enter" has incompatible type "Int64s"; expected "UInt64s"  [arg-type]',
        ),
        ("stats.count -= 1", None),
        (
            "add(kept.pairs, kept.pairs[0], stats)",
            'Argument 2 to "add" has incompatible type "Int32s"; expected "Int64s"  [arg-type]',
        ),
        (
            "add(kept.slots, kept.begins, stats)",
            'Argument 1 to "add" has incompatible type "UInt64s"; expected "Rows[Int32s]"  [arg-type]',
        ),
        ("stats.counted += 1", '"Stats" has no attribute "counted"; maybe "count"?  [attr-defined]'),
    ],
)
def test_mypy_finds_a_swapped_array(line, wrong, tmp_path):
    assert errors(line, tmp_path) == ([wrong] if wrong else [])


class Visits(StoppableCounters):
    count: int
    depth: int


def test_counters_have_those_of_their_base_first():
    visits = Visits()
    visits.stop, visits.depth = 1, -7
    assert Visits.names == ("stop", "count", "depth")
    assert list(visits.memory) == [1, 0, -7]
    assert Visits(visits.memory).depth == -7


def test_a_counter_has_64_bits():
    visits = Visits()
    visits.count = (1 << 63) - 1
    with pytest.raises(ValueError, match="invalid value for format 'q'"):
        visits.count += 1
    assert issubclass(Visits, Counters)
