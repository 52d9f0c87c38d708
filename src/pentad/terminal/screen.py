"""A game on a terminal: the board is redrawn in its place, and below it always the same lines.

They are: who is to do what, the last moves, what was said since the person's last line, and the prompt. Where they
stand depends on the game's options and the window alone, so that nothing jumps from move to move. A terminal that
cannot redraw gets the same, one below the other.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import ConsoleDimensions
from rich.text import Text

from pentad.game import Choices, Outcome
from pentad.play.table import Hint, Table
from pentad.record import Node
from pentad.terminal import board_fit, event_text, prompt, theme
from pentad.terminal.board_fit import Drawing
from pentad.terminal.display import Display

if TYPE_CHECKING:
    from pentad.terminal.session import Session

MOST_TOLD = 24  # choices that are listed unasked
BETWEEN = "   "  # what stands in one line
MOST_BESIDE = 2  # rows of an answer that a window has, however small it is
PACE = 0.4  # seconds between the moves of bots among themselves, so that eyes can follow


class Screen(Display):
    """The terminal of a person."""

    asks = True
    after_work = ""  # what is being done stands where the prompt will be

    def __init__(self, no_colour: bool = False) -> None:
        self.console = theme.console(no_colour)
        self.message: list[Text] = []  # what was said since the person's last line

    # ── what happens ─────────────────────────────────────────────────────────────────────────────

    def begin(self, session: Session) -> None:
        self.message = []
        if moves := len(session.table.record.moves):
            self._add(f"the game goes on after {moves} move{'s' * (moves != 1)}", "news")

    def moved(self, session: Session, node: Node) -> None:
        pass  # the last moves stand below the board

    def changed(self, session: Session, what: str) -> None:
        self._add(what, "news")

    def begun(self, session: Session, choices: Choices) -> None:
        many = len(choices) > MOST_TOLD
        told = f"{choices.prompt}, such as {choices[0]}" if many else " ".join(map(str, choices))
        self._add(f"{session.begun} and then: {told}", "news")
        self._add(f"{'moves lists them; ' if many else ''}an empty line takes it back", "quiet")

    def choices(self, session: Session, beginning: str, choices: Choices) -> None:
        begun = f"{beginning} and then " if beginning else ""
        self._add(f"{begun}{choices.prompt}: {' '.join(map(str, choices))}", "news")

    def hint(self, session: Session, hint: Hint) -> None:
        claim = f"; {hint.claim}" if hint.claim else ""
        self._add(f"hint: {hint.move}, that is: {session.table.position.describe(hint.move)}{claim}", "news")

    def board(self, session: Session) -> None:
        # The board itself is drawn before every line that is read.
        self._add(event_text.position_in_hand(session.table, session.begun).text, "quiet")

    def say(self, session: Session, text: str) -> None:
        for line in text.splitlines():
            self._add(line, "news")

    def complain(self, session: Session, message: str) -> None:
        self._add(message, "complaint")

    def ended(self, session: Session, outcome: Outcome) -> None:
        self._add("new plays another game, undo takes back, quit leaves", "quiet")

    def _add(self, text: str, role: str) -> None:
        self.message.append(Text(text, theme.STYLES[role]))

    # ── the person ───────────────────────────────────────────────────────────────────────────────

    def read(self, session: Session) -> str | None:
        self._draw(session)
        table = session.table
        who = "" if table.seat is None else f"{table.position.colour_of(table.seat)} {session.begun}".rstrip()
        line = prompt.read(f"{who}> ", session)
        self.message = []
        return line

    def confirm(self, question: str, at_end: bool = False) -> bool:
        try:
            answer = prompt.read(f"\n{question}" if at_end else question, None)
        except KeyboardInterrupt:
            self.console.print()
            raise
        return at_end if answer is None else answer.strip().lower() in ("y", "yes")

    def thinking(self, session: Session) -> None:
        self._draw(session)
        seat = session.table.position.turn
        colour = session.table.position.colour_of(seat)
        self.working(f"{colour} ({event_text.name_of(session.table, seat)}) thinks")
        if session.only_bots:
            time.sleep(PACE)

    def working(self, what: str) -> None:
        text = Text(f"{what} …", theme.STYLES["quiet"])
        self.console.print(text, end=self.after_work, no_wrap=True, overflow="crop", crop=True)

    def leave(self, session: Session) -> None:
        if session.table.record.moves:
            self.console.print(session.saved_status)
            if session.saved_as and not session.table.outcome:
                self.console.print("pentad play --resume goes on with it.")

    # ── drawing ──────────────────────────────────────────────────────────────────────────────────

    def _draw(self, session: Session) -> None:
        """Draw all there is, or as much of it as fits."""
        width, height = self.console.size
        self.console.clear()
        self._print(self._lines(session, max(width, 1), max(height - 1, 1)))  # a line is for the prompt

    def _print(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)

    def _lines(self, session: Session, width: int, room: int) -> list[Text]:
        """The screen in so many columns and rows; an answer that is too long for it stands there alone."""
        board = self._board(session, width, room - len(LEAST))
        notice = _notice(board, width)
        message = theme.wrapped(self.message, width)
        notes = self._notes(session, board)
        rows = shared_out(room - len(board.lines) - len(notice), session.table.position.players, len(notes))
        lines = [*board.lines, *notes] if rows["notes"] else _beside(board.lines, notes, width)
        told = _state(session, width)
        state = theme.wrapped([Text(told, theme.STYLES["status"])], width)
        moves = _moves(session.table, width, rows["moves"])
        moves += [Text()] * (rows["moves"] - len(moves))
        title, gap = [theme.cut(self._title(session), width)] * rows["title"], [Text()] * rows["gap"]
        above = [*title, *(gap if title else []), *notice, *lines]
        if session.listed:  # a list is read from its beginning, however long it is
            return [*above, *gap, *state, *moves, *message]
        short = [theme.cut(Text(told, theme.STYLES["status"]), width)]
        last = _moves(session.table, width, 1)
        # Whatever is told, the board stays where it is, and what is least wanted below it makes room.
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
        """The board, or the list that is wanted instead."""
        position = event_text.position_in_hand(session.table, session.begun)
        if session.listed:
            return Drawing(board_fit.listed(position, width))
        last = session.begun or session.table.last
        return board_fit.fitted(position, last, session.upside_down, width=width, rows=rows, words=len(LEAST) + 1)

    def _notes(self, session: Session, board: Drawing) -> list[Text]:
        """What belongs to the board: what was captured; and what its signs stand for, where no colours tell."""
        position = session.table.position
        legend = "" if session.listed or theme.has_colours(self.console) else position.legend
        return [Text(told, theme.STYLES["tally"]) for told in (board.tally, legend) if told]

    def _title(self, session: Session) -> Text:
        return Text(f"{session.table.game.title}  ({event_text.who_sits(session.table)})", theme.STYLES["title"])


class PlainScreen(Screen):
    """A terminal that cannot redraw: the board comes again when it has changed, and a line is read as it is typed."""

    after_work = "\n"

    def __init__(self) -> None:
        super().__init__(no_colour=True)
        self._shown: object = None  # what the board was drawn from

    def begin(self, session: Session) -> None:
        super().begin(session)
        self._shown = None
        self._print([self._title(session)])

    def board(self, session: Session) -> None:
        super().board(session)
        self._shown = None

    def _draw(self, session: Session) -> None:
        self.console.size = ConsoleDimensions(*shutil.get_terminal_size())  # rich takes any dumb one for 80 × 25
        width = self.console.width
        told = (session.table.record.text, session.begun, session.upside_down, session.listed)
        if told != self._shown:
            self._shown = told
            board = self._board(session, width, MANY)
            moves = _moves(session.table, width, max(2, session.table.position.players))
            self._print(
                [
                    Text(),
                    *_notice(board, width),
                    *board.lines,
                    *self._notes(session, board),
                    Text(_state(session, MANY)),
                    *moves,
                ]
            )
        self._print(theme.wrapped(self.message, width))
        self.message = []


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────

MANY = 1000  # rows: as many as are wanted
LEAST = {"state": 1, "moves": 1, "message": 1}  # rows below the board


def shared_out(rows: int, players: int, notes: int) -> dict[str, int]:
    """How many of the rows that the board leaves each part gets, the most important first.

    >>> shared_out(3, 2, 1)
    {'state': 1, 'moves': 1, 'message': 1, 'notes': 0, 'title': 0, 'gap': 0}
    >>> shared_out(13, 2, 1)
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
    """The notes behind the last lines of a board, if they fit there."""
    column = theme.width_of(lines) + len(BETWEEN)
    notes = [note for note in notes if column + note.cell_len <= width]
    if len(notes) > len(lines):
        return lines
    bare = len(lines) - len(notes)
    behind = (
        Text.assemble(line, " " * (column - line.cell_len), note)
        for line, note in zip(lines[bare:], notes, strict=True)
    )
    return [*lines[:bare], *behind]


def _notice(board: Drawing, width: int) -> list[Text]:
    """What is wrong with the window."""
    return theme.wrapped([Text(board.notice, theme.STYLES["quiet"])], width) if board.notice else []


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def _state(session: Session, width: int) -> str:
    """Who is to do what, or how the game ended; what is asked is told in fewer words where the line is short."""
    position = event_text.position_in_hand(session.table, session.begun)
    if session.table.outcome:
        return event_text.result(position, session.table.outcome)
    asked = position.choices().prompt
    who = f"{position.colour_of(position.turn)} to move: "
    return who + (asked if len(who) + len(asked) <= width else asked.partition(": ")[2] or asked)


def _moves(table: Table, width: int, rows: int) -> list[Text]:
    """The last moves in so many rows: a sentence for each, or only each by itself, or all of them in one row."""
    nodes = [node for node in table.record.end.line if node.move is not None][-max(2, table.position.players) :]
    told = [event_text.move(node) for node in nodes]
    for each in ([event_text.described(node) for node in nodes], told):
        if len(each) <= rows > 1 and all(cell_len(line) <= width for line in each):
            return [Text(line) for line in each]
    while len(told) > 2 and cell_len(BETWEEN.join(told)) > width:
        del told[0]
    line = BETWEEN.join(told)
    return [Text(line if cell_len(line) <= width else f"…{line[1 - width :]}" if width > 1 else "")]
