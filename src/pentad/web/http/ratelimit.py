"""Rate limits by address and network: token buckets that begin full and refill over time.

The latest keys are tracked, up to a bound. Those over their limit have a table of their own, so that a flood of new
addresses does not push them out.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from pentad.system.words import count, phrase

MOST_KNOWN = 10_000  # keys in each table
_ROUNDING = 1e-6  # a tolerance for rounding errors, in units of one request

# Whatever counts a request, such as the networks of an address, and how many times the rate each has. Without any there
# is no limit.
Keys: TypeAlias = Mapping[str, float]


class Rate(NamedTuple):
    """So many at once, and as many again within so many seconds."""

    most: int
    within: float

    @property
    def each(self) -> float:
        """The seconds for one more."""
        return self.within / self.most


class Bucket(NamedTuple):
    """A key's use of its limit: when the bucket will be full again, and the number of refusals."""

    full: float
    refused: int


class RateLimiter:
    """A rate for each key."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self.rate, self._clock = rate, clock
        self._within: OrderedDict[str, Bucket] = OrderedDict()
        self._over: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, keys: Keys) -> float:
        """Counts one more by each key: 0 if that is within all limits, else the seconds until it will be."""
        now = self._clock()
        buckets = {key: self._bucket(key, now) for key in keys}
        waits = {key: self._wait(buckets[key], times, now) for key, times in keys.items()}
        over = {key for key, wait in waits.items() if wait > _ROUNDING * self.rate.each / keys[key]}
        for key, (full, refused) in buckets.items():
            if key in over:
                self._keep(self._over, key, Bucket(full, refused + 1))
            else:  # another key's refusal does not count here
                self._keep(self._within, key, Bucket(full + (0 if over else self.rate.each / keys[key]), refused))
        return max((waits[key] for key in over), default=0.0)

    def reserve(self, keys: Keys) -> float:
        """Counts one more by each key in any case: the seconds until that is within all limits."""
        now, longest = self._clock(), 0.0
        for key, times in keys.items():
            bucket = self._bucket(key, now)
            longest = max(longest, self._wait(bucket, times, now))
            self._keep(self._within, key, Bucket(bucket.full + self.rate.each / times, 0))
        return longest

    def refused(self, keys: Keys) -> int:
        """How often one of these keys was refused since its bucket was last full."""
        buckets = (self._over.get(key) or self._within.get(key) for key in keys)
        return max((bucket.refused for bucket in buckets if bucket), default=0)

    def _wait(self, bucket: Bucket, times: float, now: float) -> float:
        """The seconds until one more is within the limit."""
        return max(0.0, bucket.full + self.rate.each / times - self.rate.within - now)

    def _bucket(self, key: str, now: float) -> Bucket:
        known = self._over.pop(key, None) or self._within.pop(key, None)
        return known if known and known.full > now else Bucket(now, 0)

    @staticmethod
    def _keep(table: OrderedDict[str, Bucket], key: str, bucket: Bucket) -> None:
        table[key] = bucket
        if len(table) > MOST_KNOWN:
            table.popitem(last=False)


def too_many(things: str, wait: float) -> str:
    """The message for an address that exceeds a limit.

    >>> too_many("requests", 3.2)
    'Too many requests from your address. Try again in 4 seconds.'
    """
    if not wait:
        return phrase("Too many {things} from your address. Close some and try again.", things=things)
    seconds = math.ceil(wait)
    return phrase(
        "Too many {things} from your address. Try again in {time}.", things=things, time=count(seconds, "second")
    )
