"""External bot: a program that speaks the Gomocup protocol, started for its first move.

The program forfeits the game if it does not start, ends, does not answer in time, sends an answer that cannot be read,
or makes an illegal move. The message names the file with the transcript.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from math import inf
from pathlib import Path
from typing import IO, cast

from pentad import user_files
from pentad.bridges.gomocup import protocol
from pentad.bridges.gomocup.protocol import OTHER, OWN, ProtocolError, write_point
from pentad.game import GameError, IllegalMove, Move, Position, shown
from pentad.pente.board import Stone, points_of
from pentad.pente.notation import BLACK, MORE, WHITE
from pentad.pente.rules import CHOOSE, OVER, SIDES_OFFERED, THREE, PentePosition
from pentad.search.bot import Bot, Forfeit

# ── the program's process ─────────────────────────────────────────────────────────────────────────

KEPT_FIRST, KEPT_LAST, KEPT_CHARACTERS = 200, 1000, 200  # lines of a transcript, and characters of each line
QUEUE_SIZE = 1000  # lines read ahead; then the program has to wait
QUEUE_POLL = 0.1  # seconds between two attempts to put a line into a full queue
CHUNK = 65_536  # bytes of one read
EXIT_TIMEOUT = 0.5  # seconds for a program to exit by itself
GUARD = Path(__file__).with_name("process_guard.py")


class ProgramFailed(Exception):
    """The program has ended or not answered; the message says which."""


def split_command(command: str) -> list[str]:
    """Splits a command line like a shell; no shell runs."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise GameError(f"{shown(command)} is not a command line ({error}).") from None
    if not words or "\0" in command:
        raise GameError("Expected a program with its arguments after gomocup:.")
    return words


class Program:
    """A running program. `close` ends it with all its children; so does the end of this process."""

    def __init__(self, command: str) -> None:
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=KEPT_LAST)
        self._dropped = 0  # lines between the first and the last ones
        self._lines: queue.Queue[str | None] = queue.Queue(QUEUE_SIZE)
        self._lifeline: socket.socket | None = None
        self._killed = False
        self._process = self._start(split_command(command))
        assert self._process.stdout
        assert self._process.stderr
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        threading.Thread(target=self._read_stderr, args=(self._process.stderr,), daemon=True).start()

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        try:
            if os.name != "posix":  # without the guard only `close` ends the program, and not its children
                return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
            self._lifeline, other = socket.socketpair()
            with other:
                return subprocess.Popen(
                    [sys.executable, "-I", "-S", str(GUARD), str(other.fileno()), *words],
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    pass_fds=(other.fileno(),),
                    start_new_session=True,
                )
        except (OSError, ValueError) as error:
            if self._lifeline:
                self._lifeline.close()
            reason = getattr(error, "strerror", None) or error
            raise ProgramFailed(f"The program cannot be started ({reason}).") from None

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def send(self, lines: Iterable[str]) -> None:
        """Writes lines to the program."""
        assert self._process.stdin
        try:
            for line in lines:
                self._record(">", line)
                self._process.stdin.write(line.encode("ascii", "replace") + b"\r\n")
            self._process.stdin.flush()
        except OSError:
            raise ProgramFailed(self._exit_reason()) from None

    def receive(self, until: float) -> str:
        """The next line from the program, until a deadline of the monotonic clock."""
        try:
            line = self._lines.get(timeout=max(until - time.monotonic(), 0))
        except queue.Empty:
            raise ProgramFailed("The program did not answer in time.") from None
        if line is None:
            self._enqueue(None)  # for the next call
            raise ProgramFailed(self._exit_reason())
        return line

    def _read(self, pipe: IO[bytes]) -> None:
        for line in _lines_of(pipe):
            self._record("<", line)
            self._enqueue(line)
        self._enqueue(None)

    def _enqueue(self, line: str | None) -> None:
        """Puts a line into the queue, waiting while it is full and the program is not killed."""
        while not self._killed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=QUEUE_POLL)
                return

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        """Adds the error stream to the transcript."""
        for line in _lines_of(pipe):
            self._record("!", line)

    def _record(self, sign: str, line: str) -> None:
        if len(self._first) < KEPT_FIRST:
            self._first.append(f"{sign} {line[:KEPT_CHARACTERS]}")
        else:
            self._dropped += len(self._last) == KEPT_LAST
            self._last.append(f"{sign} {line[:KEPT_CHARACTERS]}")

    # ── end ──────────────────────────────────────────────────────────────────────────────────────

    def _exit_reason(self) -> str:
        """The reason for the end of the output."""
        if self._lifeline:
            self._lifeline.settimeout(EXIT_TIMEOUT)
            with contextlib.suppress(OSError):
                if reason := self._lifeline.recv(CHUNK):
                    return reason.decode("utf-8", "replace")
        return "The program closed its output."

    def close(self) -> None:
        """Sends END, and kills the program unless it exits in time."""
        with contextlib.suppress(ProgramFailed, ValueError):
            self.send(["END"])
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_TIMEOUT)
        self.kill()

    def kill(self) -> None:
        """Kills the program and all its children."""
        self._killed = True
        if self._lifeline:
            if self._process.poll() is None:
                with contextlib.suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)  # the leader of its own process group
            self._lifeline.close()
        self._process.kill()
        self._process.wait()
        if self._process.stdin:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    @property
    def transcript(self) -> list[str]:
        """The lines so far: `>` to the program, `<` from it, `!` from its error stream."""
        gap = [f"… {self._dropped} lines"] if self._dropped else []
        return [*self._first, *gap, *self._last]


def _lines_of(pipe: IO[bytes]) -> Iterable[str]:
    reader = protocol.LineReader()
    with pipe:
        while data := os.read(pipe.fileno(), CHUNK):
            yield from reader.feed(data)
    yield from reader.rest()


def keep_transcript(text: str) -> Path | None:
    """Saves a transcript in pentad's user folder; returns its path, or None if it cannot be written."""
    stem = f"gomocup-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    folder = user_files.home() / "transcripts"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number = sum(1 for _ in folder.glob(f"{stem}-*.txt")) + 1
        user_files.write_safely(folder / f"{stem}-{number}.txt", text)
    except OSError:
        return None
    return folder / f"{stem}-{number}.txt"


# ── the bot ───────────────────────────────────────────────────────────────────────────────────────

NAME = "gomocup"
GRACE = 1.0  # seconds beyond a move's time before the program forfeits
STARTING, AT_MOST = 30.0, 600.0  # timeouts of START in seconds: after the last message, and in total
INFORMATIVE = ("MESSAGE", "DEBUG")  # lines that may come at any time and are no answers
REFUSALS = ("ERROR", "UNKNOWN")
ANOTHER_BRAIN, NO_LIMIT = 1, 0  # values of INFO: the opponent's type; no limit of the match and of the memory


class ExternalBot(Bot):
    """Plays the moves of a program, which is started for its first move and ended by `close`."""

    def __init__(self, command: str, seed: int | None = None) -> None:
        super().__init__(seed)
        split_command(command)  # raises GameError for an invalid command line
        self.command, self.name = command, f"{NAME}:{command}"
        self._program: Program | None = None
        self._seen: list[PentePosition] = []  # the known positions of this game
        self._sent = 0  # the number of them that the program knows; 0 if it needs the whole board
        self._next: Move | None = None  # the first stone after the choice of a colour, sent with the choice

    # ── a move ───────────────────────────────────────────────────────────────────────────────────

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("The game is over; there is no move to choose.")
        if here.stage not in (OVER, THREE, *SIDES_OFFERED) or (here.stage == THREE and here.placed):
            raise GameError(f"{self.name} plays only whole turns, but this turn has begun.")
        try:
            return self._chosen(here, protocol.DEFAULT_SECONDS if seconds is None else seconds)
        except ProgramFailed as no_move:
            raise self._forfeit(str(no_move)) from None
        except BaseException:  # an answer that still comes must not be read as the next one
            self._end()
            raise

    def _chosen(self, here: PentePosition, seconds: float) -> Move:
        follows, sent = self._follow(here), 0
        if self._next is not None and follows:
            move, self._next = self._next, None
        else:
            self._next = None
            goes_on = bool(self._sent) and self._sent == len(self._seen) - 1
            program = self._prepared_program(here, seconds, goes_on)
            answer = self._stone if here.stage == OVER else self._swap2
            move = answer(program, here, seconds, goes_on)
            sent = len(self._seen) + 1 if here.stage == OVER else 0  # after an opening the whole board is sent again
        try:
            self._seen.append(self._seen[-1].play(move))
        except GameError as error:
            raise self._forfeit(f"The program's move {move} is illegal: {error}") from None
        self._sent = sent
        return move

    def _stone(self, program: Program, here: PentePosition, seconds: float, goes_on: bool) -> Move:
        """A stone after the opponent's, or on a board that the program does not know."""
        if goes_on:
            program.send([f"TURN {write_point(_last(self._seen[-1]), here.board.size)}"])
        else:
            program.send([*self._board(here), "DONE"] if here.placed else ["BEGIN"])
        until = time.monotonic() + seconds + GRACE
        answer = self._answer(program, until)
        if answer.upper().startswith("SUGGEST"):  # the manager confirms a suggestion with PLAY
            program.send([f"PLAY {answer[len('SUGGEST') :].strip()}"])
            answer = self._answer(program, until)
        return Move(self._points(here, answer, 1))

    # ── the program's board ──────────────────────────────────────────────────────────────────────

    def _follow(self, here: PentePosition) -> bool:
        """Records the position; returns whether it is the last known one or one move later."""
        for before in self._seen[-1:]:
            if before == here:
                return True
            if before.setup == here.setup and (after := _next(before, here)):
                self._seen.append(after)
                return True
        self._seen, self._sent = _derived(here), 0
        return False

    def _prepared_program(self, here: PentePosition, seconds: float, goes_on: bool) -> Program:
        """The program, with the limits sent; also with a new board unless the game continues."""
        if self._program is None:
            self._program = Program(self.command)
        program = self._program
        if not goes_on:
            variant = protocol.variant_of(here)  # before START: the board may be one that only the variant has
            program.send([*([f"INFO variant {variant}"] if variant else []), f"START {here.board.size}"])
            answer = self._answer(program, time.monotonic() + AT_MOST, STARTING)
            if answer.upper() != "OK":
                raise ProgramFailed(f"The program answered START with {shown(answer)}.")
            program.send(
                [
                    f"INFO timeout_match {NO_LIMIT}",
                    f"INFO max_memory {NO_LIMIT}",
                    f"INFO game_type {ANOTHER_BRAIN}",
                    f"INFO rule {protocol.rule_of(here)}",
                ]
            )
        limit = max(round(seconds * 1000), 0)
        program.send([f"INFO timeout_turn {limit}", f"INFO time_left {protocol.ENDLESS}"])
        return program

    def _board(self, here: PentePosition) -> list[str]:
        """BOARD with the stones in the order of play if it is known, else in any order with the captures."""
        size = here.board.size
        own, order = here.colour, _order(self._seen) if here.rules.captures else _any_order(here)
        taken = [f"INFO taken {here.taken[own]},{here.taken[1 - own]}"] if order is None else []
        stones = _any_order(here) if order is None else order
        lines = (f"{write_point(stone, size)},{OWN if colour == own else OTHER}" for stone, colour in stones)
        return [*taken, "BOARD", *lines]

    # ── the opening swap2 ────────────────────────────────────────────────────────────────────────

    def _swap2(self, program: Program, here: PentePosition, seconds: float, _: bool) -> Move:
        """The first three stones, or the choice of a colour."""
        if any(here.taken):
            return Move((WHITE,))  # SWAP2BOARD cannot express an opening with captures
        stones = _any_order(here) if here.stage != THREE else []
        program.send(["SWAP2BOARD", *(write_point(stone, here.board.size) for stone, _ in stones), "DONE"])
        answer = self._answer(program, time.monotonic() + seconds + GRACE)
        if here.stage == THREE:
            return Move(self._points(here, answer, 3))
        if answer.upper() == "SWAP":
            return Move((WHITE,))
        if here.stage == CHOOSE and len(answer.split()) == 2:
            return Move((MORE, *self._points(here, answer, 2)))
        self._next = Move(self._points(here, answer, 1))  # a stone chooses the second colour
        return Move((BLACK,))

    # ── answers ──────────────────────────────────────────────────────────────────────────────────

    def _answer(self, program: Program, until: float, timeout: float = inf) -> str:
        """The next line that is an answer; `timeout` is the longest time to wait for a line of any kind."""
        while True:
            line = program.receive(min(until, time.monotonic() + timeout)).strip()
            word = line.partition(" ")[0].upper()
            if word in REFUSALS:
                raise ProgramFailed(f"The program answered {shown(line)}.")
            if line and word not in INFORMATIVE:
                return line

    def _points(self, here: PentePosition, answer: str, count: int) -> tuple[Stone, ...]:
        """Parses an answer of a number of points."""
        words = answer.split() if count > 1 else [answer]
        try:
            if len(words) != count:
                raise ProtocolError(f"Expected {count} points.")
            return tuple(protocol.read_point(word, here.board.size) for word in words)
        except ProtocolError as error:
            raise ProgramFailed(f"The program answered {shown(answer)}. {error}") from None

    # ── end ──────────────────────────────────────────────────────────────────────────────────────

    def _forfeit(self, why: str) -> Forfeit:
        """Ends the program and saves the transcript; returns the error that loses the game."""
        program = self._program
        self._end()
        transcript = program.transcript if program else []
        path = keep_transcript("\n".join([self.command, why, "", *transcript, ""])) if transcript else None
        return Forfeit(f"{why} The transcript is in {path}." if path else why)

    def _end(self) -> None:
        program, self._program, self._sent, self._next = self._program, None, 0, None
        if program:
            program.kill()

    def close(self) -> None:
        """Ends the program, with END first."""
        if program := self._program:
            try:
                program.close()
            finally:
                self._end()


# ── positions, and the order of their stones ─────────────────────────────────────────────────────


def _last(here: PentePosition) -> Stone:
    assert here.last is not None
    return here.board.stones[here.last]


def _next(before: PentePosition, here: PentePosition) -> PentePosition | None:
    """The position with its last stone, if it is one stone later than another; else None."""
    if before.stage != OVER or here.placed != before.placed + 1:
        return None
    fresh = here.stones[before.colour] & ~before.stones[before.colour]
    stones = [fresh] if fresh else [1 << point for point in points_of(before.points)]  # a stone may remove itself
    for stone in stones:
        try:
            after = before.play((before.board.stones[stone.bit_length() - 1],))
        except GameError:
            continue
        if after == here:
            return after
    return None


def _derived(here: PentePosition) -> list[PentePosition]:
    """Positions that may have led to a position whose history is unknown; only itself if there are none.

    Without captures, any order of the stones that follows the rules and captures nothing is sufficient.
    """
    if any(here.taken) or here.stage != OVER or here.swapped:
        return [here]
    path = [protocol.start(here.board.size, protocol.rule_of(here), protocol.variant_of(here))]
    if path[0].setup != here.setup:
        return [here]
    for stone, _ in _any_order(here):
        try:
            path.append(path[-1].play((stone,)))
        except GameError:
            return [here]
    return path if path[-1] == here else [here]


def _any_order(here: PentePosition) -> list[tuple[Stone, int]]:
    """The stones with their colours, alternating as long as possible, the centre first and the last stone last."""
    centre = here.board.centre
    ordered = (
        sorted(points_of(stones), key=lambda point: (point == here.last, point != centre)) for stones in here.stones
    )
    return [
        (here.board.stones[point], colour)
        for pair in zip_longest(*ordered)
        for colour, point in enumerate(pair)
        if point is not None
    ]


def _order(seen: Sequence[PentePosition]) -> list[tuple[Stone, int]] | None:
    """The stones in the order of play, with their colours; None if the beginning is unknown."""
    if not seen or seen[0].placed:
        return None
    return [(_last(after), before.colour) for before, after in pairwise(seen)]
