"""Debian's Firefox for browser tests: by WebDriver BiDi, with what Playwright's own Firefox can do and this one cannot.

Playwright starts the program and connects to a relay in this process, which passes messages on to Firefox. The relay
answers the commands that Firefox does not know, and sends commands of its own: a finger that moves over the screen.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.sync.server import ServerConnection, serve

from tests.waiting import TIMEOUT
from tests.web.kept_pages import KeptPage

UNKNOWN = {"emulation.setMediaFeaturesOverride"}  # answered here: the preferences have what the tests need
OWN = 1_000_000_000  # identifiers of commands of this process begin here
PREFERENCES: dict[str, str | float | bool] = {
    "dom.w3c_touch_events.enabled": 1,
    "services.settings.server": "data:,",  # no other server is asked
}
EVENTS = {
    "touchStart": [{"type": "pointerDown", "button": 0}],
    "touchMove": [],
    "touchEnd": [{"type": "pointerUp", "button": 0}],
    "touchCancel": [{"type": "pointerUp", "button": 0}],
}
# WebDriver cannot cancel a touch, so the page does it, to the last touch that it has seen.
SEE_TOUCHES = "addEventListener('pointerdown', (event) => { window.lastTouch = event; }, true)"
CANCEL = """() => {
    const { target, pointerId } = window.lastTouch;
    target.dispatchEvent(new PointerEvent("pointercancel", { pointerId, pointerType: "touch", bubbles: true })); }"""
# Text that Playwright inserts may be added to what is selected, and its change is not noticed when the focus leaves.
FILL = """(field, text) => {
    field.value = text;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true })); }"""
WITHOUT_LIMITS: dict[str, Any] = {"max_size": None, "compression": None, "ping_interval": None}
PROGRAM = """#!/bin/sh
shift  # a port that Firefox would choose
echo "WebDriver BiDi listening on ws://127.0.0.1:{relay}" >&2
exec "{firefox}" --remote-debugging-port={port} "$@"
"""


class Finger:
    """A finger on the screen of a page, with the part of Chromium's protocol that the tests use."""

    def __init__(self, firefox: Firefox, page: Page) -> None:
        self._firefox, self._page = firefox, page

    def send(self, method: str, params: dict[str, Any]) -> None:
        assert method == "Input.dispatchTouchEvent", method
        if params["type"] == "touchCancel":
            self._page.evaluate(CANCEL)
        at = [{"type": "pointerMove", "x": round(each["x"]), "y": round(each["y"])} for each in params["touchPoints"]]
        self._act(*at, *EVENTS[params["type"]])

    def tap(self, x: float, y: float) -> None:
        self._act({"type": "pointerMove", "x": round(x), "y": round(y)}, *EVENTS["touchStart"], *EVENTS["touchEnd"])

    def _act(self, *actions: dict[str, Any]) -> None:
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": list(actions)}
        self._firefox.send("input.performActions", context=self._firefox.contexts[self._page], actions=[finger])


class Firefox:
    """A Firefox that Playwright has started, with or without reduced motion on all its pages."""

    def __init__(self, playwright: Playwright, program: str, is_still: bool) -> None:
        self._folder = tempfile.TemporaryDirectory()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._firefox: ClientConnection | None = None
        self.newest = self._front = ""  # the context of the page that was made last, and of the one in front
        self.contexts: dict[Page, str] = {}
        self._answers: dict[int, Any] = {}
        self._answered = threading.Condition()
        self._relay = serve(self._pass_on, "127.0.0.1", 0, **WITHOUT_LIMITS)
        threading.Thread(target=self._relay.serve_forever, daemon=True).start()
        starter = Path(self._folder.name) / "firefox"
        starter.write_text(PROGRAM.format(relay=self._relay.socket.getsockname()[1], firefox=program, port=self._port))
        starter.chmod(0o755)
        self.browser: Browser = playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=starter,
            firefox_user_prefs={**PREFERENCES, "ui.prefersReducedMotion": int(is_still)},
            env={**os.environ, "HOME": self._folder.name, "MOZ_HEADLESS": "1"},
            timeout=TIMEOUT * 1000,
        )

    def new_page(self, how: dict[str, Any]) -> KeptPage:
        kept = KeptPage(self.browser, {name: value for name, value in how.items() if name != "is_mobile"})
        self.contexts[kept.page] = self.newest
        kept.page.add_init_script(SEE_TOUCHES)
        return kept

    def close(self) -> None:
        self.browser.close()
        self._relay.shutdown()
        self._folder.cleanup()

    def send(self, method: str, **params: Any) -> None:
        """Sends a command beside those of Playwright, which must succeed."""
        answer = self._ask(method, params)
        assert answer["type"] == "success", answer

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self._firefox
        with self._answered:
            number = OWN + len(self._answers)
            self._answers[number] = None
        self._firefox.send(json.dumps({"id": number, "method": method, "params": params}))
        with self._answered:
            assert self._answered.wait_for(lambda: self._answers[number], TIMEOUT), f"no answer to {method}"
            return dict(self._answers[number])

    def _bring_to_front(self, context: str) -> None:
        """Enter presses a button only in the window that is in front."""
        if self._front != context:
            self._ask("browsingContext.activate", {"context": context})
            self._front = context

    def _pass_on(self, playwright: ServerConnection) -> None:
        with self._connected() as firefox:
            self._firefox = firefox
            threading.Thread(target=self._pass_back, args=(firefox, playwright), daemon=True).start()
            for text in playwright:
                message = json.loads(text)
                if message["method"] == "input.performActions":
                    self._bring_to_front(message["params"]["context"])
                if message["method"] == "browsingContext.activate":
                    self._front = message["params"]["context"]
                if message["method"] in UNKNOWN:
                    playwright.send(json.dumps({"type": "success", "id": message["id"], "result": {}}))
                else:
                    firefox.send(text)

    def _pass_back(self, firefox: ClientConnection, playwright: ServerConnection) -> None:
        try:
            for text in firefox:
                message = json.loads(text)
                if message.get("method") == "browsingContext.contextCreated" and not message["params"]["parent"]:
                    self.newest = self._front = message["params"]["context"]
                if str(message.get("method")).startswith("browsingContext.download"):
                    message["params"]["download"] = message["params"]["url"]  # Firefox gives it no identifier
                    text = json.dumps(message)
                if (message.get("id") or 0) >= OWN:
                    with self._answered:
                        self._answers[message["id"]] = message
                        self._answered.notify_all()
                else:
                    playwright.send(text)
        except ConnectionClosed:
            pass
        playwright.close()

    def _connected(self) -> ClientConnection:
        """The connection to Firefox, as soon as it listens."""
        until = time.monotonic() + TIMEOUT
        while True:
            try:
                return connect(f"ws://127.0.0.1:{self._port}/session", **WITHOUT_LIMITS)
            except OSError:
                assert time.monotonic() < until, "Firefox does not listen."
                time.sleep(0.05)


def adapt(of: Callable[[Page], Firefox], monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets Playwright touch the pages of a Firefox, for which it does nothing by itself, and fill them in."""
    ready = Locator.tap

    def finger(page: Page) -> Finger:
        return Finger(of(page), page)

    def tap(locator: Locator, **how: Any) -> None:
        ready(locator, trial=True, **how)  # waits until it can be touched
        box = locator.bounding_box()
        assert box
        finger(locator.page).tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def fill(locator: Locator, text: str) -> None:
        expect(locator).to_be_editable()
        locator.focus()
        locator.evaluate(FILL, text)

    monkeypatch.setattr(Locator, "tap", tap)
    monkeypatch.setattr(Locator, "fill", fill)
    monkeypatch.setattr(Page, "touchscreen", property(finger))
    monkeypatch.setattr(BrowserContext, "new_cdp_session", lambda context, page: finger(page))
