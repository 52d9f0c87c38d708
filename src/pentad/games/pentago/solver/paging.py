"""Pages of rows in memory: which of a level are read before each page of the next one is made, and into which frame.

The order is known in advance. So a page replaces the one that is needed last.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

NEVER = 1 << 40  # it is after all other steps


class Load(NamedTuple):
    """A page that is read into a frame, which is free after a step."""

    page: int
    frame: int
    after: int


def loads(read: Sequence[Sequence[int]], begin: int, frames: int) -> list[list[Load]]:
    """For each step the pages to load before it; `read` has the pages that it reads.

    Steps before `begin` are done. No step may read more pages than there are frames.

    >>> loads([[0, 1], [1, 2], [0, 2]], 0, 2)[2]
    [Load(page=0, frame=0, after=1)]
    """
    following: list[list[int]] = [[] for _ in read]  # a page may be read again, at one of these steps
    later: dict[int, int] = {}
    for step in range(len(read) - 1, begin - 1, -1):
        following[step] = [later.get(page, NEVER) for page in read[step]]
        later.update(dict.fromkeys(read[step], step))
    found: list[list[Load]] = [[] for _ in read]
    places: dict[int, int] = {}  # the frames of pages
    uses: dict[int, int] = {}  # the next step that reads a page
    queue: list[tuple[int, int]] = []  # these steps, negative, and the pages: the last one first, old entries too
    free = list(range(frames))
    used = [begin - 1] * frames  # the last step that reads the page of each frame
    for step in range(begin, len(read)):
        for page in read[step]:
            if page not in places:
                while not free:
                    use, last = heappop(queue)
                    if uses.get(last) == -use > step:
                        free.append(places.pop(last))
                        del uses[last]
                places[page] = free.pop()
                found[step].append(Load(page, places[page], used[places[page]]))
            uses[page] = step
        for page, use in zip(read[step], following[step], strict=True):
            uses[page], used[places[page]] = use, step
            heappush(queue, (-use, page))
    return found


def last_uses(read: Sequence[Sequence[int]], begin: int) -> dict[int, int]:
    """The last step that reads each page."""
    return {page: step for step in range(begin, len(read)) for page in read[step]}
