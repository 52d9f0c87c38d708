"""A game at the terminal: what a person's lines do to it, with bots at the other seats.

The session knows no game and no screen; it plays at a `Table`, shows on a `Display`, and keeps the game
after every move before anything is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pentad import user_files
from pentad.game import GameError, InvalidMove
from pentad.play import warmup_bot
from pentad.play.saved_games import SavedGame
from pentad.play.table import Table
from pentad.record import Record
from pentad.terminal import streams
from pentad.terminal.bot_options import turned_for
from pentad.terminal.commands import COMMANDS, abbreviated
from pentad.terminal.display import Display
from pentad.terminal.seat_arguments import seat_again


@dataclass
class GameSaver:
    """Keeps the game of a session, and tells once when that fails."""

    kept: SavedGame | None = None
    copy: Path | None = None  # the file that `--record` names
    is_behind: bool = False  # what is kept lacks the last moves
    _failed: set[str] = field(default_factory=set)

    def keep(self, record: Record) -> list[str]:
        """Keep the game as it stands; what went wrong that has not been told yet."""
        troubles = []
        self.is_behind = True
        for what, save in (("this game cannot be kept", self._save), ("the record cannot be written", self._copy)):
            try:
                save(record)
            except OSError as error:
                if what not in self._failed:
                    troubles.append(f"{what}: {streams.explain(error)}; play goes on")
                self._failed.add(what)
        return troubles

    def _save(self, record: Record) -> None:
        kept = self.kept or SavedGame.new(record.game.name)
        try:
            kept.save(record)
        except OSError:
            if self.kept is None:
                kept.release()
            raise
        self.kept, self.is_behind = kept, False

    def _copy(self, record: Record) -> None:
        if self.copy is not None:
            user_files.write_safely(self.copy, record.text)

    def next_game(self) -> None:
        """The game that comes is another one."""
        if self.kept is not None:
            self.kept.release()
        self.kept, self.is_behind = None, False


class Session:
    """One or more games, one after the other, with the person in front."""

    def __init__(
        self,
        table: Table,
        display: Display,
        saver: GameSaver | None = None,
        *,
        seconds: float | None = None,
        seed: int | None = None,
        turned: bool = False,
        listed: bool = False,
    ) -> None:
        self.table = table
        self.display: Display = display
        self.saver = saver or GameSaver()
        self.seconds = seconds
        self.seed = seed
        self.turned = turned  # as `--flip` asks: for good, or for one colour's turns where the game says so
        self.flipped = False  # as the command `flip` asks
        self.listed = listed  # whether the board is told as a list
        self.begun = ""  # the beginning of a turn
        self.code = 0
        self.left = False
        self._bot_failed = False  # it is asked again after the person's next line
        self.notes: list[str] = []  # to be told when the game begins
        self._seen = table.record.text  # what needs no keeping, since it was there before or is kept

    @property
    def saved_as(self) -> str | None:
        """The name under which the game is kept, once it is."""
        return self.saver.kept.name if self.saver.kept else None

    @property
    def upside_down(self) -> bool:
        """Whether the board is seen from the other side now."""
        position = self.table.position
        colour = turned_for(self.table.game)
        turned = self.turned and colour in (None, position.colour_of(position.turn))
        return turned != self.flipped

    @property
    def only_bots(self) -> bool:
        return not any(seat.is_human for seat in self.table.seats)

    def run(self) -> int:
        """Play until the person leaves; the exit code."""
        try:
            self.display.begin(self)
            for note in self.notes:
                self.display.complain(self, note)
            self._tell_the_end()
            while not self.left:
                self._guarded_turn()
        except KeyboardInterrupt:
            self.code = 130
        finally:
            if self.table.record.text != self._seen:  # stopped between a move and its keeping
                self.keep()
            self._put_away()
            self.table.close()
        self.display.leave(self)
        return self.code

    def _guarded_turn(self) -> None:
        try:
            self._turn()
        except GameError as error:
            self.display.complain(self, str(error))
        except KeyboardInterrupt:
            if not self.display.asks:
                raise
            self.left = self.display.confirm(f"Quit? {self.saved_status} (y/N) ", at_end=True)

    @property
    def saved_status(self) -> str:
        """What the person may count on, in a sentence."""
        if self.saver.kept is None:
            return "This game is not kept." if self.table.record.moves else "No move has been played."
        return f"The game is kept as {self.saved_as}{', without its last moves' if self.saver.is_behind else ''}."

    def _turn(self) -> None:
        if self.table.waits_for_bot and not self._bot_failed:
            self._let_bot_play()
        elif self.only_bots and not self.display.asks:
            self.left = True
        else:
            line = self.display.read(self)
            self._bot_failed = False
            if line is None:
                self.left = True
            else:
                self.answer(line)

    def _let_bot_play(self) -> None:
        self.display.thinking(self)
        moves = len(self.table.record.moves)
        try:
            self.table.let_bot_play(self.seconds)
        except GameError:
            self._bot_failed = True
            if self.only_bots and not self.display.asks:
                self.code = 2
            raise
        if len(self.table.record.moves) > moves:
            self._moved()
            self._tell_of_stand_in()
        else:
            self._forfeited()

    def _tell_of_stand_in(self) -> None:
        preparing = self.table.preparing
        if preparing and self.table.record.end.comment == warmup_bot.NOTE:
            done = f"{preparing.share:.0%}"
            self.display.say(self, f"The engine is still being prepared ({done}). This move is from a simpler bot.")

    def _forfeited(self) -> None:
        """A bot has lost without a move; why is the last thing that the record says."""
        self.begun = ""
        self.keep()
        self.display.complain(self, self.table.record.end.comment)
        self._tell_the_end()

    def _put_away(self) -> None:
        kept = self.saver.kept
        if kept is not None:
            if self.only_bots and self.table.outcome:  # nobody's game, and it can be had again
                kept.discard()
                self.saver.kept = None
            else:
                kept.release()

    # ── what a line does ─────────────────────────────────────────────────────────────────────────

    def answer(self, line: str) -> None:
        """Do what a line says: a command, a move, or the beginning or the rest of one."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        command = COMMANDS.get(word.lower())
        if not text:
            self.step_back()
        elif command:
            command.run(self, rest.strip())
        else:
            try:
                self.move(text)
            except GameError as error:
                command = abbreviated(word)
                if command:
                    command.run(self, rest.strip())
                elif isinstance(error, InvalidMove):
                    raise GameError(f"{error}; help lists the commands") from None
                else:
                    raise

    def step_back(self) -> None:
        """Drop what was begun of a turn."""
        if self.begun:
            self.begun = ""
            self.display.changed(self, "that turn begins anew")

    def move(self, text: str) -> None:
        """Play a move or begin one: after what was begun already, or else instead of it."""
        if self.table.outcome:
            raise GameError("the game is over; new plays another, undo takes back")
        if not self.begun:
            self._move(text)
            return
        try:
            self._move(f"{self.begun} {text}")
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
            self.begun = text
            self.display.begun(self, choices)
        else:
            self.table.play(text)
            self._moved()

    def _moved(self) -> None:
        self.begun = ""
        self.keep()
        self.display.moved(self, self.table.record.end)
        self._tell_the_end()

    def _tell_the_end(self) -> None:
        if self.table.outcome:
            self.display.ended(self, self.table.outcome)

    def keep(self) -> None:
        """Keep the game; play goes on where that fails."""
        record = self.table.record
        self._seen = record.text
        for trouble in self.saver.keep(record):
            self.display.complain(self, trouble)

    # ── what commands do ─────────────────────────────────────────────────────────────────────────

    def undo(self) -> None:
        """Take back to where a person was last to move; a resignation by itself."""
        count = self.table.undo()
        self._changed(f"{count} move{'s' * (count != 1)} taken back" if count else "the resignation is taken back")

    def redo(self) -> None:
        """Play again what was taken back."""
        count = self.table.redo()
        self._changed(f"{count} move{'s' * (count != 1)} played again")
        self._tell_the_end()

    def _changed(self, what: str) -> None:
        self.begun = ""
        self.keep()
        self.display.changed(self, what)

    def resign(self) -> None:
        """Give up for the seat to move."""
        if self.table.outcome:
            raise GameError("the game is over already")
        colour = self.table.position.colour_of(self.table.position.turn)
        if self.display.confirm(f"Resign for {colour}? (y/N) "):
            self.begun = ""
            self.table.resign()
            self.keep()
            self._tell_the_end()

    def put(self, record: Record) -> None:
        """Another game comes to the table; the one that was there stays kept."""
        table = seat_again(self.table, record, self.seed, warm_up=self.display.asks)
        self.table.close()
        self.saver.next_game()
        self.table, self.begun, self._seen = table, "", table.record.text
        self.display.begin(self)
        self._tell_the_end()
