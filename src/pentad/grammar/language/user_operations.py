"""User-defined operations: Python functions and classes that a caller passes explicitly.

A function's annotations give the types of its arguments and result. A class with named fields is a type of values: its
constructor, its fields and its methods are operations.

>>> from pentad.grammar.language.values import DEFAULT
>>> def twice(number: int) -> int:
...     return 2 * number
>>> with_operations(DEFAULT, [twice]).operators["user", "twice"]
Operator(type='user', name='twice', arguments=('int',), result='int', collective=False)
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from pentad.game import shorten, shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.values import FLOATS, USER, Family, NoValue, Operator, bounded, short
from pentad.system.words import phrase

running: list[Callable[..., Any]] = []  # the user's functions that are running
_SORTS = {int: "int", float: "real", str: "string", bool: "bool"}
_CLASSES: Mapping[str, tuple[type, ...]] = {"int": (int,), "real": (float, int), "string": (str,), "bool": (bool,)}


def with_operations(algebra: Family, given: Iterable[Callable[..., Any]]) -> Family:
    """Returns an algebra family with additional operations."""
    found = list(given)
    classes = {each for each in found if isinstance(each, type)}
    operators = dict(algebra.operators)
    for each in found:
        try:
            more = list(_of_class(each, classes)) if isinstance(each, type) else [_of_function(each, classes)]
        except GrammarError:
            raise
        except Exception as error:  # annotations are a user's code too
            raise GrammarError(
                phrase("{name} cannot be an operation: {reason}", name=shown(each), reason=failed(error))
            ) from None
        for operator in more:
            if (USER, operator.name) in operators:
                raise GrammarError(phrase("Two operations have the name {name}.", name=operator.name))
            guarded = _guarded(operator, algebra, tuple(classes))
            operators[USER, operator.name] = dataclasses.replace(operator, function=guarded)
    return dataclasses.replace(algebra, operators=operators)


class Failed(Exception):
    """A user's function raised an exception."""


def called(function: Callable[..., Any], *contents: Any) -> Any:
    """Calls a user's function; its exceptions are wrapped in `Failed`, except KeyboardInterrupt."""
    running.append(function)
    try:
        return function(*contents)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Failed(failed(error)) from error
    finally:
        running.pop()


def failed(error: BaseException) -> str:
    """An exception of a user's function, as one line."""
    return shorten(f"{type(error).__name__}: {error}".rstrip(": "), 200)


def kept(content: Any, kind: str, algebra: Family, classes: tuple[type, ...], who: str) -> Any:
    """Converts the result of a user's function to a value of a type; an unsuitable result is an error."""
    allowed = classes if kind == USER else _CLASSES[kind]
    fits = isinstance(content, allowed) and (kind == "bool" or not isinstance(content, bool))
    if not fits:
        raise GrammarError(
            phrase("{who} returned {content}, which is not of type {kind}.", who=who, content=shown(content), kind=kind)
        )
    if kind == "int":
        if algebra.keep(bounded(content)) != content:
            raise GrammarError(
                phrase("{who} returned {content}, which needs more than 32 bits.", who=who, content=shown(content))
            )
    elif kind == "real":
        return _kept_real(content, algebra, who)
    elif kind == "string":
        short(content)
    elif kind == USER:
        called(hash, content)
    return content


def _kept_real(content: float, algebra: Family, who: str) -> Any:
    try:
        number = float(content)
    except OverflowError:
        number = math.inf
    if algebra.real is not FLOATS.of and not math.isfinite(number):
        raise GrammarError(
            phrase("{who} returned {content}, which is not an exact number.", who=who, content=shown(content))
        )
    return algebra.real(number)


def _of_function(function: Callable[..., Any], classes: set[type], owner: type | None = None) -> Operator:
    name = getattr(function, "__name__", "")
    try:
        hints = typing.get_type_hints(function)
        parameters = list(inspect.signature(function).parameters.values())
    except Exception as error:
        raise GrammarError(
            phrase("{name} cannot be an operation: {reason}", name=shown(name or function), reason=failed(error))
        ) from None
    if owner is not None and parameters and parameters[0].name == "self":
        hints["self"] = owner
    if any(each.kind not in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters):
        raise GrammarError(phrase("The operation {name} must take positional arguments only.", name=name))
    arguments = tuple(_sort(name, each.name, hints.get(each.name), classes) for each in parameters)
    return Operator(USER, name, arguments, _sort(name, "result", hints.get("return"), classes), function)


def _of_class(of: type, classes: set[type]) -> Iterator[Operator]:
    fields = typing.get_type_hints(of)
    names = [field.name for field in dataclasses.fields(of)] if dataclasses.is_dataclass(of) else None
    names = names or list(getattr(of, "_fields", ()))
    if not names or getattr(of, "__hash__", None) is None:
        raise GrammarError(
            phrase("{kind} cannot be a type of values. Use a NamedTuple or a frozen dataclass.", kind=of.__name__)
        )
    arguments = tuple(_sort(of.__name__, name, fields.get(name), classes) for name in names)
    yield Operator(USER, of.__name__, arguments, USER, of, makes=True)
    for name, argument in zip(names, arguments, strict=True):
        yield Operator(USER, name, (USER,), argument, attrgetter(name))
    for name, member in vars(of).items():
        function = member.__func__ if isinstance(member, staticmethod) else member
        if inspect.isfunction(function) and not name.startswith("_"):
            yield _of_function(function, classes, of)


def _sort(operation: str, name: str, annotated: object, classes: set[type]) -> str:
    if isinstance(annotated, type) and annotated in classes:
        return USER
    sort = _SORTS.get(annotated) if isinstance(annotated, type) else None
    if sort is None:
        raise GrammarError(
            phrase(
                "The operation {operation} must annotate {name} with int, float, str, bool or a given class.",
                operation=operation,
                name=name,
            )
        )
    return sort


def _guarded(operator: Operator, algebra: Family, classes: tuple[type, ...]) -> Callable[..., Any]:
    """Returns an operation that has no result if it raises an exception, and whose results are checked."""

    def guarded(*contents: Any) -> Any:
        try:
            found = called(operator.function, *contents)
            return kept(found, operator.result, algebra, classes, f"The operation {operator.name}")
        except Failed as error:
            raise NoValue(str(error)) from None

    return guarded
