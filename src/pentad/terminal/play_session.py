"""Sessions: interactive play, driven by a person's input lines, with bots at the other seats.

A session is independent of the game and of the output. It plays at a `Table`, shows the game on a `Display`, and
saves the game after every move before it is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, cast

from pentad.game import Choices, Game, GameError, InvalidMove, Move, Outcome, Position, did_you_mean
from pentad.play.clock import written_time
from pentad.play.game_state import FORFEIT
from pentad.play.saved_games import SavedGame
from pentad.play.seats import NOTE
from pentad.play.table import TIME, Hint, Table, scored_result, seat_again, state_text
from pentad.record import Node, Record
from pentad.record.formats import format_of, write
from pentad.system import files as user_files
from pentad.system.words import count, phrase, table, uncapitalized
from pentad.terminal import files, streams


class Display:
    """The output of a session, and the source of its input lines: here plain lines, for a pipe; errors go to stderr."""

    is_interactive = False  # whether a person can answer questions
    stop_key = "Ctrl-C"  # stops what the person has asked for

    def _print(self, text: str) -> None:
        print(text, flush=True)

    def game_started(self, session: Session) -> None:
        """A game starts."""
        clock = session.table.clock
        time = f". Time: {clock.time.label}" if clock else ""
        self._print(f"{session.table.game.name}. {session.table.players_text}{time}")
        for node in session.table.record.main_line:
            self._print_move(node)

    def move_played(self, session: Session, node: Node) -> None:
        """A move was played."""
        self._print_move(node)

    def _print_move(self, node: Node) -> None:
        before, move = node.played
        left = "" if node.clock is None else f" ({written_time(node.clock)})"
        self._print(f"{before.ply + 1}. {before.colour_of(before.turn)} {before.notation(move)}{left}")

    def position_changed(self, session: Session, what: str) -> None:
        """The position has changed by undo or redo."""
        self._print(f"{what} {state_text(session.table.record)}")

    def turn_begun(self, session: Session, choices: Choices) -> None:
        """The first steps of a turn were played; these are the choices for the next step."""
        self._print(choices_line(session, session.partial_turn, choices))

    def show_choices(self, session: Session, beginning: str, choices: Choices) -> None:
        """Show the legal moves, or the next steps after `beginning`."""
        for line in choices_lines(session, beginning, choices):
            self._print(line)

    def show_hint(self, session: Session, hint: Hint) -> None:
        """Show a suggested move and what is proved of it."""
        self._print(" ".join(filter(None, (f"Hint: {session.table.position.notation(hint.move)}.", hint.proof))))

    def show_board(self, session: Session) -> None:
        """Show the board."""
        self._print("\n".join(session.board))
        self._print(session.shown_position.text)

    def show_message(self, session: Session, text: str) -> None:
        """Show a message of one or more lines."""
        self._print(text)

    def show_error(self, session: Session, message: str) -> None:
        """Show an error; play continues."""
        streams.print_error(message)

    def game_ended(self, session: Session, outcome: Outcome) -> None:
        """The game has ended."""
        self._print(scored_result(session.table.position, outcome))

    def read_line(self, session: Session) -> str | None:
        """The next input line, or None at the end of the input."""
        return streams.read_line(session.is_out_of_time)

    def session_ended(self, session: Session) -> None:
        """The session ends."""
        if session.saved_as and not session.table.outcome:
            self._print(f"Saved as {session.saved_as}.")

    def bot_thinking(self, session: Session) -> None:
        """A bot starts thinking."""

    def show_progress(self, what: str) -> None:
        """Show that a requested task, which may take a while, has started."""

    def confirm(self, question: str, at_end: bool = False) -> bool:
        """Whether the person confirms; `at_end` is the answer at the end of the input."""
        return True

    def working(self) -> AbstractContextManager[object]:
        """A part of the session in which a bot thinks."""
        return nullcontext()

    def interrupted(self, session: Session) -> bool:
        """Whether an interrupt, such as Ctrl-C, ends the session."""
        return self.confirm(f"Quit? {session.saved_status} (y/N) ", at_end=True)

    def run(self, session: Session) -> int:
        """Run a session on this display; returns the exit code."""
        return session.run()


class JsonLines(Display):
    """A display for programs: one JSON object a line, for the lines that a person would type.

    Every object has `event`:

        start    game, options, position, colours, seats, turn, moves, time: a game starts
        move     ply, seat, colour, move, words, position, turn: a move was played
        position what, position, turn, ply: the position has changed by undo or redo
        choices  beginning, prompt, may_end, choices (step, label, targets): the choices for the next step of a turn;
                 written for `moves`, and when a line had only the first steps of a move
        hint     move, claim: a suggested move and what is proved of it, such as "wins in 3 moves", or null
        message  text: the output of a command
        error    error: why an input line is invalid; nothing has changed
        end      winners, reason, returns, score: the game has ended
        quit     saved: the name for `pentad play --resume NAME`, or null

    `turn` is the seat to move, counted from 0, or null after the end. `time` is the time control with its `main` time
    and `increment` in seconds, or null; in a game on time, `start`, `move`, `position` and `end` have `clocks`, the
    seconds left to each seat. After `end` the program continues to read lines, for `undo` and `new`, until the input
    ends or a line says `quit`; with bots at all seats it quits by itself.
    """

    def _emit(self, event: str, **about: Any) -> None:
        print(json.dumps({"event": event, **about}, ensure_ascii=True), flush=True)

    def game_started(self, session: Session) -> None:
        table = session.table
        seats = range(table.position.players)
        self._emit(
            "start",
            game=table.game.name,
            options=dict(table.position.options),
            position=table.position.text,
            colours=[table.position.colour_of(seat) for seat in seats],
            seats=[seat.who for seat in table.seats],
            turn=table.seat,
            moves=list(map(str, table.record.moves)),
            time=table.clock.time.terms if table.clock else None,
            **_clocks(session),
        )

    def move_played(self, session: Session, node: Node) -> None:
        before, move = node.played
        self._emit(
            "move",
            ply=before.ply + 1,
            seat=before.turn,
            colour=before.colour_of(before.turn),
            move=str(move),
            words=before.describe(move),
            position=node.position.text,
            turn=session.table.seat,
            **_clocks(session),
        )

    def position_changed(self, session: Session, what: str) -> None:
        table = session.table
        about = {"position": table.position.text, "turn": table.seat, "ply": table.position.ply}
        self._emit("position", what=what, **about, **_clocks(session))

    def turn_begun(self, session: Session, choices: Choices) -> None:
        self.show_choices(session, session.partial_turn, choices)

    def show_choices(self, session: Session, beginning: str, choices: Choices) -> None:
        steps = [{"step": str(each), "label": each.label, "targets": list(each.targets)} for each in choices]
        self._emit("choices", beginning=beginning, prompt=choices.prompt, may_end=choices.may_end, choices=steps)

    def show_hint(self, session: Session, hint: Hint) -> None:
        self._emit("hint", move=str(hint.move), claim=hint.claim or None)

    def show_board(self, session: Session) -> None:
        self._emit("message", text="\n".join(session.board))

    def show_message(self, session: Session, text: str) -> None:
        self._emit("message", text=text)

    def show_error(self, session: Session, message: str) -> None:
        self._emit("error", error=message)

    def game_ended(self, session: Session, outcome: Outcome) -> None:
        winners, returns = list(outcome.winners), list(outcome.returns)
        about = {"winners": winners, "reason": outcome.reason, "returns": returns, "score": outcome.score}
        self._emit("end", **about, **_clocks(session))

    def session_ended(self, session: Session) -> None:
        self._emit("quit", saved=session.saved_as)


def _clocks(session: Session) -> dict[str, list[float]]:
    """The seconds left to each seat, in a game on time."""
    return {"clocks": [round(left, 3) for left in session.time_left]} if session.table.clock else {}


def turned_for(kind: Game) -> str | None:
    """The colour for whose turns `--flip` turns the board; None for the whole game."""
    return cast("str | None", getattr(kind.module("draw"), "TURNED_FOR", None))


# ── choices in lines ───────────────────────────────────────────────────────────────────────────────


def choices_line(session: Session, beginning: str, choices: Choices) -> str:
    """What the next step is, and the choices for it after `beginning`."""
    return f"{choices.prompt} Choices: {' '.join(session.steps_written(beginning, choices))}"


def choices_lines(session: Session, beginning: str, choices: Choices) -> list[str]:
    """The same, with the words beside each choice if the game has letters of its own for them."""
    steps = session.steps_written(beginning, choices)
    if steps == [str(each) for each in choices]:
        return [choices_line(session, beginning, choices)]
    words = [each.label for each in choices]
    return [f"{choices.prompt} Choices:", *table(zip(steps, words, strict=True))]


# ── the commands that a person can type ─────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SessionCommand:
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
        texts = zip(all_, session.steps_written(session.partial_turn, all_), strict=True)
        fitting = [choice for choice, text in texts if text.lower().startswith(beginning.lower())]
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
                raise GameError("{path} already exists. Choose another name.", path=path) from None
            if not session.display.confirm(phrase("{path} already exists. Replace it? (y/N) ", path=path)):
                return
            files.write_text(path, text, force=True)
        session.display.show_message(session, f"Saved to {path}.")
        return
    session.save()
    saved = session.saved_game
    tip = "To write a copy, type: save FILE"
    if saved:
        session.display.show_message(
            session, phrase("This game is saved as {name} in {path}. {tip}", name=saved.name, path=saved.path, tip=tip)
        )
    else:
        session.display.show_message(session, phrase("This game is not saved. {tip}", tip=tip))


def _load(session: Session, path: str) -> None:
    if not path:
        raise GameError("Expected a file name: load FILE")
    session.put(files.choose(files.read_records(path), None, path))


def _new(session: Session, _: str) -> None:
    if session.seed is not None:
        session.seed += 1  # another game, but the same one with the same seed
    tags = session.table.record.tags
    session.put(Record(session.table.record.start, tags={TIME: tags[TIME]} if session.table.clock else None))


def _hint(session: Session, _: str) -> None:
    session.display.show_progress(
        phrase("Looking for a good move ({stop_key} to stop)", stop_key=session.display.stop_key)
    )
    try:
        with session.display.working():
            hint = session.table.hint(session.seconds)
        session.display.show_hint(session, hint)
    except KeyboardInterrupt:
        if not session.display.is_interactive:
            raise
        session.display.show_message(session, "Stopped looking for a hint.")


def _flip(session: Session, _: str) -> None:
    session.flipped = not session.flipped
    session.display.show_board(session)


def _list(session: Session, _: str) -> None:
    session.listed = not session.listed
    session.display.show_board(session)


def _help(session: Session, _: str) -> None:
    position = session.table.position
    example = next(iter(position.legal_moves), None)
    lines = ["The game is over."]
    if example:
        words = uncapitalized(position.instruction(example))
        lines = [
            phrase(
                "Type a move, such as {example} ({words}), or only its first steps.",
                example=position.notation(example),
                words=words,
            )
        ]
    lines += table(((f"{name} {command.argument}".rstrip(), command.help) for name, command in COMMANDS.items()), 0)
    session.display.show_message(session, "\n".join(lines))


def _time(session: Session, _: str) -> None:
    if not session.table.clock:
        raise GameError("This game has no clock. To play on time, run: pentad play --time 5+3")
    session.display.show_message(session, f"{session.clocks_text.capitalize()}.")


def _quit(session: Session, _: str) -> None:
    session.is_closing = True


COMMANDS = {
    "undo": SessionCommand(lambda session, _: session.undo(), "take back your last move and the replies to it"),
    "redo": SessionCommand(lambda session, _: session.redo(), "redo the moves that were taken back"),
    "hint": SessionCommand(_hint, "suggest a move: one that is proved best, or a bot's choice"),
    "moves": SessionCommand(_moves, "list the legal moves, or the next steps of a move", "[BEGINNING]"),
    "cancel": SessionCommand(lambda session, _: session.step_back(), "cancel a partial move, as an empty line does"),
    "board": SessionCommand(
        lambda session, _: session.display.show_board(session), "show the board and its text for --position"
    ),
    "flip": SessionCommand(_flip, "show the board from the other side"),
    "list": SessionCommand(_list, "list the pieces, or draw the board again"),
    "save": SessionCommand(_save, "write the game to a file: .pentad, .json, .txt or .svg", "[FILE]"),
    "load": SessionCommand(_load, "continue a game from a file", "FILE"),
    "time": SessionCommand(_time, "show the time left on the clocks"),
    "resign": SessionCommand(lambda session, _: session.resign(), "resign the game"),
    "new": SessionCommand(_new, "start another game; this one stays saved"),
    "help": SessionCommand(_help, "show this list; commands may be abbreviated"),
    "quit": SessionCommand(_quit, "quit; the game stays saved"),
}


def abbreviated(word: str) -> SessionCommand | None:
    """The command that a word abbreviates, or None; raises an error for an ambiguous word."""
    names = [name for name in COMMANDS if name.startswith(word.lower())]
    if len(names) > 1:
        raise GameError("{word!r} is ambiguous: {names}.", word=word, names=" or ".join(names))
    return COMMANDS[names[0]] if names else None


# ── the session ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(eq=False)
class Session:
    """One or more consecutive games of a person at the terminal."""

    table: Table
    display: Display
    saved_game: SavedGame | None = None
    copy: Path | None = None  # the file that `--record` names
    notes: Sequence[str] = ()  # messages to show when the game starts
    seconds: float | None = None  # the limit of a bot's move
    seed: int | None = None
    turned: bool = False  # `--flip` sets it, for the whole game, or for one colour's turns where the game says so
    flipped: bool = False  # the command `flip` changes it
    listed: bool = False  # whether the board is shown as a list
    now: Callable[[], float] = monotonic  # the time of the clocks
    partial_turn: str = ""  # the first steps of an incomplete turn
    code: int = 0
    is_closing: bool = False
    is_behind: bool = False  # whether the saved game lacks the last moves
    _failed: set[str] = field(default_factory=set)  # failures to save that have been reported
    bot_waits: bool = False  # it waits after a failure or an interrupt, until the person's next line

    def __post_init__(self) -> None:
        self._saved_text = self.table.record.text  # the record as loaded or last saved

    @property
    def saved_as(self) -> str | None:
        """The name of the saved game; None before the first save."""
        return self.saved_game.name if self.saved_game else None

    @property
    def upside_down(self) -> bool:
        """Whether the board is shown from the other side now."""
        position = self.table.position
        turned = self.turned and turned_for(self.table.game) in (None, position.colour_of(position.turn))
        return turned != self.flipped

    @property
    def shown_position(self) -> Position:
        """The position at the table, after the steps of a partial turn."""
        return self.table.position.partial(self.partial_turn) if self.partial_turn else self.table.position

    @property
    def last_move(self) -> Move | str | None:
        """The partial turn or the last move, for a drawing to mark."""
        return self.partial_turn or self.table.last

    @property
    def board(self) -> list[str]:
        """The board as plain lines with its legend, or as a list if requested."""
        position = self.shown_position
        if self.listed:
            return position.listing()
        spans = position.spans(last=self.last_move, flip=self.upside_down)
        lines = ["".join(text for text, _ in line).rstrip() for line in spans]
        return [*lines, *([f"   {position.legend}"] if position.legend else [])]

    @property
    def time_left(self) -> tuple[float, ...]:
        """The seconds left to each seat; none in a game without a clock."""
        return self.table.clock.left(self.now()) if self.table.clock else ()

    @property
    def clocks_text(self) -> str:
        """The time left to each seat, as in `black 4:58, white 5:00`."""
        colours = map(self.table.position.colour_of, range(len(self.table.seats)))
        times = map(written_time, self.time_left)
        return ", ".join(map(" ".join, zip(colours, times, strict=False)))

    def is_out_of_time(self) -> bool:
        """Whether the time of the seat to move is over."""
        return self.table.clock is not None and self.table.clock.over(self.now()) is not None

    @property
    def only_bots(self) -> bool:
        return not any(seat.is_human for seat in self.table.seats)

    def run(self) -> int:
        """Play until the person quits; returns the exit code."""
        try:
            self._start()
            for note in self.notes:
                self.display.show_error(self, note)
            while not self.is_closing:
                self._guarded_turn()
        except KeyboardInterrupt:
            self.code = 130
        finally:
            if self.table.record.text != self._saved_text:  # interrupted between a move and its save
                self.save()
            self._release()
            self.table.close()
        self.display.session_ended(self)
        return self.code

    def _start(self) -> None:
        """Show a new game at the table, and start its clock."""
        self.display.game_started(self)
        self.table.go_on()
        self._report_end()

    def _guarded_turn(self) -> None:
        """A turn; errors are shown, and Ctrl-C asks whether to quit."""
        try:
            self._turn()
        except GameError as error:
            self.display.show_error(self, str(error))
        except KeyboardInterrupt:
            if not self.display.is_interactive:
                raise
            if self.table.record.text != self._saved_text:  # the move is not saved yet
                self.save()
            self.is_closing = self.display.interrupted(self)

    @property
    def saved_status(self) -> str:
        """A sentence that says whether and where the game is saved."""
        if self.saved_game is None:
            return "This game is not saved." if self.table.record.moves else "No moves have been played."
        if self.is_behind:
            return phrase("The game is saved as {name}, but without the last moves.", name=self.saved_as)
        return phrase("The game is saved as {name}.", name=self.saved_as)

    def _turn(self) -> None:
        if self.table.flag():
            self._ended()
        elif self.table.waits_for_bot and not self.bot_waits:
            self._let_bot_play()
        elif self.only_bots and not self.display.is_interactive:
            self.is_closing = True
        else:
            line = self.display.read_line(self)
            self.bot_waits = False
            if self.table.flag():
                self._ended()
            if line is None:
                self.is_closing = True
            else:
                self.run_line(line)

    def _let_bot_play(self) -> None:
        self.display.bot_thinking(self)
        try:
            with self.display.working():
                self.table.let_bot_play(self.seconds)
        except GameError:
            self.bot_waits = True
            if self.only_bots and not self.display.is_interactive:
                self.code = 2
            raise
        self._moved()
        preparing = self.table.preparing
        if preparing and self.table.record.end.comment == NOTE:
            text = phrase(
                "A simpler bot played this move. The engine is still being prepared ({share:.0%}).",
                share=preparing.share,
            )
            self.display.show_message(self, text)

    def _release(self) -> None:
        saved = self.saved_game
        if saved and self.only_bots and self.table.outcome:  # a finished game among bots need not be kept
            saved.discard()
            self.saved_game = None
        elif saved:
            saved.release()

    # ── input lines ──────────────────────────────────────────────────────────────────────────────

    def run_line(self, line: str) -> None:
        """Run an input line: a command, a move, or the first or remaining steps of a move."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        command = COMMANDS.get(word.lower())
        if not text:
            self.step_back()
            return
        if not command:
            try:
                self.move(text)
                return
            except GameError as error:
                command = abbreviated(word)
                if not command:
                    if isinstance(error, InvalidMove):
                        tip = did_you_mean(word, COMMANDS).rstrip() or "Type help for a list of commands."
                        raise GameError(f"{error} {tip}") from None
                    raise
        command.run(self, rest.strip())

    def steps_written(self, begun: str, choices: Choices) -> list[str]:
        """The choices after the first steps of a turn as people write them; `begun` may also be a part of a step."""
        try:
            here = self.table.position.partial(begun)
        except GameError:
            here = self.table.position.partial(self.partial_turn)
        return [here.notation(Move((choice.step,))) for choice in choices]

    def completions(self, before: str, text: str) -> list[str]:
        """The words that begin with `text` and may follow `before` in an input line."""
        words = before.split()
        names = [] if words else list(COMMANDS)
        if words and words[0] in COMMANDS:
            words = words[1:] if words[0] == "moves" else ["?"]
        try:
            begun = " ".join([self.partial_turn, *words]).strip()
            steps = self.steps_written(begun, self.table.position.choices(begun))
        except GameError:
            steps = []
        fitting = [each for each in (*steps, *names) if each.lower().startswith(text.lower())]
        return [f"{each} " for each in dict.fromkeys(fitting)]

    def step_back(self) -> None:
        """Cancel a partial turn."""
        if self.partial_turn:
            self.partial_turn = ""
            self.display.position_changed(self, "The partial move is cancelled.")

    def move(self, text: str) -> None:
        """Play a move or its first steps: as the rest of a partial turn, or else instead of it."""
        if self.table.outcome:
            undo = "" if self.table.is_lost_on_time else ", or undo to take back a move"
            raise GameError("The game is over. Type new for another game{undo}.", undo=undo)
        if not self.partial_turn:
            self._move(text)
            return
        try:
            self._move(f"{self.partial_turn} {text}")
        except GameError as error:
            try:
                self._move(text)
            except GameError:
                raise error from None

    def _move(self, text: str) -> None:
        position = self.table.position
        try:
            position.play(text)
        except GameError:
            choices = position.choices(text)
            if not choices:
                raise
            self.partial_turn = text
            self.display.turn_begun(self, choices)
        else:
            self.table.play(text)
            self._moved()

    def _moved(self) -> None:
        if self.table.record.ended:  # it ended in place of the move
            self._ended()
            return
        self.partial_turn = ""
        self.save()
        self.display.move_played(self, self.table.record.end)
        self._report_end()

    def _ended(self) -> None:
        """Save and show an end that no move has led to."""
        ended = self.table.record.ended
        self.partial_turn = ""
        self.save()
        if ended and ended.reason == FORFEIT:  # the last comment has the reason
            self.display.show_error(self, self.table.record.end.comment)
        self._report_end()

    def _report_end(self) -> None:
        if self.table.outcome:
            self.display.game_ended(self, self.table.outcome)

    def save(self) -> None:
        """Save the game; a failure is reported once, and play continues."""
        self._saved_text, self.is_behind = self.table.record.text, True
        for failure, save in (("Cannot save this game", self._save), ("Cannot write the record", self._write_copy)):
            try:
                save()
            except OSError as error:
                if failure not in self._failed:
                    self.display.show_error(
                        self,
                        phrase("{what}: {reason} You can play on.", what=failure, reason=streams.explain(error)),
                    )
                self._failed.add(failure)

    def _save(self) -> None:
        saved = self.saved_game or SavedGame.new(self.table.game.name)
        try:
            saved.save(self.table.record)
        except OSError:
            if self.saved_game is None:
                saved.release()
            raise
        self.saved_game, self.is_behind = saved, False

    def _write_copy(self) -> None:
        if self.copy is not None:
            user_files.write_safely(self.copy, self._saved_text)

    # ── commands ─────────────────────────────────────────────────────────────────────────────────

    def undo(self) -> None:
        """Take back moves to a person's last turn; a resignation by itself."""
        moves = self.table.undo()
        self._changed(f"Took back {count(moves, 'move')}." if moves else "Took back the resignation.")

    def redo(self) -> None:
        """Redo the moves that were taken back."""
        self._changed(f"Replayed {count(self.table.redo(), 'move')}.")
        self._report_end()

    def _changed(self, what: str) -> None:
        self.partial_turn = ""
        self.save()
        self.display.position_changed(self, what)

    def resign(self) -> None:
        """Resign for the seat to move."""
        if self.table.outcome:
            raise GameError("The game is already over.")
        colour = self.table.position.colour_of(self.table.position.turn)
        if self.display.confirm(f"Resign for {colour.capitalize()}? (y/N) "):
            if not self.table.flag():  # while the question was asked
                self.table.resign()
            self._ended()

    def put(self, record: Record) -> None:
        """Start another game; the current one stays saved."""
        table = seat_again(self.table, record, self.seed, warm_up=self.display.is_interactive, now=self.now)
        self.table.close()
        if self.saved_game is not None:
            self.saved_game.release()
        self.saved_game, self.is_behind = None, False
        self.table, self.partial_turn, self._saved_text = table, "", table.record.text
        self._start()
