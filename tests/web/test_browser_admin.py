"""The operators' page, reports by players, notices and maintenance, in a browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pentad.store import Store
from pentad.store.moderation import Action, Kind, Moderation
from pentad.web.http.identity import hash_of
from tests.web.browser_helpers import NewPage, act, dialogs, join, moves, open_room, place, tab_to
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

TOKEN = "a-token-of-Olga"
EVIL = "<img src=x onerror=alert(1)>"
FRIENDS = {"seats": ["human", "open"]}
REFUSED = ("Failed to load resource",)  # of requests that are refused on purpose


def outside(database: str, work: Callable[[Moderation], Coroutine[Any, Any, object]]) -> None:
    """What another program does with the database."""
    store = Store.open(database)
    thread = threading.Thread(target=lambda: asyncio.run(work(Moderation(store))))  # Playwright has a loop here
    thread.start()
    thread.join()
    store.close()


def add_olga(database: str) -> None:
    """Makes the token of Olga, unless she has one."""

    async def add(moderation: Moderation) -> None:
        if not (await moderation.state()).operators:
            await moderation.add_operator("Olga", hash_of(TOKEN), "a test", 1.0)

    outside(database, add)


def from_outside(server: Server, kind: Kind, target: str = "", **more: Any) -> None:
    """What `pentad admin` does on the server's machine."""
    action = Action(kind=kind, target=target, **more)
    outside(server.database, lambda moderation: moderation.act(action, "root", 2.0))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an operator."""
    folder: Path = tmp_path_factory.mktemp("moderated")
    database = f"sqlite:///{folder}/games.db"
    add_olga(database)
    with Server(database=database) as running:
        yield running


def log_in(page: Page) -> None:
    page.goto(f"/admin#token={TOKEN}")
    expect(page.locator("#operator")).to_have_text("Olga")


def confirm(page: Page, *, reason: str = "") -> None:
    """Answers the dialog about an action."""
    expect(page.locator("#act-dialog")).to_be_visible()
    if reason:
        page.locator("#act-reason").fill(reason)
    page.locator("#act-submit").click()
    expect(dialogs(page)).to_have_count(0)


def find(page: Page, text: str) -> None:
    page.locator("#find-text").fill(text)
    page.locator("#find-text").press("Enter")
    expect(page.locator("#view > h2")).to_have_text(f"Search: {text}")


def test_a_link_with_a_token_logs_in_and_leaves_no_token_behind(new_page: NewPage) -> None:
    page = new_page(expected=REFUSED)
    page.goto("/admin")
    expect(page.locator("#token")).to_be_focused()
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    expect(page.locator("#log-in-error")).to_have_text("This token is not valid.")
    log_in(page)
    assert page.evaluate("location.href").endswith("/admin")
    assert page.evaluate("document.cookie") == ""
    page.reload()
    expect(page.locator("#operator")).to_have_text("Olga")
    page.locator("#log-out").click()
    expect(page.locator("#log-in")).to_be_visible()
    page.reload()
    expect(page.locator("#log-in")).to_be_visible()


def test_a_player_is_reported_muted_banned_and_renamed(new_page: NewPage) -> None:
    ann, bob, olga = new_page(expected=REFUSED), new_page(expected=(*REFUSED, "WebSocket")), new_page()
    address = open_room(ann, **FRIENDS, name="Ann")
    join(bob, address, EVIL)
    bob.locator("#chat-text").fill("you fool")
    bob.locator("#chat-text").press("Enter")
    expect(ann.locator("#chat-messages li")).to_contain_text("you fool")
    act(ann, "report")
    ann.locator("#report-line").select_option(index=1)
    ann.locator("#report-text").fill("Rude.")
    ann.get_by_role("button", name="Send", exact=True).last.click()
    expect(ann.locator("#message")).to_have_text("Thank you. The report was sent.")

    log_in(olga)
    report = olga.locator("#view .entries > li").first
    expect(report).to_contain_text("you fool")
    expect(report).to_contain_text(EVIL)
    expect(report.get_by_role("link", name="Open it")).to_have_attribute("href", address)
    report.get_by_role("button", name="Remove message…").click()
    confirm(olga, reason="insult")
    expect(ann.locator("#chat-messages li")).to_have_count(0)
    report.get_by_role("link", name=EVIL).click()
    expect(olga.locator("#view > h2")).to_have_text(EVIL)
    olga.get_by_role("button", name="Mute…").first.click()
    confirm(olga, reason="insults")
    expect(olga.get_by_text("is muted until")).to_be_visible()
    bob.locator("#chat-text").fill("again")
    bob.locator("#chat-text").press("Enter")
    expect(bob.locator("#message")).to_contain_text("You are muted until")
    olga.get_by_role("button", name="Rename…").first.click()
    olga.locator("#act-words").fill("Player")
    confirm(olga)
    expect(olga.locator("#view > h2")).to_have_text("Player")
    expect(ann.locator("#seats")).to_contain_text("Player")
    olga.get_by_role("button", name="Ban…", exact=True).first.click()
    confirm(olga, reason="insults")
    expect(bob.locator("#connection")).to_contain_text("You are banned until")
    expect(ann.locator("#seats .away")).to_be_visible()
    olga.get_by_role("button", name="Lift").last.click()
    expect(olga.locator("#view").get_by_text("is banned")).to_have_count(0)
    olga.get_by_role("button", name="Lift").click()
    expect(olga.locator("#view").get_by_text("is muted")).to_have_count(0)
    olga.get_by_role("link", name="Reports").click()
    olga.get_by_role("button", name="Handled").click()
    expect(olga.get_by_text("No report is waiting.")).to_be_visible()
    olga.get_by_role("link", name="Log").click()
    expect(olga.locator("#view .entries > li").first).to_contain_text("handle report")


def test_a_game_is_found_and_removed(new_page: NewPage) -> None:
    ann, olga = new_page(expected=(*REFUSED, "WebSocket")), new_page()
    address = open_room(ann, **FRIENDS, name="Zoe")
    place(ann, "a0").click()
    place(ann, "4C").click()
    expect(moves(ann)).to_have_count(1)
    log_in(olga)
    find(olga, "Zoe")
    olga.get_by_role("link", name="Zoe").first.click()
    expect(olga.get_by_role("heading", name="Here now")).to_be_visible()
    olga.locator(f"a[href='/admin/game/{address.rpartition('/')[2]}']").first.click()
    olga.get_by_role("button", name="Remove game…").click()
    confirm(olga, reason="rubbish")
    expect(olga.locator("#view .entries > li").first).to_contain_text("remove game")
    expect(ann.locator("#connection")).to_contain_text("This game does not exist")


def test_a_study_is_reported(new_page: NewPage) -> None:
    ann, olga = new_page(), new_page()
    ann.goto("/analyse?game=pentago&moves=a2+1C")
    ann.locator("#new-study").click()
    ann.locator("#study-form .main").click()
    expect(ann.locator("#chapters [aria-current]")).to_be_visible()
    ann.locator("#report").click()
    ann.locator("#report-reason").select_option("content")
    ann.locator("#report-form .main").click()
    expect(ann.locator("#message")).to_have_text("Thank you. The report was sent.")
    log_in(olga)
    olga.locator("#view .entries > li", has_text="Something illegal").get_by_role("link", name="Study").first.click()
    olga.get_by_role("button", name="Remove study…").click()
    confirm(olga)
    expect(olga.locator("#view .entries > li").first).to_contain_text("remove study")


def test_notices_are_shown_dismissed_and_replaced(new_page: NewPage, server: Server) -> None:
    ann, olga = new_page(), new_page()
    open_room(ann, **FRIENDS, name="Ann")
    log_in(olga)
    olga.get_by_role("link", name="Server").click()
    olga.get_by_role("button", name="Show a notice…").click()
    olga.locator("#act-words").fill(f"Cake at noon. {EVIL}")
    confirm(olga)
    expect(ann.locator("#notice-text")).to_have_text(f"Cake at noon. {EVIL}")
    ann.locator("#notice-dismiss").click()
    expect(ann.locator("#announcements")).to_be_hidden()
    ann.goto("/games")
    expect(ann.locator("#games-count")).to_be_visible()
    expect(ann.locator("#announcements")).to_be_hidden()
    from_outside(server, "notice", text="No cake.")
    expect(olga.locator("#notice-text")).to_have_text(f"Cake at noon. {EVIL}")
    olga.get_by_role("link", name="Bans").click()
    olga.get_by_role("link", name="Server").click()
    expect(olga.locator("#notice-text")).to_have_text("No cake.")
    ann.reload()
    expect(ann.locator("#notice-text")).to_have_text("No cake.")
    olga.get_by_role("button", name="Clear the notice").click()
    expect(olga.locator("#announcements")).to_be_hidden()


def test_the_server_closes_after_a_countdown_and_opens_again(new_page: NewPage, server: Server) -> None:
    quiet = (*REFUSED, "WebSocket")
    ann, olga = new_page(expected=quiet), new_page()
    open_room(ann, **FRIENDS, name="Ann")
    log_in(olga)
    olga.get_by_role("link", name="Server").click()
    olga.get_by_role("button", name="Close for maintenance…").click()
    olga.locator("#act-words").fill("Back at noon.")
    confirm(olga)
    expect(ann.locator("#closing")).to_contain_text("The server closes for maintenance in 9:5")
    expect(ann.locator("#closing")).to_contain_text("Back at noon.")
    from_outside(server, "close", text="Back at noon.", until=3.0)
    expect(ann.locator("#closing")).to_contain_text("The server is closed for maintenance.")
    expect(ann.locator("#connection")).to_contain_text("The server is closed for maintenance. Back at noon.")
    olga.goto("/admin/server")
    olga.get_by_role("button", name="Open the server").click()
    expect(olga.get_by_text("The server is open.")).to_be_visible()
    ann.reload()
    expect(ann.locator("#closing")).to_be_hidden()
    expect(ann.locator("#board .can").first).to_be_visible()


def test_everything_is_done_by_keyboard(new_page: NewPage) -> None:
    page = new_page(expected=REFUSED)
    log_in(page)
    tab_to(page, "#find-text")
    page.keyboard.type("nobody")
    page.keyboard.press("Enter")
    expect(page.locator("#view > h2")).to_be_focused()
    tab_to(page, "#views a[data-view=bans]", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#view > h2")).to_have_text("Bans")
    tab_to(page, "#view button")
    page.keyboard.press("Enter")
    expect(page.locator("#act-target")).to_be_focused()
    page.keyboard.type("203.0.113.0/24")
    tab_to(page, "#act-time")
    page.keyboard.type("1 day")
    tab_to(page, "#act-reason")
    page.keyboard.type("a flood")
    page.keyboard.press("Enter")
    expect(page.locator("#view .entries > li")).to_contain_text("203.0.113.0/24")
    tab_to(page, "#view .entries button")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nobody is banned or muted.")).to_be_visible()
    assert page.evaluate("document.activeElement !== document.body")
    tab_to(page, "#view button", "Shift+Tab")
    page.keyboard.press("Enter")
    page.keyboard.type("::/0")
    page.keyboard.press("Enter")
    expect(page.locator("#act-error")).to_contain_text("::/0 is too wide.")
    page.keyboard.press("Escape")
    expect(dialogs(page)).to_have_count(0)
    expect(page.locator("#view button").first).to_be_focused()
