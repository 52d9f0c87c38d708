"""Tree of shares: items by network, address and owner, where siblings have equal rights."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

Item = TypeVar("Item", bound=Hashable)
Path: TypeAlias = tuple[Hashable, ...]  # the names of shares, from the widest one to the one that has the items


@dataclass(eq=False, slots=True)
class Shares(Generic[Item]):
    """A share of everything: its items in order, or smaller shares by name. `size` counts the items in all of them."""

    size: int = 0
    below: dict[Hashable, Shares[Item]] = field(default_factory=dict)
    items: dict[Item, None] = field(default_factory=dict)

    def along(self, path: Path) -> list[Shares[Item]]:
        """This share, and all on a path; a missing one is empty."""
        shares = [self]
        for name in path:
            shares.append(shares[-1].below.get(name) or Shares())
        return shares

    def add(self, path: Path, item: Item) -> None:
        """Adds an item at the end of a path."""
        self.size += 1
        if path:
            self.below.setdefault(path[0], Shares()).add(path[1:], item)
        else:
            self.items[item] = None

    def remove(self, path: Path, item: Item) -> None:
        """Removes an item, if it is there."""
        shares = self.along(path)
        if item not in shares[-1].items:
            return
        del shares[-1].items[item]
        for each in shares:
            each.size -= 1
        for (share, part), name in zip(pairwise(shares), path, strict=True):
            if not part.size:
                del share.below[name]
                break  # the rest of the path goes with it

    def move_back(self, path: Path) -> None:
        """Moves each share on a path behind its equals."""
        for share, name in zip(self.along(path), path, strict=False):
            if name in share.below:
                share.below[name] = share.below.pop(name)

    def surplus(self, path: Path) -> list[Item]:
        """The items of the share that has to give one up for another item on this path.

        That is the largest share where the path leaves it: the widest network with the most, within it the narrower
        one with the most, and so on. There is none if the path itself would then be the largest.
        """
        for share, own in pairwise(self.along(path)):
            largest = share._largest
            if largest and largest.size > own.size + 1:
                while within := largest._largest:
                    largest = within
                return list(largest.items)
        return []

    @property
    def _largest(self) -> Shares[Item] | None:
        """The part with the most items, among equals the newest."""
        return max(reversed(self.below.values()), key=lambda each: each.size, default=None)

    def in_turn(self, rank: Callable[[Hashable], Any]) -> Iterator[Item]:
        """The first item of every part by rank, then the second of every part, and so on; and so in each part."""
        yield from list(self.items)
        lanes = deque(self.below[name].in_turn(rank) for name in sorted(self.below, key=rank))
        while lanes:
            lane = lanes.popleft()
            for item in lane:
                yield item
                lanes.append(lane)
                break
