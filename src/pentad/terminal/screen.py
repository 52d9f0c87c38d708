"""Play on a terminal: the board is redrawn in place, with the state, moves, messages and prompt below it.

The layout depends only on the game's options and the size of the window, so that nothing jumps from move to move. A
terminal that cannot redraw gets the same content, one part below the other.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import ConsoleDimensions
from rich.text import Text

from pentad.play.clock import written_time
from pentad.play.table import Table
from pentad.terminal import streams, theme
from pentad.terminal.boards import TextBoard, fitted, listed
from pentad.terminal.messages import PACE, Messages, farewell, state_sentence, thinking
from pentad.terminal.session import Session

BETWEEN = "   "  # between parts of one line
MOST_BESIDE = 2  # rows of a message that fit into any window


class Screen(Messages):
    """A display on a terminal that can redraw."""

    after_progress = ""  # a progress text stands where the prompt will be

    def __init__(self, no_colour: bool = False) -> None:
        super().__init__()
        self.console = theme.console(no_colour)

    # ── input ────────────────────────────────────────────────────────────────────────────────────

    def read_line(self, session: Session) -> str | None:
        self._draw(session)
        table = session.table
        words = [] if table.seat is None else [table.position.colour_of(table.seat), session.partial_turn]
        if table.seat is not None and table.clock:
            words.append(written_time(session.time_left[table.seat]))
        line = streams.prompt(f"{' '.join(filter(None, words))}> ", session.completions, session.is_out_of_time)
        self.message = []
        return line

    def confirm(self, question: str, at_end: bool = False) -> bool:
        try:
            answer = streams.prompt(f"\n{question}" if at_end else question)
        except KeyboardInterrupt:
            self.console.print()
            raise
        return at_end if answer is None else answer.strip().lower() in ("y", "yes")

    def bot_thinking(self, session: Session) -> None:
        self._draw(session)
        self.show_progress(thinking(session))
        if session.only_bots and not session.table.clock:
            time.sleep(PACE)

    def show_progress(self, what: str) -> None:
        text = Text(f"{what}…", theme.STYLES["quiet"])
        self.console.print(text, end=self.after_progress, no_wrap=True, overflow="crop", crop=True)

    def session_ended(self, session: Session) -> None:
        for line in farewell(session):
            self.console.print(line)

    # ── drawing ──────────────────────────────────────────────────────────────────────────────────

    def _draw(self, session: Session) -> None:
        """Draw everything, or as much as fits."""
        width, height = self.console.size
        self.console.clear()
        self._print_lines(self._lines(session, max(width, 1), max(height - 1, 1)))  # leave a line for the prompt

    def _print_lines(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)

    def _lines(self, session: Session, width: int, room: int) -> list[Text]:
        """The lines of the screen for this size; a message that is too long for it is shown alone."""
        board = self._board(session, width, room - len(LEAST))
        notice = _notice(board, width)
        message = self._messages(width)
        notes = self._notes(session, board, width)
        rows = row_shares(room - len(board.lines) - len(notice), session.table.position.players, len(notes))
        lines = [*board.lines, *notes] if rows["notes"] else _beside(board.lines, notes, width)
        status = state_sentence(session, width)
        state = theme.wrapped([Text(status, theme.STYLES["status"])], width)
        moves = _moves(session.table, width, rows["moves"])
        moves += [Text()] * (rows["moves"] - len(moves))
        title, gap = [theme.cut(self._title(session), width)] * rows["title"], [Text()] * rows["gap"]
        above = [*title, *(gap if title else []), *notice, *lines]
        if session.listed:  # a list starts at the top of the window, however long it is
            return [*above, *gap, *state, *moves, *message]
        short = [theme.cut(Text(status, theme.STYLES["status"]), width)]
        last = _moves(session.table, width, 1)
        # The board stays in place; the least important lines below it make room for messages.
        below = (
            [*gap, *state, *moves, *message],
            [*gap, *short, *moves, *message],
            [*gap, *short, *last, *message],
            [*short, *last, *message],
            [*last, *message],
            message,
        )
        fixed = min(room, len(above) + len(gap) + rows["state"] + rows["moves"] + rows["message"])
        forms = [[*above, *form, *[Text()] * (fixed - len(above) - len(form))] for form in below]
        if notice:
            forms.append([*lines, *message])
        alone = [*message, Text("Press Enter to see the board again.", theme.STYLES["quiet"])]
        least = alone if len(message) > MOST_BESIDE else [*short, *message][-room:]
        return next((form for form in forms if len(form) <= room), least)

    def _messages(self, width: int) -> list[Text]:
        return theme.wrapped([Text(text, theme.STYLES[role]) for text, role in self.message], width)

    def _board(self, session: Session, width: int, rows: int) -> TextBoard:
        """The board, or a list if requested."""
        position = session.shown_position
        if session.listed:
            return TextBoard(listed(position, width))
        last, flip = session.last_move, session.upside_down
        return fitted(position, last, flip, width=width, rows=rows, below=len(LEAST) + 1)

    def _notes(self, session: Session, board: TextBoard, width: int) -> list[Text]:
        """The notes on the board: clocks, captures, and a legend on terminals without colours."""
        clocks = [Text(f"Time left: {session.clocks_text}", theme.STYLES["tally"])] if session.table.clock else []
        legend = "" if session.listed or theme.has_colours(self.console) else session.table.position.legend
        notes = [Text(note, theme.STYLES["tally"]) for note in (board.tally, legend) if note]
        return [*theme.wrapped(clocks, width), *notes]

    def _title(self, session: Session) -> Text:
        return Text(f"{session.table.game.title}  ({session.table.players_text})", theme.STYLES["title"])


class PlainScreen(Screen):
    """A display on a terminal that cannot redraw: the board is printed again when it has changed."""

    after_progress = "\n"

    def __init__(self) -> None:
        super().__init__(no_colour=True)
        self._shown: object = None  # the state of the board last drawn

    def game_started(self, session: Session) -> None:
        super().game_started(session)
        self._shown = None
        self._print_lines([self._title(session)])

    def show_board(self, session: Session) -> None:
        super().show_board(session)
        self._shown = None

    def _draw(self, session: Session) -> None:
        self.console.size = ConsoleDimensions(*shutil.get_terminal_size())  # rich assumes 80 × 25 here
        width = self.console.width
        state = (session.table.record.text, session.partial_turn, session.upside_down, session.listed)
        if state != self._shown:
            self._shown = state
            board = self._board(session, width, MANY)
            moves = _moves(session.table, width, max(2, session.table.position.players))
            notes = self._notes(session, board, width)
            status = theme.wrapped([Text(state_sentence(session, MANY))], width)
            self._print_lines([Text(), *_notice(board, width), *board.lines, *notes, *status, *moves])
        self._print_lines(self._messages(width))
        self.message = []


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────

MANY = 1000  # rows without a limit
LEAST = {"state": 1, "moves": 1, "message": 1}  # rows below the board


def row_shares(rows: int, players: int, notes: int) -> dict[str, int]:
    """The number of rows for each part, of those that the board leaves; the most important parts come first.

    >>> row_shares(3, 2, 1)
    {'state': 1, 'moves': 1, 'message': 1, 'notes': 0, 'title': 0, 'gap': 0}
    >>> row_shares(13, 2, 1)
    {'state': 1, 'moves': 2, 'message': 2, 'notes': 1, 'title': 1, 'gap': 1}
    """
    shares = {**LEAST, "notes": 0, "title": 0, "gap": 0}
    left = rows - len(LEAST)
    for part, more, cost in (
        ("notes", notes, notes),
        ("moves", max(2, players) - 1, max(2, players) - 1),
        ("title", 1, 1),
        ("gap", 1, 2),  # above the board and below it
        ("message", 1, 1),
    ):
        if left >= cost:
            shares[part] += more
            left -= cost
    return shares


def _beside(lines: list[Text], notes: list[Text], width: int) -> list[Text]:
    """The board with the notes to the right of its last lines, where they fit."""
    column = theme.width_of(lines) + len(BETWEEN)
    notes = [note for note in notes if column + note.cell_len <= width]
    if len(notes) > len(lines):
        return lines
    bare = len(lines) - len(notes)
    joined = (
        Text.assemble(line, " " * (column - line.cell_len), note)
        for line, note in zip(lines[bare:], notes, strict=True)
    )
    return [*lines[:bare], *joined]


def _notice(board: TextBoard, width: int) -> list[Text]:
    """A notice if the window is too small."""
    return theme.wrapped([Text(board.notice, theme.STYLES["quiet"])], width) if board.notice else []


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


def _moves(table: Table, width: int, rows: int) -> list[Text]:
    """The last moves in this many rows: descriptions, or only the moves, or all of them in one row."""
    nodes = table.record.main_line[-max(2, table.position.players) :]
    moves, described = [], []
    for node in nodes:
        before, move = node.played
        text = before.notation(move)
        moves.append(f"{before.colour_of(before.turn)}: {text}")
        described.append(f"{before.ply + 1}. {text}: {before.describe(move)}")
    for each in (described, moves):
        if len(each) <= rows > 1 and all(cell_len(line) <= width for line in each):
            return [Text(line) for line in each]
    while len(moves) > 2 and cell_len(BETWEEN.join(moves)) > width:
        del moves[0]
    line = BETWEEN.join(moves)
    return [Text(line if cell_len(line) <= width else f"…{line[1 - width :]}" if width > 1 else "")]
