"""Services of systemd: the listener that it passes on, and notes about the state."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from pentad.game import GameError
from pentad.web import systemd
from tests.waiting import TIMEOUT, wait_until

ACTIVATE = shutil.which("systemd-socket-activate")
SERVE = """
import os
from pentad.web.serve import serve
from pentad.web.settings import Settings
serve(Settings(database={database!r}, browser=False))
"""
# Passes on the open file of a listener, as systemd does.
PASS_ON = """
import os
os.dup2({file}, 3)
os.environ |= {{"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}}
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no systemd there")


@pytest.mark.skipif(ACTIVATE is None, reason="systemd-socket-activate is not installed")
def test_a_request_waits_until_the_server_of_a_socket_unit_runs(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    code = SERVE.format(database=f"sqlite:///{tmp_path}/games.db")
    passed_on = [f"--setenv={name}={value}" for name, value in os.environ.items() if name.startswith("PENTAD")]
    command = [str(ACTIVATE), f"--listen=127.0.0.1:{port}", *passed_on, sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:

            def listens() -> bool:
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port)).close()  # which starts the server
                    return True
                return False

            wait_until(listens, "the listener of systemd")
            assert httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=TIMEOUT).status_code == 200
            assert process.stdout
            assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
        finally:
            process.kill()


@pytest.mark.slow
def test_a_request_waits_between_two_servers_of_a_socket_unit(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        file = os.dup(listener.fileno())
        os.set_inheritable(file, True)
        code = PASS_ON.format(file=file) + SERVE.format(database=f"sqlite:///{tmp_path}/games.db")
        health = f"http://127.0.0.1:{listener.getsockname()[1]}/api/health"

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen([sys.executable, "-c", code], pass_fds=[file])

        with start() as first:
            assert httpx.get(health, timeout=TIMEOUT).status_code == 200
            first.terminate()
            assert first.wait(TIMEOUT) == 0
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(httpx.get, health, timeout=TIMEOUT)
            with start() as second:
                assert asked.result().status_code == 200
                second.terminate()
                assert second.wait(TIMEOUT) == 0
        os.close(file)


@pytest.fixture
def inherited(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A listener in the place of the first one that systemd passes on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setattr(systemd, "FIRST_FILE", os.dup(listener.fileno()))
        monkeypatch.setenv(systemd.PROCESS, str(os.getpid()))
        monkeypatch.setenv(systemd.COUNT, "1")
        yield listener
        with contextlib.suppress(OSError):
            os.close(systemd.FIRST_FILE)


def test_the_listener_of_systemd_is_used_once(inherited: socket.socket) -> None:
    found = systemd.inherited_listener()
    assert found is not None
    with found:
        assert found.getsockname() == inherited.getsockname()
        assert not os.get_inheritable(found.fileno())
    assert systemd.inherited_listener() is None  # a worker must not find it


def test_a_listener_for_another_process_is_left_alone(
    inherited: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(systemd.PROCESS, "1")
    assert systemd.inherited_listener() is None


@pytest.mark.parametrize("count", ["2", "-1", "many"])
def test_one_listener_is_expected(inherited: socket.socket, monkeypatch: pytest.MonkeyPatch, count: str) -> None:
    monkeypatch.setenv(systemd.COUNT, count)
    with pytest.raises(GameError, match="Expected one socket of systemd, got"):
        systemd.inherited_listener()


def test_a_file_that_is_no_listener_is_refused(
    inherited: socket.socket, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = os.open(tmp_path / "file", os.O_CREAT | os.O_RDWR)
    monkeypatch.setattr(systemd, "FIRST_FILE", file)
    with pytest.raises(GameError, match=r"^Cannot use the socket of systemd: "):
        systemd.inherited_listener()
    os.close(file)


def test_a_socket_that_does_not_listen_is_refused(inherited: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as idle:
        monkeypatch.setattr(systemd, "FIRST_FILE", os.dup(idle.fileno()))
        with pytest.raises(GameError, match="must listen on a TCP port"):
            systemd.inherited_listener()


def test_systemd_gets_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notes:
        notes.bind(f"{folder}/notes")
        monkeypatch.setenv(systemd.NOTES, f"{folder}/notes")
        systemd.notify("READY=1")
        assert notes.recv(100) == b"READY=1"
    systemd.notify("READY=1")  # a socket that nobody reads is no error
    monkeypatch.delenv(systemd.NOTES)
    systemd.notify("READY=1")
