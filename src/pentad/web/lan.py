"""Other machines in the room: where they find this one, and links as codes that a phone's camera reads."""

from __future__ import annotations

import io
import socket

import segno

from pentad.game import GameError

_ANY = "192.0.2.1"  # an address of nobody: nothing is sent there, but the way to it tells our own


def own_address() -> str:
    """This machine's address as its neighbours know it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ANY, 9))
        except OSError:
            raise GameError("this machine is in no network that others could join it through") from None
        return str(probe.getsockname()[0])


def code(url: str) -> str:
    """A QR code as lines of text."""
    out = io.StringIO()
    segno.make(url, error="m").terminal(out, compact=True)
    return out.getvalue()


def picture(url: str) -> bytes:
    """A QR code as SVG."""
    out = io.BytesIO()
    segno.make(url, error="m").save(out, kind="svg", scale=6, light="#fff", svgclass=None, lineclass=None)
    return out.getvalue()
