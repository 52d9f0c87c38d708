"""Play by lines on a terminal, in plain text: the board is printed when it has changed, with a prompt below it."""

from __future__ import annotations

import time

from pentad.play.clock import written_time
from pentad.terminal import streams
from pentad.terminal.messages import PACE, Messages, described, farewell, state_sentence, thinking
from pentad.terminal.session import Session


class PlainLineDisplay(Messages):
    """A display of plain text, for a terminal without the packages of the extra `terminal`."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None  # the state of the board that was printed last

    def game_started(self, session: Session) -> None:
        super().game_started(session)
        self._shown = None
        self._print(f"{session.table.game.title}  ({session.table.players_text})")

    def show_board(self, session: Session) -> None:
        super().show_board(session)
        self._shown = None

    def read_line(self, session: Session) -> str | None:
        self._show(session)
        table = session.table
        words = [] if table.seat is None else [table.position.colour_of(table.seat), session.partial_turn]
        if table.seat is not None and table.clock:
            words.append(written_time(session.time_left[table.seat]))
        return streams.prompt(f"{' '.join(filter(None, words))}> ", session.completions, session.is_out_of_time)

    def confirm(self, question: str, at_end: bool = False) -> bool:
        answer = streams.prompt(f"\n{question}" if at_end else question)
        return at_end if answer is None else answer.strip().lower() in ("y", "yes")

    def bot_thinking(self, session: Session) -> None:
        self._show(session)
        self.show_progress(thinking(session))
        if session.only_bots and not session.table.clock:
            time.sleep(PACE)

    def show_progress(self, what: str) -> None:
        self._print(f"{what}…")

    def session_ended(self, session: Session) -> None:
        for line in farewell(session):
            self._print(line)

    def _show(self, session: Session) -> None:
        """Prints the board with the last moves if it has changed, and the messages since the last line."""
        state = (session.table.record.text, session.partial_turn, session.upside_down, session.listed)
        if state != self._shown:
            self._shown = state
            clocks = [f"Time left: {session.clocks_text}"] if session.table.clock else []
            status = state_sentence(session)
            last = session.table.record.main_line[-max(2, session.table.position.players) :]
            self._print("\n".join(["", *session.board, *clocks, status, *map(described, last)]))
        for text, _ in self.message:
            self._print(text)
        self.message = []
