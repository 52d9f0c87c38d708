"""The table of services: which function answers which request, with typed requests and answers.

A route's function takes the backend, the caller and a request, which is a dataclass; a socket's takes the socket, too.
The fields of a request that the path names come from there. `body` is read from the JSON of the body, `query` has all
parameters of the address, and each other field is one of them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar, cast, get_type_hints
from urllib.parse import parse_qsl, quote

from pentad.web import refusal_texts, refusals
from pentad.web.backend import Backend
from pentad.web.http.exchange import BUG, JSON, REFUSED, Caller, JsonText, Response, Socket, StatusError
from pentad.web.http.request_context import UNMATCHED, note_route, with_number
from pentad.web.refusals import refused
from pentad.web.typed_json import LARGE, Check, Invalid, Reader, check_of, has_default, of_word, types_of
from pentad.web.typed_json import written as as_json

log = logging.getLogger(__name__)

Body = TypeVar("Body")
Text: TypeAlias = str | bytes

GET, POST, PUT, SOCKET = "GET", "POST", "PUT", "SOCKET"
SVG, PNG, PLAIN, HTML = "image/svg+xml", "image/png", "text/plain; charset=utf-8", "text/html; charset=utf-8"
_NAME = re.compile(r"\{(\w+)(:path)?\}")


@dataclass(frozen=True)
class Nothing:
    """A request that is its address alone."""


@dataclass(frozen=True)
class Posted(Generic[Body]):
    """A request with a body."""

    body: Body


@dataclass(frozen=True)
class Route:
    """A path, its method, and the function that answers; `refusals` are its own statuses of errors, described.

    `headers` are the optional headers of its own, described.

    In a path, `{name}` is any text without a slash, and `{name:path}` any text. Routes that are not `public` are not
    described for other programs.
    """

    method: str
    path: str
    function: Callable[..., Awaitable[object]]
    status: int = 200
    media: str = JSON
    refusals: Mapping[int, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    public: bool = True

    @cached_property
    def names(self) -> list[str]:
        """The named parts of the path."""
        return [name for name, _ in _NAME.findall(self.path)]

    @cached_property
    def hints(self) -> dict[str, object]:
        """The annotations of the function."""
        return get_type_hints(self.function)

    @cached_property
    def types(self) -> dict[str, object]:
        """The annotations of the request's fields."""
        return types_of(self.hints["request"])

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = _NAME.split(self.path)  # texts, names and what the names have, in turn
        texts = map(re.escape, parts[::3])
        groups = ["(.*)" if each else "([^/]+)" for each in parts[2::3]]
        return re.compile("".join(each for pair in zip(texts, [*groups, ""], strict=True) for each in pair), re.DOTALL)

    @cached_property
    def _checks(self) -> dict[str, Check]:
        return {name: check_of(kind) for name, kind in self.types.items() if name not in ("body", "query")}

    @cached_property
    def _query(self) -> Reader[object]:
        return Reader(self.types["query"], "the address")

    @cached_property
    def _body(self) -> Reader[object]:
        return Reader(self.types["body"], "the request")

    def match(self, path: str) -> dict[str, str] | None:
        """The named parts of a path; None if it is another route's."""
        found = self._pattern.fullmatch(path)
        return dict(zip(self.names, found.groups(), strict=True)) if found else None

    def read(self, parts: Mapping[str, str], query: Mapping[str, str], body: Text | None) -> object:
        """The request; `Invalid` says what is wrong with it."""
        values: dict[str, object] = {}
        kind = self.hints["request"]
        for name, check in self._checks.items():
            word = parts.get(name) if name in self.names else query.get(name)
            try:
                if word is not None:
                    values[name] = check(of_word(self.types[name], word))
                elif not has_default(kind, name):
                    raise Invalid(refusal_texts.MISSING_FIELD)
            except Invalid as invalid:
                raise invalid.within(name) from None
        if "query" in self.types:
            values["query"] = self._query.value(dict(query))
        if "body" in self.types:
            values["body"] = self._body.text(_text(body))
        return cast(Callable[..., object], kind)(**values)

    def respond(self, answer: object) -> Response:
        """The response with an answer of the function."""
        if isinstance(answer, Response):
            return Response(answer.body, {"content-type": self.media, **answer.headers}, answer.status or self.status)
        if answer is None:
            return Response(b"", {}, self.status)
        text = answer.text if isinstance(answer, JsonText) else as_json(answer)
        return Response(text, {"content-type": JSON}, self.status)


def _text(body: Text | None) -> str:
    try:
        return body.decode() if isinstance(body, bytes) else body or ""
    except UnicodeDecodeError:
        raise StatusError(422, refusal_texts.NOT_UTF8) from None


class Router:
    """Finds the route of each request and socket, and turns each failure into a response."""

    def __init__(
        self,
        routes: Iterable[Route],
        backend: Backend,
        missing: Callable[[Caller], Response | None] = lambda _: None,
    ) -> None:
        """`missing` is what there is where no route fits; by default a refusal."""
        self._routes, self._backend, self._missing = list(routes), backend, missing
        self._plain = {(each.method, each.path): each for each in self._routes if "{" not in each.path}

    async def respond(self, method: str, path: str, query: str, body: Text | None, caller: Caller) -> Response:
        """The response to a request; `query` is that of its address."""
        route: Route | None = None
        try:
            route, parts = self._find("GET" if method == "HEAD" else method, path)
            if route is None:
                return self._elsewhere(method, path, query, caller)
            note_route(route.path)
            if body and len(body) > LARGE:
                request = await self._backend.bodies(caller, route.read, parts, words_of(query), body)
            else:
                request = route.read(parts, words_of(query), body)
            return route.respond(await route.function(self._backend, caller, request))
        except Exception as error:
            refusal = refused(error)
            refusals.note(error)
            if refusal.status == refusals.BUG:  # the path itself may be a secret link
                log.exception("Internal error in %s %s.", method, route.path if route else UNMATCHED)
            return Response(as_json(refusal.body), {"content-type": JSON, **refusal.headers}, refusal.status)

    async def connect(self, path: str, query: str, caller: Caller, socket: Socket) -> None:
        """Serves a socket until one side closes it."""
        route: Route | None = None
        try:
            route, parts = self._find(SOCKET, path)
            if route is None:
                await socket.close(REFUSED, refusal_texts.NOT_FOUND)
                return
            note_route(route.path)
            request = route.read(parts, words_of(query), None)
            await socket.accept()
            await route.function(self._backend, caller, request, socket)
            await socket.close()
        except Invalid as invalid:
            await socket.close(REFUSED, str(invalid))
        except ConnectionError:
            pass  # the socket is lost
        except Exception:
            log.exception("Internal error in the socket %s.", route.path if route else UNMATCHED)
            await socket.close(BUG, with_number("Internal error (a bug in pentad)."))

    def _find(self, method: str, path: str) -> tuple[Route | None, dict[str, str]]:
        if route := self._plain.get((method, path)):
            return route, {}
        for each in self._routes:
            if each.method == method and (parts := each.match(path)) is not None:
                return each, parts
        return None, {}

    def _methods(self, path: str) -> list[str]:
        """The methods that a path has."""
        found = {each.method for each in self._routes if each.method != SOCKET and each.match(path) is not None}
        return sorted(found | ({"HEAD"} if "GET" in found else set()))

    def _elsewhere(self, method: str, path: str, query: str, caller: Caller) -> Response:
        """The response where no route fits: another method, another path, or nothing."""
        if allowed := self._methods(path):
            expected = " or ".join(each for each in allowed if each != "HEAD")
            text = refusal_texts.WRONG_METHOD.format(expected=expected, found=method)
            raise StatusError(405, text, {"Allow": ", ".join(allowed)})
        other = path.rstrip("/") if path.endswith("/") else f"{path}/"
        if self._methods(other):
            return Response(b"", {"Location": quote(other) + (f"?{query}" if query else "")}, 307)
        if (page := self._missing(caller)) is not None:
            return page
        raise StatusError(404, refusal_texts.NOT_FOUND)


def words_of(query: str) -> dict[str, str]:
    """The parameters of an address by name; the last of several counts.

    >>> words_of("flip=1&name=a%20b&name=c")
    {'flip': '1', 'name': 'c'}
    """
    return dict(parse_qsl(query, keep_blank_values=True))
