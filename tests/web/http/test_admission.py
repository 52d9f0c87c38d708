"""Admission: bans of persons and networks as requests meet them, in memory."""

from __future__ import annotations

import ipaddress
import random
from typing import Any

import pytest

from pentad.store.moderation import checked_network
from pentad.store.rows import BAN, MUTE, BanRow
from pentad.web.http import admission
from pentad.web.http.admission import Admission, reason_of_socket, time_text
from pentad.web.http.client_address import counted
from pentad.web.http.identity import hash_of

NOW = 1_800_000_000.0


def ban(**more: Any) -> BanRow:
    given = {"kind": BAN, "person": None, "keys": (), "network": None, "name": ""}
    return BanRow(**{**given, "until": None, "reason": "", "at": NOW, "operator": "Olga", **more})


def with_bans(*bans: BanRow) -> Admission:
    made = Admission(lambda: NOW)
    made.update(bans, None)
    return made


def refusal(found: Admission, address: str = "", cookie: str = "", path: str = "/api/rooms") -> str | None:
    away = found.refusal("POST", path, address, cookie)
    return away[1] if away else None


def test_a_person_is_known_by_the_cookie() -> None:
    found = with_bans(ban(person=7, keys=(hash_of("ada"), hash_of("her phone")), reason="insults."))
    assert refusal(found, cookie="ada") == refusal(found, cookie="her phone") == "You are banned: insults."
    assert refusal(found, cookie="bea") is refusal(found) is None


def test_a_ban_ends() -> None:
    found = with_bans(
        ban(person=7, keys=(hash_of("ada"),), until=NOW),
        ban(network="192.0.2.0/24", until=NOW + 1),
    )
    assert refusal(found, cookie="ada") is None
    assert refusal(found, "192.0.2.7") == "This network is banned until 15 January 2027, 08:00 UTC."


def test_the_narrowest_and_the_widest_bans_hold() -> None:
    found = with_bans(ban(network="192.0.2.7/32"), ban(network="10.0.0.0/8"), ban(network="2001:db8:1::/48"))
    for address in ("192.0.2.7", "10.255.0.1", "2001:db8:1:ffff::/64"):
        assert refusal(found, address)
    for address in ("192.0.2.8", "11.0.0.1", "2001:db8:2::/64", "", "unknown"):
        assert refusal(found, address) is None


def test_networks_are_compared_as_python_does() -> None:
    rng = random.Random(5)
    for _ in range(300):
        version, bits = rng.choice([(4, rng.randint(8, 32)), (6, rng.randint(16, 64))])
        kind, size = (ipaddress.IPv4Address, 32) if version == 4 else (ipaddress.IPv6Address, 128)
        base = rng.getrandbits(size)
        network = ipaddress.ip_network((base, bits), strict=False)
        near = kind(base ^ (1 << rng.randrange(size)))
        if network.is_loopback or getattr(near, "ipv4_mapped", None):
            continue
        found = with_bans(ban(network=checked_network(str(network))))
        assert (refusal(found, counted(near)) is not None) is (near in network), (network, near)


def test_operators_may_lift_their_own_ban() -> None:
    found = with_bans(ban(network="192.0.2.0/24"))
    assert refusal(found, "192.0.2.7", path="/api/admin/actions") is None
    assert refusal(found, "192.0.2.7", path="/api/administration")


def test_a_mute_is_no_ban() -> None:
    found = with_bans(ban(kind=MUTE, person=7, keys=(hash_of("ada"),), reason="insults"))
    assert refusal(found, cookie="ada") is None
    assert found.muted(7) == "You are muted: insults."
    assert found.muted(8) == ""


def test_many_bans_take_no_longer() -> None:
    """The time of a request does not grow with their number: it looks at one network of each length."""
    rng = random.Random(1)
    networks = [f"{ipaddress.IPv4Address(rng.getrandbits(32) >> 8 << 8)}/24" for _ in range(20_000)]
    found = with_bans(*(ban(network=network) for network in networks))
    assert len(found._bits[4]) == 1


@pytest.mark.parametrize("text", ["short", "x" * 500, "é" * 100, "🙂" * 40])
def test_a_reason_fits_into_the_closing_of_a_socket(text: str) -> None:
    shown = reason_of_socket(text)
    assert len(shown.encode()) <= admission.MAX_REASON_BYTES
    assert shown == text or shown.endswith("…")


def test_a_time_after_all_calendars_can_be_written() -> None:
    assert time_text(1e300) == "31 December 9999, 23:59 UTC"
