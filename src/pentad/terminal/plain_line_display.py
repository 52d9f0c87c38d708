"""Play by lines on a terminal, in plain text: the board is printed when it has changed, with a prompt below it."""

from __future__ import annotations

import time

from pentad.play.clock import written_time
from pentad.terminal import streams
from pentad.terminal.messages import PACE_SECONDS, Messages, described, farewell, state_sentence, thinking
from pentad.terminal.play_session import Session


class PlainLineDisplay(Messages):
    """A display of plain text, for a terminal without the packages of the extra `terminal`."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None  # what the board was last drawn from

    # ── input ────────────────────────────────────────────────────────────────────────────────────

    def read_line(self, session: Session) -> str | None:
        self._draw(session)
        table = session.table
        words = [] if table.seat is None else [table.position.colour_of(table.seat), session.partial_turn]
        if table.seat is not None and table.clock:
            words.append(written_time(session.time_left[table.seat]))
        return streams.prompt(f"{' '.join(filter(None, words))}> ", session.completions, session.is_out_of_time)

    def confirm(self, question: str, at_end: bool = False) -> bool:
        answer = streams.prompt(f"\n{question}" if at_end else question)
        return at_end if answer is None else answer.strip().lower() in ("y", "yes")

    # ── output ───────────────────────────────────────────────────────────────────────────────────

    def game_started(self, session: Session) -> None:
        super().game_started(session)
        self._shown = None
        self._say(f"{session.table.game.title}  ({session.table.players_text})", "title")

    def show_board(self, session: Session) -> None:
        super().show_board(session)
        self._shown = None

    def bot_thinking(self, session: Session) -> None:
        self._draw(session)
        self.show_progress(thinking(session))
        if session.only_bots and not session.table.clock:
            time.sleep(PACE_SECONDS)

    def show_progress(self, what: str) -> None:
        self._say(f"{what}…", "quiet")

    def session_ended(self, session: Session) -> None:
        for line in farewell(session):
            self._say(line)

    def _say(self, text: str, role: str = "") -> None:
        """Prints a line; `role` is the kind of text, for displays with colours."""
        self._print(text)

    def _draw(self, session: Session) -> None:
        """Prints the board with what belongs to it if anything of it has changed, and the messages."""
        state = self._state(session)
        if state != self._shown:
            self._shown = state
            self._draw_board(session)
        for text, role in self.message:
            self._say(text, role)
        self.message = []

    def _state(self, session: Session) -> object:
        """What the drawing of the board depends on."""
        return session.table.record.text, session.partial_turn, session.upside_down, session.listed

    def _draw_board(self, session: Session) -> None:
        lines = ["", *session.board, *clocks_line(session), state_sentence(session), *last_moves(session)]
        self._print("\n".join(lines))


def clocks_line(session: Session) -> list[str]:
    """The line with the clocks, in games on time."""
    return [f"Time left: {session.clocks_text}"] if session.table.clock else []


def last_moves(session: Session) -> list[str]:
    """The last moves, one of each player."""
    return list(map(described, session.table.record.main_line[-max(2, session.table.position.players) :]))
