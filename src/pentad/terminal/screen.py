"""A game on a terminal: the board is redrawn in its place, with what has happened below it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.text import Text

from pentad.game import Choices, Outcome, Position
from pentad.play.table import Hint
from pentad.record import Node
from pentad.terminal import look, prompt, words
from pentad.terminal.display import Display

if TYPE_CHECKING:
    from pentad.terminal.session import Session

MOST_TOLD = 24  # choices that are listed unasked
PACE = 0.4  # seconds between the moves of bots among themselves, so that eyes can follow


class Screen(Display):
    """The terminal of a person."""

    asks = True

    def __init__(self, no_colour: bool = False) -> None:
        self.console = look.console(no_colour)
        self.news: list[Text] = []  # the moves since the person's last one, in words
        self.message: list[Text] = []  # what was said since the person's last line

    # ── what happens ─────────────────────────────────────────────────────────────────────────────

    def begin(self, session: Session) -> None:
        self.news = []
        self.message = []
        if moves := len(session.table.record.moves):
            self._add(f"the game goes on after {moves} move{'s' * (moves != 1)}", "news")

    def moved(self, session: Session, node: Node) -> None:
        assert node.parent is not None
        assert node.move is not None
        before = node.parent.position
        if session.table.seats[before.turn].is_human:
            self.news = []
        text = f"{before.ply + 1}. {node.move}: {before.describe(node.move)}"
        self.news = [*self.news, Text(text)][-before.players :]

    def changed(self, session: Session, what: str) -> None:
        self.news = []
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
        self.news = []  # the board itself is drawn before every line that is read
        self._add(words.position_in_hand(session.table, session.begun).text, "quiet")

    def say(self, session: Session, text: str) -> None:
        for line in text.splitlines():
            self._add(line, "news")

    def complain(self, session: Session, message: str) -> None:
        self._add(message, "complaint")

    def ended(self, session: Session, outcome: Outcome) -> None:
        self._add("new plays another game, undo takes back, quit leaves", "quiet")

    def _add(self, text: str, role: str) -> None:
        self.message.append(Text(text, look.STYLES[role]))

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
        self.console.print(Text(f"{colour} ({words.name_of(session.table, seat)}) thinks …", look.STYLES["quiet"]))
        if session.only_bots:
            time.sleep(PACE)

    def leave(self, session: Session) -> None:
        if session.table.record.moves:
            self.console.print(session.whether_kept)
            if session.kept_as and not session.table.outcome:
                self.console.print("pentad play --resume goes on with it.")

    # ── drawing ──────────────────────────────────────────────────────────────────────────────────

    def _draw(self, session: Session) -> None:
        """Draw all there is, or as much of it as fits."""
        width, height = self.console.size
        room = max(height - 1, 1)  # a line is for the prompt
        forms = self._forms(session, max(width, 1))
        fitting = (form for form in forms if len(form) <= room and look.width_of(form) <= width)
        chosen = next(fitting, None) or [line for line in forms[-1] if line.plain][-room:]
        self.console.clear()
        for line in chosen:
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)

    def _forms(self, session: Session, width: int) -> list[list[Text]]:
        """The screen in ever fewer lines and columns."""
        table = session.table
        position = words.position_in_hand(table, session.begun)
        last = session.begun or table.last
        spans = position.spans(last=last, flip=session.upside_down)
        if table.outcome and not position.outcome:  # what the board does not show
            spans = [line for line in spans if line[0][1] != "status"]
        title = look.wrapped([self._title(session)], width)
        state = look.wrapped([Text(_state(session, position), look.STYLES["status"])], width)
        if session.listed:
            board = narrow = look.wrapped(look.listed(position), width)
        else:
            board = [look.styled(line) for line in spans if line[0][1] != "status"]
            narrow = look.condensed(position, spans, width)
        foot = look.wrapped([*self.news, *self.message], width)
        message = look.wrapped(self.message, width)
        gap = [Text()]
        return [
            [*title, *gap, *board, *gap, *state, *foot],
            [*board, *state, *foot],
            [*board, *state, *message],
            *([[*board, *message]] if message else []),
            *([[*message, *state]] if len(message) > len(narrow) else []),
            [*narrow, *state, *foot],
            [*narrow, *state, *message],
            [*narrow, *message],
        ]

    def _title(self, session: Session) -> Text:
        return Text(f"{session.table.game.title}  ({words.who_sits(session.table)})", look.STYLES["title"])


def _state(session: Session, position: Position) -> str:
    """Who is to do what, or how the game ended."""
    if session.table.outcome:
        return words.result(position, session.table.outcome)
    asked = position.choices().prompt
    return f"{position.colour_of(position.turn)} to move: {asked}"
