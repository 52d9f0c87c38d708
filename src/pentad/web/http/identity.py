"""Identity: a person is known by a secret in a cookie, of which the server stores only a hash.

Over TLS the cookie has a name that browsers take from this host alone. Another host of the same domain could set the
plain one, so it counts only where there is no TLS, and nobody keeps an identity from there.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Awaitable
from functools import cache
from typing import TYPE_CHECKING

from pentad.game import GameError, names
from pentad.jobs.fair_queue import Owner
from pentad.search.bot import bot_title, own_bots, strengths
from pentad.store.rows import Person
from pentad.web.api_types import ADAPTIVE_TITLE
from pentad.web.http import look_alikes
from pentad.web.http.browsers import browser_of
from pentad.web.http.client_address import owner_at
from pentad.web.http.exchange import Caller
from pentad.web.http.socket_pool import ClientKind
from pentad.web.http.visible_text import visible

if TYPE_CHECKING:
    from pentad.store import Store

COOKIE, SECURE_COOKIE = "pentad", "__Host-pentad"
COOKIE_AGE_SECONDS = 400 * 24 * 3600  # browsers allow no more
_KEY_BYTES = 24
MOST_PLAYERS, FIND_SECONDS = 10_000, 2.0  # players who are remembered, and the most time to look for one
VISIT_SECONDS = 24 * 3600.0  # a visit is noted so long after the one before
GAMES = "/api/rooms"  # paths below it are those of games


def cookie_name(scheme: str) -> str:
    """The name of the cookie for requests and sockets with this scheme."""
    return SECURE_COOKIE if scheme in ("https", "wss") else COOKIE


class Clients:
    """Who clients are by their cookies, the latest players without a look into the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._players: OrderedDict[bytes, None] = OrderedDict()

    async def kind(self, key: str) -> ClientKind:
        """Who the client with this cookie is; a stranger where the store is too slow to say so."""
        key_hash = hash_of(key)
        if key_hash not in self._players:
            has_played = await self._found(self._store.has_played(key_hash))
            if not has_played:
                return ClientKind.STRANGER if has_played is None else ClientKind.NEWCOMER
            self._players[key_hash] = None
        self._players.move_to_end(key_hash)
        if len(self._players) > MOST_PLAYERS:
            self._players.popitem(last=False)
        return ClientKind.PLAYER

    def is_recent(self, key: str) -> bool:
        """Whether the client with this cookie is one of the latest players."""
        return hash_of(key) in self._players

    async def plays_at(self, key: str, path: str) -> bool:
        """Whether the client with this cookie plays in the game of this socket, which goes on."""
        if not path.startswith(f"{GAMES}/"):
            return False
        return bool(await self._found(self._store.plays_at(hash_of(key), path.removeprefix(f"{GAMES}/"))))

    @staticmethod
    async def _found(reading: Awaitable[bool | None]) -> bool | None:
        try:
            return await asyncio.wait_for(reading, FIND_SECONDS)
        except (GameError, TimeoutError):
            return None


def clean(name: str) -> str:
    """A name as it is shown; `GameError` if it hides something, or looks like that of a bot."""
    typed = "".join(" " if unicodedata.category(each) == "Zs" else each for each in name.strip())
    plain = visible(typed)
    if name and not plain:
        raise GameError("The name has no visible characters.")
    if plain != " ".join(filter(None, typed.split(" "))):
        raise GameError("The name has invisible characters. Type it again.")
    look_alikes.check_scripts(plain)
    for title in _titles_of_bots():
        if plain and look_alikes.look_alike(plain, title):
            raise GameError("{title} is the name of a bot. Choose a name that looks different.", title=title)
    return plain


@cache
def _titles_of_bots() -> frozenset[str]:
    """What the pages call the bots of all games, with and without their strengths."""
    titles = {bot_title(game, who) for game in names() for who in (*own_bots(game), *strengths(game).values())}
    return frozenset({*titles, ADAPTIVE_TITLE})


async def known(store: Store, caller: Caller) -> Person | None:
    """The person of a request, if known; the last visit of an account is noted, to a day."""
    person = await store.person(hash_of(caller.key)) if caller.key else None
    if person and person.account and (now := time.time()) - person.seen > VISIT_SECONDS:
        await store.note_visit(hash_of(caller.key), now)
    return person


async def owner(store: Store, caller: Caller) -> Owner:
    """The owner of engine requests over a socket: a person is one owner, however many pages are open.

    Each client without a cookie is an owner too, in the group of its address.
    """
    person = await known(store, caller)
    return owner_at(person.id if person else object(), caller.address)


async def known_or_new(store: Store, caller: Caller, name: str = "") -> Person:
    """The person of a request; a new one gets a cookie. A name replaces the old one, unless that is an account's."""
    name = clean(name)
    person = await known(store, caller)
    if person is None:
        key = new_key()
        person = await store.add_person(hash_of(key), name, browser_of(caller.user_agent), time.time())
        caller.new_key = key
    elif name and name != person.name and not person.account:
        await store.rename(person.id, name)
        person = Person(person.id, name)
    return person


def new_key() -> str:
    """A secret for a cookie."""
    return secrets.token_urlsafe(_KEY_BYTES)


def hash_of(key: str) -> bytes:
    """The hash by which the store knows a secret."""
    # The key is long and random, so that a fast hash is enough.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
