"""Play in plain text, for a pipe: a line for each move, such as `1. black a2 1C`; errors go to stderr."""

from __future__ import annotations

import sys

from pentad.game import Choices, GameError, Outcome
from pentad.play.table import Hint
from pentad.record import Node
from pentad.terminal import event_text, streams
from pentad.terminal.session import Display, Session

LONGEST_LINE = 10_000  # characters


def read_line() -> str | None:
    """The next line of standard input, or None at its end; raises one error for a line that is too long."""
    try:
        line = sys.stdin.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            while line and not line.endswith("\n"):
                line = sys.stdin.readline(1 << 16)
            raise GameError(f"The line is longer than {LONGEST_LINE:,} characters.")
    except OSError as error:
        raise GameError(f"Cannot read standard input: {streams.explain(error)}") from None
    return line or None


class Lines(Display):
    """A display of plain lines."""

    def _print(self, text: str) -> None:
        print(text, flush=True)

    def game_started(self, session: Session) -> None:
        table = session.table
        self._print(f"{table.game.name}. {event_text.players_text(table)}")
        for node in table.record.main_line:
            self._print(_move(node))

    def move_played(self, session: Session, node: Node) -> None:
        self._print(_move(node))

    def position_changed(self, session: Session, what: str) -> None:
        self._print(f"{what} {event_text.state(session.table.record)}")

    def turn_begun(self, session: Session, choices: Choices) -> None:
        self.show_choices(session, session.partial_turn, choices)

    def show_choices(self, session: Session, beginning: str, choices: Choices) -> None:
        self._print(f"{choices.prompt} Choices: {' '.join(map(str, choices))}")

    def show_hint(self, session: Session, hint: Hint) -> None:
        self._print(" ".join(filter(None, (f"Hint: {hint.move}.", hint.proof))))

    def show_board(self, session: Session) -> None:
        self._print("\n".join(event_text.board(session)))
        self._print(event_text.shown_position(session.table, session.partial_turn).text)

    def show_message(self, session: Session, text: str) -> None:
        self._print(text)

    def show_error(self, session: Session, message: str) -> None:
        streams.print_error(message)

    def game_ended(self, session: Session, outcome: Outcome) -> None:
        self._print(event_text.result(session.table.position, outcome))

    def read_line(self, session: Session) -> str | None:
        return read_line()

    def session_ended(self, session: Session) -> None:
        if session.saved_as and not session.table.outcome:
            self._print(f"Saved as {session.saved_as}.")


def _move(node: Node) -> str:
    assert node.parent is not None
    before = node.parent.position
    return f"{before.ply + 1}. {before.colour_of(before.turn)} {node.move}"
