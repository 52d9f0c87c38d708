"""Programs that tests start: whether they live, and their end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import wait_until

POSIX = pytest.mark.skipif(os.name != "posix", reason="process groups are a POSIX feature")


def write_pieces(program: subprocess.Popen[bytes], *pieces: str) -> None:
    """Writes to a program, each piece when it has read the one before."""
    import fcntl
    import termios

    pipe = program.stdin
    assert pipe

    def is_read() -> bool:
        return fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)) == bytes(4) or program.poll() is not None

    for piece in pieces:
        pipe.write(piece.encode())
        pipe.flush()
        wait_until(is_read, "reading")


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return sys.platform != "linux"


def gone(process: int) -> bool:
    """Whether a process ends in time."""
    wait_until(lambda: not lives(process), "the end of the process")
    return True
