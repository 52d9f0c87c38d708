"""`pentad engine --serve` in a process."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def start(*words: str) -> "subprocess.Popen[str]":
    code = "from pentad.terminal import command_line; raise SystemExit(command_line.main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "engine", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@contextmanager
def serving(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process, and its address."""
    process = start("--serve", str(free_port()), *words)
    try:
        assert process.stdout
        line = process.stdout.readline()
        found = re.match(r"Engine running at (ws://localhost:\d+) for pages from", line)
        assert found, line or process.communicate()[1]
        yield process, found[1]
    finally:
        process.kill()
        process.communicate()
