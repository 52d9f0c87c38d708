"""Local network: this machine's address for others, who lets them in, and links as QR codes."""

from __future__ import annotations

import io
import socket
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from pentad.game import GameError

_ANY = "192.0.2.1"  # a reserved address: nothing is sent there, but the route to it shows our own address


def own_address() -> str:
    """This machine's address in the local network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ANY, 9))
        except OSError:
            raise GameError("This machine is not on a local network.") from None
        return str(probe.getsockname()[0])


class Listener(NamedTuple):
    """A listener that the server has opened: its port, and a function that closes it with its connections."""

    port: int
    close: Callable[[], None]


Open: TypeAlias = Callable[[str], Awaitable[Listener]]  # by the address to listen on


class LocalNetwork:
    """Whether devices in the local network can join.

    Either the options of the server say so, or the person at this machine opens and closes a listener for them.
    """

    def __init__(self, address: str = "") -> None:
        """`address` is the server's address for other devices if they can join from the start."""
        self.address = address
        self._open: Open | None = None
        self._listener: Listener | None = None

    def control(self, open_listener: Open) -> None:
        """Lets the person at this machine decide."""
        self._open = open_listener

    @property
    def can_change(self) -> bool:
        """Whether the person at this machine decides, not the options."""
        return self._open is not None

    async def let_in(self) -> None:
        """Opens the listener; `GameError` if this machine is in no network."""
        if self._open and not self._listener:
            host = own_address()
            self._listener = await self._open(host)
            self.address = f"http://{host}:{self._listener.port}"

    def shut_out(self) -> None:
        """Closes the listener, and with it the connections of other devices."""
        if self._listener:
            self._listener.close()
            self._listener, self.address = None, ""


def qr_text(url: str) -> str:
    """A QR code as lines of text."""
    import segno

    out = io.StringIO()
    segno.make(url, error="m").terminal(out, compact=True)
    return out.getvalue()


def qr_svg(url: str) -> bytes:
    """A QR code as SVG."""
    import segno

    out = io.BytesIO()
    segno.make(url, error="m").save(out, kind="svg", scale=6, light="#fff", svgclass=None, lineclass=None)
    return out.getvalue()
