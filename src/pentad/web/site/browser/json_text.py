"""JSON text: written exactly as pydantic writes it, and read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from json.encoder import encode_basestring as quoted
from math import isfinite
from typing import Any

MOST_SHALLOW = 200  # lists and objects in a text that cannot be too deep
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class Unreadable(ValueError):
    """A text that is not JSON; the message says why and where."""


def read(text: str) -> Any:
    """The value of a JSON text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as failed:
        raise Unreadable(_error_of(text) or str(failed)) from None
    # Python takes half of a character, and any depth.
    is_odd = _HALF.search(text) or text.count("[") + text.count("{") > MOST_SHALLOW
    if is_odd and (why := _error_of(text)):
        raise Unreadable(why)
    return value


def _error_of(text: str) -> str | None:
    from pentad.web.site.browser.json_errors import error_of  # rarely needed

    return error_of(text)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def written(value: Any) -> str:
    """A value as JSON, without spaces."""
    write = _WRITERS.get(type(value))
    if write is None:
        write = _WRITERS[type(value)] = _of_class(type(value))
    return write(value)


def _number(value: float) -> str:
    """A number with fraction: small ones have another exponent than in Python."""
    text = repr(value)
    if "e-0" in text:
        digits, _, exponent = text.partition("e-0")
        if exponent != "5":
            return f"{digits}e-{exponent}"
        sign, digits = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
        return f"{sign}0.0000{digits.replace('.', '')}"
    return text if isfinite(value) else "null"


def _of_list(value: Any) -> str:
    return f"[{','.join(map(written, value))}]"


def _of_dict(value: Any) -> str:
    return f"{{{','.join(f'{quoted(name)}:{written(each)}' for name, each in value.items())}}}"


def _of_class(kind: type) -> Callable[[Any], str]:
    if json_names := getattr(kind, "json_names", None):
        return partial(_of_model, [(name, f"{quoted(name)}:") for name in json_names()])
    if hasattr(kind, "__dataclass_fields__"):
        return partial(_of_object, [(each.name, f"{quoted(each.name)}:") for each in fields(kind)])
    for base in kind.__mro__:
        if base in _WRITERS:
            return _WRITERS[base]
    raise TypeError(f"Unable to serialize unknown type: {kind}")


def _of_model(names: list[tuple[str, str]], value: Any) -> str:
    own = value.__dict__
    return f"{{{','.join([head + written(own[name]) for name, head in names])}}}"


def _of_object(names: list[tuple[str, str]], value: Any) -> str:
    return f"{{{','.join([head + written(getattr(value, name)) for name, head in names])}}}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: quoted,
    bool: lambda value: "true" if value else "false",
    int: int.__repr__,
    float: _number,
    type(None): lambda value: "null",
    list: _of_list,
    tuple: _of_list,
    dict: _of_dict,
}
