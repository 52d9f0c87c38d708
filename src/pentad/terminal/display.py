"""What a game is shown on: a terminal that is redrawn, lines, or JSON. The session calls, a display shows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from pentad.game import Choices, Outcome
from pentad.play.table import Hint
from pentad.record import Node

if TYPE_CHECKING:
    from pentad.terminal.session import Session


class Display(ABC):
    """Where a session shows its game, and whence it reads what the person wants."""

    asks = False  # whether a person is there to be asked back

    @abstractmethod
    def begin(self, session: Session) -> None:
        """A game has come to the table."""

    @abstractmethod
    def moved(self, session: Session, node: Node) -> None:
        """A move was played."""

    @abstractmethod
    def changed(self, session: Session, what: str) -> None:
        """The position is another one: moves were taken back or played again."""

    @abstractmethod
    def begun(self, session: Session, choices: Choices) -> None:
        """A turn was begun, and may go on with these choices."""

    @abstractmethod
    def choices(self, session: Session, beginning: str, choices: Choices) -> None:
        """What may be played, or how a turn with that beginning may go on."""

    @abstractmethod
    def hint(self, session: Session, hint: Hint) -> None:
        """What might be played, and what is proved of it."""

    @abstractmethod
    def board(self, session: Session) -> None:
        """Show the board."""

    @abstractmethod
    def say(self, session: Session, text: str) -> None:
        """Tell something, in one or more lines."""

    @abstractmethod
    def complain(self, session: Session, message: str) -> None:
        """Something cannot be; play goes on."""

    @abstractmethod
    def ended(self, session: Session, outcome: Outcome) -> None:
        """The game has ended."""

    @abstractmethod
    def read(self, session: Session) -> str | None:
        """The next line of the person, or None when there will be no more."""

    @abstractmethod
    def leave(self, session: Session) -> None:
        """The session ends."""

    def thinking(self, session: Session) -> None:  # noqa: B027 - most have nothing to show then
        """A bot begins to think."""

    def working(self, what: str) -> None:  # noqa: B027
        """Something begins that the person has asked for and that may take a while."""

    def confirm(self, question: str, at_end: bool = False) -> bool:
        """Whether the person agrees; `at_end` is the answer of one who has left."""
        return True
