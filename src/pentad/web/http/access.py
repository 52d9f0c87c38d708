"""Access log: each request and each socket has a number, is measured, and is one line of the log when it ends."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pentad.system.metrics import CounterMetric, Gauge, Histogram
from pentad.web.http.request_context import CURRENT, RequestContext

log = logging.getLogger(__name__)

REQUESTS = CounterMetric(
    "pentad_http_requests_total", "Requests, by method, route and status.", "method", "route", "status"
)
SECONDS = Histogram("pentad_http_request_seconds", "Seconds from a request to the end of its response.", "route")
OPENED = CounterMetric("pentad_sockets_opened_total", "Sockets that were opened.", "route")
OPEN = Gauge("pentad_sockets_open", "Sockets that are open.", "route")

HEADER = b"x-request-id"
METHODS = {"GET", "HEAD", "POST", "PUT", "OPTIONS"}  # the others are one in metrics
OTHER_METHOD = "other"
LEFT = 499  # the status where the client has left before the response


class AccessMiddleware:
    """Middleware in front of everything else: it sees each response as the client gets it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        context, status, begun = RequestContext(), LEFT, time.perf_counter()

        async def numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = _with_number(message, context)
            await send(message)

        before = CURRENT.set(context)
        try:
            await self.app(scope, receive, numbered)
        except Exception:
            status = 500  # of uvicorn, which logs the error
            raise
        finally:
            seconds = time.perf_counter() - begun
            method = scope["method"] if scope["method"] in METHODS else OTHER_METHOD
            REQUESTS.add(method, context.route, str(status))
            SECONDS.observe(seconds, context.route)
            # A page loads dozens of files.
            level = logging.DEBUG if scope["path"].startswith("/static/") else logging.INFO
            if log.isEnabledFor(level):
                ms = round(1000 * seconds, 1)
                about = {"method": method, "route": context.route, "status": status, "ms": ms}
                log.log(level, "%s %s %d %.1f ms", *about.values(), extra={"fields": about})
            CURRENT.reset(before)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        context, code, begun = RequestContext(), 0, time.perf_counter()
        opened: str | None = None

        async def numbered(message: Message) -> None:
            nonlocal code, opened
            if message["type"] == "websocket.accept":
                message, opened = _with_number(message, context), context.route
                OPENED.add(opened)
                OPEN.add(1, opened)
            elif message["type"] == "websocket.close":
                code = message.get("code", 0)
            await send(message)

        async def received() -> Message:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = code or message.get("code", 0)
            return message

        before = CURRENT.set(context)
        try:
            await self.app(scope, received, numbered)
        finally:
            if opened is not None:
                OPEN.add(-1, opened)
            about = {"route": context.route, "code": code, "seconds": round(time.perf_counter() - begun, 1)}
            log.info("Socket %s %d %.1f s", *about.values(), extra={"fields": about})
            CURRENT.reset(before)


def _with_number(message: Message, context: RequestContext) -> Message:
    return {**message, "headers": [*message.get("headers", ()), (HEADER, context.number.encode())]}
