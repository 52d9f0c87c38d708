"""Fields and moves on the play page are in words; the short notation alone is only in the list of moves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser_helpers import NewPage, moves, open_room, place, targets
from tests.web.test_browser_touch import CENTRE, phone, tap

pytestmark = pytest.mark.browser

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
TALL_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NOTATION = re.compile(r"\[\d|\b[A-Za-z][1-6][A-Za-z]\b|[A-Za-z0-9]>|\b[bg]:")
BESIDE_WORDS = re.compile(r"(?<=\w) \([A-Za-z0-9]+\)")

SHOWN = """() => [...document.querySelectorAll(
        "#headline, #detail, #message, #announcer, .loupe-name, button:not(#moves *)")]
    .filter(each => each.checkVisibility()).map(each => each.innerText).filter(Boolean)"""

CUT = """() => [...document.querySelectorAll("#headline, #detail, #message, [data-aim] button, .loupe-name")]
    .filter(each => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1).map(each => each.innerText)"""


def choose(page: Page, *names: str) -> None:
    for name in names:
        place(page, name).and_(targets(page)).dispatch_event("click")


def expect_words(page: Page) -> None:
    """Expects words on the page, and that they are not cut."""
    texts = page.evaluate(SHOWN)
    assert len(texts) > 5
    assert not [text for text in texts if NOTATION.search(BESIDE_WORDS.sub("", text))]
    assert not page.evaluate(CUT)


@pytest.mark.parametrize("device", [LAPTOP, TALL_PHONE], ids=["laptop", "phone"])
def test_a_game_of_pentagame_is_in_words(new_page: NewPage, device: dict[str, object]) -> None:
    page = new_page(**device)
    open_room(page, game="pentagame", seats=["human", "human"])
    expect(page.locator("#detail")).to_have_text("Move a piece.")
    choose(page, "piece 0.3")
    expect(page.locator("#announcer")).to_have_text(
        "Circle's red piece on the red corner selected. Choose a destination."
    )
    expect_words(page)
    choose(page, "[5,0,0]")
    expect(page.locator("#detail")).to_have_text("Put the black block on an empty field.")
    expect_words(page)
    choose(page, "[5,2,2]")
    expect(moves(page)).to_have_text(["R>w b:w2Y"])
    words = (
        "Circle's red piece goes to the white junction and takes the black block. "
        "The black block goes to the 2nd stop from the white junction towards the yellow corner."
    )
    expect(page.locator("#announcer")).to_have_text(f"{words} Square to move a piece.")
    expect(moves(page).get_by_role("button")).to_have_accessible_name(f"R>w b:w2Y: {words}")
    expect_words(page)
    page.locator("#hint").click()
    expect(page.locator("#message")).to_have_text(re.compile(r"^Hint: (move|swap|bring) the \w+ piece .*\.$"))
    expect_words(page)
    choose(page, "piece 1.4", "[4,2,0]")
    expect(moves(page)).to_have_count(2)
    page.locator("#back").click()
    expect(page.locator("#detail")).to_have_text(f"After move 1 of 2. {words}")
    expect_words(page)


def test_the_button_of_an_aim_says_what_it_does(new_page: NewPage) -> None:
    page = new_page(**phone(320))
    open_room(page, game="pentagame", seats=["human", "human"])
    choose(page, "piece 0.3", "[5,0,0]")
    expect(page.locator("#detail")).to_have_text("Put the black block on an empty field.")
    tap(page, "[8,6,1]")
    put = page.get_by_role(
        "button", name="Put the black block here 6th stop from the red junction towards the green corner (r6G)"
    )
    expect(put).to_be_in_viewport(ratio=1)
    expect(page.locator("#board .aim .mark-label")).to_have_text("r6G")
    expect_words(page)
    put.tap()
    expect(moves(page)).to_have_text(["R>w b:r6G"])
    choose(page, "piece 1.3")
    tap(page, "piece 0.2")
    expect(
        page.get_by_role("button", name=re.compile("^Swap the red piece with circle's yellow piece"))
    ).to_be_visible()
    expect_words(page)


def test_the_loupe_names_the_field(new_page: NewPage) -> None:
    page = new_page(**TALL_PHONE)
    open_room(page, game="pentagame", seats=["human", "human"])
    choose(page, "piece 0.3", "[5,0,0]")
    expect(page.locator("#detail")).to_have_text("Put the black block on an empty field.")
    x, y = page.evaluate(CENTRE, "[5,2,2]")
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(page.locator(".loupe-name")).to_have_text("2nd stop from the white junction towards the yellow corner")
    expect_words(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(moves(page)).to_have_text(["R>w b:w2Y"])
