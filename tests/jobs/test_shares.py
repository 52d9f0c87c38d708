"""Trees of shares: their sizes, the order of items, and which item gives way."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pentad.jobs.shares import Path, Shares
from tests.properties import properties

PATHS = st.tuples(st.sampled_from("ab"), st.sampled_from("cde"), st.sampled_from("fg")).map(
    lambda names: tuple("/".join(names[: i + 1]) for i in range(3))
)


def tree(paths: list[Path]) -> Shares[int]:
    """A tree with a number on each path."""
    shares: Shares[int] = Shares()
    for number, path in enumerate(paths):
        shares.add(path, number)
    return shares


@given(st.lists(PATHS), st.data())
@properties(100)
def test_sizes_count_the_items_below_and_empty_shares_are_gone(paths: list[Path], data: st.DataObject) -> None:
    shares = tree(paths)
    removed = set(data.draw(st.lists(st.sampled_from(range(len(paths))))) if paths else [])
    for number in removed:
        shares.remove(paths[number], number)
        shares.remove(paths[number], number)  # it is not there any more
    kept = [path for number, path in enumerate(paths) if number not in removed]
    names = Counter(path[: depth + 1] for path in kept for depth in range(3))
    assert shares.size == len(kept)
    for path, size in names.items():
        assert shares.along(path)[-1].size == size
    assert set(shares.below) == {path[0] for path in kept}


@given(st.lists(PATHS))
@properties(100)
def test_every_item_has_its_turn_and_parts_alternate(paths: list[Path]) -> None:
    shares = tree(paths)
    order = list(shares.in_turn(lambda _: 0))
    assert sorted(order) == list(range(len(paths)))
    sizes = Counter(path[0] for path in paths)
    first = 2 * min(sizes.values()) if len(sizes) == 2 else 0
    assert all(paths[one][0] != paths[other][0] for one, other in zip(order[:first:2], order[1:first:2], strict=True))


@given(st.lists(PATHS, min_size=1), PATHS)
@properties(200)
def test_the_largest_share_gives_way_unless_it_is_the_newcomers(paths: list[Path], newcomer: Path) -> None:
    sizes = Counter(path[: depth + 1] for path in paths for depth in range(3))
    surplus = tree(paths).surplus(newcomer)
    after = sizes + Counter(newcomer[: depth + 1] for depth in range(3))
    if not surplus:
        for depth in range(3):
            siblings = [
                size for path, size in sizes.items() if path[:depth] == newcomer[:depth] and len(path) == depth + 1
            ]
            assert after[newcomer[: depth + 1]] >= max(siblings, default=0)
        return
    (loser,) = {paths[number] for number in surplus}
    assert surplus == [number for number, path in enumerate(paths) if path == loser]
    parting = next(depth for depth in range(3) if loser[depth] != newcomer[depth])
    assert sizes[loser[: parting + 1]] > after[newcomer[: parting + 1]]
    for depth in range(parting, 3):
        siblings = [size for path, size in sizes.items() if path[:depth] == loser[:depth] and len(path) == depth + 1]
        assert sizes[loser[: depth + 1]] == max(siblings)
