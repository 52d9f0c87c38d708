"""Arrays without numpy, and numpy's files."""

import mmap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.kernels import buffers
from pentad.kernels.buffers import FORMATS, Arena, array, copy, grown, zeros
from pentad.kernels.math_kernels import exp
from pentad.kernels.npz import places_in, read_npz
from pentad.kernels.packing import address
from pentad.system.errors import GameError
from tests.cases import together


@together("kind", FORMATS)
@together("count", [0, 1, 5000, 100_000])
def test_arrays_begin_as_zeros(kind, count):
    made = zeros(count, kind)
    assert len(made) == count
    assert not any(made)
    assert made.itemsize == np.dtype(kind).itemsize
    assert np.asarray(made).dtype == kind


@pytest.mark.parametrize(
    ("kind", "least", "most"), [("uint64", 0, 2**64 - 1), ("int64", -(2**63), 2**63 - 1), ("int8", -128, 127)]
)
def test_arrays_hold_the_numbers_of_their_kind(kind, least, most):
    made = array([least, most], kind)
    assert list(made) == [least, most]
    with pytest.raises((ValueError, OverflowError)):
        made[0] = most + 1


def test_a_copy_has_memory_of_its_own():
    first = array([1, 2, 3, 4], "int16")
    second = copy(first[1:3])
    second[0] = 9
    assert (list(first), list(second)) == ([1, 2, 3, 4], [9, 3])


def test_large_pages():
    large = zeros(1 << 20, "uint64", huge=True)
    large[-1] = 7
    assert (len(large), large[0], large[-1]) == (1 << 20, 0, 7)


@pytest.mark.skipif(not buffers.HAS_LARGE_PAGES, reason="The system has no large pages.")
@pytest.mark.parametrize("small", [0.0001, 0.003])
def test_after_a_slow_large_page_a_part_has_small_ones_if_they_are_faster(small):
    """The time of each look is that of the memory touched before; the advice for each part is as the times say."""
    large, advised, calls = buffers.LARGE_PAGE, [], iter([0.0001, 0.004, small, 0.0001, *[0.0001] * 20])
    now = [0.0, False]

    class Memory(mmap.mmap):
        def madvise(self, kind, place, length):
            advised.append((kind, length // large))

    def seconds():
        now[0] += next(calls) if now[1] else 0.0
        now[1] = not now[1]
        return now[0]

    memory = Memory(-1, 40 * large, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    buffers.choose_pages(memory, seconds)
    kinds = [mmap.MADV_NOHUGEPAGE] if small < 0.002 else [mmap.MADV_NOHUGEPAGE, mmap.MADV_HUGEPAGE]
    assert advised == [(kind, 32) for kind in kinds]


@pytest.mark.skipif(not buffers.RECLAIMS, reason="The system takes no memory back.")
def test_an_arena_keeps_its_memory():
    arena, places = Arena(), []
    for count in (100_000, 50_000, 100_000):
        with arena.words(count) as words:
            words[count - 1] = 7
            assert len(words) == count
            places.append(address(words))
    assert len(set(places)) == 1
    with arena.words(200_000) as words:
        assert (len(words), words[-1]) == (200_000, 0)
    arena.release()
    with arena.words(200_000) as words:
        assert words[-1] == 0


def test_an_arena_in_use_is_not_shared():
    arena = Arena()
    with arena.words(1000) as first, arena.words(1000) as second:
        first[0], second[0] = 1, 2
        arena.release()
        assert (first[0], second[0], len(second)) == (1, 2, 1000)


def test_an_arena_keeps_nothing_that_the_system_cannot_take_back(monkeypatch):
    monkeypatch.setattr(buffers, "RECLAIMS", False)
    arena = Arena()
    with arena.words(1000) as words:
        words[5] = 1
    with arena.words(1000) as words:
        assert not any(words)


def test_an_unknown_kind_is_refused():
    with pytest.raises(KeyError):
        zeros(1, "complex128")


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "float32", "float64"])
def test_numpys_files_are_read(tmp_path, kind):
    rows = (np.arange(24).reshape(2, 3, 4) - 7).astype(kind)
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "some.npz", rows=rows, one=np.array([3.5], np.float32))
        found = read_npz(tmp_path / "some.npz")
        assert found["rows"].shape == (2, 3, 4)
        assert (np.asarray(found["rows"].values).reshape(2, 3, 4) == rows).all()
        assert list(found["one"].values) == [3.5]


def test_other_files_are_refused(tmp_path):
    np.savez(tmp_path / "some.npz", rows=np.array(["text"]))
    with pytest.raises(ValueError, match="Cannot read an array of type <U4"):
        read_npz(tmp_path / "some.npz")


def test_arrays_have_places_in_a_file(tmp_path):
    file, rows = tmp_path / "some.npz", np.arange(24, dtype=np.int16).reshape(4, 6)
    np.savez(file, rows=rows, one=np.array([3.5]))
    data, places = file.read_bytes(), places_in(file)
    assert (np.frombuffer(data[places["rows"] :][:48], np.int16) == rows.ravel()).all()
    assert np.frombuffer(data[places["one"] :][:8]) == [3.5]
    np.savez_compressed(file, rows=rows)
    with pytest.raises(GameError, match="is compressed"):
        places_in(file)


@pytest.mark.slow
@given(st.floats(-740, 700))
def test_the_exponential(x):
    assert exp(x) == pytest.approx(np.exp(x), rel=1e-15, abs=5e-324)


def test_the_exponential_beyond_all_numbers():
    assert (exp(-1000.0), exp(0.0), exp(1000.0)) == (0.0, 1.0, np.inf)


@pytest.mark.parametrize("count", [3, 20_000])
def test_a_grown_array_begins_with_the_old_elements(count):
    buffer = zeros(count, "uint32", huge=True)
    buffer[:] = array(range(count), "uint32")
    longer = grown(buffer, 5 * count, huge=True)
    assert list(longer) == [*range(count), *[0] * (4 * count)]
    assert longer.format == "I"


def test_an_array_is_copied_where_its_memory_cannot_be_moved():
    buffer = zeros(20_000, "uint64", huge=True)
    view = buffer[:10]  # as long as there is one, the memory stays where it is
    buffer[5] = 7
    longer = grown(buffer, 40_000)
    longer[5] += 1
    assert (longer[5], view[5], len(longer)) == (8, 7, 40_000)
