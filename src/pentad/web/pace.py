"""How often one address may begin something that is kept: nobody fills the lobby, or the disk, for everybody else."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

MOST, WITHIN = 300, 600.0  # new games, seats and names, and the seconds in which there may be so many
_MOST_KNOWN = 10_000  # addresses that are remembered


class Pace:
    """Counts what each address begins; this machine's own may begin what it likes."""

    def __init__(self, clock: Callable[[], float], most: int = MOST, within: float = WITHIN) -> None:
        self._clock, self._most, self._within = clock, most, within
        self._since = clock()
        self._counts: dict[str, int] = {}

    def allows(self, address: str) -> bool:
        """Count one more; whether that is not too many."""
        if _is_own(address):
            return True
        now = self._clock()
        if now - self._since >= self._within or len(self._counts) >= _MOST_KNOWN:
            self._since, self._counts = now, {}
        self._counts[address] = self._counts.get(address, 0) + 1
        return self._counts[address] <= self._most


def _is_own(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
