"""Passkeys: challenges to browsers, and what they answer, by the library `webauthn`.

A challenge belongs to a ticket, a cookie of the browser that asked. It is good for one answer and five minutes,
on this server alone. A passkey belongs to the name of the server; an address in numbers has none.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from pentad.game import GameError
from pentad.store.accounts import PasskeyRow
from pentad.web.http.browsers import browser_of
from pentad.web.http.client_address import is_address
from pentad.web.http.exchange import Caller, StatusError

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

Purpose: TypeAlias = Literal["sign up", "add", "sign in"]

CHALLENGE_SECONDS = 300.0
MOST_CHALLENGES = 10_000
_CHALLENGE_BYTES = _TICKET_BYTES = 32
SERVICE = "pentad"
TOO_LATE = "This took too long. Try again."
WRONG = "This passkey is not known here."
NO_NAME = "A passkey needs a server with a name, and https. Use the recovery code."


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that waits for its answer; `name` is that of an account to be made, `person` the one who signs up."""

    purpose: Purpose
    value: bytes
    until: float
    name: str = ""
    person: int | None = None


class Challenges:
    """The challenges that wait, by the hashes of their tickets."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: OrderedDict[bytes, Challenge] = OrderedDict()

    def begin(self, caller: Caller, purpose: Purpose, name: str = "", person: int | None = None) -> Challenge:
        """A new challenge for the caller, who gets its ticket."""
        caller.new_ticket = secrets.token_urlsafe(_TICKET_BYTES)
        value = secrets.token_bytes(_CHALLENGE_BYTES)
        made = Challenge(purpose, value, self._clock() + CHALLENGE_SECONDS, name, person)
        self._waiting[_hash(caller.new_ticket)] = made
        while len(self._waiting) > MOST_CHALLENGES:
            self._waiting.popitem(last=False)
        return made

    def end(self, caller: Caller, purpose: Purpose) -> Challenge:
        """The challenge of the caller's ticket, which is used up by it."""
        found = self._waiting.pop(_hash(caller.ticket), None)
        caller.new_ticket = ""
        if found is None or found.purpose != purpose or found.until < self._clock():
            raise StatusError(403, TOO_LATE)
        return found


def _hash(ticket: str) -> bytes:
    return hashlib.sha256(ticket.encode("utf-8", "surrogatepass")).digest()


# ── options for browsers, as JSON ────────────────────────────────────────────────────────────────


def relying_party(caller: Caller) -> str:
    """The name of the server for passkeys, which the guard has found to be its own."""
    name = caller.url.hostname or ""
    if not name or is_address(name):
        raise GameError(NO_NAME)
    return name


def options_to_make(caller: Caller, challenge: Challenge, known: list[PasskeyRow]) -> str:
    """What a browser needs to make a passkey, on a device that has none of the known ones."""
    import webauthn  # slow to import, and a server of one person needs none
    from webauthn.helpers import structs

    options = webauthn.generate_registration_options(
        rp_id=relying_party(caller),
        rp_name=SERVICE,
        user_name=challenge.name,
        challenge=challenge.value,
        timeout=int(CHALLENGE_SECONDS * 1000),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,  # so that nobody has to type a name
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[_descriptor(each) for each in known],
    )
    return webauthn.options_to_json(options)


def _descriptor(row: PasskeyRow) -> PublicKeyCredentialDescriptor:
    from webauthn.helpers import structs

    return structs.PublicKeyCredentialDescriptor(id=row.id)


def options_to_use(caller: Caller, challenge: Challenge) -> str:
    """What a browser needs to sign in by any of its passkeys for this server."""
    import webauthn

    options = webauthn.generate_authentication_options(
        rp_id=relying_party(caller), challenge=challenge.value, timeout=int(CHALLENGE_SECONDS * 1000)
    )
    return webauthn.options_to_json(options)


# ── what browsers answer ─────────────────────────────────────────────────────────────────────────


def made(caller: Caller, challenge: Challenge, credential: str, now: float) -> PasskeyRow:
    """The passkey that a browser has made for a challenge; its person is filled in by the store."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        found = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge.value,
            expected_rp_id=relying_party(caller),
            expected_origin=_origins(caller),
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise StatusError(403, WRONG) from error
    label = browser_of(caller.user_agent)
    person = challenge.person or 0
    return PasskeyRow(found.credential_id, person, found.credential_public_key, found.sign_count, label, now, now)


def credential_id(credential: str) -> bytes:
    """The id of the credential in a browser's answer."""
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return parse_authentication_credential_json(credential).raw_id
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise StatusError(403, WRONG) from error


def used(caller: Caller, challenge: Challenge, credential: str, passkey: PasskeyRow) -> int:
    """Checks an answer by a passkey; returns how often it has signed."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        found = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge.value,
            expected_rp_id=relying_party(caller),
            expected_origin=_origins(caller),
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise StatusError(403, WRONG) from error
    return found.new_sign_count


def _origins(caller: Caller) -> list[str]:
    """The origins of the server's pages; it may have TLS without knowing it, from a proxy that does not say so."""
    return list(dict.fromkeys((caller.root, f"https://{caller.url.netloc}")))
