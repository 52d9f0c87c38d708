"""The display interface of a session; a display is a redrawn terminal, plain lines, or JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from pentad.game import Choices, Outcome
from pentad.play.table import Hint
from pentad.record import Node

if TYPE_CHECKING:
    from pentad.terminal.session import Session


class Display(ABC):
    """The output of a session, and the source of its input lines."""

    is_interactive = False  # whether a person can answer questions

    @abstractmethod
    def game_started(self, session: Session) -> None:
        """A game starts."""

    @abstractmethod
    def move_played(self, session: Session, node: Node) -> None:
        """A move was played."""

    @abstractmethod
    def position_changed(self, session: Session, what: str) -> None:
        """The position has changed by undo or redo."""

    @abstractmethod
    def turn_begun(self, session: Session, choices: Choices) -> None:
        """The first steps of a turn were played; these are the choices for the next step."""

    @abstractmethod
    def show_choices(self, session: Session, beginning: str, choices: Choices) -> None:
        """Show the legal moves, or the next steps after `beginning`."""

    @abstractmethod
    def show_hint(self, session: Session, hint: Hint) -> None:
        """Show a suggested move and what is proved of it."""

    @abstractmethod
    def show_board(self, session: Session) -> None:
        """Show the board."""

    @abstractmethod
    def show_message(self, session: Session, text: str) -> None:
        """Show a message of one or more lines."""

    @abstractmethod
    def show_error(self, session: Session, message: str) -> None:
        """Show an error; play continues."""

    @abstractmethod
    def game_ended(self, session: Session, outcome: Outcome) -> None:
        """The game has ended."""

    @abstractmethod
    def read_line(self, session: Session) -> str | None:
        """The next input line, or None at the end of the input."""

    @abstractmethod
    def session_ended(self, session: Session) -> None:
        """The session ends."""

    def bot_thinking(self, session: Session) -> None:  # noqa: B027 - most displays show nothing
        """A bot starts thinking."""

    def show_progress(self, what: str) -> None:  # noqa: B027
        """Show that a requested task, which may take a while, has started."""

    def confirm(self, question: str, at_end: bool = False) -> bool:
        """Whether the person confirms; `at_end` is the answer at the end of the input."""
        return True
