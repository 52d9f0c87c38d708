"""What one address does to a whole server, smaller than in `benchmarks/attack.py`, and what others still have of it."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import pentad
from tests.web.serving import TIMEOUT, Server

MALLORY = {"X-Forwarded-For": "203.0.113.1"}
HONEST = {"X-Forwarded-For": "198.51.100.1"}
PENTE = pentad.new("pente").text


def dial(server: Server, path: str, headers: dict[str, str]) -> ClientConnection:
    url = f"{server.url.replace('http', 'ws')}{path}"
    # Without pings of its own, which would cut the line where the machine is too busy to answer them.
    return connect(url, additional_headers=headers, open_timeout=TIMEOUT, ping_interval=None)


def hear(socket: ClientConnection, *types: str) -> dict[str, Any]:
    """The next message of one of these types."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(TIMEOUT))
        if message["type"] in types:
            return message


def test_a_bot_moves_while_one_address_asks_for_all_there_is() -> None:
    # With bounds this small a few sockets are a crowd.
    before = (
        "from pentad.web.engines import fair_queue; fair_queue.LONG = fair_queue.Bounds(20, 15, 4)\n"
        "from pentad.web import security; security.MOST_SOCKETS = 30"
    )
    with Server(before=before) as server, contextlib.ExitStack() as stack:
        sockets = []
        for number in range(10):
            named = httpx.put(f"{server.url}/api/me", json={"name": f"{number}"}, headers=MALLORY, timeout=TIMEOUT)
            cookie = {"Cookie": f"pentad={named.cookies['pentad']}"}
            for _ in range(3):
                sockets.append(stack.enter_context(dial(server, "/api/study/engine", MALLORY | cookie)))
                for kind in ("analyse", "values"):
                    ask = {"type": kind, "number": 1, "position": PENTE}
                    sockets[-1].send(json.dumps(ask | ({"seconds": 60} if kind == "analyse" else {})))
        assert "too many questions" in hear(sockets[-1], "error")["error"]
        assert httpx.get(f"{server.url}/api/health").json()["waiting"] > 4  # more than one person may have

        with dial(server, "/api/study/engine", MALLORY) as one_more:
            with pytest.raises(ConnectionClosed) as closed:
                one_more.recv(TIMEOUT)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429
            assert closed.value.rcvd.reason == "too many connections from your address; close some and try again"

        made = httpx.post(
            f"{server.url}/api/rooms", json={"game": "pente", "seats": ["human", "greedy"]}, headers=HONEST
        )
        cookies = {"pentad": made.cookies["pentad"]}
        with server.join(made.json()["room"], cookies, **HONEST) as player:
            for _ in range(3):
                player.hear("state", "played") if not player.state else None
                player.play(player.state["choices"][0]["step"])
                assert player.hear("played")["turn"] == 0
        with dial(server, "/api/study/engine", HONEST) as reader:
            reader.send(json.dumps({"type": "analyse", "number": 1, "position": PENTE}))
            assert hear(reader, "waiting", "error", "report")["type"] != "error"


def test_explorations_that_are_stopped_do_not_fill_the_log() -> None:
    with Server() as server:
        ends = []
        with contextlib.ExitStack() as stack:
            sockets = [stack.enter_context(dial(server, "/api/models/pentago/explore", MALLORY)) for _ in range(6)]
            for _ in range(2):
                for socket in sockets:
                    socket.send('{"type": "explore", "states": 2000000, "seconds": 10}')
                first = next(socket for socket in sockets if hear(socket, "waiting")["place"] == 0)
                for socket in sockets:  # one has begun, the others wait
                    socket.send('{"type": "stop"}')
                assert hear(first, "done", "error")["type"] == "done"
                ends += [hear(socket, "done", "error") for socket in sockets if socket is not first]
        assert {end.get("stopped") or end["error"] for end in ends} <= {
            "stopped",
            "the exploration was cancelled before it started",
        }
        _, _, errors = server.stop()
        assert errors == ""


def test_sockets_that_are_told_to_go_and_do_not_are_refused_at_the_door() -> None:
    before = "from pentad.web import security; security.MOST_SOCKETS, security.TOLD = 1, 0"
    with Server(before=before) as server, dial(server, "/api/study/engine", MALLORY):
        with pytest.raises(InvalidStatus, match="403"), dial(server, "/api/study/engine", MALLORY):
            pass
        for headers in (HONEST, {}, {}, {}):
            with dial(server, "/api/study/engine", headers) as reader:
                reader.send("nonsense")
                assert hear(reader, "error")
