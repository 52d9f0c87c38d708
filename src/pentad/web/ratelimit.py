"""Rate limits by address: token buckets, of which each begins full and fills again as time goes by.

Addresses are remembered up to a bound, the latest; those that are over their limit have a table of their own, so that a
flood of new addresses does not make them forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from pentad.web.client_address import Address

MOST_KNOWN = 10_000  # addresses in each table


class Rate(NamedTuple):
    """So many at once, and as many again within some seconds."""

    most: int
    within: float

    @property
    def each(self) -> float:
        """The seconds after which there may be one more."""
        return self.within / self.most


class Bucket(NamedTuple):
    """How much of its limit an address has used: when nothing of it will be left, and how often it was refused."""

    full: float
    refused: int


class RateLimiter:
    """A rate for each address; a program on this machine that connects directly has none."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self.rate, self._clock = rate, clock
        self._within: OrderedDict[Address, Bucket] = OrderedDict()
        self._over: OrderedDict[Address, Bucket] = OrderedDict()

    def take(self, address: Address) -> float:
        """Count one more: 0 if that is within the limit, else the seconds after which it will be."""
        if not address:
            return 0.0
        now = self._clock()
        bucket = self._bucket(address, now)
        wait = bucket.full + self.rate.each - self.rate.within - now
        if wait > self.rate.each * 1e-6:  # not for what is lost in adding up
            self._keep(self._over, address, Bucket(bucket.full, bucket.refused + 1))
            return wait
        self._keep(self._within, address, Bucket(bucket.full + self.rate.each, bucket.refused))
        return 0.0

    def reserve(self, address: Address) -> float:
        """Count one more in any case: the seconds after which that will have been within the limit."""
        if not address:
            return 0.0
        now = self._clock()
        bucket = self._bucket(address, now)
        full = bucket.full + self.rate.each
        self._keep(self._within, address, Bucket(full, 0))
        return max(0.0, full - self.rate.within - now)

    def refused(self, address: Address) -> int:
        """How often this address was refused since it was last within its limit for long."""
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
