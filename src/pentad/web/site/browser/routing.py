"""Routes: the part of FastAPI that pentad uses, for the page without a server.

A route reads the parameters of its function from a request, by their annotations: parts of the path and the query, one
model from the body, the request itself, the response, and what other functions find. Annotations are read on the
route's first request.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pentad.web.site.browser.checks import Check, Finding, ValidationError, check_of, error
from pentad.web.site.browser.connections import HTTPConnection, HTTPException, Request, Response, WebSocket
from pentad.web.site.browser.json_text import written
from pentad.web.site.browser.models import BaseModel, FieldInfo

Endpoint = Callable[..., Awaitable[Any]]
_NAME = re.compile(r"\{(\w+)\}")
_UNREADABLE = "There was an error parsing the body"


class RequestValidationError(ValidationError):
    """A request with invalid parameters or an invalid body."""


class Depends:
    """A parameter that another function finds."""

    def __init__(self, dependency: Endpoint) -> None:
        self.dependency = dependency


def Query(default: Any = inspect.Parameter.empty, **limits: Any) -> Any:  # noqa: N802
    """A parameter of the query with bounds."""
    return FieldInfo(**limits) if default is inspect.Parameter.empty else FieldInfo(default, **limits)


# ── parameters ───────────────────────────────────────────────────────────────────────────────────


class _Call:
    """A function and how its parameters are read."""

    def __init__(self, function: Endpoint, path_names: Iterable[str]) -> None:
        self.function = function
        self._parts: list[tuple[str, str, Check, Any]] = []  # of the path and the query
        self._body: tuple[str, Check] | None = None
        self._depends: list[tuple[str, _Call]] = []
        self._requests: list[str] = []
        self._responses: list[str] = []
        hints = get_type_hints(function, include_extras=True)
        for name, parameter in inspect.signature(function).parameters.items():
            self._add(name, hints[name], parameter.default, name in path_names)

    def _add(self, name: str, kind: Any, default: Any, is_in_path: bool) -> None:
        notes = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
        for note in notes:
            if isinstance(note, Depends):
                self._depends.append((name, _Call(note.dependency, ())))
                return
        if isinstance(kind, type) and issubclass(kind, HTTPConnection):
            self._requests.append(name)
        elif isinstance(kind, type) and issubclass(kind, Response):
            self._responses.append(name)
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            self._body = name, check_of(kind, "attributes")
        else:
            self._parts.append((name, "path" if is_in_path else "query", check_of(kind, "text"), default))

    async def arguments(self, connection: HTTPConnection, response: Response) -> dict[str, Any]:
        """The arguments for a request; `RequestValidationError` with everything that is wrong."""
        body = _body(connection) if self._body else None
        found, findings = {}, list[Finding]()
        for name, call in self._depends:
            found[name] = await call.function(**await call.arguments(connection, response))
        sources: Mapping[str, Mapping[str, str]] = {"path": connection.path_params, "query": connection.query_params}
        for name, place, check, default in self._parts:
            text = sources[place].get(name)
            try:
                if text is None and default is inspect.Parameter.empty:
                    raise error("missing", "Field required", None)
                found[name] = default if text is None else check(text)
            except ValidationError as failed:
                findings += failed.below(place, name)
        if self._body:
            name, check = self._body
            try:
                if body is _NOTHING:
                    raise error("missing", "Field required", None)
                found[name] = check(body)
            except ValidationError as failed:
                findings += failed.below("body")
        if findings:
            raise RequestValidationError(findings)
        found.update(dict.fromkeys(self._requests, connection), **dict.fromkeys(self._responses, response))
        return found


_NOTHING: Any = object()


def _body(request: HTTPConnection) -> Any:
    """The value of a request's body."""
    text = request.text if isinstance(request, Request) else None
    if not text:
        return _NOTHING
    try:
        return json.loads(text.encode("utf-8", "surrogatepass"))  # as bytes, of which a byte order mark is ignored
    except json.JSONDecodeError as failed:
        invalid = error("json_invalid", "JSON decode error", {}, error=failed.msg)
        raise RequestValidationError(invalid.below("body", failed.pos)) from None
    except (ValueError, RecursionError):
        raise HTTPException(400, _UNREADABLE) from None


# ── routes ───────────────────────────────────────────────────────────────────────────────────────


class Route:
    """A function for requests of some paths."""

    def __init__(self, path: str, function: Endpoint, methods: Iterable[str], status: int = 200) -> None:
        self.methods, self._function, self._status = frozenset(methods), function, status
        self._names = _NAME.findall(path)
        parts = _NAME.split(path)  # texts and names in turn
        parts[::2], parts[1::2] = map(re.escape, parts[::2]), ("([^/]+)" for _ in self._names)
        self._pattern = re.compile("".join(parts))

    def match(self, path: str) -> dict[str, str] | None:
        """The named parts of a path; None if it is another route's."""
        found = self._pattern.fullmatch(path)
        return dict(zip(self._names, found.groups(), strict=True)) if found else None

    @cached_property
    def _call(self) -> _Call:
        return _Call(self._function, self._names)

    async def answer(self, request: Request) -> Response:
        """The response to a request of this route."""
        more = Response(status_code=None)
        answer = await self._function(**await self._call.arguments(request, more))
        if isinstance(answer, Response):
            return answer
        response = Response(written(answer), more.status_code or self._status, more.headers, "application/json")
        response.cookies = more.cookies
        return response

    async def connect(self, socket: WebSocket) -> None:
        """Serves a socket of this route until it closes."""
        await self._function(**await self._call.arguments(socket, Response()))


class APIRouter:
    """Routes in their order; descriptions of responses mean nothing here."""

    def __init__(self, **descriptions: Any) -> None:
        self.routes: list[Route] = []
        self.socket_routes: list[Route] = []

    def add_api_route(
        self, path: str, endpoint: Endpoint, *, methods: Iterable[str] = ("GET",), status_code: int = 200, **more: Any
    ) -> None:
        """Adds a route."""
        self.routes.append(Route(path, endpoint, methods, status_code))

    def _adds(self, method: str, path: str, more: dict[str, Any]) -> Callable[[Endpoint], Endpoint]:
        def add(endpoint: Endpoint) -> Endpoint:
            self.add_api_route(path, endpoint, methods=(method,), **more)
            return endpoint

        return add

    def get(self, path: str, **more: Any) -> Callable[[Endpoint], Endpoint]:
        """Adds a route for GET."""
        return self._adds("GET", path, more)

    def post(self, path: str, **more: Any) -> Callable[[Endpoint], Endpoint]:
        """Adds a route for POST."""
        return self._adds("POST", path, more)

    def put(self, path: str, **more: Any) -> Callable[[Endpoint], Endpoint]:
        """Adds a route for PUT."""
        return self._adds("PUT", path, more)

    def delete(self, path: str, **more: Any) -> Callable[[Endpoint], Endpoint]:
        """Adds a route for DELETE."""
        return self._adds("DELETE", path, more)

    def websocket(self, path: str) -> Callable[[Endpoint], Endpoint]:
        """Adds a route for sockets."""

        def add(endpoint: Endpoint) -> Endpoint:
            self.socket_routes.append(Route(path, endpoint, ()))
            return endpoint

        return add
