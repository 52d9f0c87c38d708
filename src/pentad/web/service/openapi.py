"""The description of the table of services for other programs: OpenAPI, with JSON schemas of all types."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pentad.system.version import __version__
from pentad.web.api_types import Refusal
from pentad.web.backend import Backend
from pentad.web.http.exchange import JSON, Caller, JsonText, Response
from pentad.web.service.router import GET, SOCKET, Nothing, Route
from pentad.web.typed_json import Length, Matches, Range, has_default, types_of, written

Schema = dict[str, Any]

PATH = "/openapi.json"
REFERENCE = "#/components/schemas/{}"
REFUSALS_OF_ALL = {
    400: "The request cannot be read.",
    403: "The request comes from another site's page.",
    408: "The request body did not arrive in time.",
    413: "The request body is too large.",
    421: "The server does not answer for this host.",
    422: "The request is invalid; the error says why.",
    429: "Too many requests in a short time.",
}
_NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}
_BOUNDS = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}


class Schemas:
    """JSON schemas of types; those of dataclasses are kept by their names."""

    def __init__(self) -> None:
        self.known: dict[str, Schema] = {}

    def of(self, kind: object) -> Schema:
        """The schema of an annotation."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._noted(self.of(inner[0]), inner[1:])
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(each) for each in inner]}
        if origin is Literal:
            return {"type": "string", "enum": list(inner)}
        if origin is list or (origin is tuple and inner[1:] == (...,)):
            return {"type": "array", "items": self.of(inner[0])}
        if origin is tuple:
            return {
                "type": "array",
                "prefixItems": [self.of(each) for each in inner],
                "minItems": len(inner),
                "maxItems": len(inner),
            }
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if is_dataclass(kind):
            return self._reference(cast(type, kind))
        return {"type": _NAMES[cast(type, kind)]}

    def _noted(self, schema: Schema, notes: Iterable[object]) -> Schema:
        for note in notes:
            if isinstance(note, Length):
                least, most = _BOUNDS.get(schema["type"], ("minProperties", "maxProperties"))
                schema |= {most: note.most} | ({least: note.least} if note.least else {})
            elif isinstance(note, Range):
                names = {"minimum": note.least, "maximum": note.most, "exclusiveMinimum": note.above}
                schema |= {name: bound for name, bound in names.items() if bound is not None}
            elif isinstance(note, Matches):
                schema["pattern"] = f"^(?:{note.pattern.pattern})$"
        return schema

    def _reference(self, kind: type) -> Schema:
        if kind.__name__ not in self.known:
            self.known[kind.__name__] = {}  # a class may refer to itself
            self.known[kind.__name__] |= self._object(kind)
        return {"$ref": REFERENCE.format(kind.__name__)}

    def _object(self, kind: type) -> Schema:
        hints = types_of(kind)
        shown = {each.name: hints[each.name] for each in fields(kind) if each.metadata.get("written", True)}
        return {
            "type": "object",
            "description": inspect.getdoc(kind),
            "properties": {name: self.of(each) for name, each in shown.items()},
            "required": [name for name in shown if not has_default(kind, name)],
            "additionalProperties": False,
        }


def document(routes: Iterable[Route]) -> Schema:
    """The OpenAPI document of the public routes over HTTP."""
    schemas, paths = Schemas(), dict[str, Schema]()
    schemas.of(Refusal)
    for route in routes:
        if route.public and route.method != SOCKET:
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pentad",
            "summary": "Play Pentago, Pente and Pentagame.",
            "description": "Rooms are created over HTTP. Their events go over a WebSocket, /api/rooms/{room}.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": schemas.known},
    }


def _operation(route: Route, schemas: Schemas) -> Schema:
    refused = {**REFUSALS_OF_ALL, **route.refusals}
    refusal = {JSON: {"schema": {"$ref": REFERENCE.format(Refusal.__name__)}}}
    answers: Schema = {str(route.status): {"description": "The answer.", **_content(route, schemas)}}
    answers |= {str(status): {"description": text, "content": refusal} for status, text in refused.items()}
    parts = [each for name in route.types if name != "body" for each in _parameters(route, name, schemas)]
    parts += [
        {"name": name, "in": "header", "required": False, "description": text, "schema": {"type": "string"}}
        for name, text in route.headers.items()
    ]
    operation = {
        "operationId": f"{route.function.__name__}_{route.function.__module__.rpartition('.')[2]}",
        "summary": inspect.getdoc(route.function),
        "parameters": parts,
        "responses": answers,
    }
    if "body" in route.types:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas.of(route.types["body"])}}}
    return operation


def _content(route: Route, schemas: Schemas) -> Schema:
    """The content of a route's answer."""
    answer = route.hints["return"]
    if answer is NoneType:
        return {}
    if answer is Response:
        return {"content": {route.media.partition(";")[0]: {}}}
    inner = get_args(answer)[0] if get_origin(answer) is JsonText else answer
    return {"content": {JSON: {"schema": schemas.of(inner)}}}


def _parameters(route: Route, name: str, schemas: Schemas) -> list[Schema]:
    """The parameters that a field is read from: one, or any if it has all parameters of the query."""
    schema = schemas.of(route.types[name])
    if name == "query":
        return [{"name": name, "in": "query", "style": "form", "explode": True, "schema": schema}]
    place = "path" if name in route.names else "query"
    required = place == "path" or not has_default(route.hints["request"], name)
    return [{"name": name, "in": place, "required": required, "schema": schema}]


def route_of(routes: Iterable[Route]) -> Route:
    """The route of the document."""

    @cache
    def described() -> str:
        return written(document(routes))

    async def describe(backend: Backend, caller: Caller, request: Nothing) -> JsonText[Schema]:
        return JsonText(described())

    return Route(GET, PATH, describe, public=False)
