"""Open sockets: how many a network, an address and a person may have, and whose last one ends for another.

Where an address or a wider network has as many as it may, its largest share gives one up, if the newcomer has less than
that. Cookies cost nothing, so all persons at an address who have never played are one share there. A player who returns
to a running game always gets in.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Hashable, Mapping
from enum import Enum, auto

from pentad.jobs.shares import Path, Shares
from pentad.web.http.client_address import Address, networks

MAX_SOCKETS_OF_ADDRESS = 200
# The part of an address's sockets and messages for one person, so that neighbours keep the rest, and for all clients
# without a cookie from this server.
OF_PERSON, OF_STRANGERS = 1 / 4, 1 / 2


class ClientKind(Enum):
    """Who a client is, by its cookie."""

    STRANGER = auto()  # it has none that the server has given
    NEWCOMER = auto()  # a person who has never played
    PLAYER = auto()


class OpenSocket:
    """A socket, by its client's address, kind and cookie; `is_of_game` is whether it shows a game."""

    def __init__(self, address: Address, kind: ClientKind, key: str, *, is_of_game: bool = False) -> None:
        self.limits = _limits(address, kind, key)
        self.path: Path = tuple(self.limits)
        self.name = f"{address} strangers" if kind is ClientKind.STRANGER else f"{address} {hash(key)}"
        self.is_of_game = is_of_game
        self.block: asyncio.Timeout | None = None  # in which it is served
        self.makes_room = False  # whether it was ended for another

    @property
    def rate(self) -> Mapping[str, float]:
        """The part of an address's messages that its client may send."""
        return {self.name: list(self.limits.values())[-1]} if self.limits else {}

    def make_room(self) -> None:
        """Ends its block."""
        self.makes_room = True
        if self.block:
            end(self.block, 0.0)


def _limits(address: Address, kind: ClientKind, key: str) -> dict[Hashable, float]:
    """The shares that a socket counts to, from wide to narrow, and how many times the limits of an address each has.

    A program on this machine has no address, and none of these.
    """
    wide = networks(address)
    if not wide:
        return {}
    limits: dict[Hashable, float] = {}
    limits.update(wide.items())
    if kind is ClientKind.STRANGER:
        return limits | {kind: OF_STRANGERS}
    if kind is ClientKind.NEWCOMER:
        limits[kind] = math.inf
    return limits | {key: OF_PERSON}


class SocketPool:
    """The open sockets in a tree of shares."""

    def __init__(self) -> None:
        self._open: Shares[OpenSocket] = Shares()

    def __len__(self) -> int:
        return self._open.size

    def is_full_for(self, socket: OpenSocket) -> bool:
        """Whether another socket must end for this one."""
        return self._full(socket) is not None

    def add(self, socket: OpenSocket, *, must: bool) -> bool:
        """Adds a socket, in place of another if necessary; whether it has a place, as one that must have it always has.

        Within the share that gives a socket up, one that shows no game goes first.
        """
        if full := self._full(socket):
            share, rest = full
            candidates = list(reversed(share.surplus(rest)))
            if must:
                own = list(reversed(share.along(rest)[-1].items))
                candidates = candidates or own or list(share.in_turn(lambda _: 0))
            if not candidates:
                return False
            other = min(candidates, key=lambda each: each.is_of_game)
            self.remove(other)
            other.make_room()
        if socket.path:
            self._open.add(socket.path, socket)
        return True

    def remove(self, socket: OpenSocket) -> None:
        """Removes a socket, if it is there."""
        self._open.remove(socket.path, socket)

    def part(self, socket: OpenSocket) -> float:
        """The part of an address's messages for a client where all shares with sockets send as many as they may."""
        of_client = math.inf
        for share, times in zip(self._open.along(socket.path)[1:], socket.limits.values(), strict=True):
            of_client = min(of_client, times) / max(1, len(share.below))
        return of_client

    def _full(self, socket: OpenSocket) -> tuple[Shares[OpenSocket], Path] | None:
        """The narrowest share of a socket's path that has as many as it may, and the rest of the path."""
        shares = self._open.along(socket.path)[1:]
        for at, times in reversed(list(enumerate(socket.limits.values()))):
            if shares[at].size >= times * MAX_SOCKETS_OF_ADDRESS:
                return shares[at], socket.path[at + 1 :]
        return None


def end(block: asyncio.Timeout, at: float) -> None:
    """Ends a block at a time of the event loop's clock, unless it is ending already."""
    with contextlib.suppress(RuntimeError):
        block.reschedule(at)
