"""Without a network, while the computer gets ready, and when there is a new version: what the page does then."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from pentad.web.app import ASSETS
from tests.waiting import wait_until
from tests.web.browsing import NewPage, moves, open_room, place, play, targets
from tests.web.serving import Server

pytestmark = pytest.mark.browser

GONE = ("CONNECTION_RE", "WebSocket", "Failed to load", "sw.js")


# All that is kept: by the name of its set, where each file is from and what it says.
KEPT = """async () => {
    const sets = {};
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        const texts = (await cache.keys()).map(async (request) =>
            [new URL(request.url).pathname, await (await cache.match(request)).text()]);
        sets[name] = Object.fromEntries(await Promise.all(texts));
    }
    return sets; }"""


def kept(page: Page, *, new: bool = True) -> dict[str, str]:
    """What is kept of a page, once all of it is there and nothing else; `new` waits until nothing of it is old."""
    sets: list[dict[str, str]] = []

    def is_kept() -> bool:
        sets[:] = page.evaluate(KEPT).values()
        return len(sets) == 1 and len(sets[0]) > 5 and not (new and "old" in sets[0].values())

    wait_until(is_kept, "the page's set")
    return sets[0]


def placed(name: str) -> str:
    """Where a file is now."""
    return f"/static/{ASSETS.hash}/{name}"


def file_of(found: dict[str, str], name: str) -> str:
    """What a kept set has of a file."""
    return found[placed(name)]


def test_without_a_network_the_page_opens_and_shows_the_game_as_it_stood(new_page: NewPage) -> None:
    with Server() as server:
        page = new_page(base_url=server.url, expected=GONE)
        address = open_room(page, seats=["human", "human"])
        play(page, "a2 1C", "b3 2A")
        kept(page)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        assert server.stop()[0] == 0
    for path in (address, "/"):
        page.goto(path)
        expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
        expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
        expect(place(page, "c4")).to_have_attribute("aria-label", "c4, white, played last")  # where it was turned to
        assert page.url.endswith(address)
        assert targets(page).count() == 0
        expect(page.locator("#undo")).to_be_disabled()
        assert page.evaluate("getComputedStyle(document.querySelector('.top')).display") == "flex"  # its style is there


def test_a_game_goes_on_after_the_server_was_started_again(new_page: NewPage) -> None:
    with Server() as first:
        page = new_page(base_url=first.url, expected=GONE)
        open_room(page, seats=["human", "human"])
        play(page, "a2 1C")
        place(page, "b3").click()
        first.kill()
        expect(page.locator("#connection")).to_be_visible()
        with Server(first.port, first.database):
            expect(page.locator("#connection")).to_be_hidden()
            expect(place(page, "b3")).to_have_attribute("aria-label", "b3, white, played last")
            place(page, "2A").click()
            expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])


def test_what_is_touched_while_the_line_is_lost_is_not(new_page: NewPage) -> None:
    with Server() as first:
        page = new_page(base_url=first.url, expected=GONE)
        open_room(page, seats=["human", "human"])
        play(page, "a2 1C")
        first.kill()
        expect(page.locator("#connection")).to_be_visible()
        place(page, "b3").click()
        with Server(first.port, first.database):
            expect(place(page, "b3")).to_have_attribute("aria-label", "b3, white, played last")
            place(page, "2A").click()
            expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])


def test_what_is_kept_is_one_set_and_never_mixed_with_what_is_new(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    kept(page)
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.evaluate(
        """async () => { for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const request of await cache.keys()) await cache.put(request, new Response("old")); } }"""
    )
    page.reload()  # the network is there, so nothing old is to be seen
    expect(targets(page).first).to_be_visible()
    assert file_of(kept(page), "dom.js").startswith("//")


def test_every_page_is_kept_with_all_that_it_needs(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn")
    files = {"/learn", *map(placed, ("style.css", "board.css", "dom.js", "learn/page.js"))}
    assert files <= set(kept(page))


def test_the_page_can_be_installed(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    kept(page)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["display"] == "standalone"
    errors: list[dict[str, Any]] = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each for each in errors if each["errorId"] != "in-incognito"] == []  # as every context of a test is


def test_whoever_waits_is_told_that_the_computer_is_getting_ready(new_page: NewPage) -> None:
    page = new_page()
    told: dict[str, Any] = {"ready": False, "compiling": "pente", "share": 0.45, "waiting": 0, "running": 0}
    page.route("**/api/health", lambda route: route.fulfill(json={**told, "version": "1"}))
    page.route_web_socket("**/api/rooms/*", lambda line: silence_after_first_move(page, line))
    page.goto("/")
    place(page, "a0").and_(targets(page)).click()
    place(page, "1C").and_(targets(page)).click()
    expect(page.locator("#detail")).to_have_text(
        "Preparing the Pente engine (45%). This happens only once on this machine."
    )
    expect(page.locator("#headline")).to_contain_text("is thinking")
    told.update(ready=True, compiling=None, share=None)
    expect(page.locator("#detail")).to_have_text("You play black.")


def test_a_simpler_bots_move_is_told(new_page: NewPage) -> None:
    page = new_page()
    note = "A simpler bot played this move: the engine was still being prepared."

    def answer(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            told = json.loads(text)
            for move in [*told.get("moves", []), *([told["move"]] if "move" in told else [])]:
                move["note"] = note if move["seat"] == 1 else ""
            line.send(json.dumps(told))

        server.on_message(pass_on)

    page.route_web_socket("**/api/rooms/*", answer)
    page.goto("/")
    place(page, "a0").and_(targets(page)).click()
    place(page, "1C").and_(targets(page)).click()
    expect(page.locator("#detail")).to_have_text(re.compile(f"^{re.escape(note)} "))
    row = page.locator("#moves li").nth(1)
    expect(row).to_have_attribute("title", re.compile(re.escape(note)))
    expect(page.locator("#moves li").first).not_to_have_attribute("title", re.compile("simpler"))


def silence_after_first_move(page: Page, line: Any) -> None:
    """A line on which the computer's answer never comes."""
    server = line.connect_to_server()

    def pass_on(message: str | bytes) -> None:
        told = json.loads(message)
        if told["type"] == "played" and told["move"]["seat"] == 1:
            return
        line.send(message)

    server.on_message(pass_on)
