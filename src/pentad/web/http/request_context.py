"""The request that is being answered: what logs and metrics need of it, known to whatever runs for it."""

from __future__ import annotations

import secrets
from contextvars import ContextVar
from dataclasses import dataclass, field

from pentad.system.words import phrase
from pentad.web.http.client_address import DIRECT, Address

NUMBER_BYTES = 4
UNMATCHED = "none"  # the route of a request that fits none, or was refused before


def _new_number() -> str:
    return secrets.token_hex(NUMBER_BYTES)


@dataclass(slots=True)
class RequestContext:
    """A request or a socket: its number, which its response carries, its route, and the client's address."""

    number: str = field(default_factory=_new_number)
    route: str = UNMATCHED
    address: Address = DIRECT


CURRENT: ContextVar[RequestContext | None] = ContextVar("pentad.request", default=None)


def request_number() -> str:
    """The number of the current request; empty outside of one."""
    context = CURRENT.get()
    return context.number if context else ""


def with_number(text: str) -> str:
    """A message with the number of the current request, if there is one, so that a person can quote it."""
    number = request_number()
    return phrase("{text} Request {number}.", text=text, number=number) if number else text


def note_route(route: str) -> None:
    """Notes the route of the current request."""
    if context := CURRENT.get():
        context.route = route


def note_address(address: Address) -> None:
    """Notes the client's address of the current request."""
    if context := CURRENT.get():
        context.address = address
