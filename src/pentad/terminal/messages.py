"""Messages beside a board: what happened since the person's last line, in lines and in full screen."""

from __future__ import annotations

from pentad.game import Choices, Outcome, Span
from pentad.play.table import Hint, scored_result
from pentad.record import Node
from pentad.system.words import count, phrase
from pentad.terminal.play_session import Display, Session, choices_line, choices_lines

MOST_LISTED = 24  # choices that are listed without the command `moves`
PACE_SECONDS = 0.4  # a person can follow a game among bots at this pace


class Messages(Display):
    """A display that shows the board and the last moves all the time, so that only the rest becomes a message."""

    is_interactive = True

    def __init__(self) -> None:
        self.message: list[Span] = []  # the messages since the person's last line

    def game_started(self, session: Session) -> None:
        self.message = []
        if moves := len(session.table.record.moves):
            self._add(phrase("The game continues after {moves}.", moves=count(moves, "move")), "news")

    def move_played(self, session: Session, node: Node) -> None:
        pass  # the last moves are shown

    def position_changed(self, session: Session, what: str) -> None:
        self._add(what, "news")

    def turn_begun(self, session: Session, choices: Choices) -> None:
        many = len(choices) > MOST_LISTED
        steps = session.steps_written(session.partial_turn, choices)
        shown = f"{choices.prompt} Example: {steps[0]}" if many else f"Choices: {' '.join(steps)}"
        self._add(f"Begun: {session.partial_turn}. {shown}", "news")
        self._add(phrase("{first}An empty line cancels.", first="Type moves to list them. " if many else ""), "quiet")

    def show_choices(self, session: Session, beginning: str, choices: Choices) -> None:
        if len(choices) > MOST_LISTED:
            self._add(choices_line(session, beginning, choices), "news")
        else:
            self.show_message(session, "\n".join(choices_lines(session, beginning, choices)))

    def show_hint(self, session: Session, hint: Hint) -> None:
        here = session.table.position
        sentences = (f"Hint: {here.notation(hint.move)}.", f"{here.instruction(hint.move)}.", hint.proof)
        self._add(" ".join(filter(None, sentences)), "news")

    def show_board(self, session: Session) -> None:
        self._add(session.shown_position.text, "quiet")

    def show_message(self, session: Session, text: str) -> None:
        for line in text.splitlines():
            self._add(line, "news")

    def show_error(self, session: Session, message: str) -> None:
        self._add(message, "error")

    def game_ended(self, session: Session, outcome: Outcome) -> None:
        undo = "" if session.table.is_lost_on_time else ", undo to take back a move"
        self._add(phrase("Type new for another game{undo}, or quit.", undo=undo), "quiet")

    def _add(self, text: str, role: str) -> None:
        self.message.append((text, role))


def described(node: Node) -> str:
    """A move with its number, in notation and in words."""
    before, move = node.played
    return f"{before.ply + 1}. {before.notation(move)}: {before.describe(move)}"


def farewell(session: Session) -> list[str]:
    """The lines after the end of a session: whether and where the game is saved, and how to continue it."""
    if not session.table.record.moves:
        return []
    is_open = session.saved_as and not session.table.outcome
    return [session.saved_status, *(["To continue it, run: pentad play --resume"] if is_open else [])]


def thinking(session: Session) -> str:
    """The bot that thinks, in words."""
    seat = session.table.position.turn
    return f"{session.table.position.colour_of(seat).capitalize()} ({session.table.player_name(seat)}) is thinking"


def state_sentence(session: Session, *, short: bool = False) -> str:
    """The player to move with the prompt, or the result; the prompt may be shortened."""
    position = session.shown_position
    if session.table.outcome:
        return scored_result(position, session.table.outcome)
    text = position.choices().prompt
    if short:
        action, _, rule = text.partition(". ")
        text = rule or action
    return f"{position.colour_of(position.turn).capitalize()} to move. {text}"
