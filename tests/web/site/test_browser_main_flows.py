"""What a visitor of the site does: a move in each game, a puzzle, a lesson, a review, a model and an exact value."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

import pentad
from pentad.game import names
from pentad.search.bot import bot
from tests.web.browser_helpers import moves, place, targets
from tests.web.conftest import BROWSER, opened
from tests.web.kept_pages import KeptPage
from tests.web.site.host import Host
from tests.web.site.page_helpers import analyse, note, touches

pytestmark = pytest.mark.browser

LOST_WIN = pentad.load("pentago .wbbbb/wwbbwb/wb.wwb/bb.wbw/..ww../b.wbww")
LATE = pentad.load("pentago bwbwbw/.b..wb/wbwb../.wbw../bw.b../wbw..b")  # white to move, 23 marbles


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page of one visitor: Python starts once, and then from its snapshot. No script may log an error."""
    browser = BROWSER.get()
    host: Host = request.getfixturevalue("shared_host")
    pages = contextlib.contextmanager(opened)(
        lambda how: KeptPage(browser, how), lambda kept, how: kept.close(), base_url=host.url, service_workers="allow"
    )
    with pages as new_page:
        yield new_page()


def shown(page: Page, wanted: Locator) -> Locator:
    """Waits until an element is visible; a worker that has stopped fails the test at once, with its details."""
    expect(wanted.or_(note(page)).first).to_be_visible()
    assert note(page).count() == 0, page.locator(".site-details pre").text_content()
    return wanted


@pytest.mark.parametrize("name", names())
def test_a_move_and_its_answer(page: Page, name: str) -> None:
    page.goto(f"play/?game={name}")
    position = pentad.new(name)
    for target in touches(position, str(bot(name, "greedy", seed=1).choose(position))):
        shown(page, place(page, target).and_(targets(page))).click()
    shown(page, moves(page).nth(1))
    expect(page.locator("#headline")).to_have_text("Your turn")


def test_a_puzzle(page: Page) -> None:
    page.goto("puzzles/")
    shown(page, page.locator("#today a").first).click()
    shown(page, targets(page).first)
    page.get_by_role("button", name="Solution").click()
    expect(page.locator("#line li").first).to_be_visible()


def test_a_mistake_of_an_own_game(page: Page) -> None:
    """Its review, the better move, the puzzle that is kept of it, and its analysis."""
    page.goto(f"review/?{urlencode({'start': LOST_WIN.text, 'moves': 'f1 1A', 'seat': LOST_WIN.turn})}")
    shown(page, page.locator("#learn")).click()
    for target in touches(LOST_WIN, "c2 1A"):
        shown(page, place(page, target).and_(targets(page))).click()
    expect(page.locator("#verdict")).to_have_text("Good move.")
    page.get_by_role("button", name="Back to the review").click()
    page.get_by_role("link", name="Analyse this game").click()
    shown(page, page.locator("#tree .marked.blunder"))
    page.go_back()
    shown(page, page.locator("#finding"))
    page.get_by_role("link", name="Puzzles from your games").click()
    shown(page, page.locator("#own-list").get_by_text("Due in 1 day"))
    page.locator("#own-list a").click()
    shown(page, targets(page).first)
    expect(page.locator("#task-text")).to_have_text("You played f1 1A??.")


def test_a_lesson(page: Page) -> None:
    page.goto("learn/")
    shown(page, page.locator("#lessons a").first).click()
    shown(page, targets(page).first)
    expect(page.locator("#headline")).to_have_text("A turn has two parts")


def test_a_model(page: Page) -> None:
    page.goto("models/")
    shown(page, page.get_by_role("link", name="The ferry")).click()
    shown(page, page.locator("#start-picture [data-node]").nth(5))
    page.get_by_role("tab", name="Step").click()
    page.get_by_role("button", name="Random", exact=True).click()
    expect(page.locator("#trace li:not(.none)")).to_have_count(1)


def test_an_exact_value(page: Page) -> None:
    analyse(page, LATE)
    shown(page, page.locator("#values-note").filter(has_text="Exact value: "))
