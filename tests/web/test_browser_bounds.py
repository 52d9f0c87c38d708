"""Pages in a browser whose address has exceeded its limits."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.web.browser_helpers import BLANK, NewPage, open_room, place, targets
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

FULL = "oo many connections from your address"
COMPLAINT = ("429",)  # logged in the console

# Counts how often the connection message is updated, and how often it is hidden.
WATCH = """() => {
    const [line, count] = [document.getElementById("connection"), document.body.dataset];
    [count.updated, count.hidden] = [0, 0];
    const seen = new MutationObserver(() => count[line.hidden ? "hidden" : "updated"]++);
    seen.observe(line, {attributes: true, childList: true});
}"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that allows an address one socket and few requests, and counts those of this machine, too.

    A browser need not send the headers of its context with a socket, so they cannot name an address.
    """
    before = (
        "from pentad.web.http import client_address; client_address.DIRECT = '192.0.2.1'\n"
        "from pentad.web.http import security, socket_pool; socket_pool.MAX_SOCKETS_OF_ADDRESS = 1\n"
        "from pentad.web.http.ratelimit import Rate; security.BEGIN = Rate(3, 1e6)"
    )
    with Server(before=before) as running:
        yield running


def opened_sockets(page: Page) -> list[WebSocket]:
    """The sockets that a page opens from now on."""
    opened: list[WebSocket] = []
    page.on("websocket", lambda socket: opened.append(socket))
    return opened


@pytest.mark.slow
def test_a_socket_over_the_limit_is_reported_and_not_retried_at_once(new_page: NewPage) -> None:
    first = new_page()
    address = open_room(first)
    expect(first.locator("#headline")).to_have_text(re.compile("turn|Your"))

    second = new_page()
    opened = opened_sockets(second)
    second.clock.install()
    second.goto(address)
    line = second.locator("#connection")
    expect(line).to_have_text(
        "Too many connections from your address. Close some and try again. This page keeps trying."
    )
    second.clock.run_for(15_000)  # enough for several retries of a lost connection
    assert second.evaluate("fetch('/api/games').then(answer => answer.status)") == 200  # a socket would open before
    assert len(opened) <= 2

    second.goto("/models/ferry?tab=explore")
    second.locator("#explore-go").click()
    expect(second.locator("#explore-state")).to_contain_text(FULL)
    first.close()


def test_the_message_of_a_refused_connection_does_not_flicker(new_page: NewPage) -> None:
    first = new_page()
    address = open_room(first)
    expect(first.locator("#headline")).to_have_text(re.compile("turn|Your"))
    second = new_page()
    second.goto(address)
    expect(second.locator("#connection")).to_contain_text(FULL)
    second.evaluate(WATCH)
    for count in range(1, 4):
        second.evaluate("dispatchEvent(new Event('online'))")  # the page retries at once
        expect(second.locator("body")).to_have_attribute("data-updated", str(count))
    assert second.locator("body").get_attribute("data-hidden") == "0"
    first.close()
    second.evaluate("dispatchEvent(new Event('online'))")
    expect(second.locator("#connection")).to_be_hidden()


@pytest.mark.slow
def test_too_many_new_games_get_a_time_to_retry(new_page: NewPage) -> None:
    page = new_page(extra_http_headers={"X-Forwarded-For": "192.0.2.2"}, expected=COMPLAINT)
    page.goto(BLANK)
    make = """() => fetch("/api/rooms", {method: "POST", headers: {"Content-Type": "application/json"},
        body: JSON.stringify({game: "pentago"})}).then(answer => answer.status)"""
    assert [page.evaluate(make) for _ in range(4)] == [201, 201, 201, 429]
    page.goto("/play")
    place(page, "a0").and_(targets(page)).click()  # the first move makes a game
    expect(page.locator("#message")).to_contain_text("Too many requests from your address. Try again in")
