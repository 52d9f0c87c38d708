"""Rate limits by address: token buckets that begin full and refill over time.

The latest addresses are tracked, up to a bound. Addresses over their limit have a table of their own, so that a flood
of new addresses does not push them out.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from pentad.web.http.client_address import Address

MOST_KNOWN = 10_000  # addresses in each table


class Rate(NamedTuple):
    """So many at once, and as many again within so many seconds."""

    most: int
    within: float

    @property
    def each(self) -> float:
        """The seconds for one more."""
        return self.within / self.most


class Bucket(NamedTuple):
    """An address's use of its limit: when the bucket will be full again, and the number of refusals."""

    full: float
    refused: int


class RateLimiter:
    """A rate for each address; no limit for a program on this machine that connects directly."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self.rate, self._clock = rate, clock
        self._within: OrderedDict[Address, Bucket] = OrderedDict()
        self._over: OrderedDict[Address, Bucket] = OrderedDict()

    def take(self, address: Address) -> float:
        """Counts one more: 0 if that is within the limit, else the seconds until it will be."""
        if not address:
            return 0.0
        now = self._clock()
        bucket = self._bucket(address, now)
        wait = bucket.full + self.rate.each - self.rate.within - now
        if wait > self.rate.each * 1e-6:  # a tolerance for rounding errors
            self._keep(self._over, address, Bucket(bucket.full, bucket.refused + 1))
            return wait
        self._keep(self._within, address, Bucket(bucket.full + self.rate.each, bucket.refused))
        return 0.0

    def reserve(self, address: Address) -> float:
        """Counts one more in any case: the seconds until that is within the limit."""
        if not address:
            return 0.0
        now = self._clock()
        bucket = self._bucket(address, now)
        full = bucket.full + self.rate.each
        self._keep(self._within, address, Bucket(full, 0))
        return max(0.0, full - self.rate.within - now)

    def refused(self, address: Address) -> int:
        """How often this address was refused since its bucket was last full."""
        bucket = self._over.get(address) or self._within.get(address)
        return bucket.refused if bucket else 0

    def _bucket(self, address: Address, now: float) -> Bucket:
        known = self._over.pop(address, None) or self._within.pop(address, None)
        return known if known and known.full > now else Bucket(now, 0)

    @staticmethod
    def _keep(table: OrderedDict[Address, Bucket], address: Address, bucket: Bucket) -> None:
        table[address] = bucket
        if len(table) > MOST_KNOWN:
            table.popitem(last=False)
