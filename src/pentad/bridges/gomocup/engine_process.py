"""A program that pentad has started and talks to: lines to it, lines from it within a time, and what was said kept."""

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

from pentad import user_files
from pentad.bridges.gomocup.protocol import LineReader
from pentad.game import GameError, shown

KEPT_FIRST, KEPT_LAST, KEPT_LETTERS = 200, 1000, 200  # lines of a transcript, and letters of each line
MOST_WAITING = 1000  # lines that are read ahead; a program that says more has to wait
ROOM = 0.1  # seconds between two looks for room
AT_ONCE = 65_536  # bytes that are read at once
PATIENCE_AT_END = 0.5  # seconds that a program has to leave by itself
GUARD = Path(__file__).with_name("process_guard.py")


class ProgramFailed(Exception):
    """The program is gone, or has not answered; the message says which."""


def words_of(command: str) -> list[str]:
    """A command line in words, as a shell splits it; no shell ever sees it."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise GameError(f"{shown(command)} is no command line: {error}") from None
    if not words or "\0" in command:
        raise GameError("gomocup: wants a program, with its arguments, behind the colon")
    return words


class Program:
    """A running program. `close` ends it with all that it has started; so does the end of this process."""

    def __init__(self, command: str) -> None:
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=KEPT_LAST)
        self._dropped = 0  # lines between the first and the last
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._lifeline: socket.socket | None = None
        self._killed = False
        self._process = self._start(words_of(command))
        assert self._process.stdout
        assert self._process.stderr
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        threading.Thread(target=self._overhear, args=(self._process.stderr,), daemon=True).start()

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        try:
            if os.name != "posix":  # there it is ended alone, and by `close` only
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
            raise ProgramFailed(f"it cannot be started: {getattr(error, 'strerror', None) or error}") from None

    # ── talking ──────────────────────────────────────────────────────────────────────────────────

    def tell(self, lines: Iterable[str]) -> None:
        """Write lines to the program."""
        assert self._process.stdin
        try:
            for line in lines:
                self._note(">", line)
                self._process.stdin.write(line.encode("ascii", "replace") + b"\r\n")
            self._process.stdin.flush()
        except OSError:
            raise ProgramFailed(self._how_it_ended()) from None

    def hear(self, until: float) -> str:
        """The next line from the program, by a moment of the monotonic clock."""
        try:
            line = self._lines.get(timeout=max(until - time.monotonic(), 0))
        except queue.Empty:
            raise ProgramFailed("it did not answer in time") from None
        if line is None:
            self._hand_on(None)  # for whoever asks again
            raise ProgramFailed(self._how_it_ended())
        return line

    def _read(self, pipe: IO[bytes]) -> None:
        for line in _lines_of(pipe):
            self._note("<", line)
            self._hand_on(line)
        self._hand_on(None)

    def _hand_on(self, line: str | None) -> None:
        """Wait until there is room for a line; nobody hears a program that was killed."""
        while not self._killed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=ROOM)
                return

    def _overhear(self, pipe: IO[bytes]) -> None:
        """What it says aside belongs to the transcript only."""
        for line in _lines_of(pipe):
            self._note("!", line)

    def _note(self, sign: str, line: str) -> None:
        if len(self._first) < KEPT_FIRST:
            self._first.append(f"{sign} {line[:KEPT_LETTERS]}")
        else:
            self._dropped += len(self._last) == KEPT_LAST
            self._last.append(f"{sign} {line[:KEPT_LETTERS]}")

    # ── ending ───────────────────────────────────────────────────────────────────────────────────

    def _how_it_ended(self) -> str:
        """Why it says nothing more."""
        if self._lifeline:
            self._lifeline.settimeout(PATIENCE_AT_END)
            with contextlib.suppress(OSError):
                if told := self._lifeline.recv(AT_ONCE):
                    return told.decode("utf-8", "replace")
        return "it has closed its output"

    def close(self) -> None:
        """Ask it to leave, and end it if it has not."""
        with contextlib.suppress(ProgramFailed, ValueError):
            self.tell(["END"])
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE_AT_END)
        self.kill()

    def kill(self) -> None:
        """End it now, with all that it has started."""
        self._killed = True
        if self._lifeline:
            if self._process.poll() is None:
                with contextlib.suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)  # it leads its own group
            self._lifeline.close()
        self._process.kill()
        self._process.wait()
        if self._process.stdin:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    @property
    def said(self) -> list[str]:
        """What was said: `>` to the program, `<` by it, `!` what it wrote to its error stream."""
        gap = [f"… {self._dropped} lines"] if self._dropped else []
        return [*self._first, *gap, *self._last]


def _lines_of(pipe: IO[bytes]) -> Iterable[str]:
    reader = LineReader()
    with pipe:
        while data := os.read(pipe.fileno(), AT_ONCE):
            yield from reader.feed(data)
    yield from reader.rest()


def keep_transcript(text: str) -> Path | None:
    """Keep a transcript in the user's folder of pentad; where it is, if it can be kept."""
    stem = f"gomocup-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    folder = user_files.home() / "transcripts"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number = sum(1 for _ in folder.glob(f"{stem}-*.txt")) + 1
        user_files.write_safely(folder / f"{stem}-{number}.txt", text)
    except OSError:
        return None
    return folder / f"{stem}-{number}.txt"
