"""Authentication: recovery codes, how often they may be tried, and the sessions of accounts.

A code is long and random, and shown once; the store has its argon2id hash. Whether a name is unknown or its code is
wrong, the answer and the time to it are the same.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection
from functools import cache
from typing import TYPE_CHECKING, Any

from pentad.game import GameError
from pentad.store.accounts import AccountRow, Accounts, NewSession
from pentad.web.http import account_names, identity
from pentad.web.http.browsers import browser_of
from pentad.web.http.client_address import networks
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.http.ratelimit import Rate, RateLimiter, too_many
from pentad.web.passkeys import Challenges

if TYPE_CHECKING:
    from pentad.store import Store
    from pentad.web.page_workers import CallRunner

TRIES = Rate(20, 600.0)  # to sign in, from one address; its networks have several times as much
TRIES_OF_NAME = Rate(60, 3600.0)  # to sign in under one name, from anywhere
EXPORTS = Rate(5, 3600.0)  # downloads of everything, from one address
SIGN_UPS = Rate(60, 3600.0)  # new accounts and codes of one address: a class of 40 may share it
LEAVING_SECONDS = 1.0  # sockets of a session that has another secret now end after it
CODE_GROUPS, CODE_GROUP = 4, 5
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # letters that look like others are missing; 99 bits together
WRONG = "The name and the code do not fit."
TAKEN_BY_ACCOUNT = "{name} is the name of an account, or looks like it. Choose another name, or sign in."


class Authentication:
    """The accounts of a server, and the limits of those who sign in."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self.accounts = Accounts(store)
        self._tries, self._tries_of_name = RateLimiter(TRIES, clock), RateLimiter(TRIES_OF_NAME, clock)
        self._sign_ups = RateLimiter(SIGN_UPS, clock)
        self._exports, self.exporting = RateLimiter(EXPORTS, clock), asyncio.Lock()
        self.challenges = Challenges(clock)
        self._exist: bool | None = None  # None until somebody asks
        self.end_sockets: Callable[[Collection[bytes], float], None] = lambda keys, seconds: None

    async def exist(self) -> bool:
        """Whether there is an account; there never was one on a server of one person."""
        if self._exist is None:
            self._exist = await self.accounts.exist()
        return self._exist

    def note_account(self) -> None:
        """Notes that there is an account from now on."""
        self._exist = True

    # ── names ────────────────────────────────────────────────────────────────────────────────────

    async def check_guest_name(self, run: CallRunner, caller: Caller, name: str) -> None:
        """Refuses a person without an account a name that looks like that of one."""
        if not name or not await self.exist():
            return
        if await self.accounts.looking_like(await run(caller, account_names.looks, name)):
            raise GameError(TAKEN_BY_ACCOUNT, name=name)

    # ── limits ───────────────────────────────────────────────────────────────────────────────────

    def count_sign_up(self, caller: Caller) -> None:
        """Counts a new account or code; too many are refused."""
        if wait := self._sign_ups.take(networks(caller.address)):
            raise StatusError(429, too_many("accounts", wait))

    def count_export(self, caller: Caller) -> None:
        """Counts an export; too many are refused."""
        if wait := self._exports.take(networks(caller.address)):
            raise StatusError(429, too_many("exports", wait))

    def count_try(self, caller: Caller, looks: Collection[str] = ()) -> None:
        """Counts an attempt to sign in, under a name with these looks; too many are refused."""
        if wait := self._tries.take(networks(caller.address)) or self._tries_of_name.take(dict.fromkeys(looks, 1.0)):
            raise StatusError(429, too_many("attempts to sign in", wait))

    # ── codes ────────────────────────────────────────────────────────────────────────────────────

    async def account_with_code(self, run: CallRunner, caller: Caller, name: str, code: str) -> AccountRow:
        """The account of this name and code."""
        looks = await run(caller, account_names.looks, name)
        self.count_try(caller, looks)
        account = await self.accounts.looking_like(looks)
        has_code = await run(caller, fits, account.code_hash if account else None, code)
        if account is None or not has_code:
            raise StatusError(403, WRONG)
        return account


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────


def new_session(caller: Caller) -> tuple[str, NewSession]:
    """The secret of a new session, which no page has seen before, and what the store keeps of it."""
    key = identity.new_key()
    return key, NewSession(identity.hash_of(key), browser_of(caller.user_agent), time.time())


def session_of(caller: Caller) -> bytes | None:
    """The hash of the caller's secret."""
    return identity.hash_of(caller.key) if caller.key else None


# ── new codes, and hashes ────────────────────────────────────────────────────────────────────────


def new_code() -> str:
    """A new recovery code."""
    groups = ("".join(secrets.choice(_CODE_LETTERS) for _ in range(CODE_GROUP)) for _ in range(CODE_GROUPS))
    return "-".join(groups)


def hash_of_code(code: str) -> str:
    """The hash of a code, which takes a while."""
    return str(_hasher().hash(_plain(code)))


def fits(code_hash: str | None, code: str) -> bool:
    """Whether a code has this hash; it takes as long where there is none."""
    from argon2.exceptions import VerificationError

    nothing = _hash_of_nothing()
    try:
        _hasher().verify(code_hash or nothing, _plain(code))
    except VerificationError:
        return False
    return code_hash is not None


def _plain(code: str) -> str:
    """A code without what people add or change when they type it."""
    return "".join(each for each in code.casefold() if each.isalnum())


@cache
def _hasher() -> Any:
    from argon2 import PasswordHasher  # its defaults are those of RFC 9106 for a server with little memory

    return PasswordHasher()


@cache
def _hash_of_nothing() -> str:
    return str(_hasher().hash(secrets.token_urlsafe()))
