"""The application in a page: it answers the requests that pages otherwise send to the server, with the same routes."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterable, MutableMapping
from typing import Any

from pentad.web.http.client_address import DIRECT, KEY
from pentad.web.http.request_parsing import explain
from pentad.web.refusals import Refused, refused
from pentad.web.site.browser.connections import HTTPException, Request, Response, Socket, WebSocket, as_json
from pentad.web.site.browser.routing import APIRouter, RequestValidationError

BASE = "http://localhost"
REFUSED, BUG = 1008, 1011  # the codes with which a socket is closed

log = logging.getLogger(__name__)


class Application:
    """Routes with the client's cookies, which stay from one request to the next."""

    def __init__(
        self, routers: Iterable[Any], *, cookies: MutableMapping[str, str] | None = None, base: str = BASE
    ) -> None:
        """`base` is the address at which the pages are, for links to them."""
        known: list[APIRouter] = list(routers)
        self._routes = [route for router in known for route in router.routes]
        self._socket_routes = [route for router in known for route in router.socket_routes]
        self.cookies = {} if cookies is None else cookies
        self._base = base

    @classmethod
    def of(cls, services: Any, names: Iterable[str], **more: Any) -> Application:
        """The application with these modules of `pentad.web.routes`."""
        routers = [importlib.import_module(f"pentad.web.routes.{name}").router(services) for name in names]
        return cls(routers, **more)

    # ── requests ─────────────────────────────────────────────────────────────────────────────────

    async def handle(self, method: str, path: str, body: str | None = None) -> tuple[int, dict[str, str], str | bytes]:
        """The status, the headers and the body of the response; `path` has the query too, and a body is JSON."""
        response = await self._response(Request(self._scope(path), method, body))
        self.cookies.update(response.cookies)
        body_ = b"" if method == "HEAD" else response.body
        return response.status_code or 200, dict(response.headers), body_

    async def _response(self, request: Request) -> Response:
        try:
            return await self._routed(request)
        except RequestValidationError as invalid:
            return _refusal(Refused(422, explain(invalid.errors())))
        except HTTPException as failed:
            return _refusal(Refused(failed.status_code, failed.detail, failed.headers or {}))
        except Exception as error:
            refusal = refused(error)
            if refusal.status == 500:
                log.exception("Internal error in %s %s.", request.method, request.path)
            return _refusal(refusal)

    async def _routed(self, request: Request) -> Response:
        allowed: set[str] = set()
        for route in self._routes:
            parts = route.match(request.path)
            if parts is None:
                continue
            if request.method in route.methods:
                request.scope["path_params"] = parts
                return await route.answer(request)
            allowed = allowed or set(route.methods)
        if allowed:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(allowed))})
        other = request.path.rstrip("/") if request.path.endswith("/") else f"{request.path}/"
        if any(route.match(other) is not None for route in self._routes):
            return Response(None, 307, {"Location": other})
        raise HTTPException(404)

    # ── sockets ──────────────────────────────────────────────────────────────────────────────────

    async def connect(self, path: str, socket: Socket) -> None:
        """Serves a socket until one side closes it."""
        connection = WebSocket(self._scope(path), socket)
        try:
            for route in self._socket_routes:
                parts = route.match(connection.path)
                if parts is not None:
                    connection.scope["path_params"] = parts
                    await route.connect(connection)
                    await connection.close()
                    return
            await connection.close(REFUSED, "Not Found")
        except RequestValidationError as invalid:
            await connection.close(REFUSED, explain(invalid.errors()))
        except Exception:
            log.exception("Internal error in the socket %s.", connection.path)
            await connection.close(BUG)

    def _scope(self, path: str) -> dict[str, Any]:
        return {"url": f"{self._base}{path}", "cookies": self.cookies, "path_params": {}, KEY: DIRECT}


def _refusal(refusal: Refused) -> Response:
    return Response(as_json(refusal.body), refusal.status, refusal.headers, "application/json")
