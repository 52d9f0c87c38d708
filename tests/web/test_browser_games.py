"""The Games page: lists, search, pages of games, pictures, the keyboard and its looks."""

import re
import time

import httpx
import pytest
from playwright.sync_api import Page, expect

from pentad.store.rows import EventRow, PendingTurn
from tests.cases import slow_but
from tests.web.browser_helpers import NewPage, fits, open_room
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

NAME = "Bob Wellington-Smythe"
DAY = 24 * 3600
SIZES = [(320, 640), (844, 390), (390, 844), (1440, 900)]


def rows(page: Page) -> list[str]:
    return page.locator(".game-list .players").all_inner_texts()


def user(page: Page) -> dict[str, str]:
    """The cookie of a page's user."""
    return {each["name"]: each["value"] for each in page.context.cookies()}


def finish(server: Server, room: str, result: str, reason: str, days_ago: float) -> None:
    """Ends a game of two players in the database, some days ago."""
    import sqlite3

    from pentad.store.rows import changes_by

    end = EventRow(0, "resign", 0, "", time.time() - days_ago * DAY, ())
    changes = changes_by(end, None, 0, result, reason, PendingTurn())
    sets = ", ".join(f"{name} = :{name}" for name in changes)
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as raw:
        raw.execute("PRAGMA busy_timeout = 60000")
        assert raw.execute(f"UPDATE games SET {sets} WHERE name = :room", {**changes, "room": room}).rowcount == 1
    raw.close()


def with_games(page: Page, server: Server) -> None:
    """A user with a game that waits, one against the computer, and three finished games."""
    address = open_room(page, seats=["human", "open"], name="Ann", time={"days": 2})
    server.sit(address.rpartition("/")[2], name=NAME)
    key = user(page)
    server.make(key, game="pente", seats=["human", "engine@3"], options={"size": 9})
    for result, reason, days in (("1-0", "captures", 40), ("0-1", "resigned", 400), ("1/2-1/2", "agreed", 401)):
        room, _ = server.make(key, game="pente", seats=["human", "open"])
        server.sit(room, name="Cleo" if days == 40 else NAME)
        finish(server, room, result, reason, days)


def test_games_are_listed_by_turn_and_month(new_page: NewPage, server: Server) -> None:
    page = new_page()
    with_games(page, server)
    page.goto("/")
    page.get_by_role("link", name="Games", exact=True).click()
    page.wait_for_url("**/games")
    expect(page.locator("#games-count")).to_have_text("5 games")
    assert rows(page)[:2] == [f"Pentago against {NAME}", "Pente against Computer (level 3)"]
    assert rows(page)[2:] == [
        "Pente: you beat Cleo",
        f"Pente: you lost to {NAME}",
        f"Pente: you drew with {NAME}",
    ]
    expect(page.locator("#waiting-games")).to_contain_text("Your turn")
    finished = page.locator("#finished-games section")
    expect(finished.locator("h2")).to_have_text([re.compile(r"^[A-Z][a-z]+ 20\d\d$")] * finished.count())
    expect(finished.locator("strong")).to_have_text(["Won", "Lost", "Draw"])
    ends = "You, White, won by captures", "You, White, resigned", "You played White · Draw by agreement"
    expect(finished.locator("li")).to_contain_text(ends)
    names = [each.get_attribute("aria-labelledby") for each in finished.all()]
    assert len(set(names)) == len(names) == page.locator(", ".join(f"h2#{name}" for name in names)).count()
    picture = page.locator(".game-list img").first
    expect(picture).to_have_attribute("src", re.compile(r"/picture\.svg\?at="))
    assert picture.evaluate("each => each.decode().then(() => each.naturalWidth)") > 100
    page.locator("#waiting-games a").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/*")


@pytest.mark.slow
def test_a_search_is_in_the_address(new_page: NewPage, server: Server) -> None:
    page = new_page()
    with_games(page, server)
    page.goto("/games")
    count = page.locator("#games-count")
    page.get_by_label("Opponent").fill("  wELL")
    expect(count).to_have_text("3 games")
    page.get_by_label("Result").select_option("Lost")
    expect(count).to_have_text("1 game")
    assert page.url.endswith("/games?opponent=wELL&result=lost")
    page.reload()
    expect(count).to_have_text("1 game")
    assert page.get_by_label("Opponent").input_value() == "wELL"
    page.locator("#search-game").select_option("pentagame")
    expect(count).to_have_text("No games match.")
    expect(page.locator(".game-list li")).to_have_count(0)
    page.get_by_role("button", name="Show all games").press("Enter")
    expect(count).to_have_text("5 games")
    expect(page.get_by_label("Opponent")).to_be_focused()
    assert page.url.endswith("/games")
    page.goto("/games?game=pente&result=running")
    expect(count).to_have_text("1 game")
    assert rows(page) == ["Pente against Computer (level 3)"]
    page.goto("/games?game=chess&result=lucky")  # unknown values count as none
    expect(count).to_have_text("5 games")


@pytest.mark.slow
def test_without_games_the_page_says_so(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/games")
    expect(page.locator("#games-count")).to_have_text("No games yet.")
    expect(page.locator("#running-games")).to_be_hidden()
    page.get_by_role("link", name="Play a game").click()
    page.wait_for_url(lambda url: "games" not in url)


def test_without_a_server_the_page_says_so_and_works_again(new_page: NewPage) -> None:
    page = new_page(expected=("net::ERR_FAILED", "Failed to load resource"))
    page.route("**/api/mine/found*", lambda route: route.abort())
    page.goto("/games")
    expect(page.locator("#message")).to_have_text("The server cannot be reached.")
    expect(page.locator("#games-count")).to_have_text("Could not load your games.")
    page.unroute("**/api/mine/found*")
    page.get_by_label("Result").select_option("Won")
    expect(page.locator("#games-count")).to_have_text("No games match.")
    expect(page.locator("#message")).to_be_hidden()


@pytest.mark.slow
def test_pictures_below_the_screen_are_loaded_later_and_move_nothing(new_page: NewPage, site: str) -> None:
    page = new_page(viewport={"width": 844, "height": 390})
    open_room(page, seats=["human", "human"])
    with httpx.Client(base_url=site, cookies=user(page)) as client:
        for _ in range(20):
            client.post("/api/rooms", json={"game": "pentagame", "seats": ["human", "human"]}).raise_for_status()
    page.goto("/games")
    expect(page.locator(".game-list img[src]").first).to_be_visible()
    assert page.locator(".game-list img:not([src])").count() > 5
    height = page.evaluate("document.documentElement.scrollHeight")
    page.locator(".game-list a").last.scroll_into_view_if_needed()
    expect(page.locator(".game-list img").last).to_have_attribute("src", re.compile("picture"))
    assert page.evaluate("document.documentElement.scrollHeight") == height


@pytest.mark.slow
@pytest.mark.parametrize("size", slow_but(SIZES, SIZES[0]))
def test_the_page_fits_the_screen(new_page: NewPage, server: Server, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    with_games(page, server)
    for address, count in (("/games", "5 games"), ("/games?opponent=zzz", "No games match.")):
        page.goto(address)
        expect(page.locator("#games-count")).to_have_text(count)
        fits(page)
        tops = page.locator(".search label").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
        assert len(set(tops)) == 1  # all are in one row
