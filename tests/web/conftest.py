import ctypes.util
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from tests.web.browsing import QUIET, NewPage
from tests.web.serving import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    # Playwright's own programs are linked against libatomic, which a bare Debian does not have.
    if chromium is None or (sys.platform == "linux" and not ctypes.util.find_library("atomic")):
        reason = "no browser can run here; on Debian `apt install chromium libatomic1` brings what is missing"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield running
        running.close()


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest) -> str:
    """The address of the server whose pages are looked at."""
    return str(request.getfixturevalue("server").url)


@pytest.fixture
def new_page(browser: Browser, site: str) -> Iterator[NewPage]:
    """Makes pages of people who share nothing; afterwards none may have complained or asked another host."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(*, expected: tuple[str, ...] = (), **how: Any) -> Page:
        how = {"reduced_motion": "reduce", "base_url": site, **how}
        context = browser.new_context(**how)
        contexts.append(context)
        page = context.new_page()

        def complain(text: str) -> None:
            if not any(each in text for each in expected):
                complaints.append(text)

        def look(request: Request) -> None:
            if not request.url.startswith((how["base_url"], "data:", "blob:")):
                complain(request.url)

        page.on("console", lambda message: complain(message.text))
        page.on("pageerror", lambda error: complain(str(error)))
        page.on("request", look)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []
