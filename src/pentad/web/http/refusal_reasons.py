"""Reasons for which the server refuses requests, sockets and games: each refusal is counted and logged."""

from __future__ import annotations

import logging
from enum import StrEnum

from pentad.system.metrics import CounterMetric
from pentad.web.http.request_context import CURRENT

log = logging.getLogger(__name__)


class Reason(StrEnum):
    """Why a request or a socket is refused."""

    HOST = "host"  # it is for another name than that of the server
    ORIGIN = "origin"  # it comes from another site's page
    LENGTH = "length"  # the length of its body is stated twice
    SIZE = "size"  # its body is too long
    SLOW = "slow"  # its body did not arrive in time
    RATE = "rate"  # there are too many from its address or network
    SOCKETS = "sockets"  # too many of its person, address or network are open, or it made room for another
    GAMES = "games"  # too many games of its person, address or network are open
    FULL = "full"  # the server has no free room
    STORAGE = "storage"  # its person, its network or all have no room for more studies
    QUEUE = "queue"  # a queue is full
    AUTH = "auth"  # a secret is wrong or missing
    BANNED = "banned"  # its person or network is banned
    CLOSED = "closed"  # the server is closed for maintenance
    DATABASE = "database"  # the database cannot be read or written
    STOPPING = "stopping"  # the server is being stopped


REFUSALS = CounterMetric("pentad_refusals_total", "Refused requests and sockets, by reason.", "reason", values=Reason)

# Of refusals before a service is asked.
OF_STATUS = {
    400: Reason.LENGTH,
    403: Reason.ORIGIN,
    408: Reason.SLOW,
    413: Reason.SIZE,
    421: Reason.HOST,
    429: Reason.RATE,
    503: Reason.STOPPING,
}


def note_refusal(reason: Reason) -> None:
    """Counts a refusal and logs it with the client's address, or its network of an IPv6 address."""
    REFUSALS.add(reason)
    if context := CURRENT.get():
        level = logging.INFO if reason in (Reason.STOPPING, Reason.CLOSED) else logging.WARNING
        address = context.address or "this machine"
        about = {"reason": str(reason), "route": context.route, "address": address}
        log.log(level, "Refused (%s): %s from %s.", reason, context.route, address, extra={"fields": about})
