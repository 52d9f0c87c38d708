"""How far an exploration goes, what it looks for, and when it must stop."""

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

Progress = Callable[[int, int, int], None]  # states, transitions, states still to look at


@dataclass(frozen=True, slots=True)
class Limits:
    """How far to go."""

    depth: int | None = None  # states farther from the start are found, not looked at
    states: int | None = None
    memory: int | None = None  # bytes that the process may take more than before
    results: int = 0  # accepted states to stop at; 0: all
    stop: Callable[[], bool] | None = None  # asked now and then whether to end with what there is

    @property
    def is_stopped(self) -> bool:
        """Whether somebody wants an end."""
        return self.stop is not None and self.stop()

    def check(self) -> None:
        for name in ("depth", "states", "memory", "results"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise GrammarError(f"{name} is a number from 0, not {value!r}")


def usual_memory() -> int:
    """Half of the machine's memory."""
    return all_memory() // 2


_FORMULA = re.compile(r"\s*(->|\|\|?|&&?|[!()]|[^\s()>|&!-]+(?:-(?!>)[^\s()>|&!-]*)*)")
LETTERS = 10_000  # of a condition
Test = Callable[[str], bool]  # whether a rule applies


class Acceptor:
    """Which states are results.

    `final`, `any`, `none`, `broken`; a rule or a recipe that can be done there, or `!name` for one that cannot;
    `fires:name` the same; `condition:FORMULA`, a formula of rules with `!`, `&`, `|` and `->`, whether control tries
    these or not.
    """

    WORDS = ("final", "any", "none", "broken")

    def __init__(self, text: str | None, known: Collection[str]) -> None:
        self.text = text or ""
        kind, colon, rest = self.text.partition(":")
        self.name = (rest if kind == "fires" and colon else self.text).removeprefix("!")
        self._holds: Callable[[Test], bool] | None = None
        names = [self.name] if self.text and self.text not in self.WORDS else []
        if kind == "condition" and colon:
            reader = _Formula(rest)
            self._holds, names = reader.whole(), reader.names
        missing = [each for each in names if each not in known]
        if missing:
            there = ", ".join(sorted(known))
            raise GrammarError(
                f"there is no rule {shown(missing[0])} to look for; {', '.join(self.WORDS)}, or a rule: {there}"
            )

    @property
    def tests(self) -> bool:
        """Whether it asks of rules that control may not try."""
        return self._holds is not None

    def accepts_found(self, applies: Test) -> bool:
        """Whether a state is a result as soon as it is found."""
        return self.text == "any" if self._holds is None else self._holds(applies)

    def accepts(self, actions: set[str], final: bool, broken: bool) -> bool:
        """Whether a state that was looked at is a result that was none before."""
        if self._holds is not None or self.text in ("", "any", "none"):
            return False
        if self.text in ("final", "broken"):
            return final if self.text == "final" else broken
        return (self.name in actions) is not self.text.startswith("!")


class _Formula:
    """A formula of rules' names; `->` binds least, to the right, then `|`, then `&`."""

    def __init__(self, text: str) -> None:
        if len(text) > LETTERS:
            raise GrammarError(f"a condition of {len(text):,} letters is too long")
        self.text, self.names = text, list[str]()
        self.words: list[str] = []
        begin = 0
        text = text.rstrip()
        while begin < len(text):
            found = _FORMULA.match(text, begin)
            if found is None:
                self.wrong(text[begin:])
            self.words.append(found[1])
            begin = found.end()
        self.depth = 0

    def wrong(self, what: str) -> NoReturn:
        raise GrammarError(
            f"a condition is made of rules with ! & | -> and brackets; {shown(what or 'the end')} is not"
        )

    def skip(self, *signs: str) -> bool:
        seen = bool(self.words) and self.words[0] in signs
        if seen:
            del self.words[0]
        return seen

    def whole(self) -> Callable[[Test], bool]:
        found = self.implied()
        if self.words:
            self.wrong(self.words[0])
        return found

    def implied(self) -> Callable[[Test], bool]:
        self.depth += 1
        if self.depth > 100:
            raise GrammarError("a condition nests more than 100 deep")
        left = self.joined(("|", "||"), lambda: self.joined(("&", "&&"), self.atom, all), any)
        if self.skip("->"):
            right = self.implied()
            self.depth -= 1
            return lambda test: not left(test) or right(test)
        self.depth -= 1
        return left

    def joined(
        self,
        signs: tuple[str, str],
        part: Callable[[], Callable[[Test], bool]],
        join: Callable[[Iterable[bool]], bool],
    ) -> Callable[[Test], bool]:
        parts = [part()]
        while self.skip(*signs):
            parts.append(part())
        return lambda test: join(each(test) for each in parts)

    def atom(self) -> Callable[[Test], bool]:
        negated = False
        while self.skip("!"):
            negated = not negated
        if self.skip("("):
            found = self.implied()
            if not self.skip(")"):
                self.wrong(self.words[0] if self.words else "")
        else:
            if not self.words or self.words[0] in ("->", "|", "||", "&", "&&", ")"):
                self.wrong(self.words[0] if self.words else "")
            name = self.words.pop(0)
            self.names.append(name)

            def found(test: Test) -> bool:
                return test(name)

        return (lambda test: not found(test)) if negated else found


class Enough(Exception):
    """The memory is used up in the middle of a state."""


@contextlib.contextmanager
def interrupts_told(tell: Callable[[], None]) -> Iterator[None]:
    """Tell of the first Ctrl-C rather than let it break off whatever is done just then; a second one does.

    Only where it is this program's to decide: in the main thread, and if nobody else has taken Ctrl-C over.
    """
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def first(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tell()

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
