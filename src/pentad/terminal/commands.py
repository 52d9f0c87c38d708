"""The commands that a person can type while playing: a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pentad.game import Choices, GameError, InvalidMove
from pentad.record import Record
from pentad.record.formats import format_of, write
from pentad.terminal import files

if TYPE_CHECKING:
    from pentad.terminal.session import Session


@dataclass(frozen=True, slots=True)
class Command:
    """What a word does: `run` gets the session and the rest of the line."""

    run: Callable[[Session, str], None]
    help: str
    argument: str = ""


def _moves(session: Session, beginning: str) -> None:
    position = session.table.position
    if session.table.outcome:
        raise GameError("the game is over, so there are no moves")
    text = f"{session.begun} {beginning}".strip()
    try:
        choices = position.choices(text)
    except InvalidMove:
        all_ = position.choices(session.begun)
        fitting = [choice for choice in all_ if str(choice).lower().startswith(beginning.lower())]
        if not fitting:
            raise
        choices = Choices(fitting, all_.prompt, all_.may_end)
    session.display.choices(session, text, choices)


def _save(session: Session, path: str) -> None:
    if path:
        text = write([session.table.record], format_of(path))
        try:
            files.write_text(path, text)
        except files.ExistsAlready:
            if not session.display.asks:
                raise GameError(f"{path} is there already; choose another name") from None
            if not session.display.confirm(f"{path} is there already. Replace it? (y/N) "):
                return
            files.write_text(path, text, force=True)
        session.display.say(session, f"saved in {path}")
    else:
        session.keep()
        kept = session.saver.kept
        where = f"kept as {kept.name}, in {kept.path}" if kept else "not kept"
        session.display.say(session, f"this game is {where}; save FILE makes a copy")


def _load(session: Session, path: str) -> None:
    if not path:
        raise GameError("load FILE: a file's name is missing")
    session.put(files.choose(files.read_records(path), None, path))


def _new(session: Session, _: str) -> None:
    if session.seed is not None:
        session.seed += 1  # other games, but the same ones again with the same seed
    session.put(Record(session.table.record.start))


def _hint(session: Session, _: str) -> None:
    session.display.working("looking for a good move (Ctrl-C to stop)")
    try:
        session.display.hint(session, session.table.hint(session.seconds))
    except KeyboardInterrupt:
        if not session.display.asks:
            raise
        session.display.say(session, "the hint was stopped")


def _flip(session: Session, _: str) -> None:
    session.flipped = not session.flipped
    session.display.board(session)


def _list(session: Session, _: str) -> None:
    session.listed = not session.listed
    session.display.board(session)


def _help(session: Session, _: str) -> None:
    position = session.table.position
    example = next(iter(position.legal_moves), None)
    lines = [f"Type a move, such as {example}, or only its beginning." if example else "The game is over."]
    for name, command in COMMANDS.items():
        lines.append(f"{f'{name} {command.argument}':18}{command.help}")
    session.display.say(session, "\n".join(lines))


def _quit(session: Session, _: str) -> None:
    session.left = True


COMMANDS = {
    "undo": Command(lambda session, _: session.undo(), "take back your last move, and the answers to it"),
    "redo": Command(lambda session, _: session.redo(), "play again what was taken back"),
    "hint": Command(_hint, "a move to play: proved to be best, or a bot's choice"),
    "moves": Command(_moves, "what may be played, or how a move may go on", "[BEGINNING]"),
    "cancel": Command(lambda session, _: session.step_back(), "drop half a move; an empty line does too"),
    "board": Command(lambda session, _: session.display.board(session), "show the board, and its text for --position"),
    "flip": Command(_flip, "look from the other side"),
    "list": Command(_list, "show the board as a list in words, or as a board again"),
    "save": Command(_save, "write the game to a file; .pentad, .json, .txt or .svg", "[FILE]"),
    "load": Command(_load, "go on with the game of a file", "FILE"),
    "resign": Command(lambda session, _: session.resign(), "give up"),
    "new": Command(_new, "begin another game; this one stays kept"),
    "help": Command(_help, "this list; a few letters of a word are enough"),
    "quit": Command(_quit, "leave; the game is kept"),
}


def abbreviated(word: str) -> Command | None:
    """The command that a word begins, if there is one; an error where there are several."""
    meant = [name for name in COMMANDS if name.startswith(word.lower())]
    if len(meant) > 1:
        raise GameError(f"{word!r} may be {' or '.join(meant)}")
    return COMMANDS[meant[0]] if meant else None
