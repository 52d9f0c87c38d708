"""Labels of transitions: an action with its arguments, or a format that the rule defines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from pentad.grammar.language.values import Value
from pentad.grammar.lts import Lts
from pentad.grammar.matching.host import World
from pentad.grammar.matching.state_space import OutgoingTransition
from pentad.grammar.matching.successors import Arguments
from pentad.grammar.system import System

UNKNOWN = "_"  # an unknown argument
_PLACE = re.compile(r"%(?:(\d+)\$)?([-0+ ,]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])")
_WHOLE, _REAL = "d", "feg"
MOST_DIGITS = 3  # of a number in a pattern, which bounds the width of labels


def formatted(pattern: str, arguments: Sequence[str | Value]) -> str:
    """Formats arguments by a pattern with places such as `%s`, `%2$d` or `%.1f`; empty if they do not fit.

    >>> formatted("%s by %2$d%%", ["n0", Value("int", 7)])
    'n0 by 7%'
    """
    following = iter(range(len(arguments)))

    def place(found: re.Match[str]) -> str:
        index, flags, width, digits, kind = found.groups()
        if index == "0" or any(len(each or "") > MOST_DIGITS for each in (index, width, digits)):
            raise ValueError
        if kind in "%n":
            return "%" if kind == "%" else "\n"
        argument = arguments[int(index) - 1 if index else next(following)]
        content = argument.content if isinstance(argument, Value) else argument
        if kind.lower() in "sb":
            return _padded(_plain(argument)[: int(digits) if digits else None], flags, width, kind)
        if not isinstance(content, (float, Decimal) if kind.lower() in _REAL else int) or kind.lower() not in "dfegx":
            raise ValueError
        sign = "".join(each for each in "+ " if each in flags)[:1]
        comma = "," * ("," in flags)
        part = f".{digits or 6}" if kind.lower() in _REAL else ""
        return _padded(format(content, f"{sign}{comma}{part}{kind.lower()}"), flags, width, kind)

    try:
        return _PLACE.sub(place, pattern)
    except (ValueError, IndexError, StopIteration):
        return ""


def _plain(argument: str | Value) -> str:
    """An argument without quotes and types."""
    if not isinstance(argument, Value):
        return argument
    return argument.content if isinstance(argument.content, str) else argument.text


def _padded(text: str, flags: str, width: str | None, kind: str) -> str:
    text = text.upper() if kind.isupper() else text
    if "-" in flags:
        return text.ljust(int(width or 0))
    return text.rjust(int(width or 0), "0" if "0" in flags and kind.lower() in "dfegx" else " ")


def argument(world: World, node: int | None) -> str:
    """A parameter's value as GROOVE writes it: a node's name, or a literal."""
    if node is None:
        return UNKNOWN
    value = world.values.get(node)
    return world.text(node) if value is None else value.text


class Labels:
    """The labels of a transition system, numbered by first use."""

    def __init__(self, system: System, lts: Lts) -> None:
        self.system, self.lts = system, lts
        setting = system.grammar.setting("transitionParameters").strip().lower()
        self._shows, self._always = setting not in ("false", "0"), setting == "true"
        self._numbers: dict[tuple[str, Arguments, bool], int] = {}

    def number(self, out: OutgoingTransition, is_step: bool) -> int:
        """The number of a transition's label; `is_step` for one within a recipe."""
        rule = self.system.rules.get(out.action) if out.match is not None else None
        shown = rule.shown if rule is not None and rule.shown.strip() else ""
        key = (out.action, out.arguments if self._shows or shown else (), is_step)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.lts.labels)
            texts = (argument(self.system.world, each) for each in key[1]) if self._shows else ()
            self.lts.labels.append((out.action, tuple(texts)))
            if is_step:
                self.lts.steps.add(number)
            text = formatted(shown, [self._plain(each) for each in out.arguments]) if shown else ""
            if not text and self._always and not key[1]:
                text = f"{out.action}()"
            if text:
                self.lts.shown[number] = text
        return number

    def _plain(self, node: int | None) -> str | Value:
        if node is None:
            return UNKNOWN
        return self.system.world.values.get(node) or self.system.world.text(node)
