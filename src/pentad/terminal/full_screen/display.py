"""The display of a session in full screen: it connects the session's thread with the app, which has the main thread.

The session waits for lines, as at a pipe: keys and clicks become lines such as `a2` or `undo`. What it shows goes to
the app as views. A line that comes while a bot thinks interrupts the bot, which thinks again after it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from queue import SimpleQueue
from typing import Any, Protocol

from pentad.game import Choices, Move, Outcome, Position
from pentad.play.table import Hint
from pentad.search.interrupts import InterruptibleThread
from pentad.system.words import phrase
from pentad.terminal.full_screen.view import View, view_of
from pentad.terminal.messages import PACE_SECONDS, Messages, farewell, thinking
from pentad.terminal.play_session import COMMANDS, Session


class App(Protocol):
    """What the display needs of the app; these may be called by any thread."""

    def show(self, view: View) -> None:
        """Show a view."""

    def ask(self, question: str) -> None:
        """Ask a question; `FullScreen.answer` gets the answer."""

    def end(self) -> None:
        """The session has ended."""

    def run_until_end(self) -> None:
        """Run until the session has ended or the person leaves."""


class FullScreen(Messages):
    """A display in full screen."""

    stop_key = "Esc"

    def __init__(
        self, make_app: Callable[[Any], App], theme: str, *, has_colours: bool = True, has_mouse: bool = True
    ) -> None:
        super().__init__()
        self._make_app = make_app
        self.theme, self.has_colours, self.has_mouse = theme, has_colours, has_mouse
        self.session: Session
        self.code: int | None = None  # an exit code from outside, such as that of a signal
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._answers: SimpleQueue[bool] = SimpleQueue()
        self._leaving = threading.Event()
        self._app: App
        self._thread = InterruptibleThread(self._play, "pentad-session")
        self._failure: BaseException | None = None
        self._busy = ""
        self._waits = False
        self._hint: tuple[Position, Move] | None = None  # the last one, and where it was given

    # ── the main thread ──────────────────────────────────────────────────────────────────────────

    def run(self, session: Session) -> int:
        self.session = session
        self._make_app(self).run_until_end()
        self.leave()
        if self._thread.ident is not None:
            self._thread.join()
        if self._failure:
            raise self._failure
        for line in farewell(session):
            print(line)
        return session.code if self.code is None else self.code

    def start(self, app: App) -> None:
        """Start the session; the app is ready."""
        self._app = app
        self._thread.start()

    def enter(self, line: str) -> str:
        """Enter a line, as a person types it; returns why it is refused, if it is."""
        if self._waits:
            self._waits = False
            self._lines.put(line)
            return ""
        word = next(iter(line.lower().split()), "")
        if word not in COMMANDS:
            return self._busy and phrase("{status}. It is not your turn.", status=self._busy)
        self._lines.put(line)
        self._thread.interrupt()
        return ""

    def stop(self) -> None:
        """Stop what a bot works on, if it was asked for: a hint."""
        if not self.session.table.waits_for_bot:
            self._thread.interrupt()

    def flag(self) -> None:
        """Let the session end the game for a seat that is out of time."""
        if self._waits:
            self._waits = False
            self._lines.put("")
        else:
            self._thread.interrupt()

    def leave(self, code: int | None = None) -> None:
        """End the session; the game stays saved."""
        self.code = code if code is not None else self.code
        self._leaving.set()
        self._lines.put(None)
        self._answers.put(False)
        self._thread.interrupt()

    def answer(self, is_confirmed: bool) -> None:
        """Answer the question of the session."""
        self._answers.put(is_confirmed)

    # ── the session's thread ─────────────────────────────────────────────────────────────────────

    def _play(self) -> None:
        try:
            self.session.run()
        except BaseException as failure:  # raised again in the main thread
            self._failure = failure
        finally:
            self._app.end()

    def _show(self, *, waits: bool = False, busy: str = "") -> None:
        self._waits, self._busy = waits, busy
        position, hint = self._hint or (None, None)
        self._app.show(
            view_of(
                self.session,
                waits=waits,
                busy=f"{busy}…" if busy else "",
                messages=self.message,
                hint=hint if position == self.session.table.position else None,
            )
        )

    def show_hint(self, session: Session, hint: Hint) -> None:
        super().show_hint(session, hint)
        self._hint = session.table.position, hint.move

    def read_line(self, session: Session) -> str | None:
        if self._lines.empty():
            self._show(waits=True)
        line = self._lines.get()
        self.message = []
        return None if self._leaving.is_set() else line

    def working(self) -> AbstractContextManager[object]:
        return self._thread.interruptible()

    def interrupted(self, session: Session) -> bool:
        session.bot_waits = True  # a line has come, which goes first
        return self._leaving.is_set()

    def bot_thinking(self, session: Session) -> None:
        self._show(busy=thinking(session))
        if session.only_bots and not session.table.clock:
            self._leaving.wait(PACE_SECONDS)

    def show_progress(self, what: str) -> None:
        self._show(busy=what)

    def confirm(self, question: str, at_end: bool = False) -> bool:
        if self._leaving.is_set():
            return at_end
        self._app.ask(question.removesuffix(" (y/N) "))
        return self._answers.get()

    def turn_begun(self, session: Session, choices: Choices) -> None:
        pass  # the board shows it

    def game_ended(self, session: Session, outcome: Outcome) -> None:
        pass  # the state says so, and the keys are shown

    def session_ended(self, session: Session) -> None:
        pass  # the farewell is printed when the screen is the shell's again
