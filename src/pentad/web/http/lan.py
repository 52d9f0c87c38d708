"""Local network: this machine's address for others, and links as QR codes."""

from __future__ import annotations

import io
import socket

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
