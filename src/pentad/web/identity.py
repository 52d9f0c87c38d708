"""Who somebody is: no account, but a secret that their browser keeps and the server only knows by its hash."""

from __future__ import annotations

import hashlib
import secrets

from fastapi import Request, Response, WebSocket
from starlette.requests import HTTPConnection

from pentad.game import GameError
from pentad.store import Store
from pentad.store.rows import Person
from pentad.web.client_address import address_of
from pentad.web.engines.fair_queue import Owner
from pentad.web.visible_text import seen

COOKIE = "pentad"
COOKIE_AGE = 400 * 24 * 3600  # seconds; no browser keeps one longer
_KEY_BYTES = 24


def clean(name: str) -> str:
    """A name as it is shown: one line without what cannot be seen."""
    plain = seen(name)
    if name and not plain:
        raise GameError("this name has nothing in it that can be seen")
    return plain


async def known(store: Store, request: HTTPConnection | WebSocket) -> Person | None:
    """Whoever asks, if they have been here before."""
    key = request.cookies.get(COOKIE, "")
    return await store.person(_hash(key)) if key else None


async def owner(store: Store, socket: WebSocket) -> Owner:
    """Whose questions come over a socket: one person has one place in the queue, however many pages are open.

    Those who have no cookie yet are each on their own, among all at their address.
    """
    person = await known(store, socket)
    return Owner(person.id if person else object(), address_of(socket))


async def known_or_new(store: Store, request: Request, response: Response, name: str = "") -> Person:
    """Whoever asks; somebody new is given a secret to be known by. A name is theirs from now on."""
    name = clean(name)
    person = await known(store, request)
    if person is None:
        key = secrets.token_urlsafe(_KEY_BYTES)
        person = await store.add_person(_hash(key), name)
        response.set_cookie(
            COOKIE, key, max_age=COOKIE_AGE, httponly=True, samesite="strict", secure=request.url.scheme == "https"
        )
    elif name and name != person.name:
        await store.rename(person.id, name)
        person = Person(person.id, name)
    return person


def _hash(key: str) -> bytes:
    # The key is random and long, so that nothing slower is needed to keep it from being guessed.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
