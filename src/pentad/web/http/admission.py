"""Admission: who may change something or open a socket, by the bans and the maintenance that operators have set.

All of it is in memory, as each request asks for it.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

from pentad.store.rows import BAN, MUTE, BanRow, NoticeRow
from pentad.system.words import count, phrase
from pentad.web.http.client_address import Address, prefix
from pentad.web.http.identity import GAMES, hash_of

TurnedAway: TypeAlias = tuple[int, str]  # the status and the reason

BANNED, CLOSED = 403, 503
CLOSE_CODES = {BANNED: 4403, CLOSED: 4503}  # those that sockets get
MAX_REASON_BYTES = 123  # a socket's reason can have no more
NEAR_END = 120.0  # so many seconds before the server closes no new game begins
OPERATORS = "/api/admin/"  # an operator who has banned their own network can lift the ban


class Ban(NamedTuple):
    """Until when, None for good, and why."""

    until: float | None
    reason: str


class Admission:
    """Bans, mutes and maintenance."""

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        self._wall = wall
        self._persons: dict[bytes, Ban] = {}
        self._networks: dict[str, Ban] = {}
        self._bits: dict[int, list[int]] = {}  # the lengths of the banned networks, by IP version
        self._muted: dict[int, Ban] = {}
        self._closing: NoticeRow | None = None

    def update(self, bans: Iterable[BanRow], closing: NoticeRow | None) -> None:
        """Takes over the bans and mutes of now, and when the server closes."""
        self._persons, self._networks, self._muted, self._closing = {}, {}, {}, closing
        bits = defaultdict[int, set[int]](set)
        for row in bans:
            ban = Ban(row.until, row.reason)
            if row.kind == MUTE and row.person is not None:
                self._muted[row.person] = ban
            elif row.kind == BAN and row.person is not None:
                self._persons |= dict.fromkeys(row.keys, ban)
            elif row.kind == BAN and row.network is not None:
                self._networks[row.network] = ban
                bits[6 if ":" in row.network else 4].add(int(row.network.rpartition("/")[2]))
        self._bits = {version: sorted(lengths) for version, lengths in bits.items()}

    def refusal(self, method: str, path: str, address: Address, cookie: str) -> TurnedAway | None:
        """Why a client may not do this now, with the status; None if it may. The method of a socket is empty."""
        if path.startswith(OPERATORS):
            return None
        if self._closing and (closed := self._closed_to(self._closing, method, path)):
            return CLOSED, closed
        if self._persons and cookie and (ban := self._persons.get(hash_of(cookie))) and self._holds(ban):
            return BANNED, self._sentence("You are banned", ban)
        if self._networks and address and (ban := self._ban_at(address)):
            return BANNED, self._sentence("This network is banned", ban)
        return None

    def muted(self, person: int) -> str:
        """Why a person may not write in chats; empty if they may."""
        ban = self._muted.get(person)
        return self._sentence("You are muted", ban) if ban and self._holds(ban) else ""

    @property
    def closed(self) -> str:
        """Why the server is closed; empty if it is not."""
        closing = self._closing
        return closed_text(closing.text) if closing and self._left(closing) <= 0 else ""

    def _closed_to(self, closing: NoticeRow, method: str, path: str) -> str:
        left = self._left(closing)
        if left <= 0:
            return closed_text(closing.text)
        if left > NEAR_END or not method or not path.startswith(GAMES):
            return ""
        seconds = count(math.ceil(left), "second")
        return phrase("The server closes for maintenance in {seconds}. New games start after it.", seconds=seconds)

    def _left(self, closing: NoticeRow) -> float:
        return (closing.due or 0.0) - self._wall()

    def _ban_at(self, address: Address) -> Ban | None:
        for bits in self._bits.get(6 if ":" in address else 4, ()):
            ban = self._networks.get(prefix(address, bits))
            if ban and self._holds(ban):
                return ban
        return None

    def _holds(self, ban: Ban) -> bool:
        return ban.until is None or ban.until > self._wall()

    @staticmethod
    def _sentence(beginning: str, ban: Ban) -> str:
        until = phrase(" until {time}", time=time_text(ban.until)) if ban.until is not None else ""
        reason = f": {ban.reason.rstrip('.')}" if ban.reason else ""
        return f"{beginning}{until}{reason}."


def closed_text(why: str) -> str:
    """Why the server does nothing now.

    >>> closed_text("Back at noon.")
    'The server is closed for maintenance. Back at noon.'
    """
    return " ".join(filter(None, ("The server is closed for maintenance.", why)))


def time_text(at: float) -> str:
    """A time of the wall clock for people.

    >>> time_text(1796636400.0)
    '7 December 2026, 09:40 UTC'
    """
    moment = datetime.fromtimestamp(min(at, 253402300799.0), UTC)  # the last second of the year 9999
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def reason_of_socket(text: str) -> str:
    """A text that fits into the closing of a socket."""
    data = text.encode()
    return text if len(data) <= MAX_REASON_BYTES else data[: MAX_REASON_BYTES - 3].decode(errors="ignore") + "…"
