"""pentad in a pseudo-terminal, with the test at the other end."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

from tests.waiting import TIMEOUT, wait_until

# The child leads a session of its own; the terminal that it opens first becomes the one that Ctrl-C comes from.
BECOME = "import os, sys; os.open(os.ttyname(0), os.O_RDWR); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78]|\x1b\][^\x07]*\x07|[\x00\x01\x02\x07\r]")

CTRL_C, CTRL_D, TAB, CTRL_U = "\x03", "\x04", "\t", "\x15"


class Terminal:
    """A program in a terminal, with its output and methods for typing. `play` gets `--lines`, if not `--screen`."""

    def __init__(self, *words: str, columns: int = 80, rows: int = 24, **environment: str) -> None:
        self.master, slave = pty.openpty()
        self._size(columns, rows)
        if words[:1] == ("play",) and {"--screen", "--prolog"}.isdisjoint(words):
            words = (*words, "--lines")
        self.process = subprocess.Popen(
            [sys.executable, "-c", BECOME, *(words if words[:1] == ("-c",) else ("-m", "pentad", *words))],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, **environment},
        )
        os.close(slave)
        self._raw = b""
        self._at = 0  # what was expected and found lies before
        self._ended = False

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(TIMEOUT)
        os.close(self.master)

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        """Resize the window."""
        self._size(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def type(self, text: str) -> None:
        """Type text."""
        os.write(self.master, text.encode())

    def enter(self, text: str) -> None:
        """Type a line."""
        self.type(f"{text}\n")

    def interrupt(self) -> None:
        """Press Ctrl-C when the program waits; readline ignores it just before it starts to wait."""
        state = Path(f"/proc/{self.process.pid}/stat")
        asleep, deadline = 0, time.monotonic() + TIMEOUT
        while asleep < 5 and time.monotonic() < deadline:
            time.sleep(0.02)
            asleep = asleep + 1 if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "S" else 0
        self.type(CTRL_C)

    def works(self, seconds: float = 0.1) -> None:
        """Wait until the program has used this much CPU time."""
        state = Path(f"/proc/{self.process.pid}/stat")
        begun = _computed(state)
        wait_until(lambda: _computed(state) >= begun + seconds, "the work")

    @property
    def shown(self) -> str:
        """The output so far, without colours."""
        return ESCAPES.sub("", self._raw.decode("utf-8", errors="replace"))

    @property
    def raw(self) -> bytes:
        return self._raw

    def expect(self, *texts: str) -> str:
        """Wait until one of the texts appears after those expected before; returns that text."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            shown = self.shown
            found = [(shown.find(text, self._at), text) for text in texts if text in shown[self._at :]]
            if found:
                at, text = min(found)
                self._at = at + len(text)
                return text
            if self._ended or time.monotonic() > deadline:
                raise AssertionError(f"none of {texts} came; after what was expected came:\n{shown[self._at :]}")
            self._read(1.0)

    def read_until_quiet(self, seconds: float = 1.0) -> None:
        """Read until nothing has come for some time."""
        seen = -1
        while seen < len(self._raw):
            seen = len(self._raw)
            self._read(seconds)

    def _read(self, seconds: float) -> None:
        if select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:  # the other end is closed
                data = b""
            self._raw += data
            self._ended = not data

    def wait(self) -> int:
        """Read to the end; returns the exit code."""
        deadline = time.monotonic() + TIMEOUT
        while not self._ended and time.monotonic() < deadline:
            self._read(1.0)
        return self.process.wait(TIMEOUT)

    def kill(self) -> None:
        """Kill the program."""
        self.process.kill()
        self.wait()


def _computed(state: Path) -> float:
    """The seconds of CPU time that a process has used."""
    user, system = state.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
