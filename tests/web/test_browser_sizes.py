"""Dialogs and panels on five sizes of screens: what one presses next is in sight without scrolling."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser_helpers import NewPage, act, dialogs, fits, open_room
from tests.web.test_browser_analyse_layout import OUT_OF_SIGHT, SIZES

pytestmark = pytest.mark.browser

PHONES = [(390, 844), (320, 568)]


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def test_the_buttons_of_a_dialog_are_in_sight(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    expect(page.locator("#start")).to_be_visible()
    for name in ("settings", "help", "new"):
        act(page, name)
        expect(dialogs(page)).to_be_visible()
        for size in SIZES:
            resize(page, size)
            assert page.evaluate(OUT_OF_SIGHT, ["dialog[open] .buttons .main"]) == [], (name, size)
            fits(page)
        resize(page, SIZES[0])
        page.keyboard.press("Escape")
        expect(dialogs(page)).to_have_count(0)


def test_the_settings_need_no_scrolling_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto("/play")
    expect(page.locator("#start")).to_be_visible()
    act(page, "settings")
    assert page.locator("#settings-dialog").evaluate("each => each.scrollHeight <= each.clientHeight")


@pytest.mark.parametrize(
    ("path", "buttons", "in_a_row"),
    [("/models/pentago", "#tabs button", (5, 5)), ("/learn/pente", ".progress button", (8, 4))],
)
def test_no_button_stands_alone_in_a_row_on_a_phone(
    new_page: NewPage, path: str, buttons: str, in_a_row: tuple[int, int]
) -> None:
    page = new_page()
    page.goto(path)
    expect(page.locator(buttons).last).to_be_visible()
    for size, count in zip(PHONES, in_a_row, strict=True):
        resize(page, size)
        tops = page.locator(buttons).evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
        assert [tops.count(top) for top in tops] == [count] * len(tops), size
        assert page.locator(buttons).last.evaluate("each => each.getBoundingClientRect().right <= innerWidth")
        fits(page)


def test_the_link_of_an_invitation_is_in_sight_on_a_phone(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, seats=["human", "open"], name="Ann")
    expect(page.locator("#share")).to_be_visible()
    for size in PHONES:
        resize(page, size)
        page.evaluate("scrollTo(0, 0)")
        assert page.evaluate(OUT_OF_SIGHT, ["#link", "#copy", "#code"]) == [], size
        fits(page)


def test_the_board_of_five_players_is_whole_on_a_phone(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game="pentagame", seats=["human"] * 5, options={"players": 5})
    for size in PHONES:
        resize(page, size)
        page.evaluate("scrollTo(0, 0)")
        box = page.locator("#board svg").bounding_box()
        assert box
        assert box["y"] + box["height"] <= size[1], size


def test_an_address_without_a_page_says_so_in_one_column(new_page: NewPage) -> None:
    page = new_page(expected=("404",))
    page.goto("/nothing")
    for size in SIZES:
        resize(page, size)
        title, text = page.locator("main h1").bounding_box(), page.locator("main p").first.bounding_box()
        assert title
        assert text
        assert title["x"] == text["x"] >= 16
        assert title["y"] + title["height"] <= text["y"]
        fits(page)
