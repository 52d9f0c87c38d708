"""Client addresses: direct, through trusted and other proxies, and with forged headers."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.web.http.client_address import DIRECT, UNKNOWN, Proxies, network, networks
from tests.cases import together
from tests.properties import properties


def scope_of(peer: str | None, *forwarded: str, host: str = "localhost", **headers: str) -> dict[str, Any]:
    raw = [(b"x-forwarded-for", each.encode("latin-1")) for each in forwarded]
    raw += [(name.lower().replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    raw.append((b"host", host.encode()))
    return {"type": "http", "client": None if peer is None else (peer, 1), "headers": raw, "http_version": "1.1"}


def address(peer: str | None, *headers: str, trusted: tuple[str, ...] = ()) -> str:
    return Proxies(trusted).address(scope_of(peer, *headers))


@together(
    ("peer", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", DIRECT),
        ("127.8.9.1", DIRECT),
        ("::1", DIRECT),
        ("::ffff:127.0.0.1", DIRECT),
        (None, UNKNOWN),
        ("testclient", UNKNOWN),
    ],
)
def test_an_address_counts_with_its_network(peer: str | None, counted: str) -> None:
    assert address(peer) == counted


@together(
    ("counted", "wide"),
    [
        ("192.0.2.1", {"192.0.2.0/24": 16, "192.0.2.1": 1}),
        (
            "2001:db8:1:203::/64",
            {"2001:db8:1::/48": 16, "2001:db8:1:200::/56": 4, "2001:db8:1:203::/64": 1},
        ),
        ("::/64", {"::/48": 16, "::/56": 4, "::/64": 1}),
        (UNKNOWN, {UNKNOWN: 1}),
        (DIRECT, {}),
    ],
)
def test_an_address_is_in_wider_networks_with_higher_limits(counted: str, wide: dict[str, float]) -> None:
    assert list(networks(counted).items()) == list(wide.items())


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_a_proxy_on_this_machine_is_trusted(peer: str) -> None:
    assert address(peer, "198.51.100.1") == "198.51.100.1"
    assert address(peer, " 198.51.100.1:8080 ") == "198.51.100.1"
    assert address(peer, "[2001:db8::1]:8080") == "2001:db8::/64"
    assert address(peer, "::ffff:198.51.100.1") == "198.51.100.1"


@pytest.mark.parametrize(
    "forged",
    ["127.0.0.1", "::1", "10.0.0.1", "192.0.2.77", "rubbish", "", ", ,", "a" * 5000, ",".join(["127.0.0.1"] * 1000)],
)
def test_a_forged_header_is_ignored(forged: str) -> None:
    """Behind a proxy that appends its client, and without one."""
    assert address("127.0.0.1", f"{forged}, 198.51.100.1") == "198.51.100.1"
    assert address("127.0.0.1", forged, "198.51.100.1") == "198.51.100.1"
    assert address("198.51.100.1", forged) == "198.51.100.1"


@pytest.mark.parametrize(
    ("header", "counted"),
    [
        ("rubbish", UNKNOWN),
        ("", UNKNOWN),
        (",", UNKNOWN),
        ("198.51.100.1, unix:", UNKNOWN),
        ("[2001:db8::1", "2001:db8::/64"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::/64"),
        (",".join(["127.0.0.1"] * 1000), UNKNOWN),
        ("٣.٣.٣.٣".encode().decode("latin-1"), UNKNOWN),
    ],
)
def test_requests_through_a_proxy_are_always_limited(header: str, counted: str) -> None:
    assert address("127.0.0.1", header) == counted != DIRECT


@together("host", ["localhost", "LOCALHOST:5005", "play.localhost", "127.0.0.1:5005", "127.9.9.9", "[::1]:5005"])
def test_a_program_on_this_machine_has_no_address(host: str) -> None:
    assert Proxies().address(scope_of("127.0.0.1", host=host)) == DIRECT


@together(
    "changed",
    [
        {"host": "play.example.org"},
        {"host": "localhost.example.org"},
        {"host": "192.0.2.1:5005"},
        {"host": "[2001:db8::1]"},
        {"host": ""},
        {"http_version": "1.0"},  # nginx as it comes, which asks for its upstream's name
        {"server": ("192.0.2.1", 5005)},
        {"server": ("2001:db8::1", 5005)},
        {"X_Real_IP": "198.51.100.1"},
        {"X_Forwarded_Proto": "https"},
        {"X_Forwarded_Host": "localhost"},
        {"Via": "1.1 proxy"},
        {"Forwarded": "for=198.51.100.1"},
    ],
)
def test_requests_of_a_proxy_without_the_header_are_limited(changed: dict[str, Any]) -> None:
    of_scope = {key: changed[key] for key in ("http_version", "server") if key in changed}
    headers = {key: value for key, value in changed.items() if key not in of_scope}
    scope = scope_of("127.0.0.1", **headers) | of_scope
    assert Proxies().address(scope) == "127.0.0.1" != DIRECT


def test_a_proxy_without_the_header_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    proxies = Proxies(["10.0.0.0/8"])
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            for peer in ("127.0.0.1", "10.0.0.7"):
                proxies.notice_silent(scope_of(peer, host="play.example.org"))
        proxies.notice_silent(scope_of("10.0.0.8", "198.51.100.1", host="play.example.org"))
        proxies.notice_silent(scope_of("::1"))
        proxies.notice_silent(scope_of("198.51.100.1", host="play.example.org"))
        proxies.notice_silent(scope_of(None, host="play.example.org"))
    lines = [each.getMessage() for each in caplog.records]
    assert [line.partition(" does not send X-Forwarded-For")[0] for line in lines] == [
        "The proxy at 127.0.0.1",
        "The proxy at 10.0.0.7",
    ]
    assert all("proxy_set_header X-Forwarded-For" in line and "\n" not in line for line in lines)


def test_clients_of_such_a_proxy_cannot_ask_for_localhost() -> None:
    proxies, forged = Proxies(), scope_of("127.0.0.1", host="localhost")
    assert proxies.address(forged) == DIRECT
    proxies.notice_silent(scope_of("127.0.0.1", host="play.example.org"))
    assert proxies.address(forged) == "127.0.0.1"
    assert proxies.address(scope_of("::1", host="localhost")) == DIRECT  # it is another peer


@together("forged", ["for=192.0.2.60", 'for="[2001:db8:cafe::17]:4711"', "for=unknown", "for=;;,", "x" * 5000])
def test_a_forwarded_header_is_not_read(forged: str) -> None:
    assert Proxies().address(scope_of("127.0.0.1", "198.51.100.1", Forwarded=forged)) == "198.51.100.1"
    assert Proxies().address(scope_of("127.0.0.1", Forwarded=forged)) == "127.0.0.1"
    assert Proxies().address(scope_of("203.0.113.5", Forwarded=forged)) == "203.0.113.5"


@given(
    st.binary(max_size=40)
    | st.sampled_from([b"[", b"[::1", b"a@[::1]", b"localhost\\", b"[localhost]", b"\xb2", b"::"])
)
@properties()
def test_any_host_is_read(host: bytes) -> None:
    scope = scope_of("127.0.0.1") | {"headers": [(b"host", host)]}
    assert Proxies().address(scope) in (DIRECT, "127.0.0.1")
    Proxies().notice_silent(scope)


def test_configured_proxies_are_trusted() -> None:
    trusted = ("192.0.2.1", "10.0.0.0/8", "2001:db8::/32")
    for peer in ("192.0.2.1", "10.1.2.3", "2001:db8::5", "::ffff:10.1.2.3"):
        assert address(peer, "198.51.100.1", trusted=trusted) == "198.51.100.1"
        assert address(peer, "203.0.113.9, 198.51.100.1, 10.0.0.7, 127.0.0.1", trusted=trusted) == "198.51.100.1"
        assert address(peer, trusted=trusted) != DIRECT
    assert address("192.0.2.2", "198.51.100.1", trusted=trusted) == "192.0.2.2"


def scheme(peer: str, forwarded: str, kind: str = "http") -> str:
    own = {"http": "http", "websocket": "ws"}[kind]
    headers = [(b"x-forwarded-proto", forwarded.encode())]
    return Proxies().scheme({"type": kind, "client": (peer, 1), "headers": headers, "scheme": own})


def test_the_scheme_is_that_of_the_first_proxy() -> None:
    assert scheme("127.0.0.1", "https") == "https"
    assert scheme("127.0.0.1", "https", "websocket") == scheme("127.0.0.1", "wss", "websocket") == "wss"
    assert scheme("127.0.0.1", "gopher") == "http"
    assert scheme("198.51.100.1", "https") == "http"


@pytest.mark.parametrize(
    ("peer", "forwarded", "host"),
    [
        ("127.0.0.1", ["play.example.org"], "play.example.org"),
        ("127.0.0.1", ["evil.example, play.example.org:8443"], "play.example.org:8443"),
        ("127.0.0.1", ["evil.example", "play.example.org"], "play.example.org"),
        ("127.0.0.1", [], ""),
        ("198.51.100.1", ["play.example.org"], ""),
    ],
)
def test_the_host_is_that_of_the_trusted_proxy(peer: str, forwarded: list[str], host: str) -> None:
    headers = [(b"x-forwarded-host", each.encode()) for each in forwarded]
    assert Proxies().host({"type": "http", "client": (peer, 1), "headers": headers}) == host


@pytest.mark.parametrize("text", ["", "x", "10.0.0.0/33", "10.0.0", "0.0.0.0/0", "::/0", "*", "::1/-1", "10.0.0.1:80"])
def test_an_invalid_proxy_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(GameError) as error:
        network(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200
