"""How far an exploration goes, what it looks for, and when it must stop."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from pentad.grammar.graph import GrammarError
from pentad.machine import all_memory

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


class Acceptor:
    """Which states are results: `final`, `any`, a rule's name where it applies, `!name` where it does not, `broken`."""

    def __init__(self, text: str | None, known: Collection[str]) -> None:
        self.text = text or ""
        self.name = self.text.removeprefix("!")
        if self.text and self.text not in ("final", "any", "broken") and self.name not in known:
            raise GrammarError(
                f"there is no rule {self.name!r} to look for; final, any, broken, or a rule: {', '.join(sorted(known))}"
            )

    def accepts(self, actions: set[str], final: bool, broken: bool) -> bool:
        if self.text in ("", "any"):
            return self.text == "any"
        if self.text in ("final", "broken"):
            return final if self.text == "final" else broken
        return (self.name in actions) is not self.text.startswith("!")


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
