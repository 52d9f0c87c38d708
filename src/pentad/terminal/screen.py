"""Play on a terminal: the board is redrawn in place, with the state, moves, messages and prompt below it.

The layout depends only on the game's options and the size of the window, so that nothing jumps from move to move. A
terminal that cannot redraw gets the same content, one part below the other.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import ConsoleDimensions
from rich.text import Text

from pentad.game import Choices, Move, Outcome, Position, Span
from pentad.play.table import Hint, Table, scored_result
from pentad.record import Node
from pentad.terminal import streams, theme
from pentad.terminal.session import Display, Session
from pentad.terminal.theme import style_of, styled, width_of, wrapped
from pentad.wording import count

MOST_LISTED = 24  # choices that are listed without the command `moves`
BETWEEN = "   "  # between parts of one line
MOST_BESIDE = 2  # rows of a message that fit into any window
PACE = 0.4  # seconds between moves in games among bots, so that a person can follow


class Screen(Display):
    """A display on a terminal that can redraw."""

    is_interactive = True
    after_progress = ""  # a progress text stands where the prompt will be

    def __init__(self, no_colour: bool = False) -> None:
        self.console = theme.console(no_colour)
        self.message: list[Text] = []  # the messages since the person's last line

    # ── events ───────────────────────────────────────────────────────────────────────────────────

    def game_started(self, session: Session) -> None:
        self.message = []
        if moves := len(session.table.record.moves):
            self._add(f"The game continues after {count(moves, 'move')}.", "news")

    def move_played(self, session: Session, node: Node) -> None:
        pass  # the last moves are shown below the board

    def position_changed(self, session: Session, what: str) -> None:
        self._add(what, "news")

    def turn_begun(self, session: Session, choices: Choices) -> None:
        many = len(choices) > MOST_LISTED
        shown = f"{choices.prompt} Example: {choices[0]}" if many else f"Choices: {' '.join(map(str, choices))}"
        self._add(f"Begun: {session.partial_turn}. {shown}", "news")
        self._add(f"{'Type moves to list them. ' if many else ''}An empty line cancels.", "quiet")

    def show_choices(self, session: Session, beginning: str, choices: Choices) -> None:
        self._add(f"{choices.prompt} Choices: {' '.join(map(str, choices))}", "news")

    def show_hint(self, session: Session, hint: Hint) -> None:
        here = session.table.position
        sentences = (f"Hint: {here.notation(hint.move)}.", here.describe(hint.move), hint.proof)
        self._add(" ".join(filter(None, sentences)), "news")

    def show_board(self, session: Session) -> None:
        # The board itself is drawn before every prompt.
        self._add(session.shown_position.text, "quiet")

    def show_message(self, session: Session, text: str) -> None:
        for line in text.splitlines():
            self._add(line, "news")

    def show_error(self, session: Session, message: str) -> None:
        self._add(message, "error")

    def game_ended(self, session: Session, outcome: Outcome) -> None:
        self._add("Type new for another game, undo to take back a move, or quit.", "quiet")

    def _add(self, text: str, role: str) -> None:
        self.message.append(Text(text, theme.STYLES[role]))

    # ── input ────────────────────────────────────────────────────────────────────────────────────

    def read_line(self, session: Session) -> str | None:
        self._draw(session)
        table = session.table
        who = "" if table.seat is None else f"{table.position.colour_of(table.seat)} {session.partial_turn}".rstrip()
        line = streams.prompt(f"{who}> ", session.completions)
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
        seat = session.table.position.turn
        colour = session.table.position.colour_of(seat)
        self.show_progress(f"{colour.capitalize()} ({session.table.player_name(seat)}) is thinking")
        if session.only_bots:
            time.sleep(PACE)

    def show_progress(self, what: str) -> None:
        text = Text(f"{what}…", theme.STYLES["quiet"])
        self.console.print(text, end=self.after_progress, no_wrap=True, overflow="crop", crop=True)

    def session_ended(self, session: Session) -> None:
        if session.table.record.moves:
            self.console.print(session.saved_status)
            if session.saved_as and not session.table.outcome:
                self.console.print("To continue it, run: pentad play --resume")

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
        message = theme.wrapped(self.message, width)
        notes = self._notes(session, board)
        rows = row_shares(room - len(board.lines) - len(notice), session.table.position.players, len(notes))
        lines = [*board.lines, *notes] if rows["notes"] else _beside(board.lines, notes, width)
        status = _state(session, width)
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

    def _board(self, session: Session, width: int, rows: int) -> Drawing:
        """The board, or a list if requested."""
        position = session.shown_position
        if session.listed:
            return Drawing(listed(position, width))
        last, flip = session.last_move, session.upside_down
        return fitted(position, last, flip, width=width, rows=rows, below=len(LEAST) + 1)

    def _notes(self, session: Session, board: Drawing) -> list[Text]:
        """The notes on the board: captures, and a legend on terminals without colours."""
        legend = "" if session.listed or theme.has_colours(self.console) else session.table.position.legend
        return [Text(note, theme.STYLES["tally"]) for note in (board.tally, legend) if note]

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
            notes, status = self._notes(session, board), Text(_state(session, MANY))
            self._print_lines([Text(), *_notice(board, width), *board.lines, *notes, status, *moves])
        self._print_lines(theme.wrapped(self.message, width))
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


def _notice(board: Drawing, width: int) -> list[Text]:
    """A notice if the window is too small."""
    return theme.wrapped([Text(board.notice, theme.STYLES["quiet"])], width) if board.notice else []


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


def _state(session: Session, width: int) -> str:
    """The player to move with the prompt, or the result; the prompt is shortened for a narrow window."""
    position = session.shown_position
    if session.table.outcome:
        return scored_result(position, session.table.outcome)
    text = position.choices().prompt
    whole = f"{position.colour_of(position.turn).capitalize()} to move. {text}"
    if len(whole) <= width:
        return whole
    action, _, rule = text.partition(". ")
    return f"{position.colour_of(position.turn).capitalize()} to move. {rule or action}"


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


# ── the board in a window ───────────────────────────────────────────────────────────────────────────


BELOW = ("status", "tally")  # the roles of lines below a board
MARKED = {"last", "line", "moved", "put", "way"}  # the roles of highlighted spaces

Spans = Sequence[Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board as lines, the tally below it, and a notice if the window is too small."""

    lines: list[Text]
    tally: str = ""
    notice: str = ""


def fitted(position: Position, last: Move | str | None, flip: bool, *, width: int, rows: int, below: int) -> Drawing:
    """The largest drawing for this many columns and rows; the window has `below` more rows."""
    tally, need = "", (0, 0)
    for small in (False, True):
        spans = position.spans(last=last, flip=flip, small=small)
        tally = " ".join("".join(text for text, _ in line).strip() for line in spans if line[0][1] == "tally")
        board = [line for line in spans if line[0][1] not in BELOW]
        lines = [styled(line) for line in board]
        need = (width_of(lines), len(lines))
        if need[0] <= width and need[1] <= rows:
            return Drawing(lines, tally)
    shown = [row for line in board if (row := _without_frame(line))]
    narrow = condensed(shown)
    if narrow and width_of(narrow) <= width and len(narrow) <= rows:
        return Drawing(narrow, tally)
    notice = (
        f"This window is too narrow for the board, which needs {need[0]} columns."
        if need[1] <= rows
        else f"This window is too small for the board, which needs {need[0]} × {need[1] + below}."
    )
    room = max(rows - len(wrapped([Text(notice)], width)), 0)
    if narrow and width_of(narrow) <= width:
        return Drawing(_cut(narrow, shown, room), tally, notice)
    return Drawing(listed(position, width)[:room], tally, notice)


def listed(position: Position, width: int) -> list[Text]:
    """The pieces of a position as a list, without the last line, which says whose turn it is."""
    return wrapped([Text(line) for line in position.listing()[:-1]], width)


def condensed(rows: Spans) -> list[Text]:
    """The rows of a board without frames, one column for each space; empty if the board has no such rows."""
    widths = {len(_cells(row)) for row in rows if len(row) > 1}
    if len(widths) != 1:
        return []
    size = widths.pop()
    names = max(len(row[0][0]) for row in rows if len(row) > 1)
    return [_condensed_row(row, size, names) for row in rows]


def _without_frame(line: Sequence[Span]) -> list[Span]:
    return [(text.strip(), role) for text, role in line if text.strip() and role != "frame"]


def _cells(row: Sequence[Span]) -> list[Span]:
    return [(text, role) for text, role in row if role != "label"]


def _condensed_row(row: Sequence[Span], size: int, margin: int) -> Text:
    """A row after its name; or the columns' names, shortened to their last figure; or a line of text."""
    (name, role), *_ = row
    if len(row) > 1:
        return styled([(name.rjust(margin), role), *_cells(row)])
    columns = name.split()
    return Text(" " * margin + "".join(each[-1] for each in columns) if len(columns) == size else name, style_of(role))


def _cut(narrow: list[Text], shown: Spans, room: int) -> list[Text]:
    """The rows around the last move, below the columns' names."""
    names = [text for text, row in zip(narrow, shown, strict=True) if len(row) == 1][:1]
    rows = [(text, row) for text, row in zip(narrow, shown, strict=True) if len(row) > 1]
    marked = [i for i, (_, row) in enumerate(rows) if any(MARKED & set(role.split()) for _, role in row)]
    middle = marked[len(marked) // 2] if marked else len(rows) // 2
    count = max(room - len(names), 0)
    first = min(max(middle - count // 2, 0), max(len(rows) - count, 0))
    return [*names, *(text for text, _ in rows[first : first + count])]
