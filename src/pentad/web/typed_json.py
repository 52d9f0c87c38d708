"""JSON read and written by the annotations of dataclasses: strict, with one sentence for what is wrong.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Point:
...     x: Annotated[int, Range(0, 9)]
...     y: int = 0
>>> Reader(Point).text('{"x": 3}')
Point(x=3, y=0)
>>> Reader(Point).text('{"x": 12}')
Traceback (most recent call last):
    ...
pentad.web.typed_json.Invalid: Expected "x" to be from 0 to 9, got 12.

Nothing is converted, except that a whole number is a number too. Fields that a class does not have are refused. The
bounds of a field stand in its annotation: `Length`, `Range`, `Matches` and `Converted`. The classes of a union are told
apart by their field `type`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache, cached_property
from json.decoder import scanstring  # type: ignore[attr-defined]
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Generic, Literal, NamedTuple, TypeAlias, TypeVar, Union, cast, get_args, get_origin
from typing import get_type_hints as hints_of

from pentad.game import GameError, did_you_mean, shorten, shown
from pentad.system.words import count, phrase
from pentad.web import refusal_texts as texts

T = TypeVar("T")
Check: TypeAlias = "Callable[[object], object]"

MAX_SENTENCE_LENGTH = 200
MAX_SHOWN_LENGTH = 30
LARGE = 64 * 1024  # characters or bytes; shorter JSON is read in a few milliseconds, whatever it has
MOST_VALUES = 100_000  # in large JSON; the moves of a long game are half as many
TAG = "type"  # the field that tells the classes of a union apart


class Invalid(GameError):
    """A value that is not as it should be; `path` is its place, from the outside in."""

    def __init__(self, sentence: str, *path: str, **gaps: object) -> None:
        self.sentence, self.path, self.gaps = sentence, path, gaps
        self.whole = "the message"  # what the value is called if the path is empty
        super().__init__()

    def within(self, name: str) -> Invalid:
        """The same error, seen from outside of a field or an item of this name."""
        return Invalid(self.sentence, name, *self.path, **self.gaps)

    @property
    def field(self) -> str:
        """The place of the value as one text; empty if it is the whole."""
        return ".".join(self.path)

    def __str__(self) -> str:
        place = f'"{shorten(self.field)}"' if self.path else self.whole
        return shorten(self.sentence.format(place=place, field=self.field, **self.gaps).strip(), MAX_SENTENCE_LENGTH)


class Length(NamedTuple):
    """Bounds of the characters of a text, or of the items of a list or an object."""

    most: int
    least: int = 0


class Range(NamedTuple):
    """Bounds of a number; `above` is one that it may not reach."""

    least: float | None = None
    most: float | None = None
    above: float | None = None

    @property
    def words(self) -> str:
        """The bounds in words."""
        if self.least is not None and self.most is not None:
            return f"from {self.least:,} to {self.most:,}"
        low = f"at least {self.least:,}" if self.least is not None else ""
        low = f"more than {self.above:,}" if self.above is not None else low
        return " and ".join(filter(None, (low, f"at most {self.most:,}" if self.most is not None else "")))


class Matches(NamedTuple):
    """A pattern of a whole text, and what it is in words."""

    pattern: re.Pattern[str]
    words: str


class Converted(NamedTuple):
    """A function that reads any value; a `GameError` says what is wrong with it."""

    function: Callable[[object], object]


class Reader(Generic[T]):
    """Reads values of a kind: a dataclass, a union of them, or any other annotation."""

    def __init__(self, kind: object, whole: str = "the message") -> None:
        """`whole` is what errors call the whole value."""
        self._kind, self._whole = kind, whole

    @cached_property
    def _check(self) -> Check:
        return check_of(self._kind)

    def value(self, value: object) -> T:
        """The value of parsed JSON as one of this kind."""
        try:
            return cast(T, self._check(value))
        except Invalid as invalid:
            invalid.whole = self._whole
            raise

    def text(self, text: str) -> T:
        """The value of a JSON text."""
        return self.value(parsed(text))


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────

_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def parsed(text: str) -> object:
    """The value of a JSON text; `Invalid` if it is none."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise Invalid(texts.NOTHING)
    if len(text) > LARGE:
        _check_values(text)
    try:
        value: object = json.loads(text, parse_constant=_no_constant)
        if not text.isascii():
            text.encode()
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as fault:
        words = next((ours for begin, ours in texts.FAULTS.items() if fault.msg.startswith(begin)), "Expected a value.")
        raise Invalid(texts.NOT_JSON, line=fault.lineno, column=fault.colno, fault=words) from None
    except RecursionError:
        raise Invalid(texts.TOO_DEEP) from None
    except UnicodeEncodeError as half:
        raise Invalid(texts.HALF_A_CHARACTER, code=f"\\u{ord(half.object[half.start]):04x}") from None
    except ValueError as error:
        raise (error if isinstance(error, Invalid) else Invalid(texts.TOO_LONG_A_NUMBER)) from None
    return value


def _check_values(text: str) -> None:
    """Refuses JSON with too many values: its decoder would hold up all other threads, for seconds."""
    at = values = 0
    while True:
        quote = text.find('"', at)
        between = text[at : quote if quote >= 0 else None]
        values += 1 + sum(map(between.count, ",[{"))
        if values > MOST_VALUES:
            raise Invalid(texts.TOO_MANY_VALUES, most=MOST_VALUES)
        if quote < 0:
            return
        try:
            _, at = scanstring(text, quote + 1)
        except json.JSONDecodeError:
            return  # the decoder says what is wrong


def _no_constant(word: str) -> object:
    raise Invalid(texts.NOT_A_NUMBER, word=word)


@cache
def _written_names(kind: type) -> tuple[str, ...]:
    """The fields that JSON has: all but those that say otherwise."""
    return tuple(each.name for each in fields(kind) if each.metadata.get("written", True))


def _plain(value: object) -> dict[str, object]:
    kind = cast(Hashable, type(value))  # mypy takes no class for hashable
    return {name: getattr(value, name) for name in _written_names(kind)}


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"), default=_plain
)


def written(value: object) -> str:
    """A value as JSON: a dataclass is an object.

    >>> written([Range(1, 2).words, None])
    '["from 1 to 2",null]'
    """
    return _ENCODER.encode(value)


# ── parts of addresses ───────────────────────────────────────────────────────────────────────────

_WHOLE = re.compile(r"[+-]?[0-9]{1,40}", re.ASCII)
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


def of_word(kind: object, word: str) -> object:
    """The value of a part of an address, for the check of its kind; the word itself if it is none.

    >>> of_word(int, "12"), of_word(bool, "yes"), of_word(int | None, "x")
    (12, True, 'x')
    """
    origin = get_origin(kind)
    if origin is Annotated:
        return of_word(get_args(kind)[0], word)
    if origin in (Union, UnionType):
        return of_word(next(each for each in get_args(kind) if each is not NoneType), word)
    if kind is bool:
        return _TRUTHS.get(word.lower(), word)
    return int(word) if kind is int and _WHOLE.fullmatch(word) else word


# ── checks ───────────────────────────────────────────────────────────────────────────────────────


def _found(value: object) -> str:
    """What was got, in words of JSON."""
    if isinstance(value, list | tuple | dict):
        return "an object" if isinstance(value, dict) else "a list"
    words = {None: "null", True: "true", False: "false"}
    return words[value] if value is None or isinstance(value, bool) else shown(value, MAX_SHOWN_LENGTH)


def _wrong(kind: str, value: object) -> Invalid:
    return Invalid(texts.WRONG_KIND, kind=kind, found=_found(value))


def _of_class(kind: type, words: str) -> Check:
    def check(value: object) -> object:
        if type(value) is not kind:
            raise _wrong(words, value)
        return value

    return check


def _number(value: object) -> object:
    try:
        if type(value) in (int, float) and isfinite(number := float(cast(float, value))):
            return number
    except OverflowError:
        pass
    raise _wrong("a number", value)


_SIMPLE: Mapping[object, tuple[str, Check]] = {
    bool: ("true or false", _of_class(bool, "true or false")),
    int: ("a whole number", _of_class(int, "a whole number")),
    float: ("a number", _number),
    str: ("text", _of_class(str, "text")),
    NoneType: ("null", _of_class(NoneType, "null")),
}


@cache
def check_of(kind: object) -> Check:
    """The check of an annotation: it returns the value as one of that kind, or raises `Invalid`."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in _SIMPLE:
        return _SIMPLE[kind][1]
    if origin is Annotated:
        check = check_of(inner[0]) if not any(isinstance(note, Converted) for note in inner) else lambda value: value
        for note in inner[1:]:
            check = _NOTES[type(note)](check, note)
        return check
    if origin in (Union, UnionType):
        return _union(inner)
    if origin is Literal:
        return _literal(inner)
    if origin is list:
        return _items(check_of(inner[0]), list)
    if origin is tuple and inner[1:] == (...,):
        return _items(check_of(inner[0]), tuple)
    if origin is dict:
        return _entries(check_of(inner[0]), check_of(inner[1]))
    if is_dataclass(origin or kind):
        return _fields(cast(type, origin or kind), types_of(kind))
    raise TypeError(phrase("JSON cannot be read as {kind}.", kind=kind))


def types_of(kind: object) -> dict[str, object]:
    """The annotations of a dataclass by its fields; those of a generic one have its arguments."""
    origin = get_origin(kind) or kind
    given = dict(zip(getattr(origin, "__parameters__", ()), get_args(kind), strict=False))
    hints = hints_of(cast(type, origin), include_extras=True)
    return {each.name: given.get(hints[each.name], hints[each.name]) for each in fields(cast(type, origin))}


def has_default(kind: object, name: str) -> bool:
    """Whether a field of a dataclass may be missing."""
    known: Mapping[str, Field[object]] = getattr(get_origin(kind) or kind, "__dataclass_fields__")  # noqa: B009
    return known[name].default is not MISSING or known[name].default_factory is not MISSING


def _fields(kind: type, types: Mapping[str, object]) -> Check:
    checks = {name: check_of(each) for name, each in types.items()}
    needed = [name for name in types if not has_default(kind, name)]
    is_object = _of_class(dict, "an object")

    def check(value: object) -> object:
        given, found = cast(dict[str, object], is_object(value)), {}
        for name, each in checks.items():
            if name in given:
                try:
                    found[name] = each(given[name])
                except Invalid as invalid:
                    raise invalid.within(name) from None
        for name in needed:
            if name not in found:
                raise Invalid(texts.MISSING_FIELD, name)
        if len(given) > len(found):
            unknown = next(name for name in given if name not in checks)
            raise Invalid(texts.UNKNOWN_FIELD, unknown, hint=did_you_mean(unknown, checks))
        return kind(**found)

    return check


def _items(check_item: Check, made: Callable[[Iterable[object]], object]) -> Check:
    is_list = _of_class(list, "a list")

    def check(value: object) -> object:
        items = cast(list[object], is_list(value))
        at = 0
        try:
            found = []
            for at, item in enumerate(items):  # noqa: B007 - for the place of an error
                found.append(check_item(item))
        except Invalid as invalid:
            raise invalid.within(str(at)) from None
        return made(found)

    return check


def _entries(check_name: Check, check_item: Check) -> Check:
    is_object = _of_class(dict, "an object")

    def check(value: object) -> object:
        entries, name = cast(dict[str, object], is_object(value)), ""
        try:
            found = {}
            for name, item in entries.items():
                found[check_name(name)] = check_item(item)
        except Invalid as invalid:
            raise invalid.within(name) from None
        return found

    return check


def _either(words: Iterable[str]) -> str:
    """Words joined with commas and `or`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _literal(words: tuple[object, ...]) -> Check:
    names = _either(map(repr, words))

    def check(value: object) -> object:
        if not isinstance(value, str) or value not in words:
            raise _wrong(names, value)
        return value

    return check


def _union(kinds: tuple[object, ...]) -> Check:
    others = tuple(each for each in kinds if each is not NoneType)
    if len(others) == 1:
        inner = check_of(others[0])
    elif all(each in _SIMPLE for each in others):
        inner = _simple_union(others)
    else:
        inner = _tagged(others)
    return inner if len(others) == len(kinds) else lambda value: None if value is None else inner(value)


def _simple_union(kinds: tuple[object, ...]) -> Check:
    words = _either(_SIMPLE[each][0] for each in kinds)

    def check(value: object) -> object:
        if type(value) not in kinds:
            raise _wrong(words, value)
        return value

    return check


def _tagged(kinds: tuple[object, ...]) -> Check:
    """The check of a union of dataclasses, each with words of its own in the field `type`."""
    checks = {word: check_of(each) for each in kinds for word in get_args(types_of(each)[TAG])}
    is_word, is_object = _literal(tuple(checks)), _of_class(dict, "an object")

    def check(value: object) -> object:
        given = cast(dict[str, object], is_object(value))
        if TAG not in given:
            raise Invalid(texts.MISSING_FIELD, TAG)
        try:
            word = is_word(given[TAG])
        except Invalid as invalid:
            raise invalid.within(TAG) from None
        return checks[word](given)

    return check


# ── bounds ───────────────────────────────────────────────────────────────────────────────────────


def _with_length(check: Check, note: Length) -> Check:
    def bounded(value: object) -> object:
        found = check(value)
        size = len(cast(str, found))
        if size > note.most or size < note.least:
            thing = "character" if isinstance(found, str) else "item"
            sentence, bound = (texts.TOO_MANY, note.most) if size > note.most else (texts.TOO_FEW, note.least)
            raise Invalid(sentence, count=count(bound, thing), found=size)
        return found

    return bounded


def _with_range(check: Check, note: Range) -> Check:
    least, most, above = note

    def bounded(value: object) -> object:
        number = cast(float, found := check(value))
        if (
            (least is not None and number < least)
            or (most is not None and number > most)
            or (above is not None and number <= above)
        ):
            raise _wrong(note.words, value)
        return found

    return bounded


def _with_pattern(check: Check, note: Matches) -> Check:
    def matching(value: object) -> object:
        found = check(value)
        if not note.pattern.fullmatch(cast(str, found)):
            raise Invalid(texts.NO_MATCH, words=note.words, found=_found(found))
        return found

    return matching


def _with_function(check: Check, note: Converted) -> Check:
    def converted(value: object) -> object:
        try:
            return note.function(check(value))
        except Invalid:
            raise
        except GameError as error:
            raise Invalid(texts.REFUSED, why=error) from None

    return converted


_NOTES: Mapping[type, Callable[..., Check]] = {
    Length: _with_length,
    Range: _with_range,
    Matches: _with_pattern,
    Converted: _with_function,
}
