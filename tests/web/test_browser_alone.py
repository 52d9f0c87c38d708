"""The Play page where nobody else can join."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.cases import slow
from tests.web.browser_helpers import NewPage, act, place, play, targets

pytestmark = pytest.mark.browser


def open_alone(page: Page, remote: str) -> None:
    def without_friends(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "friends": False, "friends_server": remote})

    page.route("**/api/games", without_friends)
    page.goto("/play")
    expect(targets(page).first).to_be_visible()


def words(options: Locator) -> list[str]:
    return [text for text in options.all_text_contents() if "friend" in text.lower() or "day" in text]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("remote", "line"),
    [
        ("https://play.example.org/", "To play other people, go to play.example.org."),
        slow("", ""),
    ],
)
def test_without_friends_a_line_says_where_to_play_them(new_page: NewPage, remote: str, line: str) -> None:
    page = new_page()
    open_alone(page, remote)
    shown = [line] * bool(remote)  # nothing offers what needs a server, unless there is one
    expect(page.locator("[data-alone]:visible")).to_have_text(shown)
    assert page.locator("#start a:visible").evaluate_all("all => all.map(each => each.href)") == [remote] * bool(remote)
    expect(page.locator("[data-friends]:visible")).to_have_count(0)
    act(page, "new")
    expect(page.locator("#new-dialog [data-alone]:visible")).to_have_text(shown)
    assert words(page.locator("#new-dialog option")) == []
    page.locator("#new-cancel").click()
    act(page, "settings")
    expect(page.locator("#settings-dialog")).not_to_contain_text("Your name", use_inner_text=True)
    page.keyboard.press("Escape")
    page.locator("[data-against=here]").click()
    expect(page.locator("#headline")).to_have_text("Black to move")
    play(page, "a0 1C")
    expect(page.locator("[data-friends]:visible, [data-alone]:visible")).to_have_count(0)
    act(page, "games")
    expect(page.locator("#games-count")).to_have_text("1 game")
    expect(page.locator("[data-friends]:visible")).to_have_count(0)


def test_with_friends_no_line_says_so(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    place(page, "a0").wait_for()
    expect(page.locator("[data-against=friend]")).to_be_visible()
    act(page, "new")
    expect(page.locator("[data-preset=friend]")).to_be_visible()
    assert len(words(page.locator("#new-dialog option"))) > 2
    expect(page.locator("[data-alone]:visible")).to_have_count(0)
