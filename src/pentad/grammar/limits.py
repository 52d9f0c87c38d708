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
from pentad.system_memory import all_memory

Progress = Callable[[int, int, int], None]  # states, transitions, open states


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an exploration."""

    depth: int | None = None  # states farther from the start are found, not explored
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
                raise GrammarError(f"{name} is a number from 0, not {value!r}.")


def default_memory() -> int:
    """Half of the machine's memory, in bytes."""
    return all_memory() // 2


LONGEST = 10_000  # of a condition
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
                f"No rule {shown(missing[0])}. Expected {', '.join(self.WORDS)}, or one of {known_names}."
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


_TOKEN = re.compile(r"\s*(?:(->|\|\|?|&&?|[!()]|[^\s()>|&!-]+(?:-(?!>)[^\s()>|&!-]*)*)|.)", re.DOTALL)
_LEVELS = ((("->",), _implied), (("|", "||"), any), (("&", "&&"), all))  # the operators, the weakest first
_NO_NAMES = ("", ")", *(sign for signs, _ in _LEVELS for sign in signs))


class _Condition:
    """A formula over rules; `->` has the lowest precedence and is right-associative, then `|`, then `&`."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise GrammarError(f"A condition of {len(text):,} characters is too long.")
        text = text.rstrip()
        self.names: list[str] = []
        self._depth = 0
        self._tokens: list[str] = []
        for found in _TOKEN.finditer(text):
            if found[1] is None:
                self._wrong(text[found.start() :])
            self._tokens.append(found[1])
        self._tokens.append("")
        self.holds = self._formula()
        if self._tokens[0]:
            self._wrong(self._tokens[0])

    def _wrong(self, what: str) -> NoReturn:
        raise GrammarError(
            f"Unexpected {shown(what or 'the end')} in a condition. Expected rules with ! & | -> and brackets."
        )

    def _skip(self, *signs: str) -> bool:
        seen = self._tokens[0] in signs
        if seen:
            del self._tokens[0]
        return seen

    def _formula(self, level: int = 0) -> Callable[[Test], bool]:
        """Parses operands with the operators of a level, and of stronger ones within."""
        if level == len(_LEVELS):
            return self._operand()
        signs, join = _LEVELS[level]
        parts = [self._formula(level + 1)]
        while self._skip(*signs):
            parts.append(self._formula(level + 1))
        return lambda test: join(part(test) for part in parts)

    def _operand(self) -> Callable[[Test], bool]:
        negated = False
        while self._skip("!"):
            negated = not negated
        if self._skip("("):
            self._depth += 1
            if self._depth >= DEEPEST:
                raise GrammarError(f"A condition is nested more than {DEEPEST} deep.")
            found = self._formula()
            if not self._skip(")"):
                self._wrong(self._tokens[0])
            self._depth -= 1
        else:
            name = self._tokens[0]
            if name in _NO_NAMES:
                self._wrong(name)
            del self._tokens[0]
            self.names.append(name)

            def found(test: Test) -> bool:
                return test(name)

        return (lambda test: not found(test)) if negated else found


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
