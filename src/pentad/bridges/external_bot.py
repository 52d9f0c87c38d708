"""External bot: a program that chooses moves over a text protocol, started for its first move.

The program forfeits the game if it does not start, ends, does not answer in time, sends an answer that cannot be read,
or makes an illegal move. The message names the file with the transcript.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator
from math import inf
from typing import ClassVar

from pentad.bridges.external_program import ExternalProgram, ProgramFailed, keep_transcript, split_command
from pentad.bridges.text_lines import MAX_LINE_LENGTH
from pentad.game import IllegalMove, Move, Position
from pentad.search.bot import Bot, Forfeit
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.search.report import Result
from pentad.system.words import phrase

GRACE_SECONDS = 1.0  # a program may exceed the time of a move by so much before it forfeits
START_SECONDS, MAX_START_SECONDS = 30.0, 600.0  # each line of a program that starts renews the first timeout


class ExternalBot(Bot):
    """Plays the moves of a program, which is started for its first move and ended by `close`."""

    protocol: ClassVar[str]
    farewell: ClassVar[str]  # the line that asks the program to end
    end_of_line: ClassVar[str] = "\n"
    longest_line: ClassVar[int] = MAX_LINE_LENGTH

    def __init__(self, command: str, seed: int | None = None) -> None:
        super().__init__(seed)
        split_command(command)  # raises GameError for an invalid command line
        self.command, self.name = command, f"{self.protocol}:{command}"
        self._program: ExternalProgram | None = None

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        if position.outcome:
            raise IllegalMove("The game is over.")
        self._check(position)
        try:
            return Result(self._chosen(position, limit))
        except ProgramFailed as no_move:
            raise self._forfeit(str(no_move)) from None
        except BaseException:  # an answer that still comes must not be read as the next one
            self._end()
            raise

    def _check(self, here: Position) -> None:
        """Raises GameError for a position that the protocol cannot express."""

    @abstractmethod
    def _chosen(self, here: Position, limit: Limit) -> Move:
        """The program's move, which is legal; raises ProgramFailed if there is none."""

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def _running(self) -> ExternalProgram:
        """The program, started if it does not run."""
        if self._program is None:
            self._program = ExternalProgram(
                self.command, farewell=self.farewell, end_of_line=self.end_of_line, longest=self.longest_line
            )
        return self._program

    def _lines(self, program: ExternalProgram, until: float, timeout: float = inf) -> Iterator[str]:
        """The next lines that are not empty; `timeout` is the longest time to wait for a line of any kind."""
        while True:
            if line := program.receive(min(until, time.monotonic() + timeout)).strip():
                yield line

    # ── end ──────────────────────────────────────────────────────────────────────────────────────

    def _forfeit(self, why: str) -> Forfeit:
        """Ends the program and saves the transcript; returns the error that loses the game."""
        program = self._program
        self._end()
        transcript = program.transcript if program else []
        text = "\n".join([self.command, why, "", *transcript, ""])
        path = keep_transcript(self.protocol, text) if transcript else None
        return Forfeit(phrase("{why} The transcript is in {path}.", why=why, path=path) if path else why)

    def _end(self) -> None:
        program, self._program = self._program, None
        if program:
            program.kill()

    def close(self) -> None:
        """Ends the program, with its farewell first."""
        if program := self._program:
            try:
                program.close()
            finally:
                self._end()
