"""Client addresses for limits: an IPv4 address, or the /64 network of an IPv6 address, direct or through a proxy.

Limits also count the wider networks of an address, as one customer may have many addresses.

A program on this machine that connects directly, and asks for `localhost` or a loopback address, has no address, and so
no limits of one. A request through a trusted proxy has the address in `X-Forwarded-For`, and limits whatever that is. A
proxy that does not send this header is a single client. It may also name the site's host and scheme, in
`X-Forwarded-Host` and `X-Forwarded-Proto`. `Forwarded` is not read: a proxy that does not know this header passes it on
as the client wrote it.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from pentad.game import GameError, shown
from pentad.jobs.fair_queue import Owner

log = logging.getLogger(__name__)

Address: TypeAlias = str  # "" for no limits
Scope: TypeAlias = Mapping[str, Any]  # ASGI describes a request by it
_Parsed: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

DIRECT: Address = ""  # its client is a program on this machine
UNKNOWN: Address = "unknown"  # all clients without a valid address share this one
SCOPE_KEY = "pentad.address"
LOOPBACK = ("127.0.0.0/8", "::1/128")
MOST_HOPS = 16  # proxies in a row
# The networks that limits count, by IP version: the common bits of their addresses, and how many times the limits of an
# address each has. An IPv6 customer gets a /64 (a phone), a /56 (a home) or a /48 (a company); an IPv4 customer gets an
# address, and the internet has no routes to less than a /24. A wide network may have many customers, hence its limits.
NETWORKS = {4: ((24, 16), (32, 1)), 6: ((48, 16), (56, 4), (64, 1))}
MOST_CACHED = 10_000
MOST_SILENT = 1000  # proxies without the header that are remembered
# Only a proxy sends these headers. One that was set up without any of them asks by HTTP/1.0, as nginx does by default.
_OF_PROXIES = {b"forwarded", b"via", b"x-forwarded-host", b"x-forwarded-proto", b"x-forwarded-server", b"x-real-ip"}
_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


def counted(address: _Parsed) -> Address:
    """An address as limits use it.

    >>> counted(ipaddress.ip_address("2001:db8::1:2:3:4"))
    '2001:db8::/64'
    """
    return _network_name(address, NETWORKS[address.version][-1][0])


def _network_name(address: _Parsed, bits: int) -> str:
    """The network of an address with so many common bits; the address itself if they are all."""
    rest = address.max_prefixlen - bits
    return f"{type(address)(int(address) >> rest << rest)}/{bits}" if rest else str(address)


@lru_cache(MOST_CACHED)
def networks(address: Address) -> Mapping[str, float]:
    """The networks of an address, from wide to narrow, and how many times the limits of an address each has.

    The last one is the address itself.

    >>> dict(networks("192.0.2.1"))
    {'192.0.2.0/24': 16, '192.0.2.1': 1}
    >>> list(networks("2001:db8:1:203::/64"))
    ['2001:db8:1::/48', '2001:db8:1:200::/56', '2001:db8:1:203::/64']
    """
    first = _parse(address.partition("/")[0])
    if first is None:
        return MappingProxyType({address: 1} if address else {})
    return MappingProxyType({_network_name(first, bits): times for bits, times in NETWORKS[first.version]})


@lru_cache(MOST_CACHED)
def prefix(address: Address, bits: int) -> str:
    """The network of an address with so many common bits; empty for a client without a valid address.

    >>> prefix("192.0.2.77", 24), prefix("192.0.2.77", 32), prefix("2001:db8:1:2::/64", 48)
    ('192.0.2.0/24', '192.0.2.77/32', '2001:db8:1::/48')
    """
    first = _parse(address.partition("/")[0])
    return f"{_network_name(first, bits).partition('/')[0]}/{bits}" if first is not None else ""


def owner_at(name: Hashable, address: Address) -> Owner:
    """The owner of requests: a name at an address."""
    return Owner(name, tuple(networks(address)))


class Proxies:
    """The trusted proxies: those on this machine, and others by address or network."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._networks = [network(each) for each in (*LOOPBACK, *trusted)]
        self._loopback = self._networks[: len(LOOPBACK)]
        self._silent: set[_Parsed] = set()  # proxies that have sent a request without its client's address

    def address(self, scope: Scope) -> Address:
        """The client's address of a request: the rightmost one in the header that is not a trusted proxy."""
        client = scope.get("client")
        peer = _parse(client[0]) if client else None
        if peer is None:
            return UNKNOWN
        if not _is_in(peer, self._networks):
            return counted(peer)
        if forwarded := _headers(scope, b"x-forwarded-for"):
            return self._forwarded(",".join(forwarded))
        return DIRECT if self._is_program_here(peer, scope) else counted(peer)

    def _is_program_here(self, peer: _Parsed, scope: Scope) -> bool:
        """Whether a request without `X-Forwarded-For` comes from a program on this machine, not through a proxy.

        Whoever forwards connections for others may be asked for `localhost` by them, too.
        """
        if not _is_in(peer, self._loopback) or peer in self._silent or scope.get("http_version") == "1.0":
            return False
        listener = _parse(str((scope.get("server") or ("",))[0]))
        if listener and not _is_in(listener, self._loopback):
            return False
        return self._is_loopback_host(scope) and not any(key in _OF_PROXIES for key, _ in scope["headers"])

    def _is_loopback_host(self, scope: Scope) -> bool:
        name = name_in((_headers(scope, b"host")[:1] or [""])[0])
        address = _parse(name)
        return _is_in(address, self._loopback) if address else is_localhost(name)

    def notice_silent(self, scope: Scope) -> None:
        """Logs that a trusted proxy does not send its client's address, at its first such request."""
        client = scope.get("client")
        peer = _parse(client[0]) if client else None
        if peer is None or peer in self._silent or len(self._silent) >= MOST_SILENT:
            return
        told = not _is_in(peer, self._networks) or _headers(scope, b"x-forwarded-for")
        if not told and not self._is_program_here(peer, scope):
            self._silent.add(peer)
            log.warning(
                "The proxy at %s does not send X-Forwarded-For, so its clients share the limits of one address. "
                "Add the header to its settings; for nginx: "
                "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
                peer,
            )

    def _forwarded(self, forwarded: str) -> Address:
        """The client in the header. Proxies append their clients: what precedes the first stranger is not trusted."""
        address: _Parsed | None = None
        for text in reversed(forwarded.rsplit(",", MOST_HOPS)):
            address = _parse(_without_port(text.strip()))
            if address is None:
                return UNKNOWN
            if not _is_in(address, self._networks):
                break
        return UNKNOWN if address is None else counted(address)

    def scheme(self, scope: Scope) -> str:
        """The scheme on which the first proxy got a request: `http` or `https`, for sockets `ws` or `wss`."""
        own = str(scope.get("scheme", "http"))
        scheme = _SCHEMES.get(self._told(scope, b"x-forwarded-proto").lower())
        if scheme is None:
            return own
        return scheme.replace("http", "ws") if scope["type"] == "websocket" else scheme

    def host(self, scope: Scope) -> str:
        """The host that the client asked for, as the proxy says; empty if it says nothing."""
        return self._told(scope, b"x-forwarded-host")

    def _told(self, scope: Scope, name: bytes) -> str:
        """What the trusted proxy has added to a header last; empty for a client that is no trusted proxy."""
        client = scope.get("client")
        peer = _parse(client[0]) if client else None
        if peer is None or not _is_in(peer, self._networks):
            return ""
        return (_headers(scope, name)[-1:] or [""])[0].rpartition(",")[2].strip()


def name_in(host: str) -> str:
    """The name or IP address in a `Host` header; empty if there is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    """Whether the name of a host is an IP address."""
    return _parse(name) is not None


def root_of(host: str, port: int) -> str:
    """The address of a server, as a browser wants it.

    >>> root_of("127.0.0.1", 8000), root_of("::1", 8000)
    ('http://127.0.0.1:8000', 'http://[::1]:8000')
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def is_localhost(name: str) -> bool:
    """Whether a name always means the machine that asks."""
    return name == "localhost" or name.endswith(".localhost")


def network(text: str) -> _Network:
    """A proxy's address, or a network of proxies; `GameError` if it is neither.

    >>> network("10.0.0.0/8")
    IPv4Network('10.0.0.0/8')
    """
    try:
        found = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise GameError(
            "Expected an IP address or a network such as 10.0.0.0/8, got {text}.", text=shown(text)
        ) from None
    if not found.prefixlen:
        raise GameError("{text} matches every address: any client could forge its own.", text=text)
    return found


def _headers(scope: Scope, name: bytes) -> list[str]:
    """The headers of this name, which is in lower case."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _parse(text: str) -> _Parsed | None:
    """An address, or None if it is invalid. An IPv4 address within IPv6 becomes an IPv4 address."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _without_port(text: str) -> str:
    """An address without a port, which some proxies add: `192.0.2.1:80`, `[2001:db8::1]:80`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _is_in(address: _Parsed, networks: Iterable[_Network]) -> bool:
    return any(address in each for each in networks)
