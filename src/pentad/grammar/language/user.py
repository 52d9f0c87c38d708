"""Operations of a user's own, as Python functions and classes that a caller passes on purpose.

A function is an operation by its annotations. A class of named fields is a type of values: calling it makes one, its
fields and methods are operations on them.

>>> def twice(number: int) -> int:
...     return 2 * number
>>> with_operations(DEFAULT, [twice]).operators["user", "twice"]
Operator(type='user', name='twice', arguments=('int',), result='int', collective=False)
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pentad.grammar.graph import GrammarError
from pentad.grammar.language.operations import NoValue, bounded, short
from pentad.grammar.language.values import DEFAULT, USER, Family, Operator

__all__ = ["DEFAULT", "with_operations"]

_SORTS = {int: "int", float: "real", str: "string", bool: "bool"}


def with_operations(algebra: Family, given: Iterable[Callable[..., Any]]) -> Family:
    """An algebra family with more operations."""
    found = list(given)
    classes = {each for each in found if isinstance(each, type)}
    operators = dict(algebra.operators)
    for each in found:
        for operator in _of_class(each, classes) if isinstance(each, type) else [_of_function(each, classes)]:
            if (USER, operator.name) in operators:
                raise GrammarError(f"two operations are called {operator.name}")
            operators[USER, operator.name] = operator
    return dataclasses.replace(algebra, operators=operators)


def _of_function(function: Callable[..., Any], classes: set[type], owner: type | None = None) -> Operator:
    name = getattr(function, "__name__", "")
    try:
        hints = typing.get_type_hints(function)
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError, NameError) as error:
        raise GrammarError(f"{name or function!r} is no operation: {error}") from None
    if owner is not None and parameters and parameters[0].name == "self":
        hints["self"] = owner
    if any(each.kind not in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters):
        raise GrammarError(f"the operation {name} takes arguments by their places only")
    arguments = tuple(_sort(name, each.name, hints.get(each.name), classes) for each in parameters)
    return Operator(USER, name, arguments, _sort(name, "result", hints.get("return"), classes), _guarded(function))


def _of_class(of: type, classes: set[type]) -> Iterator[Operator]:
    fields = typing.get_type_hints(of)
    names = [field.name for field in dataclasses.fields(of)] if dataclasses.is_dataclass(of) else None
    names = names or list(getattr(of, "_fields", ()))
    if not names or getattr(of, "__hash__", None) is None:
        raise GrammarError(f"{of.__name__} is no type of values: a NamedTuple or a frozen dataclass is")
    arguments = tuple(_sort(of.__name__, name, fields.get(name), classes) for name in names)
    yield Operator(USER, of.__name__, arguments, USER, _guarded(of), makes=True)
    for name, argument in zip(names, arguments, strict=True):
        yield Operator(USER, name, (USER,), argument, _guarded(_getter(name)))
    for name, member in vars(of).items():
        function = member.__func__ if isinstance(member, staticmethod) else member
        if inspect.isfunction(function) and not name.startswith("_"):
            yield _of_function(function, classes, of)


def _getter(name: str) -> Callable[[Any], Any]:
    return lambda value: getattr(value, name)


def _sort(operation: str, name: str, annotated: object, classes: set[type]) -> str:
    if isinstance(annotated, type) and annotated in classes:
        return USER
    sort = _SORTS.get(annotated) if isinstance(annotated, type) else None
    if sort is None:
        raise GrammarError(f"the operation {operation} annotates {name} with int, float, str, bool or a class given")
    return sort


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose exceptions are no results, and whose results have a size that can be kept."""

    def guarded(*contents: Any) -> Any:
        try:
            found = function(*contents)
        except Exception as error:
            raise NoValue(str(error)) from None
        if isinstance(found, bool):
            return found
        return bounded(found) if isinstance(found, int) else short(found) if isinstance(found, str) else found

    return guarded
