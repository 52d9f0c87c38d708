"""The connections of a page to its room, which a test can hold back or cut."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, WebSocketRoute


class Wire:
    """The connections of a page to its room: messages can be held back, refused or lost, and connections cut."""

    def __init__(self, page: Page) -> None:
        self.page, self.holds, self.loses, self.closed = page, False, False, False
        self.refuses: str | None = None
        self.held: list[tuple[WebSocketRoute, str]] = []
        self.sent: list[str] = []  # the types of all messages of the page
        self.connections: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/api/rooms/"), self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        self.connections.append(socket)
        if self.closed:
            socket.close(code=1012)
            return
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            text = str(message)
            self.sent.append(json.loads(text)["type"])
            if self.loses:
                return
            if self.sent[-1] != "step":
                server.send(text)
            elif self.refuses:
                socket.send(json.dumps({"type": "error", "error": self.refuses}))
            elif self.holds:
                self.held.append((server, text))
            else:
                server.send(text)

        socket.on_message(forward)

    def cut(self) -> None:
        self.closed = True
        self.connections[-1].close(code=1012)

    def mend(self) -> None:
        self.closed = False
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def refuse(self, why: str) -> None:
        """Answers the message held back with an error."""
        self.holds, self.held = False, []
        self.connections[-1].send(json.dumps({"type": "error", "error": why}))

    def release(self) -> None:
        self.holds = False
        for server, text in self.held:
            server.send(text)
        self.held = []
