"""Who may talk to the server, and what a browser may do with its answers.

- A `Host` that is not this machine is refused, so that no foreign name can be bound to it behind a browser's back.
- WebSockets, and requests that change something, are refused when they come from another site's page.
- Bodies are bounded, and every answer tells the browser to load nothing from elsewhere.
"""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 16 * 1024  # bytes
LARGEST_RECORD = 256 * 1024  # where whole games are sent
RECORDS = "/api/study/"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
_SAFE = {"GET", "HEAD", "OPTIONS"}


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        own = socket.gethostname().lower()
        self.hosts = {"localhost", own, f"{own}.local", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        answer = send if scope["type"] == "websocket" else _with_headers(send)
        refusal = self.refusal(scope)
        if refusal is None and scope["type"] == "http" and scope["method"] not in _SAFE:
            most = LARGEST_RECORD if scope["path"].startswith(RECORDS) else LARGEST_BODY
            body = await _read_body(receive, most)
            if body is None:
                refusal = (413, f"a request has at most {most} bytes")
            else:
                receive = _replay(body, receive)
        if refusal is None:
            await self.app(scope, receive, answer)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        else:
            await _answer(answer, *refusal)

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why this request is not let in, with the status that says so."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.knows(host):
            return 421, "this server is not known by that name"
        if scope["type"] == "http" and scope["method"] in _SAFE:
            return None
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "this comes from the page of another site"
        origin = headers.get("origin")
        # Programs send no origin; browsers always do here, and theirs cannot be forged by a page.
        if origin is not None and _place(origin) != host.lower():
            return 403, "this comes from the page of another site"
        return None

    def knows(self, host: str) -> bool:
        """Whether a `Host` header names this machine: by a name of its own, or by a number."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.hosts or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _place(origin: str) -> str | None:
    """The host and port of an origin; None where there is none in it."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return wrapped


async def _read_body(receive: Receive, most: int) -> bytes | None:
    """The whole body, or None if it is too large."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > most:
            return None
        if not message.get("more_body", False):
            return body


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives a body that was read already, then whatever else comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


async def _answer(send: Send, status: int, text: str) -> None:
    body = json.dumps({"error": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
