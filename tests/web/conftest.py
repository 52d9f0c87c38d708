import ctypes.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.waiting import TIMEOUT
from tests.web.browser_helpers import QUIET, NewPage
from tests.web.firefox import Firefox
from tests.web.kept_pages import KeptPage, KeptPages
from tests.web.server_process import Server

NO_WORKER = "Service Worker registration blocked by Playwright"
MILLISECONDS = TIMEOUT * 1000
Options = dict[str, Any]  # a context of Playwright's takes them
expect.set_options(timeout=MILLISECONDS)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The server of all tests that neither stop it nor need settings of their own."""
    with Server() as running:
        yield running


class SharedBrowser:
    """Browsers that stay open as long as browser tests follow each other.

    While Playwright runs, its event loop is in the way of tests with asyncio, so other tests close them first.
    """

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._chromium: Browser | None = None
        self._firefoxes: dict[bool, Firefox] = {}
        self.pages = KeptPages()

    def get(self) -> Browser:
        """Chromium."""
        if self._chromium is None:
            # Without windows it needs two thirds of the time.
            program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            playwright = self._start(program, "browser", "chromium-headless-shell libatomic1")
            self._chromium = playwright.chromium.launch(executable_path=program, args=QUIET, timeout=MILLISECONDS)
        return self._chromium

    def firefox(self, is_still: bool) -> Firefox:
        """Firefox, with or without reduced motion."""
        if is_still not in self._firefoxes:
            program = shutil.which("firefox-esr") or shutil.which("firefox")
            playwright = self._start(program, "Firefox", "firefox-esr libatomic1")
            self._firefoxes[is_still] = Firefox(playwright, str(program), is_still)
        return self._firefoxes[is_still]

    def _start(self, program: str | None, name: str, packages: str) -> Playwright:
        # Playwright's own programs are linked against libatomic, which a bare Debian does not have.
        if program is None or (sys.platform == "linux" and not ctypes.util.find_library("atomic")):
            reason = f"No {name} can run here. On Debian, `apt install {packages}` installs it."
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
        if self._playwright is None:
            self._playwright = sync_playwright().start()
        return self._playwright

    def close(self) -> None:
        self.pages.forget()
        for browser in filter(None, (self._chromium, *self._firefoxes.values())):
            browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._playwright = self._chromium = None
        self._firefoxes.clear()


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

    def is_kept(how: Options) -> bool:
        # A service worker outlives its page, and a server of the test's own ends with the test.
        return bool(how["service_workers"] == "block" and how["base_url"] == site)

    def take(how: Options) -> KeptPage:
        return BROWSER.pages.take(browser, how) if is_kept(how) else KeptPage(browser, how)

    def leave(kept: KeptPage, how: Options) -> None:
        BROWSER.pages.give_back(kept, how) if is_kept(how) else kept.close()

    yield from opened(take, leave, base_url=site, service_workers=service_workers)


def opened(
    take: Callable[[Options], KeptPage], leave: Callable[[KeptPage, Options], None], **default: Any
) -> Iterator[NewPage]:
    """The fixture of new pages, which takes a page for the options of a context and leaves it after the test."""
    used: list[tuple[KeptPage, Options]] = []
    complaints: list[str] = []

    def make(*, expected: tuple[str, ...] = (), **how: Any) -> Page:
        how = {"reduced_motion": "reduce", **default, **how}
        kept = take(how)
        used.append((kept, how))

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
        leave(kept, how)
    assert complaints == []
