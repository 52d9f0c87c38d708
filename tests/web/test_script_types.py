"""Types for the pages' scripts, written from the server: its models in `messages.d.ts`, the elements of its pages in
`elements.d.ts`.

After a change of a model or a page, `python -m tests.web.test_script_types` writes both again.
"""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest

from pentad.web import messages
from pentad.web.app import SERVED
from pentad.web.http import pages
from pentad.web.http.assets import STATIC
from pentad.web.messages import WithChoices
from pentad.web.service.openapi import REFERENCE, Schemas, document

COMMAND = "python -m tests.web.test_script_types"
NAMES = {"boolean": "boolean", "integer": "number", "number": "number", "string": "string", "null": "null"}


def messages_file() -> str:
    """Requests and answers over HTTP, and messages of a room's socket."""
    description, own = document(SERVED), Schemas()
    received, sent = own.of(messages.AnyMessage), own.of(messages.Outgoing)
    schemas = {**own.known, **description["components"]["schemas"], "FromClient": received, "ToClient": sent}
    for name in (each.__name__ for each in get_args(messages.Outgoing) if issubclass(each, WithChoices)):
        of = {"$ref": REFERENCE.format("ChoiceInfo")}
        schemas[name]["properties"]["choices"] = {"type": "array", "items": of}
    head = f"// The requests and answers of the server. Written by `{COMMAND}`.\n\n"
    requested = re.findall(REFERENCE.format(r"(\w+)"), json.dumps([received, *bodies(description["paths"])]))
    for name in requested:  # grows: the models of a request's fields
        requested += set(re.findall(REFERENCE.format(r"(\w+)"), json.dumps(schemas[name]))) - {*requested}
    for name in schemas.keys() - {*requested}:  # the server writes every field, defaults too
        schemas[name]["required"] = [*schemas[name].get("properties", ())]
    shared = schemas["StateMessage"]["properties"].keys() & schemas["PlayedMessage"]["properties"].keys() - {"type"}
    fields = schemas["StateMessage"]["properties"]
    view = {"type": "object", "description": messages.PlayerView.__doc__, "required": [*shared]}
    schemas["PlayerView"] = {**view, "properties": {name: fields[name] for name in fields if name in shared}}
    for name in ("StateMessage", "PlayedMessage"):
        schemas[name]["properties"] = {k: v for k, v in schemas[name]["properties"].items() if k not in shared}
        schemas[name]["extends"] = "PlayerView"
    declared = [declaration(name, schema) for name, schema in sorted(schemas.items())]
    return head + "\n".join([*declared, answers(description["paths"])])


def elements_file() -> str:
    """The elements of all pages by their id; one id may be that of different elements on different pages."""
    names: dict[str, set[str]] = {}
    for page in pages.HERE.glob("*.html"):
        for tag, name in re.findall(r'<(\w+)[^>]*? id="([^"$]+)"', page.read_text(encoding="utf-8")):
            names.setdefault(name, set()).add(f'Tag["{tag}"]')
    rows = [f'  "{name}": {" | ".join(sorted(tags))};\n' for name, tags in sorted(names.items())]
    head = f"// The elements of the pages, by id. Written by `{COMMAND}`.\n\ntype Tag = HTMLElementTagNameMap;\n\n"
    return f"{head}export interface Elements {{\n{''.join(rows)}}}\n"


def declaration(name: str, schema: dict[str, Any]) -> str:
    if schema.get("type") != "object":
        return f"export type {name} = {type_of(schema)};\n"
    doc = schema.get("description", "").strip().replace("\n\n", "\n").replace("\n", "\n * ")
    required = set(schema.get("required", ()))
    fields = [
        f"  {field}{'' if field in required else '?'}: {type_of(of)};\n"
        for field, of in schema.get("properties", {}).items()
    ]
    extends = f" extends {schema['extends']}" if "extends" in schema else ""
    return f"/** {doc} */\nexport interface {name}{extends} {{\n{''.join(fields)}}}\n"


def type_of(schema: dict[str, Any]) -> str:
    """A JSON schema as a type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if union := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(type_of(each) for each in union))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_of(each) for each in schema['prefixItems'])}]"
        return f"Array<{type_of(schema['items'])}>"
    if kind == "object":
        return f"Record<string, {type_of(schema.get('additionalProperties', {}))}>"
    return NAMES[kind] if kind else "unknown"


def bodies(paths: dict[str, Any]) -> list[Any]:
    """The schemas of all request bodies."""
    return [operation.get("requestBody") for operations in paths.values() for operation in operations.values()]


def answers(paths: dict[str, Any]) -> str:
    """The type of the answer to a request, by its path; the longest paths come first, as a name matches any text."""
    rows = {
        re.sub(r"\{\w+\}", "${string}", path): type_of(body["schema"])
        for path, operations in paths.items()
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        if status.startswith("2") and (body := answer.get("content", {}).get("application/json"))
        if body.get("schema")
    }
    ordered = sorted(rows, key=lambda path: ("$" in path, -path.count("/"), path))
    lines = [f"  Path extends `{path}${{Query}}` ? {rows[path]} :\n" for path in ordered]
    return f"type Query = '' | `?${{string}}`;\n\nexport type Answer<Path extends string> =\n{''.join(lines)}  never;\n"


FILES = {"messages.d.ts": messages_file, "elements.d.ts": elements_file}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", FILES)
def test_types_follow_the_server(name: str) -> None:
    assert (STATIC / name).read_text(encoding="utf-8") == FILES[name](), f"run `{COMMAND}`"


if __name__ == "__main__":
    for name, text in FILES.items():
        (STATIC / name).write_text(text(), encoding="utf-8")
