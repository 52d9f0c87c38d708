"""Chi-square statistics, for tests of random games with a fixed seed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable

FAR = 5.0  # standard deviations; chance alone goes so far once in some hundred thousand tests
FEWEST = 5.0  # the least number that is expected of a category; rarer ones are counted together


def from_uniform(found: Iterable[Hashable], categories: int) -> float:
    """How far the counts of some values are from equal counts of so many categories, in standard deviations."""
    counts = Counter(found)
    assert len(counts) <= categories
    each = counts.total() / categories
    assert each >= FEWEST
    squares = sum((count - each) ** 2 / each for count in counts.values()) + each * (categories - len(counts))
    return _deviations(squares, categories - 1)


def apart(one: Iterable[Hashable], other: Iterable[Hashable]) -> float:
    """How far two samples are from one distribution, in standard deviations."""
    counts = Counter(one), Counter(other)
    total, both = [each.total() for each in counts], counts[0] + counts[1]
    share = min(total) / sum(total)
    groups: dict[Hashable, tuple[int, int]] = {}
    for value, count in both.items():
        name = value if count * share >= FEWEST else "rare"
        before = groups.get(name, (0, 0))
        groups[name] = before[0] + counts[0][value], before[1] + counts[1][value]
    assert len(groups) > 1
    squares = sum(
        (found - expected) ** 2 / expected
        for group in groups.values()
        for found, size in zip(group, total, strict=True)
        for expected in [sum(group) * size / sum(total)]
    )
    return _deviations(squares, len(groups) - 1)


def _deviations(squares: float, freedom: int) -> float:
    """The distance of a chi-square statistic from its mean."""
    return (squares - freedom) / math.sqrt(2 * freedom)
