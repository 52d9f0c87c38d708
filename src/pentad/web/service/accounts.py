"""Services of accounts: signing up and in, and what the page of an account shows and changes.

A session that begins has a new secret, so that nobody who knew the one before is signed in with it. What the person of
the browser has had comes along, and the games that are open here follow.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated

from pentad.game import GameError
from pentad.store.accounts import LINK_IS_OVER, TAKEN, AccountRow, PasskeyRow
from pentad.store.rows import Person
from pentad.web import passkeys
from pentad.web.api_types import Name
from pentad.web.authentication import (
    LEAVING_SECONDS,
    WRONG,
    Authentication,
    hash_of_code,
    new_code,
    new_session,
    session_of,
)
from pentad.web.backend import Backend
from pentad.web.http import account_names, identity
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.http.lan import qr_svg
from pentad.web.service.play import LOOPBACK
from pentad.web.service.router import GET, POST, PUT, Nothing, Posted, Route
from pentad.web.typed_json import Length

NOT_SIGNED_IN = "You are not signed in."
TOO_OFTEN = "There were too many attempts."

Code = Annotated[str, Length(100)]


@dataclass(frozen=True, kw_only=True)
class AccountName:
    """The name of an account."""

    name: Name


@dataclass(frozen=True, kw_only=True)
class NameAndCode:
    """The name of an account, and its recovery code."""

    name: Name
    code: Code


@dataclass(frozen=True, kw_only=True)
class PasskeyOptions:
    """What `navigator.credentials` takes, as JSON in which bytes are base64url."""

    options: str


@dataclass(frozen=True, kw_only=True)
class PasskeyAnswer:
    """What `navigator.credentials` returns, as JSON in which bytes are base64url."""

    credential: Annotated[str, Length(10_000)]


@dataclass(frozen=True, kw_only=True)
class PasskeyRequest:
    """A passkey of the account, by its name."""

    passkey: str


@dataclass(frozen=True, kw_only=True)
class SessionRequest:
    """A session of the account, by its name."""

    session: str


@dataclass(frozen=True, kw_only=True)
class SignInLink:
    """The secret of a link to sign in on another device."""

    secret: Annotated[str, Length(100)]


@dataclass(frozen=True, kw_only=True)
class NewSignInLink:
    """A link to sign in on another device, as a QR code, too. It is good once, and for so many seconds."""

    url: str
    svg: str
    seconds: float


@dataclass(frozen=True, kw_only=True)
class PasskeyView:
    """A passkey of the account; `name` identifies it."""

    name: str
    browser: str
    created: float
    used: float


@dataclass(frozen=True, kw_only=True)
class SessionView:
    """A browser in which the client is signed in; `name` identifies it, and `here` is the one that asks."""

    name: str
    browser: str
    created: float
    seen: float
    here: bool


@dataclass(frozen=True, kw_only=True)
class AccountView:
    """The client's account; the name is empty without one, and then `games` says how many games would come along."""

    name: str
    created: float
    has_code: bool
    sessions: list[SessionView]
    passkeys: list[PasskeyView]
    games: int


@dataclass(frozen=True, kw_only=True)
class RecoveryCode:
    """A new recovery code, which is shown only now."""

    name: str
    code: str


def authentication_of(backend: Backend) -> Authentication:
    """The accounts of a server, which has them."""
    assert backend.authentication is not None
    return backend.authentication


async def own_account(backend: Backend, caller: Caller) -> AccountRow:
    """The client's account; 403 without one."""
    person = await identity.known(backend.store, caller)
    account = await authentication_of(backend).accounts.get(person.id) if person and person.account else None
    if account is None:
        raise StatusError(403, NOT_SIGNED_IN)
    return account


async def show(backend: Backend, caller: Caller, request: Nothing) -> AccountView:
    """The client's account, with the browsers in which they are signed in."""
    person = await identity.known(backend.store, caller)
    games = await backend.store.count_games(person.id) if person else 0
    if person is None or not person.account:
        return AccountView(name="", created=0.0, has_code=False, sessions=[], passkeys=[], games=games)
    accounts, here = authentication_of(backend).accounts, session_of(caller)
    account = await own_account(backend, caller)
    sessions = [
        SessionView(
            name=name_of_key(row.key_hash),
            browser=row.label,
            created=row.created,
            seen=row.seen,
            here=row.key_hash == here,
        )
        for row in await accounts.sessions(account.person)
    ]
    return AccountView(
        name=account.name,
        created=account.created,
        has_code=account.code_hash is not None,
        sessions=sessions,
        passkeys=[
            PasskeyView(name=name_of_key(row.id), browser=row.label, created=row.created, used=row.used)
            for row in await accounts.passkeys(account.person)
        ],
        games=games,
    )


async def sign_up(backend: Backend, caller: Caller, request: Posted[AccountName]) -> RecoveryCode:
    """Make an account with a recovery code. The games of this browser become the account's."""
    name = account_names.account_name(request.body.name)
    authentication_of(backend).count_sign_up(caller)
    code = new_code()
    code_hash = await backend.background(caller, hash_of_code, code)
    person = await begin_account(backend, caller, name, code_hash)
    return RecoveryCode(name=person.name, code=code)


async def begin_account(backend: Backend, caller: Caller, name: str, first_key: str | PasskeyRow) -> Person:
    """Makes an account of the client, who is signed in from then on."""
    authentication, before = authentication_of(backend), session_of(caller)
    looks = await backend.background(caller, account_names.looks, name)
    guest = await identity.known(backend.store, caller)
    key, session = new_session(caller)
    async with backend.rooms.changed(guest.id if guest else None):
        person = await authentication.accounts.sign_up(name, looks, first_key, session, before)
    authentication.note_account()
    _leave(authentication, caller, key, before)
    return person


async def sign_in(backend: Backend, caller: Caller, request: Posted[NameAndCode]) -> AccountName:
    """Sign in by name and recovery code. The games, studies and puzzles of this browser come along."""
    authentication, body = authentication_of(backend), request.body
    account = await authentication.account_with_code(backend.background, caller, body.name, body.code)
    return await begin_session(backend, caller, account.person)


async def begin_session(backend: Backend, caller: Caller, account: int, link: bytes | None = None) -> AccountName:
    """Signs the client in; the caller has checked that they may, or the store checks the link."""
    authentication, before = authentication_of(backend), session_of(caller)
    guest = await identity.known(backend.store, caller)
    moving = guest.id if guest and not guest.account else None
    key, session = new_session(caller)
    async with backend.rooms.changed(moving, account):
        done = await authentication.accounts.sign_in(account, session, before, link)
    if done.merged is not None and backend.operators is not None:
        await backend.operators.refresh()
    _leave(authentication, caller, key, before)
    return AccountName(name=done.person.name)


def _leave(authentication: Authentication, caller: Caller, key: str, before: bytes | None) -> None:
    """Gives the browser another secret, and ends the sockets that it has opened with the one before."""
    caller.new_key = key
    if before is not None:
        authentication.end_sockets([before], LEAVING_SECONDS)


async def sign_out(backend: Backend, caller: Caller, request: Nothing) -> None:
    """Sign out in this browser. A person without an account stays."""
    person = await identity.known(backend.store, caller)
    before = session_of(caller)
    if person is None or not person.account or before is None:
        raise StatusError(403, NOT_SIGNED_IN)
    authentication = authentication_of(backend)
    await authentication.accounts.sign_out(before)
    _leave(authentication, caller, "", before)


async def rename(backend: Backend, caller: Caller, request: Posted[AccountName]) -> AccountName:
    """Change the name of the account, in all games, too."""
    account = await own_account(backend, caller)
    name = account_names.account_name(request.body.name)
    authentication_of(backend).count_sign_up(caller)
    looks = await backend.background(caller, account_names.looks, name)
    async with backend.rooms.changed(account.person):
        await authentication_of(backend).accounts.rename(account.person, name, looks)
    return AccountName(name=name)


async def renew_code(backend: Backend, caller: Caller, request: Nothing) -> RecoveryCode:
    """Make another recovery code; the one before holds no longer."""
    account = await own_account(backend, caller)
    authentication_of(backend).count_sign_up(caller)
    code = new_code()
    code_hash = await backend.background(caller, hash_of_code, code)
    await authentication_of(backend).accounts.set_code(account.person, code_hash)
    return RecoveryCode(name=account.name, code=code)


# ── passkeys ─────────────────────────────────────────────────────────────────────────────────────


async def begin_sign_up(backend: Backend, caller: Caller, request: Posted[AccountName]) -> PasskeyOptions:
    """Ask for a passkey for a new account of this name."""
    name = account_names.account_name(request.body.name)
    authentication = authentication_of(backend)
    authentication.count_sign_up(caller)
    if await authentication.accounts.looking_like(await backend.background(caller, account_names.looks, name)):
        raise GameError(TAKEN, name=name)  # before a passkey is made for it
    challenge = authentication.challenges.begin(caller, "sign up", name)
    return PasskeyOptions(options=await backend.background(caller, passkeys.options_to_make, caller, challenge, []))


async def end_sign_up(backend: Backend, caller: Caller, request: Posted[PasskeyAnswer]) -> AccountName:
    """Make an account with the passkey that was asked for."""
    challenge = authentication_of(backend).challenges.end(caller, "sign up")
    passkey = await backend.background(
        caller, passkeys.made, caller, challenge, request.body.credential, backend.rooms.world.wall()
    )
    return AccountName(name=(await begin_account(backend, caller, challenge.name, passkey)).name)


async def begin_passkey(backend: Backend, caller: Caller, request: Nothing) -> PasskeyOptions:
    """Ask for a passkey of this device for the account."""
    account, authentication = await own_account(backend, caller), authentication_of(backend)
    authentication.count_sign_up(caller)
    known = await authentication.accounts.passkeys(account.person)
    challenge = authentication.challenges.begin(caller, "add", account.name, account.person)
    return PasskeyOptions(options=await backend.background(caller, passkeys.options_to_make, caller, challenge, known))


async def end_passkey(backend: Backend, caller: Caller, request: Posted[PasskeyAnswer]) -> None:
    """Add the passkey that was asked for."""
    account, authentication = await own_account(backend, caller), authentication_of(backend)
    challenge = authentication.challenges.end(caller, "add")
    if challenge.person != account.person:
        raise StatusError(403, passkeys.TOO_LATE)
    passkey = await backend.background(
        caller, passkeys.made, caller, challenge, request.body.credential, backend.rooms.world.wall()
    )
    await authentication.accounts.add_passkey(passkey)


async def remove_passkey(backend: Backend, caller: Caller, request: PasskeyRequest) -> None:
    """Remove a passkey of the account."""
    account, accounts = await own_account(backend, caller), authentication_of(backend).accounts
    known = {name_of_key(row.id): row.id for row in await accounts.passkeys(account.person)}
    if request.passkey in known:
        await accounts.remove_passkey(account.person, known[request.passkey])


async def begin_sign_in(backend: Backend, caller: Caller, request: Nothing) -> PasskeyOptions:
    """Ask for any passkey of this device."""
    authentication = authentication_of(backend)
    authentication.count_try(caller)
    challenge = authentication.challenges.begin(caller, "sign in")
    return PasskeyOptions(options=await backend.background(caller, passkeys.options_to_use, caller, challenge))


async def end_sign_in(backend: Backend, caller: Caller, request: Posted[PasskeyAnswer]) -> AccountName:
    """Sign in by the passkey that was asked for. The games, studies and puzzles of this browser come along."""
    authentication, credential = authentication_of(backend), request.body.credential
    challenge = authentication.challenges.end(caller, "sign in")
    found = await authentication.accounts.passkey(await backend.background(caller, passkeys.credential_id, credential))
    if found is None:
        raise StatusError(403, passkeys.WRONG)
    count = await backend.background(caller, passkeys.used, caller, challenge, credential, found)
    await authentication.accounts.note_use(found.id, count, backend.rooms.world.wall())
    return await begin_session(backend, caller, found.person)


# ── links to sign in ─────────────────────────────────────────────────────────────────────────────


async def make_link(backend: Backend, caller: Caller, request: Nothing) -> NewSignInLink:
    """Make a link that signs in on another device, once. Its secret is in the fragment, which no log has."""
    account, authentication = await own_account(backend, caller), authentication_of(backend)
    authentication.count_sign_up(caller)
    secret = identity.new_key()
    others = backend.network.address
    base = others if others and caller.url.hostname in LOOPBACK else caller.root
    url = f"{base}/sign-in#{secret}"
    svg = (await backend.background(caller, qr_svg, url)).decode()
    now = backend.rooms.world.wall()
    until = await authentication.accounts.add_link(account.person, identity.hash_of(secret), now)
    return NewSignInLink(url=url, svg=svg, seconds=until - now)


async def look_at_link(backend: Backend, caller: Caller, request: Posted[SignInLink]) -> AccountName:
    """The name of the account that a link signs in; the link stays good."""
    authentication = authentication_of(backend)
    authentication.count_try(caller)
    link = identity.hash_of(request.body.secret)
    account = await authentication.accounts.of_link(link, backend.rooms.world.wall())
    if account is None:
        raise StatusError(403, LINK_IS_OVER)
    return AccountName(name=account.name)


async def use_link(backend: Backend, caller: Caller, request: Posted[SignInLink]) -> AccountName:
    """Sign in by a link from another device. The games, studies and puzzles of this browser come along."""
    authentication, link = authentication_of(backend), identity.hash_of(request.body.secret)
    authentication.count_try(caller)
    account = await authentication.accounts.of_link(link, backend.rooms.world.wall())
    if account is None:
        raise StatusError(403, LINK_IS_OVER)
    return await begin_session(backend, caller, account.person, link)


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────


async def revoke(backend: Backend, caller: Caller, request: SessionRequest) -> None:
    """Sign out in another browser, whose pages are shut out at once."""
    account, authentication = await own_account(backend, caller), authentication_of(backend)
    known = {name_of_key(row.key_hash): row.key_hash for row in await authentication.accounts.sessions(account.person)}
    if key_hash := known.get(request.session):
        await authentication.accounts.sign_out(key_hash)
        authentication.end_sockets([key_hash], 0.0)
        if key_hash == session_of(caller):
            caller.new_key = ""


def name_of_key(key: bytes) -> str:
    """What a page calls a session or a passkey; nobody is signed in with it."""
    return hashlib.sha256(key).hexdigest()[:20]


OWN = {403: NOT_SIGNED_IN}
OFTEN = {429: TOO_OFTEN}
ROUTES = (
    Route(GET, "/api/account", show),
    Route(POST, "/api/sign-up", sign_up, status=201, refusals=OFTEN),
    Route(PUT, "/api/account/name", rename, refusals={**OWN, **OFTEN}),
    Route(POST, "/api/account/passkeys/options", begin_passkey, refusals={**OWN, **OFTEN}),
    Route(POST, "/api/account/passkeys", end_passkey, status=204, refusals={403: passkeys.TOO_LATE}),
    Route(POST, "/api/account/passkeys/{passkey}/remove", remove_passkey, status=204, refusals=OWN),
    Route(POST, "/api/account/sessions/{session}/revoke", revoke, status=204, refusals=OWN),
    Route(POST, "/api/account/link", make_link, refusals={**OWN, **OFTEN}),
    Route(POST, "/api/account/code", renew_code, refusals={**OWN, **OFTEN}),
    Route(POST, "/api/sign-up/passkey/options", begin_sign_up, refusals=OFTEN),
    Route(POST, "/api/sign-up/passkey", end_sign_up, status=201, refusals={403: passkeys.TOO_LATE}),
    Route(POST, "/api/sign-in/passkey/options", begin_sign_in, refusals=OFTEN),
    Route(POST, "/api/sign-in/passkey", end_sign_in, refusals={403: passkeys.WRONG}),
    Route(POST, "/api/sign-in/link/look", look_at_link, refusals={403: LINK_IS_OVER, **OFTEN}),
    Route(POST, "/api/sign-in/link", use_link, refusals={403: LINK_IS_OVER, **OFTEN}),
    Route(POST, "/api/sign-in", sign_in, refusals={403: WRONG, **OFTEN}),
    Route(POST, "/api/sign-out", sign_out, status=204, refusals=OWN),
)
