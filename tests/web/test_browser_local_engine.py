"""The Analysis page with an engine on the user's machine."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web import server_thread
from tests.web.browser_helpers import NewPage, accessible
from tests.web.local_engine_process import serving

pytestmark = pytest.mark.browser
NONE = "No engine answers at this address, or it does not allow this page. Trying again…"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server_thread.serving(server_thread.InThreads(), tmp_path_factory.mktemp("study")) as url:
        yield url


def connect(page: Page, address: str) -> None:
    page.locator(".engine .menu summary").click()
    page.locator("#engine-place").select_option("local")
    page.locator("#engine-address").fill(address)
    page.locator("#engine-address").press("Enter")


@pytest.mark.slow
def test_an_engine_of_the_users_machine(new_page: NewPage, site: str) -> None:
    page = new_page(expected=("ws://localhost",))
    page.goto("/analyse?game=pente")
    expect(page.locator("#engine-on")).to_be_checked()
    with serving("--allow", site, "--bot", "greedy") as (_, address):
        connect(page, address)
        expect(page.locator("#engine-command")).to_have_text(f"pentad engine --serve --allow {site}")
        expect(page.locator("#engine-note")).to_have_text(re.compile(r"^Move by greedy after \d+\.\d s$"))
        expect(page.locator("#lines .move")).to_have_count(1)
        accessible(page)
        page.reload()
        expect(page.locator("#engine-note")).to_have_text(re.compile("^Move by greedy"))  # the choice is kept
    page.locator("#lines .move").click()
    expect(page.locator("#engine-note")).to_have_text(NONE)  # the engine has ended
    page.locator(".engine .menu summary").click()
    page.locator("#engine-address").fill("https://elsewhere.example")
    page.locator("#engine-address").press("Enter")
    assert not page.locator("#engine-address").evaluate("field => field.validity.valid")


def test_a_page_that_is_not_allowed(new_page: NewPage) -> None:
    page = new_page(expected=("ws://localhost",))
    page.goto("/analyse?game=pente")
    expect(page.locator("#engine-on")).to_be_checked()
    with serving("--allow", "https://pentad.example", "--bot", "greedy") as (_, address):
        connect(page, address)
        expect(page.locator("#engine-note")).to_have_text(NONE)
        expect(page.locator("#lines .move")).to_have_count(0)
