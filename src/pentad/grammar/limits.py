"""Limits of an exploration: depth, states, memory, accepted results, interrupts."""

from __future__ import annotations

import contextlib
import re
import signal
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.tokens import Parser
from pentad.system.memory import all_memory
from pentad.system.words import phrase

Progress = Callable[[int, int, int], None]  # called with the states, the transitions and the open states


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an exploration."""

    depth: int | None = None  # states farther from the start are found, but not explored
    states: int | None = None
    memory: int | None = None  # additional bytes that the process may use
    results: int = 0  # accepted states to stop at; 0: all
    stop: Callable[[], bool] | None = None  # polled; the search stops with its results so far

    @property
    def is_stopped(self) -> bool:
        """Whether the caller stops the search."""
        return self.stop is not None and self.stop()

    def __post_init__(self) -> None:
        for name in ("depth", "states", "memory", "results"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise GrammarError(phrase("{name} must be 0 or more, not {value!r}.", name=name, value=value))


def default_memory() -> int:
    """Half of the machine's memory, in bytes."""
    return all_memory() // 2


DEEPEST = 100  # brackets of a condition within brackets
Test = Callable[[str], bool]  # whether a rule applies


class Acceptor:
    """The condition for result states.

    The forms are `final`, `any`, `none`, `broken`; `name` or `fires:name` for a rule or recipe that applies, `!name`
    for one that does not; `condition:FORMULA` for a formula over rules with `!`, `&`, `|` and `->`, regardless of
    control.
    """

    WORDS = ("final", "any", "none", "broken")

    def __init__(self, text: str | None, known: Collection[str]) -> None:
        self.text = text or ""
        kind, colon, rest = self.text.partition(":")
        self.name = (rest if kind == "fires" and colon else self.text).removeprefix("!")
        self._holds: Callable[[Test], bool] | None = None
        names = [self.name] if self.text and self.text not in self.WORDS else []
        if kind == "condition" and colon:
            condition = _Condition(rest)
            self._holds, names = condition.holds, condition.names
        missing = [each for each in names if each not in known]
        if missing:
            known_names = ", ".join(sorted(known))
            raise GrammarError(
                phrase(
                    "No rule {missing}. Expected {words}, or one of {names}.",
                    missing=shown(missing[0]),
                    words=", ".join(self.WORDS),
                    names=known_names,
                )
            )

    @property
    def tests(self) -> bool:
        """Whether the condition tests rules regardless of control."""
        return self._holds is not None

    def accepts_found(self, applies: Test) -> bool:
        """Whether a state is a result as soon as it is found."""
        return self.text == "any" if self._holds is None else self._holds(applies)

    def accepts(self, actions: set[str], final: bool, broken: bool) -> bool:
        """Whether an explored state is a result that was not one when it was found."""
        if self._holds is not None or self.text in ("", "any", "none"):
            return False
        if self.text in ("final", "broken"):
            return final if self.text == "final" else broken
        return (self.name in actions) is not self.text.startswith("!")


def _implied(values: Iterable[bool]) -> bool:
    """The value of `a -> b -> c`: whether the last one holds or another one does not."""
    *conditions, last = values
    return last or not all(conditions)


_LEVELS = ((("->",), _implied), (("|", "||"), any), (("&", "&&"), all))  # the operators, the weakest first


class _Condition(Parser):
    """A formula over rules; `->` has the lowest precedence and is right-associative, then `|`, then `&`."""

    noun = "a condition"
    pattern = re.compile(
        r"""\s*(?:(?P<sign>->|\|\|?|&&?|[!()])
        |(?P<name>[^\s()>|&!-]+(?:-(?!>)[^\s()>|&!-]*)*)
        |(?P<end>\Z)
        |(?P<unexpected>.))""",
        re.VERBOSE | re.DOTALL,
    )

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.names: list[str] = []
        self.holds = self._formula()
        if self.token.kind != "end":
            self.unexpected()

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        raise GrammarError(what)

    def invalid(self, begin: int) -> str:
        return _unexpected(self.text[begin:].rstrip())

    def unexpected(self, expected: str = "") -> NoReturn:
        self.fail(_unexpected(self.token.text or "the end"))

    def _formula(self, level: int = 0) -> Callable[[Test], bool]:
        """Parses operands with the operators of a level, and of stronger ones within."""
        if level == len(_LEVELS):
            return self._operand()
        signs, join = _LEVELS[level]
        parts = [self._formula(level + 1)]
        while self.sees(*signs):
            self.take()
            parts.append(self._formula(level + 1))
        return lambda test: join(part(test) for part in parts)

    def _operand(self) -> Callable[[Test], bool]:
        negated = False
        while self.skip("!"):
            negated = not negated
        if self.skip("("):
            self.depth += 1
            if self.depth >= DEEPEST:
                self.fail(phrase("A condition is nested more than {deepest} deep.", deepest=DEEPEST))
            found = self._formula()
            if not self.skip(")"):
                self.unexpected()
            self.depth -= 1
        else:
            if self.token.kind != "name":
                self.unexpected()
            name = self.take().text
            self.names.append(name)

            def found(test: Test) -> bool:
                return test(name)

        return (lambda test: not found(test)) if negated else found


def _unexpected(text: str) -> str:
    return phrase("Unexpected {text} in a condition. Expected rules with ! & | -> and brackets.", text=shown(text))


class MemoryLimitReached(Exception):
    """The memory limit was reached within the expansion of a state."""


@contextlib.contextmanager
def catch_interrupt(note: Callable[[], None]) -> Iterator[None]:
    """Calls `note` on the first Ctrl-C instead of raising; a second one raises.

    Only in the main thread, and only if no other handler is installed.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def first(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        note()

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
