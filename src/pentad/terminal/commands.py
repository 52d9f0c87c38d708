"""The table of the commands that a person can type while playing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pentad.game import Choices, GameError, InvalidMove
from pentad.record import Record
from pentad.record.formats import format_of, write
from pentad.terminal import files
from pentad.terminal.wording import table

if TYPE_CHECKING:
    from pentad.terminal.session import Session


@dataclass(frozen=True, slots=True)
class Command:
    """A command: `run` gets the session and the rest of the line."""

    run: Callable[[Session, str], None]
    help: str
    argument: str = ""


def _moves(session: Session, beginning: str) -> None:
    position = session.table.position
    if session.table.outcome:
        raise GameError("The game is over. There are no legal moves.")
    text = f"{session.partial_turn} {beginning}".strip()
    try:
        choices = position.choices(text)
    except InvalidMove:
        all_ = position.choices(session.partial_turn)
        fitting = [choice for choice in all_ if str(choice).lower().startswith(beginning.lower())]
        if not fitting:
            raise
        choices = Choices(fitting, all_.prompt, all_.may_end)
    session.display.show_choices(session, text, choices)


def _save(session: Session, path: str) -> None:
    if path:
        text = write([session.table.record], format_of(path))
        try:
            files.write_text(path, text)
        except files.ExistsAlready:
            if not session.display.is_interactive:
                raise GameError(f"{path} already exists. Choose another name.") from None
            if not session.display.confirm(f"{path} already exists. Replace it? (y/N) "):
                return
            files.write_text(path, text, force=True)
        session.display.show_message(session, f"Saved to {path}.")
        return
    session.save()
    saved = session.saver.saved_game
    tip = "To write a copy, type: save FILE"
    if saved:
        session.display.show_message(session, f"This game is saved as {saved.name} in {saved.path}. {tip}")
    else:
        session.display.show_message(session, f"This game is not saved. {tip}")


def _load(session: Session, path: str) -> None:
    if not path:
        raise GameError("Expected a file name: load FILE")
    session.put(files.choose(files.read_records(path), None, path))


def _new(session: Session, _: str) -> None:
    if session.seed is not None:
        session.seed += 1  # another game, but the same one with the same seed
    session.put(Record(session.table.record.start))


def _hint(session: Session, _: str) -> None:
    session.display.show_progress("Looking for a good move (Ctrl-C to stop)")
    try:
        session.display.show_hint(session, session.table.hint(session.seconds))
    except KeyboardInterrupt:
        if not session.display.is_interactive:
            raise
        session.display.show_message(session, "Stopped looking for a hint.")


def _board(session: Session, _: str) -> None:
    session.display.show_board(session)


def _flip(session: Session, _: str) -> None:
    session.flipped = not session.flipped
    session.display.show_board(session)


def _list(session: Session, _: str) -> None:
    session.listed = not session.listed
    session.display.show_board(session)


def _help(session: Session, _: str) -> None:
    position = session.table.position
    example = next(iter(position.legal_moves), None)
    lines = [f"Type a move, such as {example}, or only its first steps." if example else "The game is over."]
    lines += table(((f"{name} {command.argument}".rstrip(), command.help) for name, command in COMMANDS.items()), 0)
    session.display.show_message(session, "\n".join(lines))


def _quit(session: Session, _: str) -> None:
    session.is_closing = True


COMMANDS = {
    "undo": Command(lambda session, _: session.undo(), "take back your last move and the replies to it"),
    "redo": Command(lambda session, _: session.redo(), "replay the moves that were taken back"),
    "hint": Command(_hint, "suggest a move: one that is proved best, or a bot's choice"),
    "moves": Command(_moves, "list the legal moves, or the next steps of a move", "[BEGINNING]"),
    "cancel": Command(lambda session, _: session.step_back(), "cancel a partial move, as an empty line does"),
    "board": Command(_board, "show the board and its text for --position"),
    "flip": Command(_flip, "show the board from the other side"),
    "list": Command(_list, "list the pieces, or draw the board again"),
    "save": Command(_save, "write the game to a file: .pentad, .json, .txt or .svg", "[FILE]"),
    "load": Command(_load, "continue a game from a file", "FILE"),
    "resign": Command(lambda session, _: session.resign(), "resign the game"),
    "new": Command(_new, "start another game; this one stays saved"),
    "help": Command(_help, "show this list; commands may be abbreviated"),
    "quit": Command(_quit, "quit; the game stays saved"),
}


def abbreviated(word: str) -> Command | None:
    """The command that a word abbreviates, or None; raises an error for an ambiguous word."""
    names = [name for name in COMMANDS if name.startswith(word.lower())]
    if len(names) > 1:
        raise GameError(f"{word!r} is ambiguous: {' or '.join(names)}.")
    return COMMANDS[names[0]] if names else None
