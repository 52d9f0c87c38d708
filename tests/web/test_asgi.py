"""Sockets of Starlette in front of the services."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.websockets import WebSocket

from pentad.web.asgi import ServerSocket
from pentad.web.http.exchange import ARRIVED


def test_a_socket_has_the_time_at_which_its_last_message_arrived() -> None:
    texts = [{"type": "websocket.receive", "text": text, ARRIVED: at} for text, at in (("a", 3.0), ("b", 5.0))]
    coming = [{"type": "websocket.connect"}, *texts, {"type": "websocket.disconnect", "code": 1000}]

    async def receive() -> Any:
        return coming.pop(0)

    async def send(_: Any) -> None: ...

    async def read() -> list[tuple[object, float]]:
        socket = ServerSocket(WebSocket({"type": "websocket", "path": "/", "headers": []}, receive, send))
        await socket.accept()
        return [(await socket.receive(), socket.arrived) for _ in range(3)]

    assert asyncio.run(read()) == [("a", 3.0), ("b", 5.0), (None, 5.0)]
