"""Play by lines at a terminal, in colours where it has them, with a drawing that fits the window."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

from rich.console import ConsoleDimensions
from rich.text import Text

from pentad.terminal import theme
from pentad.terminal.boards import TextBoard, fitted, listed
from pentad.terminal.messages import state_sentence
from pentad.terminal.plain_line_display import PlainLineDisplay, clocks_line, last_moves
from pentad.terminal.play_session import Session

BELOW = 4  # rows below a board that should be seen with it: the state, two moves and the prompt


class LineDisplay(PlainLineDisplay):
    """A display of lines, in colours where the terminal has them."""

    def __init__(self, no_colour: bool = False) -> None:
        super().__init__()
        self.console = theme.console(no_colour)

    def confirm(self, question: str, at_end: bool = False) -> bool:
        try:
            return super().confirm(question, at_end)
        except KeyboardInterrupt:
            self.console.print()
            raise

    def _say(self, text: str, role: str = "") -> None:
        self._print_lines([Text(text, theme.STYLES[role] if role else "")])

    def _draw(self, session: Session) -> None:
        self.console.size = ConsoleDimensions(*shutil.get_terminal_size())  # rich assumes 80 × 25 on a plain terminal
        super()._draw(session)

    def _state(self, session: Session) -> object:
        return self.console.width, super()._state(session)

    def _draw_board(self, session: Session) -> None:
        board = _board(session, *self.console.size)
        state = Text(state_sentence(session), theme.STYLES["status"])
        notice = [Text(board.notice, theme.STYLES["quiet"])] if board.notice else []
        self._print_lines([Text(), *notice])
        for line in board.lines:
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)
        self._print_lines([*self._notes(session, board), state, *map(Text, last_moves(session))])

    def _print_lines(self, lines: Iterable[Text]) -> None:
        """Prints lines, wrapped to the window."""
        for line in theme.wrapped(list(lines), max(self.console.width, 1)):
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)

    def _notes(self, session: Session, board: TextBoard) -> list[Text]:
        """The notes on the board: clocks, captures, and a legend on terminals without colours."""
        legend = "" if session.listed or theme.has_colours(self.console) else session.table.position.legend
        return [Text(note, theme.STYLES["tally"]) for note in (*clocks_line(session), board.tally, legend) if note]


def _board(session: Session, columns: int, rows: int) -> TextBoard:
    """The board, or a list if requested."""
    position = session.shown_position
    if session.listed:
        return TextBoard(listed(position, columns))
    return fitted(position, session.last_move, session.upside_down, columns=columns, rows=rows - BELOW)
