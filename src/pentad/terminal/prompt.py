"""A line from a person at a terminal, with history and completion where the system has readline."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.progress import can_redraw
from pentad.terminal.commands import COMMANDS

if TYPE_CHECKING:
    from pentad.terminal.session import Session


def _load_readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:
        return None
    return readline


def read(question: str, session: Session | None) -> str | None:
    """A line, completed from what the session may do now; None at the end of the input.

    On a plain terminal there is neither editing nor completion.
    """
    readline = _load_readline() if can_redraw() else None
    if readline is not None:
        completer = None if session is None else _Completer(readline, session)
        readline.set_completer(completer)
        readline.set_completer_delims(" ")
        old = "libedit" in (readline.__doc__ or "")
        for order in ("bind ^I rl_complete",) if old else ("tab: complete", "set show-all-if-ambiguous on"):
            readline.parse_and_bind(order)
        readline.set_auto_history(session is not None)
    try:
        with _signals_noticed():
            return input(question)
    except (EOFError, OSError):
        print(file=sys.stdout)
        return None


@contextlib.contextmanager
def _signals_noticed() -> Iterator[None]:
    """Have Python look for signals four times a second while it waits for a line.

    One that comes in the instant before readline begins to wait, a Ctrl-C or the end of the session, would not be
    noticed before the next key otherwise.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, 0.25, 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Completer:
    """What readline asks, with 0, 1, 2, …, until there is nothing more."""

    def __init__(self, readline: ModuleType, session: Session) -> None:
        self.readline = readline
        self.session = session
        self.found: list[str] = []

    def __call__(self, text: str, state: int) -> str | None:
        if state == 0:
            before = self.readline.get_line_buffer()[: self.readline.get_begidx()]
            self.found = completions(self.session, before, text)
        return self.found[state] if state < len(self.found) else None


def completions(session: Session, before: str, text: str) -> list[str]:
    """The words that begin with `text` and may stand behind `before`."""
    words = before.split()
    names = [] if words else list(COMMANDS)
    if words and words[0] in COMMANDS:
        words = words[1:] if words[0] == "moves" else ["?"]
    try:
        choices = session.table.position.choices(" ".join([session.begun, *words]).strip())
        steps = list(map(str, choices))
    except GameError:
        steps = []
    fitting = [each for each in (*steps, *names) if each.lower().startswith(text.lower())]
    return [f"{each} " for each in dict.fromkeys(fitting)]
