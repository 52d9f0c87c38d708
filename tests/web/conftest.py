import ctypes.util
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.waiting import TIMEOUT
from tests.web.browser_helpers import QUIET, NewPage
from tests.web.kept_pages import KeptPage, KeptPages
from tests.web.server_process import Server

NO_WORKER = "Service Worker registration blocked by Playwright"
MILLISECONDS = TIMEOUT * 1000
expect.set_options(timeout=MILLISECONDS)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The server of all tests that neither stop it nor need settings of their own."""
    with Server() as running:
        yield running


class SharedBrowser:
    """A browser that stays open as long as browser tests follow each other.

    While Playwright runs, its event loop is in the way of tests with asyncio, so other tests close it first.
    """

    def __init__(self) -> None:
        self._open: tuple[Playwright, Browser] | None = None
        self.pages = KeptPages()

    def get(self) -> Browser:
        if self._open is None:
            # Without windows it needs two thirds of the time.
            chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            # Playwright's own programs are linked against libatomic, which a bare Debian does not have.
            if chromium is None or (sys.platform == "linux" and not ctypes.util.find_library("atomic")):
                reason = (
                    "No browser can run here. On Debian, `apt install chromium-headless-shell libatomic1` installs it."
                )
                pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
            playwright = sync_playwright().start()
            launched = playwright.chromium.launch(executable_path=chromium, args=QUIET, timeout=MILLISECONDS)
            self._open = playwright, launched
        return self._open[1]

    def close(self) -> None:
        if self._open is not None:
            playwright, launched = self._open
            self._open = None
            self.pages.forget()
            launched.close()
            playwright.stop()


BROWSER = SharedBrowser()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    if nextitem is None or nextitem.get_closest_marker("browser") is None:
        BROWSER.close()


@pytest.fixture
def browser() -> Browser:
    return BROWSER.get()


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest) -> str:
    """The address of the server whose pages are tested."""
    return str(request.getfixturevalue("server").url)


@pytest.fixture(scope="module")
def service_workers() -> str:
    """Whether pages may have service workers; one would request all files again for each new page."""
    return "block"


@pytest.fixture
def new_page(browser: Browser, site: str, service_workers: str) -> Iterator[NewPage]:
    """Makes pages with empty storage; afterwards, none may have logged an error or contacted another host."""
    used: list[tuple[KeptPage, dict[str, Any]]] = []
    complaints: list[str] = []

    def make(*, expected: tuple[str, ...] = (), **how: Any) -> Page:
        how = {"reduced_motion": "reduce", "base_url": site, "service_workers": service_workers, **how}
        # A service worker outlives its page, and a server of the test's own ends with the test.
        is_kept = how["service_workers"] == "block" and how["base_url"] == site
        kept = BROWSER.pages.take(browser, how) if is_kept else KeptPage(browser, how)
        used.append((kept, how if is_kept else {}))

        def complain(text: str) -> None:
            if not any(each in text for each in (NO_WORKER, *expected)):
                complaints.append(text)

        def look(url: str) -> None:
            if not url.startswith((how["base_url"], "data:", "blob:")):
                complain(url)

        kept.complain, kept.look = complain, look
        return kept.page

    yield make
    for kept, how in used:
        if how:
            BROWSER.pages.give_back(kept, how)
        else:
            kept.close()
    assert complaints == []
