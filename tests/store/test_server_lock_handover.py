"""Handover of a claim to another process: it is never free, whichever of the two ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from socket import AF_UNIX, SOCK_STREAM, send_fds, socket, socketpair

import pytest

from pentad.game import GameError
from pentad.store import Claim, Claimed, Store
from tests.store.conftest import NewUrl
from tests.store.test_server_lock import claimed_soon

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes cannot inherit open files there")

HEIR = """
import json, socket, sys
from pentad.store import Claim
channel = socket.socket(fileno=int(sys.argv[2]))
claim = Claim(sys.argv[1], inherits=True)
paths, files, _, _ = socket.recv_fds(channel, 4096, 8)
claim.inherit(dict(zip(json.loads(paths), files)))
claim.announce("http://127.0.0.1:1/")
channel.sendall(b"inherited")
channel.recv(1)
claim.keep()
channel.sendall(b"kept")
channel.recv(1)
"""


@pytest.fixture(autouse=True)
def made(url: str) -> None:
    Store.open(url).close()


@contextmanager
def heir(url: str) -> Iterator[tuple[subprocess.Popen[bytes], socket]]:
    """A process that inherits a claim."""
    ours, theirs = socketpair(AF_UNIX, SOCK_STREAM)
    command = [sys.executable, "-c", HEIR, url, str(theirs.fileno())]
    with ours, theirs, subprocess.Popen(command, pass_fds=[theirs.fileno()]) as process:
        theirs.close()
        try:
            yield process, ours
        finally:
            process.kill()


def hand_over(claim: Claim, channel: socket) -> None:
    files = claim.share()
    send_fds(channel, [json.dumps(list(files)).encode()], list(files.values()))
    assert channel.recv(100) == b"inherited"


def is_free(url: str) -> bool:
    try:
        Claim(url).release()
    except Claimed:
        return False
    return True


def test_a_claim_is_never_free_while_it_is_handed_over(url: str) -> None:
    first = Claim(url)
    first.announce("http://127.0.0.1:2/")
    with heir(url) as (process, channel):
        hand_over(first, channel)
        assert not is_free(url)
        first.leave()
        first.check()  # it must not be taken back
        with pytest.raises(Claimed, match=r"at http://127\.0\.0\.1:1/"):
            Claim(url)
        channel.sendall(b".")
        assert channel.recv(100) == b"kept"
        assert not is_free(url)
        process.kill()
        process.wait()
    claimed_soon(url).release()


def test_the_first_process_keeps_the_claim_if_the_other_one_is_killed(url: str) -> None:
    first = Claim(url)
    first.announce("http://127.0.0.1:2/")
    with heir(url) as (process, channel):
        hand_over(first, channel)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    first.keep()
    first.check()
    first.announce("http://127.0.0.1:2/")
    with pytest.raises(Claimed, match=r"at http://127\.0\.0\.1:2/"):
        Claim(url)
    first.release()
    assert is_free(url)


def test_a_claim_of_another_database_is_not_inherited(url: str, new_url: NewUrl) -> None:
    other = new_url()
    Store.open(other).close()
    first, second = Claim(url), Claim(other, inherits=True)
    with pytest.raises(GameError, match="serves another database"):
        second.inherit({path: os.dup(file) for path, file in first.share().items()})
    second.release()
    assert is_free(other)
    first.keep()
    first.check()
    assert not is_free(url)
    first.release()


def test_a_shared_claim_that_nobody_inherits_is_exclusive_again(url: str) -> None:
    first = Claim(url)
    first.announce("http://127.0.0.1:2/")
    first.share()
    assert not is_free(url)
    first.keep()
    second = Claim(url, inherits=True)
    with pytest.raises(GameError):
        second.inherit({})
    first.release()
