"""External bot of the Universal Game Interface: a program as a player of any game.

The program gets each position as text, with all options of its game, so it need not know the moves before.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from pentad.bridges import external_bot
from pentad.bridges.external_program import ExternalProgram, ProgramFailed, ProgramTimeout
from pentad.bridges.ugi import protocol
from pentad.bridges.ugi.protocol import GAME
from pentad.game import GameError, Move, OptionValue, Position, game, shorten, shown
from pentad.search.move_limit import Limit
from pentad.system.words import phrase

MAX_OPTIONS = 100  # a program may have more, which are not noted
REMARK = "info string "


class UgiBot(external_bot.ExternalBot):
    """Plays the moves of an engine."""

    protocol, farewell, longest_line = "ugi", "quit", 10_000
    limited_by = frozenset({"depth", "nodes"})

    def __init__(self, command: str, seed: int | None = None) -> None:
        super().__init__(command, seed)
        self._options: dict[str, str] = {}  # the options of the program, with their lines
        self._setup: tuple[str, Mapping[str, OptionValue]] | None = None  # the game and the options that it knows
        self._last_ply = 0
        self._last_remark = ""

    # ── a move ───────────────────────────────────────────────────────────────────────────────────

    def _chosen(self, here: Position, limit: Limit) -> Move:
        program = self._prepared(here)
        program.send([f"position fen {here.text}", f"go {protocol.write_limit(limit)}"])
        over = time.monotonic() + protocol.seconds_of(limit)
        answer = self._best_move(program, over, over + external_bot.GRACE_SECONDS)
        word = answer.split()[1] if len(answer.split()) > 1 else ""
        try:
            move = protocol.read_move(here, word)
        except GameError as error:
            raise ProgramFailed(
                phrase(
                    "The program answered {answer}. {remark}", answer=shown(answer), remark=self._last_remark or error
                )
            ) from None
        try:
            here.play(move)
        except GameError as error:
            raise ProgramFailed(
                phrase("The program's move {word} is illegal: {error}", word=shown(word), error=error)
            ) from None
        return move

    def _best_move(self, program: ExternalProgram, over: float, until: float) -> str:
        """The line with the move; a program that has none when its time is over is told to stop."""
        try:
            return self._wait_for("bestmove", program, over)
        except ProgramTimeout:
            program.send(["stop"])
            return self._wait_for("bestmove", program, until)

    # ── the program's game ───────────────────────────────────────────────────────────────────────

    def _prepared(self, here: Position) -> ExternalProgram:
        """The program, ready for a search at a position."""
        if self._program is None:
            self._setup, self._last_ply = None, 0
        program = self._running()
        setup = (here.game, here.options)
        if self._setup is None:
            self._options = {}
            program.send(["ugi"])
            self._wait_to_start("ugiok", program)
        if self._setup is None or self._setup[0] != here.game:
            self._choose_game(program, here.game)
        if self._setup != setup:
            options = game(here.game).options
            program.send(
                f"setoption name {name} value {options[name].write(value)}"
                for name, value in here.options.items()
                if name in self._options
            )
        if self._setup != setup or here.ply <= self._last_ply:
            program.send(["uginewgame"])
        program.send(["isready"])  # after which no answer to an earlier search can come
        self._wait_to_start("readyok", program)
        self._setup, self._last_ply = setup, here.ply
        return program

    def _choose_game(self, program: ExternalProgram, name: str) -> None:
        """Chooses the game, if the program plays several, and reads its options."""
        line = self._options.get(GAME)
        if line is None:
            return
        games = [each.strip() for each in line.split(" var ")[1:]]
        if name not in games:
            raise ProgramFailed(
                phrase(
                    "The program does not play {name}. Its games are: {games}.",
                    name=name,
                    games=shorten(", ".join(games), 200),
                )
            )
        program.send([f"setoption name {GAME} value {name}", "isready"])
        self._wait_to_start("readyok", program)

    # ── answers ──────────────────────────────────────────────────────────────────────────────────

    def _wait_to_start(self, word: str, program: ExternalProgram) -> None:
        """Waits for a word before the game; the program may take long if it says something meanwhile."""
        self._wait_for(word, program, time.monotonic() + external_bot.MAX_START_SECONDS, external_bot.START_SECONDS)

    def _wait_for(self, word: str, program: ExternalProgram, until: float, timeout: float = float("inf")) -> str:
        """The next line with a first word; options and the last remark before it are noted, other lines ignored."""
        self._last_remark = ""
        for line in self._lines(program, until, timeout):
            first, _, rest = line.partition(" ")
            if first == word:
                return line
            if line.startswith(REMARK):
                self._last_remark = f"It said: {shorten(line.removeprefix(REMARK), 200)}"
            name = rest.removeprefix("name ").partition(" type ")[0].strip()
            if first == "option" and len(self._options) < MAX_OPTIONS:
                self._options[name] = line
        raise AssertionError  # the lines have no end
