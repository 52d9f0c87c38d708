"""Servers that are killed at each step of a handover: one of them goes on, or a new one starts; no move is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Literal

import pytest

from pentad.store import Claim, Claimed
from tests.store.conftest import NewUrl
from tests.store.conftest import cluster as cluster
from tests.store.conftest import new_url as new_url
from tests.waiting import TIMEOUT, wait_until
from tests.web.server_process import Server

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="no handover there")]

# A process that kills itself before or after it sends a message of one kind.
KILLED = """
import os, signal
from pentad.web import handover
handover.WARM_SECONDS = 0.0
plain = handover.Channel.send
def send(channel, kind, files=(), **content):
    if (kind, "before") == {step!r}:
        os.kill(os.getpid(), signal.SIGKILL)
    plain(channel, kind, files, **content)
    if (kind, "after") == {step!r}:
        os.kill(os.getpid(), signal.SIGKILL)
handover.Channel.send = send
"""
REPLACE = """
import sys
from pentad.terminal.command_line import main
sys.exit(main(["web", "--no-browser", "--replace", "--port", "{port}", "--database", {database!r}]))
"""
STEPS = [
    *(("new", kind, when, "old") for kind in ("hello", "ready", "joined") for when in ("before", "after")),
    ("new", "serving", "before", "old"),
    ("new", "serving", "after", None),
    *(("old", kind, when, None) for kind in ("here", "offer") for when in ("before", "after")),
    ("old", "yours", "before", None),
    ("old", "yours", "after", "new"),
]


@pytest.mark.parametrize(("killed", "kind", "when", "survivor"), STEPS)
def test_no_move_is_lost(
    new_url: NewUrl,
    killed: Literal["old", "new"],
    kind: str,
    when: Literal["before", "after"],
    survivor: Literal["old", "new"] | None,
) -> None:
    codes = {who: KILLED.format(step=(kind, when) if who == killed else None) for who in ("old", "new")}
    with Server(database=new_url(), before=codes["old"]) as old:
        room, ada = old.make(seats=["human", "open"])
        bea = old.sit(room)
        with old.join(room, ada) as black, old.join(room, bea) as white:
            white.receive("state")
            black.receive("state")
            black.play("a2 1C")
            assert white.receive("played")["move"]["text"] == "a2 1C"
            code = codes["new"] + REPLACE.format(port=old.port, database=old.database)
            with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as new:
                try:
                    dies = {"old": old.process, "new": new}[killed]
                    assert dies.wait(TIMEOUT) == -signal.SIGKILL
                    if survivor == "old":
                        assert not is_free(old.database)
                        white.play("b3 2A")  # over the same connection, as if nothing had happened
                        assert black.receive("played")["move"]["text"] == "b3 2A"
                        assert old.stop()[0] == 0
                    elif survivor == "new":
                        assert black.close_code() is None
                        plays(old, room, bea)
                        assert not is_free(old.database)
                        os.kill(new.pid, signal.SIGTERM)
                        assert new.wait(TIMEOUT) == 0
                    elif killed == "old":
                        assert new.stderr
                        assert len(new.stderr.read().splitlines()) == 1
                        assert new.wait(TIMEOUT) == 2
                    else:
                        assert old.process.wait(TIMEOUT) == 0
                finally:
                    new.kill()
        wait_until(lambda: is_free(old.database), "the end of the claim")
        with Server(old.port, old.database) as next_one:
            if survivor is None:
                plays(next_one, room, bea)
            with next_one.join(room, ada) as black:
                assert [move["text"] for move in black.receive("state")["moves"]] == ["a2 1C", "b3 2A"]


def plays(server: Server, room: str, cookies: dict[str, str]) -> None:
    """White comes back and moves; the new server may begin to accept connections a moment later."""
    until = time.monotonic() + TIMEOUT
    while True:
        try:
            with server.join(room, cookies) as white:
                assert [move["text"] for move in white.receive("state")["moves"]] == ["a2 1C"]
                assert white.play("b3 2A")["move"]["text"] == "b3 2A"
                return
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.1)


def is_free(database: str) -> bool:
    """Whether a server could claim the database."""
    try:
        Claim(database).release()
    except Claimed:
        return False
    return True
