"""The help behind "?" and the menus of the Play page: by mouse, key and touch, with the focus back where it was."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser_helpers import NewPage, act, join, open_room, place, targets

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


@pytest.mark.slow
def test_help_opens_by_button_and_key_and_gives_the_focus_back(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game="pente", options={"rules": "keryo"}, seats=["human", "open"])
    expect(targets(page).first).to_be_visible()
    dialog = page.locator("#help-dialog")
    page.locator("#help").focus()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    expect(page.locator("#guide")).to_contain_text("Capturing 15 stones wins too", use_inner_text=True)
    expect(page.locator("#terms")).to_be_visible()
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#help")).to_be_focused()
    place(page, "K10").focus()
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    page.keyboard.press("?")  # it opens only once
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(place(page, "K10")).to_be_focused()
    join(new_page(), page.url, "Bob")  # the chat is there for two
    page.locator("#chat-text").press("?")
    expect(page.locator("#chat-text")).to_have_value("?")
    expect(dialog).to_be_hidden()


def test_a_page_without_help_has_no_button_for_it(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    expect(page.locator("#today li").first).to_be_visible()
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_have_count(0)


def inside(page: Page, selector: str) -> bool:
    return bool(page.evaluate("selector => document.activeElement.closest(selector) !== null", selector))


@pytest.mark.slow
def test_the_menu_of_actions_closes_when_it_is_left(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, seats=["human", "human"])
    expect(targets(page).first).to_be_visible()
    menu, summary = page.locator("#more-menu"), page.locator("#more-menu summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#new")).to_be_visible()
    page.keyboard.press("Tab")
    assert inside(page, "#more-menu > div")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#new")).to_be_visible()
    page.keyboard.press("Shift+Tab")  # the focus is not trapped
    expect(menu).not_to_have_attribute("open", "")
    summary.click()
    expect(page.locator("#flip")).to_be_visible()
    page.mouse.click(5, 5)
    expect(page.locator("#flip")).to_be_hidden()
    act(page, "flip")
    expect(page.locator("#flip")).to_be_hidden()
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_the_menus_fit_a_small_phone(new_page: NewPage) -> None:
    page = new_page(**PHONE)
    open_room(page, seats=["human", "human"])
    expect(targets(page).first).to_be_visible()
    box = """each => { const box = each.getBoundingClientRect();
        return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight; }"""
    page.locator("#more-menu summary").tap()
    assert page.locator("#more-menu > div").evaluate(box)
    page.locator("#more-menu summary").tap()
    page.evaluate("scrollTo(0, 0)")
    page.locator("#pages-menu").tap()
    expect(page.locator("#pages")).to_be_visible()
    assert page.locator("#pages").evaluate(box)
    for link in page.locator("#pages a").all():
        assert link.evaluate("each => each.getBoundingClientRect().height") >= 44
    page.keyboard.press("Escape")
    expect(page.locator("#pages")).to_be_hidden()
    expect(page.locator("#pages-menu")).to_be_focused()
    page.locator("#pages-menu").tap()
    page.get_by_role("link", name="Learn", exact=True).tap()
    page.wait_for_url("**/learn")
