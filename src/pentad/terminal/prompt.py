"""The prompt: reads a line at a terminal, with history and completion where the system has readline."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import ModuleType

from pentad.game import GameError
from pentad.progress import can_redraw
from pentad.terminal.session import COMMANDS, Session


def _load_readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:
        return None
    return readline


def read(question: str, session: Session | None) -> str | None:
    """A line, with completion of the session's commands and moves; None at the end of the input.

    A plain terminal has neither editing nor completion.
    """
    readline = _load_readline() if can_redraw() else None
    if readline is not None:
        completer = None if session is None else _Completer(readline, session)
        readline.set_completer(completer)
        readline.set_completer_delims(" ")
        is_libedit = "libedit" in (readline.__doc__ or "")
        for setting in ("bind ^I rl_complete",) if is_libedit else ("tab: complete", "set show-all-if-ambiguous on"):
            readline.parse_and_bind(setting)
        readline.set_auto_history(session is not None)
    try:
        with _signal_polling():
            return input(question)
    except (EOFError, OSError):
        print(file=sys.stdout)
        return None


@contextlib.contextmanager
def _signal_polling() -> Iterator[None]:
    """Let Python check for signals four times a second while it waits for a line.

    Otherwise a signal just before readline starts to wait, such as Ctrl-C, would be handled only after the next key.
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
    """A completer for readline, which calls it with 0, 1, 2, … until it returns None."""

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
    """The words that begin with `text` and may follow `before`."""
    words = before.split()
    names = [] if words else list(COMMANDS)
    if words and words[0] in COMMANDS:
        words = words[1:] if words[0] == "moves" else ["?"]
    try:
        choices = session.table.position.choices(" ".join([session.partial_turn, *words]).strip())
        steps = list(map(str, choices))
    except GameError:
        steps = []
    fitting = [each for each in (*steps, *names) if each.lower().startswith(text.lower())]
    return [f"{each} " for each in dict.fromkeys(fitting)]
