"""Pages in frames: each is there when it is read, and no plan has fewer loads."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pentad.games.pentago.solver import paging
from tests.properties import properties


@properties(60)
@given(st.integers(1, 6), st.data())
def test_pages_are_in_their_frames_when_they_are_read(frames: int, data: st.DataObject) -> None:
    read = data.draw(st.lists(st.lists(st.integers(0, 9), max_size=frames, unique=True), max_size=30))
    begin = data.draw(st.integers(0, len(read)))
    plan = paging.loads(read, begin, frames)
    held, used = dict[int, int](), dict.fromkeys(range(frames), begin - 1)
    for step, (pages, loads) in enumerate(zip(read, plan, strict=True)):
        assert step >= begin or not loads
        for load in loads:
            assert load.after == used[load.frame] < step  # it can be loaded early then
            held[load.frame] = load.page
        if step >= begin:
            assert {*pages} <= {*held.values()}
            used |= {frame: step for frame, page in held.items() if page in pages}
    assert held.keys() <= {*range(frames)}
    assert sum(map(len, plan)) == fewest_loads(read[begin:], frames)


def fewest_loads(read: Sequence[Sequence[int]], frames: int) -> int:
    """The number of loads if each replaces the page that is needed last, as Belady has proved."""
    held, count = set[int](), 0
    for step, pages in enumerate(read):
        for page in pages:
            if page not in held:
                count += 1
                if len(held) == frames:
                    held.remove(max(held - {*pages}, key=lambda each: next_use(read, step + 1, each)))
                held.add(page)
    return count


def next_use(read: Sequence[Sequence[int]], begin: int, page: int) -> int:
    return next((step for step in range(begin, len(read)) if page in read[step]), len(read))


def test_a_page_replaces_the_one_that_is_needed_last() -> None:
    plan = paging.loads([[0], [1], [2], [0], [1]], 0, 2)
    assert [[load.page for load in step] for step in plan] == [[0], [1], [2], [], [1]]


def test_the_last_use_of_each_page() -> None:
    assert paging.last_uses([[0, 1], [1, 2], [0], [2]], 1) == {0: 2, 1: 1, 2: 3}
