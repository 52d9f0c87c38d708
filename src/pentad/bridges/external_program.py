"""Program: an external program, run behind a guard process, that exchanges lines with pentad."""

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
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from pentad.bridges.text_lines import MAX_LINE_LENGTH, LineReader
from pentad.game import GameError, shown
from pentad.system import files as user_files
from pentad.system.words import phrase

FIRST_LINES, LAST_LINES, MAX_KEPT_LENGTH = 200, 1000, 200  # a transcript keeps these lines, each cut to a length
QUEUE_SIZE = 1000  # the program has to wait if nobody reads so many lines
QUEUE_POLL_SECONDS = 0.1
CHUNK_BYTES = 65_536
EXIT_SECONDS = 0.5  # a program may take so long to exit by itself
ERROR_STREAM_SECONDS = 10.0  # a process outside of the group may keep the error stream open
GUARD = Path(__file__).with_name("process_guard.py")


class ProgramFailed(Exception):
    """The program has ended or not answered; the message says which."""


class ProgramTimeout(ProgramFailed):
    """The program has not answered in time."""


def split_command(command: str) -> list[str]:
    """Splits a command line like a shell; no shell runs."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise GameError("{command} is not a command line ({error}).", command=shown(command), error=error) from None
    if not words or "\0" in command:
        raise GameError("Expected a program with its arguments after the colon, such as ./engine.")
    return words


class ExternalProgram:
    """A running program. `close` ends it with all its children; so does the end of this process.

    `farewell` is the line that asks it to end, and `end_of_line` follows each line to it. Lines from it are cut after
    `longest` characters.
    """

    def __init__(self, command: str, *, farewell: str, end_of_line: str = "\n", longest: int = MAX_LINE_LENGTH) -> None:
        self._farewell, self._end_of_line, self._longest = farewell, end_of_line, longest
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        self._dropped_lines = 0
        self._lines: queue.Queue[str | None] = queue.Queue(QUEUE_SIZE)
        self._lifeline: socket.socket | None = None
        self._killed = False
        self._process = self._start(split_command(command))
        assert self._process.stdout
        assert self._process.stderr
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        self._stderr = threading.Thread(target=self._read_stderr, args=(self._process.stderr,), daemon=True)
        self._stderr.start()

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
            raise ProgramFailed(phrase("The program cannot be started ({reason}).", reason=reason)) from None

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def send(self, lines: Iterable[str]) -> None:
        """Writes lines to the program."""
        assert self._process.stdin
        try:
            for line in lines:
                self._record(">", line)
                self._process.stdin.write((line + self._end_of_line).encode("ascii", "replace"))
            self._process.stdin.flush()
        except OSError:
            raise ProgramFailed(self._exit_reason()) from None

    def receive(self, until: float) -> str:
        """The next line from the program, until a deadline of the monotonic clock."""
        left = until - time.monotonic()
        late = ProgramTimeout("The program did not answer in time.")
        if left <= 0:  # the queue of a program that floods its output is never empty
            raise late
        try:
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise late from None
        if line is None:
            self._enqueue(None)  # the next call finds the end, too
            raise ProgramFailed(self._exit_reason())
        return line

    def _read(self, pipe: IO[bytes]) -> None:
        for line in self._lines_of(pipe):
            self._record("<", line)
            self._enqueue(line)
        self._enqueue(None)

    def _enqueue(self, line: str | None) -> None:
        """Puts a line into the queue, waiting while it is full and the program is not killed."""
        while not self._killed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=QUEUE_POLL_SECONDS)
                return

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        """Adds the error stream to the transcript."""
        for line in self._lines_of(pipe):
            self._record("!", line)

    def _lines_of(self, pipe: IO[bytes]) -> Iterable[str]:
        reader = LineReader(self._longest)
        with pipe:
            while data := os.read(pipe.fileno(), CHUNK_BYTES):
                yield from reader.feed(data)
        yield from reader.rest()

    def _record(self, sign: str, line: str) -> None:
        if len(self._first) < FIRST_LINES:
            self._first.append(f"{sign} {line[:MAX_KEPT_LENGTH]}")
        else:
            self._dropped_lines += len(self._last) == LAST_LINES
            self._last.append(f"{sign} {line[:MAX_KEPT_LENGTH]}")

    # ── end ──────────────────────────────────────────────────────────────────────────────────────

    def _exit_reason(self) -> str:
        """The reason for the end of the output."""
        if self._lifeline:
            self._lifeline.settimeout(EXIT_SECONDS)
            with contextlib.suppress(OSError):
                if reason := self._lifeline.recv(CHUNK_BYTES):
                    return reason.decode("utf-8", "replace")
        return "The program closed its output."

    def close(self) -> None:
        """Sends the farewell, and kills the program unless it exits in time."""
        with contextlib.suppress(ProgramFailed, ValueError):
            self.send([self._farewell])
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kills the program and all its children; then the transcript has all of its error stream."""
        self._killed = True
        if self._lifeline:
            if self._process.poll() is None:
                with contextlib.suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)  # the leader of its own process group
            self._lifeline.close()
        self._process.kill()
        self._process.wait()
        self._stderr.join(ERROR_STREAM_SECONDS)
        if self._process.stdin:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    @property
    def transcript(self) -> list[str]:
        """The lines so far: `>` to the program, `<` from it, `!` from its error stream."""
        gap = [f"… {self._dropped_lines} lines"] if self._dropped_lines else []
        return [*self._first, *gap, *self._last]


def keep_transcript(protocol: str, text: str) -> Path | None:
    """Saves a transcript in pentad's user folder; returns its path, or None if it cannot be written."""
    stem = f"{protocol}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    folder = user_files.home() / "transcripts"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number = sum(1 for _ in folder.glob(f"{stem}-*.txt")) + 1
        user_files.write_safely(folder / f"{stem}-{number}.txt", text)
    except OSError:
        return None
    return folder / f"{stem}-{number}.txt"
