"""The start of a game: the initial preview, what makes a room, and the list of the player's games."""

import json

import httpx
import pytest
from playwright.sync_api import Page, Request, expect

from tests.web.browser_helpers import NewPage, act, join, moves, open_room, place, play, targets

pytestmark = pytest.mark.browser


def rooms_made(page: Page) -> list[str]:
    """A list to which all requests that make a room are added."""
    made: list[str] = []

    def look(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/rooms"):
            made.append(request.url)

    page.on("request", look)
    return made


def test_the_board_of_the_last_game_is_closed_while_the_next_one_loads(new_page: NewPage) -> None:
    page = new_page()
    page.route_web_socket("**/api/rooms/*", lambda socket: None)  # this socket never answers
    page.goto("/play")
    expect(targets(page)).to_have_count(36)
    act(page, "new")
    page.locator("#new-form .main").click()
    page.wait_for_url("**/play/*")
    expect(targets(page)).to_have_count(0)
    expect(page.locator("#board")).to_have_attribute("aria-busy", "true")


def my_games(page: Page) -> int:
    return len(page.evaluate("fetch('/api/mine').then((answer) => answer.json())"))


@pytest.mark.slow
def test_a_preview_makes_no_room_and_the_first_touch_does(new_page: NewPage) -> None:
    page = new_page()
    made = rooms_made(page)
    for _ in range(3):
        page.goto("/play")
        expect(page.locator("#headline")).to_have_text("Your turn")
        expect(targets(page)).to_have_count(36)
    page.locator("#kinds button").nth(1).click()
    expect(page.locator("#title")).to_have_text("Pente")
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-against=here]").click()
    expect(page.locator("#headline")).to_have_text("White to move")
    page.reload()
    expect(page.locator("#title")).to_have_text("Pente")  # the address has the choice
    expect(page.locator("#headline")).to_have_text("White to move")
    assert made == []
    assert my_games(page) == 0
    page.locator("#kinds button").first.click()
    expect(page.locator("#title")).to_have_text("Pentago")
    page.locator("[data-against=computer]").click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    place(page, "a0").and_(targets(page)).click()
    expect(targets(page, ".twist").first).to_be_visible()
    expect(place(page, "a0").locator(".ball")).to_have_count(1)
    page.wait_for_url("**/play/*")
    assert len(made) == 1
    place(page, "1C").click()
    expect(moves(page)).to_have_count(2)
    assert len(made) == 1
    assert my_games(page) == 1


@pytest.mark.slow
def test_a_hint_on_the_preview_makes_a_room(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    expect(targets(page).first).to_be_visible()
    page.locator("#hint").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#message")).to_contain_text("Hint: place at ")


@pytest.mark.slow
def test_a_first_touch_that_fails_to_make_a_room_is_reverted(new_page: NewPage) -> None:
    page = new_page(expected=("503",))
    page.goto("/play")
    expect(targets(page).first).to_be_visible()
    refusal = json.dumps({"error": "Every room is in use. Try again later."})
    page.route("**/api/rooms", lambda route: route.fulfill(status=503, body=refusal, content_type="application/json"))
    place(page, "a0").click()
    expect(page.locator("#message")).to_have_text("Cannot start the game: Every room is in use. Try again later.")
    expect(place(page, "a0").locator(".ball")).to_have_count(0)
    page.unroute("**/api/rooms")
    place(page, "b0").and_(targets(page)).click()
    expect(targets(page, ".twist").first).to_be_visible()


@pytest.mark.slow
def test_the_list_of_games_has_more_pages_and_the_time_left(new_page: NewPage, site: str) -> None:
    page, other = new_page(), new_page()
    waiting = open_room(page, seats=["human", "open"], name="Ann", time={"days": 3})
    join(other, waiting, "Bob")
    play(page, "a0 4C")
    play(other, "f5 1A")
    expect(page.locator("#headline")).to_have_text("Your turn")
    key = next(each for each in page.context.cookies() if each["name"] == "pentad")["value"]
    with httpx.Client(base_url=site, cookies={"pentad": key}) as client:
        for _ in range(60):
            assert client.post("/api/rooms", json={"game": "pentago", "seats": ["human", "greedy"]}).status_code == 201
    act(page, "games")
    rows = page.locator(".game-list a")
    expect(rows).to_have_count(50)
    expect(page.locator("#waiting-games a")).to_have_count(1)
    expect(rows.first).to_contain_text("Your turn")  # although it is the oldest
    expect(rows.first).to_contain_text("3 days left")
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(61)
    expect(rows.nth(50)).to_be_focused()
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    rows.first.click()
    page.wait_for_url(f"**{waiting}")
