"""Pages that serve one browser test after another: a new one costs more than what most tests do with it."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.waiting import TIMEOUT
from tests.web.browser_helpers import BLANK

MOST_KEPT = 4

# What cannot be undone, or is not undone by `KeptPage.clear`: a page with any of it is used by one test alone.
LASTING = (
    "add_init_script",
    "add_locator_handler",
    "clock",
    "context",
    "emulate_media",
    "expose_binding",
    "expose_function",
    "on",
    "once",
    "route",
    "route_web_socket",
    "set_extra_http_headers",
    "set_viewport_size",
)
_changed: set[Page] = set()


def _remembering(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def remembering(page: Page, *args: Any, **named: Any) -> Any:
        _changed.add(page)
        return original(page, *args, **named)

    return remembering


for _name in LASTING:
    _original = vars(Page).get(_name) or getattr(Page, _name)
    _new: Any = property(_remembering(_original.fget)) if isinstance(_original, property) else _remembering(_original)
    setattr(Page, _name, _new)


class KeptPage:
    """A page with storage of its own, which is empty for each test."""

    def __init__(self, browser: Browser, how: dict[str, Any]) -> None:
        self.context: BrowserContext = browser.new_context(**how)
        self.context.set_default_timeout(TIMEOUT * 1000)
        self.page = self.context.new_page()
        self.origin = str(how["base_url"])
        self._blank = urljoin(self.origin, BLANK)
        self.complain: Callable[[str], None] = lambda text: None
        self.look: Callable[[str], None] = lambda url: None
        self.page.on("console", self._tell)
        self.page.on("pageerror", lambda error: self.complain(str(error)))
        self.page.on("request", lambda request: self.look(request.url))
        _changed.discard(self.page)
        self._devtools: Any = None

    def _tell(self, message: ConsoleMessage) -> None:
        """Passes on what the console says; a server may lack the blank address, where `clear` goes."""
        if message.location["url"] != self._blank:
            self.complain(message.text)

    def clear(self) -> bool:
        """Leaves the last page and empties the storage; whether another test can have it."""
        self.look = lambda url: None
        if self.page in _changed or self.context.pages != [self.page]:
            return False
        self.page.goto(self._blank)  # the same process goes on, and the last page's scripts end
        self.complain = lambda text: None
        self.page.evaluate("sessionStorage.clear()")
        self._devtools = self._devtools or self.context.new_cdp_session(self.page)
        self._devtools.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
        self.context.clear_cookies()
        self.page.mouse.move(0, 0)
        return True

    def close(self) -> None:
        _changed.discard(self.page)
        self.context.close()


class KeptPages:
    """The pages that no test has now, those used last at the end."""

    def __init__(self) -> None:
        self._free: list[tuple[str, KeptPage]] = []

    def take(self, browser: Browser, how: dict[str, Any]) -> KeptPage:
        """A page that was made with the same options, or a new one."""
        key = _key(how)
        for i, (other, kept) in enumerate(self._free):
            if other == key:
                del self._free[i]
                return kept
        return KeptPage(browser, how)

    def give_back(self, kept: KeptPage, how: dict[str, Any]) -> None:
        if not kept.clear():
            kept.close()
            return
        self._free.append((_key(how), kept))
        while len(self._free) > MOST_KEPT:
            self._free.pop(0)[1].close()

    def forget(self) -> None:
        """The browser has been closed, and all its pages."""
        self._free.clear()
        _changed.clear()


def _key(how: dict[str, Any]) -> str:
    return json.dumps(how, sort_keys=True)
