"""Checks of values against annotations, with pydantic's strict rules and its errors.

A check takes a value and returns it, perhaps converted, or raises `ValidationError`. Checks are made from an annotation
when a model is first used, not when it is imported.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

Finding: TypeAlias = dict[str, Any]  # an error of a value, as pydantic describes it
Location: TypeAlias = tuple[int | str, ...]
Check: TypeAlias = Callable[[Any], Any]
Mode: TypeAlias = Literal["python", "attributes", "json", "text"]  # the origin of a value
# "attributes" are Python values that may be other objects in place of models, "text" is a part of an address.

_TRUE, _FALSE = {"1", "on", "t", "true", "y", "yes"}, {"0", "off", "f", "false", "n", "no"}
_WHOLE = re.compile(r"[+-]?[0-9]+(_[0-9]+)*(\.0+)?", re.ASCII)
_MOST_DIGITS = 4300


class ValidationError(ValueError):
    """The errors of a value."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        super().__init__()
        self._findings = list(findings)

    def errors(self, *, include_url: bool = False) -> list[Finding]:
        """All errors; each has its `type`, `loc`, `msg` and `input`, and `ctx` where there are bounds."""
        return self._findings

    def __str__(self) -> str:
        return "\n".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in self._findings)

    def below(self, *place: int | str) -> list[Finding]:
        """The errors, seen from outside: their places within this one."""
        return [{**each, "loc": (*place, *each["loc"])} for each in self._findings]


def error(type_: str, message: str, value: Any, **context: Any) -> ValidationError:
    """One error of a value."""
    finding: Finding = {"type": type_, "loc": (), "msg": message, "input": value}
    return ValidationError([finding | ({"ctx": context} if context else {})])


@dataclass(frozen=True, slots=True)
class ValueBounds:
    """The bounds of a value; `discriminator` is the field that tells the models of a union apart."""

    max_length: int | None = None
    min_length: int | None = None
    pattern: str | None = None
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    allow_inf_nan: bool = True
    discriminator: str | None = None


NO_LIMITS = ValueBounds()


def check_of(kind: Any, mode: Mode, limits: ValueBounds = NO_LIMITS) -> Check:
    """The check of an annotation."""
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *notes = get_args(kind)
        own = [limits_ for note in notes if (limits_ := getattr(note, "limits", None)) is not None]
        return check_of(inner, mode, own[-1] if own else limits)
    if origin in (Union, UnionType):
        return _union(get_args(kind), mode, limits)
    if origin is Literal:
        return _literal(get_args(kind))
    if origin is list:
        return _list(check_of(get_args(kind)[0], mode), mode, limits)
    if origin is tuple:
        return _tuple(get_args(kind), mode)
    if origin is dict:
        key, value = get_args(kind)
        return _dict(check_of(key, mode), check_of(value, mode), mode, limits)
    if kind is str:
        return _text(limits)
    if kind is int:
        return _bounded(_whole_from_text if mode == "text" else _whole, limits)
    if kind is float:
        number = _number_from_json if mode == "json" else _number
        return _bounded(number if limits.allow_inf_nan else _finite(number), limits, float)
    if kind is bool:
        return _truth_from_text if mode == "text" else _truth
    if kind is Any:
        return lambda value: value
    if of_model := getattr(kind, "check_for", None):
        return _later(of_model, mode)
    return _instance(kind)


def _later(of_model: Callable[[Mode], Check], mode: Mode) -> Check:
    """The check of a model, which may refer to itself."""
    return lambda value: of_model(mode)(value)


# ── single values ────────────────────────────────────────────────────────────────────────────────


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


def _check_unicode(value: str) -> None:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            message = "Input should be a valid string, unable to parse raw data as a unicode string"
            raise error("string_unicode", message, value) from None


def _any_text(value: Any) -> Any:
    if not isinstance(value, str):
        raise error("string_type", "Input should be a valid string", value)
    return value


def _text(limits: ValueBounds) -> Check:
    most, least, pattern = limits.max_length, limits.min_length, limits.pattern
    if most is None and least is None and pattern is None:
        return _any_text
    # In pydantic's regular expressions `$` is the end of the text, not the place before a last newline too.
    expression = re.compile(re.sub(r"\$\Z", r"\\Z", pattern)) if pattern else None

    def check(value: Any) -> Any:
        _any_text(value)
        _check_unicode(value)
        if least is not None and len(value) < least:
            message = f"String should have at least {_plural(least, 'character')}"
            raise error("string_too_short", message, value, min_length=least)
        if most is not None and len(value) > most:
            message = f"String should have at most {_plural(most, 'character')}"
            raise error("string_too_long", message, value, max_length=most)
        if expression and not expression.search(value):
            message = f"String should match pattern '{pattern}'"
            raise error("string_pattern_mismatch", message, value, pattern=pattern)
        return value

    return check


def _truth(value: Any) -> Any:
    if value is not True and value is not False:
        raise error("bool_type", "Input should be a valid boolean", value)
    return value


def _truth_from_text(value: str) -> bool:
    _check_unicode(value)
    word = value.lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise error("bool_parsing", "Input should be a valid boolean, unable to interpret input", value)


def _whole(value: Any) -> Any:
    if not isinstance(value, int) or isinstance(value, bool):
        raise error("int_type", "Input should be a valid integer", value)
    return value


def _whole_from_text(value: str) -> int:
    _check_unicode(value)
    word = value.strip()
    if not _WHOLE.fullmatch(word):
        raise error("int_parsing", "Input should be a valid integer, unable to parse string as an integer", value)
    if len(word) > _MOST_DIGITS:
        message = "Unable to parse input string as an integer, exceeded maximum size"
        raise error("int_parsing_size", message, value)
    return int(word.partition(".")[0])


def _number(value: Any) -> Any:
    if isinstance(value, float):
        return value
    try:
        return float(_whole(value))
    except (ValidationError, OverflowError):
        raise error("float_type", "Input should be a valid number", value) from None


def _number_from_json(value: Any) -> Any:
    try:
        return _number(value)
    except ValidationError:
        if isinstance(value, int) and not isinstance(value, bool):  # too large
            return math.inf if value > 0 else -math.inf
        raise


def _finite(number: Check) -> Check:
    def check(value: Any) -> Any:
        found = number(value)
        if not math.isfinite(found):
            raise error("finite_number", "Input should be a finite number", value)
        return found

    return check


_BOUNDS: tuple[tuple[str, str, str, Callable[[Any, Any], bool]], ...] = (
    ("le", "less_than_equal", "less than or equal to", operator.le),
    ("lt", "less_than", "less than", operator.lt),
    ("ge", "greater_than_equal", "greater than or equal to", operator.ge),
    ("gt", "greater_than", "greater than", operator.gt),
)


def _bounded(number: Check, limits: ValueBounds, kind: Callable[[Any], Any] = int) -> Check:
    """The check of a number within bounds."""
    bounds = [(*each, kind(bound)) for each in _BOUNDS if (bound := getattr(limits, each[0])) is not None]
    if not bounds:
        return number

    def check(value: Any) -> Any:
        found = number(value)
        for name, type_, words, is_within, bound in bounds:
            if not is_within(found, bound):
                raise error(type_, f"Input should be {words} {bound:g}", value, **{name: bound})
        return found

    return check


def _literal(words: tuple[Any, ...]) -> Check:
    *first, last = map(repr, words)
    expected = f"{', '.join(first)} or {last}" if first else last

    def check(value: Any) -> Any:
        if not isinstance(value, str) or value not in words:
            raise error("literal_error", f"Input should be {expected}", value, expected=expected)
        return value

    return check


def _instance(kind: type) -> Check:
    """The check of a plain class, such as a dataclass."""

    def check(value: Any) -> Any:
        if not isinstance(value, kind):
            message = f"Input should be an instance of {kind.__name__}"
            raise error("dataclass_exact_type", message, value, class_name=kind.__name__)
        return value

    return check


# ── several values ───────────────────────────────────────────────────────────────────────────────


def _check_length(value: Any, limits: ValueBounds, thing: str, actual: int | None) -> None:
    most, least, count = limits.max_length, limits.min_length, len(value)
    context = {"field_type": thing, "actual_length": actual}
    if most is not None and count > most:
        found = "more" if actual is None else actual
        message = f"{thing} should have at most {_plural(most, 'item')} after validation, not {found}"
        raise error("too_long", message, value, max_length=most, **context)
    if least is not None and count < least:
        message = f"{thing} should have at least {_plural(least, 'item')} after validation, not {count}"
        raise error("too_short", message, value, min_length=least, **context)


def _items(values: Iterable[Any], checks: Iterable[Check]) -> list[Any]:
    """The checked items of a list or a tuple."""
    found, findings = list[Any](), list[Finding]()
    for place, (value, check) in enumerate(zip(values, checks, strict=False)):
        try:
            found.append(check(value))
        except ValidationError as failed:
            findings += failed.below(place)
    if findings:
        raise ValidationError(findings)
    return found


def _list(item: Check, mode: Mode, limits: ValueBounds) -> Check:
    too_long = ValueBounds(max_length=limits.max_length)
    too_short = ValueBounds(min_length=limits.min_length)

    def check(value: Any) -> Any:
        if not isinstance(value, list):
            raise error("list_type", f"Input should be a valid {'array' if mode == 'json' else 'list'}", value)
        _check_length(value, too_long, "List", len(value))
        try:
            found = [item(each) for each in value]
        except ValidationError:
            found = _items(value, [item] * len(value))  # with the places of all errors
        _check_length(found, too_short, "List", len(value))
        return found

    return check


def _tuple(kinds: tuple[Any, ...], mode: Mode) -> Check:
    is_open = len(kinds) == 2 and kinds[1] is Ellipsis
    checks = [check_of(each, mode) for each in (kinds[:1] if is_open else kinds)]
    source = list if mode == "json" else tuple
    name = "array" if mode == "json" else "tuple"

    def check(value: Any) -> Any:
        if not isinstance(value, source):
            raise error("tuple_type", f"Input should be a valid {name}", value)
        if is_open:
            return tuple(_items(value, checks * len(value)))
        if len(value) > len(checks):
            _check_length(value, ValueBounds(max_length=len(checks)), "Tuple", len(value))
        found = _items(value, checks)
        if len(value) < len(checks):
            raise ValidationError(
                finding
                for place in range(len(value), len(checks))
                for finding in error("missing", "Field required", value).below(place)
            )
        return tuple(found)

    return check


def _dict(key: Check, item: Check, mode: Mode, limits: ValueBounds) -> Check:
    def check(value: Any) -> Any:
        if not isinstance(value, dict):
            kind = "an object" if mode == "json" else "a valid dictionary"
            raise error("dict_type", f"Input should be {kind}", value)
        found, findings = dict[Any, Any](), list[Finding]()
        for name, each in value.items():
            try:
                key(name)
            except ValidationError as failed:
                findings += failed.below(name, "[key]")
            try:
                found[name] = item(each)
            except ValidationError as failed:
                findings += failed.below(name)
        if findings:
            raise ValidationError(findings)
        _check_length(value, limits, "Dictionary", None)
        return found

    return check


# ── unions ───────────────────────────────────────────────────────────────────────────────────────


def _union(kinds: tuple[Any, ...], mode: Mode, limits: ValueBounds) -> Check:
    others = tuple(kind for kind in kinds if kind is not NoneType)
    if len(others) < len(kinds):
        inner = check_of(others[0], mode, limits) if len(others) == 1 else _union(others, mode, limits)
        return lambda value: None if value is None else inner(value)
    if limits.discriminator:
        return _tagged(others, mode, limits.discriminator)
    checks = [(kind.__name__, check_of(kind, mode, limits)) for kind in others]

    def check(value: Any) -> Any:
        findings: list[Finding] = []
        for name, one in checks:
            try:
                return one(value)
            except ValidationError as failed:
                findings += failed.below(name)
        raise ValidationError(findings)

    return check


def _tagged(kinds: tuple[Any, ...], mode: Mode, field: str) -> Check:
    """The check of a union of models, each with a word of its own in one field."""
    checks = {word: (check_of(kind, mode)) for kind in kinds for word in kind.words_of(field)}
    named, expected = repr(field), ", ".join(map(repr, checks))

    def check(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise error("dict_type", "Input should be an object", value)
        if field not in value:
            message = f"Unable to extract tag using discriminator {named}"
            raise error("union_tag_not_found", message, value, discriminator=named)
        tag = value[field]
        one = checks.get(tag) if isinstance(tag, str) else None
        if one is None:
            message = f"Input tag '{tag}' found using {named} does not match any of the expected tags: {expected}"
            context = {"discriminator": named, "tag": str(tag), "expected_tags": expected}
            raise error("union_tag_invalid", message, value, **context)
        try:
            return one(value)
        except ValidationError as failed:
            raise ValidationError(failed.below(tag)) from None

    return check
