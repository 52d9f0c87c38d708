"""Attacks by one address on a whole server, smaller than in `benchmarks/attack.py`, and their effect on others."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import pentad
from tests.web.server_process import TIMEOUT, Server

MALLORY = {"X-Forwarded-For": "203.0.113.1"}
HONEST = {"X-Forwarded-For": "198.51.100.1"}
PENTE = pentad.new("pente").text


def open_socket(server: Server, path: str, headers: dict[str, str]) -> ClientConnection:
    url = f"{server.url.replace('http', 'ws')}{path}"
    # Without its own pings, which would close the socket on a busy machine.
    return connect(url, additional_headers=headers, open_timeout=TIMEOUT, ping_interval=None)


def receive(socket: ClientConnection, *types: str) -> dict[str, Any]:
    """The next message of one of these types."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(TIMEOUT))
        if message["type"] in types:
            return message


@pytest.mark.slow
def test_a_bot_moves_while_one_address_fills_the_queue() -> None:
    # With such small limits a few sockets are enough.
    before = (
        "from pentad.jobs import fair_queue; fair_queue.LONG = fair_queue.QueueLimits(20, 15, 4)\n"
        "from pentad.web.http import socket_pool; socket_pool.MAX_SOCKETS_OF_ADDRESS = 30"
    )
    with Server(before=before) as server, contextlib.ExitStack() as stack:
        sockets = []
        for number in range(10):
            named = httpx.put(f"{server.url}/api/me", json={"name": f"{number}"}, headers=MALLORY, timeout=TIMEOUT)
            cookie = {"Cookie": f"pentad={named.cookies['pentad']}"}
            for _ in range(3):
                sockets.append(stack.enter_context(open_socket(server, "/api/study/engine", MALLORY | cookie)))
                for kind in ("analyse", "values"):
                    ask = {"type": kind, "number": 1, "position": PENTE}
                    sockets[-1].send(json.dumps(ask | ({"seconds": 60} if kind == "analyse" else {})))
        assert "Too many requests are waiting" in receive(sockets[-1], "error")["error"]
        assert httpx.get(f"{server.url}/api/health").json()["waiting"] > 4  # more than the limit of one person

        with open_socket(server, "/api/study/engine", MALLORY | cookie) as one_more:
            with pytest.raises(ConnectionClosed) as closed:
                one_more.recv(TIMEOUT)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429
            assert closed.value.rcvd.reason == "Too many connections from your address. Close some and try again."

        made = httpx.post(
            f"{server.url}/api/rooms", json={"game": "pente", "seats": ["human", "greedy"]}, headers=HONEST
        )
        cookies = {"pentad": made.cookies["pentad"]}
        with server.join(made.json()["room"], cookies, **HONEST) as player:
            for _ in range(3):
                player.receive("state", "played") if not player.state else None
                player.play(player.state["choices"][0]["step"])
                assert player.receive("played")["turn"] == 0
        with open_socket(server, "/api/study/engine", HONEST) as reader:
            reader.send(json.dumps({"type": "analyse", "number": 1, "position": PENTE}))
            assert receive(reader, "waiting", "error", "report")["type"] != "error"


@pytest.mark.slow
def test_stopped_explorations_do_not_fill_the_log() -> None:
    with Server() as server:
        ends = []
        with contextlib.ExitStack() as stack:
            sockets = [
                stack.enter_context(open_socket(server, "/api/models/pentago/explore", MALLORY)) for _ in range(6)
            ]
            for _ in range(2):
                for socket in sockets:
                    socket.send('{"type": "explore", "states": 2000000, "seconds": 10}')
                first = next(socket for socket in sockets if receive(socket, "waiting")["place"] == 0)
                for socket in sockets:  # one runs, the others wait
                    socket.send('{"type": "stop"}')
                assert receive(first, "done", "error")["type"] == "done"
                ends += [receive(socket, "done", "error") for socket in sockets if socket is not first]
        assert {end.get("stopped") or end["error"] for end in ends} <= {
            "stopped",
            "The exploration was cancelled before it started.",
        }
        _, _, errors = server.stop()
        assert errors == ""


@pytest.mark.slow
def test_sockets_that_ignore_a_close_are_refused_before_the_handshake() -> None:
    before = (
        "from pentad.web.http import security, socket_pool\n"
        "socket_pool.MAX_SOCKETS_OF_ADDRESS, security.EXPLAINED = 1, 0"
    )
    with Server(before=before) as server, open_socket(server, "/api/study/engine", MALLORY):
        with pytest.raises(InvalidStatus, match="403"), open_socket(server, "/api/study/engine", MALLORY):
            pass
        for headers in (HONEST, {}, {}, {}):
            with open_socket(server, "/api/study/engine", headers) as reader:
                reader.send("nonsense")
                assert receive(reader, "error")
