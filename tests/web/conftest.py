import ctypes.util
import os
import shutil
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from tests.waiting import TIMEOUT
from tests.web.browser_helpers import QUIET, NewPage
from tests.web.server_process import Server

MILLISECONDS = TIMEOUT * 1000
expect.set_options(timeout=MILLISECONDS)

# Variants on other screens and with other colours run only with `--slow`, as each opens its own browser.
SLOW_VARIANTS = (
    "*test_models_browser.py::test_every_tab_fits*[[]size0-light*",
    "*test_models_browser.py::test_every_tab_fits*[[]size1*",
    "*test_models_browser.py::test_every_tab_fits*[[]size2*",
    "*test_models_browser.py::test_every_model_shows_all_tabs[[][!pf]*",
    "*test_models_browser.py::test_every_model_shows_all_tabs[[]pent[ea]*",
    "*test_models_browser.py::test_pictures_have_enough_contrast*[[]light*",
    "*test_models_browser.py::test_an_invalid_address_is_reported*=[9m]*",
    "*test_study_browser.py::test_nothing_is_wider_than_the_screen[[][13][28]*",
    "*test_learn_puzzles_browser.py::test_the_puzzles_are_listed*-desk*",
    "*test_learn_puzzles_browser.py::test_the_lessons_are_listed*desk*",
    "*test_browser_looks.py::test_axe_finds_no_violations_in_any_state[[]contrast*",
    "*test_browser_looks.py::test_nothing_is_wider*[[]size[12345]*",
    "*test_browser_looks.py::test_axe_finds_no_violations_in_any_state[[]light*",
    "*test_browser.py::test_axe_finds_no_violations[[]light*",
    "*test_study_browser.py::test_axe_finds_no_violations[[]light*",
    "*test_browser.py::test_axe_finds_no_violations_on_the_pentagram[[]light*",
    "*test_study_browser.py::test_every_game_is_played_from_a_position[[]pent[ea]*",
    "*test_learn_puzzles_browser.py::test_a_whole_lesson[[]pent[eo]*phone*",
    "*test_learn_puzzles_browser.py::test_a_whole_lesson[[]pentag[ao]*desk*",
    "*test_learn_puzzles_browser.py::test_a_puzzle_is_solved[[]*phone*",
    "*test_learn_puzzles_browser.py::test_a_puzzle_is_solved[[]pentago*desk*",
    "*test_learn_puzzles_browser.py::test_a_whole_lesson[[]pentago-phone*",
    "*test_browser_offline.py::test_a_game_continues_after_a_restart_of_the_server",
    "*test_learn_puzzles_browser.py::test_the_puzzles_are_listed[[]light*",
    "*test_engines.py::test_every_request_is_answered[[]*-[345]*",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(fnmatch(item.nodeid, pattern) for pattern in SLOW_VARIANTS):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    # Playwright's own programs are linked against libatomic, which a bare Debian does not have.
    if chromium is None or (sys.platform == "linux" and not ctypes.util.find_library("atomic")):
        reason = "No browser can run here. On Debian, `apt install chromium libatomic1` installs what is missing."
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=QUIET, timeout=MILLISECONDS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest) -> str:
    """The address of the server whose pages are tested."""
    return str(request.getfixturevalue("server").url)


@pytest.fixture
def new_page(browser: Browser, site: str) -> Iterator[NewPage]:
    """Makes pages with separate storage; afterwards, none may have logged an error or contacted another host."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(*, expected: tuple[str, ...] = (), **how: Any) -> Page:
        how = {"reduced_motion": "reduce", "base_url": site, **how}
        context = browser.new_context(**how)
        context.set_default_timeout(MILLISECONDS)
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
