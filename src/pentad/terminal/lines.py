"""Play by lines at a terminal: the board is printed when it has changed, with the state and messages below it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable

from rich.console import ConsoleDimensions
from rich.text import Text

from pentad.play.clock import written_time
from pentad.play.table import Table
from pentad.terminal import streams, theme
from pentad.terminal.boards import TextBoard, fitted, listed
from pentad.terminal.messages import PACE, Messages, described, farewell, state_sentence, thinking
from pentad.terminal.session import Session

BELOW = 4  # rows below a board that should be seen with it: the state, two moves and the prompt


class LineDisplay(Messages):
    """A display of lines, in colours where the terminal has them."""

    def __init__(self, no_colour: bool = False) -> None:
        super().__init__()
        self.console = theme.console(no_colour)
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
        try:
            answer = streams.prompt(f"\n{question}" if at_end else question)
        except KeyboardInterrupt:
            self.console.print()
            raise
        return at_end if answer is None else answer.strip().lower() in ("y", "yes")

    # ── output ───────────────────────────────────────────────────────────────────────────────────

    def game_started(self, session: Session) -> None:
        super().game_started(session)
        self._shown = None
        title = f"{session.table.game.title}  ({session.table.players_text})"
        self._print_lines([Text(title, theme.STYLES["title"])])

    def show_board(self, session: Session) -> None:
        super().show_board(session)
        self._shown = None

    def bot_thinking(self, session: Session) -> None:
        self._draw(session)
        self.show_progress(thinking(session))
        if session.only_bots and not session.table.clock:
            time.sleep(PACE)

    def show_progress(self, what: str) -> None:
        self._print_lines([Text(f"{what}…", theme.STYLES["quiet"])])

    def session_ended(self, session: Session) -> None:
        self._print_lines(map(Text, farewell(session)))

    def _draw(self, session: Session) -> None:
        """Print the board with what belongs to it if anything of it has changed, and the messages."""
        columns, rows = shutil.get_terminal_size()  # rich assumes 80 × 25 on a plain terminal
        self.console.size = ConsoleDimensions(columns, rows)
        shown = (columns, session.table.record.text, session.partial_turn, session.upside_down, session.listed)
        if shown != self._shown:
            self._shown = shown
            board = _board(session, columns, rows)
            state = Text(state_sentence(session), theme.STYLES["status"])
            below = [*self._notes(session, board), state, *_moves(session.table)]
            notice = [Text(board.notice, theme.STYLES["quiet"])] if board.notice else []
            self._print_lines([Text(), *notice])
            for line in board.lines:
                self.console.print(line, no_wrap=True, overflow="crop", crop=True)
            self._print_lines(below)
        self._print_lines([Text(text, theme.STYLES[role]) for text, role in self.message])
        self.message = []

    def _print_lines(self, lines: Iterable[Text]) -> None:
        """Print lines, wrapped to the window."""
        for line in theme.wrapped(list(lines), max(self.console.width, 1)):
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)

    def _notes(self, session: Session, board: TextBoard) -> list[Text]:
        """The notes on the board: clocks, captures, and a legend on terminals without colours."""
        clocks = f"Time left: {session.clocks_text}" if session.table.clock else ""
        legend = "" if session.listed or theme.has_colours(self.console) else session.table.position.legend
        return [Text(note, theme.STYLES["tally"]) for note in (clocks, board.tally, legend) if note]


def _board(session: Session, columns: int, rows: int) -> TextBoard:
    """The board, or a list if requested."""
    position = session.shown_position
    if session.listed:
        return TextBoard(listed(position, columns))
    return fitted(position, session.last_move, session.upside_down, columns=columns, rows=rows - BELOW)


def _moves(table: Table) -> list[Text]:
    """The last moves, one of each player."""
    return [Text(described(node)) for node in table.record.main_line[-max(2, table.position.players) :]]
